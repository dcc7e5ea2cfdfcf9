"""The camera itself: pushed in mid-game, too dark, dazzled, too far away.

A push is a whole-picture change that comes to rest; features of the still table are found again and the table's memory
is moved with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.motion import difference

if TYPE_CHECKING:
    from numpy.typing import NDArray

PUSHED = 1.5
"""Small-picture pixels by which a corner must have moved: less is within what `vision.table` forgives."""
SHAKEN_CELLS = 0.88
"""Share of the picture's 64 cells that move when the camera does; four players' arms at once move 0.77 of them."""
UNLIKE = 16
EXPLAINED = 0.5
"""A push is one if it leaves less than this share of what looked different."""
DARK = 28
"""Mean brightness below which pips drown in the noise of a phone's camera."""
DAZZLED = 0.06
"""Share of the middle of the picture that is burnt out when people should be told."""


def push(before: NDArray[np.uint8], now: NDArray[np.uint8]) -> NDArray[np.float64] | None:
    """How the picture moved between two still moments.

    Args:
        before: small picture, brightness first.
        now: the same later.

    Returns:
        Matrix of shape (2, 3) that takes points of `before` to `now` (turn, scale, shift), or None if the picture did
        not move as a whole, or not enough of it can be found again.
    """
    a, b = np.ascontiguousarray(before[:, :, 0]), np.ascontiguousarray(now[:, :, 0])
    points = cv2.goodFeaturesToTrack(a, 300, 0.002, 5)
    if points is None or len(points) < 12:
        return None
    there, found, _ = cv2.calcOpticalFlowPyrLK(a, b, points, points.copy(), winSize=(31, 31), maxLevel=3)
    back, again, _ = cv2.calcOpticalFlowPyrLK(b, a, there, there.copy(), winSize=(31, 31), maxLevel=3)
    good = (found.ravel() > 0) & (again.ravel() > 0) & (np.abs(back - points).reshape(-1, 2).max(axis=1) < 0.7)
    if np.count_nonzero(good) < 12:
        return None
    matrix, inliers = cv2.estimateAffinePartial2D(points[good], there[good], ransacReprojThreshold=1.5)
    if matrix is None or float(inliers.mean()) < 0.6:
        return None
    high, wide = a.shape
    corners = np.array([[0, 0, 1], [wide, 0, 1], [wide, high, 1], [0, high, 1]], np.float64)
    shift = np.linalg.norm(corners @ matrix.T - corners[:, :2], axis=1)
    if float(shift.max()) <= PUSHED or not _explains(np.asarray(matrix, np.float64), before, now):
        return None
    return np.asarray(matrix, np.float64)


def _explains(matrix: NDArray[np.float64], before: NDArray[np.uint8], now: NDArray[np.uint8]) -> bool:
    """Does the picture before, moved, look like the one now? Cards taken from a plain table look like a push too."""
    high, wide = now.shape[:2]
    moved = np.asarray(cv2.warpAffine(before, matrix, (wide, high), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    unlike = [float(np.mean(difference(k, now)[8:-8, 8:-8] > UNLIKE)) for k in (before, moved)]
    return unlike[1] < EXPLAINED * unlike[0]


def shaken(moved: NDArray[np.bool_]) -> bool:
    """Did the picture move all over, as hands alone never do? `moved` is where this frame differs from the last."""
    rows, columns = (np.linspace(0, n, 9).astype(int) for n in moved.shape)
    sums = cv2.integral(moved.view(np.uint8))[np.ix_(rows, columns)]
    counts = np.diff(np.diff(sums, axis=0), axis=1)
    sizes = np.outer(np.diff(rows), np.diff(columns))
    return float(np.mean(counts > 0.002 * sizes)) > SHAKEN_CELLS


def complaints(yuv: NDArray[np.uint8]) -> set[str]:
    """What is wrong with the light: any of `dark`, `glare`."""
    high, wide = yuv.shape[:2]
    middle = yuv[high // 6 : high - high // 6, wide // 6 : wide - wide // 6, 0]
    out = set()
    if float(middle.mean()) < DARK:
        out.add("dark")
    if float(np.mean(middle >= 252)) > DAZZLED:
        out.add("glare")
    return out
