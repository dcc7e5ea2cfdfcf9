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
SWEEP_S = 2.5
"""A hand that takes cards is over them for less than this before their place is bare."""
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
        self._arms: dict[int, list[tuple[float, dict[Seat, float]]]] = {}
        self._taken: list[_Taken] = []
        self._checked_s = -1e9

    def feed(self, now: Look, changed: NDArray[np.bool_], resting: NDArray[np.bool_]) -> list[CardsGone]:
        """The next frame; gives the groups of cards that are gone for good."""
        arms = whose.Arms(changed)
        for lying in self._table.cards.values():
            self._follow(lying, now, changed, arms)
        if now.time_s - self._checked_s > 0.1 and any(
            k.covered_s is not None or k.left for k in self._table.cards.values()
        ):
            self._checked_s = now.time_s
            gone = self._table.gone(now.yuv, resting)
            for lying in gone:
                self._note(lying, gone, now.time_s)
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

    def _follow(self, lying: Lying, now: Look, changed: NDArray[np.bool_], arms: whose.Arms) -> None:
        """Note when the card became covered and from which edge."""
        x0, y0, x1, y1 = lying.box
        if not changed[y0:y1, x0:x1].any():
            lying.covered_s = None
            return
        seen = self._table.visible(lying)
        hidden = seen & changed
        count, size = np.count_nonzero(hidden), np.count_nonzero(seen)
        if count < 0.08 * size or not size:
            lying.covered_s = None
        elif count >= COVERED * size:
            if lying.covered_s is None:
                lying.covered_s = now.time_s
                self._arms[lying.card] = []
            self._arms[lying.card].append((now.time_s, arms.reach(hidden)))

    def _note(self, lying: Lying, batch: list[Lying], now_s: float) -> None:
        """Put a card that is gone with what went the same way."""
        # A card under others was never seen covered: what took them took it.
        pile = [k for k in batch if k is lying or (k.mask & lying.mask).any()]
        since = min((k.covered_s for k in pile if k.covered_s is not None), default=now_s)
        seat = whose.decide([(1.0, self._votes(pile, now_s))], self._seats)
        for group in self._taken:
            if group.seat == seat and now_s - group.last_s < TOGETHER_S:
                group.cards.append(lying.card)
                group.since_s = min(group.since_s, since)
                group.last_s = now_s
                return
        self._taken.append(_Taken(seat, since, now_s, [lying.card]))

    def _votes(self, pile: list[Lying], now_s: float) -> dict[Seat, float]:
        """How much of each edge the arms over these cards reached, lately."""
        out: dict[Seat, float] = {}
        for lying in pile:
            for time_s, arm in self._arms.get(lying.card, []):
                if time_s >= now_s - SWEEP_S:
                    for seat, pixels in arm.items():
                        out[seat] = out.get(seat, 0.0) + pixels
        return out

    def _flush(self, now_s: float) -> list[CardsGone]:
        done = [g for g in self._taken if now_s - g.last_s >= TOGETHER_S]
        self._taken = [g for g in self._taken if now_s - g.last_s < TOGETHER_S]
        return [CardsGone(time_s=round(g.since_s, 5), cards=tuple(sorted(g.cards)), to_seat=g.seat) for g in done]
