"""The eye: from frames to cards shown, cards gone and what is wrong with the picture.

Every frame is looked at small; only when something new has come to rest is the full picture read there. A card's
reveal is then found by looking back. `SeenTo` follows every frame as far as no event can come any more.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from referee.errors import DamagedError
from referee.events import SEATS, CardsGone, CardShown, CardTouched, Event, Seat, SeenTo, TableNotice
from vision import camera, cards, flight, motion
from vision import seats as whose
from vision.arrivals import Arrivals, Unread
from vision.foresight import Foresight
from vision.leaving import Leaving
from vision.overlooked import Overlooked
from vision.pieces import AGAIN_S, PATIENCE_S
from vision.rectify import long_side
from vision.steady import Steady
from vision.table import Table
from vision.touch import Touches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from referee.media import Frame
    from vision.decks import Deck
    from vision.finder import Finder, Found
    from vision.flight import Flight
    from vision.motion import Look

EVERY_S = 0.06
"""What is new and what rests is judged this often: a pause of a hand is longer. A touch is not: then every frame."""
KEPT_S = 2.6
"""Small pictures are kept this long; longer than the longest hold."""
HOLD_S = 2.0
"""The longest that `SeenTo` waits for a hand to show what it brought."""
MOVING_HOLD_S = 1.0
"""From a reveal it takes 0.2 s to land, 0.1 s to rest and a look or two to be read."""
ABSORB_S = 2.5
"""What rests this long and is no card belongs to the table: a pile put down, a mug, a resting hand."""

HELD_UNSEEN_MS = 80.0
HELD_SIGMA_MS = 2000.0
"""A reveal that was not seen, of a camera that is held: the card may have rested for long before it was found so."""
SHAKEN_S = 0.45
"""After the whole picture moved nothing is read for this long; a push is measured once the picture rests."""
PUSHED_LATE_S = 3.0
"""A push is sought for this long after the whole picture moved; else only now and then, for one that crept."""
CREPT_S = 2.0
PUSHED_SHARE = 0.02
"""Share of the picture that looks different at rest when the camera may have been pushed: plain cloth shows little."""
UNHELD_S = 1.0
"""Later than by this nothing on known cards that is not seen beside them is told of: 3 in 17 staged games were none."""
COVERED_HOLD_S = 1.0
"""`SeenTo` waits this long for what a hand does on a known card."""


def watch(
    frames: Iterable[Frame],
    deck: Deck | Finder,
    *,
    seats: tuple[Seat, ...] | None = None,
    touch: bool = False,
    noticed: Callable[[list[tuple[Found, NDArray[np.float32]]]], None] | None = None,
) -> Iterator[Event | SeenTo]:
    """Watch a table.

    Args:
        frames: in order of time; each is let go after it was seen.
        deck: the deck in play, or whatever else finds and reads cards in one picture.
        seats: who sits at the table, where known: any of `SEATS`.
        touch: also tell who touched which card first (Tournament ROCK!).
        noticed: is called after each frame with the cards that have stopped and were read, but not often enough to be
            told of: the reading and the corners, shape (4, 2). What is told of is the same with it and without.

    Yields:
        `CardShown`, `CardsGone`, `CardTouched`, `TableNotice`, and after each frame `SeenTo`.

    Raises:
        DamagedError: passed on from `frames`, after everything that was seen before.
    """
    finder = deck if callable(deck) else cards.CardFinder(deck)
    watcher: Watcher | None = None
    try:
        for frame in frames:
            if watcher is None:
                watcher = Watcher(frame, finder, seats or SEATS, touch=touch, foresee=noticed is not None)
            else:
                told = watcher.feed(frame)
                if noticed is not None:
                    noticed(watcher.noticed())
                yield from told
    except DamagedError:
        # What was seen before the damage counts; then whoever asked hears of it.
        if watcher is not None:
            yield from watcher.end()
        raise
    if watcher is not None:
        yield from watcher.end()


class Watcher:
    """What one table looks like and what was seen on it; feed it frame after frame."""

    def __init__(
        self, first: Frame, finder: Finder, seats: tuple[Seat, ...], *, touch: bool = False, foresee: bool = False
    ) -> None:
        look = motion.look(first)
        self._size = first.size
        self._seats = seats
        self._scale = 1 / motion.reduction(first.size)
        self._motion = motion.Motion(look)
        self._steady = Steady(look)
        self._table = Table(look.yuv, self._scale)
        self._leaving = Leaving(self._table, seats)
        self._touches = Touches(self._table, seats) if touch else None
        self._looks: deque[Look] = deque([look])
        self._changes: deque[tuple[float, whose.Arms]] = deque()
        self._new = Arrivals(self._table, self._motion, finder, first.size)
        self._overlooked = Overlooked(self._table, self._motion, self._new)
        self._foresight = Foresight(self._table, self._motion, self._new, first.size) if foresee else None
        self._shown = 0
        self._told: set[str] = set()
        self._pushed_s = -1e9
        self._shaken_s = -1e9
        self._moving = _Since()
        self._unclear = _Since()
        self._centre = (first.size[0] / 2, first.size[1] / 2)
        self._seen_to = look.time_s
        self._frames = 0
        self._now = look.time_s
        self._every_s = 0.0 if touch else EVERY_S

    def feed(self, frame: Frame) -> list[Event | SeenTo]:
        """The next frame; gives what can be said now."""
        if self._steady.held:
            laid = self._steady.laid(frame, self._table.still)
            if laid is None and self._steady.is_lost(frame.time_s):
                self._restart(motion.look(frame))
            return self._fed(laid) if laid is not None else [SeenTo(time_s=self._seen_to)]
        return self._fed(frame)

    def _fed(self, frame: Frame) -> list[Event | SeenTo]:
        """The next frame as a camera sees it that stands still."""
        raw = motion.look(frame)
        if raw.time_s - self._now < self._every_s:
            # Kept for looking back; what rests and what is new shows in fewer frames.
            self._looks.append(motion.Look(raw.time_s, self._table.level(raw.yuv)))
            return [SeenTo(time_s=self._seen_to)]
        self._now = raw.time_s
        if self._steady.notice(raw):
            self._restart(raw)
            return [TableNotice(time_s=raw.time_s, code="unsteady"), SeenTo(time_s=self._seen_to)]
        if camera.shaken(self._motion.feed(raw)):
            self._shaken_s = raw.time_s
        now = motion.Look(raw.time_s, self._table.level(raw.yuv))
        changed = self._table.changed(now.yuv)
        self._remember(now, changed)
        resting = self._motion.resting(now.time_s)
        out: list[Event | SeenTo] = []
        if self._frames % 5 == 1 or self._is_shaken():
            out += self._camera(raw, changed)
        if not self._is_shaken():
            for found, corners in self._new.feed(frame, now, changed, resting):
                out += self._show(found, corners, now)
            if self._foresight is not None:
                self._foresight.feed(frame, now, changed)
            out += self._unread(now, changed)
            out += [self._kept(k) for k in self._leaving.feed(self._looks, self._changes, changed, resting)]
        if self._touches is not None:
            told = self._touches.feed(now, changed, self._motion.last_moved)
            out += [self._kept(k) for k in told]
        self._settle(now, changed)
        self._frames += 1
        self._seen_to = max(self._seen_to, self._watermark(now, changed))
        return [*out, SeenTo(time_s=self._seen_to)]

    def noticed(self) -> list[tuple[Found, NDArray[np.float32]]]:
        """Cards that are being read."""
        return self._new.noticed() + (self._foresight.cards() if self._foresight is not None else [])

    def end(self) -> list[Event | SeenTo]:
        """After the last frame: what was still held back."""
        held: list[CardsGone | CardTouched] = [*self._leaving.end(), *(self._touches.end() if self._touches else [])]
        return [*map(self._kept, sorted(held, key=lambda k: k.time_s)), SeenTo(time_s=self._looks[-1].time_s)]

    def _kept(self, event: CardsGone | CardTouched) -> CardsGone | CardTouched:
        """Never earlier than was promised."""
        late = self._seen_to - event.time_s
        if late <= 0:
            return event
        return replace(event, time_s=self._seen_to, sigma_ms=round(event.sigma_ms + 1000 * late, 1))

    def _is_shaken(self) -> bool:
        """Is it too soon to tell a pushed camera from things that came and went?"""
        return self._now - self._shaken_s < SHAKEN_S

    def _camera(self, now: Look, changed: NDArray[np.bool_]) -> list[Event]:
        """Tell once what is wrong with the light; follow a camera that was pushed and rests again."""
        wrong = camera.complaints(now.yuv)
        if self._new.card.size is not None and self._new.card.size.long_px < cards.SMALLEST_PX:
            wrong.add("far")
        out: list[Event] = [TableNotice(time_s=now.time_s, code=code) for code in sorted(wrong - self._told)]
        self._told = wrong
        restless = float(np.mean(self._motion.last_moved > now.time_s - 0.3))
        pause_s = 0.2 if self._now - self._shaken_s < PUSHED_LATE_S else CREPT_S
        if float(np.mean(changed)) > PUSHED_SHARE and restless < 0.05 and now.time_s - self._pushed_s > pause_s:
            self._pushed_s = now.time_s
            matrix = camera.push(self._table.still, now.yuv)
            if matrix is not None:
                self._table.pushed(matrix, now.yuv)
                changed[:] = False
                self._looks.clear()
                self._new.pushed()
                self._looks.append(now)
                out.append(TableNotice(time_s=now.time_s, code="moved"))
        return out

    def _restart(self, now: Look) -> None:
        """The camera is held, and what is seen now is the still table: later frames are laid onto it."""
        self._steady.restart(now)
        self._motion.restart(now)
        self._table.pushed(np.eye(2, 3), now.yuv)
        self._new.pushed()
        self._looks.clear()
        self._looks.append(now)

    def _remember(self, now: Look, changed: NDArray[np.bool_]) -> None:
        self._looks.append(now)
        self._changes.append((now.time_s, whose.Arms(changed)))
        while self._looks[0].time_s < now.time_s - KEPT_S:
            self._looks.popleft()
        while self._changes[0][0] < now.time_s - KEPT_S:
            self._changes.popleft()

    def _unread(self, now: Look, changed: NDArray[np.bool_]) -> list[CardShown]:
        """Cards that were overlooked."""
        out: list[CardShown] = []
        if self._frames % 3 == 1:
            for corners, doubtful in self._overlooked.find(now, changed, self._changes[-1][1]):
                out += self._show(Unread(corners), corners, now, doubtful=doubtful)
        return out

    def _show(
        self, found: Found, corners: NDArray[np.float32], now: Look, *, doubtful: bool = False
    ) -> list[CardShown]:
        """A new card: when it was revealed, whose it is; from now on it is part of the table.

        What is doubtful and would have been revealed long before what was promised is none: a new card had held the
        promise back. It is what was bared, or another light on it.
        """
        quad = corners * np.float32(self._scale)
        way = flight.flight(list(self._looks), self._table.still, quad, now.time_s)
        if doubtful and self._seen_to - way.reveal_s > UNHELD_S:
            self._table.refresh(self._table.mask_of(corners), now.yuv)
            return []
        seat = self._seat(corners, way)
        self._leaving.played(seat)
        self._shown += 1
        card = self._shown
        lying = self._table.put(card, corners, now.yuv, found.type)
        lying.put_s = lying.seen_s = now.time_s
        if found.type is not None:
            self._new.learn(corners, now)
        shown = max(way.reveal_s, self._seen_to)
        sigma_ms = way.sigma_ms
        if self._steady.held and sigma_ms >= HELD_UNSEEN_MS:
            sigma_ms = HELD_SIGMA_MS
        event = CardShown(
            time_s=round(shown, 5),
            sigma_ms=sigma_ms + 1000 * (shown - way.reveal_s),
            seat=seat,
            card=card,
            type=found.type,
            confidence=found.confidence if found.type is not None else 0.0,
            corners=tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners),
            rest_s=round(now.time_s, 5),
            reason=found.reason if found.type is None else "",
        )
        return [event]

    def _seat(self, corners: NDArray[np.float32], way: Flight) -> Seat | None:
        """By the arm that brought it, the way it flew, and where it lies."""
        arm: dict[Seat, float] = {}
        near = {round(s.time_s, 4): (s.pose.x, s.pose.y) for s in way.steps}
        side = long_side(corners) * self._scale
        for time_s, arms in self._changes:
            at = near.get(round(time_s, 4))
            if at is None:
                continue
            place = np.zeros(arms.shape, np.uint8)
            cv2.circle(place, (round(at[0]), round(at[1])), max(2, round(0.6 * side)), 1, -1)
            for seat, pixels in arms.reach(place.astype(np.bool_)).items():
                arm[seat] = arm.get(seat, 0.0) + pixels
        x, y = (float(v) for v in corners.mean(axis=0))
        flown = whose.of_flight([(s.pose.x, s.pose.y) for s in way.steps], self._seats)
        lies = whose.of_place((x, y), self._centre, self._seats)
        return whose.decide([(0.5, arm), (0.25, flown), (0.25, lies)], self._seats)

    def _settle(self, now: Look, changed: NDArray[np.bool_]) -> None:
        """Follow the light; let what rests long and is no card become part of the table."""
        if self._frames % 7 == 0:
            near = cv2.dilate(changed.astype(np.uint8), np.ones((15, 15), np.uint8)) > 0
            self._table.adapt(now.yuv, self._motion.resting(now.time_s, 1.0) & ~near)
        if self._frames % 7 == 3:
            old = changed & (self._motion.last_moved < self._now - ABSORB_S) & ~self._table.covered()
            if old.any():
                self._table.refresh(old, now.yuv)

    def _watermark(self, now: Look, changed: NDArray[np.bool_]) -> float:
        """Nothing earlier than this will be said.

        What moves holds it back for as long as a card takes from its reveal to being read; what looks like a face and
        was not read yet, or, before any card is known, whatever moved lately, for longer; known cards that a hand
        covers too. Each holds for a limited time.
        """
        moved, card = self._motion.last_moved, self._new.pieces.card_area
        least = max(20.0, 0.25 * card)
        self._moving.update(self._now, motion.has_piece(changed & (moved > self._now - 0.25), least))
        unread = changed & (moved > self._now - PATIENCE_S - AGAIN_S)
        if self._new.card.ground is not None and np.count_nonzero(unread):
            x, y, w, h = cv2.boundingRect(unread.view(np.uint8))
            part = slice(y, y + h), slice(x, x + w)
            unread = unread[part] & self._new.card.ground.new(now.yuv[part], self._table.still[part])
        self._unclear.update(self._now, motion.has_piece(unread, least))
        limits = [self._now - motion.REST_S]
        if self._moving.since_s is not None:
            limits.append(max(self._moving.since_s - motion.REST_S, self._now - MOVING_HOLD_S))
        if self._unclear.since_s is not None:
            limits.append(max(self._unclear.since_s - motion.REST_S, self._now - HOLD_S))
        found = self._new.since()
        if found is not None:
            limits.append(max(found - MOVING_HOLD_S, self._now - HOLD_S))
        covered = self._leaving.since()
        if covered is not None:
            limits.append(max(covered, self._now - COVERED_HOLD_S))
        touched = self._touches.since() if self._touches is not None else None
        if touched is not None:
            limits.append(max(touched, self._now - COVERED_HOLD_S))
        return min(limits)


class _Since:
    """Since when something has been so without a pause."""

    def __init__(self) -> None:
        self.since_s: float | None = None

    def update(self, now_s: float, holds: bool) -> None:
        """Take what holds now."""
        if not holds:
            self.since_s = None
        elif self.since_s is None:
            self.since_s = now_s
