"""The still table: how it looks with what lies on it, how it looks bare, and the cards known to lie there.

Works on small pictures (`vision.motion.Look`). Piles are seen by change: a card on a pile of its own type is a change
of the still table with a quad at a new place; a card that a hand covered and bared again is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.motion import difference, gain_between
from vision.rectify import order_corners

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from referee.events import Type

CHANGED = 8
"""Levels by which a place differs from the still table. White cards on a white table differ by 15, noise by 2."""
SAME_PLACE = 0.07
"""Corners within this share of the card's longer side are the same place: reading twice differs by 0.02."""


BESIDE = 0.4
"""Share of its length by which a card may have been pushed and still be taken for the same."""
LEFT = 0.03
"""Share of a card's place that must be left by a push to be told from a new card on it."""
AS_BEFORE = 0.7
"""Share of what peeps out from under a card that must look as it did."""
STILL_ON = 0.9
"""Share of what it changed beside another card that must look as with it for a card to lie there still."""
SAME_CARD = 0.75
"""Correlation of brightness above which a place still shows the same card: shadows move it little, other pips much."""


ON = 0.6
"""A card lies on others if they are under at least this share of it."""
GONE = 0.3
"""Correlation below which a place does not show the card that lay there: a shadow or a finger leaves more of it."""
UNMOVED = 0.92
"""Correlation above which nothing has changed there but the light: a card laid on it askew changes more."""


@dataclass(slots=True)
class Lying:
    """A card on the table, as it was when it came to rest."""

    card: int
    corners: NDArray[np.float32]
    """Shape (4, 2), pixels of the full picture."""
    type: Type | None
    """What was read on it."""
    mask: NDArray[np.bool_]
    """Its place in the small picture."""
    patch: NDArray[np.uint8]
    """The small picture when it was read."""
    under: NDArray[np.uint8]
    """The still table before it: what is seen again when it is gone."""
    box: tuple[int, int, int, int]
    """Left, top, right and bottom of `mask`."""
    close: NDArray[np.uint8] | None = None
    """As `vision.stacked.close_up` gives it, from the full picture, for a card that was read."""
    covered_s: float | None = None
    """Since when its visible part has looked different, if it does."""
    put_s: float = -1e9
    """When it was told of."""
    seen_s: float = -1e9
    """When it was last read again where it lies."""
    left: bool = False
    """What lay under it was read again."""


