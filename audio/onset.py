"""Where a word begins, on the samples, with the error of that measurement.

Definition. The onset of a word is its first energy: in the word alone, without noise or room, the first sample at which
the r.m.s. of a centred 2 ms window rises above 35 dB below its largest value and then stays above 40 dB below it for
15 ms. The weak hiss before "scissors" and the breath before "paper" belong to the word; a smack of the lips that is
followed by silence does not. The time is that of arrival at the microphone that the word reaches first.

Method. A small convolutional network reads band energies every 2 ms around the recogniser's rough start and gives, for
every frame, the probability that the onset is there. The median of that distribution is the onset, and its width is
sigma: wide where noise hides a long soft rise. It was trained on synthetic voices in rooms and noise (`python -m
audio.train.onset`); `referee bench voice` measures it on real voices that it never heard.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from audio.resample import resampled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

RATE = 48000
"""Samples a second of what the network reads; other rates are resampled."""
HOP_S = 0.002
BEFORE_S, AFTER_S = 0.45, 0.45
"""What the network sees around the rough start, seconds."""
LATE_S = 0.06
"""The recogniser's rough start is late by this on the whole, and the network rather looks later than earlier: with it
95 % of real words at 20 dB lay within 29 ms, without within 44 (`referee bench voice`)."""
FRAMES = round((BEFORE_S + AFTER_S) / HOP_S)
BANDS = 24
FLOOR_DB = -80.0
"""Of a band's energy below the loudest frame of the window; a band that the microphone cuts off lies there."""
BACKGROUND = 60
"""Frames at the window's start that tell the background (0.12 s)."""
KINDS = ("plosive", "fricative", "voiced", "unknown")
"""How a word begins. Told to the network, which knows then what to look for."""
_QUANTILES = (0.05, 0.16, 0.5, 0.84, 0.95)
_NORMAL_95 = 1.645
_WINDOW = 256
_HOP = round(HOP_S * RATE)


@dataclass(frozen=True, slots=True)
class Onset:
    """An onset in seconds on the clock of the samples that were read, and its standard deviation."""

    time_s: float
    sigma_ms: float


def kind_of(word: str) -> str:
    """How a word begins, by its spelling in the languages of the game."""
    first = word[:1].lower()
    if word.lower().startswith(("sc", "st", "s")):
        return "fricative"
    if first and first in "pbtdkgc":
        return "plosive"
    return "voiced" if first and first in "rlmnwvaeiou" else "unknown"


def find(samples: Floats, rate: int, rough_s: float, *, word: str = "") -> Onset:
    """Measure the onset of the word that begins near `rough_s`.

    Args:
        samples: one channel, full scale 1.
        rate: samples a second.
        rough_s: seconds from the first sample; may be wrong by a tenth of a second either way.
        word: the word as the recogniser names it; its first sound tells what to look for.

    Returns:
        The onset in seconds from the first sample, and its sigma.
    """
    window, first_s = cut(samples, rate, rough_s - LATE_S)
    odds = network().run(features(window, kind_of(word)))
    return agreed([(first_s, odds)], network())


def agreed(looks: Sequence[tuple[float, Floats]], net: Network) -> Onset:
    """One onset from one or several looks at it, each the time of its first frame and the log odds of its frames.

    Their distributions are averaged; the median is the onset. Two voices, or a weak hiss before a vowel, often leave
    two places where a word may have begun: sigma is half of the central 68 %, or what makes the place that has one
    chance in twenty as likely as that, if that is larger.
    """
    chances = [np.exp(odds - odds.max()) for _, odds in looks]
    times = np.concatenate([first_s + np.arange(len(odds)) * HOP_S for first_s, odds in looks])
    chance = np.concatenate([p / p.sum() for p in chances]) / len(looks)
    order = np.argsort(times, kind="stable")
    times, total = times[order], np.cumsum(chance[order])
    middle = total - chance[order] / 2
    at = dict(zip(_QUANTILES, np.interp(_QUANTILES, middle, times), strict=True))
    tail = max(at[0.95] - at[0.5], at[0.5] - at[0.05])
    spread = max((at[0.84] - at[0.16]) / 2, tail / _NORMAL_95)
    return Onset(float(at[0.5]), 1000 * float(np.hypot(spread * net.stretch, net.floor_s)))


def cut(samples: Floats, rate: int, rough_s: float) -> tuple[Floats, float]:
    """The stretch that the network reads, at `RATE`, and the time of its first sample."""
    first = round((rough_s - BEFORE_S) * rate) - round(0.01 * rate)
    count = round((BEFORE_S + AFTER_S + 0.02) * rate)
    piece = np.zeros(count, np.float32)
    low, high = max(0, first), min(len(samples), first + count)
    if high > low:
        piece[low - first : high - first] = samples[low:high]
        if low > first and high - low > count // 4:  # mirror what there is: a sudden start of the file is no onset
            lead = samples[low : low + low - first][::-1]
            piece[low - first - len(lead) : low - first] = lead
    if rate != RATE:
        piece = resampled(piece[None], rate, RATE)[0]
    wanted = round((BEFORE_S + AFTER_S) * RATE) + _WINDOW
    spare = round(0.01 * RATE) - _WINDOW // 2
    piece = np.pad(piece, (0, max(0, spare + wanted - len(piece))))[spare : spare + wanted]
    return piece, first / rate + 0.01


