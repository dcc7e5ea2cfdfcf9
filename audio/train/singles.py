"""Single calls laid where they begin: what the networks that tell one language's words apart are fitted to.

    python -m audio.train.singles LANGUAGE SEED OUT.npz CLIPS...

CLIPS are what `audio.train.build say` wrote. Every call is said once: three quarters of them in another tempo, as
players call in haste, all in other throats, rooms and company, a quarter with another call on their heels.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.signal import fftconvolve

from audio import features
from audio.tempo import in_tempo
from audio.train import build, scenes
from audio.train.build import trimmed
from audio.verify_rows import BLOCK, BOTTLENECK, FIRST_ROW_S, ROW_S, rows_of
from audio.which import KINDS
from models.acoustic import read_network
from models.call_model import packaged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from models.acoustic import Network

    Floats = NDArray[np.float32]

RATE = features.RATE
HASTE_S, TEMPO = (0.19, 0.55), (0.75, 2.2)
"""How long a call lasts in haste, and how far its tempo may be changed for that."""
LEAD_S, SPAN_S = 1.0, 2.28
"""Of each recording: the call begins about there; its length, whole blocks of rows."""
MEL_FROM_S, MELS, ROWS_FROM_S, ROWS = -0.25, 105, 0.2, 27
"""What is kept of each, around the beginning."""


@dataclass(frozen=True, slots=True)
class Singles:
    """Aligned calls, one after another."""

    mels: NDArray[np.float16]
    """Shape (n, MELS, 40), every 10 ms."""
    rows: NDArray[np.float16]
    """Shape (n, ROWS, 64): bottlenecks, every 30 ms."""
    mel_s: Floats
    row_s: Floats
    """When the first of them begins, and is complete, after the call's beginning."""
    kinds: NDArray[np.int64]
    """Index into `KINDS`."""
    makes: NDArray[np.str_]
    """Which synthesiser said it."""


class Recorder:
    """Puts single calls into rooms and company."""

    def __init__(self, clips: Sequence[scenes.Clip], rng: np.random.Generator) -> None:
        self.calls = [clip for clip in clips if clip.call]
        self._talk = [clip.samples for clip in clips if clip.kind == "talk" and len(clip.samples) > RATE]
        self._rng = rng

    def recorded(self, clip: scenes.Clip) -> tuple[Floats, float]:
        """A call as a microphone hears it, and when it begins there."""
        rng = self._rng
        begin = round(LEAD_S * RATE) + int(rng.integers(-480, 480))
        out = np.zeros(round(SPAN_S * RATE) // BLOCK * BLOCK + BLOCK, np.float32)
        self._put(out, clip, begin, 1.0)
        if rng.random() < 0.25:
            other = self.calls[int(rng.integers(len(self.calls)))]
            self._put(out, other, begin + round(rng.uniform(0.12, 0.7) * RATE), 10 ** (rng.uniform(-14, 3) / 20))
        out += scenes.coloured_noise(len(out), rng) * np.float32(10 ** (-rng.uniform(3, 50) / 20))
        if rng.random() < 0.5 and self._talk:
            talk = self._talk[int(rng.integers(len(self._talk)))]
            talk = np.resize(talk[int(rng.integers(0, len(talk) - RATE + 1)) :], len(out))
            out += talk / np.float32(scenes.level(talk) * 10 ** (rng.uniform(0, 26) / 20))
        return scenes.microphone(out, rng), begin / RATE

    def _put(self, out: Floats, clip: scenes.Clip, at: int, gain: float) -> None:
        rng, sound = self._rng, clip.samples
        if rng.random() < 0.75:
            hurried = in_tempo(sound, float(np.clip(len(sound) / RATE / rng.uniform(*HASTE_S), *TEMPO)))
            sound = np.asarray(trimmed(hurried) / np.float32(32768), np.float32)
        sound = scenes.coloured(scenes.stretched(sound, rng), rng)
        sound = sound / np.float32(scenes.level(sound)) * np.float32(gain)
        if rng.random() < 0.6:
            sound = np.asarray(fftconvolve(sound, scenes.room(rng)), np.float32)
        part = out[at : at + len(sound)]
        part += sound[: len(part)]


def aligned(network: Network, samples: Floats, begin_s: float) -> tuple[Floats, Floats, float, float]:
    """Mel bands and bottlenecks around a call's beginning, and when the first of each is, after the beginning."""
    mels = features.log_mel(features.with_dither(samples, 0))
    first_mel = round((begin_s + MEL_FROM_S) * RATE / features.HOP)
    rows = rows_of(network, samples)[:, BOTTLENECK]
    first_row = int(np.ceil((begin_s + ROWS_FROM_S - FIRST_ROW_S) / ROW_S))
    return (
        mels[first_mel : first_mel + MELS],
        rows[first_row : first_row + ROWS],
        first_mel * features.HOP / RATE - begin_s,
        FIRST_ROW_S + first_row * ROW_S - begin_s,
    )


def main(language: str, seed: int, out: Path, clips: list[Path]) -> None:
    """Write every call of `language` once."""
    network, rng = read_network(packaged("am/final.mdl")), np.random.default_rng(seed)
    recorder = Recorder(build.read_clips(clips, calls=True)[language], rng)
    found = [aligned(network, *recorder.recorded(clip)) for clip in recorder.calls]
    mels, rows, mel_s, row_s = zip(*found, strict=True)
    np.savez(
        out,
        mels=np.array(mels, np.float16),
        rows=np.array(rows, np.float16),
        mel_s=np.array(mel_s, np.float32),
        row_s=np.array(row_s, np.float32),
        kinds=np.array([[str(kind) for kind in KINDS].index(c.call.split("/")[1]) for c in recorder.calls]),
        makes=np.array([c.make for c in recorder.calls]),
    )


def read(paths: Sequence[Path]) -> Singles:
    """Join what `main` wrote."""
    parts = [np.load(path) for path in paths]
    names = ("mels", "rows", "mel_s", "row_s", "kinds", "makes")
    return Singles(*(np.concatenate([part[name] for part in parts]) for name in names))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), [Path(name) for name in sys.argv[4:]])
