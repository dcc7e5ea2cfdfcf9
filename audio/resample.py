"""Change the sampling rate of a stream without moving anything in time."""

from __future__ import annotations

from math import ceil, gcd
from typing import TYPE_CHECKING

import numpy as np
from scipy.signal import firwin, resample_poly

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

ZEROS = 24
"""Zero crossings of the low-pass on each side: 0.6 ms at 40 kHz, passband to 0.92 of the lower Nyquist frequency."""


class Resampler:
    """A streaming linear-phase resampler: output sample k lies at exactly k / `to_rate` after input sample 0.

    The filter is symmetric and centred on each output sample, so that its delay is nil; output is held back until the
    input that it needs has come (`lookahead_s`).
    """

    def __init__(self, from_rate: int, to_rate: int) -> None:
        common = gcd(from_rate, to_rate)
        self._up, self._down = to_rate // common, from_rate // common
        widest = max(self._up, self._down)
        taps = 2 * ZEROS * widest + 1
        self._filter = firwin(taps, 0.96 / widest, window=("kaiser", 8.0)).astype(np.float32) if widest > 1 else None
        # Cut points are multiples of `down` input samples, where an output sample coincides with an input sample.
        self._pad = self._down * ceil((ZEROS * widest / self._up + 1) / self._down)
        self._held: Samples | None = None

    def feed(self, samples: Samples) -> Samples:
        """Take input of shape (channels, n); give the output that is complete by now, shape (channels, m)."""
        if self._filter is None:
            return samples
        if self._held is None:
            self._held = np.zeros((samples.shape[0], self._pad), np.float32)
        self._held = np.concatenate([self._held, samples], axis=1)
        count = (self._held.shape[1] - 2 * self._pad) // self._down
        if count <= 0:
            return np.zeros((samples.shape[0], 0), np.float32)
        out = self._convert(self._held[:, : count * self._down + 2 * self._pad], count)
        self._held = self._held[:, count * self._down :]
        return out

    def finish(self) -> Samples:
        """The output of the last input samples; the resampler is then as new."""
        if self._filter is None or self._held is None:
            return np.zeros((1, 0), np.float32)
        held = self._held
        left = held.shape[1] - self._pad
        count = max(0, ceil(left / self._down))
        padded = np.pad(held, ((0, 0), (0, count * self._down + 2 * self._pad - held.shape[1])))
        self._held = None
        return self._convert(padded, count)[:, : ceil(left * self._up / self._down)]

    def _convert(self, held: Samples, count: int) -> Samples:
        whole = resample_poly(held, self._up, self._down, axis=1, window=self._filter)
        first = self._pad // self._down * self._up
        out: Samples = np.ascontiguousarray(whole[:, first : first + count * self._up], np.float32)
        return out
