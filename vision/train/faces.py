"""Card faces to learn from: art of published decks, and cards drawn at random from fonts.

Art is a folder `DECK/KIND_NAME.png` with KIND one of `diamonds hearts spades clubs joker back rock paper scissors`.
Drawn cards vary what decks vary: pips, indices, layouts, frames, and clutter in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

SUITS = ("diamonds", "hearts", "spades", "clubs")
_GLYPHS = {"diamonds": "♦", "hearts": "♥", "spades": "♠", "clubs": "♣"}
_OTHERS = "★●■▲▼◆✚✿☀☂☎☘✈✂♞♛♜⚑⚓⚡☯☮✖⬟⬢♩♫⌂⚙✪❄✦"
_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "B", "D", "V", "R", "0", "1")
_HEIGHT = 560
_ART_HEIGHT = 300  # sharper than any crop that is learned from


@dataclass
class Faces:
    """All that can be drawn: `art[kind]` lists picture files, fonts list files."""

    art: dict[str, list[Path]]
    suit_fonts: list[str]
    text_fonts: list[str]
    cache: dict[Path, Picture] = field(default_factory=dict)
    pool: dict[str, list[Picture]] = field(default_factory=dict)
    """Drawn faces, small, to be laid again in other scenes: drawing is slower than laying."""

    def kinds(self) -> list[str]:
        """Kinds that have art."""
        return sorted(self.art)

    def of_art(self, rng: np.random.Generator, kind: str) -> Picture:
        """One published face, blue green red alpha, height 560."""
        paths = self.art[kind]
        decks = sorted({p.parent for p in paths})
        deck = decks[rng.integers(len(decks))]
        of_deck = [p for p in paths if p.parent == deck]
        path = of_deck[rng.integers(len(of_deck))]
        if path not in self.cache:
            image = np.asarray(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), np.uint8)
            scale = _ART_HEIGHT / image.shape[0]
            small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            self.cache[path] = _with_alpha(np.asarray(small, np.uint8))
        return self.cache[path]

    def face(self, rng: np.random.Generator, kind: str, drawn: float) -> Picture:
        """A face of `kind`: drawn with probability `drawn` if it is a suit or a back, else art."""
        if kind in SUITS and (kind not in self.art or rng.random() < drawn):
            return draw_card(rng, self, kind)
        if kind == "back" and (kind not in self.art or rng.random() < drawn):
            return draw_back(rng, self)
        if kind == "strange":
            return draw_strange(rng, self)
        image = self.of_art(rng, kind)
        if kind in ("rock", "paper", "scissors") and rng.random() < 0.25:  # people print without colour
            grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
            image = np.dstack([grey, grey, grey, image[..., 3]])
        return image

    def known(self, rng: np.random.Generator, kind: str, drawn: float) -> Picture:
        """As `face`, but most drawn faces are ones that were drawn before, at the height of art."""
        pool = self.pool.setdefault(kind, [])
        if len(pool) < 12 or (len(pool) < 400 and rng.random() < 0.12):
            image = self.face(rng, kind, drawn)
            scale = _ART_HEIGHT / image.shape[0]
            small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            pool.append(np.asarray(small, np.uint8))
            return pool[-1]
        return pool[int(rng.integers(len(pool)))]


def load_faces(folder: Path, suit_fonts: list[str], text_fonts: list[str], *, without: tuple[str, ...] = ()) -> Faces:
    """List the art in `folder`, leaving the decks named in `without` aside for testing."""
    art: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*/*.png")):
        if path.parent.name not in without:
            art.setdefault(path.name.split("_")[0].removesuffix(".png"), []).append(path)
    return Faces(art, suit_fonts, text_fonts)


def _with_alpha(image: Picture) -> Picture:
    if image.ndim == 2:
        image = np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if image.shape[2] == 3:
        image = np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])
    return image


@lru_cache(maxsize=4096)
def _glyph(font: str, text: str, size: int) -> Image.Image | None:
    """Coverage mask of a glyph, cropped to its ink."""
    face = ImageFont.truetype(font, size)
    left, top, right, bottom = face.getbbox(text)
    if right - left < 3 or bottom - top < 3:
        return None
    image = Image.new("L", (int(right - left) + 2, int(bottom - top) + 2), 0)
    ImageDraw.Draw(image).text((1 - left, 1 - top), text, fill=255, font=face)
    return image


def _ink(rng: np.random.Generator, *, red: bool) -> tuple[int, int, int]:
    if red:
        return int(rng.integers(150, 256)), int(rng.integers(0, 70)), int(rng.integers(0, 90))
    level = int(rng.integers(0, 55))
    return level, level, min(255, level + int(rng.integers(0, 25)))


def _pick(rng: np.random.Generator, items: Any) -> Any:
    return items[int(rng.integers(len(items)))]


class _Pen:
    """Puts glyphs of one colour onto a card."""

    def __init__(self, card: Image.Image, colour: tuple[int, int, int]) -> None:
        self.card = card
        self.colour = colour

    def put(self, font: str, text: str, at: tuple[float, float], height: float, **how: Any) -> None:
        """Centre `text` at `at`, scaled to `height`; `turn` in degrees, `wide` a factor on its width."""
        mask = _glyph(font, text, 160)
        if mask is None:
            return
        scale = height / mask.height
        size = (max(2, round(mask.width * scale * how.get("wide", 1.0))), max(2, round(height)))
        mask = mask.resize(size, Image.Resampling.BILINEAR)
        turn = how.get("turn", 0.0)
        if turn:
            mask = mask.rotate(turn, expand=True, resample=Image.Resampling.BILINEAR)
        place = (round(at[0] - mask.width / 2), round(at[1] - mask.height / 2))
        self.card.paste(self.colour, place, mask)


_ROWS: dict[int, list[tuple[float, float]]] = {
    1: [(0.5, 0.5)],
    2: [(0.5, 0.0), (0.5, 1.0)],
    3: [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0)],
    4: [(0, 0), (1, 0), (0, 1), (1, 1)],
    5: [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)],
    6: [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    7: [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1), (0.5, 0.25)],
    8: [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1), (0.5, 0.25), (0.5, 0.75)],
    9: [(0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1), (0.5, 0.5)],
    10: [(0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1), (0.5, 1 / 6), (0.5, 5 / 6)],
}


def draw_card(rng: np.random.Generator, faces: Faces, suit: str) -> Picture:
    """A card of `suit` as no publisher made it."""
    width = round(_HEIGHT / rng.uniform(1.36, 1.6))
    paper = int(rng.integers(235, 256))
    card = Image.new("RGB", (width, _HEIGHT), (paper, paper, min(255, paper - int(rng.integers(-6, 12)))))
    red = suit in ("diamonds", "hearts")
    pen = _Pen(card, _ink(rng, red=red))
    _frame(rng, card)
    suit_font, text_font = _pick(rng, faces.suit_fonts), _pick(rng, faces.text_fonts)
    glyph, wide = _GLYPHS[suit], rng.uniform(0.85, 1.15)
    ace = 0.22 if suit == "spades" else 0.08
    layout = rng.choice(["pips", "numeral", "court", "ace"], p=[0.36 - ace / 2, 0.27, 0.37 - ace / 2, ace])
    if layout == "pips":
        _pips(rng, pen, suit_font, glyph, wide)
    elif layout == "ace":
        _ace(rng, pen, (suit_font, glyph), faces, wide)
    elif layout == "numeral":
        _numeral(rng, pen, faces, text_font)
    else:
        _court(rng, card, faces)
    _indices(rng, pen, (suit_font, text_font), glyph, wide, bare=layout == "numeral")
    return _finish(rng, card)


def _ace(rng: np.random.Generator, pen: _Pen, sign: tuple[str, str], faces: Faces, wide: float) -> None:
    """One large pip, plain or ornate: rings, lace and writing, as makers sign their ace of spades."""
    font, glyph = sign
    at, height = (pen.card.width / 2, _HEIGHT * rng.uniform(0.44, 0.56)), _HEIGHT * rng.uniform(0.14, 0.5)
    pen.put(font, glyph, at, height, wide=wide)
    if rng.random() < 0.55:
        paper = _Pen(pen.card, (245, 245, 245))
        inner = height
        for _ in range(int(rng.integers(1, 4))):
            inner *= rng.uniform(0.7, 0.9)
            grey = int(rng.integers(60, 200))
            ring = paper if rng.random() < 0.5 else _Pen(pen.card, (grey, grey, grey))
            ring.put(font, glyph, at, inner, wide=wide)
            inner *= rng.uniform(0.75, 0.95)
            pen.put(font, _pick(rng, glyph * 6 + _OTHERS), at, inner, wide=wide)
        draw = ImageDraw.Draw(pen.card)
        for _ in range(int(rng.integers(0, 60))):
            x, y = at[0] + rng.normal(0, height * 0.3), at[1] + rng.normal(0, height * 0.3)
            size = rng.uniform(1, 6)
            draw.ellipse((x - size, y - size, x + size, y + size), fill=(225, 225, 225), outline=(40, 40, 40))
    for _ in range(int(rng.integers(0, 3))):
        _scribble(rng, pen.card, faces)


def _frame(rng: np.random.Generator, card: Image.Image) -> None:
    if rng.random() < 0.25:
        colour = tuple(int(c) for c in rng.integers(0, 200, 3))
        inset = int(rng.integers(0, 30))
        box = (inset, inset, card.width - 1 - inset, card.height - 1 - inset)
        ImageDraw.Draw(card).rectangle(box, outline=colour, width=int(rng.integers(2, 9)))


def _pips(rng: np.random.Generator, pen: _Pen, font: str, glyph: str, wide: float) -> None:
    width, count = pen.card.width, int(rng.integers(2, 11))
    left, top = width * rng.uniform(0.24, 0.34), _HEIGHT * rng.uniform(0.12, 0.24)
    height = _HEIGHT * rng.uniform(0.10, 0.19)
    for x, y in _ROWS[count]:
        at = (left + x * (width - 2 * left), top + y * (_HEIGHT - 2 * top))
        pen.put(font, glyph, at, height, wide=wide, turn=180.0 if y > 0.5 else 0.0)


def _numeral(rng: np.random.Generator, pen: _Pen, faces: Faces, font: str) -> None:
    """One large sign in the suit's colour, the suit itself only in the corners."""
    text, use = _pick(rng, _RANKS), font
    if rng.random() < 0.2:
        text, use = _pick(rng, "♚♛♜♞♟⚔⚑☻"), _pick(rng, faces.suit_fonts)
    at = (pen.card.width * rng.uniform(0.4, 0.6), _HEIGHT * rng.uniform(0.42, 0.58))
    height = _HEIGHT * rng.uniform(0.2, 0.5)
    pen.put(use, text, at, height, wide=rng.uniform(0.7, 1.3), turn=rng.uniform(-12, 12))


