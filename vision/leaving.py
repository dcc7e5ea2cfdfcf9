"""Cards that leave the centre: which, since when, and towards whom.

A hand that covers a card is followed back to the edge of the picture that its arm comes from; once the card's place
looks like the bare table the card is gone, and the arm that covered it last took it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from referee.events import CardsGone, Seat
from vision import seats as whose

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.motion import Look
    from vision.table import Lying, Table

TOGETHER_S = 0.5
"""Cards taken towards one seat without a pause of this length go together."""
COVERED = 0.3
"""A card counts as covered or moved when this share of what was seen of it looks different: on a white table only its
pips and edges can."""


@dataclass(slots=True)
class _Taken:
    """Cards on their way to one seat."""

    seat: Seat | None
    since_s: float
    last_s: float
    cards: list[int] = field(default_factory=list)


class Leaving:
    """Follows what happens on top of the known cards of a table."""

    def __init__(self, table: Table, seats: tuple[Seat, ...]) -> None:
        self._table = table
        self._seats = seats
        self._arms: dict[int, dict[Seat, float]] = {}
        self._taken: list[_Taken] = []
        self._checked_s = -1e9

    def feed(self, now: Look, changed: NDArray[np.bool_], resting: NDArray[np.bool_]) -> list[CardsGone]:
        """The next frame; gives the groups of cards that are gone for good."""
        for lying in self._table.cards.values():
            self._follow(lying, now, changed)
        if (
            now.time_s - self._checked_s > 0.1
            and self._table.cards
            and (changed & resting & self._table.covered()).any()
        ):
            self._checked_s = now.time_s
            gone = self._table.gone(now.yuv, resting)
            for lying in gone:
                self._note(lying, now.time_s)
            if gone:
                self._table.take(gone, now.yuv)
        return self._flush(now.time_s)

    def since(self) -> float | None:
        """The earliest time that an event still to come may have."""
        times = [g.since_s for g in self._taken]
        times += [k.covered_s for k in self._table.cards.values() if k.covered_s is not None]
        return min(times, default=None)

    def end(self) -> list[CardsGone]:
        """What was taken and not told yet."""
        return self._flush(float("inf"))

    def _follow(self, lying: Lying, now: Look, changed: NDArray[np.bool_]) -> None:
        """Note when the card became covered and from which edge."""
        seen = self._table.visible(lying)
        hidden = seen & changed
        if np.count_nonzero(hidden) < COVERED * np.count_nonzero(seen) or not seen.any():
            if not hidden.any():
                lying.covered_s = None
                self._arms.pop(lying.card, None)
            return
        if lying.covered_s is None:
            lying.covered_s = now.time_s
        arms = self._arms.setdefault(lying.card, {})
        for seat, pixels in whose.reach(changed, hidden).items():
            arms[seat] = arms.get(seat, 0.0) + pixels

    def _note(self, lying: Lying, now_s: float) -> None:
        since = lying.covered_s if lying.covered_s is not None else now_s
        seat = whose.decide([(1.0, self._arms.pop(lying.card, {}))], self._seats)
        for group in self._taken:
            if group.seat == seat and now_s - group.last_s < TOGETHER_S:
                group.cards.append(lying.card)
                group.since_s = min(group.since_s, since)
                group.last_s = now_s
                return
        self._taken.append(_Taken(seat, since, now_s, [lying.card]))

    def _flush(self, now_s: float) -> list[CardsGone]:
        done = [g for g in self._taken if now_s - g.last_s >= TOGETHER_S]
        self._taken = [g for g in self._taken if now_s - g.last_s < TOGETHER_S]
        return [CardsGone(time_s=round(g.since_s, 5), cards=tuple(sorted(g.cards)), to_seat=g.seat) for g in done]
