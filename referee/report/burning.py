"""The whole recording with the rulings on it, for people who watch it across a room.

Below the picture, which nothing covers, a banner says what happens, in letters a twentieth of the picture high: the
cards at the reveal, each call, the ruling, and the score as it stands. In the picture each card is outlined while it
lies. The sound is kept as it is, and every picture keeps its own time.
"""

from __future__ import annotations

import os
import tempfile
from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av
import av.error
import cv2
import numpy as np
from matplotlib import get_data_path
from matplotlib.colors import to_rgb
from PIL import Image, ImageDraw, ImageFont

from referee.errors import DamagedError, UsageError
from referee.messages.labels import label
from referee.report.drawing import style
from referee.report.tracks import cues_of
from vision.decode import frames, probe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from referee.report.game import Card, Game, Round

    Picture = NDArray[np.uint8]

LETTERS = 0.05
"""Height of the banner's letters, of the picture's shorter side."""
BANNER = 0.2
"""Height of the banner, of the picture's shorter side: two lines and the score."""
KEPT_SOUND = frozenset({"aac", "mp3", "ac3", "eac3", "alac", "opus", "flac"})
"""Sound that an MP4 file takes as it is; any other is encoded as AAC."""
QUALITY = {"crf": "23", "preset": "veryfast"}


