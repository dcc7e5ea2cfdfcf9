"""Looking back from a card at rest: its flight, and the first frame in which its face could be seen.

The reveal is the first frame in which the face is seen at less than 60 degrees from straight on, which is half of its
area. The face as it lies is a template; going back frame by frame its place, turn and foreshortening are sought that
explain the picture better than the table without the card does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.motion import difference

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from vision.motion import Look

HALF = 0.5
"""Share of the face's area at the reveal: cos 60 degrees."""
LOOK_BACK_S = 1.2
"""A flight takes 0.2 to 0.4 s and a card may be read half a second after it came to rest."""
LEAST_FIT = 0.18
"""Below this share of the possible gain the face is not there."""
SOFT = 0.8
"""Blur in small-picture pixels: a card in flight is blurred by its motion, the face at rest is not."""
UNLIKE = 50.0
"""Levels beyond which a pixel is simply something else, a hand for instance."""


_GREY = np.array([0.0, 128.0, 128.0], np.float32)
_WEIGHTS = np.array([[1.0, 2.0, 2.0]], np.float32) / np.float32(UNLIKE)
_SHAPES = ((1.0, 1.0), (0.8, 1.0), (0.6, 1.0), (0.45, 1.0), (1.0, 0.8), (1.0, 0.6), (1.0, 0.45))
"""A card turns by up to 25 degrees in a frame: from straight on to 60 degrees it takes two or three."""


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