def _court(rng: np.random.Generator, card: Image.Image, faces: Faces) -> None:
    """A picture in the middle: coloured shapes, or the middle of a published court card of any suit."""
    draw = ImageDraw.Draw(card)
    box = (card.width * 0.17, _HEIGHT * 0.1, card.width * 0.83, _HEIGHT * 0.9)
    for _ in range(int(rng.integers(15, 60))):
        x, y = rng.uniform(box[0], box[2]), rng.uniform(box[1], box[3] / 2 + box[1] / 2)
        points = [(x + rng.normal(0, 45), y + rng.normal(0, 45)) for _ in range(int(rng.integers(3, 7)))]
        points = [(min(max(a, box[0]), box[2]), min(max(b, box[1]), box[3])) for a, b in points]
        palette = [(200, 30, 30), (20, 20, 20), (240, 200, 40), (30, 60, 160), (250, 240, 230), (20, 120, 60)]
        colour = _pick(rng, palette)
        flipped = [(card.width - a, _HEIGHT - b) for a, b in points]
        draw.polygon(points, fill=colour, outline=(0, 0, 0))
        draw.polygon(flipped, fill=colour, outline=(0, 0, 0))
    if rng.random() < 0.4:
        _scribble(rng, card, faces)
    if rng.random() < 0.6:
        draw.rectangle(box, outline=(20, 20, 60), width=2)


