"""First touches of cards in the centre (Tournament ROCK!), from the change that a hand makes over a card.

A finger that comes to a stop on the face is taken for a touch, at the first frame in which it stood; how sure that is
is said as a confidence. From above, a finger that stops a centimetre over the card looks almost the same: no confidence
here is above `SURE`. A hand that passes over a card on its way is told with a low one, so that it can be reviewed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from referee.events import CardTouched, Seat
from vision import seats as whose

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.motion import Look
    from vision.table import Table

SURE = 0.85
"""Of a finger that stood on the face. Not calibrated on real hands: no recording with known touches is at hand."""
PASSING = 0.3
"""Of a hand that was over the face and never stood."""
STANDS = 3
"""Frames in which a finger must stand: a tenth of a second at 30 a second."""
LEAST = 0.03
"""Share of a card that a fingertip covers: 15 mm of finger on a card of 88 x 63 mm are more."""


@dataclass(slots=True)
class _Over:
    """A hand over a card."""

    since_s: float
    stood_s: float | None = None
    standing: int = 0
    frames: int = 0
    most: float = 0.0
    votes: dict[Seat, float] = field(default_factory=dict)


class Touches:
    """Follows hands over the known cards of a table; each card is told once until it is bare again."""

    def __init__(self, table: Table, seats: tuple[Seat, ...]) -> None:
        self._table = table
        self._seats = seats
        self._bare_since: dict[int, float] = {}
        self._over: dict[int, _Over] = {}
        self._told: set[int] = set()

    def since(self) -> float | None:
        """The earliest time that a touch still to be told may have."""
        return min((k.since_s for k in self._over.values()), default=None)

    def feed(
        self, now: Look, changed: NDArray[np.bool_], moved: NDArray[np.float32], arms: whose.Arms
    ) -> list[CardTouched]:
        """The next frame.

        Args:
            now: its small picture.
            changed: places that differ from the still table.
            moved: when each place last moved, seconds.
            arms: the pieces of `changed`.
        """
        out: list[CardTouched] = []
        for lying in self._table.cards.values():
            seen = self._table.visible(lying)
            size = int(np.count_nonzero(seen))
            if size >= 0.3 * np.count_nonzero(lying.mask):
                hidden = seen & changed
                out += self._card(lying.card, now, hidden, float(np.count_nonzero(hidden) / size), arms, moved)
        for card in [c for c in self._over if c not in self._table.cards]:
            del self._over[card]
        return out

    def _card(  # noqa: PLR0917  what one frame shows of one card
        self,
        card: int,
        now: Look,
        hidden: NDArray[np.bool_],
        share: float,
        arms: whose.Arms,
        moved: NDArray[np.float32],
    ) -> list[CardTouched]:
        if share < LEAST:
            self._bare_since.setdefault(card, now.time_s)
            self._told.discard(card)
            over = self._over.pop(card, None)
            return [] if over is None or over.most < 0.15 else [self._event(card, over.since_s, over, PASSING)]
        bare = self._bare_since.pop(card, None)
        if card not in self._over and card not in self._told and bare is not None and now.time_s - bare > 0.1:
            # The hand that laid the card must have left it first.
            self._over[card] = _Over(now.time_s)
        over = self._over.get(card)
        if over is None:
            return []
        over.frames += 1
        over.most = max(over.most, share)
        for seat, pixels in arms.reach(hidden).items():
            over.votes[seat] = over.votes.get(seat, 0.0) + pixels
        return self._stood(card, now, over, float(np.mean(moved[hidden] >= now.time_s)))

    def _stood(self, card: int, now: Look, over: _Over, moving: float) -> list[CardTouched]:
        """A finger stands when little of what hides the card moves."""
        if moving > 0.35:
            over.standing, over.stood_s = 0, None
            return []
        if over.stood_s is None:
            over.stood_s = now.time_s
        over.standing += 1
        if over.standing < STANDS:
            return []
        self._told.add(card)
        del self._over[card]
        return [self._event(card, over.stood_s, over, SURE)]

    def _event(self, card: int, time_s: float, over: _Over, confidence: float) -> CardTouched:
        seat = whose.decide([(1.0, over.votes)], self._seats)
        # The finger came down between its first frame over the card and the one in which it stood.
        early_ms = 1000 * max(0.0, time_s - over.since_s)
        sigma = min(120.0, max(25.0, 0.3 * early_ms))
        return CardTouched(
            time_s=round(time_s, 5), sigma_ms=round(sigma, 1), seat=seat, card=card, confidence=confidence
        )
