"""What can be said before it is final: a call soon after its word, and the ruling that would follow.

The ear holds a call back until no other word can overlap it, and the match waits for later calls: together over two
seconds. Here the same ear names the call as soon as it was understood, and a copy of the match is fed with what is
known by then. What is said early is shown as such, is never recorded, and changes nothing of what is final.
"""

from __future__ import annotations

import copy
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from audio import gather
from audio.gather import Stretch
from audio.listen import Ear
from audio.who import seat_calls
from referee.errors import RefereeError
from referee.events import CallHeard, CardsGone, CardShown, CardTouched, Event, SeenTo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from models import CallModel
    from referee.events import Seat
    from referee.live.players import Heard
    from referee.live.shared import SharedMatch
    from referee.ruling import Ruling

HELD_STEPS = 3
"""Tenths of a second for which a call that was understood waits for another one: of two that began together the second
is understood up to 0.26 s after the first (a staged game streamed in real time), and "won" would turn into "tie"."""
SAME_S = 0.1
"""An early call and the final one of the same type that begin nearer than this are one."""
FAR_S = 1e9


class EarlyEar(Ear):
    """An ear that also says at once what it has understood."""

    told: Callable[[list[CallHeard]], None]
    whose: tuple[Seat, ...] = ()
    """The seat of each channel, with a microphone a player."""
    _known: frozenset[int] = frozenset()
    _held: int = 0

    def _take(self, step: NDArray[np.float32]) -> Iterator[CallHeard | SeenTo]:
        yield from super()._take(step)
        words = frozenset(id(h) for h in self._words)
        if words - self._known:
            self._held = HELD_STEPS
        elif self._held > 0:
            self._held -= 1
            if self._held == 0:
                self.told([_name(call, self.whose) for call in self._early()])
        self._known = words

    def _early(self) -> list[CallHeard]:
        """All words that still wait, resolved by a copy of the front: the front itself learns from what it resolves."""
        front = copy.deepcopy(self._front)
        stretch = Stretch(self._kept[:, : self._kept_count], self._rate, self._kept_from / self._rate)
        groups = gather.groups(list(self._words), FAR_S)[0]
        start = self._start_s
        return [
            replace(call, time_s=call.time_s + start, end_s=call.end_s + start)
            for group in groups
            for call in front.resolve(group, stretch)
        ]


def listen(
    sound: Iterable[Heard], model: CallModel, told: Callable[[list[CallHeard]], None]
) -> Iterator[CallHeard | SeenTo]:
    """`audio.listen` with an ear that tells early; what it yields is the same.

    When microphones come or go, what was being said ends and a new ear listens.
    """
    ear: EarlyEar | None = None
    seats: tuple[Seat, ...] = ()
    try:
        for heard in sound:
            if ear is not None and not (ear.continues(heard.block) and heard.seats == seats):
                yield from _named(ear.finish(), seats)
                ear = None
            if ear is None:
                seats = heard.seats
                ear = EarlyEar(model, heard.block, layout=heard.layout)
                ear.told, ear.whose = told, seats
            yield from _named(ear.feed(heard.block.samples), seats)
    finally:
        yield from _named(ear.finish(), seats) if ear is not None else ()


def _named(items: Iterable[CallHeard | SeenTo], seats: tuple[Seat, ...]) -> Iterator[CallHeard | SeenTo]:
    """Channels of players' own microphones are named by their seats at once."""
    for item in items:
        yield _name(item, seats) if isinstance(item, CallHeard) else item


def _name(call: CallHeard, seats: tuple[Seat, ...]) -> CallHeard:
    return seat_calls(call, seats, seats, len(seats)) if seats else call


class Outlook:
    """Holds what eye and ear have said and the match has not got yet, and rules on it in advance."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: list[Event] = []
        self._calls: list[CallHeard] = []
        self._passed_s = self._eye_s = float("-inf")
        self.changed: Callable[[], None] = lambda: None
        """Is called, in the threads of eye and ear, when there is something new."""

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

    def heard(self, calls: list[CallHeard]) -> None:
        """The ear has understood these words so far."""
        with self._lock:
            first_s = min((c.time_s for c in calls), default=FAR_S)
            self._calls = [*(c for c in self._calls if c.time_s < first_s - SAME_S), *calls]
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
        """Whether a call is among what waits."""
        with self._lock:
            return any(c.accepted and c.type is not None and c.time_s <= self._eye_s for c in self._calls)

    def cards(self) -> tuple[CardShown, ...]:
        """Cards that were read and wait."""
        return tuple(e for e in self.waiting if isinstance(e, CardShown))


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
    except RefereeError:
        return None
    decided = [r for r in rulings if r.decided_by in ("call", "touch") and not r.revision]
    return decided[-1] if decided else None


def _same(early: CallHeard, final: CallHeard) -> bool:
    return early.type == final.type and abs(early.time_s - final.time_s) < SAME_S


WATCHED = (CardShown, CardsGone, CardTouched)
"""What of the eye's events a ruling can depend on."""
