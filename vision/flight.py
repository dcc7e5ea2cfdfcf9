"""Looking back from a card at rest: its flight, from which `vision.reveal` tells when its face could be seen first.

The face as it lies is a template; going back frame by frame its place, turn and foreshortening are sought that explain
the picture better than the table without the card does.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from vision.motion import difference
from vision.pose import Face, Pose, Scene, array_of
from vision.reveal import Step, reveal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from vision.motion import Look

LOOK_BACK_S = 0.7
"""From its landing: a flight takes 0.2 to 0.4 s. A card may be read a second or more after it came to rest."""
LEAST_FIT = 0.18
"""Below this share of the possible gain the face is not there."""
FAINT_FIT = 0.14
"""The same for a whole face in flight, about where its speed takes it: it is smeared and in another light."""
EXPECTED = 0.35
"""So near, in card lengths."""
SHRUNK = 0.03
"""A face that shows less by so much than a frame later turns away, or fingers lie on it."""
ALIKE = 0.8
"""Share of the fit of a face that turns which one with something in front of it has to have; 0.65 was no better."""
TURNED = 0.6
"""Share of a face in flight below which it turns away so far within a frame that, once lost, it is lost for good."""
_SHAPES = ((1.0, 1.0), (0.8, 1.0), (0.6, 1.0), (0.45, 1.0), (1.0, 0.8), (1.0, 0.6), (1.0, 0.45))
"""A card turns by up to 25 degrees in a frame: from straight on to 60 degrees it takes two or three."""


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
    past = [k for k in looks if k.time_s <= rest_s]
    face = Face(past[-1].yuv, quad)
    landed = _landed(past, before, face.place, rest_s)
    flown = [k for k in past if landed - LOOK_BACK_S <= k.time_s <= landed]
    steps = _follow(flown, before, face)
    shown = reveal(steps, landed, [k.time_s for k in flown], face)
    return Flight(shown.time_s, shown.sigma_ms, shown.landed_s, tuple(steps))


def departure(
    looks: Sequence[Look], without: NDArray[np.uint8], card: NDArray[np.uint8], quad: NDArray[np.float32]
) -> list[Step]:
    """A card that leaves, in order of time, as long as it can be followed; first at rest.

    Args:
        looks: the small pictures since shortly before it left, in order of time.
        without: the still table without the card.
        card: the small picture in which it lay.
        quad: its corners at rest, shape (4, 2), small-picture pixels.
    """
    return _follow(looks[::-1], without, Face(card, quad))[::-1] if looks else []


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


def _follow(past: Sequence[Look], before: NDArray[np.uint8], face: Face) -> list[Step]:
    """Backwards from rest, frame by frame, as long as the face explains anything."""
    rest = pose = face.rest()
    steps = [Step(past[-1].time_s, pose, 1.0)]
    speed, usual_s = (0.0, 0.0), _usual_s(past)
    lost = 0
    for after, k in pairwise(reversed(past)):
        gap = (after.time_s - k.time_s) / usual_s
        guess = Pose(pose.x + gap * speed[0], pose.y + gap * speed[1], pose.turn, pose.short, pose.long)
        scene = Scene(k.yuv, before, guess, 1.7 * face.high)
        flying = pose.apart(rest) > 0.1 * face.high
        seen = face.moving(speed, pose.turn) if flying else face
        found, fit = _best(scene, seen, guess, steps[-1].fit, reach=1 if flying else 2)
        if fit < LEAST_FIT or found.share < pose.share - SHRUNK:
            held, so = _best(scene, seen, guess, steps[-1].fit, reach=1 if flying else 2, held=True)
            if so > max(LEAST_FIT, ALIKE * fit) and (held.share > found.share or fit < LEAST_FIT):
                found, fit = held, so
        # Lying in its place it is seen whole: what looks shorter there has a hand on it.
        whole = found.share > 0.8 or found.apart(rest) > 0.1 * face.high
        followed = steps[-1].pose.apart(rest) > 0.1 * face.high and found.share > 0.8
        # Going back a card turns away and never towards the camera again: that is something else.
        turned = pose.share < 0.7 and flying and found.share > pose.share + 0.15
        faint = followed and found.apart(guess) < EXPECTED * face.high
        if fit < (FAINT_FIT if faint else LEAST_FIT) or found.share < 0.2 or turned or not whole:
            # A hand may hide a card that lies for a while; one in flight is seen in every frame.
            lost += 1
            if lost > (15 if not flying else 0 if pose.share < TURNED else 1):
                break
            continue
        away = (steps[-1].time_s - k.time_s) / usual_s
        speed = ((found.x - pose.x) / away, (found.y - pose.y) / away)
        pose, lost = found, 0
        steps.append(Step(k.time_s, pose, fit))
        if pose.share < 0.35:
            break
    return steps[::-1]


def _usual_s(past: Sequence[Look]) -> float:
    """Between two frames, seconds."""
    gaps = np.diff([k.time_s for k in past])
    return float(np.median(gaps)) if gaps.size else 1 / 30


def _best(
    scene: Scene, face: Face, guess: Pose, expected: float, reach: int, *, held: bool = False
) -> tuple[Pose, float]:
    """The pose of most gain and its fit: first coarsely around the guess, then by ever smaller steps.

    Where the guess fits about as well as is expected, a card that rests or glides, the coarse search is left out.
    """
    score = _Score(scene, face, guess, held=held)
    best, value = guess, score.at_guess
    if score.fit_at_guess < 0.9 * min(expected, 0.9):
        best, value = score.best(list(_coarse(guess, face.high, reach)), best, value)
    for size in (1.0, 0.4):
        for _ in range(4):
            previous = best
            best, value = score.best(list(_around(best, face.high, size)), best, value)
            if best is previous:
                break
    return best, score.fit(best)


class _Score:
    """Gain of a pose less what its change from the guess costs: a face half hidden by fingers should not shrink."""

    def __init__(self, scene: Scene, face: Face, guess: Pose, *, held: bool) -> None:
        self._held = held
        self._scene, self._face, self._guess = scene, face, array_of([guess])[0]
        gain, possible = scene.fit(face, guess)
        self.fit_at_guess = gain / max(1.0, possible)
        self.at_guess = float(scene.gains(face, array_of([guess]), held=True)[0]) if held else gain
        self._price = 0.06 * max(1.0, possible)

    def fit(self, pose: Pose) -> float:
        """The gain as a share of what is possible."""
        gain, possible = self._scene.fit(self._face, pose)
        return gain / max(1.0, possible)

    def best(self, poses: Sequence[Pose], best: Pose, value: float) -> tuple[Pose, float]:
        """The best of these, if it is better than the best so far, with its score."""
        scores = self._scores(array_of(poses))
        top = int(scores.argmax())
        return (poses[top], float(scores[top])) if scores[top] > value else (best, value)

    def _scores(self, poses: NDArray[np.float32]) -> NDArray[np.float32]:
        change = np.abs(poses - self._guess)
        grown = np.abs(np.log(poses[:, 3:] / self._guess[3:])).sum(axis=1)
        cost = np.hypot(change[:, 0], change[:, 1]) / (0.5 * self._face.high) + change[:, 2] / 0.4 + 2 * grown
        return np.asarray(self._scene.gains(self._face, poses, held=self._held) - self._price * cost, np.float32)


def _coarse(guess: Pose, side: float, reach: int) -> Iterator[Pose]:
    """Places around the guess, with the foreshortenings that a card turning over in one frame may have had before."""
    step = side / 8
    shapes = [(guess.short * short, guess.long * long) for short, long in _SHAPES]
    for short, long in [shapes[0], *(k for k in shapes[1:] if _can_be(*k))]:
        for i in range(-reach, reach + 1):
            for j in range(-reach, reach + 1):
                yield Pose(guess.x + i * step, guess.y + j * step, guess.turn, short, long)


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
            if _can_be(short, long):
                yield Pose(p.x, p.y, p.turn, short, long)


def _can_be(short: float, long: float) -> bool:
    """Turning over shortens one side; the other only grows a little as the card is nearer to the camera."""
    return min(short, long) > 0.15 and 0.88 < max(short, long) < 1.4
