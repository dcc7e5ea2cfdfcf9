"""The spotter: one mono stream of samples becomes call words, roughly placed, each with a probability."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from audio.spotted import Spotted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from models import CallModel

BLOCK_S = 0.1
"""Samples are handed on in blocks of this length, however they arrive: results do not depend on the cuts."""
PRE_ROLL_S = 0.5
"""Silence before the stream: the recogniser loses short words at its very start."""
_RENEW_S = 120.0
_DITHER_S = 1.0


def fixed_dither(samples: int) -> NDArray[np.float32]:
    """Noise of one 16-bit step, the same at every run: keeps digital silence from being infinitely quiet."""
    return np.random.default_rng(0).normal(0.0, 1.0, samples).astype(np.float32)


class Spotter:
    """Hears the calls of one microphone. Feed it all samples in order; not for use by two threads at once."""

    def __init__(self, model: CallModel, rate: int = 16000) -> None:
        """Listen with `model` to samples at `rate` a second."""
        self._model, self._rate = model, rate
        self._block = round(BLOCK_S * rate)
        self._dither = fixed_dither(round(_DITHER_S * rate))
        self._waiting: NDArray[np.float32] = np.zeros(0, np.float32)
        self._heard = 0
        self._settled_s = 0.0
        self._open()

    @property
    def settled_s(self) -> float:
        """No word given later starts before this time, in seconds from the stream's first sample."""
        return self._settled_s

    def accept(self, samples: NDArray[np.float32]) -> list[Spotted]:
        """Take the next `samples` (full scale 1) and give the words that are certain by now."""
        self._waiting = np.concatenate([self._waiting, np.asarray(samples, np.float32)])
        found: list[Spotted] = []
        while len(self._waiting) >= self._block:
            block, self._waiting = self._waiting[: self._block], self._waiting[self._block :]
            found += self._feed(block)
        return found

    def flush(self) -> list[Spotted]:
        """The stream has ended: give what remains."""
        found = self._feed(np.concatenate([self._waiting, np.zeros(self._rate, np.float32)]))
        self._waiting = self._waiting[:0]
        found += self._read(self._recogniser.FinalResult())
        self._open()
        return found

    def _open(self) -> None:
        self._recogniser: Any = self._model.recogniser(self._rate)
        silence = round(PRE_ROLL_S * self._rate)
        self._origin_s = self._heard / self._rate - PRE_ROLL_S
        self._opened_s = self._heard / self._rate
        self._recogniser.AcceptWaveform(self._pcm(np.zeros(silence, np.float32)))

    def _pcm(self, samples: NDArray[np.float32]) -> bytes:
        at = (self._heard + np.arange(len(samples))) % len(self._dither)
        pcm: NDArray[np.int16] = np.clip(np.rint(samples * 32767 + self._dither[at]), -32768, 32767).astype("<i2")
        return pcm.tobytes()

    def _feed(self, block: NDArray[np.float32]) -> list[Spotted]:
        ended = self._recogniser.AcceptWaveform(self._pcm(block))
        self._heard += len(block)
        if not ended:
            return []
        found = self._read(self._recogniser.Result())
        self._settled_s = self._heard / self._rate - 0.1
        if self._heard / self._rate - self._opened_s > _RENEW_S:
            self._open()
        return found

    def _read(self, result: str) -> list[Spotted]:
        words: Sequence[dict[str, Any]] = json.loads(result).get("result", [])
        return [self._spotted(entry) for entry in words if entry["word"] in self._model.words]

    def _spotted(self, entry: dict[str, Any]) -> Spotted:
        word = self._model.words[entry["word"]]
        accepted = word.type is not None and entry["conf"] >= 0.4
        reason = "" if accepted else "not a call" if word.type is None else "unsure"
        start, end = self._origin_s + entry["start"], self._origin_s + entry["end"]
        return Spotted(word.word, word.type, word.language, start, end, float(entry["conf"]), accepted, reason)
