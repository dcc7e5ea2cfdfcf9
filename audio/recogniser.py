"""The spotter: one mono stream of samples becomes call words, roughly placed, each with a probability."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from audio import again, second, verify, which
from audio.features import RATE
from audio.spotted import Spotted
from audio.verify_rows import BANDS, FIRST_ROW_S, ROW_S, WIDTH, Rows
from referee.events import SAME_SOUND, UNSURE, Type

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from audio.verify import Verifier
    from models import CallModel

QUIET_ROWS = 2
"""A verdict is given when its score has not risen for this many rows."""
LONGEST_ROWS = 6
"""A peak waits no longer than this for another that still rises: they may be one sound."""
LEAST_LOGIT = -3.0
"""Below this nothing is reported, not even as rejected."""
LEAST_ASKED = -2.0
"""Below this no second opinion is worth its time. So far down none makes a call, but what is unsure is weighed too."""
RECENT_ROWS = 4
"""A call that seemed likely so lately may be one that rises."""
CLEARLY = 1.5
"""A score so far above what is enough is not doubted: the sound need not be heard again."""
SURELY = 0.9
"""A second opinion that is not asked for again a row later."""
LOOK_BACK_S = 1.5
"""No call is longer than this with what the verifier needs after it."""
_NEAR_DB, _FAR_COST = 8.0, 0.25
"""Each dB by which a word is fainter than the table's calls lately, beyond the first 8, counts against it: talk."""
_LATELY = 5
_AGAIN_S = 0.25
"""One word drawn out may seem due twice: calls of one type nearer than this are one."""
_REMEMBERED = 8
"""Opinions of a guess that are not asked for again when the guess comes true."""
_APART_S = 0.06
"""Two words that begin closer than this are one sound heard twice."""


@dataclass(slots=True)
class _Peak:
    """The best row so far at which a call seemed due."""

    logit: float
    row: int
    start_s: float
    end_s: float
    level_db: float
    views: NDArray[np.float32] | None = None
    """Logits of all calls when the sound was heard again (`audio.again`)."""

    def seen(self, column: int, logit: float) -> float:
        """A call's logit here, averaged with those of hearing it again."""
        return logit if self.views is None else float((logit + self.views[:, column].sum()) / (1 + len(self.views)))


def _at_one(first: _Peak, other: _Peak) -> bool:
    """Whether two peaks are of words at one place."""
    return abs(first.start_s - other.start_s) < ROW_S and abs(first.end_s - other.end_s) < ROW_S


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a verdict rested on: for calibrating (`audio.train.calibrate`)."""

    call: str
    logit: float
    """The verifier's, over all views, moved where the sound itself was asked which word it was (`audio.which`)."""
    opinion: float
    """Vosk's confidence, 0 to 1."""
    start_s: float
    end_s: float


