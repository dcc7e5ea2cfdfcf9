"""Where cards lie, by a small net that learned from drawn tables (vision/decks/finder.onnx).

It answers at every fourth pixel of a scaled picture: how likely a card's centre is there, and the card's half axes
(an axis has no sign: its length times the cosine and sine of twice its angle). It sees cards of which the most part
is open, so of a pile the top one. Edges are refined afterwards on the picture itself.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
import onnxruntime as ort

from referee.errors import ModelError
from vision.decks import FINDER
from vision.rectify import order_corners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Corners = NDArray[np.float32]
    Planes = NDArray[np.float32]

LIKELY = 0.15
"""Least heat of a centre that is looked at; the reader decides."""
HOPE = 0.05
"""Where the heat is nowhere more than this, there is hardly a card."""
_STEP = 4
_LENGTH = 16.0  # pixels: the unit in which the net tells lengths
_CARD_PX = 60.0  # long side at which the net sees best
_LONGS = (672, 288)  # long sides of the scaled picture where no size is known: for small and for large cards


@lru_cache(maxsize=1)
def _session() -> ort.InferenceSession:
    if not FINDER.is_file():
        raise ModelError(f"{FINDER.name}: the card finder's weights are missing from {FINDER.parent}; install again")
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return ort.InferenceSession(str(FINDER), options, providers=["CPUExecutionProvider"])


def locate(image: Picture, expected_px: float | None = None, least: float = LIKELY) -> list[tuple[Corners, float]]:
    """Cards' corners, some pixels off, and how likely each is a card; likeliest first.

    Args:
        image: Colour picture.
        expected_px: Length of a card's long side, if known: then one scale is enough.
        least: How likely those are at least that are given.
    """
    longest = max(image.shape[:2])
    if expected_px:
        scales = [min(1.0, _CARD_PX / expected_px)]
    else:
        scales = [min(1.0, long_px / longest) for long_px in _LONGS if long_px < longest * 1.5]
    found: list[tuple[Corners, float]] = []
    for scale in scales or [1.0]:
        found += at_scale(image, scale, least)
    return sorted(found, key=lambda each: -each[1])


def at_scale(image: Picture, scale: float, least: float) -> list[tuple[Corners, float]]:
    """Cards seen in the picture scaled by `scale`, in pixels of the picture itself."""
    small = _shrunk(image, scale)
    factor = np.array([image.shape[1] / small.shape[1], image.shape[0] / small.shape[0]], np.float32)
    pad = [(-side) % 32 for side in small.shape[:2]]
    padded = cv2.copyMakeBorder(small, 0, pad[0], 0, pad[1], cv2.BORDER_REPLICATE)
    planes = np.ascontiguousarray(padded.transpose(2, 0, 1)[None], np.float32) / np.float32(255)
    answer = np.asarray(_session().run(None, {"picture": planes})[0][0], np.float32)
    return [((corners + 0.5) * factor - 0.5, likely) for corners, likely in centres(answer, least)]


def _shrunk(image: Picture, scale: float) -> Picture:
    """Scaled down: by whole steps first, which is quick and without aliasing."""
    whole = max(1, int(1 / scale + 1e-6))
    size = (max(1, image.shape[1] // whole), max(1, image.shape[0] // whole))
    if whole > 1:
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    rest = scale * whole
    if rest < 0.97:
        image = np.asarray(cv2.resize(image, None, fx=rest, fy=rest, interpolation=cv2.INTER_LINEAR), np.uint8)
    return image


def centres(answer: Planes, least: float) -> list[tuple[Corners, float]]:
    """Peaks of the heat and the card that the net sees around each.

    Args:
        answer: Shape (7, h, w): heat (logit), long half axis, short half axis, shift of the centre.
        least: Least heat of a peak, as a probability.
    """
    heat = answer[0]
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > np.log(least / (1 - least)))
    found = []
    for y, x in zip(*np.nonzero(peaks), strict=True):
        told = answer[1:, y, x] * _LENGTH
        centre = np.array([x, y], np.float32) * _STEP + (_STEP - 1) / 2 + told[4:]
        half, side = _axis(told[0], told[1]), _axis(told[2], told[3])
        corners = np.array([-half - side, -half + side, half + side, half - side], np.float32) + centre
        found.append((order_corners(corners), float(1 / (1 + np.exp(-heat[y, x])))))
    return found


def _axis(cosine: float, sine: float) -> NDArray[np.float32]:
    length, angle = np.hypot(cosine, sine), np.arctan2(sine, cosine) / 2
    return np.array([length * np.cos(angle), length * np.sin(angle)], np.float32)
