"""Sound of a recording file, decoded in order, with true times.

Times are presentation times on the container's own clock, the one that pictures use: `pts x time base`, with encoder
priming taken off by the decoder (edit lists and skip marks are honoured) and a late start kept. Within a stretch of
sound, time is the sample count; the presentation times only anchor it, so that their rounding does no harm.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import av
import av.error
import numpy as np

from audio.resample import Resampler
from referee.errors import DamagedError, InputError
from referee.media import AudioBlock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from av.audio.stream import AudioStream
    from av.container import InputContainer
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

JUMP_S = 0.02
"""Presentation times overrule the sample count only from this difference on: they are rounded and jitter."""
FILLED_S = 2.0
"""Gaps up to this length are filled with silence; over a longer one the time of the next block leaps."""
SHORT_S = 0.5
"""A stream that ends earlier than its header says by more than this was cut short."""


@dataclass(frozen=True, slots=True)
class Sound:
    """What a file says about its sound."""

    channels: int
    """Of all audio streams together."""
    rate: int
    """Samples a second, of the fastest stream."""
    duration_s: float | None
    """None when the file does not say."""
    codec: str


def probe(path: str | Path) -> Sound:
    """Read the header of a recording.

    Raises:
        InputError: the file is missing, is no recording, or has no sound.
    """
    with _opened(path) as container:
        streams = _streams(container, path)
        lengths = [float(s.duration * s.time_base) for s in streams if s.duration and s.time_base]
        if not lengths and container.duration:
            lengths = [container.duration / av.time_base]
        return Sound(
            channels=sum(s.codec_context.channels for s in streams),
            rate=max(s.codec_context.sample_rate for s in streams),
            duration_s=max(lengths) if lengths else None,
            codec=streams[0].codec_context.name,
        )


def blocks(path: str | Path, *, rate: int | None = None) -> Iterator[AudioBlock]:
    """Decode the sound of a recording in blocks of about a tenth of a second; several audio streams become channels.

    Args:
        path: any container and codec that FFmpeg reads.
        rate: samples a second of the blocks; by default the rate of the (fastest) stream. Resampling shifts no time.

    Yields:
        Blocks in time order, each right after the one before it save over a gap longer than `FILLED_S`.

    Raises:
        InputError: the file is missing, is no recording, or has no sound.
        DamagedError: after the last good block, if the sound breaks off before its stated end.
    """
    with _opened(path) as container:
        streams = _streams(container, path)
        rate = rate or max(s.codec_context.sample_rate for s in streams)
        joined = _Joined([_Line(s, rate) for s in streams], rate)
        place = {stream.index: i for i, stream in enumerate(streams)}
        damage = ""
        try:
            for packet in container.demux(streams):
                line = joined.lines[place[packet.stream.index]]
                try:
                    line.take(packet.decode())
                except av.error.InvalidDataError:
                    line.broken = True  # a bad packet: silence stands in for it, if good ones follow
                    continue
                yield from joined.ready()
        except av.error.FFmpegError as error:
            damage = str(error.strerror)
        yield from joined.rest()
        _check_end(path, streams, joined, damage)


def _opened(path: str | Path) -> InputContainer:
    try:
        return av.open(str(path), metadata_errors="replace")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise InputError(f"{path}: this is not a recording that can be read ({_say(error)})") from None


def _say(error: BaseException) -> str:
    return str(getattr(error, "strerror", None) or error).lower()


def _streams(container: InputContainer, path: str | Path) -> list[AudioStream]:
    found = [s for s in container.streams.audio if s.codec_context is not None and s.codec_context.sample_rate]
    if not found:
        raise InputError(f"{path}: the recording has no sound; record with the microphone on")
    return found


def _check_end(path: str | Path, streams: list[AudioStream], joined: _Joined, damage: str) -> None:
    stated = [
        float((s.start_time or 0) * s.time_base + s.duration * s.time_base)
        for s in streams
        if s.duration and s.time_base is not None
    ]
    heard = joined.end_s
    if heard is None:
        raise InputError(f"{path}: no sound could be decoded ({damage or 'the file breaks off'})")
    if damage or (stated and max(stated) - heard > SHORT_S) or joined.broken_at_end:
        why = damage or "the file breaks off"
        raise DamagedError(f"{path}: the sound is damaged from {heard:.1f} s on ({why}); judged up to there", heard)


class _Line:
    """One audio stream as runs of samples, short gaps filled, each with the time of its first sample."""

    def __init__(self, stream: AudioStream, rate: int) -> None:
        self.channels = stream.codec_context.channels
        self.broken = False
        self.runs: deque[tuple[float, Samples]] = deque()
        self._own_rate, self._rate = stream.codec_context.sample_rate, rate
        self._resampler = Resampler(self._own_rate, rate)
        self._next_in_s: float | None = None
        self._next_out_s = 0.0

    def take(self, frames: Iterable[object]) -> None:
        for frame in frames:
            if isinstance(frame, av.AudioFrame) and frame.samples and frame.sample_rate == self._own_rate:
                self.broken = False
                base, pts = frame.time_base, frame.pts
                self._place(_floats(frame, self.channels), None if pts is None or base is None else float(pts * base))

    def finish(self) -> None:
        if self._next_in_s is not None:
            self._append(self._resampler.finish())
            self._next_in_s = None

    def _place(self, samples: Samples, time_s: float | None) -> None:
        late_s = 0.0 if time_s is None or self._next_in_s is None else time_s - self._next_in_s
        if late_s > FILLED_S:
            self.finish()
        if self._next_in_s is None:
            self._next_in_s = self._next_out_s = time_s or 0.0
        elif late_s > JUMP_S:
            self._feed(np.zeros((self.channels, round(late_s * self._own_rate)), np.float32))
        elif late_s < -JUMP_S:
            samples = samples[:, round(-late_s * self._own_rate) :]
        self._feed(samples)

    def _feed(self, samples: Samples) -> None:
        assert self._next_in_s is not None  # noqa: S101  (set by the caller)
        self._next_in_s += samples.shape[1] / self._own_rate
        self._append(self._resampler.feed(samples))

    def _append(self, samples: Samples) -> None:
        if samples.shape[1]:
            self.runs.append((self._next_out_s, samples))
            self._next_out_s += samples.shape[1] / self._rate


class _Joined:
    """Streams side by side: blocks of all channels, aligned to the first stream's samples."""

    def __init__(self, lines: list[_Line], rate: int) -> None:
        self.lines = lines
        self.end_s: float | None = None
        self._rate = rate
        self._size = rate // 10

    @property
    def broken_at_end(self) -> bool:
        return any(line.broken for line in self.lines)

    def ready(self) -> Iterator[AudioBlock]:
        """Blocks for which every stream has sound (a stream that is a minute behind is taken to be silent)."""
        while (block := self._block(self._size, ended=False)) is not None:
            yield block

    def rest(self) -> Iterator[AudioBlock]:
        for line in self.lines:
            line.finish()
        while (block := self._block(self._size, ended=True)) is not None:
            yield block

    def _block(self, size: int, *, ended: bool) -> AudioBlock | None:
        waiting = [line for line in self.lines if line.runs]
        if not waiting:
            return None
        start_s = min(line.runs[0][0] for line in waiting)
        stop_s = start_s + size / self._rate
        known_s = [line.runs[-1][0] + line.runs[-1][1].shape[1] / self._rate for line in waiting]
        if not ended:
            behind = len(waiting) < len(self.lines) or min(known_s) < stop_s
            if behind and max(known_s) < start_s + MINUTE_S:
                return None
        if len(self.lines) == 1:  # a leap ends the block early: time is the sample count within a block
            size = _contiguous(self.lines[0], size, self._rate)
        elif ended:
            size = min(size, max(1, round((max(known_s) - start_s) * self._rate)))
        samples = np.concatenate([_cut(line, start_s, size, self._rate) for line in self.lines])
        self.end_s = start_s + size / self._rate
        return AudioBlock(start_s, samples, self._rate)


