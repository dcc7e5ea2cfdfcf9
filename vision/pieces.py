"""Where something new rests that may be a card: the places that are worth reading."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision import motion
from vision.card_look import LENGTH, CardLook
from vision.memory import Sights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.motion import Look, Motion
    from vision.table import Table

    Mask = NDArray[np.bool_]
    Corners = NDArray[np.float32]
    Box = tuple[int, int, int, int]

PATIENCE_S = 0.7
"""A card that cannot be read is looked at again until it has rested this long, then shown without a type."""
AGAIN_S = 0.15
"""Between two looks at the same thing."""
ARM_S = 0.25
"""The same where an arm is part of it: a hand that is not off the card yet, or holds a pack."""
BETWEEN_S = 0.06
"""Between two readings of anything."""
SEEKING_S = 0.25
"""The same before the size of a card is known, when a reading tries all sizes and takes ten times as long: so much of
the time until a recording's first ruling. The first cards are told of 0.1 s later than with half of it."""
CENTRAL = 0.28
"""Around a card's middle this much of its length rests to all sides when the card does."""
FACE_SHARE = 0.2
"""Something new is read if at least this share of a card's middle has the colour of faces: courts are coloured."""
NEW_SHARE = 0.05
"""And if at least this share of it is new: of a white card on a white table only pips are."""
UNSHADED_SHARE = 0.1
"""And if at least this share of a card's place around it is new and no shadow."""
SQUARE = 0.72
"""Side of a square that holds about what a card does, as a share of the card's length."""
SOLID = 0.86
"""Of the rectangle around it a card's outline fills at least this share."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A place where something new rests."""

    box: Box
    """With room for a card, in the full picture."""
    outline: Corners | None
    """Its corners in the full picture if it looks like one card."""
    free: bool
    """Whether no arm is part of it."""
    look: int
    """1 if this sight is new here, 2 when it is looked at again, and so on."""
    on_cards: bool
    """Whether it lies on known cards."""


