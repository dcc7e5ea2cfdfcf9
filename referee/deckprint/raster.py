"""Faces as pictures: polygons filled with cv2 at three times the size and averaged down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from referee.deckprint.art import FACE_NAMES, HEIGHT, WIDTH, face

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

OVER = 3


def render(name: str, px_per_mm: float = 8.0, *, mono: bool = False) -> NDArray[np.uint8]:
    """One card without bleed, shape (88 mm, 63 mm, 3), blue green red, square corners."""
    scale = px_per_mm * OVER
    size = (round(HEIGHT * px_per_mm) * OVER, round(WIDTH * px_per_mm) * OVER, 3)
    canvas = np.full(size, 255, np.uint8)
    for shape in face(name, mono=mono):
        points = np.round((shape.points * scale - 0.5) * 16).astype(np.int32)  # cv2 counts from pixel centres
        cv2.fillPoly(canvas, [points], shape.fill[::-1], cv2.LINE_AA, 4)
    small = cv2.resize(canvas, (size[1] // OVER, size[0] // OVER), interpolation=cv2.INTER_AREA)
    return small.astype(np.uint8, copy=False)


def write_faces(folder: Path) -> None:
    """Write the four faces as PNG files with a palette's worth of colours."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FACE_NAMES:
        cv2.imwrite(str(folder / f"{name}.png"), render(name), [cv2.IMWRITE_PNG_COMPRESSION, 9])
