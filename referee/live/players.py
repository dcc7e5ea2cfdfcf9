"""Players' own phones: each a microphone of its seat, laid beside the others on the table's clock.

What the ear hears while every seat has an aligned phone is a recording with a microphone a player; otherwise the
camera's own sound, as before. Phones come and go: the ear goes on with what is left.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.events import SEATS
from referee.live import wire
from referee.live.aligning import Aligner, Ring
from referee.live.joining import rounded
from referee.media import AudioBlock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from referee.events import Seat

    Samples = NDArray[np.float32]

KEPT_S = 60.0
PAUSE_S = 3.0
"""After a phone's sound was missing the camera's microphone listens for at least so long."""
QUIET_BLOCKS = 5
PATIENCE_S = 0.4
"""So long the ear waits for a phone's sound of the same moment; then it goes on without."""
ALIGNED_MS = 4.0
"""A clock is aligned if its error is at most this."""
HOLE_S = 0.5
"""A phone that is silent in the stream for longer than this has left until it is aligned again."""


@dataclass(slots=True)
class Player:
    """One player's phone."""

    seat: Seat
    hello: wire.Hello
    connected: bool = True
    expected: int = 0
    level_db: float = -100.0
    aligner: Aligner = field(default_factory=Aligner)
    ring: Ring = field(init=False)
    _blocks: deque[tuple[int, Samples]] = field(default_factory=deque)
    _arrival: float | None = None
    """The least of (arrival - sample time): where the phone's clock stands by the network, roughly."""
    _lock: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self.ring = Ring(self.hello.rate)

    def take(self, message: wire.Message) -> None:
        """One message of the phone.

        Raises:
            WireError: it is no sound, or does not fit.
        """
        if message.kind != wire.SOUND:
            raise wire.WireError("a player's phone sends sound alone")
        if message.sequence < self.expected:
            return
        self.expected = message.sequence + 1
        samples = wire.samples(message.payload, self.hello.channels).mean(axis=0)
        self.level_db = round(10 * float(np.log10(np.mean(samples.astype(np.float64) ** 2) + 1e-10)), 1)
        since = time.monotonic() - (message.stamp + len(samples)) / self.hello.rate
        with self._lock:
            self._arrival = since if self._arrival is None else min(self._arrival, since)
            if self._blocks and message.stamp - self._end() > HOLE_S * self.hello.rate:
                self._blocks.clear()
                self.aligner.reset()
            self._blocks.append((message.stamp, samples))
            self.ring.put(message.stamp, samples)
            while self._blocks[-1][0] - self._blocks[0][0] > KEPT_S * self.hello.rate:
                self._blocks.popleft()
            self._lock.notify_all()

    def guess(self, table_arrival: float) -> float:
        """How far this phone's clock is ahead by the network's delays: only where to begin looking."""
        return table_arrival - (self._arrival if self._arrival is not None else table_arrival)

    def align(self, table: Ring, table_arrival: float) -> None:
        """Measure the clock once more, if it is time."""
        with self._lock:
            self.aligner.measure(table, self.ring, self.guess(table_arrival))

    @property
    def aligned(self) -> bool:
        """Whether its sound can be laid beside the others'."""
        error = self.aligner.error_ms
        return self.connected and error is not None and error <= ALIGNED_MS

    def span(self, from_s: float, to_s: float, rate: int, deadline: float) -> Samples | None:
        """Its sound between two times of the table, at this rate; None if it does not come by `deadline`."""
        count = round((to_s - from_s) * rate)
        times = from_s + np.arange(count) / rate
        at = (times + self.aligner.lag(from_s) + (times - from_s) * self._slope(from_s)) * self.hello.rate
        with self._lock:
            while not self._blocks or self._end() < at[-1] + 3:
                left = deadline - time.monotonic()
                if left <= 0 or not self.connected:
                    return None
                self._lock.wait(left)
            first = self._blocks[0][0]
            if at[0] < first + 1:
                return None
            used = [(start, b) for start, b in self._blocks if start < at[-1] + 4 and start + len(b) > at[0] - 2]
        return between(used, at)

    def _slope(self, time_s: float) -> float:
        return self.aligner.lag(time_s + 1.0) - self.aligner.lag(time_s)

    def _end(self) -> int:
        start, last = self._blocks[-1]
        return start + len(last)

    def state(self) -> dict[str, Any]:
        """For screens."""
        error = self.aligner.error_ms
        return {
            "seat": self.seat,
            "connected": self.connected,
            "aligned": self.aligned,
            "error_ms": None if error is None else round(error, 1),
            "level_db": self.level_db,
            "altered": list(self.hello.altered),
        }


