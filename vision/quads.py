"""Where a card might lie: quadrilaterals from outlines, and edges refined to a part of a pixel.

Outlines are looked for in four pictures of the same table (white paper, contrast to the surroundings, colour unlike
the table, closed edges), for each fails where another does not: light wood, shadow, a white table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rectify import long_side, order_corners, sides_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Plane = NDArray[np.uint8]
    Corners = NDArray[np.float32]

WORK_LONG = 720
"""Long side, in pixels and about (whole factors scale fastest), of the picture in which outlines are looked for."""
_SMALLEST = 22.0  # a card's long side in that picture: below this no pip can be read anyway
_LEAST_AREA = 0.4 * _SMALLEST * _SMALLEST
_LEAST, _MOST = 0.58, 1.7  # longer side of an upright box around a card or its white field, by the card's length
_LOWEST_FILL = 0.80  # share of the quadrilateral that its outline's hull fills: lets rounded corners pass, not discs


def outlines(image: Picture, expected_px: float | None = None) -> list[Corners]:
    """Quadrilaterals that might be cards, unrefined.

    Args:
        image: Colour picture, shape (h, w, 3).
        expected_px: Length of a card's long side, if known: outlines that are far from it are left out.

    Returns:
        Corners of shape (4, 2) each, ordered by `order_corners`, in pixels of `image`.
    """
    factor = max(1, round(max(image.shape[:2]) / WORK_LONG))
    size = (max(1, image.shape[1] // factor), max(1, image.shape[0] // factor))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if factor > 1 else image
    scale = size[0] / image.shape[1]
    least, most = (0.0, np.inf) if expected_px is None else (_LEAST * expected_px * scale, _MOST * expected_px * scale)
    found: list[Corners] = []
    for mask in _masks(np.asarray(small, np.uint8)):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            if len(contour) < 4:
                continue
            _, _, wide, high = cv2.boundingRect(contour)
            if wide * high < _LEAST_AREA or not least < max(wide, high) < most:
                continue
            corners = four_sides(np.asarray(contour, np.int32), max(small.shape[:2]))
            if corners is not None:
                found.append((corners + 0.5) / np.float32(scale) - np.float32(0.5))
    return found


def _masks(small: Picture) -> Iterator[Plane]:
    """Binary pictures in which a card is one outline."""
    blue, green, red = cv2.split(small)
    soft = cv2.GaussianBlur(cv2.min(cv2.min(blue, green), red), (3, 3), 0)
    yield np.asarray(cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1], np.uint8)
    size = max(small.shape[:2]) // 6 | 1
    above = cv2.subtract(soft, cv2.boxFilter(soft, -1, (size, size)))
    yield np.asarray(cv2.threshold(above, 12, 255, cv2.THRESH_BINARY)[1], np.uint8)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    table = np.median(lab[::8, ::8].reshape(-1, 3), axis=0).astype(np.uint8)
    apart = cv2.absdiff(lab, np.broadcast_to(table, lab.shape).copy())
    unlike = cv2.transform(apart, np.ones((1, 3), np.float32))
    yield np.asarray(cv2.threshold(unlike, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1], np.uint8)
    edges = np.zeros(soft.shape, np.uint8)
    for plane in cv2.split(lab)[:2]:
        bends = np.bincount(cv2.convertScaleAbs(cv2.Laplacian(plane, cv2.CV_16S)).ravel())
        level = float(np.searchsorted(bends.cumsum(), plane.size / 2)) + 1  # the median, and one
        edges |= np.asarray(cv2.Canny(cv2.GaussianBlur(plane, (3, 3), 0), 12 * level, 30 * level), np.uint8)
    closed = cv2.dilate(edges, np.ones((3, 3), np.uint8))
    yield 255 - np.asarray(closed, np.uint8)


def four_sides(contour: NDArray[np.int32], picture_long: int) -> Corners | None:
    """The quadrilateral around an outline, or None if it is no card's."""
    if len(contour) < 4:
        return None
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    if area < _LEAST_AREA or len(hull) < 4:
        return None
    corners = order_corners(np.asarray(cv2.approxPolyN(hull, 4).reshape(4, 2), np.float32))
    whole = abs(cv2.contourArea(corners))
    if area < _LOWEST_FILL * whole or not plausible(corners, picture_long):
        return None
    return corners


def plausible(corners: Corners, picture_long: float) -> bool:
    """Whether a card tilted up to about 50 degrees can look like this."""
    sides = sides_of(corners.tolist())
    longest = max(sides[0] + sides[2], sides[1] + sides[3]) / 2
    if min(sides) < 8 or longest < _SMALLEST or longest > picture_long:
        return False
    if max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1]) > 1.45:
        return False
    ratio = (sides[1] + sides[3]) / (sides[0] + sides[2])
    return bool(ratio < 3.0 and cv2.isContourConvex(corners.round().astype(np.int32)))


