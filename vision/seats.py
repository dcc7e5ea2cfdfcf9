"""Whose hand: by the edge of the picture from which an arm reaches a place, and by where the card lies.

Seats are the sides of the picture. The arm's edge is the main evidence, the card's flight and place the second; where
they disagree nobody can tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from referee.events import SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from referee.events import Seat

DIRECTIONS: Mapping[Seat, tuple[float, float]] = {
    "north": (0.0, -1.0),
    "east": (1.0, 0.0),
    "south": (0.0, 1.0),
    "west": (-1.0, 0.0),
}

LEAST_PX = 4
"""Pixels of a strip two pixels wide along the edge that an arm takes at least."""


class Arms:
    """The changed places of one frame in pieces: arms, hands and what they hold; labelled when first asked."""

    def __init__(self, changed: NDArray[np.bool_]) -> None:
        self.changed = changed
        """The changed places."""
        self._labels: NDArray[np.int32] | None = None
        self._edges: dict[Seat, NDArray[np.int32]] = {}

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the small picture."""
        return self.changed.shape[0], self.changed.shape[1]

    def reach(self, place: NDArray[np.bool_], corner: tuple[int, int] = (0, 0)) -> dict[Seat, float]:
        """How much of each edge of the picture is joined to a place by changed pixels, in pixels.

        Args:
            place: where the card is, or lay: the whole picture or a part of it.
            corner: left and top of that part.
        """
        x, y = corner
        part = self._labelled()[y : y + place.shape[0], x : x + place.shape[1]]
        touching = np.unique(part[place & (part > 0)])
        out = {}
        for seat, strip in self._edges.items():
            count = sum(float(np.count_nonzero(strip == k)) for k in touching) / 2
            if count:
                out[seat] = count
        return out

    def _labelled(self) -> NDArray[np.int32]:
        """The number of its piece at each place."""
        if self._labels is None:
            labels = np.asarray(cv2.connectedComponents(self.changed.astype(np.uint8))[1], np.int32)
            self._edges = {"north": labels[:2], "east": labels[:, -2:], "south": labels[-2:], "west": labels[:, :2]}
            self._labels = labels
        return self._labels

    def at(self, place: NDArray[np.bool_]) -> list[tuple[Seat, ...]]:
        """The arms that reach a place, each as the edges that it comes from: more than one where arms meet."""
        touching = [int(k) for k in np.unique(self._labelled()[place]) if k]
        found = (tuple(s for s, k in self._edges.items() if np.count_nonzero(k == n) > LEAST_PX) for n in touching)
        return [seats for seats in found if seats]


def of_place(at: tuple[float, float], centre: tuple[float, float], seats: Sequence[Seat]) -> dict[Seat, float]:
    """Shares of the seats by direction from the table's centre: the nearer a seat's direction, the more."""
    offset = np.subtract(at, centre)
    length = float(np.linalg.norm(offset))
    if length < 1e-6:
        return {}
    weights = {s: max(0.0, float(np.dot(offset, DIRECTIONS[s])) / length) ** 2 for s in seats}
    total = sum(weights.values())
    return {s: w / total for s, w in weights.items() if w > 0} if total else {}


def of_flight(path: Sequence[tuple[float, float]], seats: Sequence[Seat]) -> dict[Seat, float]:
    """Shares by where a card came from: the direction opposite to its way."""
    if len(path) < 2:
        return {}
    return of_place(path[0], path[-1], seats)


def decide(evidence: Sequence[tuple[float, Mapping[Seat, float]]], seats: Sequence[Seat]) -> Seat | None:
    """The seat that weighted evidence agrees on, or None.

    Args:
        evidence: pairs of weight and votes; votes are scaled to sum to 1, empty ones count as no evidence.
        seats: who sits at the table.
    """
    score = dict.fromkeys(seats, 0.0)
    weight_all = 0.0
    for weight, votes in evidence:
        total = sum(votes.get(s, 0.0) for s in seats)
        if total <= 0:
            continue
        weight_all += weight
        for seat in seats:
            score[seat] += weight * votes.get(seat, 0.0) / total
    if not weight_all:
        return None
    ranked = sorted(seats, key=lambda s: (-score[s], SEATS.index(s)))
    lead = score[ranked[0]] - (score[ranked[1]] if len(ranked) > 1 else 0.0)
    return ranked[0] if lead > 0.2 * weight_all else None
