"""When people disagree with a ruling: what they most likely mean, likeliest first, and what it would change.

Every alternative is a correction that could be appended to the record. Its weight is the probability, by the referee's
own numbers, that it is what happened; what would change nothing, or is the ruling itself, is not offered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from referee.corrections import problem, ruled_as
from referee.errors import UsageError
from referee.events import CardShown, Correction, DieShown, Event, Type
from referee.messages import say
from referee.messages.labels import label
from referee.replay import die_correction, match_for
from referee.report.changes import all_differences, changed_fields
from referee.report.reading import cards_of, newest_rulings
from referee.report.statistics import NO_CALLS
from referee.report.words import clock, type_words
from referee.rules.otherwise import RIGHT, UNHEARD
from referee.unheard import clear_s, unheard_call

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from referee.record import Record

Line = dict[str, Any]
Changes = list[tuple[int, tuple[str, ...]]]

VOID_WEIGHT = 0.001
"""That a round was no round at all is the last thing offered."""
UNHEARD_WEIGHT = UNHEARD * RIGHT
"""That somebody called what was due and was not heard, where nobody was heard."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One thing that people may say instead."""

    words: str
    correction: Correction
    weight: float
    """Probability that this is what happened, 0 to 1, by the referee's own numbers."""
    changes: Changes
    """Rounds that would be ruled otherwise, and how."""


def alternatives(record: Record, number: int, language: str = "en") -> list[Alternative]:
    """What people may mean when they disagree with a round, likeliest first, in a language.

    Raises:
        UsageError: there is no such round.
    """
    line = ruling_of(record, number)
    found: dict[Correction, Alternative] = {}
    about = (_about_calls, _about_unheard, _about_cards, _about_dice, _about_all)
    for one in (one for each in about for one in each(record, line, language)):
        if one.correction not in found or found[one.correction].weight < one.weight:
            found[one.correction] = one
    judged = [(one, *_ruled(record, one.correction)) for one in found.values()]
    other = [
        replace(one, changes=changes)
        for one, before, after in judged
        if (changes := all_differences(before, after, language)) and not _is_same(number, before, after)
    ]
    return sorted(other, key=lambda one: -one.weight)


def _is_same(number: int, before: Sequence[Line], after: Sequence[Line]) -> bool:
    """Whether a round is ruled as it was, but for what is asked about it."""
    here = [next((one for one in lines if one["round"] == number), {}) for lines in (before, after)]
    return changed_fields(*here) == ["review"]


def ruling_of(record: Record, number: int) -> Line:
    """The ruling in force on a round.

    Raises:
        UsageError: there is none.
    """
    lines = {line["round"]: line for line in newest_rulings(record.rulings)[0]}
    if number not in lines:
        known = f"the rounds are 1 to {max(lines)}" if lines else "nothing was ruled"
        raise UsageError(f"there is no round {number}; {known}")
    return lines[number]


def check(record: Record, correction: Correction) -> None:
    """Refuse a correction that names nobody at this table, no moment of this recording, or nothing in this record.

    Raises:
        UsageError: with what is wrong.
    """
    seats = seats_of(record)
    if correction.seat is not None and seats and correction.seat not in seats:
        raise UsageError(f"nobody sits {correction.seat}; the seats of this game are {', '.join(seats)}")
    if correction.at_s is not None and not 0 <= correction.at_s <= said_at(record):
        raise UsageError(f"{correction.at_s:g} s is not within this game, which lasts {said_at(record):.1f} s")
    if wrong := problem(record.events, record.corrections, correction, seats=record.header.seats):
        raise UsageError(wrong)


def seats_of(record: Record) -> list[str]:
    """Who sits at the table, as the header or the rulings say."""
    named = record.header.seats or [seat for line in record.rulings for seat in line.get("piles") or {}]
    return list(dict.fromkeys(named))


def preview(record: Record, correction: Correction, language: str = "en") -> Changes:
    """What a correction would change, without writing it anywhere."""
    return all_differences(*_ruled(record, correction), language)


def _ruled(record: Record, correction: Correction) -> tuple[list[Line], list[Line]]:
    """The rulings in force without and with a correction."""
    match = match_for(record)
    for entry in record.entries:
        if isinstance(entry, Event):
            match.feed(entry)
    before = [ruling.to_json() for ruling in match.in_force]
    match.feed(correction)
    return before, [ruling.to_json() for ruling in match.in_force]


def said_at(record: Record) -> float:
    """The time that a correction gets: after all that was seen and heard."""
    return max((e.time_s for e in (*record.events, *record.corrections)), default=0.0)


