"""Who plays: learnt from the first round when nobody said it."""

from __future__ import annotations

from math import inf

from referee.events import CardsGone, CardShown, DieShown, Event, QuestionRead, RecordingEnded, Seat, SeenTo

FIRST_ROUND_S = 2.0
"""The first round has all its players when no new seat shows a card for this long."""


class Roster:
    """Keeps events back until it is clear who plays. Depends on event times alone.

    A seat plays if it shows a card that can be read. Where something was seen that cannot be read, as a passing hand,
    the second round tells whether somebody plays there.
    """

    def __init__(self, *, players: int | None, fewest: int) -> None:
        self._players = players
        self._fewest = fewest
        self._kept: list[tuple[Event | SeenTo, int]] = []
        self._found: dict[Seat, float] = {}
        self._doubtful: dict[Seat, float] = {}
        self._second_round_s = inf

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that showed something, in the order they did."""
        return tuple(self._found)

    def feed(self, event: Event | SeenTo, number: int) -> list[tuple[Event | SeenTo, int]]:
        """Take one event; give all kept ones once the players are known, else nothing."""
        known = self._known_before(event)
        if not isinstance(event, SeenTo) or known:
            self._kept.append((event, number))
        if not known and isinstance(event, CardShown | DieShown) and event.seat is not None:
            self._count(event, event.seat)
            known = self._players is not None and len(self._found) >= self._players
        if not known:
            return []
        kept, self._kept = self._kept, []
        return kept

    def _count(self, event: CardShown | DieShown, seat: Seat) -> None:
        if seat in self._found:
            self._second_round_s = min(self._second_round_s, event.time_s)
        elif (event.type if isinstance(event, CardShown) else event.value) is None:
            self._doubtful.setdefault(seat, event.time_s)
        else:
            self._doubtful.pop(seat, None)
            self._found[seat] = event.time_s

    def _known_before(self, event: Event | SeenTo) -> bool:
        """Whether nobody can join any more when this event comes."""
        enough = self._players is None and len(self._found) >= self._fewest
        second_over = event.time_s > self._second_round_s + FIRST_ROUND_S
        if isinstance(event, RecordingEnded):
            if not (enough and second_over):
                self._found |= self._doubtful
            return len(self._found) > 0
        if not enough:
            return False
        if self._doubtful:
            return second_over
        if isinstance(event, CardShown | DieShown):
            again = event.seat in self._found
        else:
            again = isinstance(event, CardsGone | QuestionRead)
        return again or event.time_s > max(self._found.values()) + FIRST_ROUND_S
