"""What is seen in a recording: run in a process of its own, which loads this and no more of the referee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from referee.events import Event, Seat, SeenTo


@dataclass(frozen=True, slots=True)
class Opened:
    """Recording and deck can be used."""

    duration_s: float | None
    """What the recording says of its length, seconds."""


def eye(
    path: Path, deck: str, seats: tuple[Seat, ...] | None, touch: bool, *, alone: bool = False
) -> Iterator[Opened | Event | SeenTo]:
    """First `Opened`, then the events of a recording's picture.

    Args:
        path: the recording.
        deck: see `vision.decks.load_deck`.
        seats: who sits at the table, where known.
        touch: whether touches are told of.
        alone: whether it keeps to one core; else pictures are made ready in threads. What is seen is the same.

    Raises:
        UsageError: the deck cannot be used.
        InputError: it cannot be used; `DamagedError` if it breaks off, after all events before that.
    """
    import cv2  # noqa: PLC0415  heavy

    import vision.decks  # noqa: PLC0415  heavy
    from vision import decode, motion  # noqa: PLC0415  heavy
    from vision.ahead import ahead  # noqa: PLC0415  the same

    cv2.setNumThreads(1)
    duration_s = decode.probe(path).duration_s
    loaded = vision.decks.load_deck(deck)
    yield Opened(duration_s)
    pictures = decode.frames(path, alone=True) if alone else ahead(decode.frames(path), motion.look)
    yield from vision.watch(pictures, loaded, seats=seats, touch=touch)
