"""Hears words that people have taught (`models.taught`), beside the spotter that hears the referee's own.

    rows of the stream -> each word's sayings laid on them (audio.matching) -> the nearest moment
                       -> how far below the word's limit, how quiet before and after -> probability, accepted or not

Weights and operating point are fitted on synthetic voices and measured on real ones: `python -m audio.train.taught`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from audio.features import RATE
from audio.matching import Matcher
from audio.recogniser import Spotter
from audio.spotted import Spotted
from audio.verify_rows import BANDS, ROW_S, Rows
from models.acoustic import Stream
from models.taught import space
from referee.events import SAME_SOUND, UNSURE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from models import CallModel
    from models.acoustic import Network
    from models.taught import Taught

    Floats = NDArray[np.float32]

LATE_S = Stream.LAG * 0.01
"""A row's bottleneck is of the sound this long before the row's bands."""
QUIET_ROWS = 5
"""A verdict is given when the distance has not fallen for this many rows; what followed the word is known then."""
LOOSE = 0.12
"""Distances up to this much above a word's limit are reported, as no call."""
BEFORE_S, AFTER_S = (0.40, 0.10), (0.12, 0.45)
"""Where quiet around a word is looked for, from its beginning back and from its end on."""
QUIETEST_DB = 25.0
PRIOR = 0.4
"""Added to the log-odds, an assumption: the words fitted on held six sayings for every minute of talk and three other
words for each; at a table while rounds are open more of what is said alone is calls."""
WEIGHTS = (-4.18 + PRIOR, 14.3, 0.091, 0.043)
"""Of 1, of the distance below the limit, and of the quiet before and after in dB: log-odds of a call."""
ACCEPTED = 0.5
"""Probability from which a word counts: `referee bench words` measures it."""
HOLD_S = 0.9
"""Words wait so long after their end for the same sound heard as another word."""
LOOK_BACK_S = 2.5
"""No taught word is longer than this with what is waited for after it."""
_DB = 10 / math.log(10)


@dataclass(slots=True)
class _Nearest:
    """The best row of late for one word."""

    distance: float
    row: int
    start: int


class TaughtSpotter:
    """Hears taught words in the rows of one stream."""

    def __init__(self, words: Sequence[Taught]) -> None:
        self._words = words
        self._space = space()
        self._matchers = [Matcher([self._space.place(table) for table in word.examples]) for word in words]
        self._nearest: list[_Nearest | None] = [None] * len(words)
        self._told: list[_Nearest | None] = [None] * len(words)
        self._levels: list[float] = []
        self._row = 0
        self._first_level = 0

    @property
    def settled_s(self) -> float:
        """No word given later starts before this time, in seconds from the stream's first sample."""
        return max(0.0, self._row * ROW_S - LOOK_BACK_S)

    def feed(self, rows: Floats) -> list[Spotted]:
        """Take the next rows, of shape (n, 104), and give the words that are certain by now."""
        found: list[Spotted] = []
        self._levels += (_DB * np.log(np.exp(rows[:, BANDS]).mean(axis=1))).tolist()
        for place in self._space.place(rows[:, :64]):
            for i, matcher in enumerate(self._matchers):
                distance, start = matcher.feed(place)
                found += self._step(i, distance, start)
            self._row += 1
        self._forget()
        return found

    def flush(self) -> list[Spotted]:
        """The stream has ended."""
        found = [word for i, near in enumerate(self._nearest) if near is not None for word in self._tell(i, near)]
        self._nearest = [None] * len(self._words)
        return found

    def _step(self, i: int, distance: float, start: int) -> list[Spotted]:
        near, word = self._nearest[i], self._words[i]
        if near is not None and self._row - near.row >= QUIET_ROWS and distance >= near.distance:
            self._nearest[i] = None
            return self._tell(i, near)
        if distance < word.limit + LOOSE and (near is None or distance < near.distance):
            self._nearest[i] = _Nearest(distance, self._row, start)
        return []

    def _tell(self, i: int, near: _Nearest) -> list[Spotted]:
        """A verdict, unless it is the tail of one that was nearer."""
        told = self._told[i]
        if told is not None and near.start < told.row and near.distance >= told.distance:
            return []
        self._told[i] = near
        return [self._spotted(i, near)]

    def _spotted(self, i: int, near: _Nearest) -> Spotted:
        word = self._words[i]
        start_s, end_s = near.start * ROW_S - LATE_S, near.row * ROW_S - LATE_S + ROW_S
        features = (1.0, word.limit - near.distance, *self.quiet(start_s, end_s))
        odds = sum(weight * value for weight, value in zip(WEIGHTS, features, strict=True))
        probability = 1 / (1 + math.exp(-odds))
        accepted = probability >= ACCEPTED
        start_s = max(0.0, self.settled_s, start_s)
        end_s = max(start_s + 0.05, end_s)
        reason = "" if accepted else UNSURE
        return Spotted(word.word, word.type, word.language, start_s, end_s, probability, accepted, reason)

    def quiet(self, start_s: float, end_s: float) -> tuple[float, float]:
        """By how much the word is louder than what came before and after it, dB, each at most `QUIETEST_DB`."""
        word = self._between(start_s, end_s)
        loud = float(np.quantile(word, 0.8)) if len(word) else 0.0
        before = self._between(start_s - BEFORE_S[0], start_s - BEFORE_S[1])
        after = self._between(end_s + AFTER_S[0], end_s + AFTER_S[1])
        gaps = [loud - float(part.mean()) if len(part) else QUIETEST_DB for part in (before, after)]
        return float(np.clip(gaps[0], 0, QUIETEST_DB)), float(np.clip(gaps[1], 0, QUIETEST_DB))

    def _between(self, from_s: float, to_s: float) -> NDArray[np.float64]:
        first, last = (max(0, round(t / ROW_S) - self._first_level) for t in (from_s, to_s))
        return np.array(self._levels[first:last])

    def _forget(self) -> None:
        keep = round(2 * LOOK_BACK_S / ROW_S)
        if len(self._levels) > 2 * keep:
            self._first_level += len(self._levels) - keep
            del self._levels[:-keep]


