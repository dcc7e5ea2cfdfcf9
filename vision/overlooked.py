"""What came to lie on known cards, looks like a face and was not made out as a card.

A card that is overlooked would spoil the count of everything after it; one that is put to review does not. What is no
card here is light, a shadow, a known card bared or moved, or the rest of a card whose edges were read a little amiss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.pieces import AGAIN_S, PATIENCE_S
from vision.table import UNMOVED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vision.arrivals import Arrivals
    from vision.motion import Look, Motion
    from vision.seats import Arms
    from vision.table import Table

    Mask = NDArray[np.bool_]
    Corners = NDArray[np.float32]

STIRRED = 0.03
"""Share of something on known cards that moves around it when it moves with them: a card's edges are a twentieth."""
LATEST_S = 1.1
"""A card that lies partly on known ones is read within this time from when it came to rest, or given up."""
RIM = 0.45
"""How wide what is left of a misread card is at most, of a card's shorter side: half a card would be one."""
LANDED_S = 2.5
"""So long before a card is told of at most it came to rest, and with it what is left of it."""


class Overlooked:
    """Looks for cards that were not made out.

    Args:
        table: the still table and the cards known to lie there.
        moves: when each place last moved.
        arrivals: what is being read, and what a card looks like here.
    """

    def __init__(self, table: Table, moves: Motion, arrivals: Arrivals) -> None:
        self._table, self._motion, self._new = table, moves, arrivals

    def find(self, now: Look, changed: Mask, arms: Arms) -> Iterator[tuple[Corners, bool]]:
        """Corners of each, in pixels of the full picture, and whether it is doubtful: not seen beside known cards.

        What is given is to be put on the table before the next one is asked for.
        """
        card, ground = self._new.pieces.card_area, self._new.card.ground
        if ground is None or not self._table.cards:
            return
        moved = self._motion.last_moved
        new = changed & (moved < now.time_s - PATIENCE_S - AGAIN_S) & ~self._new.awaited(now)
        still = new & self._table.covered()
        if np.count_nonzero(still) < 0.1 * card:
            return
        face = ground.coloured(now.yuv)
        # A hand's shadow on a pile is darker and of the same colour: no card is.
        if np.count_nonzero(ground.new(now.yuv, self._table.still) & still) < 0.03 * card:
            return
        seen = self._table.seen_since(now.time_s - PATIENCE_S)
        # A known card that is drawn away changes all over, though only its edges move.
        leaving = self._table.covered() & (moved > now.time_s - AGAIN_S)
        closed = cv2.morphologyEx(still.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((11, 11), np.uint8))
        for contour in cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            x, y, w, h = cv2.boundingRect(contour)
            part = slice(y, y + h), slice(x, x + w)
            if cv2.contourArea(contour) < 0.1 * card or float(np.mean(face[part])) <= 0.6:
                continue
            place = np.zeros(still.shape, np.uint8)
            cv2.drawContours(place, [contour], -1, (1,), cv2.FILLED)
            where = place.astype(np.bool_)
            if arms.reach(where) or (where & seen).any():
                continue  # an arm, whose hand may rest there for long, or the light on a card that is still seen
            if np.count_nonzero(leaving[part]) > STIRRED * np.count_nonzero(where):
                continue
            beside = self._goes_on(where, new & ~still)
            late = float(moved[where].max()) < now.time_s - LATEST_S
            if self._is_explained(where, changed, now) or (beside and not late):
                continue
            corners = np.asarray(cv2.boxPoints(cv2.minAreaRect(contour)), np.float32) / np.float32(self._table.scale)
            if not beside and self._is_rest(corners, where):
                self._table.refresh(where, now.yuv)
                continue
            yield corners, not beside

    def _is_explained(self, place: Mask, changed: Mask, now: Look) -> bool:
        """Is it known cards that are seen here, in another light, or bared?"""
        card = self._table.unmoved(place, now.yuv)
        if card is not None:
            card.seen_s = now.time_s
            return True
        # A camera that trembles, or a picture that is coded anew, moves every edge a little.
        known = self._table.known(place & changed, now.yuv) or self._table.alike_before(place, now.yuv, 1) > UNMOVED
        if known:
            self._table.refresh(place, now.yuv)
        return known

    def _goes_on(self, place: Mask, beyond: Mask) -> bool:
        """Does what lies in this place on known cards go on beside them, as a new card does?"""
        joined = place | beyond
        labels = cv2.connectedComponents(cv2.dilate(joined.view(np.uint8), np.ones((5, 5), np.uint8)))[1]
        mine = beyond & np.isin(labels, np.unique(labels[place]))
        return bool(np.count_nonzero(mine) > 0.15 * self._new.pieces.card_area)

    def _is_rest(self, corners: Corners, place: Mask) -> bool:
        """Is it a strip along a card that came to rest with it, on an older one: the edge was read of that one?"""
        size = self._new.card.size_at(corners.mean(axis=0))
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        if size is None or float(sides.min()) > RIM * size.area_px / size.long_px:
            return False
        around = cv2.dilate(place.view(np.uint8), np.ones((5, 5), np.uint8)) > 0
        rested_s = float(self._motion.last_moved[place].max())
        return any(
            0 <= lying.put_s - rested_s < LANDED_S and (around & lying.mask).any()
            for lying in self._table.cards.values()
        )
