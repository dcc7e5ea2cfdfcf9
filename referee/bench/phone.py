"""A phone above a staged game: what its page would send, over and over, with clocks that run apart.

Microphone and camera have crystals of their own, which run fast or slow by some millionths, and what they give arrives
late by a few uneven milliseconds. The page has one clock more and maps theirs to it (`pages/clock.js`; `Mapping` here
is the same rule). Nothing else knows the true time.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.live.wire import HEADER, PICTURE, SOUND

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

BLOCK = 1024
"""Samples of a message, as `pages/sound.js` collects them."""
CREEP, LEAP_MS = 1e-4, 250.0
LATENCY_MS = 10.0
"""From the air to the page, of picture and of sound, at the least."""
UNEVEN_MS = 8.0
"""Mean of what is added to it, differently each time."""
SESSION = "5e" * 16


@dataclass(frozen=True, slots=True)
class Staged:
    """One staged game as a phone takes it."""

    pictures: list[tuple[float, bool, bytes]]
    """True time, whether it stands alone, the encoded picture."""
    sound: NDArray[np.int16]
    """Shape (samples, channels)."""
    rate: int
    size: tuple[int, int]

    @property
    def lasts_s(self) -> float:
        """Length of the game."""
        return len(self.sound) / self.rate

    def greeting(self, session: str = SESSION) -> dict[str, Any]:
        """What the camera's page says first."""
        off = {"echoCancellation": False, "noiseSuppression": False, "autoGainControl": False}
        return {
            "session": session,
            "rate": self.rate,
            "channels": self.sound.shape[1],
            "codec": "avc1.42E028",
            "width": self.size[0],
            "height": self.size[1],
            "sound": off,
            "marks": [],
        }


def staged(
    path: Path, *, until_s: float = 1e9, rate: float = 30, size: tuple[int, int] = (960, 540), alone_s: float = 2.0
) -> Staged:
    """Encode a staged game as a phone would: so many pictures a second, one in `alone_s` standing alone."""
    import av  # noqa: PLC0415  heavy

    from audio.decode import blocks  # noqa: PLC0415  the same
    from vision.decode import frames  # noqa: PLC0415  the same

    encoder: Any = av.CodecContext.create("libx264", "w")
    encoder.width, encoder.height, encoder.pix_fmt = *size, "yuv420p"
    encoder.time_base = Fraction(1, 1_000_000)
    encoder.options = {"preset": "ultrafast", "tune": "zerolatency", "crf": "20", "g": str(round(alone_s * rate))}
    made, last = [], -1.0
    for frame in frames(path):
        if frame.time_s > until_s:
            break
        if frame.time_s - last < 1 / rate - 0.006:
            continue
        last = frame.time_s
        picture = frame._frame.reformat(width=size[0], height=size[1], format="yuv420p")  # noqa: SLF001  undecoded it is cheaper
        picture.pts, picture.time_base = round(frame.time_s * 1e6), encoder.time_base
        picture.pict_type = av.video.frame.PictureType.NONE
        made += [(frame.time_s, bool(p.is_keyframe), bytes(p)) for p in encoder.encode(picture)]
    heard = list(blocks(path))
    samples = np.concatenate([b.samples for b in heard], axis=1)[:, : round(min(until_s, 1e6) * heard[0].rate)]
    whole = np.clip(np.round(samples.T * 32768), -32768, 32767).astype(np.int16)
    return Staged(made, np.ascontiguousarray(whole), heard[0].rate, size)


class Mapping:
    """A device's clock on another one: the least delay that was seen, which may creep up (`pages/clock.js`)."""

    def __init__(self) -> None:
        self.offset: float | None = None
        self._at = 0.0

    def saw(self, device_ms: float, arrived_ms: float) -> None:
        """Something with this device's time arrived. Leaps are not followed: these devices make none."""
        offset = arrived_ms - device_ms
        crept = offset if self.offset is None else self.offset + (arrived_ms - self._at) * CREEP
        self._at = arrived_ms
        self.offset = crept if offset - crept > LEAP_MS else min(crept, offset)

    def __call__(self, device_ms: float) -> float:
        """That time on the other clock."""
        assert self.offset is not None  # noqa: S101  (something has arrived before)
        return device_ms + self.offset


@dataclass(frozen=True, slots=True)
class Phone:
    """Clocks that run fast by so many millionths of the true time."""

    game: Staged
    sound_ppm: float = 0.0
    picture_ppm: float = 0.0
    seed: int = 0
    block: int = BLOCK
    """Samples of a message."""

    def begins_s(self, turn: int) -> float:
        """When a repetition begins on the stream's clock, which is sound's."""
        return turn * self.game.lasts_s * (1 + 1e-6 * self.sound_ppm)

    def messages(self, lasts_s: float) -> Iterator[tuple[float, bytes]]:
        """What is sent, each with its true time of sending, until a true time."""
        rng = np.random.default_rng(self.seed)
        ear, eye, number = Mapping(), Mapping(), 0
        sounds, pictures = self._sounds(rng), self._pictures(rng)
        sound, picture = next(sounds), next(pictures)
        while min(sound[0], picture[0]) < lasts_s:
            if sound[0] <= picture[0]:
                at_s, first, samples = sound
                ear.saw(1000 * (first + len(samples)) / self.game.rate, 1000 * at_s)
                yield at_s, HEADER.pack(SOUND, 1, 0, number, first) + samples.astype("<i2").tobytes()
                number, sound = number + 1, next(sounds)
                continue
            at_s, device_ms, alone, data = picture
            picture = next(pictures)
            eye.saw(device_ms, 1000 * at_s)
            if ear.offset is None or (stamp_ms := eye(device_ms) - ear(0.0)) < 0:
                continue
            yield at_s, HEADER.pack(PICTURE, int(alone), 0, number, round(1000 * stamp_ms)) + data
            number += 1

    def _late_s(self, rng: np.random.Generator) -> float:
        return (LATENCY_MS + float(rng.exponential(UNEVEN_MS))) / 1000

    def _sounds(self, rng: np.random.Generator) -> Iterator[tuple[float, int, NDArray[np.int16]]]:
        """When a block arrives, its first sample's number, its samples.

        The device counts faster or slower than time goes, so each repetition has a few samples more or less.
        """
        per_s, first, sent_s, turn = self.game.rate * (1 + 1e-6 * self.sound_ppm), 0, 0.0, 0
        rest = self.game.sound[:0]
        while True:
            count = round((turn + 1) * self.game.lasts_s * per_s) - round(turn * self.game.lasts_s * per_s)
            fitted = self.game.sound[:count]
            if count > len(fitted):
                fitted = np.concatenate([fitted, fitted[len(fitted) - count :]])
            rest, turn = np.concatenate([rest, fitted]), turn + 1
            while len(rest) >= self.block:
                block, rest = rest[: self.block], rest[self.block :]
                sent_s = max(sent_s, (first + self.block) / per_s + self._late_s(rng))
                yield sent_s, first, block
                first += self.block

    def _pictures(self, rng: np.random.Generator) -> Iterator[tuple[float, float, bool, bytes]]:
        """When a picture arrives, its time in ms by the camera's clock, whether it stands alone, the picture."""
        turn, sent_s = 0, 0.0
        while True:
            for time_s, alone, data in self.game.pictures:
                taken_s = turn * self.game.lasts_s + time_s
                sent_s = max(sent_s, taken_s + self._late_s(rng))
                yield sent_s, 1000 * taken_s * (1 + 1e-6 * self.picture_ppm) + 5000.0, alone, data
            turn += 1
