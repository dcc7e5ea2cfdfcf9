"""Change the sampling rate of a stream without moving anything in time.

The filter is laid on in plain numpy, each output sample by itself: so nothing depends on how the stream is cut.
SciPy's `resample_poly` gives the same to within rounding, but loading it takes over half a second of every start.
"""

from __future__ import annotations

from functools import cache
from math import ceil, gcd
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

ZEROS = 24
"""Zero crossings of the low-pass on each side: 0.6 ms at 40 kHz, passband to 0.92 of the lower Nyquist frequency."""
CUTOFF = 0.96
"""Of the lower Nyquist frequency."""
KAISER = 8.0
"""Shape of the window: 80 dB less beyond the passband."""


class Resampler:
    """A streaming linear-phase resampler: output sample k lies at exactly k / `to_rate` after input sample 0.

    The filter is symmetric and centred on each output sample, so that its delay is nil; output is held back until the
    input that it needs has come (`lookahead_s`).
    """

    def __init__(self, from_rate: int, to_rate: int) -> None:
        common = gcd(from_rate, to_rate)
        self._up, self._down = to_rate // common, from_rate // common
        self._phases = _phases(self._up, self._down) if from_rate != to_rate else None
        self._reach = 0 if self._phases is None else (self._phases.shape[1] - 1) // 2
        """Input samples on each side of an output sample that count for it."""
        # Cut points are multiples of `down` input samples, where an output sample coincides with an input sample.
        self._pad = self._down * ceil((ZEROS * max(self._up, self._down) / self._up + 1) / self._down)
        self._held: Samples | None = None

    def feed(self, samples: Samples) -> Samples:
        """Take input of shape (channels, n); give the output that is complete by now, shape (channels, m)."""
        if self._phases is None:
            return samples
        if self._held is None:
            self._held = np.zeros((samples.shape[0], self._pad), np.float32)
        self._held = np.concatenate([self._held, samples], axis=1)
        count = (self._held.shape[1] - 2 * self._pad) // self._down
        if count <= 0:
            return np.zeros((samples.shape[0], 0), np.float32)
        out = self._convert(self._held[:, : count * self._down + 2 * self._pad], count, self._phases)
        self._held = self._held[:, count * self._down :]
        return out

    def finish(self) -> Samples:
        """The output of the last input samples; the resampler is then as new."""
        if self._phases is None or self._held is None:
            return np.zeros((1, 0), np.float32)
        held = self._held
        left = held.shape[1] - self._pad
        count = max(0, ceil(left / self._down))
        padded = np.pad(held, ((0, 0), (0, count * self._down + 2 * self._pad - held.shape[1])))
        self._held = None
        return self._convert(padded, count, self._phases)[:, : ceil(left * self._up / self._down)]

    def _convert(self, held: Samples, count: int, phases: Samples) -> Samples:
        """`count` periods of `up` output samples, the first at input sample `_pad`."""
        around = np.lib.stride_tricks.sliding_window_view(held, phases.shape[1], axis=1)
        first = self._pad - self._reach
        if self._up == 1:
            views = around[:, first : first + count * self._down : self._down, None]
        else:
            starts = first + np.arange(count)[:, None] * self._down + np.arange(self._up) * self._down // self._up
            views = around[:, starts]
        out = np.einsum("cnpt,pt->cnp", views, phases)
        return np.ascontiguousarray(out.reshape(len(held), -1), np.float32)


def resampled(samples: Samples, from_rate: int, to_rate: int) -> Samples:
    """The whole of a sound, shape (channels, n), at another rate."""
    if from_rate == to_rate:
        return samples
    change = Resampler(from_rate, to_rate)
    return np.concatenate([change.feed(samples), change.finish()], axis=1)


@cache
def _phases(up: int, down: int) -> Samples:
    """What the input samples around each of `up` output samples count, shape (up, taps).

    A low-pass of a sinc under a Kaiser window, whose weights add up to `up`; output sample p of a period lies
    p x down / up input samples after the period's first, and the middle tap is the input sample at or before it.
    """
    widest = max(up, down)
    half = ZEROS * widest
    at = np.arange(-half, half + 1)
    low_pass = np.sinc(CUTOFF * at / widest) * np.kaiser(2 * half + 1, KAISER)
    low_pass = (low_pass / low_pass.sum()).astype(np.float32).astype(np.float64) * up
    reach = half // up + 1
    out = np.zeros((up, 2 * reach + 1), np.float32)
    for phase in range(up):
        taps = np.arange(-reach, reach + 1)
        # Input sample j stands at j x up on the filter's own grid, the output at phase x down: less whole samples.
        distance = (phase * down) % up - taps * up
        inside = np.abs(distance) <= half
        out[phase, inside] = low_pass[half + distance[inside]]
    return out
