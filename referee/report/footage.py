"""Pictures, sound and short clips out of a recording, at true times, without decoding all of it.

Times are seconds on the recording's own clock, as everywhere. A seek lands on a key frame before the moment asked for
and every frame's own presentation time decides which is used, so that seeking cannot land a frame off.
"""

from __future__ import annotations

import io
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Self

import av
import av.error
import numpy as np
from av.video.frame import PictureType
from av.video.reformatter import VideoReformatter

from audio.decode import blocks
from referee.errors import DamagedError, InputError
from vision.decode import DecodedFrame

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

CLIP_RATE = 48_000
"""Samples a second of a clip's sound; AAC and Opus both take it."""
CLIP_LONG_SIDE = 640
"""Pixels. A 3 s clip is then about 150 kB, which leaves 60 rounds well under 25 MB with their pictures."""
CLIP_FPS = 30
X264: dict[str, object] = {"crf": "27", "preset": "veryfast", "threads": "1"}
"""Cards stay readable at the size above; looked at."""
VP8: dict[str, object] = {"crf": "20", "b": "400k", "cpu-used": "8"}


@dataclass(frozen=True, slots=True)
class Still:
    """One raw frame."""

    asked_s: float
    time_s: float
    """Presentation time of this frame."""
    image: NDArray[np.uint8]
    """Shape (height, width, 3), red, green, blue, upright."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A stretch of sound."""

    time_s: float
    """Time of the first sample."""
    samples: NDArray[np.float32]
    """Shape (channels, n)."""
    rate: int

    def cut(self, start_s: float, end_s: float) -> Sound:
        """The part between two times, as far as there is sound."""
        low = max(0, round((start_s - self.time_s) * self.rate))
        high = max(low, round((end_s - self.time_s) * self.rate))
        return Sound(self.time_s + low / self.rate, self.samples[:, low:high], self.rate)


@dataclass(frozen=True, slots=True)
class Clip:
    """A short film with sound, ready to be embedded."""

    data: bytes
    mime: str
    start_s: float
    """Time on the recording's clock at which the clip begins."""


class Shot(DecodedFrame):
    """A decoded picture that can be made small for a clip."""

    def shrunk(self, long_side: int, scaler: VideoReformatter) -> av.VideoFrame:
        """The picture upright and no longer than `long_side` pixels, with even sides, as encoders want them.

        A scaler that is used for all frames is set up once, which takes as long as a frame.
        """
        scale = min(1.0, long_side / max(self.size))
        wide, high = (max(2, round(n * scale / 2) * 2) for n in (self._frame.width, self._frame.height))
        kind = "yuv444p" if self._turns else "yuv420p"  # one that can be turned plane by plane
        small = scaler.reformat(self._frame, width=wide, height=high, format=kind, interpolation="AREA")
        if self._turns:
            planes = np.rot90(np.asarray(small.to_ndarray(), np.uint8), self._turns, axes=(1, 2))
            small = av.VideoFrame.from_ndarray(np.ascontiguousarray(planes, np.uint8), format=kind)
        small.pict_type = PictureType.NONE  # else the encoder would make key frames where the recording has them
        return small


