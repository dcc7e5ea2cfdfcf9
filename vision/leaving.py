"""Cards that leave the centre: which, since when, and towards whom.

A hand that covers a card is followed back to the edge of the picture that its arm comes from; once the card's place
looks like the bare table the card is gone, and the arm that covered it last took it. Where none did, the card is
followed on its way: the hand that it moves with took it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np

from referee.events import CardsGone, Seat
from vision import flight
from vision import seats as whose
from vision.rectify import long_side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from vision.motion import Look
    from vision.reveal import Step
    from vision.table import Lying, Table

TOGETHER_S = 0.5
"""Cards taken towards one seat without a pause of this length go together."""
SWEEP_S = 2.5
"""A hand that takes cards is over them for less than this before their place is bare."""
SETS_OFF_S = 0.25
"""A card that is drawn away moves for less than this before its place looks different."""
WAY = 0.3
"""A card that moved by this share of its length is on its way; the arm that takes it is within a card's length."""
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
        self._playing: set[Seat] = set()

    def played(self, seat: Seat | None) -> None:
        """A card of this seat was shown: somebody plays there, and may take cards."""
        if seat is not None:
            self._playing.add(seat)

    @property
    def _takers(self) -> tuple[Seat, ...]:
        """Who may take cards: who has played any, once two have."""
        playing = tuple([seat for seat in self._seats if seat in self._playing])
        return playing if len(playing) > 1 else self._seats

    def feed(
        self,
        looks: Sequence[Look],
        arms: Sequence[tuple[float, whose.Arms]],
        changed: NDArray[np.bool_],
        resting: NDArray[np.bool_],
    ) -> list[CardsGone]:
        """The next frame; gives the groups of cards that are gone for good.

        Args:
            looks: the small pictures that are kept, the next frame's last.
            arms: with their time, the changed places of those that were judged, the next frame's last.
            changed: places of the next frame that differ from the still table.
            resting: places that rest in it.
        """
        now = looks[-1]
        for lying in self._table.cards.values():
            self._follow(lying, now, changed, arms[-1][1])
        if now.time_s - self._checked_s > 0.1 and any(
            k.covered_s is not None or k.left for k in self._table.cards.values()
        ):
            self._checked_s = now.time_s
            gone = self._table.gone(now.yuv, resting)
            for lying in gone:
                self._note(lying, gone, looks, dict(arms))
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

    def _note(self, lying: Lying, batch: list[Lying], looks: Sequence[Look], arms: Mapping[float, whose.Arms]) -> None:
        """Put a card that is gone with what went the same way."""
        now_s = looks[-1].time_s
        # A card under others was never seen covered: what took them took it.
        pile = [k for k in batch if k is lying or (k.mask & lying.mask).any()]
        since = min((k.covered_s for k in pile if k.covered_s is not None), default=now_s)
        votes = self._votes(pile, now_s)
        seat = whose.decide([(1.0, votes)], self._takers)
        if seat is None:
            seat = self._taker(votes, self._way(pile, looks), long_side(lying.corners) * self._table.scale, arms)
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
                    _add(out, arm)
        return out

    def _way(self, pile: list[Lying], looks: Sequence[Look]) -> list[Step]:
        """How the first of these cards left that can be followed."""
        for lying in pile:
            if lying.covered_s is not None:
                since = [k for k in looks if k.time_s >= lying.covered_s - SETS_OFF_S]
                quad = lying.corners * np.float32(self._table.scale)
                way = flight.departure(since, self._table.without(lying), lying.patch, quad)
                if way and way[-1].pose.apart(way[0].pose) > WAY * long_side(quad):
                    return way
        return []

    def _taker(
        self, votes: Mapping[Seat, float], way: Sequence[Step], high: float, arms: Mapping[float, whose.Arms]
    ) -> Seat | None:
        """Who took a card that was followed, `high` long; nobody if no arm was seen beside it."""
        seen = _beside(way, high, arms)
        if not seen:
            return None
        path = [(k.pose.x, k.pose.y) for k in way]
        moves = whose.of_place(path[-1], path[0], self._takers)
        return whose.decide([(0.5, votes), (0.35, seen), (0.15, moves)], self._takers)

    def _flush(self, now_s: float) -> list[CardsGone]:
        done = [g for g in self._taken if now_s - g.last_s >= TOGETHER_S]
        self._taken = [g for g in self._taken if now_s - g.last_s < TOGETHER_S]
        return [CardsGone(time_s=round(g.since_s, 5), cards=tuple(sorted(g.cards)), to_seat=g.seat) for g in done]


def _add(votes: dict[Seat, float], more: Mapping[Seat, float]) -> None:
    """Add votes to votes."""
    for seat, count in more.items():
        votes[seat] = votes.get(seat, 0.0) + count


def _beside(way: Sequence[Step], high: float, arms: Mapping[float, whose.Arms]) -> dict[Seat, float]:
    """How much of each edge the arms reach that are within a card's length of a card on its way."""
    out: dict[Seat, float] = {}
    for step in way:
        there = arms.get(step.time_s)
        if there is not None and step.pose.apart(way[0].pose) > WAY * high:
            place = np.zeros(there.shape, np.uint8)
            cv2.circle(place, (round(step.pose.x), round(step.pose.y)), round(high), (1,), cv2.FILLED)
            _add(out, there.reach(place.astype(np.bool_)))
    return out
