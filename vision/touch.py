"""First touches of cards in the centre (Tournament ROCK!), from the change that a hand makes over a card.

A finger that comes to a stop on the face is taken for a touch, at the first frame in which it stood; how sure that is
is said as a confidence. From above, a finger that stops a centimetre over the card looks almost the same: no confidence
here is above `SURE`. A hand that passes over a card on its way is told with a low one, so that it can be reviewed.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from referee.events import CardTouched, Seat
from vision import fingertips, motion
from vision import seats as whose
from vision.rectify import long_side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.motion import Look
    from vision.table import Lying, Table

SURE = 0.85
"""Of a finger that stood on the face. Not calibrated on real hands: no recording with known touches is at hand."""
PASSING = 0.3
"""Of a hand that was over the face and never stood."""
PASSED = 0.15
"""Share of a card that a hand hides at least on its way over it."""
STANDS = 3
"""Frames in which a finger must stand: a tenth of a second at 30 a second."""
LATE = 3
"""Frames from when a finger has stopped until nothing is seen to move: each is compared with the third before it."""
LAYING_S = 0.7
"""A card that a hand lays is read within this after the hand was over what lies there."""
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
    past: set[Seat] = field(default_factory=set)
    """Whose arm reaches over the card to something beyond."""
    lingered_s: float | None = None
    """When a hand first came to rest on the card, or may have: where arms meet it is not seen."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A touch that may turn out to be a hand laying a card."""

    event: CardTouched
    mask: NDArray[np.bool_]
    newest: int
    """The last card that was known then."""
    found_s: float


class Touches:
    """Follows hands over the known cards of a table; each card is told once until it is bare again."""

    def __init__(self, table: Table, seats: tuple[Seat, ...]) -> None:
        self._table = table
        self._seats = seats
        self._bare_since: dict[int, float] = {}
        self._over: dict[int, _Over] = {}
        self._told: set[int] = set()
        self._held: list[_Held] = []
        self._ends = fingertips.Ends()
        self._times: deque[float] = deque(maxlen=LATE + 1)

    def since(self) -> float | None:
        """The earliest time that a touch still to be told may have."""
        times = [k.since_s for k in self._over.values()] + [k.event.time_s for k in self._held]
        return min(times, default=None)

    def end(self) -> list[CardTouched]:
        """What was held back when nothing more comes."""
        return self._told_now(float("inf"))

    def feed(self, now: Look, changed: NDArray[np.bool_], moved: NDArray[np.float32]) -> list[CardTouched]:
        """The next frame.

        Args:
            now: its small picture.
            changed: places that differ from the still table.
            moved: when each place last moved, seconds.
        """
        hands = changed & motion.unshaded(now.yuv, self._table.still, marks=False)
        arms = whose.Arms(hands)
        self._times.append(now.time_s)
        newest = max(self._table.cards, default=0)
        for lying in self._table.cards.values():
            seen = self._table.visible(lying)
            size = int(np.count_nonzero(seen))
            if size >= 0.3 * np.count_nonzero(lying.mask):
                hidden = seen & hands
                found = self._card(lying, now, hidden, float(np.count_nonzero(hidden) / size), arms, moved)
                self._held += [_Held(event, lying.mask, newest, now.time_s) for event in found]
        for card in [c for c in self._over if c not in self._table.cards]:
            del self._over[card]
        return self._told_now(now.time_s)

    def _told_now(self, now_s: float) -> list[CardTouched]:
        """What was held back for long enough, but for hands that were laying a card."""
        due = [k for k in self._held if now_s - k.found_s >= LAYING_S]
        self._held = [k for k in self._held if now_s - k.found_s < LAYING_S]
        return [k.event for k in due if not self._was_laying(k)]

    def _was_laying(self, held: _Held) -> bool:
        """Has a card come to lie there since?"""
        return any(k.card > held.newest and bool((k.mask & held.mask).any()) for k in self._table.cards.values())

    def _card(  # noqa: PLR0917  what one frame shows of one card
        self,
        lying: Lying,
        now: Look,
        hidden: NDArray[np.bool_],
        share: float,
        arms: whose.Arms,
        moved: NDArray[np.float32],
    ) -> list[CardTouched]:
        card = lying.card
        if share < LEAST:
            self._bare_since.setdefault(card, now.time_s)
            self._told.discard(card)
            over = self._over.pop(card, None)
            if over is None or over.lingered_s is None or over.most < PASSED or not over.votes:
                return []
            return [self._event(card, over.lingered_s, over, PASSING)]
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
        there = arms.at(hidden)
        self._note(lying, over, arms, there, now.time_s)
        return self._stood(lying, now, over, there, float(np.mean(moved[hidden] >= now.time_s)))

    def _note(self, lying: Lying, over: _Over, hands: whose.Arms, arms: list[tuple[Seat, ...]], now_s: float) -> None:
        """Whose hand ends on the card, and whose arm only reaches over it? Of arms that meet nothing is seen."""
        alone = {arm[0] for arm in arms if len(arm) == 1}
        meeting = {seat for arm in arms if len(arm) > 1 for seat in arm}
        if meeting - over.past and over.lingered_s is None:
            over.lingered_s = now_s
        if meeting or not alone:
            return
        if fingertips.goes_past(hands.changed, lying.mask, long_side(lying.corners) * self._table.scale):
            over.past |= alone
            return
        over.past -= alone
        for seat in alone:
            self._ends.note(seat, lying.card, now_s)
            if over.lingered_s is None and self._ends.rests_on(seat, now_s) == lying.card:
                over.lingered_s = now_s

    def _touching(self, lying: Lying, over: _Over, arms: list[tuple[Seat, ...]], now_s: float) -> dict[Seat, float]:
        """The votes of those who are there and whose hand may end on the card."""
        here = {seat for arm in arms for seat in arm} - over.past
        ends = {seat: self._ends.rests_on(seat, now_s) for seat in here}
        return {k: n for k, n in over.votes.items() if k in here and ends[k] in (None, lying.card)}

    def _stood(
        self, lying: Lying, now: Look, over: _Over, arms: list[tuple[Seat, ...]], moving: float
    ) -> list[CardTouched]:
        """A finger stands when little of what hides the card moves; whose, is not guessed where arms meet."""
        if moving > 0.35:
            over.standing, over.stood_s = 0, None
            return []
        if over.stood_s is None:
            over.stood_s = max(over.since_s, self._times[0])
        over.standing += 1
        touching = self._touching(lying, over, arms, now.time_s)
        if over.standing < STANDS or not touching:
            return []  # what no arm reaches is no hand: light, or the picture coded anew
        if any(len(arm) > 1 for arm in arms):
            touching = {k: n for k, n in touching.items() if self._ends.rests_on(k, now.time_s) == lying.card}
        over.votes = touching
        self._told.add(lying.card)
        del self._over[lying.card]
        return [self._event(lying.card, over.stood_s, over, SURE)]

    def _event(self, card: int, time_s: float, over: _Over, confidence: float) -> CardTouched:
        seat = whose.decide([(1.0, over.votes)], self._seats)
        # The finger came down between its first frame over the card and the one in which it stood.
        early_ms = 1000 * max(0.0, time_s - over.since_s)
        sigma = min(120.0, max(25.0, 0.3 * early_ms))
        return CardTouched(
            time_s=round(time_s, 5), sigma_ms=round(sigma, 1), seat=seat, card=card, confidence=confidence
        )