class Pieces:
    """Finds the places.

    Args:
        table: the still table and the cards known to lie there.
        moves: when each place last moved.
        card: what a card looks like here.
        picture: width and height of the full picture.
    """

    def __init__(self, table: Table, moves: Motion, card: CardLook, picture: tuple[int, int]) -> None:
        self._table, self._motion, self._card, self._picture = table, moves, card, picture
        self._shape = (moves.last_moved.shape[0], moves.last_moved.shape[1])
        self._examined = np.full(self._shape, -1e9, np.float32)
        self._last_s = -1e9
        self.sights = Sights(self._shape)
        """What was read already."""

    @property
    def card_area(self) -> float:
        """Pixels of a card in the small picture; 0 before one was seen."""
        return self._card.size.area_px * self._table.scale**2 if self._card.size else 0.0

    def find(self, now: Look, changed: Mask, resting: Mask, taken: Mask) -> list[Piece]:
        """Where something new rests that was not looked at lately, outside of `taken`."""
        still = changed & resting
        between_s = BETWEEN_S if self._card.size else SEEKING_S
        if now.time_s - self._last_s < between_s or np.count_nonzero(still) < 30:
            return []
        moved, examined = self._motion.last_moved, self._examined
        recent = (now.time_s - examined > AGAIN_S) & (now.time_s - moved < PATIENCE_S + AGAIN_S)
        new = still & ((examined < moved) | recent) & ~taken
        if not new.any():
            return []
        labels, stats = _labelled(new, self.card_area)
        pieces = [k for k in self._large(stats) if self._is_asked(labels, stats[k], k, now)]
        room = self._room(now, still, resting, stats[pieces]) if pieces else None
        out: list[Piece] = []
        for k in pieces:
            x, y, w, h, _ = (int(v) for v in stats[k])
            part = slice(y, y + h), slice(x, x + w)
            if room is not None and not room[y // 2 : (y + h + 1) // 2, x // 2 : (x + w + 1) // 2].any():
                continue
            piece = labels[part] == k
            on_cards = bool(np.count_nonzero(piece & self._table.covered()[part]) > 0.1 * np.count_nonzero(piece))
            look = self.sights.due(part, piece, now, on_cards=on_cards)
            if look:
                examined[part][piece] = now.time_s
                outline = self._outline(piece, x, y, on_cards=on_cards)
                out.append(Piece(self._box(x, y, w, h), outline, self._is_free(x, y, w, h), look, on_cards))
        if out:
            self._last_s = now.time_s
        return out

    def _large(self, stats: NDArray[Any]) -> list[int]:
        """Which pieces of change are large enough for a card; the first is what has not changed."""
        boxes, areas = stats[:, cv2.CC_STAT_WIDTH] * stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_AREA]
        large = (boxes >= 0.15 * self.card_area) & (areas >= max(30.0, 0.03 * self.card_area))
        return [int(k) for k in np.flatnonzero(large) if k]

    def _is_asked(self, labels: NDArray[Any], stats: NDArray[Any], k: int, now: Look) -> bool:
        """Is an arm no part of this piece of change, or was it not read a moment ago?"""
        x, y, w, h, _ = (int(v) for v in stats)
        if self._is_free(x, y, w, h):
            return True
        part = slice(y, y + h), slice(x, x + w)
        return now.time_s - float(np.median(self._examined[part][labels[part] == k])) > ARM_S

    def _is_free(self, x: int, y: int, w: int, h: int) -> bool:
        """Is this within the picture, as no arm is?"""
        return x > 0 and y > 0 and x + w < self._shape[1] and y + h < self._shape[0]

    def _outline(self, piece: Mask, x: int, y: int, *, on_cards: bool) -> Corners | None:
        """The corners of a piece of change that has a card's outline, in the full picture.

        On other cards only marks and edges are new; all of them lie within the new card.
        """
        size = self._card.size_at((np.array([x, y]) + np.array(piece.shape[::-1]) / 2) / self._table.scale)
        if size is None:
            return None
        contours, _ = cv2.findContours(piece.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        contour = max(contours, key=cv2.contourArea)
        rect = cv2.minAreaRect(contour)
        # Contours run through the middles of pixels: half a pixel is missing on each side.
        short, long = sorted(v + 1 for v in rect[1])
        wanted = size.long_px * self._table.scale
        if not (abs(long / wanted - 1) < LENGTH and 0.5 < short / long < 0.82):
            return None
        if not on_cards and cv2.contourArea(contour) < SOLID * (short - 1) * (long - 1):
            return None
        points = cv2.boxPoints((rect[0], (rect[1][0] + 1, rect[1][1] + 1), rect[2])) + np.array([x, y])
        return np.asarray((points + 0.5) / self._table.scale - 0.5, np.float32)

    def _room(self, now: Look, still: Mask, rests: Mask, stats: NDArray[Any]) -> Mask | None:
        """Where in these pieces the middle of a new card at rest could be, at half the scale; None before one was seen.

        A hand that rests shows no face, a pack in it shows its back, its shadow nothing new, and beside one that moves
        there is no room.
        """
        if self._card.ground is None or self._card.size is None:
            return None
        radius = 0.5 * CENTRAL * self._card.size.long_px * self._table.scale
        side = 2 * round(radius) + 1
        whole = 2 * round(0.5 * SQUARE / CENTRAL * radius) + 1
        # Elsewhere nobody asks; as far around the pieces as what is there counts.
        rim = whole + 8
        x0, y0 = (max(0, int(k) - rim) // 2 * 2 for k in stats[:, :2].min(axis=0))
        x1, y1 = (int(k) + rim for k in (stats[:, :2] + stats[:, 2:4]).max(axis=0))
        half = np.s_[y0:y1:2, x0:x1:2]
        resting = np.ascontiguousarray(rests[half]).view(np.uint8)
        middle = cv2.distanceTransform(resting, cv2.DIST_L2, 3)
        yuv, table = np.ascontiguousarray(now.yuv[half]), np.ascontiguousarray(self._table.still[half])
        face = _share(self._card.ground.coloured(yuv), side)
        new = _share(still[half], side)
        unshaded = _share(still[half] & motion.unshaded(yuv, table), whole)
        room = np.zeros(((self._shape[0] + 1) // 2, (self._shape[1] + 1) // 2), np.bool_)
        room[y0 // 2 : (y1 + 1) // 2, x0 // 2 : (x1 + 1) // 2] = (
            (middle > radius) & (face > FACE_SHARE) & (new > NEW_SHARE) & (unshaded > UNSHADED_SHARE)
        )
        return room

    def _box(self, x: int, y: int, w: int, h: int) -> Box:
        """A box of the small picture in the full one, with more than half a card around it."""
        scale = self._table.scale
        margin = 0.6 * self._card.size.long_px if self._card.size else 0.1 * max(self._picture)
        return within(
            self._picture, x / scale - margin, y / scale - margin, (x + w) / scale + margin, (y + h) / scale + margin
        )


def _share(mask: Mask, side: int) -> NDArray[np.float32]:
    """The share of the square around each place in which a mask is set."""
    box = cv2.boxFilter(255 * mask.astype(np.uint8), -1, (side, side), borderType=cv2.BORDER_CONSTANT)
    return np.asarray(box, np.float32) / np.float32(255)


def within(picture: tuple[int, int], x0: float, y0: float, x1: float, y1: float) -> Box:
    """The part of a box that lies in a picture of this width and height."""
    return max(0, int(x0)), max(0, int(y0)), min(picture[0], int(x1)), min(picture[1], int(y1))


def joined(boxes: list[Box]) -> list[Box]:
    """Overlapping boxes made one."""
    out: list[Box] = []
    for box in boxes:
        merged = box
        while True:
            hit = [k for k in out if k[0] < merged[2] and merged[0] < k[2] and k[1] < merged[3] and merged[1] < k[3]]
            if not hit:
                break
            out = [k for k in out if k not in hit]
            every = [*hit, merged]
            merged = (
                min(k[0] for k in every),
                min(k[1] for k in every),
                max(k[2] for k in every),
                max(k[3] for k in every),
            )
        out.append(merged)
    return out


def _labelled(new: Mask, card_area: float) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Pieces of change, those near each other joined: of a white card on a white table only pips and edges are new.

    Returns:
        The number of its piece at each place, 0 where nothing is new, and OpenCV's statistics of each.
    """
    gap = 2 * round(0.12 * math.sqrt(card_area)) + 1 if card_area else 7
    x, y, w, h = cv2.boundingRect(new.view(np.uint8))
    # With room for what closing adds.
    x0, y0, x1, y1 = max(0, x - gap), max(0, y - gap), x + w + gap, y + h + gap
    part = np.ascontiguousarray(new[y0:y1, x0:x1]).view(np.uint8)
    closed = cv2.morphologyEx(part, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
    _, there, stats, _ = cv2.connectedComponentsWithStats(closed)
    labels = np.zeros(new.shape, np.int32)
    labels[y0:y1, x0:x1] = there
    return labels, np.asarray(stats + np.array([x0, y0, 0, 0, 0], np.int32), np.int32)
