"""A card laid almost exactly on one of the same face: is it another card, or the first one, unmoved or pushed?

The small picture is too coarse for that. The known card is kept as it was read, with a rim of the table around it. If
the face was seen to move though its place hardly did, what it left bare tells: the table after a push, the edge of the
card that was there under a new one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rectify import rectify

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Corners = NDArray[np.float32]

RIM = 0.2
"""Share of its sides that is kept around a card."""
_SIZE = (126, 168)
_SMOOTH = 5.0  # pixels: shadows and glare are smoother, pips and frames are not
_MOVED = 0.25  # by so much more the face is alike at the new corners than at the old ones
_ALIKE = 0.65  # correlation from which it is the same face
_UNMOVED = 0.85  # correlation above which it lies where it lay
_SPOT = 15  # pixels of a place that is compared by itself
_DRAWN = 6.0  # levels, root mean square, from which something is drawn in such a place
_LEAST = 60  # pixels that are left bare, of a card 120 long
_PLAIN = 24  # levels by which a card's edge differs from the table beside it
_MOSTLY = 0.7  # share of what is left bare that still looks like the card


def close_up(picture: Picture, corners: Corners) -> Picture:
    """A card laid flat with a rim of what is around it.

    Args:
        picture: shape (h, w, 3), with the card and its rim.
        corners: shape (4, 2), pixels of that picture.
    """
    return rectify(picture, corners, _SIZE, RIM)


def is_second(before: Picture, was: Corners, picture: Picture, corners: Corners) -> bool:
    """Is it another card of the same face that lies here now, almost where the known one lay?

    Args:
        before: the known card's `close_up`.
        was: the known card's corners.
        picture: what is seen now, shape (h, w, 3).
        corners: of the card that is read in it, shape (4, 2), as `was` in pixels of that picture.
    """
    now = close_up(picture, was)
    faces = _drawn(before), _drawn(now)
    at_old = _alike(*faces)
    if at_old > _UNMOVED:
        return False
    turns = [np.roll(corners, k, axis=0) for k in range(4)]
    way = _way(faces, was, min(turns, key=lambda k: float(np.abs(k - was).max())))
    if way is None:
        return False
    size = (now.shape[1], now.shape[0])
    moved = np.asarray(cv2.warpAffine(now, way, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP), np.uint8)
    at_new = _alike(faces[0], _drawn(moved))
    if at_new < max(_ALIKE, at_old + _MOVED):
        return False
    bare, beside = _left(way)
    table = np.median(before[beside], axis=0)
    old, new = before[bare].astype(np.float32), now[bare].astype(np.float32)
    telling = np.abs(old - table).max(axis=1) > _PLAIN
    if np.count_nonzero(telling) < _LEAST:
        return False
    to_card, to_table = (np.abs(new - k)[telling].max(axis=1) for k in (old, table[None]))
    return float(np.mean(to_card < to_table)) > _MOSTLY


def share_unmoved(before: Picture, was: Corners, picture: Picture) -> float:
    """Of what is drawn on a known card, the share that is still seen just where it lay; the rest may be covered.

    Args:
        before: the known card's `close_up`.
        was: its corners in `picture`, shape (4, 2).
        picture: what is seen now, shape (h, w, 3).
    """
    old, new = _drawn(before)[_inner()], _drawn(close_up(picture, was))[_inner()]

    def mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.blur(values, (_SPOT, _SPOT)), np.float32)

    of_old, of_both = mean(old * old), mean(old * new)
    alike = of_both / np.sqrt(np.maximum(of_old * mean(new * new), 1e-6))
    drawn = of_old > _DRAWN**2
    return float(np.mean(alike[drawn] > _UNMOVED)) if drawn.any() else 0.0


def _inner() -> tuple[slice, slice]:
    """The rows and columns of a close-up that the card takes."""
    x, y = (round(side * RIM / (1 + 2 * RIM)) for side in _SIZE)
    return slice(y, _SIZE[1] - y), slice(x, _SIZE[0] - x)


def _drawn(flat: Picture) -> NDArray[np.float32]:
    """What is drawn on a face, in whatever light."""
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 1) - cv2.GaussianBlur(grey, (0, 0), _SMOOTH), np.float32)


def _alike(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """Correlation of what is drawn on two faces."""
    a, b = first[_inner()], second[_inner()]
    spread = float(np.sqrt((a * a).mean() * (b * b).mean()))
    return float((a * b).mean()) / spread if spread > 0.5 else 0.0


def _way(
    faces: tuple[NDArray[np.float32], NDArray[np.float32]], was: Corners, corners: Corners
) -> NDArray[np.float32] | None:
    """How the face moved from one close-up to the other, an affine matrix: first by the corners, then exactly."""
    rows, columns = _inner()
    flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    flat = flat * (columns.stop - columns.start - 1, rows.stop - rows.start - 1) + (columns.start, rows.start)
    flat = flat.astype(np.float32)
    matrix = cv2.getPerspectiveTransform(was.astype(np.float32), flat)
    there = cv2.perspectiveTransform(corners[None].astype(np.float32), matrix)[0]
    guess = cv2.estimateAffine2D(flat, there, method=cv2.LMEDS)[0]
    mask = np.zeros(faces[0].shape, np.uint8)
    mask[rows, columns] = 255
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-3)
    guess = np.asarray(guess, np.float32)
    try:
        way = cv2.findTransformECC(*faces, guess, cv2.MOTION_AFFINE, stop, mask, 3)[1]
    except cv2.error:
        return None  # nothing alike is found near
    return np.asarray(way, np.float32)


def _left(way: NDArray[np.float32]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """In a close-up of the old place: what of it a card that moved so leaves bare, and what lies around both."""
    old = np.zeros(_SIZE[::-1], np.uint8)
    old[_inner()] = 1
    new = cv2.warpAffine(old, way, _SIZE)
    kernel = np.ones((3, 3), np.uint8)
    bare = (cv2.erode(old, kernel) > 0) & (cv2.dilate(new, kernel) == 0)
    beside = cv2.dilate(old | new, np.ones((7, 7), np.uint8)) == 0
    return np.asarray(bare, np.bool_), np.asarray(beside, np.bool_)
