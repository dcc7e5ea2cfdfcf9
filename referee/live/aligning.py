"""Where a second microphone's clock stands against the table's: found by the sound that both hear.

Never by the network. The cross-correlation of both sounds, whitened (GCC-PHAT: Knapp and Carter 1976), has a peak at
the lag between them. Lags of many seconds of play are joined by a line: its slope is how much faster the phone's clock
runs. Sound from different seats reaches both microphones at slightly different times (2.9 ms a metre), which the spread
of the lags around the line shows.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audio.resample import Resampler

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

RATE = 16000
KEPT_S = 30.0
WINDOW_S = 4.0
EVERY_S = 1.0
FIRST_REACH_S, REACH_S = 2.0, 0.03
"""How far the lag is looked for around where the network's delays, or what is known, put it."""
CLEAR = 9.0
"""A peak counts if it is so many standard deviations above the rest (tests/referee/test_live_players.py)."""
BAND_HZ = (200.0, 6000.0)
REMEMBERED = 90
FEWEST = 2
LINE_S = 15.0
"""A slope is fitted only over more than this; before, clocks are taken to run alike (at 50 ppm 0.75 ms)."""
GEOMETRY_MS = 1.0
"""Spread of travel times at a table of a metre and a half, one standard deviation."""
OUTLIER_S = 0.004
LEAPT = 3
"""So many measurements, over more than one window, that agree with each other and not with what was known: the clock
has leapt, as when a device loses some milliseconds of sound."""
MISSES = 3
"""After so many without a peak it is looked for as far as at first."""


class Ring:
    """The last seconds of one microphone at `RATE`, by sample number."""

    def __init__(self, rate: int) -> None:
        self._down = Resampler(rate, RATE)
        self._rate = rate
        self._kept: Samples = np.zeros(0, np.float32)
        self._start: int | None = None
        """Number of the first kept sample at `RATE`."""
        self._next = 0
        self._lead = 0

    def put(self, first: int, samples: Samples) -> None:
        """Samples of one channel; `first` counts at the microphone's own rate. After a gap all begins anew."""
        if self._start is None or first != self._next:
            self._down = Resampler(self._rate, RATE)
            self._kept = np.zeros(0, np.float32)
            self._start = round(first * RATE / self._rate)
        self._next = first + len(samples)
        self._kept = np.concatenate([self._kept, self._down.feed(samples[None])[0]])
        spare = len(self._kept) - round(KEPT_S * RATE)
        if spare > RATE:
            self._kept, self._start = self._kept[spare:], self._start + spare

    @property
    def end_s(self) -> float:
        """Up to when there is sound, by the microphone's own clock."""
        return ((self._start or 0) + len(self._kept)) / RATE

    def span(self, from_s: float, length: int) -> Samples | None:
        """Samples from a time on; None if they are not all there."""
        if self._start is None:
            return None
        at = round(from_s * RATE) - self._start
        return self._kept[at : at + length] if at >= 0 and at + length <= len(self._kept) else None


@dataclass(frozen=True, slots=True)
class Lag:
    """One measurement: at this time of the table, the phone's clock was so far ahead."""

    time_s: float
    lag_s: float


