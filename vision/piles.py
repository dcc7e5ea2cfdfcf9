"""A second look where paper lies that no card accounts for: piles, and cards that touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision import lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Corners = NDArray[np.float32]

_WORK_LONG = 480
_HEAPS = 3  # heaps of one picture that are looked at again, the largest first
_SMALLEST, _LARGEST = 0.006, 0.6  # share of the picture that a heap may take where no card's size is known
_SIZES = (0.95, 0.8, 0.66, 0.52)  # length of a card over the heap's length, to try where no size is known
_SOLID = 0.55  # share of its hull that a heap fills


def leftovers(picture: Picture, claimed: Sequence[Corners], long_px: float | None) -> list[Corners]:
    """Frames that might be cards in heaps of paper that `claimed` cards do not cover.

    Args:
        picture: Shape (h, w, 3).
        claimed: Corners of the cards that were read.
        long_px: Length of a card's long side, if it is known.
    """
    scale = min(1.0, _WORK_LONG / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    mask = _paper(np.asarray(small, np.uint8))
    for corners in claimed:
        middle = corners.mean(axis=0)
        grown = ((corners - middle) * 1.12 + middle) * scale
        cv2.fillConvexPoly(mask, grown.round().astype(np.int32), 0)
    found: list[Corners] = []
    for heap in _heaps(mask, long_px * scale if long_px else None):
        length = max(cv2.minAreaRect(heap)[1]) / scale
        left, top, wide, high = cv2.boundingRect(heap)
        pad = (long_px or length) * scale * (0.5 if claimed else 0.08)
        x0, y0 = max(0, int((left - pad) / scale)), max(0, int((top - pad) / scale))
        x1, y1 = int((left + wide + pad) / scale), int((top + high + pad) / scale)
        part = picture[y0:y1, x0:x1]
        shape = _shape(heap, mask, picture)[y0:y1, x0:x1]
        for size in [long_px] if long_px else [length * share for share in _SIZES]:
            frames = lines.from_lines(part, size, shape)
            found += [corners + np.array([x0, y0], np.float32) for corners in frames]
    return found


def _shape(heap: NDArray[np.int32], mask: NDArray[np.uint8], picture: Picture) -> NDArray[np.uint8]:
    """The heap and its edge, at the picture's size: the table's own pattern must not take part."""
    shape = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(shape, [heap], -1, (255,), cv2.FILLED)
    grown = cv2.dilate(shape, np.ones((9, 9), np.uint8))
    return np.asarray(cv2.resize(grown, picture.shape[1::-1], interpolation=cv2.INTER_NEAREST), np.uint8)


def _paper(small: Picture) -> NDArray[np.uint8]:
    white = cv2.GaussianBlur(small.min(axis=2), (3, 3), 0)
    mask = np.asarray(cv2.threshold(white, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1], np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def _heaps(mask: NDArray[np.uint8], long_px: float | None) -> list[NDArray[np.int32]]:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    least = long_px**2 / 1.4 * 0.3 if long_px else mask.size * _SMALLEST
    most = long_px**2 * 6 if long_px else mask.size * _LARGEST
    heaps = []
    for contour in contours:
        area = cv2.contourArea(contour)
        if least < area < most and area > _SOLID * cv2.contourArea(cv2.convexHull(contour)):
            heaps.append((area, np.asarray(contour, np.int32)))
    heaps.sort(key=lambda each: -each[0])
    return [contour for _, contour in heaps[:_HEAPS]]
