"""Words of synthetic voices changed as people's mouths and microphones change them, and where they then begin.

The label follows the definition in `audio.onset`: on the clean clip, after every change, before room and noise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.signal import butter, fftconvolve, resample_poly, sosfilt

from audio import onset

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Random = np.random.Generator

R = onset.RATE


def true_onset(clip: Array) -> int:
    """First sample above peak - 35 dB after which the 2 ms level stays above peak - 40 dB for 15 ms."""
    n = round(0.002 * R) | 1
    total = np.cumsum(np.pad(clip.astype(np.float64) ** 2, (n // 2 + 1, n // 2)))
    level = 10 * np.log10(np.maximum(total[n:] - total[:-n], 0) / n + 1e-14)
    hold = round(0.015 * R)
    low = np.concatenate([[0], np.cumsum(level <= level.max() - 40)])
    good = (level[:-hold] > level.max() - 35) & (low[hold:-1] == low[: len(level) - hold])
    return int(np.flatnonzero(good)[0])


def loudness(clip: Array) -> float:
    """Level of the sounding part, dB."""
    power = clip.astype(np.float64) ** 2
    blocks = power[: len(power) // 480 * 480].reshape(-1, 480).mean(axis=1)
    return float(10 * np.log10(blocks[blocks > blocks.max() * 1e-3].mean() + 1e-14))


def varied(clip: Array, word: str, rng: Random) -> Array:
    """A clip of 16 kHz at 48, changed at random in speed, brightness and beginning."""
    out = resample_poly(clip, 60, int(rng.integers(17, 25))).astype(np.float32)
    voiced = onset.kind_of(word) == "voiced"
    if rng.random() < 0.6:
        out = brightened(out, rng)
    if rng.random() < (0.1 if voiced else 0.5):
        out = shelved(out, rng) if rng.random() < 0.4 else fainter(out, rng)
    if voiced and rng.random() < 0.6:
        out = murmured(out, rng)
    return softened(out, rng) if rng.random() < 0.3 else out


def brightened(clip: Array, rng: Random) -> Array:
    """A clip of 16 kHz with hiss above 8 kHz where it hisses below, as a voice at a phone has."""
    high = sosfilt(butter(4, (4000, 7500), "bandpass", fs=R, output="sos"), clip)
    smooth = np.exp(-np.arange(round(0.01 * R)) / (0.002 * R))
    level = np.sqrt(fftconvolve(high**2, smooth / smooth.sum())[: len(clip)].clip(0))
    hiss = sosfilt(butter(4, (7500, 18000), "bandpass", fs=R, output="sos"), rng.normal(size=len(clip)))
    return np.asarray(clip + hiss * level * 10 ** (rng.uniform(-12, 4) / 20), np.float32)


def shelved(clip: Array, rng: Random) -> Array:
    """A clip with weaker treble: synthesisers hiss some 15 dB below their loudest, people often 30."""
    high = sosfilt(butter(1, rng.uniform(2000, 4000), "high", fs=R, output="sos"), clip)
    return np.asarray(clip - (1 - 10 ** (rng.uniform(-20, 0) / 20)) * high, np.float32)


def fainter(clip: Array, rng: Random) -> Array:
    """A clip whose sound before the first vowel is 20 to 42 dB below its loudest, where it was louder."""
    voice = _power(sosfilt(butter(4, 1500, fs=R, output="sos"), clip), 0.01)
    vowel = int(np.flatnonzero(voice > voice.max() / 16)[0])
    ramp = round(rng.uniform(0.004, 0.015) * R)
    before = _power(clip, 0.01)[: max(1, vowel - ramp)].max()
    gain = min(1.0, np.sqrt(_power(clip, 0.002).max() / before) * 10 ** (rng.uniform(-42, -20) / 20))
    return np.asarray(clip * np.interp(np.arange(len(clip)), (vowel - ramp, vowel), (gain, 1.0)), np.float32)


def _power(clip: Array, seconds: float) -> Array:
    """Mean square of a centred window, at every sample."""
    n = round(seconds * R)
    return np.asarray(fftconvolve(np.asarray(clip, np.float64) ** 2, np.ones(n) / n, "same").clip(1e-14))


def murmured(clip: Array, rng: Random) -> Array:
    """A low voiced sound before a voiced word, as people make before "rock" and synthesisers do not."""
    start = true_onset(clip)
    n, ramp = round(rng.uniform(0.02, 0.14) * R), rng.uniform(0.004, 0.06)
    t = np.arange(n) / R
    pitch = rng.uniform(85, 290)
    top = rng.uniform(300, 900)
    k = np.arange(1, max(2, int(top / pitch)))[:, None]
    hum = (np.sin(2 * np.pi * k * pitch * t + rng.uniform(0, 6, len(k))[:, None]) / k**1.3).sum(axis=0)
    level = 10 ** (rng.uniform(-27, -10) / 20) * np.abs(clip).max() / np.abs(hum).max()
    shape = np.minimum(1, 10 ** (-2 * np.clip(1 - t / ramp, 0, 1))) * 10 ** (rng.uniform(-0.2, 0.4) * t / t[-1])
    fade = min(round(0.012 * R), n // 2)
    shape[-fade:] *= np.linspace(1, 0, fade)
    out = np.concatenate([np.zeros(n, np.float32), clip])
    out[start + fade : start + fade + n] += (hum * shape * level).astype(np.float32)
    return out


def softened(clip: Array, rng: Random) -> Array:
    """The same word with a slower rise."""
    start = true_onset(clip)
    n = min(round(rng.uniform(0.01, 0.12) * R), len(clip) - start)
    out: Array = clip.copy()
    out[start : start + n] *= 10 ** (rng.uniform(-30, -8) / 20 * np.linspace(1, 0, n)).astype(np.float32)
    return out
