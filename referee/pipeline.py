"""From the merged stream to rulings: who sits where, whose the calls are, the match fed. The same for file and live."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.errors import InputError
from referee.events import CallHeard, CardShown, Event, Seat, SeenTo
from referee.play.roster import Roster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from referee.match import Match
    from referee.ruling import Ruling


@dataclass(frozen=True, slots=True)
class Seated:
    """It is known who plays, and the match has begun."""

    match: Match


Step = Seated | Event | SeenTo


def rule(
    stream: Iterable[Event | SeenTo],
    *,
    seats: tuple[Seat, ...] | None,
    players: int | None,
    begin: Callable[[tuple[Seat, ...]], Match],
    place: Callable[[CallHeard, tuple[Seat, ...]], CallHeard],
) -> Iterator[Step | Ruling]:
    """Rule on a merged stream.

    Args:
        stream: events in time order, with promises between, ending with `RecordingEnded`.
        seats: who plays, if that was said; else the first round shows it.
        players: how many play, if that was said.
        begin: makes the match when the seats are known.
        place: names the seat of a call that was given to a microphone.

    Yields:
        `Seated` once (never for a table on which no card was seen), each event as the match gets it, the rulings that
        it makes final, and promises, for progress.

    Raises:
        InputError: the table shows another number of players than was said.
    """
    roster, match = Roster(players=players, fewest=2), None
    if seats is not None:
        match = begin(seats)
        yield Seated(match)
    for item in stream:
        events = [item]
        if match is None:
            events = [kept for kept, _ in roster.feed(item, 0)]
            if not events:
                if isinstance(item, SeenTo):
                    yield item
                continue
            _check_count(roster.seats, players)
            match = begin(roster.seats)
            yield Seated(match)
        yield from _ruled(match, events, players, place)


def _ruled(
    match: Match,
    items: Iterable[Event | SeenTo],
    players: int | None,
    place: Callable[[CallHeard, tuple[Seat, ...]], CallHeard],
) -> Iterator[Step | Ruling]:
    """Feed the match, and give what it was fed beside what it says.

    What was decided before an event comes before it, whether a promise had made it final already or the event does:
    how far eye and ear are ahead of each other must not change the order of a record's lines.
    """
    for item in items:
        if players is not None and not match.rulings and isinstance(item, CardShown):
            _check_seat(match, item, players)
        event = place(item, match.seats) if isinstance(item, CallHeard) else item
        rulings = match.feed(event)
        yield from (ruling for ruling in rulings if ruling.time_s <= event.time_s)
        yield event
        yield from (ruling for ruling in rulings if ruling.time_s > event.time_s)


def _check_count(seats: tuple[Seat, ...], players: int | None) -> None:
    if players is not None and len(seats) != players:
        raise InputError(_mismatch(seats, players))


def _check_seat(match: Match, shown: CardShown, players: int) -> None:
    """A card of one more seat in the first round says that more people play."""
    if shown.seat is not None and shown.seat not in match.seats:
        raise InputError(_mismatch((*match.seats, shown.seat), players))


def _mismatch(seats: tuple[Seat, ...], players: int) -> str:
    return (
        f"cards were played from {len(seats)} seat{'' if len(seats) == 1 else 's'} ({', '.join(seats)}), "
        f"but --players {players} was given: correct it or leave it out"
    )
