"""Corrections by people, applied to the events before they are ruled on. What was seen and heard is never edited.

A match numbers its calls and touches; corrections name calls by that number and cards by theirs. A call that people add
gets the negative number of its correction, so that no other call's number changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from referee.events import (
    ONE_SOUND_S,
    SAME_SOUND,
    SEATS,
    CallHeard,
    CardShown,
    CardTouched,
    Correction,
    Dealt,
    DieShown,
    Event,
    SeatChanged,
    Type,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from referee.events import Seat

CLAIMS = (CallHeard, CardTouched)
"""Events that are numbered, so that people can speak of them."""

ADDED = ("call", "die")
"""Corrections that may be of something that was not heard or seen at all, at a time that people name."""

SAME_S = 1e-6
"""Times in ruling lines are rounded to this."""

NO_CALL = "people said that it was no call"
TOLD = "people said so"
"""Why a call counts, where people said who made it."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """An event with the number of its call or touch; 0 for all others."""

    number: int
    event: Event


def number_events(events: Iterable[Event]) -> list[Numbered]:
    """Give calls and touches their running numbers, in the order they are fed."""
    out, count = [], 0
    for event in events:
        is_claim = isinstance(event, CLAIMS)
        count += is_claim
        out.append(Numbered(count if is_claim else 0, event))
    return out


def in_force(corrections: Sequence[Correction]) -> list[tuple[int, Correction]]:
    """The corrections that hold, with their numbers: those that no undo in force takes back."""
    undone: set[int] = set()
    kept: list[tuple[int, Correction]] = []
    for number in range(len(corrections), 0, -1):
        one = corrections[number - 1]
        if number in undone:
            continue
        if one.kind == "undo":
            if one.target is not None and one.target < number:
                undone.add(one.target)
        else:
            kept.append((number, one))
    return kept[::-1]


def problem(
    events: Iterable[Event],
    corrections: Sequence[Correction],
    new: Correction,
    *,
    seats: Collection[Seat] | None = None,
) -> str:
    """Why a correction cannot be made, in one sentence; empty if it can.

    Args:
        events: of the game, without corrections.
        corrections: those made before.
        new: the one in question.
        seats: who plays, if the record says so; None to take the seats that the events name, and the table's sides.
    """
    events = list(events)
    names_nothing = _names_nothing(number_events(events), corrections, new)
    if names_nothing:
        return names_nothing
    if new.seat is not None and new.seat not in (known := _known_seats(events, seats)):
        return f"there is no seat {new.seat}; the seats are {', '.join(known)}"
    end_s = max((event.time_s for event in events), default=0.0)
    if new.at_s is not None and not 0 <= new.at_s <= end_s:
        return f"second {new.at_s:g} is outside the game, which lasts from 0 to {end_s:g}"
    return ""


def _names_nothing(numbered: Sequence[Numbered], corrections: Sequence[Correction], new: Correction) -> str:
    """Which call, card or correction a correction speaks of in vain, or what it leaves out."""
    if new.kind == "undo":
        known = new.target is not None and 1 <= new.target <= len(corrections)
        return "" if known else f"there is no correction number {new.target}"
    if new.kind in ("caller", "not_a_call"):
        if not any(n.number == new.call for n in numbered if n.number):
            added = new.call is not None and any(-number == new.call for number, _ in in_force(corrections))
            return "" if added else f"there is no call number {new.call}"
        return "a caller needs a seat" if new.kind == "caller" and not new.seat else ""
    if new.kind == "call":
        complete = new.seat and new.type and new.at_s is not None
        return "" if complete else "a call that was not heard needs seat, type and time"
    if new.kind == "die":
        if not any(isinstance(n.event, DieShown) for n in numbered):
            return "no dice were shown in this game"
        complete = new.seat and new.value is not None and new.at_s is not None
        return "" if complete else "a die needs its player, its number and the time"
    if not any(isinstance(n.event, CardShown) and n.event.card == new.card for n in numbered):
        return f"there is no card number {new.card}"
    if new.kind == "as_ruled":
        return "" if new.outcome else "a confirmation needs the outcome that it confirms"
    return "a card needs its type or its seat" if new.kind == "card" and not (new.type or new.seat) else ""


def _known_seats(events: Iterable[Event], seats: Collection[Seat] | None) -> tuple[Seat, ...]:
    """Every seat that somebody may have: those told, else those seen; and those that people moved to."""
    named: dict[Seat, None] = dict.fromkeys(seats or ())
    for event in events:
        if isinstance(event, SeatChanged):
            named[event.to_seat] = None
        elif seats is not None:
            continue
        elif isinstance(event, CardShown | CardTouched | DieShown) and event.seat is not None:
            named[event.seat] = None
        elif isinstance(event, CallHeard):
            named.update(dict.fromkeys(event.seats))
        elif isinstance(event, Dealt):
            named.update(dict.fromkeys(event.cards))
    at_sides = seats is None and set(named) <= set(SEATS)
    return SEATS if at_sides else tuple(named)


def apply(events: Sequence[Numbered], corrections: Sequence[Correction]) -> list[Numbered]:
    """The events as they would have come, had eye and ear been right; sorted by time, stable.

    Corrections that name nothing change nothing. `void` and `as_ruled` are about rounds, not about events: the match
    has them.
    """
    out, held = list(events), in_force(corrections)
    for number, one in held:
        if one.kind == "call" and one.seat and one.type and one.at_s is not None:
            out.append(Numbered(-number, _added_call(one, one.at_s)))
        elif one.kind == "die" and one.at_s is not None:
            out = _with_die(out, -number, DieShown(time_s=one.at_s, seat=one.seat, value=one.value))
    for _, one in held:
        out = [replace(n, event=_corrected(n, one)) for n in out]
    out = _one_word_each(out, [one for _, one in held if one.kind == "caller" and one.seat])
    if any(n.number < 0 for n in out):
        out.sort(key=lambda n: n.event.time_s)
    return out


def _one_word_each(events: list[Numbered], told: Sequence[Correction]) -> list[Numbered]:
    """Whose call people have named has said that word: another one heard in the same sound of that player is none."""
    named = {one.call for one in told}
    calls = [n.event for n in events if n.number in named and isinstance(n.event, CallHeard)]

    def fallen(n: Numbered) -> Numbered:
        event = n.event
        if not isinstance(event, CallHeard) or not event.accepted or n.number in named or n.number < 0:
            return n  # also what people added was said
        player = max(event.seats, key=lambda s: event.seats[s], default="")
        for call in calls:
            same = player in call.seats and abs(event.time_s - call.time_s) < ONE_SOUND_S
            if same and event.type is not call.type:
                return replace(n, event=replace(event, accepted=False, reason=SAME_SOUND))
        return n

    return [fallen(n) for n in events]


def voided(corrections: Sequence[Correction]) -> frozenset[int]:
    """Cards whose rounds count for nothing."""
    return frozenset(c.card for _, c in in_force(corrections) if c.kind == "void" and c.card is not None)


def ruled_as(line: Mapping[str, Any], number: int) -> Type | None:
    """The type that hands made of a call, by its number in a ruling line; None where it counts as it was heard.

    Who says who made such a call speaks of the call as it was ruled: the correction names this type.
    """
    calls = [call for call in line.get("calls") or () if call.get("call") == number and "heard" in call]
    return Type(calls[0]["type"]) if calls and calls[0].get("type") else None


def _added_call(one: Correction, at_s: float) -> CallHeard:
    return CallHeard(
        time_s=at_s,
        sigma_ms=0.0,
        end_s=at_s,
        type=one.type,
        word="",
        probability=1.0,
        seats={one.seat or "": 1.0},
        tier="people",
        reason=TOLD,
    )


def _with_die(events: list[Numbered], number: int, die: DieShown) -> list[Numbered]:
    """With a die as people told of it, in the place of the one that was seen then, at its player or at nobody known."""
    for seat in (die.seat, None):
        for i, n in enumerate(events):
            seen = n.event
            if isinstance(seen, DieShown) and seen.seat == seat and abs(seen.time_s - die.time_s) <= SAME_S:
                told = replace(die, time_s=seen.time_s, sigma_ms=seen.sigma_ms, colour=seen.colour)
                return [*events[:i], Numbered(n.number, told), *events[i + 1 :]]
    return [*events, Numbered(number, die)]


def _corrected(numbered: Numbered, one: Correction) -> Event:
    event = numbered.event
    if isinstance(event, CardShown) and one.kind == "card" and event.card == one.card:
        kind = one.type or event.type
        sure = 1.0 if one.type else event.confidence
        return replace(event, type=kind, seat=one.seat or event.seat, confidence=sure)
    if not numbered.number or numbered.number != one.call:
        return event
    if isinstance(event, CallHeard):
        return _corrected_call(event, one)
    if isinstance(event, CardTouched):
        if one.kind == "caller" and one.seat:
            return replace(event, seat=one.seat, confidence=1.0)
        if one.kind == "not_a_call":
            return replace(event, confidence=0.0, card=-1)
    return event


def _corrected_call(event: CallHeard, one: Correction) -> CallHeard:
    if one.kind == "caller" and one.seat:
        return replace(
            event,
            seats={one.seat: 1.0},
            tier="people",
            type=one.type or event.type,
            accepted=True,
            contested=False,
            probability=1.0,
            reason=TOLD,
        )
    if one.kind == "not_a_call":
        return replace(event, accepted=False, probability=0.0, reason=NO_CALL)
    return event