@dataclass(frozen=True, slots=True)
class Step:
    """The face in one frame of its flight."""

    time_s: float
    pose: Pose
    fit: float
    """How much better the face explains its place than the table does, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Flight:
    """How a card came to its place."""

    reveal_s: float
    sigma_ms: float
    landed_s: float
    steps: tuple[Step, ...]
    """In order of time, the last one at rest."""


def flight(looks: Sequence[Look], before: NDArray[np.uint8], quad: NDArray[np.float32], rest_s: float) -> Flight:
    """Follow a card back from its place of rest.

    Args:
        looks: the kept small pictures in order of time, up to the one in which the card was read.
        before: the still table without the card.
        quad: the card at rest, shape (4, 2), small-picture pixels.
        rest_s: a time at which it lay still.
    """
    past = [k for k in looks if rest_s - LOOK_BACK_S <= k.time_s <= rest_s]
    face = _Face(past[-1].yuv, quad)
    landed = _landed(past, before, face.place, rest_s)
    steps = _follow([k for k in past if k.time_s <= landed], before, face)
    return _reveal(steps, landed, [k.time_s for k in past])


def _landed(past: Sequence[Look], before: NDArray[np.uint8], place: NDArray[np.bool_], rest_s: float) -> float:
    """The first frame from which on the place looks as it does at rest, judged where that differs from before.

    A finger may still leave it; a white card on a white table differs in its pips and edges alone.
    """
    final = past[-1].yuv
    telling = place & (difference(final, before) > 12)
    first = rest_s
    for k in reversed(past[:-1]):
        like = difference(k.yuv, final)[telling] < 20
        if not like.size or float(np.mean(like)) < 0.7:
            break
        first = k.time_s
    return first


class _Face:
    """The face at rest as a template that can be posed."""

    def __init__(self, yuv: NDArray[np.uint8], quad: NDArray[np.float32]) -> None:
        mask = np.zeros(yuv.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 1, shift=4)
        self.place = mask.astype(np.bool_)
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        if sides[0] + sides[2] > sides[1] + sides[3]:
            quad = np.roll(quad, -1, axis=0)
            sides = np.roll(sides, -1)
        self.wide, self.high = float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2
        self.centre = quad.mean(axis=0)
        top, down = quad[1] - quad[0] + quad[2] - quad[3], quad[3] - quad[0] + quad[2] - quad[1]
        self.angle = math.atan2(float(top[1]), float(top[0]))
        self.mirror = 1.0 if float(top[0] * down[1] - top[1] * down[0]) > 0 else -1.0
        shape = (max(4, round(self.wide)), max(4, round(self.high)))
        corners = np.array([[0, 0], [shape[0], 0], [shape[0], shape[1]], [0, shape[1]]], np.float32)
        flat = cv2.warpPerspective(
            yuv, cv2.getPerspectiveTransform(quad.astype(np.float32), corners), shape, borderMode=cv2.BORDER_REPLICATE
        )
        self._template = cv2.GaussianBlur(flat, (0, 0), SOFT).astype(np.float32)
        self._whole = np.full(shape[::-1], 255, np.uint8)
        self._shape = shape

    def posed(self, pose: Pose) -> tuple[int, int, NDArray[np.float32], NDArray[np.uint8]]:
        """Left, top, picture (Y, U, V) and coverage (0 to 255) of the face in a pose."""
        angle = self.angle + pose.turn
        cos, sin = math.cos(angle), math.sin(angle)
        wide, high = self.wide * pose.short, self.high * pose.long
        across = np.array([cos, sin]) * wide
        along = np.array([-sin, cos]) * high * self.mirror
        half = (np.abs(across) + np.abs(along)) / 2
        x0, y0 = math.floor(pose.x - half[0]) - 1, math.floor(pose.y - half[1]) - 1
        shape = (math.ceil(2 * half[0]) + 3, math.ceil(2 * half[1]) + 3)
        origin = np.array([pose.x - x0, pose.y - y0]) - (across + along) / 2
        a, b = across / self._shape[0], along / self._shape[1]
        matrix = np.array([[a[0], b[0], origin[0]], [a[1], b[1], origin[1]]], np.float32)
        # Pixel centres lie at half pixels in both pictures.
        matrix[:, 2] += 0.5 * (matrix[:, 0] + matrix[:, 1]) - 0.5
        posed = cv2.warpAffine(self._template, matrix, shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.warpAffine(self._whole, matrix, shape, flags=cv2.INTER_LINEAR)
        return x0, y0, np.asarray(posed, np.float32), np.asarray(cover, np.uint8)


class _Scene:
    """One earlier frame, against which poses are tried."""

    def __init__(self, yuv: NDArray[np.uint8], before: NDArray[np.uint8], around: Pose, radius: float) -> None:
        high, wide = yuv.shape[:2]
        self._x0, self._y0 = max(0, int(around.x - radius)), max(0, int(around.y - radius))
        x1, y1 = min(wide, int(around.x + radius) + 1), min(high, int(around.y + radius) + 1)
        part = slice(self._y0, y1), slice(self._x0, x1)
        self._before = cv2.GaussianBlur(before[part], (0, 0), SOFT).astype(np.float32)
        self._yuv = cv2.GaussianBlur(yuv[part], (0, 0), SOFT).astype(np.float32)
        self._unlike_table = _unlike_table(self._yuv, self._before)

    def gain(self, face: _Face, pose: Pose) -> float:
        """How much better the posed face explains the picture than the bare table does, summed over the face."""
        laid = self._laid(face, pose)
        return self._gain(*laid) if laid is not None else 0.0

    def fit(self, face: _Face, pose: Pose) -> tuple[float, float]:
        """The gain, and how much it would be if the face lay there with nothing in front of it."""
        laid = self._laid(face, pose)
        if laid is None:
            return 0.0, 1.0
        part, posed, inside = laid
        possible = _unlike_table(posed, self._before[part])[inside]
        return self._gain(part, posed, inside), float(possible.sum())

    def _gain(self, part: tuple[slice, slice], posed: NDArray[np.float32], inside: NDArray[np.bool_]) -> float:
        return float((self._unlike_table[part] - _unlike(self._yuv[part], posed))[inside].sum())

    def _laid(
        self, face: _Face, pose: Pose
    ) -> tuple[tuple[slice, slice], NDArray[np.float32], NDArray[np.bool_]] | None:
        """The part of the scene under the posed face, the face there in the scene's light, and where it covers."""
        left, top, picture, cover = face.posed(pose)
        left, top = left - self._x0, top - self._y0
        x0, y0 = max(0, left), max(0, top)
        x1 = min(self._yuv.shape[1], left + picture.shape[1])
        y1 = min(self._yuv.shape[0], top + picture.shape[0])
        if x1 <= x0 or y1 <= y0:
            return None
        here = slice(y0 - top, y1 - top), slice(x0 - left, x1 - left)
        part, posed = (slice(y0, y1), slice(x0, x1)), picture[here]
        inside = cover[here] > 127
        mask = inside.view(np.uint8)
        level = cv2.mean(posed, mask)[0]
        if level <= 0:
            return None
        return part, _lit(posed, cv2.mean(self._yuv[part], mask)[0] / level), inside