class Footage:
    """Random access to the pictures of a recording. Use as a context manager."""

    def __init__(self, path: Path) -> None:
        try:
            self._container = av.open(str(path), metadata_errors="replace")
        except FileNotFoundError:
            raise InputError(f"{path}: there is no such file") from None
        except (av.error.FFmpegError, OSError, ValueError) as error:
            raise InputError(f"{path}: this is not a recording that can be read ({error})") from None
        self._stream = self._container.streams.video[0] if self._container.streams.video else None
        if self._stream is not None:
            self._stream.thread_type = "AUTO"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._container.close()

    @property
    def has_picture(self) -> bool:
        """Whether there is any picture; a recording of sound alone has none."""
        return self._stream is not None

    @property
    def frames_a_second(self) -> float:
        """Mean rate, for people; never used to compute a time."""
        return float(self._stream.average_rate or 0) if self._stream else 0.0

    def between(self, start_s: float, end_s: float) -> Iterator[Shot]:
        """Frames with `start_s <= time <= end_s`, in order; ends early where the recording is damaged."""
        if self._stream is None or self._stream.time_base is None:
            return
        try:
            self._container.seek(max(0, int(max(0.0, start_s) / self._stream.time_base)), stream=self._stream)
            for frame in self._container.decode(self._stream):
                if frame.time is None or frame.time < start_s:
                    continue
                if frame.time > end_s:
                    return
                yield Shot(frame, float(frame.time))
        except av.error.FFmpegError:
            return

    def stills(self, times: Sequence[float], within_s: float = 0.2) -> list[Still | None]:
        """For each time the nearest frame, or None if there is none within `within_s`."""
        found: list[Still | None] = [None] * len(times)
        for group in _groups(sorted(set(times)), 1.5):
            best: dict[float, Shot] = {}
            for frame in self.between(group[0] - within_s, group[-1] + within_s):
                for t in group:
                    if t not in best or abs(frame.time_s - t) < abs(best[t].time_s - t):
                        best[t] = frame
            for i, t in enumerate(times):
                if t in best and abs(best[t].time_s - t) <= within_s:
                    found[i] = _still(t, best[t])
        return found


def _groups(times: Sequence[float], gap_s: float) -> Iterator[list[float]]:
    """Times that lie close together are decoded in one go."""
    group: list[float] = []
    for t in times:
        if group and t - group[-1] > gap_s:
            yield group
            group = []
        group.append(t)
    if group:
        yield group


def sounds(path: Path, spans: Sequence[tuple[float, float]]) -> list[Sound | None]:
    """The sound of each span (start, end), seconds; None where the recording has none. One pass, little memory."""
    parts: list[list[tuple[float, NDArray[np.float32]]]] = [[] for _ in spans]
    rate, last = 0, max((high for _, high in spans), default=0.0)
    try:
        for block in blocks(path):
            if block.time_s >= last:
                break
            rate = block.rate
            end = block.time_s + block.samples.shape[1] / rate
            for i, (low, high) in enumerate(spans):
                if block.time_s < high and end > low:
                    parts[i].append((block.time_s, block.samples))
    except (InputError, DamagedError):
        pass  # what could be heard before the damage is shown
    return [_joined(p, span, rate) for p, span in zip(parts, spans, strict=True)]


def _joined(parts: list[tuple[float, NDArray[np.float32]]], span: tuple[float, float], rate: int) -> Sound | None:
    if not parts:
        return None
    start = parts[0][0]
    total = round((parts[-1][0] - start) * rate) + parts[-1][1].shape[1]
    out = np.zeros((parts[0][1].shape[0], total), np.float32)
    for t, samples in parts:
        at = round((t - start) * rate)
        out[:, at : at + samples.shape[1]] = samples
    return Sound(start, out, rate).cut(*span)


class Tap:
    """Picks the frames nearest to some times out of frames on their way elsewhere, so that nothing is decoded twice."""

    def __init__(self, times: Iterable[float]) -> None:
        self._best: dict[float, Shot | None] = dict.fromkeys(times)

    def through(self, frames: Iterable[Shot]) -> Iterator[Shot]:
        """Pass the frames on, looking at each."""
        for frame in frames:
            for t, best in self._best.items():
                if best is None or abs(frame.time_s - t) < abs(best.time_s - t):
                    self._best[t] = frame
            yield frame

    def still(self, time_s: float) -> Still | None:
        """The nearest frame that came by."""
        frame = self._best.get(time_s)
        return _still(time_s, frame) if frame is not None else None


def _still(asked_s: float, frame: Shot) -> Still:
    return Still(asked_s, frame.time_s, np.ascontiguousarray(frame.image()[:, :, ::-1]))


def clip(footage: Footage, sound: Sound | None, start_s: float, end_s: float, tap: Tap | None = None) -> Clip | None:
    """Encode pictures and sound between two times as a small film: H.264 and AAC, or VP8 and Opus without x264.

    Presentation times are kept as they are, so that a variable frame rate stays true. `tap` sees every frame.
    """
    whole = footage.between(max(0.0, start_s), end_s)
    frames = _thinned(tap.through(whole) if tap is not None else whole)
    return _encode(frames, sound, max(0.0, start_s), "libx264" in av.codecs_available)


