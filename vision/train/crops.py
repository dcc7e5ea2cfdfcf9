"""Flat cards to learn reading from, as the finder would cut them out of synthesised pictures.

python -m vision.train.crops --art ART --textures TEXTURES --count N --seed S --out FILE.npz [--without DECK,...]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rectify import order_corners, rectify
from vision.train.faces import SUITS, Faces, load_faces
from vision.train.pictures import camera, clutter, light, load_textures, paste, place, table

if TYPE_CHECKING:
    from vision.train.pictures import Picture, Points

CLASSES = (*SUITS, "back", "other", "rock", "paper", "scissors")
_PRINTED = ("rock", "paper", "scissors")


def _kind(rng: np.random.Generator, faces: Faces, misfits: float) -> str:
    """What the crop shows: suits most, then what is no suit."""
    printed = [k for k in _PRINTED if k in faces.art]
    roll = rng.random()
    if roll < 0.60 - misfits:
        return str(rng.choice(SUITS))
    if roll < 0.60:
        return "misfit"
    if roll < 0.70:
        return "back"
    if roll < 0.82 and printed:
        return str(rng.choice(printed))
    return str(rng.choice(["joker", "strange", "table", "misfit"], p=[0.12, 0.3, 0.23, 0.35]))


def _lay(
    rng: np.random.Generator, scene: Picture, faces: Faces, view: tuple[float, float, float], long_px: float
) -> None:
    """Another card somewhere near the middle."""
    kind = str(rng.choice([*SUITS, "back"]))
    centre = np.array([scene.shape[1], scene.shape[0]]) / 2 + rng.normal(0, 0.35, 2) * long_px
    face = faces.face(rng, kind, 0.3)
    aspect = face.shape[0] / face.shape[1]
    paste(scene, face, place(aspect, long_px, (centre[0], centre[1]), rng.uniform(0, 2 * np.pi), view), rng)


def crop(rng: np.random.Generator, faces: Faces, textures: list[Picture], misfits: float = 0.0) -> tuple[Picture, int]:
    """One flat card and its class; a share of `misfits` (0 to 0.6) takes the place of suits."""
    long_px = float(np.exp(rng.uniform(np.log(60), np.log(200))))
    side = round(long_px * 1.5)
    scene = table(rng, (side, side), textures)
    view = (rng.uniform(0, 0.8) * rng.random() ** 0.5, rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.25))
    kind = _kind(rng, faces, misfits)
    if rng.random() < 0.3:
        clutter(rng, scene)
    for _ in range(int(rng.integers(0, 3)) if rng.random() < 0.4 else 0):
        _lay(rng, scene, faces, view, long_px)
    corners, label = _subject(rng, scene, faces, kind, (view, long_px))
    image = camera(rng, light(rng, scene), long_px)
    slack = long_px * (0.012 if rng.random() < 0.7 else 0.03)
    corners = order_corners(corners) + rng.normal(0, slack, (4, 2)).astype(np.float32)
    corners = np.roll(corners, int(rng.choice([0, 1, 2, 3], p=[0.42, 0.08, 0.42, 0.08])), axis=0)
    return rectify(image, corners), label


def _subject(
    rng: np.random.Generator, scene: Picture, faces: Faces, kind: str, how: tuple[tuple[float, float, float], float]
) -> tuple[Points, int]:
    """Lay the card that is asked about (or nothing) and say where the finder looks and what it should say."""
    view, long_px = how
    side = scene.shape[0]
    centre = (side / 2 + float(rng.normal(0, 2)), side / 2 + float(rng.normal(0, 2)))
    spin = float(rng.uniform(0, 2 * np.pi))
    if kind == "table":
        for _ in range(int(rng.integers(0, 4))):
            clutter(rng, scene)
        return place(1.4, long_px * rng.uniform(0.4, 1.0), centre, spin, view), CLASSES.index("other")
    shown = str(rng.choice([*SUITS, "back"])) if kind == "misfit" else kind
    face = faces.face(rng, shown, 0.4)
    corners = place(face.shape[0] / face.shape[1], long_px, centre, spin, view)
    paste(scene, face, corners, rng)
    if kind == "misfit":
        return _misfit(rng, corners, long_px), CLASSES.index("other")
    if rng.random() < 0.25:
        _cover(rng, scene, faces, (view, long_px, corners))
    return corners, CLASSES.index(kind if kind in CLASSES else "other")


def _misfit(rng: np.random.Generator, corners: Points, long_px: float) -> Points:
    """A frame that does not fit the card: shifted, turned, too large, too small, half of it, askew."""
    centre = corners.mean(axis=0)
    how = int(rng.integers(6))
    if how == 0:
        turn = rng.uniform(0, 2 * np.pi)
        shift = np.array([np.cos(turn), np.sin(turn)]) * long_px * rng.uniform(0.3, 0.7)
        return np.asarray(corners + shift, np.float32)
    if how == 1:
        turn = rng.uniform(0.35, 1.2)
        rotate = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        return np.asarray((corners - centre) @ rotate.T + centre, np.float32)
    if how <= 3:
        scale = rng.uniform(1.35, 1.7) if how == 2 else rng.uniform(0.25, 0.6)
        shift = rng.normal(0, 0.12, 2) * long_px
        return np.asarray((corners - centre) * scale + centre + shift, np.float32)
    first = int(rng.integers(4))
    moved = corners.copy()
    one, two = moved[first].copy(), moved[(first + 1) % 4].copy()
    if how == 4:  # one side drawn in or out: half a card, or a card and what lies beside it
        share = rng.uniform(0.3, 0.65) if rng.random() < 0.5 else rng.uniform(-0.9, -0.35)
        moved[first] += (moved[(first + 3) % 4] - one) * share
        moved[(first + 1) % 4] += (moved[(first + 2) % 4] - two) * share
        return moved
    moved[first] += (one - two) * rng.choice([-1, 1]) * rng.uniform(0.2, 0.45)
    moved[(first + 1) % 4] += (one - moved[(first + 3) % 4]) * rng.uniform(-0.3, 0.3)
    return moved


def _cover(
    rng: np.random.Generator,
    scene: Picture,
    faces: Faces,
    how: tuple[tuple[float, float, float], float, Points],
) -> None:
    """Something lies on a part of the card: another card beyond one corner, or a finger-coloured blob."""
    view, long_px, corners = how
    corner = corners[int(rng.integers(4))]
    centre = corners.mean(axis=0)
    if rng.random() < 0.5:
        out = centre + (corner - centre) * rng.uniform(1.0, 1.6)
        face = faces.face(rng, str(rng.choice([*SUITS, "back"])), 0.3)
        over = place(face.shape[0] / face.shape[1], long_px, (out[0], out[1]), rng.uniform(0, 2 * np.pi), view)
        paste(scene, face, over, rng)
        return
    skin = (int(rng.integers(60, 190)), int(rng.integers(90, 200)), int(rng.integers(130, 240)))
    inside = centre + (corner - centre) * rng.uniform(0.4, 0.9)
    out = centre + (corner - centre) * 2
    points = [tuple(int(v) for v in p) for p in (inside, out)]
    cv2.line(scene, points[0], points[1], skin, max(2, int(long_px * rng.uniform(0.08, 0.2))), cv2.LINE_AA)


def main() -> None:
    """Write crops and labels to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--art", type=Path, required=True)
    parser.add_argument("--textures", type=Path, required=True)
    parser.add_argument("--suit-fonts", type=Path, required=True, help="a file with one font file a line")
    parser.add_argument("--text-fonts", type=Path, required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--misfits", type=float, default=0.0)
    parser.add_argument("--without", default="")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = [p.read_text().split() for p in (args.suit_fonts, args.text_fonts)]
    faces = load_faces(args.art, fonts[0], fonts[1], without=tuple(args.without.split(",")))
    textures = load_textures(args.textures)
    rng = np.random.default_rng(args.seed)
    pairs = [crop(rng, faces, textures, args.misfits) for _ in range(args.count)]
    np.savez(args.out, x=np.stack([p[0] for p in pairs]), y=np.array([p[1] for p in pairs], np.int64))


if __name__ == "__main__":
    main()