def _lit(yuv: NDArray[np.float32], light: float) -> NDArray[np.float32]:
    """The face under other light: a card that turns away from the lamp is down to half as bright."""
    light = min(1.25, max(0.45, light))
    return yuv * np.float32(light) + _GREY * np.float32(1 - light)


def _unlike(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """Difference of each pixel, 0 to 1: brightness and, doubled, colour; beyond `UNLIKE` all is the same."""
    return np.minimum(np.asarray(cv2.transform(cv2.absdiff(a, b), _WEIGHTS), np.float32), np.float32(1))


def _unlike_table(a: NDArray[np.float32], table: NDArray[np.float32]) -> NDArray[np.float32]:
    """As `_unlike`, but a table in shadow, down to about half of its brightness, is still much like the table."""
    d = a - table
    dark = np.maximum(0.0, -d[..., 0])
    shade = np.minimum(dark, 0.45 * table[..., 0])
    y = np.maximum(0.0, d[..., 0]) + dark - 0.8 * shade
    return np.asarray(np.minimum(1.0, (y + 2 * (np.abs(d[..., 1]) + np.abs(d[..., 2]))) / UNLIKE), np.float32)


def _follow(past: Sequence[Look], before: NDArray[np.uint8], face: _Face) -> list[Step]:
    """Backwards from rest, frame by frame, as long as the face explains anything."""
    pose = Pose(float(face.centre[0]), float(face.centre[1]), 0.0, 1.0, 1.0)
    steps = [Step(past[-1].time_s, pose, 1.0)]
    speed = (0.0, 0.0)
    lost = 0
    for k in reversed(past[:-1]):
        guess = Pose(pose.x + speed[0], pose.y + speed[1], pose.turn, pose.short, pose.long)
        scene = _Scene(k.yuv, before, guess, 1.7 * face.high)
        flying = _apart(pose, steps[0].pose) > 0.1 * face.high
        found, fit = _best(scene, face, guess, steps[-1].fit, reach=1 if flying else 2)
        # Lying in its place it is seen whole: what looks shorter there has a hand on it.
        whole = found.share > 0.8 or _apart(found, steps[0].pose) > 0.1 * face.high
        if fit < LEAST_FIT or found.share < 0.2 or not whole:
            # A hand may hide a card that lies for a while; one in flight is seen in every frame.
            lost += 1
            if lost > (1 if flying else 15):
                break
            continue
        speed = ((found.x - pose.x) / (lost + 1), (found.y - pose.y) / (lost + 1))
        pose, lost = found, 0
        steps.append(Step(k.time_s, pose, fit))
        if pose.share < 0.35:
            break
    return steps[::-1]


def _apart(a: Pose, b: Pose) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)


def _best(scene: _Scene, face: _Face, guess: Pose, expected: float, reach: int) -> tuple[Pose, float]:
    """The pose of most gain and its fit: first coarsely around the guess, then by ever smaller steps.

    Where the guess fits about as well as is expected, a card that rests or glides, the coarse search is left out.
    """
    score = _Score(scene, face, guess)
    best, value = guess, score(guess)
    if score.fit(guess) < 0.9 * min(expected, 0.9):
        for pose in _coarse(guess, face.high, reach):
            tried = score(pose)
            if tried > value:
                best, value = pose, tried
    for size in (1.0, 0.4):
        for _ in range(4):
            previous = best
            for pose in _around(best, face.high, size):
                tried = score(pose)
                if tried > value:
                    best, value = pose, tried
            if best is previous:
                break
    return best, score.fit(best)


