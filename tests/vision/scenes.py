"""A drawn table for tests: frames with a card that flies in, hands that come and go. Nothing of the studio is used."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from referee.events import Type

SIZE = (960, 540)
RATE = 30


@dataclass
class DrawnFrame:
    time_s: float
    picture: np.ndarray

    @property
    def size(self):
        return self.picture.shape[1], self.picture.shape[0]

    def luma(self):
        return cv2.cvtColor(self.picture, cv2.COLOR_BGR2GRAY)

    def image(self):
        return self.picture


@dataclass
class DrawnCard:
    """A white card with a red mark; from `turn_s` to `land_s` it turns over while it moves to its place.

    From `leaves_s` to `gone_s` it is drawn away to `to`.
    """

    at: tuple[float, float]
    start: tuple[float, float]
    turn_s: float
    land_s: float
    mark: Type = Type.ROCK
    leaves_s: float = 1e9
    to: tuple[float, float] = (0, 0)
    gone_s: float = 1e9
    long: float = 120.0
    face: np.ndarray = field(init=False)

    def __post_init__(self):
        self.face = np.full((176, 126, 3), 235, np.uint8)
        colour = (40, 30, 200) if self.mark is not Type.SCISSORS else (30, 30, 30)
        for x, y in [(40, 45), (86, 45), (63, 88), (40, 130), (86, 130)]:
            cv2.circle(self.face, (x, y), 14, colour, -1)

    def corners(self, time_s):
        """At rest or in flight; and the share of its width that is seen."""
        part = np.clip((time_s - self.turn_s) / (self.land_s - self.turn_s), 0, 1)
        centre = np.array(self.start) + (np.array(self.at) - self.start) * part
        away = np.clip((time_s - self.leaves_s) / (self.gone_s - self.leaves_s), 0, 1) if self.leaves_s < 1e9 else 0
        centre = centre + (np.array(self.to) - centre) * away
        share = float(np.sin(part * np.pi / 2))
        w, h = self.long * 63 / 88 * share / 2, self.long / 2
        return np.float32([(-w, -h), (w, -h), (w, h), (-w, h)]) + centre.astype(np.float32), share

    def reveal_s(self):
        """When half of it is seen: sin(part * 90 degrees) = 1/2 at a third of the way."""
        return self.turn_s + (self.land_s - self.turn_s) / 3

    def draw(self, picture, time_s):
        if not self.turn_s < time_s < self.gone_s:
            return
        corners, share = self.corners(time_s)
        if share < 0.05:
            return
        flat = np.float32([(0, 0), (126, 0), (126, 176), (0, 176)])
        matrix = cv2.getPerspectiveTransform(flat, corners)
        size = (picture.shape[1], picture.shape[0])
        warped = cv2.warpPerspective(self.face, matrix, size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full(self.face.shape[:2], 255, np.uint8), matrix, size)
        picture[mask > 127] = warped[mask > 127]


@dataclass
class DrawnHand:
    """An arm from an edge to a point, there from `begin_s` to `end_s`."""

    begin_s: float
    end_s: float
    edge: tuple[int, int]
    tip: tuple[int, int]

    def draw(self, picture, time_s):
        if not self.begin_s < time_s < self.end_s:
            return
        # In and out in a fifth of a second each.
        part = min(1.0, (time_s - self.begin_s) / 0.2, (self.end_s - time_s) / 0.2)
        tip = np.array(self.edge) + (np.array(self.tip) - self.edge) * part
        cv2.line(picture, self.edge, tuple(int(v) for v in tip), (110, 140, 190), 46)


def table(size=SIZE, seed=0):
    """Dark cloth with a little texture."""
    grain = np.random.default_rng(seed).normal(0, 6, (size[1] // 4, size[0] // 4, 1))
    grain = cv2.resize(grain, size)[:, :, None]
    return np.clip(np.array([70, 90, 60]) + grain, 0, 255).astype(np.uint8)


def frames(seconds, things, background=None, shift=None):
    """Frames of a table with things on it; `shift` maps time to a push of the camera in pixels."""
    ground = table() if background is None else background
    noise = np.random.default_rng(1)
    for k in range(int(seconds * RATE)):
        time_s = k / RATE
        picture = ground.copy()
        for thing in things:
            thing.draw(picture, time_s)
        if shift is not None:
            dx, dy = shift(time_s)
            matrix = np.float32([[1, 0, dx], [0, 1, dy]])
            picture = cv2.warpAffine(picture, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE)
        picture = np.clip(picture + noise.normal(0, 1.5, picture.shape), 0, 255).astype(np.uint8)
        yield DrawnFrame(time_s, picture)


@dataclass
class Seen:
    corners: np.ndarray
    type: Type | None
    confidence: float = 0.99
    reason: str = ""


def find(picture, _long_px):
    """A finder for drawn tables: white quads; red marks are rock, black ones scissors."""
    white = (picture.min(axis=2) > 190).astype(np.uint8)
    white = cv2.morphologyEx(white, cv2.MORPH_CLOSE, np.ones((31, 31), np.uint8))
    out = []
    for contour in cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        corners = cv2.boxPoints(cv2.minAreaRect(contour))
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        if not 105 < sides.max() < 135 or cv2.contourArea(contour) < 0.9 * sides.max() * sides.min():
            continue
        inside = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, corners.astype(np.int32), 1)
        dark = picture[(inside > 0) & (picture[:, :, 1] < 100)]
        red = dark.size and np.median(dark[:, 2]) > 120
        out.append(Seen(corners.astype(np.float32), Type.ROCK if red else Type.SCISSORS))
    return out