def refine(image: Picture, corners: Corners, reach: float = 0.05) -> Corners:
    """Edges moved to the strongest step of colour near them.

    Along each side, profiles across the edge are sampled; the place of the strongest step in each votes for a line.

    Args:
        image: Colour picture.
        corners: Shape (4, 2), clockwise, near the card's corners.
        reach: How far to look to each side of an edge, as a share of the card's long side.

    Returns:
        Shape (4, 2), float32; the given corners where no better edge is seen.
    """
    corners = np.asarray(corners, np.float32)
    base, normal, offsets, step = _profiles(image, corners, max(2.5, long_side(corners) * reach))
    return _lines_to_corners(corners, base, normal, offsets, step)


def _profiles(
    image: Picture, corners: Corners, radius: float
) -> tuple[Corners, Corners, NDArray[np.float32], NDArray[np.float32]]:
    """Steps of colour across the four sides, up to `radius` pixels to each side.

    Returns:
        Points on the sides (4, n, 2), outward normals (4, 2), offsets along them (m,), and steps (4, n, m).
    """
    steps, count = max(7, int(radius * 2) | 1), 28
    offsets = np.linspace(-radius, radius, min(steps, 41)).astype(np.float32)
    along = np.linspace(0.1, 0.9, count).astype(np.float32)
    direction = np.roll(corners, -1, axis=0) - corners
    normal = np.stack([direction[:, 1], -direction[:, 0]], axis=1)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)
    base = corners[:, None] + along[None, :, None] * direction[:, None]
    grid = base[:, :, None] + offsets[None, None, :, None] * normal[:, None, None]
    flat = np.ascontiguousarray(grid.reshape(4 * count, -1, 2), np.float32)
    seen = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(seen.astype(np.float32), (3, 1), 0)
    step = np.abs(np.diff(smooth, axis=1)).sum(axis=2).reshape(4, count, -1)
    middles = (offsets[1:] + offsets[:-1]) / np.float32(2)
    return base, normal.astype(np.float32), middles.astype(np.float32), np.asarray(step, np.float32)


def edge_support(image: Picture, corners: Corners) -> float:
    """Share of a frame's sides along which a step of colour is seen.

    Near 1 for a card on which nothing lies; of a card under another, the covered sides are missing.
    """
    _, _, offsets, step = _profiles(image, np.asarray(corners, np.float32), max(3.0, long_side(corners) * 0.04))
    near = np.abs(offsets) < max(1.3, 0.35 * float(offsets[-1]))
    at_edge, aside = step[..., near].max(axis=2), np.median(step, axis=2)
    return float((at_edge > np.maximum(8.0, 1.8 * aside)).mean())


def _lines_to_corners(
    corners: Corners, base: Corners, normal: Corners, offsets: NDArray[np.float32], step: NDArray[np.float32]
) -> Corners:
    prior = np.exp(-((offsets / offsets[-1]) ** 2))
    best = (step * prior).argmax(axis=2)
    strength = np.take_along_axis(step, best[..., None], axis=2)[..., 0]
    keep = strength > np.maximum(6.0, 0.4 * np.median(strength, axis=1))[:, None]
    points = base + offsets[best][..., None] * normal[:, None]
    lines = []
    for side in range(4):
        seen = points[side][keep[side]]
        line = cv2.fitLine(seen if len(seen) >= 8 else base[side], cv2.DIST_HUBER, 0, 0.01, 0.01)
        lines.append(line.ravel().tolist())
    result = [_meet(lines[side - 1], lines[side]) for side in range(4)]
    if any(point is None for point in result):
        return corners
    moved = np.asarray(result, np.float32)
    limit = 1.8 * float(offsets[-1])
    return moved if float(np.abs(moved - corners).max()) < limit else corners


def _meet(first: list[float], second: list[float]) -> tuple[float, float] | None:
    """Where two lines (direction, point) cross; None if they are nearly parallel."""
    ax, ay, px, py = first
    bx, by, qx, qy = second
    cross = bx * ay - ax * by
    if abs(cross) < 0.2:
        return None
    along = (bx * (qy - py) - by * (qx - px)) / cross
    return px + along * ax, py + along * ay


def overlap(first: Corners, second: Corners) -> float:
    """Shared area as a share of the smaller quadrilateral's area."""
    shared, _ = cv2.intersectConvexConvex(first, second)
    smaller = min(abs(cv2.contourArea(first)), abs(cv2.contourArea(second)))
    return float(shared) / max(smaller, 1.0)