def _about_calls(record: Record, line: Line, language: str) -> Iterator[Alternative]:
    now = said_at(record)
    first = line.get("first") or {}
    for call in line.get("calls") or ():
        number, kind = call.get("call"), call.get("type")
        if number is None or kind is None:
            continue
        said, probability = (
            {"word": call.get("word") or kind, "at": clock(call["onset_s"], 3)},
            float(call["probability"]),
        )
        if call.get("counted"):
            words = label("else.no_call", language, **said)
            yield Alternative(words, Correction(time_s=now, kind="not_a_call", call=number), 1 - probability, [])
        for seat in line.get("piles") or {}:
            if seat != call.get("seat") or not call.get("counted"):
                share = float((call.get("seats") or {}).get(seat, 0.0))
                weight = share * (1.0 if call.get("counted") else probability)
                correction = Correction(time_s=now, kind="caller", call=number, seat=seat, type=ruled_as(line, number))
                yield Alternative(label("else.caller", language, seat=seat, **said), correction, weight, [])
        if first.get("onset_s") is not None:
            yield from _about_order(record, line, call, language)


def _about_unheard(record: Record, line: Line, language: str) -> Iterator[Alternative]:
    """That somebody called what was due, where nobody was heard."""
    due, seats = line.get("due"), seats_of(record)
    if (line.get("first") or {}).get("onset_s") is not None or due is None:
        return
    options, said_s, kind = match_for(record).options, said_at(record), Type(due)
    words = "else.untouched" if record.header.game == "tournament" else "else.unheard"
    for seat in seats:
        correction = unheard_call(line, seat, kind, options, said_s=said_s)
        yield Alternative(label(words, language, seat=seat, kind=kind), correction, UNHEARD_WEIGHT / len(seats), [])


def _about_order(record: Record, line: Line, call: Mapping[str, Any], language: str) -> Iterator[Alternative]:
    """That this call of the round was clearly the first, or came at the same time as the deciding one."""
    first, seat = line["first"], call.get("seat")
    rivals = [c for c in line["calls"] if c.get("type") and c.get("seat") != seat]
    if seat is None or not rivals:
        return
    rival = min(rivals, key=lambda c: abs(c["onset_s"] - call["onset_s"]))
    ahead = (rival["onset_s"] - call["onset_s"]) * 1000
    error = hypot(float(call.get("sigma_ms") or 0), float(rival.get("sigma_ms") or 0)) or 1.0
    options = match_for(record).options
    order = NormalDist(ahead, error)
    at = min(c["onset_s"] for c in line["calls"] if c.get("type")) - clear_s(options, float(rival["sigma_ms"]))
    called = {"seat": seat, "kind": type_words(call["type"], language)}
    was_call = float(call["probability"]) if call.get("reason") in NO_CALLS else 1.0
    yield _called_at(record, call, at, label("else.first", language, **called), was_call * (1 - order.cdf(0)))
    if first.get("seat") != seat:
        other = say(first["seat"], language) if first.get("seat") else label("else.other", language)
        words = label("else.tie", language, other=other, **called)
        tie = order.cdf(options.tie_window_ms) - order.cdf(-options.tie_window_ms)
        yield _called_at(record, call, first["onset_s"], words, was_call * tie)


def _called_at(record: Record, call: Mapping[str, Any], at_s: float, words: str, weight: float) -> Alternative:
    """A call set to another time; the one that was heard then is a second call, which changes nothing."""
    correction = Correction(
        time_s=said_at(record),
        kind="call",
        seat=call["seat"],
        type=Type(call["type"]),
        at_s=round(max(0.0, at_s), 6),
    )
    return Alternative(words, correction, weight, [])


def _about_cards(record: Record, line: Line, language: str) -> Iterator[Alternative]:
    now = said_at(record)
    shown = {e.card: e for e in record.events if isinstance(e, CardShown)}
    for seat, card in cards_of(line):
        event, given = shown.get(card), (line.get("cards") or {}).get(seat)
        confidence = event.confidence if event is not None and event.type is not None else 0.0
        others = [kind for kind in Type if kind.value != given]
        for kind in others:
            correction = Correction(time_s=now, kind="card", card=card, type=kind)
            words = label("else.card", language, seat=seat, kind=kind)
            yield Alternative(words, correction, (1 - confidence) / len(others), [])


def _about_dice(record: Record, line: Line, language: str) -> Iterator[Alternative]:
    """That a die of Rorschach showed another number."""
    now, shown_s = said_at(record), (line.get("evidence") or {}).get("reveal_s") or {}
    sure = {(e.seat, round(e.time_s, 6)): e.confidence for e in record.events if isinstance(e, DieShown)}
    for seat, given in (line.get("dice") or {}).items():
        others = [n for n in range(1, len(line["dice"])) if n != given]
        confidence = sure.get((seat, shown_s.get(seat, -1.0)), 0.0) if given is not None else 0.0
        for n in others:
            words, correction = label("else.die", language, seat=seat, n=n), die_correction(line, seat, n, said_s=now)
            yield Alternative(words, correction, (1 - confidence) / len(others), [])


def _about_all(record: Record, line: Line, language: str) -> Iterator[Alternative]:
    for _, card in cards_of(line)[:1]:
        correction = Correction(time_s=said_at(record), kind="void", card=card)
        yield Alternative(label("else.void", language), correction, VOID_WEIGHT, [])
