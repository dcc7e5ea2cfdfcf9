"""The eye in a process of its own, so that it does not share one interpreter with ear, match and network.

`watch` gives what `vision.watch` gives. The child reads encoded pictures on its standard input, writes events,
pictures of cards and its progress on its standard output, and ends when its input does: whatever becomes of the
parent.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import struct
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from referee.errors import InputError
from referee.live.outlook import Noticed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from referee.events import CardShown, Event, SeenTo
    from referee.live.feed import Picture
    from vision.finder import Found

LENGTH = struct.Struct(">I")
POLITE_S = 5.0


@dataclass(frozen=True, slots=True)
class Looking:
    """What the eye is told at the start."""

    codec: str
    deck: str
    seats: tuple[str, ...] | None
    touch: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """The eye has taken the picture of this time."""

    time_ms: int


@dataclass(frozen=True, slots=True)
class Cut:
    """A card as the camera saw it, JPEG."""

    shown: CardShown
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Reading:
    """The cards that are being read now; told when they change."""

    cards: tuple[Noticed, ...]


def watch(
    pictures: Iterable[Picture],
    looking: Looking,
    *,
    noticed: Callable[[tuple[Noticed, ...]], None] = lambda _: None,
    taken: Callable[[int], None] = lambda _: None,
    cut: Callable[[CardShown, bytes], None] = lambda *_: None,
) -> Iterator[Event | SeenTo]:
    """Watch a table from another process.

    Args:
        pictures: encoded, in order.
        looking: codec, deck and seats.
        noticed: is called with the cards that are being read, whenever they change.
        taken: is called with the time in ms of each picture that the eye has taken.
        cut: is called with each card that was read and its picture, before its event is given.

    Raises:
        InputError: the process ended before its time.
    """
    process = _child()
    assert process.stdin is not None  # noqa: S101  (pipes were asked for)
    assert process.stdout is not None  # noqa: S101
    _put(process.stdin, looking)
    feeder = threading.Thread(target=_feed, args=(process.stdin, pictures), daemon=True)
    feeder.start()
    try:
        while (item := _get(process.stdout)) is not None:
            if isinstance(item, Taken):
                taken(item.time_ms)
            elif isinstance(item, Reading):
                noticed(item.cards)
            elif isinstance(item, Cut):
                cut(item.shown, item.jpeg)
            else:
                yield item
    finally:
        _end(process)
    if process.returncode:
        raise InputError(f"the process that watches the table ended by itself (status {process.returncode})")


def _child() -> subprocess.Popen[bytes]:
    root = str(Path(__file__).parents[2])
    paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    # A session of its own: Ctrl-C is for the parent, which ends the child by ending its input.
    return subprocess.Popen(
        [sys.executable, "-m", "referee.live.eyes"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
        start_new_session=True,
    )


def _feed(pipe: IO[bytes], pictures: Iterable[Picture]) -> None:
    """The pipe is short: what the eye has not taken waits in the stream, where it is counted."""
    with contextlib.suppress(OSError, ValueError):
        for picture in pictures:
            _put(pipe, picture)
        pipe.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError, ValueError):
            if pipe is not None:
                pipe.close()
    try:
        process.wait(POLITE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _put(pipe: IO[bytes], item: Any) -> None:
    data = pickle.dumps(item)
    pipe.write(LENGTH.pack(len(data)) + data)
    pipe.flush()


def _get(pipe: IO[bytes]) -> Any:
    """The next item; None at the end."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    data = pipe.read(LENGTH.unpack(head)[0])
    return pickle.loads(data)  # noqa: S301  what our own process on our own pipe has written


def _received(pipe: IO[bytes]) -> Iterator[Picture]:
    while (item := _get(pipe)) is not None:
        yield item


def _work(source: IO[bytes], out: IO[bytes]) -> None:
    """The child's life."""
    import cv2  # noqa: PLC0415  only in the child

    import vision  # noqa: PLC0415  the same
    import vision.decks  # noqa: PLC0415  the same
    from referee.events import CardShown  # noqa: PLC0415  the same
    from referee.live import evidence, feed  # noqa: PLC0415  the same

    cv2.setNumThreads(1)
    looking: Looking = _get(source)
    deck = vision.decks.load_deck(looking.deck)
    at: list[Any] = [None]

    def frames() -> Iterator[Any]:
        for frame in feed.pictures(_received(source), looking.codec):
            at[0] = frame
            yield frame
            _put(out, Taken(round(1000 * frame.time_s)))

    told: list[tuple[Noticed, ...]] = [()]

    def noticed(cards: list[tuple[Found, NDArray[np.float32]]]) -> None:
        now = tuple(_noticed(found, corners) for found, corners in cards)
        if now != told[0]:
            told[0] = now
            _put(out, Reading(now))

    for item in vision.watch(frames(), deck, seats=looking.seats, touch=looking.touch, noticed=noticed):
        if isinstance(item, CardShown) and (jpeg := evidence.cut(at[0], item)):
            _put(out, Cut(item, jpeg))
        _put(out, item)


def _noticed(found: Found, corners: NDArray[np.float32]) -> Noticed:
    assert found.type is not None  # noqa: S101  (only cards that were read are noticed)
    return Noticed(found.type, tuple((round(float(x)), round(float(y))) for x, y in corners))


def main() -> None:
    """Run as a child: standard output is the parent's alone, whatever libraries print goes to standard error."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(BrokenPipeError):
        _work(sys.stdin.buffer, out)
        out.close()


if __name__ == "__main__":
    from referee.live import eyes  # noqa: PLW0406  what is pickled must come from the module's own name, not from __main__

    eyes.main()
