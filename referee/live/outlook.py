"""What would be ruled on what is known by now, and whether that can still change.

A copy of the match is fed with what eye and ear have said and it has not got yet, and with the promise that nothing
else comes. The first such ruling is an impression. It *stands* when everybody who spoke with the deciding call has been
understood and the eye has looked past it: later calls are listed in the record's ruling and decide nothing.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.errors import RefereeError
from referee.events import UNSURE, CallHeard, CardsGone, CardShown, CardTouched, Event, RecordingEnded, SeenTo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from referee.events import Type
    from referee.live.shared import SharedMatch
    from referee.ruling import Ruling

SAME_S = 0.1
"""An early call and the final one of the same type that begin nearer than this are one."""
RIVAL_S = 0.15
"""Who begins later than this after the deciding call is no rival of it: five times the onset's usual error."""
CLOSE, CLOSE_MS = 3.0, 50.0
"""Of two who called so near to each other, in standard deviations of the lead or in ms, the order may still turn."""
FAR_S = 1e9
WATCHED = (CardShown, CardsGone, CardTouched)
"""What of the eye's events a ruling can depend on."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """A card that came to rest and was read once: the next reading may say otherwise."""

    type: Type
    corners: tuple[tuple[float, float], ...]


class Outlook:
    """Holds what eye and ear have said and the match has not got yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: list[Event] = []
        self._calls: list[CallHeard] = []
        self._passed_s = self._eye_s = self._said_s = float("-inf")
        self.noticed: tuple[Noticed, ...] = ()
        """Cards that are being read."""
        self.changed: Callable[[], None] = lambda: None
        """Is called, in the threads of eye and ear, when there is something new."""

    def notice(self, cards: Sequence[Noticed]) -> None:
        """These cards are being read now."""
        if tuple(cards) != self.noticed:
            self.noticed = tuple(cards)
            self.changed()

    def seen(self, event: Event) -> None:
        """The eye has given an event, which waits for the ear."""
        with self._lock:
            self._seen.append(event)
        self.changed()

    def looked(self, time_s: float) -> None:
        """The eye has come so far; calls after that belong to cards that it has not seen."""
        before, self._eye_s = self._eye_s, time_s
        if any(before < c.time_s <= time_s for c in self._calls):
            self.changed()

    @property
    def eye_s(self) -> float:
        """The eye has come so far."""
        return self._eye_s

    def heard(self, calls: list[CallHeard], said_s: float) -> None:
        """The ear has understood these words so far; whoever began before `said_s` has been understood."""
        with self._lock:
            first_s = min((c.time_s for c in calls), default=FAR_S)
            self._calls = [*(c for c in self._calls if c.time_s < first_s - SAME_S), *calls]
            self._said_s = max(self._said_s, said_s)
        self.changed()

    def passed(self, item: Event | SeenTo) -> None:
        """The match has got this, or everything up to this time: it waits no longer."""
        with self._lock:
            self._passed_s = max(self._passed_s, item.time_s)
            self._seen = [e for e in self._seen if e is not item and e.time_s >= self._passed_s]
            if isinstance(item, CallHeard):
                self._calls = [c for c in self._calls if not _same(c, item)]
            self._calls = [c for c in self._calls if c.time_s >= self._passed_s - SAME_S]

    @property
    def waiting(self) -> tuple[Event, ...]:
        """Events and early calls that the match has not got, in time order."""
        with self._lock:
            calls = [c for c in self._calls if c.time_s <= self._eye_s]
            return tuple(sorted((*self._seen, *calls), key=lambda e: e.time_s))

    @property
    def calls(self) -> bool:
        """Whether a word is among what waits that may decide: an unclear one does where nothing clearer comes."""
        with self._lock:
            return any(_may_decide(c) and c.time_s <= self._eye_s for c in self._calls)

    def cards(self) -> tuple[CardShown, ...]:
        """Cards that were read and wait."""
        return tuple(e for e in self.waiting if isinstance(e, CardShown))

    def stands(self, ruling: Ruling) -> bool:
        """Whether all who may have called with the deciding call have been understood, and all is seen that counts.

        The eye has come past the call, and every card is read: one that is not may be read yet.
        """
        first = ruling.first
        if first is None or first.onset_s is None or _is_unread(ruling):
            return False
        return first.onset_s + RIVAL_S <= max(self._said_s, self._passed_s) and first.onset_s <= self._eye_s


def doubtful(ruling: Ruling) -> bool:
    """Whether a first impression of it may be the wrong one.

    It hangs on who of two was first, by little; or another voice began in the deciding call, and what it says is not
    understood yet; or microphones that tell who calls do not tell it of this one yet; or a card is not read yet.
    """
    first = ruling.first
    mine = [h.claim for h in ruling.calls if first is not None and h.claim.number == first.call]
    unsaid = first is not None and first.seat is None
    return _close(ruling) or _is_unread(ruling) or any(claim.contested or (unsaid and claim.seats) for claim in mine)


def _is_unread(ruling: Ruling) -> bool:
    return None in ruling.cards.values()


def _close(ruling: Ruling) -> bool:
    first = ruling.first
    if first is None or first.lead_ms is None:
        return False
    return first.lead_ms < max(CLOSE_MS, CLOSE * (first.lead_sigma_ms or 0.0))


def ruling_ahead(
    match: SharedMatch, waiting: Iterable[Event], place: Callable[[CallHeard], CallHeard]
) -> Ruling | None:
    """What would be ruled on the open round if nothing else were seen or heard; None if nothing would be.

    A ruling that rests on a call alone: that nobody calls is known only when the round has ended.
    """
    copied = match.fork()
    rulings: list[Ruling] = []
    try:
        for event in waiting:
            rulings += copied.feed(place(event) if isinstance(event, CallHeard) else event)
        rulings += copied.feed(SeenTo(time_s=FAR_S))
        if not _decided(rulings):  # a word that was not clear decides when the round ends without a clearer one
            rulings += copied.feed(RecordingEnded(time_s=FAR_S))
    except RefereeError:
        return None
    decided = _decided(rulings)
    return decided[-1] if decided else None


def _decided(rulings: Iterable[Ruling]) -> list[Ruling]:
    return [r for r in rulings if r.decided_by in ("call", "touch") and not r.revision]


def _may_decide(call: CallHeard) -> bool:
    return call.type is not None and (call.accepted or call.reason == UNSURE)


def _same(early: CallHeard, final: CallHeard) -> bool:
    return early.type == final.type and abs(early.time_s - final.time_s) < SAME_S
