"""Who called, by voice, with one microphone: enrolled players, the same word compared with the same word.

What is kept of a voice is, for each word that a player said, a table of about fifty rows of thirteen numbers (the shape
of the spectrum and the pitch, every 10 ms): no sound can be made from it. `audio.voice_store` keeps one file a person;
deleting the file forgets the voice.

A call is compared with every player's takes of the same word by dynamic time warping (Sakoe and Chiba 1978); distances
become probabilities over the players. A voice that is not clearly nearer to one player than to all others, or far from
all of them, is given to nobody.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

import numpy as np

from audio.resample import resampled
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from referee.events import Seat

    Floats = NDArray[np.float32]

RATE = 16000
HOP, WINDOW, BANDS, SHAPES = 160, 400, 26, 13
LIFT = np.arange(1, SHAPES, dtype=np.float32) / np.sqrt(54.17).astype(np.float32)
"""Weights of the cepstral coefficients, mean square 1: the lower ones carry the word and the room, the higher the
voice. Chosen on real voices that say words which rhyme (`referee bench voice`): with a quarter given to nobody, 98 %
of the rest were right; 95 % without.
"""
SCALE = 0.5
"""Of distances: `referee bench voice` measures what it gives; smaller is surer."""
STRANGER = 6.0
"""A call farther than this from every player is nobody's."""
LEAST = 0.85
"""Below this probability for the likeliest player the voice is not given to anybody."""
PITCH_WEIGHT = 6.0
APART = 4.5
"""Takes of one word that are farther apart are rather two people's. The median over three words is below 2.6 between
two takes of each of 20 synthetic voices, and above this for 61 of 65 pairs of them; of people's own no takes are at
hand."""


def features(samples: Floats, rate: int) -> Floats:
    """What is compared: rows every 10 ms of twelve weighted cepstral coefficients, loudness left out, and the pitch.

    Args:
        samples: one word, one channel, with at most a tenth of a second around it.
        rate: samples a second.

    Returns:
        Shape (rows, `SHAPES`), each column of the order of 1; rows far below the loudest are left out.
    """
    if rate != RATE:
        samples = resampled(samples[None], rate, RATE)[0]
    count = (len(samples) - WINDOW) // HOP + 1
    if count < 5:
        return np.zeros((0, SHAPES), np.float32)
    frames = samples[np.arange(count)[:, None] * HOP + np.arange(WINDOW)]
    power = np.abs(np.fft.rfft(frames * np.hanning(WINDOW), 512, axis=1)) ** 2
    mel = np.log(power @ _mel().T + 1e-9)
    total = 10 * np.log10(power.sum(axis=1) + 1e-12)
    keep = total > total.max() - 25
    k = np.arange(1, SHAPES)[:, None]
    cosine = np.cos(np.pi * k * (np.arange(BANDS) + 0.5) / BANDS) / np.sqrt(BANDS / 2)
    cepstra = (mel @ cosine.T) * LIFT
    pitch = PITCH_WEIGHT * _pitch(frames)
    table: Floats = np.concatenate([cepstra, pitch[:, None]], axis=1)[keep].astype(np.float32)
    return table


def _mel() -> Floats:
    edges = 700 * (np.exp(np.linspace(np.log(1 + 100 / 700), np.log(1 + 7000 / 700), BANDS + 2)) - 1)
    bins = np.arange(257) * RATE / 512
    rise = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    fall = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    out: Floats = np.clip(np.minimum(rise, fall), 0, None).astype(np.float32)
    return out


