"""Onsets against the truth of clean real clips, mixed into real talk at known levels.

Truth is the definition in `audio.onset` applied to the clip alone, written out here anew so that bench and detector
share no code. Clips that start above the definition's threshold, or whose own noise hides it, have no truth: left out.
"""

from __future__ import annotations

import csv
import wave
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.signal import butter, resample_poly, sosfiltfilt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Finder = Callable[[Floats, int, float, str], tuple[float, float] | None]
    """(samples, rate, rough start, word) -> onset in seconds and sigma in ms, or None if nothing was heard."""

RATE = 48000
LEVELS_DB = (20, 10, 5)
LEAD_S = 2.0
"""Of noise before and after each clip."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A real call with its true onset."""

    source: str
    language: str
    word: str
    samples: Floats
    onset_s: float


def read_wav(path: Path) -> Floats:
    """A 16-bit mono wav at `RATE`, full scale 1."""
    with wave.open(str(path)) as w:
        raw = np.frombuffer(w.readframes(w.getnframes()), "<i2").astype(np.float32) / 32768
        rate = w.getframerate()
    up, down = RATE // np.gcd(rate, RATE), rate // np.gcd(rate, RATE)
    out: Floats = resample_poly(raw, up, down).astype(np.float32)
    return out


def without_rumble(clip: Floats) -> Floats:
    """A clip above 70 Hz, without delay: handling of the microphone is no part of a word."""
    out: Floats = sosfiltfilt(butter(2, 70, "high", fs=RATE, output="sos"), clip).astype(np.float32)
    return out


