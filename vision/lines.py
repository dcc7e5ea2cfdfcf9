"""Cards from straight edges, where the size of a card is known: in piles, on patterned cloth, white on white.

Outlines need a card to stand apart from what is around it. Its four edges are straight all the same: two pairs of lines
of the Hough transform, at a card's length and width from each other, with an edge along three sides at least.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rectify import order_corners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Plane = NDArray[np.uint8]
    Corners = NDArray[np.float32]
    Rows = NDArray[np.float64]

_CARD_PX = 110.0  # long side to which the picture is scaled
_LINES = 36  # strongest lines that are combined
_VOTES = 32  # edge pixels on a line: under half of a card's short side
_SIDE_SEEN, _SEEN = 0.5, 0.75  # share on which an edge must lie: of each of the three best sides, and of the three
_ASPECT = 1.4  # of a card, length to width
_GIVEN = 12  # best quadrilaterals given


def from_lines(image: Picture, long_px: float, mask: NDArray[np.uint8] | None = None) -> list[Corners]:
    """Quadrilaterals of a card's size whose four sides are edges, best first.

    Args:
        image: A part of a picture with room for a few cards, shape (h, w, 3).
        long_px: Length of a card's long side in it, pixels.
        mask: Of the image's size; only edges where it is set count.
    """
    scale = min(1.0, _CARD_PX / long_px)
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    here = None if mask is None else cv2.resize(mask, small.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
    edges = _edges(np.asarray(small, np.uint8), here)
    found = cv2.HoughLines(edges, 1, np.pi / 120, _VOTES)
    if found is None:
        return []
    lines = _distinct(found.reshape(-1, found.shape[-1])[:, :2].astype(np.float64))
    pairs = _parallels(lines, long_px * scale)
    quads = np.concatenate([_combine(lines, pairs, long_px * scale), _complete(lines, pairs, long_px * scale)])
    if len(quads) == 0:
        return []
    seen = _support(cv2.dilate(edges, np.ones((3, 3), np.uint8)) > 0, quads)
    ranked = np.sort(seen, axis=1)
    good = np.nonzero((ranked[:, 1] > _SIDE_SEEN) & (ranked[:, 1:].mean(axis=1) > _SEEN))[0]
    order = good[np.argsort(-seen[good].mean(axis=1))]
    return [order_corners(((quads[i] + 0.5) / scale - 0.5).astype(np.float32)) for i in _apart(quads, order)]


def _edges(small: Picture, here: NDArray[np.bool_] | None = None) -> Plane:
    """Edges of brightness and of the darkest channel, at thresholds that follow the picture's own contrast."""
    edges = np.zeros(small.shape[:2], np.uint8)
    blue, green, red = cv2.split(small)
    for plane in (cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), cv2.min(cv2.min(blue, green), red)):
        soft = cv2.GaussianBlur(plane, (0, 0), 1.3)
        slope = np.abs(cv2.Sobel(soft, cv2.CV_16S, 1, 0)) + np.abs(cv2.Sobel(soft, cv2.CV_16S, 0, 1))
        high = float(np.clip(np.percentile(slope if here is None else slope[here], 80), 20, 100))
        edges |= np.asarray(cv2.Canny(soft, high * 0.3, high), np.uint8)
    return edges if here is None else edges * here


def _distinct(lines: Rows) -> Rows:
    """The strongest lines, without near doubles; rows (rho, theta)."""
    kept: list[NDArray[np.float64]] = []
    for rho, theta in lines:
        for other in kept:
            turn = abs(theta - other[1])
            flipped = turn > np.pi / 2
            turn, gap = (np.pi - turn, abs(rho + other[0])) if flipped else (turn, abs(rho - other[0]))
            if turn < 0.06 and gap < 3:
                break
        else:
            kept.append(np.array([rho, theta]))
            if len(kept) == _LINES:
                break
    return np.asarray(kept)


def _parallels(lines: Rows, long_px: float) -> NDArray[np.intp]:
    """Pairs of nearly parallel lines that two sides of a card could lie on: shape (n, 2)."""
    first, second = np.triu_indices(len(lines), 1)
    turn = np.abs(lines[first, 1] - lines[second, 1])
    parallel = np.minimum(turn, np.pi - turn) < 0.2
    flip = np.where(turn > np.pi / 2, -1, 1)
    gap = np.abs(lines[first, 0] - flip * lines[second, 0])
    near = parallel & (gap > long_px * 0.4) & (gap < long_px * 1.25)
    return np.stack([first[near], second[near]], axis=1)


