"""A card seen at an angle, laid flat: corner order, warping, and colour relative to the card's own white."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Corners = NDArray[np.float32]

FLAT_SIZE = (96, 128)
"""Width and height, in pixels, of a flat card as the classifier reads it."""
MARGIN = 0.04
"""Share of the card's sides shown beyond its edges, so that the edge itself is evidence."""
_SHRINK_ABOVE = 1.6  # warping samples two by two pixels: larger cards are first averaged down, or thin lines alias


def order_corners(corners: Corners) -> Corners:
    """Four corners put clockwise (as seen), the first side being a short one.

    Args:
        corners: Shape (4, 2), pixels, of a convex quadrilateral in any order.

    Returns:
        Shape (4, 2), float32. Which of the two short sides comes first is not defined: a card has no top.
    """
    # Plain numbers: on four points numpy is ten times slower, and thousands of frames are tried in a second.
    points: list[list[float]] = np.asarray(corners, np.float32).reshape(4, 2).tolist()
    x, y = sum(p[0] for p in points) / 4, sum(p[1] for p in points) / 4
    points.sort(key=lambda p: math.atan2(p[1] - y, p[0] - x))
    sides = sides_of(points)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        points = [*points[1:], points[0]]
    return np.array(points, np.float32)


def sides_of(points: list[list[float]]) -> list[float]:
    """Lengths of the four sides, the first from the first corner to the second."""
    return [math.dist(p, q) for p, q in zip(points, [*points[1:], points[0]], strict=True)]


def long_side(corners: Corners) -> float:
    """Mean length of the two longer sides, in pixels."""
    sides = sides_of(corners.tolist())
    return max(sides[0] + sides[2], sides[1] + sides[3]) / 2


def rectify(image: Picture, corners: Corners, size: tuple[int, int] = FLAT_SIZE, margin: float = MARGIN) -> Picture:
    """The card with these corners, upright and flat.

    Args:
        image: Colour picture, shape (h, w, 3).
        corners: Shape (4, 2), clockwise; the first one becomes the top left.
        size: Width and height of the result.
        margin: Share of each side that is shown beyond the card.

    Returns:
        Shape (height, width, 3). What lies outside the picture repeats the picture's edge.
    """
    corners = np.asarray(corners, np.float32)
    lowest = np.floor(corners.min(axis=0) - long_side(corners) * margin * 2 - 2).astype(int)
    highest = np.ceil(corners.max(axis=0) + long_side(corners) * margin * 2 + 3).astype(int)
    left, top = np.clip(lowest, 0, [image.shape[1] - 1, image.shape[0] - 1])
    right, bottom = np.clip(highest, [left + 1, top + 1], [image.shape[1], image.shape[0]])
    part, points = image[top:bottom, left:right], corners - np.array([left, top], np.float32)
    shrink = long_side(corners) / size[1]
    if shrink > _SHRINK_ABOVE:
        wanted = (max(1, round(part.shape[1] / shrink)), max(1, round(part.shape[0] / shrink)))
        scale = np.array([wanted[0] / part.shape[1], wanted[1] / part.shape[0]], np.float32)
        part = np.asarray(cv2.resize(part, wanted, interpolation=cv2.INTER_AREA), np.uint8)
        points = (points + 0.5) * scale - 0.5
    width, height = size
    inset = np.array([width, height], np.float32) * margin / (1 + 2 * margin)
    target = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    target = inset + target * (np.array([width - 1, height - 1], np.float32) - 2 * inset)
    matrix = cv2.getPerspectiveTransform(points.astype(np.float32), target.astype(np.float32))
    flat = cv2.warpPerspective(part, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def relative(flat: Picture) -> NDArray[np.float32]:
    """Colour relative to the card's own white, channels first.

    The brightest tenth of a face is its paper: dividing by it takes away lamp, cast and exposure, so that red is red
    under any light.

    Args:
        flat: Shape (height, width, 3).

    Returns:
        Shape (3, height, width), about 0 (ink) to 1 (paper).
    """
    inner = flat[6:-6:3, 6:-6:3].reshape(-1, 3)
    white = np.percentile(inner, 88, axis=0).astype(np.float32)
    scaled = flat.astype(np.float32) / np.maximum(white, 24.0)
    return np.ascontiguousarray(np.minimum(scaled, 1.3).transpose(2, 0, 1))