def true_onset(clip: Floats) -> float | None:
    """Seconds into the clip, by the definition; None where the clip's own start or noise hides it."""
    n = round(0.002 * RATE) | 1
    padded = np.pad(clip.astype(np.float64), (RATE // 10, RATE // 10))
    level = 10 * np.log10(np.convolve(padded**2, np.ones(n) / n, "same") + 1e-12)
    above, hold = level > level.max() - 35, round(0.015 * RATE)
    dips = np.concatenate([[0], np.cumsum(level <= level.max() - 40)])
    starts = np.flatnonzero(above[:-hold] & (dips[hold:-1] == dips[: len(level) - hold]))
    if not len(starts):
        return None
    first = int(starts[0])
    if first < RATE // 10 + n and np.abs(clip[:n]).max() > 0.02 * np.abs(clip).max():
        return None  # cut into the word
    quiet = level[RATE // 10 : first]
    if len(quiet) and np.quantile(quiet, 0.8) > level.max() - 43:
        return None  # its noise is as loud as the beginning that is asked for
    return (first - RATE // 10) / RATE


def clips(data: Path, languages: tuple[str, ...] = ("en", "de", "es")) -> list[Clip]:
    """The single calls of a data folder (INDEX.tsv: file, repository, path, licence, language, word, ...)."""
    found = []
    with (data / "INDEX.tsv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            folder = row["file"].split("/")
            if folder[0] not in languages or folder[1] == "phrase":
                continue
            article = "article too" in row["kind"]
            samples = without_rumble(read_wav(data / row["file"]))
            at = None if article else true_onset(samples)
            if at is not None:
                found.append(Clip(folder[2].removesuffix(".wav"), folder[0], folder[1], samples, at))
    return found


def talk(data: Path) -> list[Floats]:
    """Noise: the files of `neg` that last ten seconds or more, every other one (the others may be trained on)."""
    paths = [p for p in sorted((data / "neg").glob("*.wav")) if sum(p.name.encode()) % 2 == 1]
    return [x for x in map(read_wav, paths) if len(x) > 10 * RATE]


def loudness_db(samples: Floats) -> float:
    """Level of the sounding part: blocks of 10 ms within 30 dB of the loudest."""
    power = (samples[: len(samples) // 480 * 480].astype(np.float64) ** 2).reshape(-1, 480).mean(axis=1)
    return float(10 * np.log10(power[power > power.max() * 1e-3].mean() + 1e-15))


def staged(clip: Clip, noise: Floats, level_db: float, rng: np.random.Generator) -> tuple[Floats, float]:
    """The clip in noise, so many dB above it, and its onset in the mixture."""
    lead = round(LEAD_S * RATE)
    n = len(clip.samples) + 2 * lead
    at = int(rng.integers(0, max(1, len(noise) - n)))
    under = np.resize(noise[at : at + n], n)
    under = under / (np.sqrt((under.astype(np.float64) ** 2).mean()) + 1e-9)
    gain = 10 ** ((-26 - loudness_db(clip.samples)) / 20)
    mixed = under * 10 ** ((-26 - level_db) / 20)
    mixed[lead : lead + len(clip.samples)] += clip.samples * gain
    return mixed.astype(np.float32), LEAD_S + clip.onset_s


def cases(data: Path, level_db: float, repeats: int, seed: int = 5) -> Iterator[tuple[Clip, Floats, float]]:
    """Clips in noise with their true onset, the same at every run."""
    rng = np.random.default_rng(seed)
    noises = talk(data)
    for clip in clips(data):
        for _ in range(repeats):
            mixed, at_s = staged(clip, noises[int(rng.integers(len(noises)))], level_db, rng)
            yield clip, mixed, at_s


@dataclass(frozen=True, slots=True)
class Measured:
    """Errors of one level, milliseconds."""

    words: list[str]
    error_ms: NDArray[np.float64]
    sigma_ms: NDArray[np.float64]
    unheard: int


def measure(data: Path, find: Finder, level_db: float, repeats: int) -> Measured:
    """Run a finder over all cases of one level; the rough start it is given is up to 0.1 s early or 0.15 s late."""
    rng = np.random.default_rng(6)
    words, errors, sigmas, unheard = [], [], [], 0
    for clip, mixed, at_s in cases(data, level_db, repeats):
        got = find(mixed, RATE, at_s + rng.uniform(-0.1, 0.15), clip.word)
        if got is None:
            unheard += 1
            continue
        words.append(clip.word)
        errors.append(1000 * (got[0] - at_s))
        sigmas.append(got[1])
    return Measured(words, np.array(errors), np.array(sigmas), unheard)


def bias_by_word(measured: Measured, *, least: int = 12) -> dict[str, float]:
    """Median error of each word that was measured often enough, milliseconds."""
    words = np.array(measured.words)
    counts = {w: int((words == w).sum()) for w in dict.fromkeys(measured.words)}
    return {w: float(np.median(measured.error_ms[words == w])) for w, n in counts.items() if n >= least}


def figures(data: Path, find: Finder | None = None, *, repeats: int = 4) -> dict[str, Any]:
    """The fixed figures of `referee bench voice` about onsets.

    Args:
        data: a folder as `shared/speech`.
        find: by default `audio.onset.find`.
        repeats: times that each clip is staged at each level.
    """
    find = find or _find
    out: dict[str, Any] = {}
    biases: dict[str, list[float]] = {}
    for level_db in LEVELS_DB:
        m = measure(data, find, level_db, repeats)
        size = np.abs(m.error_ms)
        out[f"onset_median_ms_{level_db}db"] = round(float(np.median(size)), 2)
        out[f"onset_p95_ms_{level_db}db"] = round(float(np.quantile(size, 0.95)), 2)
        out[f"onset_within_sigma_{level_db}db"] = round(float((size <= m.sigma_ms).mean()), 3)
        for word, bias in bias_by_word(m).items():
            biases.setdefault(word, []).append(bias)
    by_word = {w: round(float(np.mean(b)), 2) for w, b in biases.items()}
    out["onset_bias_ms"] = by_word
    out["bias_max_ms"] = round(max(by_word.values()) - min(by_word.values()), 2) if by_word else None
    return out


def _find(samples: Floats, rate: int, rough_s: float, word: str) -> tuple[float, float]:
    from audio import onset  # noqa: PLC0415 - the command line lists benches without loading the ear

    found = onset.find(samples, rate, rough_s, word=word)
    return found.time_s, found.sigma_ms
