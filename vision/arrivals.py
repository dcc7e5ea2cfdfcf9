"""What came to lie on the table and is being made out: where to read, and when a reading counts.

Only where something new rests is the full picture read. A reading counts when a later frame says the same again: what
was misread once, in the shadow of a hand or half under a finger, is not read alike twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision import motion, quads
from vision.card_look import CardLook
from vision.locate import HOPE
from vision.novelty import PLAIN, Novelty, around, is_plainly_read, merit, part_of, rests
from vision.pieces import AGAIN_S, PATIENCE_S, Piece, Pieces, joined
from vision.rectify import long_side
from vision.table import CHANGED, SAME_CARD, SAME_PLACE, Table, corners_apart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from referee.events import Type
    from referee.media import Frame
    from vision.finder import Finder, Found, Glimpse, Size
    from vision.motion import Look

    Mask = NDArray[np.bool_]
    Corners = NDArray[np.float32]
    Box = tuple[int, int, int, int]
    Part = tuple[slice, slice]

SECOND_S = 0.1
"""Between a reading and the one that confirms it."""
AGAIN_AND_AGAIN_S = 0.45
"""A card that was read once, and then not, is read again for so long before it is given up."""
MOVED_PX = 4
"""Small pixels by which a resting hand moves what it holds."""
STEADY = 0.03
"""Share of a card's place that may look different from when it was read: it has not moved."""
SURELY = 0.5
"""How likely a card that was not made out must be somewhere for reading by all means at once: of 214 such readings in
20 staged games 29 found a card."""
MAYBE = 0.05
"""The same at the third look: of 237 such readings in those games none did, but on a white cloth with dots, behind a
strong codec, where the net was blind to a plain card, one did. They take one twentieth of the eye's time. On known
cards, where it is `HOPE` at the second look, 1 of 43 did."""
LAST_LOOK = 3
"""The look at which a sight is read by all means though a card is not likely: then never again."""
LEAD = 2
"""So many readings more must say one type than say others."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A card that could not be made out."""

    corners: Corners
    type: None = None
    confidence: float = 0.0
    reason: str = "unsure"


@dataclass(slots=True, eq=False)
class Waiting:
    """A card that was found and is not yet told of."""

    found: Found
    corners: Corners
    """Shape (4, 2), pixels of the full picture."""
    mask: Mask
    """Its place in the small picture."""
    part: Part
    """The box of `mask`."""
    look: Look
    """The small picture in which it was read last."""
    found_s: float
    types: list[Type] = field(default_factory=list)
    """What each reading said."""

    @classmethod
    def of(cls, found: Found, corners: Corners, mask: Mask, now: Look) -> Waiting:
        """A card that was read for the first time."""
        return cls(found, corners, mask, _box_of(mask), now, now.time_s, [found.type] if found.type else [])

    @property
    def settled(self) -> bool:
        """Do the readings agree on the type that the last one gave?"""
        same = self.types.count(self.types[-1]) if self.types else 0
        return self.found.type is not None and 2 * same - len(self.types) >= LEAD

    def same(self, now: Look) -> bool:
        """Does its place look as it did when it was read?"""
        unlike = motion.difference(now.yuv[self.part], self.look.yuv[self.part]) > 2 * CHANGED
        return float(np.mean(unlike[self.mask[self.part]])) < STEADY


