"""Pictures made ready ahead of the eye, in a thread: decoding and averaging leave the interpreter free meanwhile.

So an eye that has a second core to itself is a sixth faster. What comes, and in what order, stays the same.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from referee.handing import hand

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

T = TypeVar("T")
AHEAD = 6
"""So many pictures are held: in 1080p each takes 3 MB."""


@dataclass(frozen=True, slots=True)
class _Ended:
    """The source has ended, or broke off with an error."""

    error: BaseException | None


def ahead(source: Iterable[T], prepare: Callable[[T], object], count: int = AHEAD) -> Generator[T]:
    """What a source gives, in order, up to `count` items ahead of who takes them.

    Args:
        source: is run in a thread of its own, from the first item asked for until this generator is closed.
        prepare: is called with each item there; what it gives is dropped, for the item is to keep what it needs.
        count: how many items may wait.

    Raises:
        Exception: whatever `source` or `prepare` raised, after every item before.
    """
    ready: queue.Queue[T | _Ended] = queue.Queue(count)
    unwanted = threading.Event()
    thread = threading.Thread(target=_run, args=(iter(source), prepare, ready, unwanted), daemon=True)
    thread.start()
    try:
        while not isinstance(item := ready.get(), _Ended):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        unwanted.set()
        thread.join()


def _run(
    source: Iterator[T], prepare: Callable[[T], object], ready: queue.Queue[T | _Ended], unwanted: threading.Event
) -> None:
    """The thread's life."""
    try:
        for item in source:
            prepare(item)
            if not hand(ready, item, unwanted):
                return
    except BaseException as error:  # noqa: BLE001  whatever it is, it is raised again in the taker's thread
        hand(ready, _Ended(error), unwanted)
    else:
        hand(ready, _Ended(None), unwanted)
