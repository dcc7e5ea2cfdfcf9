"""Cards that have just come to a halt, read at first sight for a screen: nothing counts yet, and nothing is changed.

A card is read for the record when its place has rested, and once more after that, which takes half a second. What it
is shows as soon as it stands still from picture to picture. This is only looked at when somebody is shown it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.arrivals import Arrivals, Waiting
from vision.pieces import Pieces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from referee.media import Frame
    from vision.finder import Found
    from vision.motion import Look, Motion
    from vision.table import Table

    Mask = NDArray[np.bool_]
    Corners = NDArray[np.float32]

FRESH_S = 0.4
"""What halted longer ago is being read for the record, if it is a card."""
LOOKS = 2
"""No card was made out at the third look at a sight, or later: 105 such looks in two staged games."""
STAYS_S = 0.05
"""A reading is shown when its place still looks the same at the next look: cards that are drawn away halt, too."""
SHARED = 0.3
"""Two readings that share more than this of a card's place are of one card."""


class Foresight:
    """What will be told of, if it comes to rest.

    Args:
        table: the still table and the cards known to lie there.
        moves: what moved.
        arrivals: what is being read for the record.
        picture: width and height of the full picture.
    """

    def __init__(self, table: Table, moves: Motion, arrivals: Arrivals, picture: tuple[int, int]) -> None:
        self._table, self._motion, self._arrivals = table, moves, arrivals
        self._pieces = Pieces(table, moves, arrivals.card, picture)
        self._cards: list[Waiting] = []
        self._now_s = 0.0

    def cards(self) -> list[tuple[Found, Corners]]:
        """Each card as it was read."""
        return [(k.found, k.corners) for k in self._cards if self._now_s - k.found_s >= STAYS_S]

    def feed(self, frame: Frame, now: Look, changed: Mask) -> None:
        """The next picture; before the size of a card is known nothing is read."""
        self._now_s = now.time_s
        taken = self._arrivals.waiting()
        self._cards = [k for k in self._cards if k.same(now) and not self._is_told(k, taken)]
        if self._arrivals.card.size is None:
            return
        for card in self._cards:
            taken |= card.mask
        fresh = changed & (self._motion.last_moved > now.time_s - FRESH_S)
        pieces = self._pieces.find(now, fresh, self._motion.halted(), taken)
        for found, corners in self._arrivals.glance(frame, [k for k in pieces if k.look <= LOOKS]):
            card = Waiting.of(found, corners, self._table.mask_of(corners), now)
            if self._is_new(card, changed, now) and not self._is_told(card, taken):
                self._cards.append(card)
                taken |= card.mask

    def _is_told(self, card: Waiting, taken: Mask) -> bool:
        """Is this card known, or being read for the record?"""
        shared = int(np.count_nonzero(card.mask & taken))
        if shared > SHARED * int(np.count_nonzero(card.mask)):
            return True
        return self._table.at(card.corners, card.found.type) is not None

    def _is_new(self, card: Waiting, changed: Mask, now: Look) -> bool:
        """Has enough of its place changed, and not because a card above it was taken?"""
        enough = self._arrivals.novelty.least_changed(card.mask) * int(np.count_nonzero(card.mask))
        changes = int(np.count_nonzero(changed & card.mask))
        return changes > enough and not self._table.again(card.corners, now.yuv)