def _thinned(frames: Iterable[Shot]) -> Iterator[tuple[float, av.VideoFrame]]:
    """Small pictures, at most `CLIP_FPS` a second."""
    last, scaler = -1.0, VideoReformatter()
    for frame in frames:
        if frame.time_s - last < 0.9 / CLIP_FPS:
            continue
        last = frame.time_s
        yield frame.time_s, frame.shrunk(CLIP_LONG_SIDE, scaler)


def _encode(
    frames: Iterator[tuple[float, av.VideoFrame]], sound: Sound | None, start_s: float, x264: bool
) -> Clip | None:
    first = next(frames, None)
    if sound is not None and not sound.samples.size:
        sound = None
    if first is None and sound is None:
        return None
    buffer = io.BytesIO()
    with av.open(buffer, "w", format="mp4" if x264 else "webm") as out:
        video = None
        if first is not None:
            video = out.add_stream("libx264" if x264 else "libvpx", rate=CLIP_FPS)
            video.width, video.height = first[1].width, first[1].height
            video.pix_fmt = "yuv420p"
            video.time_base = video.codec_context.time_base = Fraction(1, 90_000)
            video.options = X264 if x264 else VP8
        voice = None
        if sound is not None:
            voice = out.add_stream("aac" if x264 else "libopus", rate=CLIP_RATE, layout="stereo")
            voice.bit_rate = 80_000
        if voice is not None and sound is not None:
            frame = _sound_frame(sound)
            frame.pts = round((sound.time_s - start_s) * CLIP_RATE)
            for chunk in _chunks(frame, sound.rate):
                out.mux(voice.encode(chunk))
            out.mux(voice.encode(None))
        if video is not None and first is not None:
            for time_s, picture in chain([first], frames):
                picture.time_base = Fraction(1, 90_000)
                picture.pts = round((time_s - start_s) * 90_000)
                out.mux(video.encode(picture))
            out.mux(video.encode(None))
    return Clip(buffer.getvalue(), "video/mp4" if x264 else "video/webm", start_s)


def _sound_frame(sound: Sound) -> av.AudioFrame:
    """Two channels of sound: a stereo recording as it is, one microphone on both, more than two mixed."""
    s = sound.samples
    pair = s if s.shape[0] == 2 else np.repeat(s.mean(axis=0, keepdims=True) * min(s.shape[0], 2), 2, axis=0)
    frame = av.AudioFrame.from_ndarray(
        np.ascontiguousarray(np.clip(pair, -1, 1), np.float32), format="fltp", layout="stereo"
    )
    frame.sample_rate = sound.rate
    return frame


def _chunks(frame: av.AudioFrame, rate: int) -> Iterator[av.AudioFrame]:
    """The sound at the clip's rate, in one frame or more; the encoder cuts it into its own lengths."""
    resampler = av.AudioResampler(format="fltp", layout="stereo", rate=CLIP_RATE)
    pts = frame.pts or 0
    frame.pts = round(pts * rate / CLIP_RATE)
    frame.time_base = Fraction(1, rate)
    yield from [*resampler.resample(frame), *resampler.resample(None)]


def nearest_index(times: Sequence[float], time_s: float) -> int:
    """Index of the time nearest to `time_s` in an ascending list."""
    at = bisect_left(times, time_s)
    if at == 0:
        return 0
    if at == len(times):
        return len(times) - 1
    return at if times[at] - time_s < time_s - times[at - 1] else at - 1


def frame_times(path: Path) -> list[float]:
    """Presentation times of all frames, ascending, from packet headers alone: nothing is decoded."""
    with av.open(str(path), metadata_errors="replace") as container:
        if not container.streams.video:
            return []
        stream = container.streams.video[0]
        base = stream.time_base
        return sorted(
            float(p.pts * base) for p in container.demux(stream) if p.pts is not None and base is not None and p.size
        )
