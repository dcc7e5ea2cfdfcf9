"""A camera that is held in the hand: noticed by its sway, and every frame laid onto the still table.

The table's own marks are found again in each frame. Hands and cards move otherwise than most of the picture does.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision import motion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from referee.media import Frame
    from vision.motion import Look

    Matrix = NDArray[np.float64]

EVERY_S = 0.2
"""How often it is looked whether the camera sways."""
SELDOM_S = 1.0
"""The same of a camera that stood still in all of the last looks."""
SWAYS = 0.3
"""Small-picture pixels by which a held camera moves between two looks."""
ALIKE, ALIKE_SHARE = 0.15, 0.3
"""By so many pixels, or this share of the movement, do quarters of the picture differ that move with the camera."""
QUARTERS, LEAST_OF_QUARTER = 3, 6
"""So many quarters must move alike, each told by so many marks: hands move one or two of them, and not alike."""
SAMPLES, MOST = 7, 5
"""The camera is held if it swayed in so many of the last looks: a push is over in one or two."""
MARKS = 200
LEAST_MARKS = 12
AGREE = 0.25
"""Share of the marks that must move as one: hands hide some and take others with them."""
LOST_S = 1.0
"""Hands may hide most of the table for so long."""


class Marks:
    """Places of a picture that can be found again."""

    def __init__(self, yuv: NDArray[np.uint8]) -> None:
        self._grey = np.ascontiguousarray(yuv[:, :, 0])
        self._at = cv2.goodFeaturesToTrack(self._grey, MARKS, 0.003, 7)

    def moved(self, yuv: NDArray[np.uint8], guess: Matrix | None = None) -> Matrix | None:
        """How the picture moved to this one: matrix of shape (2, 3) of turn, scale and shift; None if it is not seen.

        Args:
            yuv: a small picture.
            guess: how it moved about.
        """
        if self._at is None or len(self._at) < LEAST_MARKS:
            return None
        at, there = self._found(yuv, np.eye(2, 3) if guess is None else guess)
        if len(at) < LEAST_MARKS:
            return None
        matrix, inliers = cv2.estimateAffinePartial2D(at, there, ransacReprojThreshold=0.7)
        if matrix is None or np.count_nonzero(inliers) < AGREE * len(self._at):
            return None
        return np.asarray(matrix, np.float64)

    def sway(self, yuv: NDArray[np.uint8]) -> bool:
        """Whether most of the picture has moved alike to this one: then it was the camera that moved."""
        if self._at is None or len(self._at) < LEAST_MARKS:
            return False
        at, there = self._found(yuv, np.eye(2, 3))
        high, wide = self._grey.shape
        quarter = (at[:, 0] > wide / 2) + 2 * (at[:, 1] > high / 2)
        means = [
            np.median((there - at)[quarter == k], axis=0) for k in range(4) if (quarter == k).sum() >= LEAST_OF_QUARTER
        ]
        if len(means) < QUARTERS:
            return False
        moved = np.median(means, axis=0)
        away = float(np.linalg.norm(moved))
        alike = sum(float(np.linalg.norm(one - moved)) < max(ALIKE, ALIKE_SHARE * away) for one in means)
        return away > SWAYS and alike >= QUARTERS

    def _found(self, yuv: NDArray[np.uint8], guess: Matrix) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Where marks were, and where they are in this picture, shape (marks, 2), of those that are found again."""
        there, found, _ = cv2.calcOpticalFlowPyrLK(
            self._grey,
            np.ascontiguousarray(yuv[:, :, 0]),
            self._at,
            cv2.transform(self._at, guess).astype(np.float32),
            winSize=(15, 15),
            maxLevel=2,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        good = found.ravel() > 0
        return self._at[good, 0], there[good, 0]


class Steady:
    """Watches for a camera that sways; from then on lays frames onto the still table.

    Args:
        first: the first small picture.
    """

    def __init__(self, first: Look) -> None:
        self._marks = Marks(first.yuv)
        self._looked_s = self._seen_s = first.time_s
        self._last = np.eye(2, 3)
        self._sways: deque[bool] = deque(maxlen=SAMPLES)
        self.held = False
        """Is the camera held in the hand?"""

    def notice(self, look: Look) -> bool:
        """Take the next frame as it is; says whether the camera has just turned out to be held."""
        calm = len(self._sways) == SAMPLES and not any(self._sways)
        if self.held or look.time_s - self._looked_s < (SELDOM_S if calm else EVERY_S):
            return False
        self._sways.append(self._marks.sway(look.yuv))
        self.held = sum(self._sways) >= MOST
        self._restart(look)
        return self.held

    def laid(self, frame: Frame, still: NDArray[np.uint8]) -> LaidFrame | None:
        """A frame laid onto the still table; None if too little of that is seen in it.

        Args:
            frame: as it was taken.
            still: the still table, a small picture: cards come to lie on it, so its marks change.
        """
        look = motion.look(frame)
        if look.time_s - self._looked_s > EVERY_S:
            self._marks, self._looked_s = Marks(still), look.time_s
        matrix = self._marks.moved(look.yuv, self._last)
        if matrix is None:
            return None
        self._last, self._seen_s = matrix, look.time_s
        return LaidFrame(frame, look, matrix)

    def is_lost(self, time_s: float) -> bool:
        """Has nothing of the table been found again for long? Then what is seen now is to be the still table."""
        return time_s - self._seen_s > LOST_S

    def restart(self, look: Look) -> None:
        """This is the still table from now on."""
        self._restart(look)
        self._seen_s = look.time_s

    def _restart(self, look: Look) -> None:
        self._marks, self._looked_s = Marks(look.yuv), look.time_s
        self._last = np.eye(2, 3)


class LaidFrame:
    """A frame as the still table's camera would have seen it; implements `referee.media.Frame` and `averaged`.

    Args:
        frame: as it was taken.
        look: its small picture.
        matrix: from the still table to this frame, small pictures.
    """

    def __init__(self, frame: Frame, look: Look, matrix: Matrix) -> None:
        self._frame, self._look, self._matrix = frame, look, matrix
        self.time_s = frame.time_s
        self.size = frame.size
        self._small: NDArray[np.uint8] | None = None

    def luma(self) -> NDArray[np.uint8]:
        """Brightness, shape (height, width)."""
        return self._full(self._frame.luma())

    def image(self) -> NDArray[np.uint8]:
        """Colour, shape (height, width, 3), channel order blue, green, red."""
        return self._full(self._frame.image())

    def averaged(self, factor: int) -> NDArray[np.uint8]:
        """The small picture of `vision.motion.look`; no other factor is asked for."""
        if factor != motion.reduction(self.size):
            raise ValueError(f"only pictures reduced by {motion.reduction(self.size)} are laid, not by {factor}")
        if self._small is None:
            high, wide = self._look.yuv.shape[:2]
            # Laid when it is small already, a card's edge would differ by a tenth of its step from frame to frame.
            luma = self.luma()[: high * factor, : wide * factor]
            self._small = _warped(self._look.yuv, self._matrix)
            self._small[:, :, 0] = cv2.resize(luma, (wide, high), interpolation=cv2.INTER_AREA)
        return self._small

    def _full(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        factor = motion.reduction(self.size)
        matrix = self._matrix.copy()
        # The middle of a small pixel lies between the middles of full ones.
        offset = (factor - 1) / 2
        matrix[:, 2] = factor * matrix[:, 2] + offset - matrix[:, :2] @ np.array([offset, offset])
        return _warped(picture, matrix)


def _warped(picture: NDArray[np.uint8], matrix: Matrix) -> NDArray[np.uint8]:
    size = (picture.shape[1], picture.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
