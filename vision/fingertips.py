"""Does a hand over a card end on it, or does its arm only reach over it to something beyond?

From above an arm that reaches over one card to the next covers both; it can only touch the one that its fingers are on.
Without the card's surroundings such an arm falls in two: what comes in from the edge, and what is beyond. Where two
arms meet in the picture that is not seen, and the last that was seen of each tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from referee.events import Seat

    Mask = NDArray[np.bool_]

AROUND = 0.8
"""In card lengths from its middle: an arm that covers a part of a card is cut through by such a circle."""
BEYOND = 1.1
"""In card lengths from its middle: fingers of a hand that lies flat on the card do not reach as far."""
LEAST = 0.02
"""Share of a card's area of which what is beyond is more than noise."""
RESTS_S = 0.09
"""A hand that ends on a card for so long does not only pass: a passing one does for two frames of 30 a second."""
FORGOTTEN_S = 1.0
"""After so long nothing is known any more of a hand that another one hides."""


def goes_past(hands: Mask, card: Mask, high: float) -> bool:
    """Is there a part of a hand beyond the card, joined to the edge of the picture only there?

    Args:
        hands: where hands and arms are, small picture.
        card: the card's place.
        high: its length, small pixels.
    """
    rows, columns = np.nonzero(card)
    middle = float(columns.mean()), float(rows.mean())
    near = np.ascontiguousarray(card).astype(np.uint8)
    cv2.circle(near, (round(middle[0]), round(middle[1])), round(AROUND * high), (1,), cv2.FILLED)
    rest = np.asarray(hands & (near == 0), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(rest)
    touching = np.unique(labels[cv2.dilate(near, np.ones((3, 3), np.uint8)) > 0])
    tall, wide = hands.shape
    for k in touching:
        x, y, w, h, area = (int(v) for v in stats[k])
        inside = x > 1 and y > 1 and x + w < wide - 1 and y + h < tall - 1
        if 0 < k < count and inside and area > LEAST * len(rows):
            ys, xs = np.nonzero(labels[y : y + h, x : x + w] == k)
            if float(np.hypot(xs + x - middle[0], ys + y - middle[1]).max()) > BEYOND * high:
                return True
    return False


@dataclass(slots=True)
class _End:
    """The card that a hand ended on when it was last seen alone."""

    card: int
    since_s: float
    time_s: float


class Ends:
    """Remembers on which card each seat's hand ended."""

    def __init__(self) -> None:
        self._ends: dict[Seat, _End] = {}

    def note(self, seat: Seat, card: int, time_s: float) -> None:
        """This seat's hand is seen alone, and ends on this card."""
        old = self._ends.get(seat)
        same = old is not None and old.card == card and time_s - old.time_s < 2 * RESTS_S
        self._ends[seat] = _End(card, old.since_s if old is not None and same else time_s, time_s)

    def rests_on(self, seat: Seat, time_s: float) -> int | None:
        """The card that this seat's hand came to rest on, as far as it was seen lately."""
        end = self._ends.get(seat)
        if end is None or end.time_s - end.since_s < RESTS_S or time_s - end.time_s > FORGOTTEN_S:
            return None
        return end.card