def _scribble(rng: np.random.Generator, card: Image.Image, faces: Faces) -> None:
    pen = _Pen(card, _ink(rng, red=bool(rng.random() < 0.3)))
    for _ in range(int(rng.integers(1, 4))):
        text = "".join(_pick(rng, "abcdeiklmnoprstuvwxyBCT") for _ in range(int(rng.integers(4, 12))))
        at = (card.width * rng.uniform(0.4, 0.6), _HEIGHT * rng.uniform(0.15, 0.85))
        pen.put(_pick(rng, faces.text_fonts), text, at, _HEIGHT * rng.uniform(0.02, 0.07))


def _indices(
    rng: np.random.Generator, pen: _Pen, fonts: tuple[str, str], glyph: str, wide: float, *, bare: bool
) -> None:
    """Rank and suit in two or four corners; `bare` leaves the rank out."""
    width, size = pen.card.width, _HEIGHT * rng.uniform(0.07, 0.15)
    x, y = width * rng.uniform(0.07, 0.13), _HEIGHT * rng.uniform(0.06, 0.12)
    rank, small = _pick(rng, _RANKS), size * rng.uniform(0.55, 1.0)
    corners = [(x, y, 0), (width - x, _HEIGHT - y, 180)]
    if rng.random() < (0.1 if bare else 0.25):
        corners += [(width - x, y, 0), (x, _HEIGHT - y, 180)]
    if bare:
        grow = rng.uniform(1.0, 1.5)
        for cx, cy, turn in corners:
            flip = turn if rng.random() < 0.8 else 0
            at = (cx + (size * 0.2 if turn == 0 else -size * 0.2), cy)
            pen.put(fonts[0], glyph, at, size * grow, wide=wide, turn=flip + rng.uniform(-8, 8))
        return
    for cx, cy, turn in corners:
        sign = 1 if turn == 0 else -1
        pen.put(fonts[1], rank, (cx, cy), size, wide=rng.uniform(0.6, 1.0), turn=turn)
        pen.put(fonts[0], glyph, (cx, cy + sign * size * 1.05), small, wide=wide, turn=turn)


