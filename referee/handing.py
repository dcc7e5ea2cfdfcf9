"""Things handed from one thread to another, for as long as somebody wants them."""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import threading

T = TypeVar("T")
LOOK_S = 0.1
"""After so long without room it is looked whether anybody still wants anything."""


def hand(out: queue.Queue[T], item: T, unwanted: threading.Event) -> bool:
    """Put an item, waiting for room; False if nothing is wanted any more."""
    while not unwanted.is_set():
        try:
            out.put(item, timeout=LOOK_S)
        except queue.Full:
            continue
        return True
    return False