class Arrivals:
    """Finds what is new on a table.

    Args:
        table: the still table and the cards known to lie there.
        moves: when each place last moved.
        finder: finds and reads cards in a part of a frame.
        picture: width and height of the full picture.
    """

    def __init__(self, table: Table, moves: motion.Motion, finder: Finder, picture: tuple[int, int]) -> None:
        self._table, self._motion, self._find, self._picture = table, moves, finder, picture
        self.card = CardLook(picture)
        """What a card looks like here."""
        self.pieces = Pieces(table, moves, self.card, picture)
        self.novelty = Novelty(table, moves, self.card, picture)
        self._waiting: list[Waiting] = []
        self._disturbed: list[Waiting] = []
        """Cards whose place looked different lately, before they were read for the last time."""
        self._given_up: tuple[Found, Corners] | None = None
        self._sees = False
        """Whether a card of this table was made out at first sight."""

    def waiting(self) -> Mask:
        """Where cards lie that are being read."""
        out = np.zeros(self._table.still.shape[:2], np.bool_)
        for card in self._waiting:
            out |= card.mask
        return out

    def awaited(self, now: Look) -> Mask:
        """The same, and where cards lie that will be looked at anew, for something passed over them."""
        self._disturbed = [k for k in self._disturbed if now.time_s - k.look.time_s < AGAIN_AND_AGAIN_S]
        out = self.waiting()
        for card in self._disturbed:
            out |= card.mask
        return out

    def noticed(self) -> list[tuple[Found, Corners]]:
        """The cards that are being read, each as it was read last."""
        return [(k.found, k.corners) for k in self._waiting if k.found.type is not None]

    def since(self) -> float | None:
        """When the first of the cards was found that are being read."""
        return min((k.found_s for k in self._waiting), default=None)

    def pushed(self) -> None:
        """The camera was pushed: what was remembered lies elsewhere now."""
        self.pieces.sights.forget()
        self._waiting.clear()
        self._disturbed.clear()

    def learn(self, corners: Corners, now: Look) -> None:
        """Take size and colour from a card that was read."""
        self.card.learn(corners, now, self._table.mask_of(corners))

    def feed(self, frame: Frame, now: Look, changed: Mask, resting: Mask) -> list[tuple[Found, Corners]]:
        """The next frame; gives the new cards that rest and are read as well as they will be, none or one."""
        self.novelty.look(frame)
        told = self._confirm(frame, now, changed, resting)
        if told is not None:
            return [told]  # one a frame: the table under the next one is another then
        for found, corners in self._look(frame, now, changed, resting):
            self._note(found, corners, now, changed, resting)
        given_up, self._given_up = self._given_up, None
        return [given_up] if given_up is not None else []

    def _confirm(self, frame: Frame, now: Look, changed: Mask, resting: Mask) -> tuple[Found, Corners] | None:
        """Read again what waits for it; the first card that is settled, or given up."""
        for card in self._waiting.copy():
            if not card.same(now):
                self._waiting.remove(card)
                card.look = now
                self._disturbed.append(card)
                self.pieces.sights.forget(card.mask)
            elif now.time_s - card.look.time_s >= SECOND_S and rests(card.mask, resting):
                self._read_again(card, frame, now)
                new = self.novelty.is_new(card.found, card.corners, card.mask, now, changed, fits=True)
                if not new or self._table.again(card.corners, now.yuv):
                    self._waiting.remove(card)
                elif card.settled or self._is_given_up(card, now):
                    self._waiting.remove(card)
                    return (card.found if card.settled else Unread(card.corners), card.corners)
        return None

    def _is_given_up(self, card: Waiting, now: Look) -> bool:
        """Has it rested, and been read again, for long enough?"""
        return self._rested_s(card.mask, now) >= PATIENCE_S and now.time_s - card.found_s >= AGAIN_AND_AGAIN_S

    def glance(self, frame: Frame, pieces: list[Piece]) -> list[tuple[Found, Corners]]:
        """The cards that are plainly read in these places at first sight; changes nothing."""
        seen, others = self._outlined(frame, pieces)
        for box in joined([k.box for k in others]):
            seen += [k for k in self._glimpse(frame, box)[0] if _holds(box, k[1])]
        return [k for k in seen if self._is_plain(k)]

    def _outlined(self, frame: Frame, pieces: list[Piece]) -> tuple[list[tuple[Found, Corners]], list[Piece]]:
        """What is plainly read where a piece has a card's outline, and the other pieces."""
        seen, others = [], []
        for piece in pieces:
            plain = self._read(frame, piece.box, piece.outline) if piece.outline is not None else []
            if plain and is_plainly_read(plain[0][0]):
                seen += plain
            else:
                others.append(piece)
        return seen, others

    def _look(self, frame: Frame, now: Look, changed: Mask, resting: Mask) -> list[tuple[Found, Corners]]:
        """Read what is new: by its outline if it has a card's, else where the net sees a card.

        What looks the same when its time comes again is read by all means, at last by seeking everywhere.
        """
        still = changed & resting
        seen, open_pieces = self._outlined(frame, self.pieces.find(now, changed, resting, self.waiting()))
        boxes = joined([k.box for k in open_pieces])
        # Of a card whose size is not known more is seen in the whole picture.
        parts = boxes if self.card.size is not None or not boxes else [(0, 0, *self._picture)]
        glimpses = [self._glimpse(frame, part) for part in parts]
        # Without a card's size that takes four times as long; once one is made out the size is soon known.
        learning = self.card.size is None and any(self._is_plain(each) for quick, _ in glimpses for each in quick)
        for k, box in enumerate(boxes):
            quick, hopes = glimpses[min(k, len(glimpses) - 1)]
            here = [each for each in quick if _holds(box, each[1])]
            found = any(map(self._is_find, here))
            self._sees = self._sees or found
            mine = [each for each in open_pieces if _holds(box, _middle(each.box))]
            surely = [each[1] for each in quick if self._is_plain(each)]
            hard = [each for each in mine if self._is_hard(each, _hope(each.box, hopes, surely))]
            seen += self._by_all_means(frame, box, hard, still) if hard and not found and not learning else here
        return seen

    def _is_hard(self, piece: Piece, hope: float) -> bool:
        """Is this to be read by all means: with much hope at once, with little, or where the net is blind, at last."""
        if piece.on_cards and piece.look > 1:
            return hope > HOPE or not self._sees
        return hope > SURELY or (piece.look == LAST_LOOK and (hope > MAYBE or not self._sees))

    def _by_all_means(self, frame: Frame, box: Box, pieces: list[Piece], still: Mask) -> list[tuple[Found, Corners]]:
        """What is found in a part of the frame that has these pieces, at last by seeking everywhere."""
        seen = self._read(frame, box)
        for piece in pieces:
            if piece.free and not any(_holds(piece.box, corners) for _, corners in seen):
                seen += self._sweep(frame, piece.box, still)
        return seen

    def _is_find(self, seen: tuple[Found, Corners]) -> bool:
        """Is this plainly a card, and none that is known to lie there?"""
        return self._is_plain(seen) and self._table.at(seen[1], seen[0].type) is None

    def _is_plain(self, seen: tuple[Found, Corners]) -> bool:
        """Was a card read surely, with most of its edge seen, and of a card's size?"""
        found, corners = seen
        return is_plainly_read(found) and self.card.fits(corners)

    def _note(self, found: Found, corners: Corners, now: Look, changed: Mask, resting: Mask) -> None:
        """Wait for this card to be read again, if it is a new one that rests."""
        mask = self._table.mask_of(corners)
        if not self.novelty.is_new(found, corners, mask, now, changed) or self._table.again(corners, now.yuv):
            return
        if found.type is None or not (rests(mask, resting) or merit(found) > PLAIN):
            self.pieces.sights.forget(mask)
            # It is looked at for the last time a moment before or after that.
            if self._rested_s(mask, now) >= PATIENCE_S - AGAIN_S / 2 and not self._was_there(mask, now):
                self._given_up = (found, corners)
            return
        rivals = [k for k in self._waiting if np.count_nonzero(k.mask & mask) > 0.3 * np.count_nonzero(mask)]
        if any(merit(k.found) >= merit(found) for k in rivals):
            return
        self._waiting = [k for k in self._waiting if k not in rivals]
        self._waiting.append(Waiting.of(found, corners, mask, now))

    def _was_there(self, mask: Mask, now: Look) -> bool:
        """Does a place where no card is known look as before, perhaps a little beside: a pack that a hand moved?"""
        if np.count_nonzero(self._table.covered() & mask) > 0.2 * np.count_nonzero(mask):
            return False
        return self._table.alike_before(mask, now.yuv, MOVED_PX) > SAME_CARD

    def _read_again(self, card: Waiting, frame: Frame, now: Look) -> None:
        """Read a waiting card once more, where it lies; if it is not seen there as well as before, look around."""
        card.look = now
        here = self._read(frame, self._around(card.corners, 0.3), card.corners) if card.types else []
        if not here or here[0][0].type is None or not _in_place(here[0], card):
            seen = self._read(frame, self._around(card.corners, 0.6)) or [k for k in here if k[0].type is not None]
            here = [k for k in seen if quads.overlap(k[1], card.corners) > 0.5]
        if not here:
            card.types.clear()
            return
        found, corners = max(here, key=lambda k: merit(k[0]))
        if not _in_place((found, corners), card):
            card.types.clear()
            card.mask = self._table.mask_of(corners)
            card.part = _box_of(card.mask)
        card.found, card.corners = found, corners
        if found.type is not None:
            card.types.append(found.type)

    def _around(self, corners: Corners, margin: float) -> Box:
        """The box of a card with a margin, a share of its length."""
        return around(self._picture, corners, margin)

    def _rested_s(self, mask: Mask, now: Look) -> float:
        """For how long a place has lain still."""
        return now.time_s - float(np.percentile(self._motion.last_moved[mask], 95))

    def _sweep(self, frame: Frame, box: Box, new: Mask) -> list[tuple[Found, Corners]]:
        """What is found by seeking a card of known size everywhere in a part of the frame."""
        x0, y0, x1, y1 = box
        at = np.array([x0, y0], np.float32)
        size = self._size_in(box)
        sweep = getattr(self._find, "sweep", None)
        if sweep is None or size is None:
            return []
        scale = self._table.scale
        part = new[int(y0 * scale) : max(int(y1 * scale), 1), int(x0 * scale) : max(int(x1 * scale), 1)]
        if not part.any():
            return []
        return [(k, np.asarray(k.corners, np.float32) + at) for k in sweep(part_of(frame, box), size, part)]

    def _glimpse(self, frame: Frame, box: Box) -> tuple[list[tuple[Found, Corners]], list[tuple[Corners, float]]]:
        """What the finder sees in a part of the frame at first sight, and where a card is how likely."""
        glimpse = getattr(self._find, "glimpse", None)
        if glimpse is None:
            return self._read(frame, box), []
        at = np.array(box[:2], np.float32)
        first: Glimpse = glimpse(part_of(frame, box), self._size_in(box))
        hopes = [(corners + at, likely) for corners, likely in first.hopes]
        return [(k, np.asarray(k.corners, np.float32) + at) for k in first.seen], hopes

    def _size_in(self, box: Box) -> Size | None:
        """The size of a card in the middle of a box."""
        return self.card.size_at(np.array([box[0] + box[2], box[1] + box[3]], np.float32) / 2)

    def _read(self, frame: Frame, box: Box, corners: Corners | None = None) -> list[tuple[Found, Corners]]:
        """What the finder sees in a part of the frame, with corners in the whole of it."""
        at = np.array(box[:2], np.float32)
        picture = part_of(frame, box)
        read = getattr(self._find, "read", None)
        if corners is not None and read is not None:
            found: Sequence[Found] = [read(picture, corners - at)]
        else:
            found = self._find(picture, self._size_in(box))
        return [(k, np.asarray(k.corners, np.float32) + at) for k in found]