def _finish(rng: np.random.Generator, card: Image.Image) -> Picture:
    image = np.ascontiguousarray(np.asarray(card, np.uint8)[:, :, ::-1])
    return np.dstack([image, rounded(image.shape[0], image.shape[1], rng.uniform(0.0, 0.05))])


def rounded(height: int, width: int, share: float) -> Picture:
    """Opacity of a card with corners rounded at `share` of its height."""
    radius = round(height * share)
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return mask


def draw_back(rng: np.random.Generator, faces: Faces) -> Picture:
    """A back: a pattern in one or two colours, with or without a white edge."""
    width = round(_HEIGHT / rng.uniform(1.36, 1.6))
    ground, ink = rng.integers(0, 256, 3), rng.integers(0, 256, 3)
    ys, xs = np.mgrid[0:_HEIGHT, 0:width].astype(np.float32)
    turn, period = rng.uniform(0, np.pi), rng.uniform(8, 60)
    u = xs * np.cos(turn) + ys * np.sin(turn)
    v = -xs * np.sin(turn) + ys * np.cos(turn)
    wave = np.sin(u * 2 * np.pi / period)
    if rng.random() < 0.6:
        wave = wave * np.sin(v * 2 * np.pi / period)
    mask = (wave > rng.uniform(-0.5, 0.5)).astype(np.float32)[..., None]
    if rng.random() < 0.25:
        mask[:] = 0
    image = (ground * (1 - mask) + ink * mask).astype(np.uint8)
    centre = (width // 2, _HEIGHT // 2)
    for _ in range(int(rng.integers(0, 4))):
        colour = tuple(int(c) for c in rng.integers(0, 256, 3))
        cv2.circle(image, centre, int(rng.integers(15, width // 2)), colour, int(rng.choice([-1, 4, 10])))
    card = Image.fromarray(image)
    if rng.random() < 0.3:
        pen = _Pen(card, tuple(int(c) for c in rng.integers(0, 256, 3)))  # type: ignore[arg-type]
        pen.put(_pick(rng, faces.suit_fonts), _pick(rng, _OTHERS), centre, _HEIGHT * rng.uniform(0.1, 0.4))
    image = np.array(card, np.uint8)
    if rng.random() < 0.7:
        edge = int(rng.integers(4, 40))
        image[:edge], image[-edge:], image[:, :edge], image[:, -edge:] = 250, 250, 250, 250
    return np.dstack([image, rounded(_HEIGHT, width, rng.uniform(0, 0.05))])


def draw_strange(rng: np.random.Generator, faces: Faces) -> Picture:
    """A card of another game, a blank card, a note with writing: card-shaped, but no suit."""
    width = round(_HEIGHT / rng.uniform(1.2, 1.7))
    paper = rng.integers(225, 256, 3) if rng.random() < 0.75 else rng.integers(0, 256, 3)
    card = Image.new("RGB", (width, _HEIGHT), tuple(int(c) for c in paper))
    _frame(rng, card)
    kind = rng.choice(["symbols", "text", "picture", "blank", "numeral"], p=[0.35, 0.2, 0.2, 0.1, 0.15])
    if kind == "symbols":
        font = _pick(rng, faces.suit_fonts)
        pen = _Pen(card, tuple(int(c) for c in rng.integers(0, 220, 3)))  # type: ignore[arg-type]
        sign, height = _pick(rng, _OTHERS), _HEIGHT * rng.uniform(0.1, 0.4)
        for x, y in _ROWS[int(rng.integers(1, 7))]:
            pen.put(font, sign, (width * (0.28 + 0.44 * x), _HEIGHT * (0.2 + 0.6 * y)), height)
    elif kind == "text":
        for line in range(int(rng.integers(2, 14))):
            pen = _Pen(card, _ink(rng, red=bool(rng.random() < 0.15)))
            text = "".join(_pick(rng, "abcdefghiklmnoprstuvwxy 0123456789") for _ in range(int(rng.integers(4, 22))))
            pen.put(_pick(rng, faces.text_fonts), text, (width / 2, 30 + line * 38), rng.uniform(14, 30))
    elif kind == "picture":
        _court(rng, card, faces)
    elif kind == "numeral":
        _numeral(rng, _Pen(card, _ink(rng, red=bool(rng.random() < 0.4))), faces, _pick(rng, faces.text_fonts))
    return _finish(rng, card)