def burn(game: Game, target: Path, *, progress: Callable[[float], None] | None = None) -> Path:
    """Write the recording with the rulings on it, whole or not at all.

    Args:
        game: with its recording.
        target: an `.mp4` file.
        progress: told the share that is done, 0 to 1.

    Raises:
        InputError: the recording cannot be opened.
        UsageError: the file cannot be written.
    """
    if game.recording is None:
        raise UsageError("there is no recording to write rulings on: name it with --recording FILE")
    length_s = probe(game.recording).duration_s or 0.0
    handle, name = tempfile.mkstemp(prefix=".referee-", suffix=".part.mp4", dir=target.parent)
    os.close(handle)
    try:
        with av.open(name, "w", format="mp4", options={"movflags": "faststart"}) as out:
            _write(game, out, lambda t: progress(min(1.0, t / length_s)) if progress and length_s else None)
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except (OSError, av.error.FFmpegError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise UsageError(f"cannot write {target}: {why}; choose another folder (--out) or make room") from None
    finally:
        with suppress(OSError):
            Path(name).unlink()
    return target


def _write(game: Game, out: Any, tell: Callable[[float], None]) -> None:
    """All pictures and all sound, in the order of time."""
    assert game.recording is not None  # noqa: S101  `burn` has seen to it
    video, painter = None, None
    with av.open(str(game.recording), metadata_errors="replace") as heard:
        sound = _Sound(heard, out)
        for time_s, picture in _pictures(game.recording):
            if video is None or painter is None:
                painter = Painter(game, picture.shape[1], picture.shape[0])
                video = out.add_stream("libx264", rate=30, options=QUALITY)
                video.width, video.height = painter.size
                video.pix_fmt = "yuv420p"
                video.time_base = video.codec_context.time_base = Fraction(1, 90_000)
            frame = av.VideoFrame.from_ndarray(painter.paint(picture, time_s), format="bgr24")
            frame.pts, frame.time_base = round(time_s * 90_000), Fraction(1, 90_000)
            out.mux(video.encode(frame))
            sound.until(time_s)
            tell(time_s)
        if video is not None:
            out.mux(video.encode(None))
        sound.until(float("inf"))


def _pictures(path: Path) -> Iterator[tuple[float, Picture]]:
    with suppress(DamagedError):  # what can be seen before the damage is shown
        yield from ((frame.time_s, frame.image()) for frame in frames(path))


class _Sound:
    """Takes the sound across, packet by packet, as far as the pictures are."""

    def __init__(self, given: Any, out: Any) -> None:
        self._out, self._copied = out, True
        self._stream: Any = None
        self._waiting: Any = iter(())
        self._next: Any = None
        if not given.streams.audio:
            return
        stream = given.streams.audio[0]
        self._copied = stream.codec_context.name.removeprefix("lib") in KEPT_SOUND
        if self._copied:
            self._stream = out.add_stream_from_template(stream)
            self._waiting = (p for p in given.demux(stream) if p.dts is not None)
        else:
            self._stream = out.add_stream("aac", rate=stream.rate, layout=stream.layout.name)
            self._waiting = given.decode(stream)

    def until(self, time_s: float) -> None:
        """Write what is heard before a time, seconds."""
        if self._stream is None:
            return
        with suppress(av.error.InvalidDataError):  # damaged sound: what could be read is there
            while (one := self._next or next(self._waiting, None)) is not None:
                if one.pts is not None and float(one.pts * one.time_base) > time_s:
                    self._next = one
                    return
                self._next = None
                self._put(one)
            if not self._copied and time_s == float("inf"):
                self._out.mux(self._stream.encode(None))

    def _put(self, one: Any) -> None:
        if self._copied:
            one.stream = self._stream
            self._out.mux(one)
        else:
            self._out.mux(self._stream.encode(one))


@dataclass(slots=True)
class Painter:
    """Draws the banner and the outlines on pictures of one size."""

    game: Game
    wide: int
    high: int
    _cues: list[tuple[float, float, str]] = field(init=False)
    _banner: dict[tuple[str, str], Picture] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._cues = cues_of(self.game)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of what is painted, both even."""
        return self.wide + self.wide % 2, (self.high + self.banner_high + 1) // 2 * 2

    @property
    def banner_high(self) -> int:
        """Pixels."""
        return round(BANNER * min(self.wide, self.high))

    def paint(self, picture: Picture, time_s: float) -> Picture:
        """A picture (height, width, 3; blue, green, red) with its banner below it."""
        wide, high = self.size
        out = np.zeros((high, wide, 3), np.uint8)
        out[: self.high, : self.wide] = picture
        for r in self.game.rounds:
            self._outline(out, r, time_s)
        banner = self._drawn(self.words(time_s), self.score(time_s))
        out[self.high : self.high + len(banner)] = banner
        return out

    def words(self, time_s: float) -> str:
        """What the banner says at a time."""
        at = bisect_right(self._cues, time_s, key=lambda cue: cue[0]) - 1
        return self._cues[at][2] if at >= 0 and time_s < self._cues[at][1] else ""

    def score(self, time_s: float) -> str:
        """How it stands at a time."""
        ruled = [r for r in self.game.rounds if r.time_s <= time_s]
        piles = ruled[-1].line.get("piles") or {} if ruled else dict.fromkeys(self.game.seats, 0)
        pot = int(ruled[-1].line.get("pot") or 0) if ruled else 0
        parts = [f"{self.game.called(seat)} {n}" for seat, n in piles.items()]
        return "   ".join([*parts, *([f"{label('pot', self.game.language)} {pot}"] if pot else [])])

    def _outline(self, out: Picture, r: Round, time_s: float) -> None:
        end = r.gone_s if r.gone_s is not None else r.time_s
        for c in r.cards:
            begin = c.rest_s if c.rest_s is not None else c.reveal_s
            if len(c.corners) == 4 and begin is not None and begin <= time_s < end:
                self._card(out, c)

    def _card(self, out: Picture, c: Card) -> None:
        thick = max(2, round(min(self.wide, self.high) / 180))
        colour = tuple(round(255 * part) for part in to_rgb(style(self.game, c.seat)[0])[::-1])
        corners = [np.round(np.array(c.corners)).astype(np.int32)]
        cv2.polylines(out, corners, isClosed=True, color=(255, 255, 255), thickness=2 * thick, lineType=cv2.LINE_AA)
        cv2.polylines(out, corners, isClosed=True, color=colour, thickness=thick, lineType=cv2.LINE_AA)

    def _drawn(self, words: str, score: str) -> Picture:
        if (words, score) not in self._banner:
            self._banner = {(words, score): self._lettered(words, score)}  # the last one is all that is needed again
        return self._banner[words, score]

    def _lettered(self, words: str, score: str) -> Picture:
        wide, high = self.size[0], self.banner_high
        image = Image.new("RGB", (wide, high), "black")
        draw = ImageDraw.Draw(image)
        letters = round(LETTERS * min(self.wide, self.high))
        lines = [(line, "white") for line in words.splitlines()[:2]]
        lines = [*lines, *[("", "white")] * (2 - len(lines)), (score, "#ffd27f")]
        for k, (line, colour) in enumerate(lines):
            font = _fitting(line, letters, wide - letters)
            draw.text((letters // 2, high * (2 * k + 1) / 6), line, fill=colour, font=font, anchor="lm")
        return np.ascontiguousarray(np.asarray(image)[:, :, ::-1])


def _fitting(words: str, letters: int, room: int) -> Any:
    """The font at that size, or smaller where the words would not fit."""
    font = _font(letters)
    length = font.getlength(words)
    return font if length <= room else _font(max(8, int(letters * room / length)))


@cache
def _font(size: int) -> Any:
    return ImageFont.truetype(Path(get_data_path()) / "fonts" / "ttf" / "DejaVuSans-Bold.ttf", size)