def _combine(lines: Rows, pairs: NDArray[np.intp], long_px: float) -> Rows:
    """All quadrilaterals of two pairs of lines that have a card's size: shape (n, 4, 2)."""
    one, two = np.triu_indices(len(pairs), 1)
    across = np.abs(np.sin(lines[pairs[one, 0], 1] - lines[pairs[two, 0], 1])) > 0.75
    one, two = one[across], two[across]
    a, b, c, d = pairs[one, 0], pairs[one, 1], pairs[two, 0], pairs[two, 1]
    quads = np.stack([_meet(lines, i, j) for i, j in ((a, c), (a, d), (b, d), (b, c))], axis=1)
    return quads[_sized(quads, long_px)]


def _complete(lines: Rows, pairs: NDArray[np.intp], long_px: float) -> Rows:
    """Quadrilaterals of three lines, the fourth side drawn where a card of this size must end: shape (n, 4, 2).

    White on white, or in the light's own direction, one side of a card often shows no edge.
    """
    one, other = (each.ravel() for each in np.mgrid[0 : len(pairs), 0 : len(lines)])
    across = np.abs(np.sin(lines[pairs[one, 0], 1] - lines[other, 1])) > 0.9
    one, other = one[across], other[across]
    start, end = _meet(lines, pairs[one, 0], other), _meet(lines, pairs[one, 1], other)
    gap = np.linalg.norm(end - start, axis=1)
    middle = lines[pairs[one, 0], 1]
    along = np.stack([-np.sin(middle), np.cos(middle)], axis=1)
    depth = np.where(gap > 0.86 * long_px, long_px / _ASPECT, long_px)[:, None]
    quads = [
        np.stack([start, end, end + sign * depth * along, start + sign * depth * along], axis=1) for sign in (1, -1)
    ]
    both = np.concatenate(quads)
    return both[_sized(both, long_px)]


def _sized(quads: Rows, long_px: float) -> NDArray[np.bool_]:
    """Which quadrilaterals are as long as a card, and as wide as one seen at an angle can be."""
    sides = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    pair = np.stack([sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]], axis=1) / 2
    longer, shorter = pair.max(axis=1), pair.min(axis=1)
    fits = (np.abs(longer / long_px - 1) < 0.16) & (shorter > 0.5 * longer) & (shorter < 0.88 * longer)
    even = (np.abs(sides[:, 0] - sides[:, 2]) < 0.25 * longer) & (np.abs(sides[:, 1] - sides[:, 3]) < 0.25 * longer)
    return np.asarray(fits & even)


def _meet(lines: Rows, i: NDArray[np.intp], j: NDArray[np.intp]) -> Rows:
    """Where lines i and j cross."""
    ci, si, cj, sj = np.cos(lines[i, 1]), np.sin(lines[i, 1]), np.cos(lines[j, 1]), np.sin(lines[j, 1])
    cross = ci * sj - si * cj
    cross = np.where(np.abs(cross) < 1e-6, 1e-6, cross)
    x = (lines[i, 0] * sj - lines[j, 0] * si) / cross
    y = (lines[j, 0] * ci - lines[i, 0] * cj) / cross
    return np.stack([x, y], axis=1)


def _support(edges: NDArray[np.bool_], quads: Rows) -> Rows:
    """Share of each side on which an edge lies: shape (n, 4)."""
    along = np.linspace(0.12, 0.88, 20)
    ends = np.roll(quads, -1, axis=1)
    points = quads[:, :, None] + along[None, None, :, None] * (ends - quads)[:, :, None]
    at = points.round().astype(int)
    inside = (at >= 0).all(axis=3) & (at[..., 0] < edges.shape[1]) & (at[..., 1] < edges.shape[0])
    x, y = np.clip(at[..., 0], 0, edges.shape[1] - 1), np.clip(at[..., 1], 0, edges.shape[0] - 1)
    return np.asarray((edges[y, x] & inside).mean(axis=2))


def _apart(quads: Rows, order: NDArray[np.intp]) -> list[int]:
    """The first of `order` that are not nearly the same."""
    kept: list[int] = []
    for index in order:
        if all(np.abs(_nearest(quads[index], quads[other])).max() > 6 for other in kept):
            kept.append(int(index))
            if len(kept) == _GIVEN:
                break
    return kept


def _nearest(quad: Rows, other: Rows) -> Rows:
    """Differences of the corners, each to the nearest of the other."""
    gaps = quad[:, None] - other[None]
    return np.asarray(gaps[np.arange(4), np.linalg.norm(gaps, axis=2).argmin(axis=1)])