class Table:
    """The still picture and the bare table behind the cards.

    Args:
        first: the first small picture.
        scale: small pixels for each pixel of the full picture.
    """

    def __init__(self, first: NDArray[np.uint8], scale: float) -> None:
        self.scale = scale
        self.still = first.copy()
        self.bare = first.copy()
        self.cards: dict[int, Lying] = {}
        self._changed = np.zeros(first.shape[:2], np.bool_)

    def level(self, yuv: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture at the exposure of the still table."""
        gain = gain_between(yuv, self.still, self._changed)
        if abs(gain - 1) < 0.02:
            return yuv
        # Rounding down instead would make the still table drift darker with every step of `adapt`.
        y = cv2.convertScaleAbs(yuv[:, :, 0], alpha=1 / gain)
        out = yuv.copy()
        out[:, :, 0] = y
        return out

    def changed(self, yuv: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Places that differ from the still table; `yuv` is levelled."""
        mask = np.asarray(difference(yuv, self.still) > CHANGED, np.uint8)
        self._changed = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).astype(np.bool_)
        return self._changed

    def mask_of(self, corners: NDArray[np.float32]) -> NDArray[np.bool_]:
        """The place of a quad of the full picture in the small one."""
        mask = np.zeros(self.still.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners * self.scale * 16).astype(np.int32), 1, shift=4)
        return mask.astype(np.bool_)

    def at(self, corners: NDArray[np.float32], shown: Type | None) -> Lying | None:
        """The topmost known card that lies about in this place and may be the one that is read there.

        Of a card half covered the corners are uncertain, and one that was pushed lies a little beside its place.

        Args:
            corners: of what is read, shape (4, 2), pixels of the full picture.
            shown: its type, None if it cannot be read.
        """
        side, centre = _long_side(corners), corners.mean(axis=0)
        for lying in reversed(self.cards.values()):
            if shown in (None, lying.type) and corners_apart(corners, lying.corners) < 2 * SAME_PLACE * side:
                return lying
        for lying in reversed(self.cards.values()):
            if float(np.linalg.norm(lying.corners.mean(axis=0) - centre)) < BESIDE * side:
                return lying if shown is not None and lying.type == shown else None  # what lies on it stays
        return None

    def is_on(self, lying: Lying, corners: NDArray[np.float32], yuv: NDArray[np.uint8]) -> bool:
        """Is this card still seen beside what is read at these corners, and not what lay under it?"""
        beside = lying.mask & ~_grown(self.mask_of(corners), 1)
        telling = beside & (difference(lying.patch, lying.under) > CHANGED)
        if np.count_nonzero(telling) < LEFT * np.count_nonzero(lying.mask):
            return False
        nearer = difference(yuv, lying.patch)[telling] < difference(yuv, lying.under)[telling]
        return float(np.mean(nearer)) > STILL_ON

    def peeps(self, lying: Lying, corners: NDArray[np.float32], yuv: NDArray[np.uint8]) -> bool:
        """Is enough of this card seen, as it was, beside what lies at these corners now?"""
        beside = lying.mask & ~_grown(self.mask_of(corners), 1)
        telling = beside & (difference(lying.patch, lying.under) > CHANGED)
        if np.count_nonzero(telling) < LEFT * np.count_nonzero(lying.mask):
            return False
        return float(np.mean(difference(yuv, lying.patch)[telling] <= 2 * CHANGED)) > AS_BEFORE

    def nudged(self, lying: Lying, corners: NDArray[np.float32], yuv: NDArray[np.uint8]) -> bool:
        """Was this card pushed to these corners? Then what lay under it is seen again. The card is moved along."""
        mask = self.mask_of(corners)
        left = lying.mask & ~_grown(mask, 1)
        telling = left & (difference(lying.patch, lying.under) > CHANGED)
        if np.count_nonzero(telling) < LEFT * np.count_nonzero(lying.mask):
            return False
        bare = difference(yuv, lying.under)[telling] < difference(yuv, lying.patch)[telling]
        if float(np.mean(bare)) < 0.6:
            return False
        self.still[left] = lying.under[left]
        self.refresh(_grown(mask, 2), yuv)
        lying.corners, lying.mask, lying.box, lying.patch = corners, mask, _box(mask), yuv
        return True

    def stays(self, lying: Lying, yuv: NDArray[np.uint8]) -> bool:
        """Is this card seen where it was, and nothing on it, in whatever light?"""
        corners = lying.corners * np.float32(self.scale)
        return _alike(_flat(lying.patch, corners), _flat(yuv, corners)) > UNMOVED

    def shows(self, lying: Lying, corners: NDArray[np.float32], yuv: NDArray[np.uint8]) -> bool:
        """Is it this card, all of it, that is seen at these corners, in whatever light?"""
        before = _flat(lying.patch, lying.corners * np.float32(self.scale))
        seen = _flat(yuv, corners * np.float32(self.scale))
        return max(_alike(before, seen), _alike(before, seen[::-1, ::-1])) > SAME_CARD

    def unmoved(self, place: NDArray[np.bool_], yuv: NDArray[np.uint8]) -> Lying | None:
        """The topmost known card under most of a place, if nothing but the light has changed on it."""
        least = 0.5 * np.count_nonzero(place)
        for lying in reversed(self.cards.values()):
            if np.count_nonzero(place & lying.mask) > least:
                return lying if self.stays(lying, yuv) else None
        return None

    def known(self, place: NDArray[np.bool_], yuv: NDArray[np.uint8]) -> bool:
        """Does this place look as it did when one of the known cards had just come to lie there, in whatever light?"""
        for lying in self.cards.values():
            inside = place & lying.mask
            if np.count_nonzero(inside) < 0.7 * np.count_nonzero(place):
                continue
            before, seen = lying.patch[inside].astype(np.float32), yuv[inside].astype(np.float32)
            light = float(np.median(seen[:, 0] / np.maximum(before[:, 0], 1)))
            before[:, 0] *= min(1.5, max(0.6, light))
            if float(np.mean(_levels(seen, before) < CHANGED)) > 0.85:
                return True
        return False

    def alike_before(self, place: NDArray[np.bool_], yuv: NDArray[np.uint8], reach: int) -> float:
        """How much a place looks as the still table did, there or up to so many small pixels beside: a correlation."""
        x0, y0, x1, y1 = _box(place)
        if min(x0, y0, place.shape[1] - x1, place.shape[0] - y1) < reach:
            return 0.0
        inside = place[y0:y1, x0:x1]
        now = cv2.GaussianBlur(np.ascontiguousarray(yuv[y0:y1, x0:x1, 0]), (3, 3), 0)[inside].astype(np.float32)
        around = np.ascontiguousarray(self.still[y0 - reach : y1 + reach, x0 - reach : x1 + reach, 0])
        soft = cv2.GaussianBlur(around, (3, 3), 0).astype(np.float32)
        high, wide = inside.shape
        shifts = range(2 * reach + 1)
        return max(_alike(now, soft[dy : dy + high, dx : dx + wide][inside]) for dy in shifts for dx in shifts)

    def on(self, lying: Lying) -> list[Lying]:
        """The cards that lie on this one."""

        def lies_on(other: Lying) -> bool:
            shared = np.count_nonzero(other.mask & lying.mask)
            return bool(other.card > lying.card and shared > 0.3 * np.count_nonzero(other.mask))

        return [other for other in self.cards.values() if lies_on(other)]

    def bared(self, lying: Lying) -> None:
        """This card was read again: what lay on it is gone."""
        for other in self.on(lying):
            other.left = True

    def again(self, corners: NDArray[np.float32], yuv: NDArray[np.uint8]) -> bool:
        """Is this a known card bared by one that is leaving? Where the two differ, its place looks as it did before."""
        centre, side = corners.mean(axis=0), _long_side(corners)
        for lying in self.cards.values():
            if float(np.linalg.norm(lying.corners.mean(axis=0) - centre)) > 0.25 * side:
                continue
            over = [k.mask for k in self.cards.values() if k.card > lying.card and (k.mask & lying.mask).any()]
            if not over:
                continue  # nothing hid it: what differs from the still table is something new
            if self.stays(lying, yuv):
                return True
            seen = lying.mask & self.mask_of(corners) & np.logical_or.reduce(over)
            telling = seen & (difference(lying.patch, self.still) > CHANGED)
            if np.count_nonzero(telling) < 0.03 * np.count_nonzero(lying.mask):
                continue
            nearer = difference(yuv, lying.patch)[telling] < difference(yuv, self.still)[telling]
            if float(np.mean(nearer)) > 0.8:
                return True
        return False

    def visible(self, lying: Lying) -> NDArray[np.bool_]:
        """The part of a card's place that no later card covers."""
        mask = lying.mask.copy()
        for other in self.cards.values():
            if other.card > lying.card:
                mask &= ~other.mask
        return mask

    def put(self, card: int, corners: NDArray[np.float32], yuv: NDArray[np.uint8], shown: Type | None = None) -> Lying:
        """A card came to rest here; its place becomes part of the still table."""
        mask = self.mask_of(corners)
        lying = Lying(card, corners, shown, mask, yuv, self.still.copy(), _box(mask))
        self.cards[card] = lying
        self.refresh(_grown(lying.mask, 2), yuv)
        return lying

    def without(self, lying: Lying) -> NDArray[np.uint8]:
        """The still table as it would look without this card."""
        out = self.still.copy()
        _lay(lying.under, out, _grown(lying.mask, 2))
        return out

    def refresh(self, mask: NDArray[np.bool_], yuv: NDArray[np.uint8]) -> None:
        """Take these places as the still table; where no card lies, as the bare table too."""
        _lay(yuv, self.still, mask)
        _lay(yuv, self.bare, mask & ~self.covered())

    def seen_since(self, since_s: float) -> NDArray[np.bool_]:
        """Places of known cards that were read again since then, with a rim."""
        out = np.zeros(self.still.shape[:2], np.bool_)
        for lying in self.cards.values():
            if lying.seen_s >= since_s:
                out |= lying.mask
        return _grown(out, 4) if out.any() else out

    def covered(self) -> NDArray[np.bool_]:
        """All places where known cards lie, with a rim for blur."""
        out = np.zeros(self.still.shape[:2], np.bool_)
        for lying in self.cards.values():
            out |= lying.mask
        return _grown(out, 2) if self.cards else out

    def adapt(self, yuv: NDArray[np.uint8], mask: NDArray[np.bool_]) -> None:
        """Follow slow changes of light, a level at a time, in places that look as they did."""
        mask3 = cv2.merge([mask.astype(np.uint8)] * 3)
        up = cv2.min(cv2.subtract(yuv, self.still), mask3)
        down = cv2.min(cv2.subtract(self.still, yuv), mask3)
        self.still = np.asarray(cv2.subtract(cv2.add(self.still, up), down), np.uint8)
        _lay(self.still, self.bare, ~self.covered())

    def gone(self, yuv: NDArray[np.uint8], resting: NDArray[np.bool_]) -> list[Lying]:
        """Cards whose place rests and looks like the table without them. Does not take them away."""
        out: list[Lying] = []
        for lying in reversed(self.cards.values()):
            seen = self._uncovered(lying, out)
            if lying.left:
                out.append(lying)
                continue
            if np.count_nonzero(seen) < 0.15 * np.count_nonzero(lying.mask):
                continue
            if np.count_nonzero(resting & seen) < 0.97 * np.count_nonzero(seen):
                continue
            if self._looks_bare(lying, yuv, seen):
                out.append(lying)
        return out + [k for k in self.cards.values() if k not in out and self._went_with(k, out, yuv, resting)]

    def _went_with(self, lying: Lying, gone: list[Lying], yuv: NDArray[np.uint8], resting: NDArray[np.bool_]) -> bool:
        """Did this card lie on some that are gone, and is not seen itself any more?"""
        on = [k.mask for k in gone if k.card < lying.card and (k.mask & lying.mask).any()]
        if not on or np.count_nonzero(np.logical_or.reduce(on) & lying.mask) < ON * np.count_nonzero(lying.mask):
            return False
        seen = np.count_nonzero(self._uncovered(lying, gone) & resting)
        corners = lying.corners * np.float32(self.scale)
        shown = _alike(_flat(lying.patch, corners), _flat(yuv, corners))
        return bool(seen > 0.9 * np.count_nonzero(lying.mask) and shown < GONE)

    def take(self, cards: Iterable[Lying], yuv: NDArray[np.uint8]) -> None:
        """These cards are gone: the still table is what lay under them, and where no card lies what is seen now."""
        mask = np.zeros(self.still.shape[:2], np.bool_)
        for lying in sorted(cards, key=lambda k: -k.card):
            mask |= lying.mask
            del self.cards[lying.card]
            _lay(lying.under, self.still, _grown(lying.mask, 2))
        self.refresh(_grown(mask, 2) & ~self.covered(), yuv)

    def pushed(self, matrix: NDArray[np.float64], yuv: NDArray[np.uint8]) -> None:
        """The camera was pushed: move everything that is remembered, `matrix` as from `vision.camera.push`."""
        size = (self.still.shape[1], self.still.shape[0])

        def moved(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
            return np.asarray(cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)

        self.bare = moved(self.bare)
        self.still = yuv.copy()
        for lying in self.cards.values():
            ends = np.column_stack([lying.corners * self.scale, np.ones(4)]) @ matrix.T / self.scale
            lying.corners = np.asarray(ends, np.float32)
            lying.mask = self.mask_of(lying.corners)
            lying.box = _box(lying.mask)
            lying.patch, lying.under = moved(lying.patch), moved(lying.under)
            lying.covered_s = lying.close = None
        _lay(yuv, self.bare, ~self.covered())

    def _uncovered(self, lying: Lying, leaving: list[Lying]) -> NDArray[np.bool_]:
        mask = lying.mask.copy()
        for other in self.cards.values():
            if other.card > lying.card and other not in leaving:
                mask &= ~other.mask
        return mask

    def _looks_bare(self, lying: Lying, yuv: NDArray[np.uint8], seen: NDArray[np.bool_]) -> bool:
        """Is what lay under the card seen again: the bare table, or the cards below it?"""
        x0, y0, x1, y1 = lying.box
        part = slice(max(0, y0 - 4), y1 + 4), slice(max(0, x0 - 4), x1 + 4)
        rim = _grown(lying.mask[part], 4) & ~self.covered()[part]
        return any(
            _uncovered_like(lying.patch[part], without[part], yuv[part], seen[part], rim)
            for without in (lying.under, self.bare)
        )


def _lay(yuv: NDArray[np.uint8], on: NDArray[np.uint8], mask: NDArray[np.bool_]) -> None:
    """Copy these places of a picture onto another: ten times as fast as by an index."""
    cv2.copyTo(yuv, mask.view(np.uint8), on)


def _uncovered_like(
    card: NDArray[np.uint8],
    without: NDArray[np.uint8],
    yuv: NDArray[np.uint8],
    seen: NDArray[np.bool_],
    rim: NDArray[np.bool_],
) -> bool:
    """Compare where the pictures with and without the card differ: now must be nearer to the latter, and near it.

    The rim, where nothing lay, tells how much lighter or darker it is there now.
    """
    telling = seen & (difference(card, without) > CHANGED)
    if np.count_nonzero(telling) < 0.03 * np.count_nonzero(seen) + 3:
        return False
    light = 1.0
    if np.count_nonzero(rim) >= 20:
        light = float(np.median(yuv[rim, 0] / np.maximum(without[rim, 0], 1.0)))
    expected = without[telling].astype(np.float32)
    expected[:, 0] *= min(1.5, max(0.6, light))
    now = yuv[telling].astype(np.float32)
    to_without = _levels(now, expected)
    nearer = float(np.mean(to_without < _levels(now, card[telling].astype(np.float32))))
    return nearer > 0.85 and float(np.mean(to_without < 2.5 * CHANGED)) > 0.75


def _levels(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """As `vision.motion.difference`, for lists of pixels."""
    d = np.abs(a - b)
    return np.asarray(np.maximum(d[:, 0], 2 * np.maximum(d[:, 1], d[:, 2])), np.float32)


def corners_apart(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Largest distance between matching corners in pixels, whichever corner each list starts with."""
    return float(min(np.max(np.linalg.norm(a - np.roll(b, k, axis=0), axis=1)) for k in range(4)))


def _alike(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Correlation of two flat cards' brightness; 0 where one has none."""
    spread = float(a.std() * b.std())
    return float(np.mean((a - a.mean()) * (b - b.mean()))) / spread if spread > 1 else 0.0


def _flat(yuv: NDArray[np.uint8], corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """The brightness of a card laid flat, a little blurred."""
    width, height = 30, 42
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(order_corners(corners), target)
    flat = cv2.warpPerspective(yuv[:, :, 0], matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(flat, (3, 3), 0)[2:-2, 2:-2], np.float32)


def _box(mask: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    x, y, w, h = cv2.boundingRect(mask.astype(np.uint8))
    return x, y, x + w, y + h


def _long_side(corners: NDArray[np.float32]) -> float:
    return float(np.max(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)))


def _grown(mask: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    kernel = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
    return cv2.dilate(mask.astype(np.uint8), kernel).astype(np.bool_)