class _Score:
    """Gain of a pose less what its change from the guess costs: a face half hidden by fingers should not shrink."""

    def __init__(self, scene: _Scene, face: _Face, guess: Pose) -> None:
        self._scene, self._face, self._guess = scene, face, guess
        self._price = 0.06 * max(1.0, scene.fit(face, guess)[1])

    def fit(self, pose: Pose) -> float:
        """The gain as a share of what is possible."""
        gain, possible = self._scene.fit(self._face, pose)
        return gain / max(1.0, possible)

    def __call__(self, pose: Pose) -> float:
        guess = self._guess
        change = (
            _apart(pose, guess) / (0.5 * self._face.high)
            + abs(pose.turn - guess.turn) / 0.4
            + 2 * abs(math.log(pose.short / guess.short))
            + 2 * abs(math.log(pose.long / guess.long))
        )
        return self._scene.gain(self._face, pose) - self._price * change


def _coarse(guess: Pose, side: float, reach: int) -> Iterator[Pose]:
    """Places around the guess, with the foreshortenings that a card turning over in one frame may have had before."""
    step = side / 8
    for short, long in _SHAPES:
        for i in range(-reach, reach + 1):
            for j in range(-reach, reach + 1):
                yield Pose(guess.x + i * step, guess.y + j * step, guess.turn, guess.short * short, guess.long * long)


def _around(p: Pose, side: float, size: float) -> Iterator[Pose]:
    """Small changes of a pose, one thing at a time."""
    d, turn, grow = size * side / 14, size * 0.14, 1 + 0.14 * size
    yield Pose(p.x + d, p.y, p.turn, p.short, p.long)
    yield Pose(p.x - d, p.y, p.turn, p.short, p.long)
    yield Pose(p.x, p.y + d, p.turn, p.short, p.long)
    yield Pose(p.x, p.y - d, p.turn, p.short, p.long)
    yield Pose(p.x, p.y, p.turn + turn, p.short, p.long)
    yield Pose(p.x, p.y, p.turn - turn, p.short, p.long)
    for factor in (grow, 1 / grow):
        for short, long in ((p.short * factor, p.long), (p.short, p.long * factor)):
            # Turning over shortens one side; the other only grows a little as the card is nearer to the camera.
            if min(short, long) > 0.15 and 0.88 < max(short, long) < 1.4:
                yield Pose(p.x, p.y, p.turn, short, long)


def _reveal(steps: Sequence[Step], landed: float, times: Sequence[float]) -> Flight:
    """The first step from which on half of the face is seen; its uncertainty is about a frame."""
    first = len(steps) - 1
    while first > 0 and steps[first - 1].pose.share >= HALF:
        first -= 1
    frame_ms = 1000 * float(np.median(np.diff(times))) if len(times) > 1 else 33.0
    if _apart(steps[first].pose, steps[-1].pose) < 1.0:
        # Its flight was hidden: a card is revealed about 0.2 s before it lands.
        return Flight(max(times[0], landed - 0.2), 100.0, landed, tuple(steps))
    if first == 0 and steps[0].pose.share > 0.8 and steps[0].time_s > times[0]:
        # Lost from sight before it was seen to turn: a card turns by 25 degrees in a frame, so it was a frame or two.
        earlier = max(t for t in times if t < steps[0].time_s)
        return Flight(earlier, round(1.2 * frame_ms, 1), landed, tuple(steps))
    gap_ms = 1000 * (steps[first].time_s - steps[first - 1].time_s) if first else 2 * frame_ms
    return Flight(steps[first].time_s, round(max(0.5 * frame_ms, 0.6 * gap_ms), 1), landed, tuple(steps))
