"""What moved, what rests, what has changed since the last still table: on a small picture of every frame.

Nothing here knows what a card is. All masks are at the small picture's scale (longer side `LONG_SIDE`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from referee.media import Frame

LONG_SIDE = 480
"""About so many pixels on the longer side of the small picture: a card of 170 in 1080p has 42, its pips 4."""
_AS_BRIGHT = 128
"""What stands for a place that is as bright as the table."""
REST_S = 0.12
"""A place rests when nothing moved there for this long: four frames at 30 a second; a card slides for less."""


HELD = 16
"""Levels by which a place differs from a moment ago when a held camera's frames are laid onto each other: laid a tenth
of a pixel beside its place, the edge of a white card on a dark table differs by as much."""


@dataclass(frozen=True, slots=True)
class Look:
    """One frame, small: kept for looking back."""

    time_s: float
    yuv: NDArray[np.uint8]
    """Shape (h, w, 3): brightness and both colour differences."""


def reduction(size: tuple[int, int]) -> int:
    """How many pixels of the full picture to a side are one of the small picture: whole, for that is fast."""
    return max(1, round(max(size) / LONG_SIDE))


def look(frame: Frame) -> Look:
    """The small picture of a frame, from the decoder's planes where the frame offers them."""
    factor = reduction(frame.size)
    averaged = getattr(frame, "averaged", None)
    if averaged is not None:
        return Look(frame.time_s, averaged(factor))
    picture = frame.image()
    shape = (max(1, picture.shape[1] // factor), max(1, picture.shape[0] // factor))
    whole = picture[: shape[1] * factor, : shape[0] * factor]
    reduced = cv2.resize(whole, shape, interpolation=cv2.INTER_AREA)
    # OpenCV's order is Y, Cr, Cb; decoders give Y, Cb, Cr.
    yuv = np.ascontiguousarray(cv2.cvtColor(reduced, cv2.COLOR_BGR2YCrCb)[:, :, [0, 2, 1]])
    return Look(frame.time_s, np.asarray(yuv, np.uint8))


def difference(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How unlike two small pictures are, shape (h, w): brightness, or twice a colour difference, whichever is more.

    Colour counts double because light wood and white cards differ more in it, and noise less: it is sampled coarser.
    """
    y, u, v = cv2.split(cv2.absdiff(a, b))
    colour = cv2.max(u, v)
    return np.asarray(cv2.max(y, cv2.add(colour, colour)), np.uint8)


class Motion:
    """When each place of the picture last moved.

    Args:
        first: the first small picture.
        threshold: levels of 255 by which a place differs from a moment ago; twice the noise of the small picture
            (0.6 levels for a sensor noise of 2.5) plus what video coding adds at a key frame.
    """

    def __init__(self, first: Look, threshold: int = 7) -> None:
        self._threshold = threshold
        self._recent = [first]
        self.last_moved: NDArray[np.float32] = np.full(first.yuv.shape[:2], -1e9, np.float32)
        """Shape (h, w): seconds; -1e9 where nothing has moved yet."""
        self._steps: list[NDArray[np.bool_]] = []

    def feed(self, now: Look) -> NDArray[np.bool_]:
        """Take the next frame and say which places moved in it."""
        # The frame before shows what is fast; the oldest of the last three shows what creeps.
        moved = difference(now.yuv, self._recent[-1].yuv)
        self._steps = [*self._steps[-1:], moved > self._threshold]
        if len(self._recent) > 1:
            moved = np.maximum(moved, difference(now.yuv, self._recent[0].yuv))
        mask = _without_specks(moved > self._threshold)
        self.last_moved[mask] = now.time_s
        self._recent = [*self._recent[-2:], now]
        return mask

    def restart(self, first: Look) -> None:
        """The camera is held from now on, and nothing has moved yet: frames laid onto each other differ at edges."""
        self._threshold = HELD
        self._recent, self._steps = [first], []
        self.last_moved[:] = first.time_s

    def halted(self) -> NDArray[np.bool_]:
        """Places where nothing moved from picture to picture in the last three: what rests is known of later."""
        return ~_without_specks(np.logical_or.reduce(self._steps))

    def resting(self, time_s: float, for_s: float = REST_S) -> NDArray[np.bool_]:
        """Places where nothing moved for `for_s` seconds before `time_s`."""
        return np.asarray(self.last_moved <= time_s - for_s, np.bool_)


def _without_specks(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Without what is smaller than two by two places."""
    opened = cv2.morphologyEx(np.asarray(mask).view(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(opened.view(np.bool_), np.bool_)


def gain_between(now: NDArray[np.uint8], reference: NDArray[np.uint8], ignore: NDArray[np.bool_]) -> float:
    """The factor by which the camera's exposure changed: median ratio of brightness on a grid of places not ignored."""
    a = now[::8, ::8, 0].astype(np.float32)
    b = reference[::8, ::8, 0].astype(np.float32)
    good = (~ignore[::8, ::8]) & (a > 15) & (a < 245) & (b > 15) & (b < 245)
    if np.count_nonzero(good) < 50:
        return 1.0
    return float(np.median(a[good] / b[good]))


def unshaded(yuv: NDArray[np.uint8], table: NDArray[np.uint8], *, marks: bool = True) -> NDArray[np.bool_]:
    """Places that do not look like the table in some shade: of another colour, lighter, far darker, or with a mark.

    A hand's shadow and its slow change of light are smooth and keep the colour; pips and edges of a card are not.

    Args:
        yuv: the small picture now.
        table: how it looked before.
        marks: also take what is darker than its surroundings, as pips are, and sharp edges of shadows.
    """
    now, before = cv2.split(yuv), cv2.split(table)
    colour = cv2.max(cv2.absdiff(now[1], before[1]), cv2.absdiff(now[2], before[2]))
    shade = cv2.divide(now[0], before[0], scale=_AS_BRIGHT)
    lighter = cv2.subtract(now[0], before[0])
    out = np.asarray((colour > 4) | (lighter > 8) | (shade < 0.45 * _AS_BRIGHT), np.bool_)
    if marks:
        out |= cv2.absdiff(shade, cv2.blur(shade, (5, 5))) > 0.06 * _AS_BRIGHT
    return out


@dataclass(frozen=True, slots=True)
class Ground:
    """The colour that most of a card's face has: white on most decks. Learnt from cards that were read."""

    colours: tuple[tuple[float, float, float], ...]
    """In each kind of light on the table: a lamp's, a window's, the glare of one."""

    def coloured(self, yuv: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Places that have the colour of a face in some light."""
        out = np.zeros(yuv.shape[:2], np.uint8)
        for y, u, v in self.colours:
            low = np.array([int(0.4 * y), max(0, int(u) - 12), max(0, int(v) - 12)], np.float64)
            high = np.array([255, min(255, int(u) + 12), min(255, int(v) + 12)], np.float64)
            out |= np.asarray(cv2.inRange(yuv, low, high), np.uint8)
        return np.asarray(out > 0, np.bool_)

    def new(self, yuv: NDArray[np.uint8], table: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Places that look like a face in some light and not like the table in some shade."""
        now, before = cv2.split(yuv), cv2.split(table)
        colour = cv2.max(cv2.absdiff(now[1], before[1]), cv2.absdiff(now[2], before[2]))
        brighter = cv2.subtract(now[0], before[0])
        unlike = cv2.max(brighter, cv2.add(colour, colour))
        return np.asarray(self.coloured(yuv) & (unlike > 8), np.bool_)


def ground_of(yuv: NDArray[np.uint8], place: NDArray[np.bool_]) -> Ground:
    """The median of the brighter half of a face."""
    pixels = yuv[place].astype(np.float32)
    bright = pixels[pixels[:, 0] >= np.median(pixels[:, 0])]
    y, u, v = (float(k) for k in np.median(bright, axis=0))
    return Ground(((y, u, v),))


def has_piece(mask: NDArray[np.bool_], least: float) -> bool:
    """Has a mask a piece of at least so many pixels, pieces a pip apart taken together?"""
    if np.count_nonzero(mask) < 0.3 * least:
        return False
    x, y, w, h = cv2.boundingRect(np.ascontiguousarray(mask).view(np.uint8))
    half = mask[y : y + h : 2, x : x + w : 2].astype(np.uint8)
    closed = cv2.morphologyEx(half, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed)
    return 4 * int(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) >= least