class Spotter:
    """Hears the calls of one microphone. Feed it all samples in order; not for use by two threads at once."""

    def __init__(
        self, model: CallModel, rate: int = RATE, *, verifier: Verifier | None = None, rows: Rows | None = None
    ) -> None:
        """Listen with `model`.

        Args:
            model: what to listen for.
            rate: samples a second; must be 16000.
            verifier: by default the one that ships with the referee.
            rows: what turns the first stream into rows, by default with the model's network.

        Raises:
            ValueError: another rate.
        """
        if rate != RATE:
            raise ValueError(f"the spotter hears {RATE} samples a second, not {rate}; resample first")
        self._model = model
        self._verifier = verifier or verify.load()
        self.evidence: list[Evidence] | None = None
        """Set to a list to have the evidence of every verdict appended, of each sound once."""
        self._columns = [i for i, call in enumerate(self._verifier.calls) if call.split("/")[0] in model.languages]
        self._which = [
            (one, [self._verifier.calls.index(f"{one.language}/{kind}") for kind in which.KINDS])
            for one in which.load().values()
            if one.language in model.languages
        ]
        self._begin(rows)

    def _begin(self, rows: Rows | None = None) -> None:
        self._rows = rows or Rows(self._model.network)
        self._window: NDArray[np.float32] = np.zeros((0, WIDTH), np.float32)
        self._recent: list[NDArray[np.float32]] = []
        self._row = self._rows_seen = 0
        self._logits: list[NDArray[np.float32]] = []
        self._sound: NDArray[np.float32] = np.zeros(0, np.float32)
        self._heard = 0
        self._levels: list[float] = []
        self._peaks: dict[int, _Peak] = {}
        self._last: dict[int, _Peak] = {}
        self._starts: list[tuple[float, int]] = []
        self._looks_ahead = self._guesses = False
        self._opinions: dict[tuple[str, int, float, float], dict[Type, tuple[float, str]]] = {}

    @property
    def settled_s(self) -> float:
        """No word given later starts before this time, in seconds from the stream's first sample."""
        return max(0.0, self._row * ROW_S - LOOK_BACK_S)

    @property
    def heard_s(self) -> float:
        """Up to here the sound has been looked at, in seconds from the stream's first sample."""
        return self._row * ROW_S

    @property
    def due(self) -> bool:
        """Whether a call may be about to be given: one that rises, or that would pass with the best second opinion."""
        return any(self._row - 1 - p.row < QUIET_ROWS or self._may_pass(c, p) for c, p in self._new())

    def guess(self) -> list[Spotted]:
        """The call that is likeliest to be given next, if one would be were the sound to end here; changes nothing."""
        likely = [(p.logit, c) for c, p in self._new() if self._may_pass(c, p)]
        if not likely:
            return []
        column = max(likely)[1]
        other = copy.copy(self)  # lists are replaced when they change, never changed
        other.evidence, other._last, other._guesses = None, dict(self._last), True  # noqa: SLF001
        other._peaks = {column: replace(self._peaks[column])}  # noqa: SLF001
        return other._close([column])  # noqa: SLF001

    @property
    def brewing(self) -> bool:
        """Whether a call seemed somewhat likely of late."""
        return any(self._row - p.row <= RECENT_ROWS for _, p in self._new())

    def ahead(self, samples: NDArray[np.float32]) -> list[Spotted]:
        """The call that would be given if the sound ended after these `samples`, if any; changes nothing."""
        rows = self._rows.ahead(samples)
        if not len(rows):
            return self.guess()
        other = copy.copy(self)  # lists and arrays are replaced, never changed
        other._peaks = {column: replace(peak) for column, peak in self._peaks.items()}  # noqa: SLF001
        other._sound = np.concatenate([self._sound, samples])  # noqa: SLF001
        other._heard, other._looks_ahead = self._heard + len(samples), True  # noqa: SLF001
        for output, level in other._outputs(rows):  # noqa: SLF001
            other._rise(output, level)  # noqa: SLF001
        return other.guess()

    def _new(self) -> list[tuple[int, _Peak]]:
        """Peaks that are not of a sound that was reported already."""
        return [(c, p) for c, p in self._peaks.items() if not self._slope(c, p) and not self._same(c, p)]

    def _may_pass(self, column: int, peak: _Peak) -> bool:
        return self._verifier.score(column, peak.logit, 1.0) >= self._verifier.least(column)

    def _slope(self, column: int, peak: _Peak) -> bool:
        """Whether this is the slope of a peak that was reported already."""
        last = self._last.get(column)
        return last is not None and peak.end_s - last.end_s < _AGAIN_S and peak.logit <= last.logit

    def _same(self, column: int, peak: _Peak) -> bool:
        """Whether a call that was accepted is of the same sound."""
        return any(
            abs(peak.start_s - start) < (_AGAIN_S if column == other else _APART_S) for start, other in self._starts
        )

    def accept(self, samples: NDArray[np.float32]) -> list[Spotted]:
        """Take the next `samples` (full scale 1) and give the words that are certain by now."""
        found = [word for block in self._blocks(np.asarray(samples, np.float32)) for word in self._take(block)]
        self._forget()
        return found

    def flush(self) -> list[Spotted]:
        """The stream has ended: give what remains."""
        end_s = self._heard / RATE
        found = [word for block in self._blocks(np.zeros(RATE, np.float32)) for word in self._take(block)]
        found += self._close(list(self._peaks))
        self._begin()
        return [word for word in found if word.start_s < end_s]

    def _blocks(self, samples: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        self._sound = np.concatenate([self._sound, samples])
        self._heard += len(samples)
        return self._rows.feed(samples)

    def _forget(self) -> None:
        """Keep no more sound than a later verdict may want to hear again."""
        keep = round((LOOK_BACK_S + second.BEFORE_S + 1.0) * RATE)
        if len(self._sound) > 2 * keep:
            self._sound = self._sound[-keep:]

    def _between(self, start_s: float, end_s: float) -> NDArray[np.float32]:
        first = self._heard - len(self._sound)
        return self._sound[max(0, round(start_s * RATE) - first) : max(0, round(end_s * RATE) - first)]

    def _take(self, rows: NDArray[np.float32]) -> list[Spotted]:
        found: list[Spotted] = []
        for output, level in self._outputs(rows):
            self._rise(output, level)
            found += self._close(self._ripe())
        return found

    def _outputs(self, rows: NDArray[np.float32]) -> list[tuple[NDArray[np.float32], float]]:
        """What the verifier says with each of the next rows, and how loud its window is."""
        if not len(self._window):
            self._window = np.repeat(rows[:1], verify.WINDOW - 1, axis=0)
        self._window = np.concatenate([self._window, rows])
        outputs = self._verifier.outputs(self._window)
        loudness = self._window[:, BANDS].max(axis=1)
        self._window = self._window[len(rows) :]
        self._rows_seen += len(rows)
        loudest = [float(loudness[i : i + verify.WINDOW].max()) for i in range(len(outputs))]
        return list(zip(outputs, loudest, strict=True))

    def _rise(self, output: NDArray[np.float32], loudest: float) -> None:
        """One row further: keep each call's best row."""
        self._recent = [*self._recent[1 - verify.SMOOTH_ROWS :], output]
        now = FIRST_ROW_S + ROW_S * self._row
        smooth = np.mean(self._recent, axis=0)
        self._logits = [*self._logits[-LONGEST_ROWS - QUIET_ROWS :], smooth[0]]
        for column in self._columns:
            logit, begun, ended = (float(value) for value in smooth[:, column])
            best = self._peaks.get(column)
            if logit >= LEAST_LOGIT and (best is None or logit > best.logit):
                start, end = now - max(begun, ended + 0.1), now - max(ended, 0.0)
                self._peaks[column] = _Peak(logit, self._row, start, end, loudest * 10 / math.log(10))
        self._row += 1

    def _ripe(self) -> list[int]:
        """Columns whose peak is over, unless another that still rises may turn out to be the same sound."""
        ages = {column: self._row - 1 - peak.row for column, peak in self._peaks.items()}
        rising = any(age < QUIET_ROWS for age in ages.values())
        least = LONGEST_ROWS if rising else QUIET_ROWS
        return [column for column, age in ages.items() if age >= least]

    def _close(self, columns: list[int]) -> list[Spotted]:
        found: list[Spotted] = []
        closed = {c: self._peaks.pop(c) for c in columns}
        new = {c: p for c, p in closed.items() if not self._slope(c, p)}
        peaks = self._told_apart(new if self._guesses else self._heard_again(new))
        for column in sorted(peaks, key=lambda one: -peaks[one].logit):
            peak = peaks[column]
            found.append(self._spotted(column, peak, SAME_SOUND if self._same(column, peak) else ""))
            accepted = found[-1].accepted  # and then no second time
            highest = max(peak.logit, closed.get(column, peak).logit)
            self._last[column] = replace(peak, logit=math.inf if accepted else highest)
            if accepted:
                self._starts = [*self._starts[-3:], (peak.start_s, column)]
        return sorted(found, key=lambda word: word.start_s)

    def _heard_again(self, peaks: dict[int, _Peak]) -> dict[int, _Peak]:
        """Peaks that close, their logits averaged with those of other views of the sound where a call is not clear."""
        out: dict[int, _Peak] = {}
        for c, peak in peaks.items():
            clear = peak.logit < LEAST_ASKED or self._same(c, peak)
            if clear or self._score(c, peak) >= self._verifier.least(c) + CLEARLY:
                out[c] = peak
                continue
            known = next((o for o in out.values() if o.views is not None and _at_one(o, peak)), None)
            views = self._views(peak) if known is None else known.views
            looked = replace(peak, views=views)
            out[c] = replace(looked, logit=looked.seen(c, peak.logit))
        return out

    def _views(self, peak: _Peak) -> NDArray[np.float32]:
        """Logits of all calls in other views of the sound around a word."""
        begin_s = max(0.0, peak.end_s - again.BEFORE_S, (self._heard - len(self._sound)) / RATE)
        sound = self._between(begin_s, min(peak.end_s + again.AFTER_S, FIRST_ROW_S + ROW_S * (self._row - 1)))
        return again.listen(self._model.network, self._verifier, sound, peak.end_s - begin_s)

    def _told_apart(self, peaks: dict[int, _Peak]) -> dict[int, _Peak]:
        """Peaks that close, where words of one language compete in one sound as the sound itself tells them apart."""
        out = dict(peaks)
        for one, columns in self._which:
            scores = {c: self._score(c, peaks[c]) for c in columns if c in peaks}
            new = [c for c in scores if peaks[c].logit >= LEAST_ASKED and not self._same(c, peaks[c])]
            if not new:
                continue
            top = peaks[max(new, key=lambda c: scores[c])]
            near = [c in scores and abs(peaks[c].start_s - top.start_s) < which.ONE_SOUND_S for c in columns]
            heard = [scores[c] for c, there in zip(columns, near, strict=True) if there]
            if np.logaddexp.reduce(heard) < min(self._verifier.least(c) for c in columns):
                continue  # nobody called, or so far off that no word can be told
            lately = np.max(self._logits, axis=0)
            rivals = [
                peaks[c] if there else replace(top, logit=top.seen(c, float(lately[c])))
                for c, there in zip(columns, near, strict=True)
            ]
            rivals = [replace(peak, logit=max(float(peak.logit), LEAST_ASKED)) for peak in rivals]
            old = [self._score(c, peak) for c, peak in zip(columns, rivals, strict=True)]
            moved = which.moved(old, one.log_chances(*self._looked_at(top.start_s)), near)
            for i, (c, peak) in enumerate(zip(columns, rivals, strict=True)):
                if near[i] or (i == np.argmax(moved) and c not in peaks):
                    out[c] = replace(peak, logit=peak.logit + (moved[i] - old[i]) / self._verifier.slope)
        return out

    def _looked_at(self, start_s: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Mel bands and bottlenecks of the word that begins there."""
        sound = self._between(0.0, FIRST_ROW_S + ROW_S * (self._row - 1))
        mels = which.mels_of(sound, self._heard - len(self._sound), start_s)
        return mels, which.rows_of(self._window, self._rows_seen - 1, start_s)

    def _score(self, column: int, peak: _Peak) -> float:
        language, kind = self._verifier.calls[column].split("/")
        return self._verifier.score(column, peak.logit, self._second(language, Type(kind), peak)[0])

    def _spotted(self, column: int, peak: _Peak, reason: str) -> Spotted:
        call = self._verifier.calls[column]
        language, kind = call.split("/")
        opinion, word = self._second(language, Type(kind), peak)
        if self.evidence is not None and not reason:
            self.evidence.append(Evidence(call, peak.logit, opinion, peak.start_s, peak.end_s))
        score = self._verifier.score(column, peak.logit, opinion) - self._distance_cost(peak)
        if not reason and score < self._verifier.least(column):
            reason = UNSURE
        if not reason:
            self._levels = [*self._levels[1 - _LATELY :], peak.level_db]
        start = max(peak.start_s, self.settled_s, 0.0)
        end = min(max(peak.end_s, start + 0.05), self._heard / RATE)
        probability = 1 / (1 + math.exp(-score))
        return Spotted(word, Type(kind), language, start, end, probability, not reason, reason)

    def _second(self, language: str, kind: Type, peak: _Peak) -> tuple[float, str]:
        usual = next(w.word for w in self._model.words.values() if w.language == language and w.type == kind)
        if peak.logit < LEAST_ASKED:
            return 0.0, usual
        begin = max(0.0, peak.start_s - second.BEFORE_S)
        span = (peak.start_s - begin, peak.end_s - begin)
        asked = (language, peak.row, peak.start_s, peak.end_s)
        if self._looks_ahead and (known := self._alike(language, kind, peak)):
            return known[0], known[1] or usual
        if asked not in self._opinions:
            sound = self._between(begin, FIRST_ROW_S + ROW_S * peak.row)
            while len(self._opinions) >= _REMEMBERED:
                del self._opinions[next(iter(self._opinions))]
            self._opinions[asked] = second.opinions(self._model, sound, language, span)
        confidence, word = self._opinions[asked].get(kind, (0.0, ""))
        return confidence, word or usual

    def _alike(self, language: str, kind: Type, peak: _Peak) -> tuple[float, str] | None:
        """What was surely heard a few rows ago, when the same call was less due."""
        for (asked, row, start_s, _), words in reversed(self._opinions.items()):
            found = words.get(kind, (0.0, ""))
            same = asked == language and abs(start_s - peak.start_s) < _APART_S
            if same and 0 <= peak.row - row <= LONGEST_ROWS and found[0] >= SURELY:
                return found
        return None

    def _distance_cost(self, peak: _Peak) -> float:
        if not self._levels:
            return 0.0
        return _FAR_COST * max(0.0, float(np.median(self._levels)) - peak.level_db - _NEAR_DB)
