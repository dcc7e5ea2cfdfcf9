"""Faces of the printed deck as flat polygons, in millimetres of a card of 63 by 88, y downwards.

Each type has a hue that stays apart for every kind of colour vision, a lightness of its own (so it reads in grey), a
border pattern of its own when printed in black only, and a symbol that is solid, outlined or crossed: three silhouettes
that cannot be confused at any angle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 63.0, 88.0
BLEED = 1.0
"""Colour drawn beyond the cut, so that a cut half a millimetre off shows no white."""
BORDER = 6.5
FACE_NAMES = ("rock", "paper", "scissors", "back")

Rgb = tuple[int, int, int]
Points = NDArray[np.float64]
WHITE: Rgb = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Shape:
    """One filled polygon; `points` has shape (n, 2), in millimetres from the card's top left corner."""

    points: Points
    fill: Rgb


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one face, dark to light."""

    hue: Rgb
    ink: Rgb
    mid: Rgb
    light: Rgb


# CIE lightness of the hues: about 30, 86 and 50; of the back: 45 with little chroma.
COLOUR = {
    "rock": Palette((16, 62, 158), (12, 26, 66), (78, 104, 168), (150, 172, 214)),
    "paper": Palette((255, 210, 0), (58, 46, 0), (214, 170, 0), (255, 240, 170)),
    "scissors": Palette((222, 20, 104), (84, 0, 34), (176, 24, 84), (250, 170, 200)),
    "back": Palette((64, 104, 96), (30, 52, 48), (110, 150, 142), (220, 232, 229)),
}
GREY = {
    "rock": Palette((0, 0, 0), (0, 0, 0), (95, 95, 95), (165, 165, 165)),
    "paper": Palette((255, 255, 255), (0, 0, 0), (190, 190, 190), (240, 240, 240)),
    "scissors": Palette((128, 128, 128), (0, 0, 0), (90, 90, 90), (200, 200, 200)),
    "back": Palette((110, 110, 110), (60, 60, 60), (150, 150, 150), (230, 230, 230)),
}


def rect(x0: float, y0: float, x1: float, y1: float) -> Points:
    """Corners of an upright rectangle, clockwise."""
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)


def ellipse(cx: float, cy: float, rx: float, ry: float, n: int = 40) -> Points:
    """An ellipse as a polygon of `n` corners."""
    t = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return np.stack([cx + rx * np.cos(t), cy + ry * np.sin(t)], 1)


def placed(points: Points, at: tuple[float, float], size: float, turn_deg: float = 0.0) -> Points:
    """Symbol coordinates (-1 to 1) to millimetres: `size` is half the symbol's height."""
    a = np.deg2rad(turn_deg)
    spin = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    turned: Points = points @ spin.T * size + np.array(at)
    return turned


def boulder(p: Palette) -> list[Shape]:
    """A solid dark stone of four facets."""
    outline = [(-0.97, 0.55), (-0.82, -0.12), (-0.45, -0.66), (0.1, -0.84), (0.62, -0.6), (0.92, -0.02), (1, 0.5)]
    outline += [(0.72, 0.8), (-0.7, 0.82)]
    ridge, edge, foot_l, foot_r = (-0.2, -0.15), (0.28, -0.22), (-0.38, 0.82), (0.42, 0.81)
    facets = [
        ([outline[2], outline[3], outline[4], edge, ridge], p.light),
        ([outline[0], outline[1], outline[2], ridge, foot_l, outline[8]], p.mid),
        ([ridge, edge, foot_r, foot_l], p.hue),
        ([outline[4], outline[5], outline[6], outline[7], foot_r, edge], p.ink),
    ]
    shapes = [Shape(np.array(outline), p.ink)]
    for corners, fill in facets:
        c = np.array(corners)
        shapes.append(Shape(c.mean(0) + (c - c.mean(0)) * 0.9, fill))
    return shapes


def sheet(p: Palette) -> list[Shape]:
    """A sheet of paper: outlined, with a folded corner and five lines of writing."""
    w, h, fold, rim = 0.72, 0.98, 0.46, 0.1
    outer = np.array([(-w, -h), (w - fold, -h), (w, -h + fold), (w, h), (-w, h)])
    k = rim * 0.42
    inner = np.array([(-w + rim, -h + rim), (w - fold - k, -h + rim), (w - rim, -h + fold + k), (w - rim, h - rim)])
    inner = np.vstack([inner, [(-w + rim, h - rim)]])
    corner = np.array([(w - fold - rim * 0.3, -h + rim), (w - fold, -h + fold), (w - rim, -h + fold + rim * 0.3)])
    shapes = [Shape(outer, p.ink), Shape(inner, WHITE), Shape(corner + np.array([-0.05, 0.05]), p.ink)]
    for k, (y, right) in enumerate([(-0.42, 0.1), (-0.12, 0.48), (0.16, 0.48), (0.44, 0.48), (0.72, 0.16)]):
        shapes.append(Shape(rect(-0.48, y - 0.065, right, y + 0.065), p.ink if k else p.mid))
    return shapes


