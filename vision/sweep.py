"""A card of known size sought at every place and turn: on patterned cloth and in piles, where outlines and lines fail.

The picture is turned step by step; a card's sides are then upright and level, and the edge along each is a mean over a
strip of that length, which a box filter gives for all places at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rectify import order_corners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Grey = NDArray[np.uint8]
    Plane = NDArray[np.float32]
    Corners = NDArray[np.float32]

_CARD_PX = 52.0  # long side to which the picture is scaled
_STEP_DEG = 5.0  # refining bridges half of this, which moves a corner by one of these pixels
_STRONG = 40  # levels to a pixel from which on an edge counts fully
_HELD = 0.3  # share of what is new that a card holds at least; a hand may be new too
_GIVEN = 6  # best places given
_APART = 0.12  # of a card's length: nearer ones are the same


def sweep(picture: Picture, long_px: float, short_px: float, new: NDArray[np.bool_]) -> list[Corners]:
    """Places of a card of this size, best first: an edge along its sides, and what is new inside.

    Args:
        picture: A part of a picture with room for the card, shape (h, w, 3).
        long_px: Length of the long side, pixels.
        short_px: Length of the short side, pixels.
        new: Of any size, covering the same part: what has changed there since the table was still.

    Returns:
        Corners of shape (4, 2) each, in pixels of `picture`; unrefined.
    """
    scale = min(1.0, _CARD_PX / long_px)
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    changed = cv2.resize(new.astype(np.float32), small.shape[1::-1], interpolation=cv2.INTER_AREA)
    size = (short_px * scale, long_px * scale)
    found: list[tuple[float, Corners]] = []
    for angle in np.arange(0, 180, _STEP_DEG):
        found += _at_angle(np.asarray(grey, np.uint8), np.asarray(changed, np.float32), size, float(angle))
    found.sort(key=lambda k: -k[0])
    kept: list[Corners] = []
    for _, corners in found:
        if all(_gap(corners, k) > _APART * size[1] for k in kept):
            kept.append(corners)
            if len(kept) == _GIVEN:
                break
    return [((k + 0.5) / scale - 0.5).astype(np.float32) for k in kept]


def _at_angle(small: Grey, changed: Plane, size: tuple[float, float], angle: float) -> list[tuple[float, Corners]]:
    """The best places at one turn, with their merit: up to four."""
    side = int(np.ceil(np.hypot(*small.shape[:2])))
    middle = (small.shape[1] / 2, small.shape[0] / 2)
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, angle, 1.0), np.float64)
    matrix[:, 2] += side / 2 - np.array(middle)
    turned = cv2.warpAffine(small, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpAffine(changed, matrix, (side, side))
    total = float(inside.sum())
    if total <= 0:
        return []
    wide, high = (max(3, round(k)) for k in size)
    held = cv2.boxFilter(inside, -1, (wide, high), normalize=False, borderType=cv2.BORDER_CONSTANT) / total
    merit = np.where(held > _HELD, _sides(np.asarray(turned, np.uint8), wide, high) + 0.5 * held, 0)
    near = round(_APART * size[1])
    out = []
    for _ in range(4):
        _, best, _, (x, y) = cv2.minMaxLoc(merit)
        if best <= 0:
            break
        out.append((float(best), _corners(x, y, size, matrix)))
        merit[max(0, y - near) : y + near + 1, max(0, x - near) : x + near + 1] = 0
    return out


def _sides(turned: Grey, wide: int, high: int) -> Plane:
    """Mean strength of the edges along the three best sides of an upright card centred at each place, 0 to 1."""
    soft = cv2.GaussianBlur(turned, (3, 3), 0)
    across, down = (
        np.minimum(cv2.convertScaleAbs(cv2.Sobel(soft, cv2.CV_16S, dx, 1 - dx), alpha=0.25), _STRONG).astype(np.float32)
        / np.float32(_STRONG)
        for dx in (1, 0)
    )
    along = cv2.boxFilter(across, -1, (1, round(0.8 * high)), borderType=cv2.BORDER_CONSTANT)
    athwart = cv2.boxFilter(down, -1, (round(0.8 * wide), 1), borderType=cv2.BORDER_CONSTANT)
    # The strongest line within a pixel: sides are not quite parallel, and the size not quite known.
    upright = np.asarray(cv2.dilate(along, np.ones((1, 3))), np.float32)
    level = np.asarray(cv2.dilate(athwart, np.ones((3, 1))), np.float32)
    half_w, half_h = wide // 2, high // 2
    left, right = _shifted(upright, -half_w, 0), _shifted(upright, half_w, 0)
    above, below = _shifted(level, 0, -half_h), _shifted(level, 0, half_h)
    four = np.stack([left, right, above, below])
    return np.asarray((four.sum(axis=0) - four.min(axis=0)) / 3, np.float32)


def _shifted(plane: Plane, dx: int, dy: int) -> Plane:
    """The value `dx` to the right and `dy` below each place; 0 beyond the edge."""
    matrix = np.array([[1, 0, -dx], [0, 1, -dy]], np.float32)
    return np.asarray(cv2.warpAffine(plane, matrix, plane.shape[::-1], flags=cv2.INTER_NEAREST), np.float32)


def _corners(x: int, y: int, size: tuple[float, float], matrix: NDArray[np.float64]) -> Corners:
    """The card centred there, back in the picture before it was turned."""
    w, h = size[0] / 2, size[1] / 2
    upright = np.array([[[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]]], np.float32)
    return order_corners(np.asarray(cv2.transform(upright, cv2.invertAffineTransform(matrix))[0], np.float32))


def _gap(a: Corners, b: Corners) -> float:
    """Largest distance of matching corners, either way up."""
    return float(min(np.abs(a - b).max(), np.abs(a - b[[2, 3, 0, 1]]).max()))
