"""Eye and ear by turns, in one thread: one recording takes one core, so that many recordings take all of them.

The same events come out in the same order as from `referee.merge.merge`, which runs each source in a thread of its own
and is done with one recording sooner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.events import Event, SeenTo
from referee.merge import Merger

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable


def by_turns(*sources: Iterable[Event | SeenTo]) -> Generator[Event | SeenTo]:
    """Always ask the source that has promised least, and give events in time order, with promises between.

    A source that fails ends the others: what had been promised by then passes first, then its error is raised.
    """
    merger, running = Merger(len(sources)), dict(enumerate(map(iter, sources)))
    promised, failed = float("-inf"), None
    failed_at = float("inf")
    try:
        while running and merger.seen_to < failed_at:
            index = min(running, key=merger.promised_by)
            try:
                merger.give(index, next(running[index]))
            except StopIteration:
                del running[index]
                merger.end(index)
            except Exception as error:  # noqa: BLE001  whatever it is, it is raised when the others have come as far
                del running[index]
                if failed is None:
                    failed, failed_at = error, merger.promised_by(index)
            yield from merger.ready()
            if promised < merger.seen_to < float("inf"):
                promised = merger.seen_to
                yield SeenTo(time_s=promised)
    finally:
        for source in sources:
            if close := getattr(source, "close", None):
                close()
    if failed is not None:
        raise failed
    if promised < merger.furthest:
        yield SeenTo(time_s=merger.furthest)