@cache
def _bands() -> Floats:
    """Triangles from 120 Hz to 16 kHz, even on the mel scale but no narrower than a bin, shape (bands, bins)."""
    mel = np.linspace(2595 * np.log10(1 + 120 / 700), 2595 * np.log10(1 + 16000 / 700), BANDS + 2)
    edges = 700 * (10 ** (mel / 2595) - 1)
    bins = np.arange(_WINDOW // 2 + 1) * RATE / _WINDOW
    rows = []
    for low, mid, high in zip(edges, edges[1:], edges[2:], strict=False):
        width = max(high - mid, mid - low, RATE / _WINDOW)
        rows.append(np.clip(1 - np.abs(bins - mid) / width, 0, None))
    return np.array(rows, np.float32)


def hertz() -> Floats:
    """Frequencies of the bins of `spectra`."""
    return np.fft.rfftfreq(_WINDOW, 1 / RATE).astype(np.float32)


def energies(window: Floats) -> Floats:
    """Band energies in dB of frames every 2 ms, shape (frames, bands)."""
    return banded(np.abs(spectra(window)) ** 2)


def spectra(window: Floats) -> NDArray[np.complex64]:
    """Spectra of 5 ms every 2 ms; frame i is centred `i x HOP_S` after sample `_WINDOW / 2`."""
    count = (len(window) - _WINDOW) // _HOP + 1
    at = np.arange(count)[:, None] * _HOP + np.arange(_WINDOW)
    taper = np.hanning(_WINDOW).astype(np.float32)
    out: NDArray[np.complex64] = np.fft.rfft(window[at] * taper, axis=1).astype(np.complex64)
    return out


def banded(power: Floats) -> Floats:
    """Energies in dB of the bands, from the power of the bins."""
    out: Floats = (10 * np.log10(power @ _bands().T + 1e-12)).astype(np.float32)
    return out


def features(window: Floats, kind: str) -> Floats:
    """What the network reads: shape (frames, 2 x bands + 2 + kinds), all of the order of 1."""
    return assemble(energies(window)[:FRAMES], kind)


def assemble(db: Floats, kind: str, others: Floats | None = None) -> Floats:
    """Energies relative to the loudest frame and to the background, the position, and how the word begins.

    `others`: energies where the other players are, of the same shape; then how far the caller's are above them, and
    they themselves, are added.
    """
    top = np.max(10 * np.log10((10 ** (db / 10)).sum(axis=1)))
    relative = np.maximum(db - top, FLOOR_DB)
    background = np.median(relative[:BACKGROUND], axis=0)
    over = np.clip(relative - background, -10, 40)
    total = 10 * np.log10((10 ** (relative / 10)).sum(axis=1, keepdims=True))
    place = (np.arange(len(db), dtype=np.float32)[:, None] * HOP_S - BEFORE_S) / 0.1
    which = np.tile(np.array([k == kind for k in KINDS], np.float32), (len(db), 1))
    rows = [relative / 20 + 2, over / 20, total / 20 + 2, place, which]
    if others is not None:
        rows += [np.clip(db - others, -30, 30) / 10, np.maximum(others - top, FLOOR_DB) / 20 + 2]
    return np.concatenate(rows, axis=1).astype(np.float32)


class Network:
    """Dilated convolutions over time with residual connections, in plain numpy."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self._w = weights
        self.stretch, self.floor_s = (float(x) for x in weights["sigma"])
        self._layers = sum(k.startswith("conv") for k in weights)

    def run(self, x: Floats) -> Floats:
        """Log odds of every frame."""
        w = self._w
        h = np.maximum(x @ w["in"] + w["in_bias"], 0)
        for i in range(self._layers):
            h = h + np.maximum(_convolve(h, w[f"conv{i}"], 2**i) + w[f"bias{i}"], 0)
        out: Floats = (np.maximum(h @ w["mid"] + w["mid_bias"], 0) @ w["out"])[:, 0]
        return out


def _convolve(h: Floats, kernel: Floats, dilation: int) -> Floats:
    """Same-size convolution over time; `kernel` has shape (taps, in, out)."""
    half = len(kernel) // 2 * dilation
    padded = np.pad(h, ((half, half), (0, 0)))
    out: Floats = np.sum([padded[k * dilation : k * dilation + len(h)] @ kernel[k] for k in range(len(kernel))], axis=0)
    return out


@cache
def network(among: str = "") -> Network:
    """The trained network that stands beside this module; `among`: that for several who call, `own` or `stereo`."""
    with np.load(Path(__file__).with_name(f"onset-{among}.npz" if among else "onset.npz")) as stored:
        return Network({name: stored[name].astype(np.float32) for name in stored.files})