MINUTE_S = 60.0
"""How far one stream of several may run ahead of another before the other is taken to be silent: bounds memory."""


def _contiguous(line: _Line, size: int, rate: int) -> int:
    """Samples from the line's first run on, up to `size`, before the next leap in time."""
    have, next_s = 0, line.runs[0][0]
    for start_s, samples in line.runs:
        if abs(start_s - next_s) > 0.5 / rate and have:
            break
        have += samples.shape[1]
        next_s = start_s + samples.shape[1] / rate
        if have >= size:
            return size
    return have


def _cut(line: _Line, start_s: float, size: int, rate: int) -> Samples:
    """The line's samples from `start_s` on, removed from it; silence where it has none."""
    out = np.zeros((line.channels, size), np.float32)
    while line.runs:
        run_s, samples = line.runs[0]
        at = round((run_s - start_s) * rate)
        if at >= size:
            break
        line.runs.popleft()
        skip = max(0, -at)
        take = samples[:, skip : skip + size - max(at, 0)]
        out[:, max(at, 0) : max(at, 0) + take.shape[1]] = take
        used = skip + take.shape[1]
        if used < samples.shape[1]:
            line.runs.appendleft((run_s + used / rate, samples[:, used:]))
            break
    return out


def _floats(frame: av.AudioFrame, channels: int) -> Samples:
    """Samples of a decoded frame as floats of full scale 1, shape (channels, n), whatever the codec's own format."""
    raw: NDArray[Any] = frame.to_ndarray()
    if not frame.format.is_planar:
        raw = raw.reshape(-1, frame.layout.nb_channels).T
    if raw.dtype == np.uint8:
        samples = (raw.astype(np.float32) - 128.0) / 128.0
    elif raw.dtype.kind == "i":
        samples = raw.astype(np.float32) / float(2 ** (8 * raw.dtype.itemsize - 1))
    else:
        samples = raw.astype(np.float32)
    if samples.shape[0] < channels:
        samples = np.pad(samples, ((0, channels - samples.shape[0]), (0, 0)))
    clean: Samples = np.nan_to_num(samples[:channels], posinf=0.0, neginf=0.0)
    return clean
