"""Is what is read on the table a new card, or one that is known to lie there, pushed, in other light, or seen again?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision import stacked
from vision.pieces import within
from vision.rectify import long_side
from vision.seats import Arms
from vision.table import SAME_PLACE, corners_apart

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from referee.media import Frame
    from vision.card_look import CardLook
    from vision.finder import Found
    from vision.motion import Look, Motion
    from vision.table import Lying, Table

    Mask = NDArray[np.bool_]
    Corners = NDArray[np.float32]
    Box = tuple[int, int, int, int]

WHOLE = 0.95
"""Share of a known card's edge from which all of it is seen again: how it looks now is how it looks."""
BESIDE = 0.25
"""A new card on one of its own type changes more of the place than this, and does not show what lay there."""
ANOTHER = 0.42
"""The same of one that cannot be read."""
MOSTLY = 0.6
"""Where more of a known card's place has changed than this, though the light is allowed for, something lies on it."""
HALF_COVERED = 0.25
"""Shares of its length within which corners of a known card are read that is half covered."""
HALF = 0.45
"""Share of what is drawn on a card that is still seen under one that covers half of it: of 21 cards laid on a known one
of their own type so near to it, in 60 staged games, at most 0.29, of three that were half covered 0.51 to 0.81."""
ON_ANOTHER = 0.15
"""By this share of its area a card may look larger that lies almost on another."""
PLAIN = 2.7
"""Merit of a card that is read where its outline is, nothing else being tried: sure, and most of its edge seen."""


class Novelty:
    """Tells new cards from known ones.

    Args:
        table: the still table and the cards known to lie there.
        moves: when each place last moved.
        card: what a card looks like here.
        picture: width and height of the full picture.
    """

    def __init__(self, table: Table, moves: Motion, card: CardLook, picture: tuple[int, int]) -> None:
        self._table, self._motion, self._card, self._picture = table, moves, card, picture
        self._frame: Frame | None = None

    def look(self, frame: Frame) -> None:
        """The next frame: of each card that was told of as it was read, keep what it looked like from near."""
        self._frame = frame
        for lying in self._table.cards.values():
            if lying.close is None and lying.type is not None:
                picture, at = self._from_near(frame, lying)
                lying.close = stacked.close_up(picture, lying.corners - at)

    def is_new(
        self, found: Found, corners: Corners, mask: Mask, now: Look, changed: Mask, *, fits: bool = False
    ) -> bool:
        """Is this found card of the right size (`fits`: that was seen before) and not known?"""
        size = np.count_nonzero(mask)
        if size < 12:
            return False
        if np.count_nonzero(changed & mask) < self.least_changed(mask) * size:
            return False
        share = float(np.count_nonzero(changed & mask) / size)
        # A card laid almost on another is read with the edges of both: all of it has changed, and it is a little large.
        more = ON_ANOTHER if share > MOSTLY and is_plainly_read(found) else 0.0
        if not (fits or self._card.fits(corners, more)):
            return False
        known = self._table.at(corners, found.type)
        return known is None or self._is_another(known, (found, corners), mask, now, changed)

    def _is_another(self, known: Lying, seen: tuple[Found, Corners], mask: Mask, now: Look, changed: Mask) -> bool:
        """Is it another card than the known one that lies about there?"""
        found, corners = seen
        share = float(np.count_nonzero(changed & mask) / np.count_nonzero(mask))
        apart = corners_apart(corners, known.corners) / long_side(corners)
        same = apart < 2 * SAME_PLACE and share < MOSTLY
        if same and found.type is not None and self._is_second(known, corners):
            return not Arms(changed).reach(mask)
        if self._table.stays(known, now.yuv) or (same and self._table.shows(known, corners, now.yuv)):
            if found.type is not None and any(self._table.is_on(k, corners, now.yuv) for k in self._table.on(known)):
                return not Arms(changed).reach(mask)  # its twin: what lay on it is still seen beside this one
            if found.type is not None:
                self._table.bared(known)
        elif share > (BESIDE if found.type is not None else ANOTHER):
            if apart < HALF_COVERED and self._shows_half(known):
                return False
            if share > MOSTLY and is_plainly_read(found) and self._table.peeps(known, corners, now.yuv):
                return True
            # Under a hand a known card may look like another one of its type, be bared, or be pushed.
            if Arms(changed).reach(mask) or self._table.again(corners, now.yuv):
                return False
            return not self._table.nudged(known, corners, now.yuv)
        # Else its corners were read worse before.
        known.seen_s = now.time_s
        if getattr(found, "visible", 1.0) > WHOLE and rests(mask, self._motion.resting(now.time_s)):
            self._table.refresh(known.mask, now.yuv)
        return False

    def least_changed(self, mask: Mask) -> float:
        """Share of a place that changes at least when a card comes to lie there.

        On a pile the old cards' edges may be misread: there more must have changed than on the bare table.
        """
        return 0.12 if np.count_nonzero(self._table.covered() & mask) > 0.2 * np.count_nonzero(mask) else 0.02

    def _is_second(self, known: Lying, corners: Corners) -> bool:
        """Is what is read here a second card of the same face, almost on this one?"""
        if known.close is None or self._frame is None:
            return False
        picture, at = self._from_near(self._frame, known)
        return stacked.is_second(known.close, known.corners - at, picture, corners - at)

    def _shows_half(self, known: Lying) -> bool:
        """Is about half of this card still seen just where it lay: what lies on the rest of it is read elsewhere?"""
        if known.close is None or self._frame is None:
            return False
        picture, at = self._from_near(self._frame, known)
        return stacked.share_unmoved(known.close, known.corners - at, picture) > HALF

    def _from_near(self, frame: Frame, known: Lying) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """A known card's part of the frame, with a rim, and where that part begins."""
        box = around(self._picture, known.corners, 2 * stacked.RIM)
        return part_of(frame, box), np.array(box[:2], np.float32)


def rests(mask: Mask, resting: Mask) -> bool:
    """Does nearly all of a place rest?"""
    return bool(np.count_nonzero(resting & mask) >= 0.95 * np.count_nonzero(mask))


def around(picture: tuple[int, int], corners: Corners, margin: float) -> Box:
    """The box of a card in a picture of this width and height, with a margin, a share of its length."""
    more = margin * long_side(corners)
    x0, y0 = corners.min(axis=0) - more
    x1, y1 = corners.max(axis=0) + more
    return within(picture, x0, y0, x1, y1)


def part_of(frame: Frame, box: Box) -> NDArray[np.uint8]:
    """A part of a frame in colour."""
    crop = getattr(frame, "crop", None)
    x0, y0, x1, y1 = box
    picture: NDArray[np.uint8] = crop(box) if crop is not None else frame.image()[y0:y1, x0:x1]
    return picture


def merit(found: Found) -> float:
    """How much of a card this is: that it was read, and how much of its edge is seen."""
    return 2 * found.confidence + float(getattr(found, "visible", 1.0))


def is_plainly_read(found: Found) -> bool:
    """Was it read surely, with most of its edge seen?"""
    return found.type is not None and merit(found) > PLAIN
