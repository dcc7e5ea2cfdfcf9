"""Tables with cards to learn finding from: piles, hands over them, clutter, backs, cards cut by the picture's edge.

python -m vision.train.scenes --art ART --textures TEXTURES --count N --seed S --out FILE.npz [--without DECK,...]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.train.faces import SUITS, Faces, load_faces
from vision.train.pictures import camera, clutter, hand, light, load_textures, paste, place, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.train.pictures import Picture, Points

SIDE = 256
"""Pixels of a scene's side, at the resolution at which the finder works."""
MOST = 24
"""Cards in one scene, at the most."""


class _Table:
    """A picture in the making, and which card is seen at each pixel."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.owner = np.full(picture.shape[:2], -1, np.int16)
        self.cards: list[tuple[Points, float]] = []

    def lay(self, rng: np.random.Generator, face: Picture, corners: Points, *, back: bool = False) -> None:
        """Put a card on top; a back hides what lies under it and is not to be found."""
        solid = paste(self.picture, face, corners, rng)
        whole = float(abs(cv2.contourArea(corners.astype(np.float32))))
        self.owner[solid] = -1 if back else len(self.cards)
        self.cards.append((corners, max(whole, 1.0)))

    def hide(self, before: Picture) -> None:
        """What changed since `before` is not a card."""
        self.owner[np.abs(self.picture.astype(np.int16) - before).max(axis=2) > 6] = -1

    def visible(self) -> list[float]:
        """Share of each card that is seen: not covered, inside the picture."""
        counts = np.bincount(self.owner[self.owner >= 0], minlength=len(self.cards))
        return [min(1.0, float(n) / area) for n, (_, area) in zip(counts, self.cards, strict=True)]


def scene(rng: np.random.Generator, faces: Faces, textures: list[Picture]) -> tuple[Picture, NDArray[np.float32]]:
    """A picture and its cards: rows of eight corner numbers and the visible share."""
    ground = _Table(table(rng, (SIDE, SIDE), textures))
    if rng.random() < 0.3:
        _mat(rng, ground, textures)
    view = (rng.uniform(0, 0.85) * rng.random() ** 0.6, rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.25))
    long_px = float(np.exp(rng.uniform(np.log(28), np.log(110))))
    for _ in range(int(rng.integers(0, 4))):
        clutter(rng, ground.picture)
    _deal(rng, ground, faces, (view, long_px))
    before = ground.picture.copy()
    for _ in range(int(rng.integers(0, 3)) if rng.random() < 0.3 else 0):
        clutter(rng, ground.picture)
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.5 else 0):
        if rng.random() < 0.4:  # a pack in the hand
            face = faces.known(rng, "back", 0.5)
            at = (float(rng.uniform(0, SIDE)), float(rng.uniform(0, SIDE)))
            paste(ground.picture, face, place(1.4, long_px, at, rng.uniform(0, 2 * np.pi), view), rng)
        hand(rng, ground.picture, long_px)
    ground.hide(before)
    image = camera(rng, light(rng, ground.picture), long_px)
    rows = [[*c.ravel().tolist(), v] for (c, _), v in zip(ground.cards, ground.visible(), strict=True)]
    return image, np.asarray(rows, np.float32).reshape(-1, 9)


def _mat(rng: np.random.Generator, ground: _Table, textures: list[Picture]) -> None:
    """A mat or a sheet of paper on the table."""
    box = cv2.boxPoints(
        (tuple(rng.uniform(0, SIDE, 2)), tuple(rng.uniform(SIDE * 0.3, SIDE * 1.2, 2)), rng.uniform(0, 90))
    )
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillConvexPoly(mask, box.astype(np.int32), 255)
    other = table(rng, (SIDE, SIDE), textures)
    ground.picture[mask > 0] = other[mask > 0]


def _deal(
    rng: np.random.Generator, ground: _Table, faces: Faces, how: tuple[tuple[float, float, float], float]
) -> None:
    """Lay cards singly, in piles, side by side."""
    view, long_px = how
    printed = [k for k in ("rock", "paper", "scissors") if k in faces.art]
    use_printed = bool(printed) and rng.random() < 0.3
    piles = int(rng.integers(1, 6 if long_px > 60 else 12)) if rng.random() < 0.92 else 0
    favourite = faces.known(rng, "back", 0.5)
    for _ in range(piles):
        at, spin = rng.uniform(-0.02, 1.02, 2) * SIDE, rng.uniform(0, 2 * np.pi)
        loose = float(rng.choice([0.03, 0.12, 0.4]))
        for _ in range(int(rng.choice([1, 2, 3, 5], p=[0.5, 0.25, 0.15, 0.1]))):
            kind = str(rng.choice(printed if use_printed else SUITS))
            kind = "strange" if rng.random() < 0.06 else kind
            back = rng.random() < 0.15
            face = favourite if back else faces.known(rng, kind, 0.35)
            size = long_px * rng.uniform(0.96, 1.04)
            centre = at + rng.normal(0, loose, 2) * long_px
            turn = spin + rng.normal(0, loose * 1.5)
            if len(ground.cards) < MOST:
                corners = place(face.shape[0] / face.shape[1], size, (centre[0], centre[1]), turn, view)
                ground.lay(rng, face, corners, back=back)


def main() -> None:
    """Write pictures and padded card lists to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--art", type=Path, required=True)
    parser.add_argument("--textures", type=Path, required=True)
    parser.add_argument("--suit-fonts", type=Path, required=True)
    parser.add_argument("--text-fonts", type=Path, required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without", default="")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = [p.read_text().split() for p in (args.suit_fonts, args.text_fonts)]
    faces = load_faces(args.art, fonts[0], fonts[1], without=tuple(args.without.split(",")))
    textures = load_textures(args.textures)
    rng = np.random.default_rng(args.seed)
    pictures = np.empty((args.count, SIDE, SIDE, 3), np.uint8)
    cards = np.full((args.count, MOST, 9), np.nan, np.float32)
    for index in range(args.count):
        pictures[index], rows = scene(rng, faces, textures)
        cards[index, : len(rows)] = rows
    np.savez(args.out, pictures=pictures, cards=cards)


if __name__ == "__main__":
    main()
