"""Pictures of a recording with their true times: upright, lazily converted, decoded on several threads.

Time is the presentation time of the container, `pts x time base`, edit lists included, with zero at the zero of
presentation: what audio decoding must use too. It is never index / rate, which was wrong by up to 95 ms on recordings
with a variable frame rate. Rotation metadata is applied here and nowhere else.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import av
import cv2
import numpy as np

from referee.errors import DamagedError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from av.container import InputContainer
    from av.video.stream import VideoStream
    from numpy.typing import NDArray

_PLANAR = frozenset({"yuv420p", "yuvj420p"})
_LUMA_FIRST = frozenset({"yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p", "nv12", "nv21", "gray"})
_TURNS = {1: cv2.ROTATE_90_COUNTERCLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_CLOCKWISE}
_SHORT_S = 1.5
"""A recording that ends this much before its container says so was cut; encoders round by up to a second."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What a recording says about its picture before anything is decoded."""

    size: tuple[int, int]
    """Width and height in pixels as stored; `rotation` may swap them."""
    rate: float
    """Mean frames a second; 0 if the container does not say."""
    duration_s: float | None
    codec: str


class DecodedFrame:
    """A decoded picture; implements `referee.media.Frame`, `small` and `averaged`."""

    def __init__(self, frame: av.VideoFrame, time_s: float) -> None:
        self._frame = frame
        self._turns = round(frame.rotation / 90) % 4  # counter-clockwise quarter turns, as numpy counts them
        self.time_s = time_s
        self._averages: dict[int, NDArray[np.uint8]] = {}

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, upright."""
        wide, high = self._frame.width, self._frame.height
        return (high, wide) if self._turns % 2 else (wide, high)

    def luma(self) -> NDArray[np.uint8]:
        """Brightness, shape (height, width), 0-255: a view of the decoder's own plane where it has one."""
        frame = self._frame
        if frame.format.name not in _LUMA_FIRST:
            frame = frame.reformat(format="gray")
        return np.rot90(_plane(frame, 0), self._turns) if self._turns else _plane(frame, 0)

    def image(self) -> NDArray[np.uint8]:
        """Colour, shape (height, width, 3), channel order blue, green, red. Converted on each call."""
        picture = np.asarray(self._frame.to_ndarray(format="bgr24"), np.uint8)
        return _turned(picture, self._turns)

    def crop(self, box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
        """Colour of a part, as `image` would give it up to rounding; box is left, top, right, bottom, upright.

        Converting a part costs a part: a whole 1080p frame takes 3 ms or more.
        """
        if self._frame.format.name != "yuv420p":
            left, top, right, bottom = box
            return self.image()[top:bottom, left:right]
        picture = self._stored(self._as_stored(box))
        return _turned(picture, self._turns)

    def _as_stored(self, box: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        """A box of the upright picture in the picture as it is stored."""
        left, top, right, bottom = box
        wide, high = self.size
        if self._turns == 1:
            return high - bottom, left, high - top, right
        if self._turns == 2:
            return wide - right, high - bottom, wide - left, high - top
        if self._turns == 3:
            return top, wide - right, bottom, wide - left
        return box

    def _stored(self, box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
        """Colour of a part of the picture as it is stored."""
        left, top, right, bottom = box
        # Planes of colour have half the size: begin and end on even pixels, cut after.
        x0, y0, x1, y1 = left & ~1, top & ~1, (right + 1) & ~1, (bottom + 1) & ~1
        y = _plane(self._frame, 0)[y0:y1, x0:x1]
        u, v = (_plane(self._frame, k)[y0 // 2 : y1 // 2, x0 // 2 : x1 // 2] for k in (1, 2))
        x1, y1 = x0 + y.shape[1] // 2 * 2, y0 + y.shape[0] // 2 * 2
        y = y[: y1 - y0, : x1 - x0]
        wide, high = y.shape[1], y.shape[0]
        packed = np.concatenate([y.ravel(), u[: high // 2, : wide // 2].ravel(), v[: high // 2, : wide // 2].ravel()])
        picture = cv2.cvtColor(packed.reshape(high * 3 // 2, wide), cv2.COLOR_YUV2BGR_I420)
        return np.asarray(picture[top - y0 : bottom - y0, left - x0 : right - x0], np.uint8)

    def averaged(self, factor: int) -> NDArray[np.uint8]:
        """Brightness and both colour differences, shape (h, w, 3), averaged over `factor` x `factor` pixels.

        It is made once and kept.
        """
        if factor not in self._averages:
            self._averages[factor] = self._averaged(factor)
        return self._averages[factor]

    def _averaged(self, factor: int) -> NDArray[np.uint8]:
        y, u, v = (_plane(self._planar, k) for k in range(3))
        shape = (max(1, y.shape[1] // factor), max(1, y.shape[0] // factor))
        # By halves first: that is seven times as fast.
        wide, high = shape[0] * factor, shape[1] * factor
        bright, left = y[:high, :wide], factor
        while left % 2 == 0:
            wide, high, left = wide // 2, high // 2, left // 2
            bright = np.asarray(cv2.resize(bright, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
        planes = [cv2.resize(bright, shape, interpolation=cv2.INTER_AREA) if left > 1 else bright]
        # Colour comes at half the size; only whole factors average fast, and colour is smooth.
        how = cv2.INTER_AREA if factor % 2 == 0 else cv2.INTER_LINEAR
        ends = shape[1] * factor // 2, shape[0] * factor // 2
        planes += [cv2.resize(k[: ends[0], : ends[1]], shape, interpolation=how) for k in (u, v)]
        picture = cv2.merge(planes)
        return _turned(np.asarray(picture, np.uint8), self._turns)

    def small(self, long_side: int) -> NDArray[np.uint8]:
        """Brightness and both colour differences, shape (h, w, 3), area-averaged to `long_side` pixels."""
        wide, high = self._planar.width, self._planar.height
        scale = long_side / max(wide, high)
        shape = (max(1, round(wide * scale)), max(1, round(high * scale)))
        planes = [cv2.resize(_plane(self._planar, k), shape, interpolation=cv2.INTER_AREA) for k in range(3)]
        picture = cv2.merge(planes)
        return _turned(np.asarray(picture, np.uint8), self._turns)

    @cached_property
    def _planar(self) -> av.VideoFrame:
        return self._frame if self._frame.format.name in _PLANAR else self._frame.reformat(format="yuv420p")


def _turned(picture: NDArray[np.uint8], turns: int) -> NDArray[np.uint8]:
    """A picture turned by so many quarters, counterclockwise: as `np.rot90`, many times as fast."""
    return np.asarray(cv2.rotate(picture, _TURNS[turns]), np.uint8) if turns else picture


def _plane(frame: av.VideoFrame, index: int) -> NDArray[np.uint8]:
    """One plane without its padding, as a view of the decoder's memory."""
    plane = frame.planes[index]
    # A plane offers the buffer protocol, which its stubs do not say.
    rows: NDArray[np.uint8] = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)  # type: ignore[call-overload]
    return rows[: plane.height, : plane.width]


def probe(path: str | os.PathLike[str]) -> Probe:
    """Size, rate and length of a recording's picture.

    Raises:
        InputError: the file is missing, is no media file or has no picture.
    """
    with _open(path) as container:
        stream = _video(container, path)
        duration = None if container.duration is None else container.duration / av.time_base
        size = (stream.codec_context.width, stream.codec_context.height)
        return Probe(size, float(stream.average_rate or 0), duration, stream.codec_context.name)


def frames(path: str | os.PathLike[str], *, alone: bool = False) -> Iterator[DecodedFrame]:
    """Every picture of a recording in order of time; times strictly increase.

    Args:
        path: the recording.
        alone: whether decoding keeps to the core of who takes the pictures.

    Raises:
        InputError: before the first frame, if nothing can be decoded.
        DamagedError: after the last frame that can be decoded, if the recording breaks off there. All frames up to
            there have been given.
    """
    with _open(path) as container:
        stream = _video(container, path)
        stream.thread_type = "AUTO"
        # Whoever takes the pictures needs a core, too: with as many threads as cores they wait for each other.
        stream.thread_count = 1 if alone else max(1, (os.cpu_count() or 1) - 1)
        last: float | None = None
        broken = ""
        try:
            for frame in container.decode(stream):
                time_s = _time(frame, stream, last)
                if last is not None and time_s <= last:
                    continue
                last = time_s
                yield DecodedFrame(frame, time_s)
        except av.error.FFmpegError as error:
            broken = error.strerror or type(error).__name__
        _check_end(path, container, stream, last, broken)


def _time(frame: av.VideoFrame, stream: VideoStream, last: float | None) -> float:
    """The frame's presentation time; a missing one is a frame after the last."""
    if frame.time is not None:
        return float(frame.time)
    return 0.0 if last is None else last + 1 / float(stream.average_rate or 30)


def _check_end(
    path: str | os.PathLike[str], container: InputContainer, stream: VideoStream, last: float | None, broken: str
) -> None:
    name = os.fspath(path)
    if last is None:
        raise InputError(f"{name}: the picture cannot be decoded ({broken or 'it has no frames'})")
    promised = None
    if stream.duration is not None and stream.time_base is not None:
        promised = float((stream.start_time or 0) * stream.time_base + stream.duration * stream.time_base)
    elif container.duration is not None:
        promised = (container.duration + (container.start_time or 0)) / av.time_base
    if broken:
        raise DamagedError(f"{name}: the picture is damaged after {last:.1f} s ({broken})", at_s=last)
    if promised is not None and promised - last > _SHORT_S:
        raise DamagedError(f"{name}: the picture breaks off at {last:.1f} s of {promised:.1f} s", at_s=last)


def _open(path: str | os.PathLike[str]) -> InputContainer:
    name = os.fspath(path)
    try:
        return av.open(name, mode="r")
    except FileNotFoundError:
        raise InputError(f"{name}: there is no such file") from None
    except (av.error.FFmpegError, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{name}: this is no recording that can be opened ({reason})") from None


def _video(container: InputContainer, path: str | os.PathLike[str]) -> VideoStream:
    pictures = [s for s in container.streams.video if not (s.disposition & av.stream.Disposition.attached_pic)]
    if not pictures:
        raise InputError(f"{os.fspath(path)}: the recording has no picture; record video of the table")
    return pictures[0]
