"""How large a card of this table is, and of what colour: learnt from those that were read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision import motion
from vision.finder import Size
from vision.rectify import long_side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.motion import Look

    Corners = NDArray[np.float32]

LENGTH = 0.2
"""Cards of one deck on one table differ by at most this share of their length as seen."""
AREA = 0.2
"""Two cards side by side differ by at most this share of their area as seen."""
NEAREST = 5
"""So many of the nearest cards that were read tell how large one is there."""


class CardLook:
    """What a card of this table looks like from here.

    Args:
        picture: width and height of the full picture.
    """

    def __init__(self, picture: tuple[int, int]) -> None:
        self._picture = picture
        self._read: list[tuple[NDArray[np.float32], float]] = []
        self.size: Size | None = None
        """Once one was read."""
        self.ground: motion.Ground | None = None
        """The colour of faces, once one was read."""

    def learn(self, corners: Corners, now: Look, place: NDArray[np.bool_]) -> None:
        """Take size and colour from a card that was read; `place` is its mask in the small picture."""
        long, area = long_side(corners), cv2.contourArea(corners)
        self._read.append((corners.mean(axis=0), area))
        old = self.size or Size(long, area)
        self.size = Size(0.8 * old.long_px + 0.2 * long, 0.8 * old.area_px + 0.2 * area)
        self.ground = motion.ground_of(now.yuv, place)

    def size_at(self, place: NDArray[np.floating[Any]]) -> Size | None:
        """The size of a card there: one farther away in the room looks smaller, so the nearest that were read tell."""
        if self.size is None:
            return None
        ranked = sorted((float(np.linalg.norm(at - place)), area) for at, area in self._read)[:NEAREST]
        # The middle one, so that one whose corners were found badly does not count.
        gap, area = (float(np.median(k)) for k in zip(*ranked, strict=True))
        return Size(self.size.long_px, area, 1 + AREA + gap / max(self._picture))

    def fits(self, corners: Corners, more: float = 0.0) -> bool:
        """Is this as large as a card is there, or larger by up to a share `more` of its area?

        Of several cards in a pile the outline is larger, of a part smaller.
        """
        size = self.size_at(corners.mean(axis=0))
        if size is None:
            return True
        area = cv2.contourArea(corners) / size.area_px
        return bool(1 / size.within < area < size.within + more and abs(long_side(corners) / size.long_px - 1) < LENGTH)