def _pitch(frames: Floats) -> Floats:
    """Median of the voiced frames' log2 pitch (70 to 450 Hz), in octaves above 100 Hz, one value for all rows."""
    spectrum = np.abs(np.fft.rfft(frames - frames.mean(axis=1, keepdims=True), 1024, axis=1)) ** 2
    similar = np.fft.irfft(spectrum, axis=1)[:, :WINDOW]
    lags = np.arange(RATE // 450, RATE // 70)
    lean = similar[:, lags] / (1 - lags / WINDOW) / (similar[:, :1] + 1e-12)
    best = lean.argmax(axis=1)
    clear = lean.max(axis=1)
    loud = similar[:, 0] > 0.03 * similar[:, 0].max()
    voiced = (clear > 0.6) & loud
    value = float(np.median(np.log2(RATE / lags[best[voiced]] / 100))) if voiced.sum() >= 3 else 1.0
    return np.full(len(frames), value, np.float32)


def distance(a: Floats, b: Floats) -> float:
    """Mean distance of two feature tables along their best alignment, root mean square per row."""
    if not len(a) or not len(b):
        return float("inf")
    cost = np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2))
    n, m = cost.shape
    best = np.full((n + 1, m + 1), np.inf)
    best[0, 0] = 0.0
    for i in range(1, n + 1):
        row, above = cost[i - 1], best[i - 1]
        for j in range(1, m + 1):
            best[i, j] = min(above[j - 1] + 2 * row[j - 1], above[j] + row[j - 1], best[i, j - 1] + row[j - 1])
    return float(best[n, m] / (n + m))


@dataclass(slots=True)
class Voices:
    """The enrolled voices of a game."""

    takes: dict[Seat, dict[str, list[Floats]]] = field(default_factory=dict)
    """Feature tables by seat and word."""

    def enroll(self, seat: Seat, word: str, samples: Floats, rate: int) -> None:
        """Add a take of a word by the player of a seat.

        Raises:
            UsageError: there is hardly any sound in it.
        """
        table = features(samples, rate)
        if len(table) < 8:
            raise UsageError(f"{seat}, {word}: too short or too quiet to know the voice by; say it again")
        self.takes.setdefault(seat, {}).setdefault(word, []).append(table)

    def forget(self, seat: Seat) -> None:
        """Delete all that is kept of a player's voice."""
        self.takes.pop(seat, None)

    def mixed(self, seat: Seat) -> bool:
        """Whether the takes of one player differ as much as two people's: over all words, from each one's first."""
        words = [takes for takes in self.takes.get(seat, {}).values() if len(takes) > 1]
        return bool(words) and float(np.median([max(distance(t[0], one) for one in t[1:]) for t in words])) > APART

    def who(self, word: str, samples: Floats, rate: int) -> dict[Seat, float]:
        """Probability of each seat that it said this word; empty if nobody can tell.

        Only players who enrolled this very word are compared; with fewer than two of them nobody can tell.
        """
        known = {seat: words[word] for seat, words in self.takes.items() if words.get(word)}
        if len(known) < 2 or len(known) < len(self.takes):
            return {}
        table = features(samples, rate)
        far = {seat: min(distance(table, take) for take in takes) for seat, takes in known.items()}
        if min(far.values()) > STRANGER:
            return {}
        return decide(far)

    def save(self, path: Path) -> None:
        """Write all voices to one file."""
        with path.open("wb") as out:
            self.write(out)

    def write(self, out: IO[bytes]) -> None:
        """Write all voices."""
        tables = {f"{s}|{w}|{i}": t for s, ws in self.takes.items() for w, ts in ws.items() for i, t in enumerate(ts)}
        np.savez_compressed(out, allow_pickle=False, **tables)

    @classmethod
    def load(cls, path: Path) -> Voices:
        """Read a file that `save` wrote.

        Raises:
            UsageError: it is missing or no such file.
        """
        voices = cls()
        try:
            with np.load(path) as stored:
                for name in stored.files:
                    seat, word, _ = name.split("|")
                    voices.takes.setdefault(seat, {}).setdefault(word, []).append(stored[name].astype(np.float32))
        except (OSError, ValueError) as error:
            raise UsageError(f"{path}: no file of voices ({error}); enroll them again") from None
        return voices


def decide(far: Mapping[Seat, float]) -> dict[Seat, float]:
    """Distances to probabilities; empty if the nearest is not clearly the nearest."""
    seats = list(far)
    x = -np.array([far[s] for s in seats]) / SCALE
    p = np.exp(x - x.max())
    p = 0.98 * p / p.sum()
    return {s: round(float(v), 4) for s, v in zip(seats, p, strict=True)} if p.max() >= LEAST else {}
