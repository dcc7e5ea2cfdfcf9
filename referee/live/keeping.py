"""The raw streams as a normal media file: Matroska, the phone's own pictures, uncompressed sound.

A file that was never closed (power cut, killed server) can be judged up to its last whole packet: that is how
Matroska is made.
"""

from __future__ import annotations

import io
import shutil
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import av
import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from av.container import OutputContainer
    from av.stream import Stream

    from referee.live.feed import Picture, Sound
    from referee.live.wire import Greeting

LEAST_FREE = 500_000_000
"""Bytes that are left free on the disk: the record itself needs room too."""
CHECKED = 200
"""Free room is looked at once in so many packets."""
MILLISECONDS = Fraction(1, 1000)


@dataclass(slots=True)
class MediaFile:
    """One game's picture and sound on disk. `trouble` says why keeping stopped, if it did; judging goes on."""

    path: Path
    greeting: Greeting
    trouble: str = ""
    """Empty, `full` or `error`."""
    _container: OutputContainer | None = None
    _streams: dict[str, Stream] = field(default_factory=dict)
    _count: int = 0
    _begun: bool = False
    _early: list[Sound] = field(default_factory=list)

    def picture(self, picture: Picture) -> None:
        """Keep one encoded picture; the file begins with one that stands alone."""
        if not self._begun and not picture.alone:
            return
        self._put("picture", picture.payload, picture.time_ms, keyframe=picture.alone)
        if not self._begun:
            self._begun = True
            for sound in self._early:
                self.sound(sound)
            self._early.clear()

    def sound(self, sound: Sound) -> None:
        """Keep samples. The few that come before the first picture wait for it."""
        if not self._begun:
            self._early.append(sound)
            return
        raw = np.ascontiguousarray(np.round(sound.samples.T * 32768.0).astype("<i2")).tobytes()
        self._put("sound", raw, sound.time_ms, keyframe=True)

    def close(self) -> None:
        """Finish the file; closing twice is allowed."""
        container, self._container = self._container, None
        if container is not None:
            try:
                container.close()
            except (av.error.FFmpegError, OSError):
                self.trouble = self.trouble or "error"

    def _put(self, name: str, payload: bytes, time_ms: int, *, keyframe: bool) -> None:
        if self.trouble:
            return
        try:
            if self._container is None:
                self._open(payload)
            if self._count % CHECKED == 0 and shutil.disk_usage(self.path.parent).free < LEAST_FREE:
                self.trouble = "full"
                return
            self._count += 1
            packet = av.Packet(payload)
            packet.stream, packet.time_base = self._streams[name], MILLISECONDS
            packet.pts = packet.dts = time_ms
            packet.is_keyframe = keyframe
            assert self._container is not None  # noqa: S101  (opened above)
            self._container.mux(packet)
        except (av.error.FFmpegError, OSError, ValueError) as error:
            self.trouble = "full" if getattr(error, "errno", None) == 28 else "error"

    def _open(self, first: bytes) -> None:
        """Open the file when the first picture has come: the head of an H.264 file holds what stands in it."""
        hello = self.greeting
        # Short clusters, flushed at once: a crash costs at most a second.
        options = {"cluster_time_limit": "1000", "flush_packets": "1"}
        container = av.open(str(self.path), "w", format="matroska", container_options=options)
        if hello.codec == "h264":
            with av.open(io.BytesIO(first), format="h264") as head:
                video: Stream = container.add_stream_from_template(head.streams.video[0])
            video.time_base = MILLISECONDS
        else:
            width, height = hello.size
            video = container.add_mux_stream(hello.codec, 30, width=width, height=height, time_base=MILLISECONDS)
        layout = "stereo" if hello.channels == 2 else "mono"
        sound = container.add_stream("pcm_s16le", rate=hello.rate, layout=layout)
        self._container, self._streams = container, {"picture": video, "sound": sound}