class _Shared(Rows):
    """Rows that the spotter reads, kept for who reads them after it."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self._kept: list[Floats] = []

    def feed(self, samples: Floats) -> list[Floats]:
        """See `Rows`."""
        blocks = super().feed(samples)
        self._kept += blocks
        return blocks

    def take(self) -> list[Floats]:
        """The blocks since the last call."""
        kept, self._kept = self._kept, []
        return kept


class BothSpotter:
    """The referee's own words and taught ones, from one microphone; one sound is never two words.

    Used like `audio.recogniser.Spotter`.
    """

    def __init__(self, model: CallModel, rate: int = RATE) -> None:
        """Listen with `model`, which has taught words."""
        self._model, self._rate = model, rate
        self._begin()

    def _begin(self) -> None:
        self._rows = _Shared(self._model.network)
        self._own, self._taught = Spotter(self._model, self._rate, rows=self._rows), TaughtSpotter(self._model.taught)
        self._held: list[tuple[Spotted, bool]] = []
        self._heard = 0

    @property
    def settled_s(self) -> float:
        """No word given later starts before this time."""
        waiting = [word.start_s for word, _ in self._held]
        return min([self._own.settled_s, self._taught.settled_s, *waiting])

    def accept(self, samples: Floats) -> list[Spotted]:
        """Take the next samples and give the words that are certain by now."""
        self._heard += len(samples)
        self._hold(self._own.accept(samples), taught=False)
        for block in self._rows.take():
            self._hold(self._taught.feed(block), taught=True)
        return self._ripe(self._heard / self._rate - HOLD_S)

    def flush(self) -> list[Spotted]:
        """The stream has ended: give what remains."""
        end_s = self._heard / self._rate
        self._hold(self._own.flush(), taught=False)
        for block in self._rows.take():
            self._hold(self._taught.feed(block), taught=True)
        self._hold([word for word in self._taught.flush() if word.start_s < end_s], taught=True)
        found = self._ripe(math.inf)
        self._begin()
        return found

    def _hold(self, words: Sequence[Spotted], *, taught: bool) -> None:
        self._held += [(word, taught) for word in words]

    def _ripe(self, before_s: float) -> list[Spotted]:
        """Words that ended before a time, each judged against what else was heard in the same sound."""
        words = settled([word for word, _ in self._held], [taught for _, taught in self._held])
        keep = [word.end_s > before_s for word, _ in self._held]
        self._held = [held for held, stays in zip(self._held, keep, strict=True) if stays]
        return sorted((w for w, stays in zip(words, keep, strict=True) if not stays), key=lambda word: word.start_s)


def settled(words: Sequence[Spotted], taught: Sequence[bool]) -> list[Spotted]:
    """The same words; of two that are one sound, heard as a word of the referee's and as a taught one, one stands.

    The likelier one stands. If they name different types, its probability is shared with the other: the sound may
    have been either, and a round that hangs on it is looked at.
    """
    out = list(words)
    for i, word in enumerate(words):
        for j, other in enumerate(words):
            if taught[i] == taught[j] or not _one_sound(word, other) or (other.probability, j) < (word.probability, i):
                continue
            # `other` explains the sound
            if other.accepted:
                lower = word.probability * (1 - other.probability)
                out[i] = replace(word, accepted=False, reason=SAME_SOUND, probability=lower)
            if word.accepted and other.accepted and word.type != other.type:
                shared = other.probability * other.probability / (other.probability + word.probability)
                out[j] = replace(out[j], probability=min(out[j].probability, shared))
    return out


def _one_sound(one: Spotted, other: Spotted) -> bool:
    """Whether two words lie on each other by half of the shorter one."""
    shared = min(one.end_s, other.end_s) - max(one.start_s, other.start_s)
    return shared > 0.5 * min(one.end_s - one.start_s, other.end_s - other.start_s)


def spotter(model: CallModel, rate: int) -> Spotter | BothSpotter:
    """What hears the words of a model."""
    return BothSpotter(model, rate) if model.taught else Spotter(model, rate)