class Aligner:
    """The clock of one phone against the table's."""

    def __init__(self) -> None:
        self._lags: deque[Lag] = deque(maxlen=REMEMBERED)
        self._line: tuple[float, float, float] | None = None
        """Time, lag and slope."""
        self.error_ms: float | None = None
        """Standard deviation of the lag that `lag` gives; None while it is not known."""
        self._tried_s = float("-inf")
        self._strange: list[Lag] = []
        self._missed = 0

    def lag(self, time_s: float) -> float:
        """How far the phone's clock is ahead of the table's, in seconds, at a time of the table."""
        if self._line is None:
            return 0.0
        at_s, lag_s, slope = self._line
        return lag_s + slope * (time_s - at_s)

    @property
    def known(self) -> bool:
        """Whether the clocks are aligned."""
        return self.error_ms is not None

    def reset(self) -> None:
        """The phone's clock has leapt."""
        self._lags.clear()
        self._strange.clear()
        self._line, self.error_ms = None, None

    def measure(self, table: Ring, phone: Ring, guess_s: float) -> bool:
        """Measure once, if it is time and both have sound; `guess_s` is where to look at first. True if it counted."""
        end_s = min(table.end_s, phone.end_s - (self.lag(table.end_s) if self.known else guess_s)) - FIRST_REACH_S
        if end_s - self._tried_s < EVERY_S:
            return False
        self._tried_s = end_s
        wide = not self.known or self._missed >= MISSES
        start_s, reach_s = end_s - WINDOW_S, FIRST_REACH_S if wide else REACH_S
        middle_s = self.lag(end_s) if self.known else guess_s
        length, reach = round(WINDOW_S * RATE), round(reach_s * RATE)
        ours, theirs = table.span(start_s, length), phone.span(start_s + middle_s - reach_s, length + 2 * reach)
        if ours is None or theirs is None:
            return False
        shift, clear = correlate(ours, theirs, reach)
        if clear < CLEAR:
            self._missed = 0 if self._missed >= MISSES else self._missed + 1
            return False
        # Spans begin at whole samples: what rounding took is given back.
        rounding = _whole(start_s + middle_s - reach_s) - _whole(start_s) - (middle_s - reach_s)
        self._take(Lag(start_s + WINDOW_S / 2, middle_s - reach_s + rounding + shift / RATE))
        return True

    def _take(self, lag: Lag) -> None:
        known = self.known
        if known and abs(lag.lag_s - self.lag(lag.time_s)) > OUTLIER_S:
            self._doubt(lag)
            return
        self._strange.clear()
        self._missed = 0
        self._lags.append(lag)
        if not known:
            self._lags = deque([k for k in self._lags if abs(k.lag_s - lag.lag_s) < OUTLIER_S], maxlen=REMEMBERED)
        if len(self._lags) >= FEWEST:
            self._fit()

    def _doubt(self, lag: Lag) -> None:
        """A measurement that does not fit: one is an echo, several that agree are a clock that has leapt."""
        self._strange = [*(k for k in self._strange if abs(k.lag_s - lag.lag_s) < OUTLIER_S), lag]
        if len(self._strange) >= LEAPT and lag.time_s - self._strange[0].time_s > WINDOW_S:
            found = list(self._strange)
            self.reset()
            self._lags.extend(found)
            self._missed = 0
            self._fit()

    def _fit(self) -> None:
        times, lags = (np.array([getattr(k, name) for k in self._lags]) for name in ("time_s", "lag_s"))
        slope = 0.0
        good = np.abs(lags - np.median(lags)) < OUTLIER_S + 2e-4 * float(np.ptp(times))
        if np.ptp(times) > LINE_S:
            for _ in range(3):
                slope, base = np.polyfit(times[good] - times[-1], lags[good], 1)
                off = np.abs(lags - (base + slope * (times - times[-1])))
                good = off < max(0.001, 3 * 1.4826 * float(np.median(off)))
            here = float(base)
        else:
            here = float(np.median(lags[good]))
        off = (lags - (here + slope * (times - times[-1])))[good]
        self._line = (float(times[-1]), here, float(slope))
        self.error_ms = float(1000 * np.hypot(1.4826 * np.median(np.abs(off)), GEOMETRY_MS / 1000))


def _whole(time_s: float) -> float:
    return round(time_s * RATE) / RATE


def correlate(ours: Samples, theirs: Samples, reach: int) -> tuple[float, float]:
    """The shift of `ours` in `theirs` in samples, to a part of one, and how clear it is in standard deviations.

    Args:
        ours: n samples.
        theirs: n + 2 x `reach` samples.
        reach: the largest shift is twice this.
    """
    size = 1 << int(np.ceil(np.log2(len(theirs) + len(ours))))
    cross = np.fft.rfft(theirs, size) * np.conj(np.fft.rfft(ours, size))
    hertz = np.fft.rfftfreq(size, 1 / RATE)
    cross[(hertz < BAND_HZ[0]) | (hertz > BAND_HZ[1])] = 0
    found = np.fft.irfft(cross / (np.abs(cross) + 1e-12), size)[: 2 * reach + 1]
    top = int(np.argmax(found))
    rest = np.delete(found, slice(max(0, top - 40), top + 41))
    spread = float(rest.std()) if len(rest) > 100 else float(found.std())
    shift = float(top)
    if 0 < top < len(found) - 1:
        before, here, after = (float(found[top + k]) for k in (-1, 0, 1))
        bend = before - 2 * here + after
        shift += 0.5 * (before - after) / bend if bend < 0 else 0.0
    return shift, float(found[top]) / (spread + 1e-12)
