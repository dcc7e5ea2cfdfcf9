"""How large a card of this table is, and of what colour: learnt from those that were read.

A table that is seen at an angle has larger cards at its near end. In a picture of a plane the cube root of an area
grows evenly from place to place, so that a few cards tell how large one is anywhere.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision import motion
from vision.finder import Size
from vision.rectify import long_side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.motion import Look

    Corners = NDArray[np.float32]
    Doubles = NDArray[np.float64]

LENGTH = 0.2
"""Cards of one deck on one table differ by at most this share of their length as seen."""
AREA = 0.25
"""Two cards side by side differ by at most this share of their area as seen."""
SLOPE = 0.5
"""Share by which the root of a card's area grows over the longer side of the picture, about, before cards told it: a
phone's camera that is tilted by 20 degrees."""
NOISE = 0.02
"""Share by which the root of a card's area is misjudged as it is read; one whose corners are wrong is farther off."""
REMEMBERED = 40
"""So many cards tell the size; a camera may be moved in a long game."""
COLOURS = 4
"""Kinds of light in which cards are remembered: a lamp's, a window's, the glare of one."""
SAME_COLOUR = 5.0
"""Levels by which colours of faces differ in the same light."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A card that was read."""

    place: tuple[float, float]
    """Its middle, shares of the picture's longer side."""
    root: float
    """Cube root of its area."""
    shape: float
    """Its longer side, in sides of a square of its area."""


@dataclass(frozen=True, slots=True)
class _Trend:
    """How the cube root of a card's area depends on the place."""

    middle: Doubles
    """From which places are counted, shape (2,)."""
    root: Doubles
    """There, and how it grows to the right and down, shape (3,)."""
    unsure: Doubles
    """Covariance of those, shape (3, 3)."""

    def at(self, place: Doubles) -> tuple[float, float]:
        """The root there, and the share of it by which it may be off beyond what reading misjudges."""
        where = np.array([1.0, *(place - self.middle)])
        least = 0.3 * float(self.root[0])
        root = max(least, float(where @ self.root))
        return root, math.sqrt(max(0.0, float(where @ self.unsure @ where) / root**2 - NOISE**2))


class CardLook:
    """What a card of this table looks like from here.

    Args:
        picture: width and height of the full picture.
    """

    def __init__(self, picture: tuple[int, int]) -> None:
        self._longest = max(picture)
        self._read: deque[_Read] = deque(maxlen=REMEMBERED)
        self._colours: list[tuple[float, float, float]] = []
        self._trend: _Trend | None = None
        self.size: Size | None = None
        """In the middle of those that were read, once one was."""
        self.ground: motion.Ground | None = None
        """The colours of faces, once one was read."""

    def learn(self, corners: Corners, now: Look, place: NDArray[np.bool_]) -> None:
        """Take size and colour from a card that was read; `place` is its mask in the small picture."""
        area = cv2.contourArea(corners)
        x, y = (float(k) for k in corners.mean(axis=0) / self._longest)
        self._read.append(_Read((x, y), float(np.cbrt(area)), long_side(corners) / math.sqrt(area)))
        self._trend = _trend(self._read)
        self.size = self.size_at(self._trend.middle * self._longest)
        colour = motion.ground_of(now.yuv, place).colours[0]
        others = [k for k in self._colours if max(abs(k[1] - colour[1]), abs(k[2] - colour[2])) > SAME_COLOUR]
        self._colours = [colour, *others][:COLOURS]
        self.ground = motion.Ground(tuple(self._colours))

    def size_at(self, place: NDArray[np.floating[Any]]) -> Size | None:
        """The size of a card whose middle is there, by those that were read, the less sure the farther it is."""
        if self._trend is None:
            return None
        root, off = self._trend.at(np.asarray(place, np.float64) / self._longest)
        shape = float(np.median([k.shape for k in self._read]))
        return Size(shape * root**1.5, root**3, 1 + AREA + 3 * off)

    def fits(self, corners: Corners, more: float = 0.0) -> bool:
        """Is this as large as a card is there, or larger by up to a share `more` of its area?

        Of several cards in a pile the outline is larger, of a part smaller.
        """
        size = self.size_at(corners.mean(axis=0))
        if size is None:
            return True
        area, long = cv2.contourArea(corners) / size.area_px, long_side(corners) / size.long_px
        spare = math.sqrt(size.within / (1 + AREA))
        as_long = (1 - LENGTH) / spare < long < (1 + LENGTH) * spare
        return bool(1 / size.within < area < size.within + more and as_long)


def _trend(read: Sequence[_Read]) -> _Trend:
    """The even growth that explains most of the cards best; those that it does not explain count little."""
    places, roots = np.array([k.place for k in read]), np.array([k.root for k in read])
    middle, usual = places.mean(axis=0), float(np.median(roots))
    where = np.column_stack([np.ones(len(roots)), places - middle])
    noise = (NOISE * usual) ** 2
    before = np.diag([0.0, 1.0, 1.0]) / (SLOPE * usual) ** 2
    best = np.array([usual, 0.0, 0.0])
    for _ in range(5):
        weight = 1 / (1 + (roots - where @ best) ** 2 / (4 * noise))
        unsure = np.linalg.inv((where.T * weight) @ where / noise + before)
        best = unsure @ (where.T * weight) @ roots / noise
    return _Trend(middle, best, unsure)
