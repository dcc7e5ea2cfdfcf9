"""What the ear heard of players' own phones, kept as a normal media file beside the camera's.

While a game runs the aligned channels go into a sound file of their own; when it has ended they are joined with the
camera's pictures, so that `referee judge --layout own --microphones ...` hears what the table heard.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import av
import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from av.container import OutputContainer
    from av.stream import Stream

    from referee.media import AudioBlock

LAYOUTS = {2: "stereo", 3: "3.0", 4: "quad"}
MILLISECONDS = Fraction(1, 1000)


def rounded(block: AudioBlock) -> AudioBlock:
    """The block as the file will hold it, in steps of 16 bits: what is heard live and from the file is the same."""
    samples = np.clip(np.round(block.samples * 32768), -32768, 32767).astype(np.float32) / np.float32(32768)
    return type(block)(block.time_s, samples, block.rate)


@dataclass(slots=True)
class PlayersSound:
    """The channels of one game's players."""

    path: Path
    """Of the sound alone, while the game runs."""
    _container: OutputContainer | None = None
    _stream: Stream | None = None
    _channels: int = 0
    trouble: bool = field(default=False)

    def put(self, block: AudioBlock) -> None:
        """Keep a block; a game that changes its number of microphones keeps those of the beginning."""
        channels = block.samples.shape[0]
        if self.trouble or channels not in LAYOUTS or (self._channels and channels != self._channels):
            return
        try:
            if self._container is None:
                self._container = av.open(str(self.path), "w", format="matroska")
                self._stream = self._container.add_stream("pcm_s16le", rate=block.rate, layout=LAYOUTS[channels])
                self._channels = channels
            packet = av.Packet(np.ascontiguousarray(np.round(block.samples.T * 32768).astype("<i2")).tobytes())
            assert self._stream is not None  # noqa: S101  (opened above)
            packet.stream, packet.time_base = self._stream, MILLISECONDS
            packet.pts = packet.dts = round(1000 * block.time_s)
            packet.is_keyframe = True
            self._container.mux(packet)
        except (av.error.FFmpegError, OSError):
            self.trouble = True

    def close(self, media: Path) -> Path | None:
        """Join with the pictures of `media`; gives the joined file, None if no player's phone was heard."""
        container, self._container = self._container, None
        if container is None:
            return None
        joined = media.with_name(f"{media.stem}-players{media.suffix}")
        try:
            container.close()
            join(media, self.path, joined)
            self.path.unlink()
        except (av.error.FFmpegError, OSError):
            with suppress(OSError):
                joined.unlink()
            return None
        return joined


def join(pictures: Path, sound: Path, out: Path) -> None:
    """Copy the pictures of one file and the sound of another into a third, packet by packet, in order of time.

    Raises:
        av.error.FFmpegError: a file cannot be read or written.
        OSError: the same.
    """
    with av.open(str(pictures)) as eye, av.open(str(sound)) as ear, av.open(str(out), "w", format="matroska") as to:
        streams = [(eye, eye.streams.video[0]), (ear, ear.streams.audio[0])]
        into = [to.add_stream_from_template(stream) for _, stream in streams]
        sources = [container.demux(stream) for container, stream in streams]
        waiting = [next(source, None) for source in sources]
        while any(packet is not None and packet.dts is not None for packet in waiting):
            times = [
                float(p.dts * p.time_base) if p is not None and p.dts is not None else float("inf") for p in waiting
            ]
            first = times.index(min(times))
            packet = waiting[first]
            assert packet is not None  # noqa: S101  (it has the least time)
            packet.stream = into[first]
            to.mux(packet)
            waiting[first] = next(sources[first], None)
