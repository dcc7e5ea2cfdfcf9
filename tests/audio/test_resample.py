"""Changing the sampling rate: the same as SciPy's way, however the stream is cut, and without loading SciPy."""

from __future__ import annotations

import subprocess
import sys
from math import gcd

import numpy as np
import pytest
from scipy.signal import firwin, resample_poly

from audio.resample import CUTOFF, KAISER, ZEROS, Resampler

RATES = [(48000, 16000), (44100, 16000), (16000, 48000), (44100, 48000), (22050, 16000), (8000, 48000)]


def _converted(samples: np.ndarray, rates: tuple[int, int], sizes: list[int]) -> np.ndarray:
    """The whole of a resampled stream that comes in blocks of these sizes, over and over."""
    change, out, at = Resampler(*rates), [], 0
    while at < samples.shape[1]:
        size = sizes[len(out) % len(sizes)]
        out.append(change.feed(samples[:, at : at + size]))
        at += size
    return np.concatenate([*out, change.finish()], axis=1)


@pytest.mark.parametrize("rates", RATES)
def test_it_gives_what_scipy_gives(rates: tuple[int, int]) -> None:
    samples = np.random.default_rng(1).standard_normal((2, rates[0])).astype(np.float32)
    up, down = (rate // gcd(*rates) for rate in rates[::-1])
    widest = max(up, down)
    low_pass = firwin(2 * ZEROS * widest + 1, CUTOFF / widest, window=("kaiser", KAISER))
    wanted = resample_poly(samples.astype(np.float64), up, down, axis=1, window=low_pass)
    np.testing.assert_allclose(_converted(samples, rates, [rates[0]])[:, : wanted.shape[1]], wanted, atol=3e-6)


@pytest.mark.parametrize("rates", RATES)
def test_the_very_same_comes_out_however_the_stream_is_cut(rates: tuple[int, int]) -> None:
    samples = np.random.default_rng(2).standard_normal((3, rates[0])).astype(np.float32)
    whole = _converted(samples, rates, [rates[0]])
    for sizes in ([rates[0] // 10], [rates[0] // 25], [1, 777, 12]):
        np.testing.assert_array_equal(_converted(samples, rates, sizes), whole)


def test_starting_to_listen_does_not_wait_for_scipy() -> None:
    """Loading it took over half a second of the three in which a first result is due."""
    code = "import sys, audio, models, audio.own, audio.taught; print([k for k in sys.modules if k == 'scipy'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