def _box_of(mask: Mask) -> Part:
    """The rows and columns that a mask takes."""
    x, y, w, h = cv2.boundingRect(mask.view(np.uint8))
    return slice(y, y + h), slice(x, x + w)


def _hope(box: Box, hopes: list[tuple[Corners, float]], plain: list[Corners]) -> float:
    """How likely a card is in a box where one is likeliest that was not made out plainly; `plain` were."""
    left = [(k, n) for k, n in hopes if _holds(box, k) and not any(quads.overlap(k, p) > 0.5 for p in plain)]
    return max((likely for _, likely in left), default=0.0)


def _middle(box: Box) -> Corners:
    """A box as corners, of which only the middle counts."""
    return np.array([box[:2], box[2:]], np.float32)


def _holds(box: Box, corners: Corners) -> bool:
    """Does the middle of these corners lie in the box?"""
    x, y = corners.mean(axis=0)
    return bool(box[0] <= x < box[2] and box[1] <= y < box[3])


def _in_place(seen: tuple[Found, Corners], card: Waiting) -> bool:
    """Is this the card as it was found before, seen about as well?"""
    near = corners_apart(seen[1], card.corners) < SAME_PLACE * long_side(card.corners)
    return near and merit(seen[0]) > merit(card.found) - 0.2