def between(blocks: Iterable[tuple[int, Samples]], at: NDArray[np.float64]) -> Samples:
    """Samples at fractional positions, by a cubic through the four around each (Catmull-Rom); gaps are silence."""
    low = int(at[0]) - 1
    whole = np.zeros(int(at[-1]) + 4 - low, np.float32)
    for start, block in blocks:
        a, b = max(start, low), min(start + len(block), low + len(whole))
        if a < b:
            whole[a - low : b - low] = block[a - start : b - start]
    base = np.floor(at).astype(int) - low
    part = (at - np.floor(at)).astype(np.float32)
    p0, p1, p2, p3 = (whole[base + k] for k in (-1, 0, 1, 2))
    out: Samples = p1 + 0.5 * part * (
        p2 - p0 + part * (2 * p0 - 5 * p1 + 4 * p2 - p3 + part * (3 * (p1 - p2) + p3 - p0))
    )
    return out


@dataclass(frozen=True, slots=True)
class Heard:
    """Sound for the ear."""

    block: AudioBlock
    layout: str | None
    """None: as many microphones as the camera has. `own`: a microphone a player."""
    seats: tuple[Seat, ...] = ()
    """Whose channel each is, with `own`."""


class Players:
    """All phones of one table."""

    def __init__(self) -> None:
        self.by_seat: dict[Seat, Player] = {}
        self._table: Ring | None = None
        self._arrival: float | None = None
        self._loud: deque[float] = deque(maxlen=150)
        self._not_before_s = 0.0
        self.kept: Callable[[AudioBlock], None] = lambda _: None
        """Is given the players' channels that the ear hears."""

    def join(self, seat: Seat, hello: wire.Hello) -> Player | None:
        """A phone takes a seat, or comes back to it; None if another phone sits there."""
        there = self.by_seat.get(seat)
        if there is not None and there.hello.session == hello.session:
            there.connected = True
            return there
        if there is not None and there.connected:
            return None
        for other, player in list(self.by_seat.items()):
            if player.hello.session == hello.session:
                del self.by_seat[other]
        self.by_seat[seat] = Player(seat, hello)
        return self.by_seat[seat]

    def begin(self) -> None:
        """A new game has a new clock."""
        self._table = self._arrival = None
        self._not_before_s = 0.0
        for player in self.by_seat.values():
            player.aligner.reset()

    def mixed(
        self, blocks: Iterable[AudioBlock], seated: Callable[[], tuple[Seat, ...] | int | None]
    ) -> Iterator[Heard]:
        """The sound for the ear: every player's own microphone where all are there, else the camera's.

        Args:
            blocks: of the camera.
            seated: who plays, or how many do, as far as it is known.
        """
        using = False
        for block in blocks:
            self._align(block)
            quiet = self._quiet(block)
            seats = self._complete(seated()) if using or (quiet and block.time_s >= self._not_before_s) else ()
            spans = self._spans(seats, block)
            using = bool(spans)
            if seats and not spans:
                self._not_before_s = block.time_s + PAUSE_S
            if spans:
                own = np.stack(spans)
                heard = rounded(AudioBlock(block.time_s, own, block.rate))
                self.kept(heard)
                yield Heard(heard, "own", seats)
            else:
                yield Heard(block, None)

    def _spans(self, seats: tuple[Seat, ...], block: AudioBlock) -> list[Samples]:
        """The same moment at every seat's phone; nothing if one of them does not come in time."""
        end_s, deadline = block.time_s + block.samples.shape[1] / block.rate, time.monotonic() + PATIENCE_S
        out = []
        for seat in seats:
            found = self.by_seat[seat].span(block.time_s, end_s, block.rate, deadline)
            if found is None:
                return []
            out.append(found)
        return out

    def _quiet(self, block: AudioBlock) -> bool:
        """Whether nobody speaks just now: a new ear would miss the word."""
        self._loud.append(float(np.sqrt(np.mean(block.samples**2))))
        usual = float(np.percentile(self._loud, 30))
        return len(self._loud) > QUIET_BLOCKS and max(list(self._loud)[-QUIET_BLOCKS:]) <= 2 * usual + 1e-5

    def _complete(self, seated: tuple[Seat, ...] | int | None) -> tuple[Seat, ...]:
        """The seats in order, if each of them has an aligned phone."""
        there = {seat for seat, player in list(self.by_seat.items()) if player.aligned}
        if isinstance(seated, int):
            seated = tuple(there) if len(there) == seated else ()
        if not seated or len(seated) < 2 or not set(seated) <= there:
            return ()
        return tuple(sorted(seated, key=SEATS.index))

    def _align(self, block: AudioBlock) -> None:
        first = round(block.time_s * block.rate)
        if self._table is None:
            self._table = Ring(block.rate)
        self._table.put(first, block.samples.mean(axis=0))
        since = time.monotonic() - block.time_s - block.samples.shape[1] / block.rate
        self._arrival = since if self._arrival is None else min(self._arrival, since)
        for player in list(self.by_seat.values()):
            player.align(self._table, self._arrival)

    def state(self) -> list[dict[str, Any]]:
        """For screens."""
        return [self.by_seat[seat].state() for seat in SEATS if seat in self.by_seat]
