"""Pictures that people show: files, the still moments of a video, or a camera.

A video of one card after the other is as good as photographs: of every stretch in which the picture stands still, the
sharpest frame is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from referee.errors import UsageError
from vision import decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
LONGEST_PX = 2400
"""Larger pictures are made smaller: a card alone is large enough then."""
STILL = 2.0
"""Mean difference of grey values, of two frames `STEP_S` apart, below which the picture stands still."""
STEP_S = 0.25
MOST = 12
"""Pictures taken of one video."""


def pictures(path: Path) -> list[Picture]:
    """The picture of a file, or those of a video's still moments.

    Raises:
        UsageError: no such file, or no picture in it.
        InputError: a video that cannot be read.
    """
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file")
    if path.suffix.lower() not in PICTURES:
        return _still_moments(path)
    try:
        data = np.fromfile(path, np.uint8)  # imread does not take every file name on Windows
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    if picture is None:
        raise UsageError(f"{path}: no picture that can be read; give JPEG or PNG")
    return [_fitting(np.asarray(picture, np.uint8))]


def _fitting(picture: Picture) -> Picture:
    scale = LONGEST_PX / max(picture.shape[:2])
    if scale >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _still_moments(path: Path) -> list[Picture]:
    found = still(_fitting(frame.image()) for frame in _every(path))
    if not found:
        raise UsageError(f"{path}: the picture never stands still for half a second; hold each card still")
    step = max(1.0, len(found) / MOST)
    return [found[int(i * step)] for i in range(min(MOST, len(found)))]


def _every(path: Path) -> Iterator[decode.DecodedFrame]:
    due = -1.0
    for frame in decode.frames(path):
        if frame.time_s >= due:
            due = frame.time_s + STEP_S
            yield frame


def still(seen: Iterable[Picture]) -> list[Picture]:
    """Of each stretch in which three or more pictures in a row are alike, the sharpest."""
    found: list[Picture] = []
    stretch: list[Picture] = []
    last: NDArray[np.float32] | None = None
    for picture in seen:
        small = cv2.resize(picture, (160, 120), interpolation=cv2.INTER_AREA).mean(axis=2).astype(np.float32)
        if last is not None and float(np.abs(small - last).mean()) > STILL:
            found += _sharpest(stretch)
            stretch = []
        stretch.append(picture)
        last = small
    return found + _sharpest(stretch)


def _sharpest(stretch: list[Picture]) -> list[Picture]:
    if len(stretch) < 3:
        return []
    return [max(stretch, key=lambda p: float(cv2.Laplacian(p, cv2.CV_32F).var()))]