def shears(p: Palette) -> list[Shape]:
    """Open scissors: two crossing blades, two rings."""
    shapes: list[Shape] = []
    for side, fill in ((1.0, p.hue), (-1.0, p.ink)):
        flip = np.array([side, 1.0])
        blade = (
            np.array([(-0.62, -1.0), (-0.42, -0.98), (0.15, 0.02), (0.42, 0.42), (0.26, 0.52), (-0.13, 0.16)]) * flip
        )
        gap = blade + np.array([0.06 * side, -0.02])
        ring = ellipse(0.5 * side, 0.7, 0.34, 0.3)
        hole = ellipse(0.5 * side, 0.7, 0.18, 0.145)
        shapes += [Shape(gap, WHITE)] if side < 0 else []
        shapes += [Shape(blade, fill), Shape(ring, fill), Shape(hole, WHITE)]
    return [*shapes, Shape(ellipse(0.0, 0.1, 0.075, 0.075), WHITE)]


SYMBOLS = {"rock": boulder, "paper": sheet, "scissors": shears}


def hatched(p: Palette) -> list[Shape]:
    """The scissors' border in black print: slanted stripes, so that no grey has to be printed."""
    stripes = [Shape(rect(-BLEED, -BLEED, WIDTH + BLEED, HEIGHT + BLEED), WHITE)]
    top, bottom = -BLEED, HEIGHT + BLEED
    for x in np.arange(-BLEED, WIDTH + HEIGHT + 3 * BLEED, 4.0):
        slanted = [(x, top), (x + 2, top), (x + 2 - bottom + top, bottom), (x - bottom + top, bottom)]
        stripes.append(Shape(np.array(slanted), p.ink))
    return stripes


def border(name: str, p: Palette, mono: bool) -> list[Shape]:
    """Everything outside the white field: solid hue; in black print solid, double line, or hatched."""
    whole, line = rect(-BLEED, -BLEED, WIDTH + BLEED, HEIGHT + BLEED), 0.7
    field = [Shape(rect(BORDER, BORDER, WIDTH - BORDER, HEIGHT - BORDER), WHITE)]
    rim = [Shape(rect(BORDER - line, BORDER - line, WIDTH - BORDER + line, HEIGHT - BORDER + line), p.ink)]
    if mono and name == "scissors":
        return [*clipped(hatched(p)), *rim, *field]
    if mono and name == "paper":
        outer = [Shape(rect(k, k, WIDTH - k, HEIGHT - k), fill) for k, fill in ((0.5, p.ink), (1.5, WHITE))]
        return [Shape(whole, WHITE), *outer, *rim, *field]
    return [Shape(whole, p.hue), *rim, *field]


def clipped(shapes: list[Shape]) -> list[Shape]:
    """Shapes cut to the card with its bleed (Sutherland and Hodgman, 1974; convex or not, straight edges)."""
    out = []
    for shape in shapes:
        points = shape.points
        for axis, limit, sign in ((0, -BLEED, 1), (0, WIDTH + BLEED, -1), (1, -BLEED, 1), (1, HEIGHT + BLEED, -1)):
            points = _half(points, axis, limit, sign)
        if len(points) > 2:
            out.append(Shape(points, shape.fill))
    return out


def _half(points: Points, axis: int, limit: float, sign: int) -> Points:
    kept: list[Points] = []
    for a, b in zip(points, np.roll(points, -1, 0), strict=True):
        da, db = sign * (a[axis] - limit), sign * (b[axis] - limit)
        if da >= 0:
            kept.append(a)
        if da * db < 0:
            kept.append(a + (b - a) * da / (da - db))
    return np.array(kept).reshape(-1, 2)


def back(p: Palette) -> list[Shape]:
    """A lattice inside a wide white frame: small errors of duplex printing stay unseen, and no side is up."""
    frame = ((-BLEED, WHITE), (4, p.hue), (5, p.light))
    shapes = [Shape(rect(k, k, WIDTH - k, HEIGHT - k), fill) for k, fill in frame]
    for x in np.linspace(9.5, WIDTH - 9.5, 7):
        for y in np.linspace(9.5, HEIGHT - 9.5, 10):
            diamond = np.array([(0, -3.4), (3.2, 0), (0, 3.4), (-3.2, 0)]) + np.array([x, y])
            shapes += [Shape(diamond, p.hue), Shape(ellipse(x, y, 0.9, 0.9, 12), p.light)]
    return shapes


def face(name: str, *, mono: bool = False) -> list[Shape]:
    """Shapes of one card, painted in order; colour beyond the card's edge is bleed.

    Args:
        name: one of `FACE_NAMES`.
        mono: black and white print, with border patterns in place of hues.
    """
    p = (GREY if mono else COLOUR)[name]
    if name == "back":
        return back(p)
    symbol = SYMBOLS[name](p if not (mono and name == "scissors") else Palette((0, 0, 0), (0, 0, 0), p.mid, p.light))
    shapes = border(name, p, mono)
    marks = [((WIDTH / 2, HEIGHT / 2), 19.5, 0.0)]
    inset = BORDER + 6.2
    marks += [
        ((x, y), 4.6, 0.0 if y < HEIGHT / 2 else 180.0) for x in (inset, WIDTH - inset) for y in (inset, HEIGHT - inset)
    ]
    for at, size, turn in marks:
        shapes += [Shape(placed(s.points, at, size, turn), s.fill) for s in symbol]
    return shapes
