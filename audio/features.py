"""Cepstra of a stream, as the packaged acoustic model was trained on: Kaldi's 40 high-resolution MFCCs, undithered."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

RATE = 16000
WINDOW, HOP = 400, 160
"""25 ms windows every 10 ms."""
_SIZE, _BANDS = 512, 40
_LOW_HZ, _HIGH_HZ = 20.0, 7600.0
_LIFTER = 22.0
_FLOOR = float(np.finfo(np.float32).eps)
"""Kaldi's floor. Digital silence would sink to it, where the network was never trained: see `with_dither`."""
_DITHER = np.random.default_rng(0).standard_normal(RATE).astype(np.float32) / np.float32(32768)


def with_dither(samples: NDArray[np.float32], first: int) -> NDArray[np.float32]:
    """Add noise of one 16-bit step, always the same for a sample number: sample `first` is the first of `samples`."""
    result: NDArray[np.float32] = samples + _DITHER[(first + np.arange(len(samples))) % RATE]
    return result


def _mel(hertz: NDArray[np.float64] | float) -> NDArray[np.float64]:
    return np.asarray(1127.0 * np.log1p(np.asarray(hertz) / 700.0))


@functools.cache
def _tables() -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Povey window, mel filters (257, 40), and cosine transform with lifter (40, 40)."""
    n = np.arange(WINDOW)
    window = (0.5 - 0.5 * np.cos(2 * np.pi * n / (WINDOW - 1))) ** 0.85
    edges = np.linspace(_mel(_LOW_HZ), _mel(_HIGH_HZ), _BANDS + 2)
    bins = _mel(np.arange(_SIZE // 2 + 1) * RATE / _SIZE)[:, None]
    rise, fall = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2]), (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    filters = np.maximum(0, np.minimum(rise, fall))
    filters[-1] = 0  # Kaldi leaves the Nyquist bin out
    k = np.arange(_BANDS)
    cosine = np.cos(np.pi / _BANDS * (k[:, None] + 0.5) * k[None, :]) * np.sqrt(2 / _BANDS)
    cosine[:, 0] = np.sqrt(1 / _BANDS)
    cosine *= 1 + 0.5 * _LIFTER * np.sin(np.pi * k / _LIFTER)
    return window.astype(np.float32), filters.astype(np.float32), cosine.astype(np.float32)


def log_mel(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Natural logarithms of 40 mel bands, shape (frames, 40), of samples of full scale 1 at 16 kHz.

    Frame i covers the samples from 160 i to 160 i + 400; there are as many as fit.
    """
    window, filters, _ = _tables()
    count = max(0, 1 + (len(samples) - WINDOW) // HOP)
    if not count:
        return np.zeros((0, _BANDS), np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(np.asarray(samples, np.float32), WINDOW)[::HOP][:count] * 32768
    frames = frames - frames.mean(axis=1, keepdims=True)
    frames[:, 1:] -= np.float32(0.97) * frames[:, :-1]
    frames[:, 0] *= np.float32(0.03)
    power = np.abs(np.fft.rfft(frames * window, _SIZE)) ** 2
    result: NDArray[np.float32] = np.log(np.maximum(power.astype(np.float32) @ filters, _FLOOR))
    return result


def cepstra(mels: NDArray[np.float32]) -> NDArray[np.float32]:
    """The 40 liftered cepstral coefficients of `log_mel` frames."""
    result: NDArray[np.float32] = mels @ _tables()[2]
    return result
