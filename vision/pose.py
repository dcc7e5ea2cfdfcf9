"""A card's face in a pose: how much better it explains an earlier frame than the table without it does.

Many poses are tried for each frame: the face is a grid of points with colours, and all points of all poses are looked
up in the frame at once.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SOFT = 0.8
"""Blur in small-picture pixels: a card in flight is blurred by its motion, the face at rest is not."""
UNLIKE = 50.0
"""Levels beyond which a pixel is simply something else, a hand for instance."""
FOREIGN = 0.5
"""So unlike the table what is unlike the face too is something in front of it, as fingers, and says nothing."""
SPACING = 1.3
"""Small-picture pixels between the points of a face at rest: all is blurred by more than half of that."""
OPEN = 0.5
"""Share of the time between two frames for which the shutter is open, about: a sixtieth of a second indoors."""
PROPORTION = 0.7
"""A card's width in lengths: 0.71 of poker size, 0.64 of bridge size, a fifth of a frame off then."""
LEAST_SEEN = 0.75
"""A card at rest is seen at less than 40 degrees from straight on."""
_GREY = np.array([0.0, 128.0, 128.0], np.float32)
_WEIGHTS = np.array([[1.0, 2.0, 2.0]], np.float32) / np.float32(UNLIKE)


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the face is in one frame, small-picture pixels; 1 is the length that a side has at rest."""

    x: float
    y: float
    turn: float
    """Radians from the turn at rest."""
    short: float
    long: float

    @property
    def share(self) -> float:
        """Seen area as a share of that at rest at the same distance: the foreshortened side by the other one."""
        return min(self.short, self.long) / max(self.short, self.long)

    def moved(self, right: float, down: float) -> Pose:
        """The same so many pixels away."""
        return Pose(self.x + right, self.y + down, self.turn, self.short, self.long)

    def apart(self, other: Pose) -> float:
        """Distance of the middles."""
        return math.hypot(self.x - other.x, self.y - other.y)


class Face:
    """The face at rest as points that can be posed.

    Args:
        yuv: the small picture.
        quad: the card's corners there, shape (4, 2).
    """

    def __init__(self, yuv: NDArray[np.uint8], quad: Floats) -> None:
        mask = np.zeros(yuv.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 1, shift=4)
        self.place = mask.astype(np.bool_)
        """The pixels that it covers."""
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        if sides[0] + sides[2] > sides[1] + sides[3]:
            quad = np.roll(quad, -1, axis=0)
        self.centre = quad.mean(axis=0)
        across, along = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
        self._sides = np.column_stack([across, along]).astype(np.float64)
        self.wide, self.high = float(np.linalg.norm(across)), float(np.linalg.norm(along))
        small, large = sorted(np.linalg.svd(self._sides / (PROPORTION, 1.0), compute_uv=False))
        self.seen = max(LEAST_SEEN, float(small / large))
        """Share of its area that is seen at rest: the cosine of the angle from straight on, about."""
        self._grid = grid = (max(4, round(self.wide / SPACING)), max(4, round(self.high / SPACING)))
        self.colours = _flat(yuv, quad, (max(4, round(self.wide)), max(4, round(self.high))), grid)
        """Brightness and both colour differences of each point, shape (points, 3)."""
        across, along = np.meshgrid(*((np.arange(n, dtype=np.float32) + 0.5) / n - 0.5 for n in grid))
        self._points = across.ravel(), along.ravel()

    def rest(self) -> Pose:
        """As it lies."""
        return Pose(float(self.centre[0]), float(self.centre[1]), 0.0, 1.0, 1.0)

    def moving(self, speed: tuple[float, float], turn: float) -> Face:
        """The face as it looks while it moves by so many pixels a frame, turned so: its marks are smeared."""
        away = OPEN * np.array(speed)
        if float(np.hypot(*away)) < SPACING:
            return self
        way = np.linalg.solve(_turned(turn) @ self._sides, away)
        across, along = float(way[0]) * self._grid[0], float(way[1]) * self._grid[1]
        marks = self.colours.reshape(self._grid[1], self._grid[0], 3)
        steps = np.linspace(-0.5, 0.5, max(3, math.ceil(max(abs(across), abs(along)))))
        shifts = (np.array([[1, 0, across * k], [0, 1, along * k]], np.float32) for k in steps)
        seen = [cv2.warpAffine(marks, m, self._grid, borderMode=cv2.BORDER_REPLICATE) for m in shifts]
        out = copy.copy(self)
        out.colours = np.asarray(np.mean(seen, axis=0), np.float32).reshape(-1, 3)
        return out

    def places(self, poses: Floats) -> tuple[Floats, Floats]:
        """Columns and rows at which each point of the face is in each pose, shape (poses, points)."""
        cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
        (ax, bx), (ay, by) = self._sides.astype(np.float32)
        u, v = self._points
        short, long = poses[:, 3], poses[:, 4]
        x = poses[:, :1] + np.outer(short * (cos * ax - sin * ay), u) + np.outer(long * (cos * bx - sin * by), v)
        y = poses[:, 1:2] + np.outer(short * (sin * ax + cos * ay), u) + np.outer(long * (sin * bx + cos * by), v)
        return np.asarray(x, np.float32), np.asarray(y, np.float32)

    def areas(self, poses: Floats) -> Floats:
        """Pixels that the face covers in each pose."""
        return np.asarray(abs(np.linalg.det(self._sides)) * poses[:, 3] * poses[:, 4], np.float32)


class Scene:
    """One earlier frame, against which poses are tried.

    Args:
        yuv: the small picture.
        before: the still table without the card.
        around: about where the face is.
        radius: how far from there anything is looked at, in pixels.
    """

    def __init__(self, yuv: NDArray[np.uint8], before: NDArray[np.uint8], around: Pose, radius: float) -> None:
        high, wide = yuv.shape[:2]
        self._x0 = min(wide - 1, max(0, int(around.x - radius)))
        self._y0 = min(high - 1, max(0, int(around.y - radius)))
        x1, y1 = min(wide, int(around.x + radius) + 1), min(high, int(around.y + radius) + 1)
        part = slice(self._y0, max(y1, self._y0 + 1)), slice(self._x0, max(x1, self._x0 + 1))
        self._before = np.asarray(cv2.GaussianBlur(before[part], (0, 0), SOFT), np.float32)
        now = np.asarray(cv2.GaussianBlur(yuv[part], (0, 0), SOFT), np.float32)
        self._seen = np.dstack([now, _unlike_table(now, self._before)])

    def gains(self, face: Face, poses: Floats, *, held: bool = False) -> Floats:
        """How much better the face explains the picture than the bare table does, in each pose, summed over the face.

        Args:
            face: the card.
            poses: shape (n, 5), the fields of `Pose`.
            held: what is unlike both the face and the table is in front of it and says nothing.
        """
        return self._try(face, poses, held=held)[0]

    def fit(self, face: Face, pose: Pose) -> tuple[float, float]:
        """The gain, and how much it would be if the face lay there with nothing in front of it."""
        one = array_of([pose])
        gain, posed, inside, (x, y) = self._try(face, one)
        table = _at(self._before, x, y)
        possible = _mean(_unlike_table(posed, table), inside) * face.areas(one)
        return float(gain[0]), float(possible[0])

    def _try(
        self, face: Face, poses: Floats, *, held: bool = False
    ) -> tuple[Floats, Floats, NDArray[np.bool_] | None, tuple[Floats, Floats]]:
        """The gains, the face's colours in the scene's light, which points are in the picture, and where they are."""
        x, y = face.places(poses)
        x, y = np.asarray(x - self._x0, np.float32), np.asarray(y - self._y0, np.float32)
        high, wide = self._seen.shape[:2]
        inside: NDArray[np.bool_] | None = (x > -0.5) & (x < wide - 0.5) & (y > -0.5) & (y < high - 0.5)
        if inside is not None and inside.all():
            inside = None
        seen = _at(self._seen, x, y)
        level = _mean(np.broadcast_to(face.colours[:, 0], x.shape), inside)
        light = np.clip(_mean(seen[..., 0], inside) / np.maximum(level, 1), 0.45, 1.25).astype(np.float32)
        posed = _GREY + light[:, None, None] * (face.colours - _GREY)
        table = seen[..., 3]
        better = table - _unlike(seen[..., :3], posed)
        if held:
            better = np.maximum(better, np.minimum(table / np.float32(FOREIGN) - 1, 0))
        return np.asarray(_mean(better, inside) * face.areas(poses), np.float32), posed, inside, (x, y)


def array_of(poses: Sequence[Pose]) -> Floats:
    """Poses as rows."""
    return np.array([(p.x, p.y, p.turn, p.short, p.long) for p in poses], np.float32)


def _turned(angle: float) -> NDArray[np.float64]:
    """Turns a vector of the picture."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin], [sin, cos]])


