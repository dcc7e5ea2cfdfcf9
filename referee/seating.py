"""Who sits at the table: told by the user, or seen in the first round.

A function of the events' times alone, so that a record replayed gives the same seats.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.errors import InputError
from referee.events import SEATS, CardsGone, CardShown, Event, Seat, SeenTo

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUND_S = 2.0
"""Cards of one round are shown within this time of one another; a later first card opens another round."""
PATIENCE = 3
"""Rounds after which a wrong `--players` is reported."""


@dataclass(slots=True)
class Seating:
    """Watches events until it is known who plays."""

    players: int | None = None
    """As the user said; None: as many as show a card in the first round."""
    _shown: dict[Seat, float] = field(default_factory=dict)
    _opened: list[float] = field(default_factory=list)
    _again: bool = False

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats that have shown a card, clockwise from the north."""
        return tuple(sorted(self._shown, key=lambda s: (SEATS.index(s) if s in SEATS else len(SEATS), s)))

    def known(self, event: Event) -> bool:
        """Take one event; whether, before this event, the round had shown everyone who plays.

        Raises:
            InputError: `players` cannot be right.
        """
        done = self._complete(event)
        if isinstance(event, CardShown) and event.seat and not done:
            self._show(event.seat, event.time_s)
        return done

    def _complete(self, event: Event) -> bool:
        if self.players is not None:
            if len(self._shown) > self.players or (len(self._opened) > PATIENCE and len(self._shown) < self.players):
                raise InputError(self.mismatch())
            return len(self._shown) == self.players and self._ends_round(event)
        return len(self._shown) > 1 and self._ends_round(event)

    def _ends_round(self, event: Event) -> bool:
        late = bool(self._shown) and event.time_s > max(self._shown.values()) + ROUND_S
        again = isinstance(event, CardShown) and event.seat in self._shown
        return late or again or isinstance(event, CardsGone)

    def _show(self, seat: Seat, time_s: float) -> None:
        if not self._opened or time_s > self._opened[-1] + ROUND_S:
            self._opened.append(time_s)
        self._shown.setdefault(seat, time_s)

    def mismatch(self) -> str:
        """What to say when the picture and `players` disagree."""
        seen = f"{len(self.seats)} seat{'' if len(self.seats) == 1 else 's'} ({', '.join(self.seats) or 'none'})"
        return f"cards were played from {seen}, but --players {self.players} was given: correct it or leave it out"


def who_plays(stream: Iterator[Event | SeenTo], players: int | None) -> tuple[tuple[Seat, ...], list[Event | SeenTo]]:
    """Read a stream until it is known who plays.

    Returns:
        The seats, clockwise from the north, and all that was read so far. At the end of the stream the seats are those
        that showed a card, however few.

    Raises:
        InputError: `players` was given and cannot be right.
    """
    seating, taken = Seating(players), list[Event | SeenTo]()
    for item in stream:
        taken.append(item)
        if isinstance(item, Event) and seating.known(item):
            break
    if players is not None and seating.seats and len(seating.seats) != players:
        raise InputError(seating.mismatch())
    return seating.seats, taken
