"""Eye and ear become one stream in time order.

Each source gives events and `SeenTo` promises. An event passes when every source has promised to give nothing
earlier, so the order that comes out depends on the events' times alone, never on which source ran faster.
"""

from __future__ import annotations

import heapq
import queue
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.events import Event, SeenTo
from referee.handing import hand

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

Item = Event | SeenTo
AHEAD = 256
"""How many items a source may run ahead of the merge before it waits."""


@dataclass(slots=True)
class _Side:
    """What one source has promised and whether it has ended."""

    seen_to: float = float("-inf")
    ended: bool = False


@dataclass(frozen=True, slots=True)
class _Failed:
    """A source ended with an error, which is raised once everything before it has passed."""

    error: BaseException


@dataclass(slots=True)
class Merger:
    """The ordering itself, without threads: give items, take what may pass."""

    sources: int
    _sides: list[_Side] = field(init=False)
    _heap: list[tuple[float, int, int, Event]] = field(default_factory=list)
    _count: int = 0

    def __post_init__(self) -> None:
        self._sides = [_Side() for _ in range(self.sources)]

    def give(self, source: int, item: Item) -> None:
        """Take one item of a source; a promise never moves backwards."""
        side = self._sides[source]
        if isinstance(item, SeenTo):
            side.seen_to = max(side.seen_to, item.time_s)
            return
        self._count += 1
        heapq.heappush(self._heap, (item.time_s, source, self._count, item))

    def end(self, source: int) -> None:
        """This source gives nothing more."""
        self._sides[source].ended = True

    def promised_by(self, source: int) -> float:
        """Up to here this source has been seen."""
        return self._sides[source].seen_to

    @property
    def seen_to(self) -> float:
        """Up to here every source has been seen."""
        return min((s.seen_to for s in self._sides if not s.ended), default=float("inf"))

    @property
    def furthest(self) -> float:
        """Up to here some source has been seen: when all have ended, how far the recording went."""
        return max((s.seen_to for s in self._sides if s.seen_to < float("inf")), default=float("-inf"))

    def ready(self) -> Iterator[Event]:
        """Events that nothing can precede any more, in time order; ties go by source, then by arrival."""
        limit = self.seen_to
        while self._heap and self._heap[0][0] < limit:
            yield heapq.heappop(self._heap)[3]


def _pump(
    index: int, source: Iterable[Item], out: queue.Queue[tuple[int, Item | _Failed | None]], stop: threading.Event
) -> None:
    """Run one source in its thread, waiting where the merge is slower."""
    try:
        for item in source:
            if not hand(out, (index, item), stop):
                return
    except BaseException as error:  # noqa: BLE001  whatever it is, it is raised again in the reader's thread
        hand(out, (index, _Failed(error)), stop)
    else:
        hand(out, (index, None), stop)


def merge(*sources: Iterable[Item]) -> Generator[Event | SeenTo]:
    """Run every source in a thread of its own and give their events in time order, with promises between.

    A source that fails ends the others: what had been promised by then passes first, then its error is raised.
    """
    stop = threading.Event()
    queues: queue.Queue[tuple[int, Item | _Failed | None]] = queue.Queue(AHEAD)
    threads = [threading.Thread(target=_pump, args=(i, s, queues, stop), daemon=True) for i, s in enumerate(sources)]
    for thread in threads:
        thread.start()
    try:
        yield from _drain(Merger(len(sources)), queues, len(sources))
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _drain(merger: Merger, items: queue.Queue[tuple[int, Item | _Failed | None]], running: int) -> Iterator[Item]:
    """Take items as they come until every source has ended, or until one has failed and the others have caught up."""
    promised = float("-inf")
    failed: tuple[float, BaseException] | None = None
    while running and (failed is None or merger.seen_to < failed[0]):
        index, item = items.get()
        if isinstance(item, Event | SeenTo):
            merger.give(index, item)
        else:
            running -= 1
            failed = failed or _ending(merger, index, item)
        yield from merger.ready()
        if promised < merger.seen_to < float("inf"):
            promised = merger.seen_to
            yield SeenTo(time_s=promised)
    if failed:
        raise failed[1]
    if promised < merger.furthest:  # the same whichever source ended first
        yield SeenTo(time_s=merger.furthest)


def _ending(merger: Merger, index: int, item: _Failed | None) -> tuple[float, BaseException] | None:
    """A source has ended: freely, or by an error that is raised when the others have come as far."""
    if item is None:
        merger.end(index)
        return None
    if not isinstance(item.error, Exception):
        raise item.error
    return merger.promised_by(index), item.error


def in_order(sources: Sequence[Iterable[Item]]) -> list[Event]:
    """The same order without threads, for sources that are already complete."""
    merger = Merger(len(sources))
    for index, source in enumerate(sources):
        for item in source:
            merger.give(index, item)
        merger.end(index)
    return list(merger.ready())
