"""The spotter: one mono stream of samples becomes call words, roughly placed, each with a probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audio import verify
from audio.features import RATE
from audio.spotted import Spotted
from audio.verify_rows import FIRST_ROW_S, ROW_S, WIDTH, Rows
from referee.events import Type

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from models import CallModel

SMOOTH_ROWS = 3
"""Logits are averaged over this many rows: a call is due for about four."""
QUIET_ROWS = 2
"""A verdict is given when its score has not risen for this many rows."""
LONGEST_ROWS = 12
LEAST_LOGIT = -2.0
"""Below this nothing is reported, not even as rejected."""
LOOK_BACK_S = 1.5
"""No call is longer than this with what the verifier needs after it."""
_APART_S = 0.06
"""Two words that begin closer than this are one sound heard twice."""


@dataclass(slots=True)
class _Peak:
    """The best row so far at which a call seemed due."""

    logit: float
    row: int
    start_s: float
    end_s: float


class Spotter:
    """Hears the calls of one microphone. Feed it all samples in order; not for use by two threads at once."""

    def __init__(self, model: CallModel, rate: int = RATE) -> None:
        """Listen with `model`.

        Args:
            model: what to listen for.
            rate: samples a second; must be 16000.

        Raises:
            ValueError: another rate.
        """
        if rate != RATE:
            raise ValueError(f"the spotter hears {RATE} samples a second, not {rate}; resample first")
        self._model = model
        self._verifier = verify.load()
        self._columns = [i for i, call in enumerate(self._verifier.calls) if call.split("/")[0] in model.languages]
        self._begin()

    def _begin(self) -> None:
        self._rows = Rows(self._model.network)
        self._window: NDArray[np.float32] = np.zeros((0, WIDTH), np.float32)
        self._recent: list[NDArray[np.float32]] = []
        self._row = 0
        self._heard = 0
        self._peaks: dict[int, _Peak] = {}
        self._last_end: dict[int, float] = {}

    @property
    def settled_s(self) -> float:
        """No word given later starts before this time, in seconds from the stream's first sample."""
        return max(0.0, self._row * ROW_S - LOOK_BACK_S)

    def accept(self, samples: NDArray[np.float32]) -> list[Spotted]:
        """Take the next `samples` (full scale 1) and give the words that are certain by now."""
        self._heard += len(samples)
        return [word for block in self._rows.feed(np.asarray(samples, np.float32)) for word in self._take(block)]

    def flush(self) -> list[Spotted]:
        """The stream has ended: give what remains."""
        silence = np.zeros(RATE, np.float32)
        found = [word for block in self._rows.feed(silence) for word in self._take(block)] + self._close()
        self._begin()
        return found

    def _take(self, rows: NDArray[np.float32]) -> list[Spotted]:
        if not len(self._window):
            self._window = np.repeat(rows[:1], verify.WINDOW - 1, axis=0)
        self._window = np.concatenate([self._window, rows])
        outputs = self._verifier.outputs(self._window)
        self._window = self._window[len(rows) :]
        return [word for output in outputs for word in self._step(output)]

    def _step(self, output: NDArray[np.float32]) -> list[Spotted]:
        """One row further: keep each call's best row, and close the peaks when none has risen for a while."""
        self._recent = [*self._recent[1 - SMOOTH_ROWS :], output]
        now = FIRST_ROW_S + ROW_S * self._row
        smooth = np.mean(self._recent, axis=0)
        for column in self._columns:
            logit = float(smooth[column])
            best = self._peaks.get(column)
            if logit >= LEAST_LOGIT and (best is None or logit > best.logit):
                begun, ended = (float(ago) for ago in smooth[-2:])
                self._peaks[column] = _Peak(logit, self._row, now - max(begun, ended + 0.1), now - max(ended, 0.0))
        self._row += 1
        if not self._peaks:
            return []
        risen = max(peak.row for peak in self._peaks.values())
        first = min(peak.row for peak in self._peaks.values())
        if self._row - 1 - risen >= QUIET_ROWS or self._row - first >= LONGEST_ROWS:
            return self._close()
        return []

    def _close(self) -> list[Spotted]:
        found: list[Spotted] = []
        for column, peak in sorted(self._peaks.items(), key=lambda item: -item[1].logit):
            if peak.end_s - self._last_end.get(column, -1.0) < 0.25:
                continue  # the slope of a peak that was reported already
            same = any(abs(peak.start_s - other.start_s) < _APART_S for other in found)
            found.append(self._spotted(column, peak, "same sound" if same else ""))
            self._last_end[column] = peak.end_s
        self._peaks = {}
        return sorted(found, key=lambda word: word.start_s)

    def _spotted(self, column: int, peak: _Peak, reason: str) -> Spotted:
        language, kind = self._verifier.calls[column].split("/")
        word = next(w for w in self._model.words.values() if w.language == language and w.type == kind)
        probability = self._verifier.probability(peak.logit)
        if not reason and peak.logit < self._verifier.threshold:
            reason = "unsure"
        start = max(peak.start_s, self.settled_s, 0.0)
        end = min(max(peak.end_s, start + 0.05), self._heard / RATE)
        return Spotted(word.word, Type(kind), language, start, end, probability, not reason, reason)