def _flat(yuv: NDArray[np.uint8], quad: Floats, shape: tuple[int, int], grid: tuple[int, int]) -> Floats:
    """The colours of a quad at the middles of so many columns and rows."""
    wide, high = shape[0] - 0.5, shape[1] - 0.5
    corners = np.array([[-0.5, -0.5], [wide, -0.5], [wide, high], [-0.5, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), corners)
    flat = cv2.warpPerspective(yuv, matrix, shape, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(flat, (0, 0), SOFT).astype(np.float32)
    return np.asarray(cv2.resize(soft, grid, interpolation=cv2.INTER_LINEAR), np.float32).reshape(-1, 3)


def _at(picture: Floats, x: Floats, y: Floats) -> Floats:
    """A picture's values at these places."""
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _mean(values: Floats, inside: NDArray[np.bool_] | None) -> Floats:
    """The sum of each row, of what is inside, as a share of its length: half a face in the picture counts half."""
    if inside is None:
        return np.asarray(values.mean(axis=1), np.float32)
    return np.asarray((values * inside).sum(axis=1) / values.shape[1], np.float32)


def _unlike(a: Floats, b: Floats) -> Floats:
    """Difference of each pixel, 0 to 1: brightness and, doubled, colour; beyond `UNLIKE` all is the same."""
    apart = np.ascontiguousarray(np.abs(a - b))
    return np.minimum(np.asarray(cv2.transform(apart, _WEIGHTS), np.float32).reshape(a.shape[:2]), np.float32(1))


def _unlike_table(a: Floats, table: Floats) -> Floats:
    """As `_unlike`, but a table in shadow, down to about half of its brightness, is still much like the table."""
    d = a - table
    dark = np.maximum(np.float32(0), -d[..., 0])
    shade = np.minimum(dark, np.float32(0.45) * table[..., 0])
    y = np.maximum(np.float32(0), d[..., 0]) + dark - np.float32(0.8) * shade
    unlike = (y + 2 * (np.abs(d[..., 1]) + np.abs(d[..., 2]))) / np.float32(UNLIKE)
    return np.asarray(np.minimum(np.float32(1), unlike), np.float32)
