"""One camera's session: its messages put in order, kept on disk, and handed to eye and ear."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from referee.live import wire
from referee.live.feed import Picture, Sound
from referee.live.keeping import MediaFile

if TYPE_CHECKING:
    from pathlib import Path

    from referee.live.judging import Inlet

HELD_S = 8.0
"""The phone holds what it has sent for so long beyond what is final, so that a server that died can have it again."""
MISSED_S = 3.0
MOST_WAITING_S = 30.0
"""When this much waits for eye or ear, no more is taken from the network: the phone holds it back."""


class Session:
    """From pressing start to the end of the game, over any number of connections."""

    def __init__(self, greeting: wire.Greeting, inlet: Inlet, path: Path) -> None:
        self.greeting, self.inlet = greeting, inlet
        self.media = MediaFile(path, greeting)
        self.expected = 0
        """Sequence number of the next message."""
        self.lost = 0
        """Messages that never came."""
        self.newest_ms = 0
        """Stream time of the latest message."""
        self.judged_ms = 0
        """Stream time of the latest picture that the eye has taken."""
        self.picture_ms = -1
        self.sound_ms = 0
        self.passed_s = 0.0
        """Up to here the match has got everything."""
        self.final_s = 0.0
        """Up to here everything has been ruled on and is recorded."""
        self._marks: deque[tuple[int, int]] = deque()
        self._broken = True
        """Pictures are missing: those that build on them are of no use."""
        self.level_db = -100.0
        """Of the latest sound, dB relative to full scale."""

    @property
    def newest_s(self) -> float:
        """Stream time of the latest message, seconds."""
        return self.newest_ms / 1000

    @property
    def said_s(self) -> float:
        """The time of what people say now: just before what the match has got, so that it passes at once."""
        return max(0.0, self.passed_s - 0.001)

    @property
    def waiting_s(self) -> float:
        """How far eye or ear, whichever is slower, is behind what has come."""
        unseen_s = (self.picture_ms - self.judged_ms) / 1000 if len(self.inlet.pictures) > 1 else 0.0
        next_ = self.inlet.sound.first
        return max(0.0, unseen_s, (self.sound_ms - next_.time_ms) / 1000 if next_ is not None else 0.0)

    @property
    def missing(self) -> str:
        """`sound` or `picture` if one of them stopped coming while the other goes on: the referee waits for it."""
        if abs(self.sound_ms - self.picture_ms) < 1000 * MISSED_S:
            return ""
        return "sound" if self.sound_ms < self.picture_ms else "picture"

    @property
    def safe(self) -> int:
        """Messages before this sequence number are never needed again."""
        while len(self._marks) > 1 and self._marks[1][1] <= 1000 * (self.final_s - HELD_S):
            self._marks.popleft()
        return self._marks[0][0] if self._marks else 0

    @property
    def full(self) -> bool:
        """Whether no more should be taken from the network now."""
        return self.waiting_s > MOST_WAITING_S

    def take(self, message: wire.Message) -> None:
        """One message; what came before already is dropped, what is missing is missed.

        Raises:
            WireError: its content does not fit the greeting.
        """
        if message.sequence < self.expected:
            return
        if message.sequence > self.expected:
            self.lost += message.sequence - self.expected
            self._broken = True
        self.expected = message.sequence + 1
        if message.kind == wire.PICTURE:
            self._picture(message)
        else:
            self._sound(message)

    def close(self) -> None:
        """Nothing more comes; what waits is judged."""
        self.inlet.close()
        self.media.close()

    def _picture(self, message: wire.Message) -> None:
        time_ms = round(message.stamp / 1000)
        if message.alone:
            self._broken = False
        if time_ms <= self.picture_ms or self._broken:
            return
        self.picture_ms = time_ms
        if message.alone:
            self._marks.append((message.sequence, time_ms))
        self.newest_ms = max(self.newest_ms, time_ms)
        picture = Picture(time_ms, message.alone, message.payload)
        self.media.picture(picture)
        self.inlet.pictures.put(picture)

    def _sound(self, message: wire.Message) -> None:
        samples = wire.samples(message.payload, self.greeting.channels)
        time_ms = round(1000 * message.stamp / self.greeting.rate)
        self.newest_ms = max(self.newest_ms, time_ms)
        self.sound_ms = time_ms
        power = float(np.mean(samples.astype(np.float64) ** 2))
        self.level_db = round(10 * np.log10(power + 1e-10), 1)
        sound = Sound(time_ms, samples)
        self.media.sound(sound)
        self.inlet.sound.put(sound)
