"""From the network's thread to eye and ear: queues, and what is read from them as pictures and sound.

What comes out is what `vision.decode.frames` and `audio.decode.blocks` give from the kept file: the same packets in
the same decoder, times rounded to the file's milliseconds, gaps filled by the same rule.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import av
import numpy as np

from audio.decode import FILLED_S, JUMP_S
from referee.media import AudioBlock
from vision.decode import DecodedFrame

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from av.video.codeccontext import VideoCodecContext
    from numpy.typing import NDArray

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Picture:
    """One encoded picture."""

    time_ms: int
    alone: bool
    """Whether it can be decoded without those before it."""
    payload: bytes


@dataclass(frozen=True, slots=True)
class Sound:
    """Samples as they came."""

    time_ms: int
    samples: NDArray[np.float32]
    """Shape (channels, n)."""


class Stream(Generic[T]):
    """A queue that one thread fills and another reads to its end."""

    def __init__(self) -> None:
        self._items: deque[T] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self.dropped = False
        """Whether what waited was let go: what was made of this stream is not all there was."""

    def put(self, item: T) -> None:
        """Add an item; after `close` it is dropped."""
        with self._changed:
            if not self._closed:
                self._items.append(item)
                self._changed.notify()

    def close(self) -> None:
        """Nothing more comes; what waits is still read."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def drop(self) -> None:
        """Nothing more comes, and what waits is let go."""
        with self._changed:
            self.dropped = self.dropped or bool(self._items) or not self._closed
            self._items.clear()
        self.close()

    @property
    def first(self) -> T | None:
        """What is read next, if something waits."""
        with self._changed:
            return self._items[0] if self._items else None

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        while True:
            with self._changed:
                while not self._items and not self._closed:
                    self._changed.wait()
                if not self._items:
                    return
                item = self._items.popleft()
            yield item


def decoder(codec: str) -> VideoCodecContext:
    """A decoder that gives each picture at once: threads over frames would hold some back."""
    context = av.CodecContext.create(codec, "r")
    assert isinstance(context, av.VideoCodecContext)  # noqa: S101  (the greeting allows codecs of pictures only)
    context.thread_count = 1
    return context


def pictures(stream: Iterable[Picture], codec: str) -> Iterator[DecodedFrame]:
    """Decode pictures in order; what cannot be decoded is passed over, as in a file."""
    context, last = decoder(codec), -1
    begun = False
    for picture in stream:
        begun = begun or picture.alone
        if not begun or picture.time_ms <= last:
            continue
        packet = av.Packet(picture.payload)
        packet.pts = packet.dts = picture.time_ms
        with contextlib.suppress(av.error.FFmpegError):
            for frame in context.decode(packet):
                last = picture.time_ms
                yield DecodedFrame(frame, picture.time_ms / 1000)


def sound(stream: Iterable[Sound], rate: int) -> Iterator[AudioBlock]:
    """Samples with their times: the sample count, which a gap overrules as in `audio.decode`."""
    next_s: float | None = None
    for block in stream:
        samples, time_s = block.samples, block.time_ms / 1000
        late_s = 0.0 if next_s is None else time_s - next_s
        if next_s is None or late_s > FILLED_S:
            next_s = time_s
        elif late_s > JUMP_S:
            samples = np.pad(samples, ((0, 0), (round(late_s * rate), 0)))
        elif late_s < -JUMP_S:
            samples = samples[:, round(-late_s * rate) :]
        if samples.shape[1]:
            yield AudioBlock(next_s, samples, rate)
            next_s += samples.shape[1] / rate
