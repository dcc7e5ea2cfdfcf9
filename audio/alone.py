"""A word that was not understood as a call, but is as loud as calls are and stands alone: it may have been one.

People at a table talk 10 dB below their calls and more, and go on talking. Who says one short word into silence, as
loud as a call, has probably called; if the recogniser does not think so, people should look. So such a word is given
the probability `MAYBE`: it is still no call, but a round that hangs on it is put to review.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from audio.fronts import caller_of
from referee.events import ONE_SOUND_S, UNSURE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audio.gather import Stretch
    from referee.events import CallHeard

MAYBE = 0.4
"""Above the doubt from which a round is put to review, below the certainty of a call."""
LATELY = 7
FAINTER_DB = 5.0
"""So much fainter than the table's latest calls a word may be. In eleven staged games calls that were not understood
were 2 dB fainter to 5 dB louder than the others, words that were none 7 to 17 dB fainter."""
QUIET_DB = 12.0
"""So far below the word must be what is before and after it."""
LONGEST_S = 1.2
_BEFORE_S, _AFTER_S = (-0.4, -0.05), (0.15, 0.4)


class Alone:
    """Remembers how loud calls are at this table."""

    def __init__(self) -> None:
        self._levels: deque[float] = deque(maxlen=LATELY)

    def look(self, calls: Sequence[CallHeard], stretch: Stretch) -> list[CallHeard]:
        """The calls of a group, in order and on the stretch's own clock, with `MAYBE` where it is due.

        Of several words in one sound the likeliest is given it, the others as much less as they were less likely.
        """
        out = []
        for call in calls:
            if call.accepted and call.type is not None:
                self._levels.append(_loudest_db(call))
            likely = MAYBE * call.probability / _likeliest(call, calls)
            raised = likely > call.probability and self._may_be(call, stretch)
            out.append(replace(call, probability=likely) if raised else call)
        return out

    def _may_be(self, call: CallHeard, stretch: Stretch) -> bool:
        """Whether a word that was not understood is as loud as a call and stands alone."""
        if call.accepted or call.type is None or call.reason != UNSURE or call.end_s - call.time_s > LONGEST_S:
            return False
        loud = not self._levels or _loudest_db(call) >= float(np.median(self._levels)) - FAINTER_DB
        return loud and stands_alone(call, stretch)


def _likeliest(call: CallHeard, calls: Sequence[CallHeard]) -> float:
    """The highest probability of the words that were not understood in the same sound of the same player."""
    near = [c for c in calls if c.reason == UNSURE and abs(c.time_s - call.time_s) < ONE_SOUND_S]
    return max(call.probability, *[c.probability for c in near if caller_of(c) == caller_of(call)], 1e-9)


def _loudest_db(call: CallHeard) -> float:
    return max(call.levels_db, default=-120.0)


def stands_alone(call: CallHeard, stretch: Stretch) -> bool:
    """Whether it is quiet before and after a word."""
    word = _level_db(stretch, call.time_s, min(call.time_s + 0.25, max(call.end_s, call.time_s + 0.1)))
    before = _level_db(stretch, call.time_s + _BEFORE_S[0], call.time_s + _BEFORE_S[1])
    after = _level_db(stretch, call.end_s + _AFTER_S[0], call.end_s + _AFTER_S[1])
    return word - max(before, after) >= QUIET_DB


def _level_db(stretch: Stretch, from_s: float, to_s: float) -> float:
    """Level of the loudest microphone between two times."""
    power = (stretch.span(from_s, to_s).astype(np.float64) ** 2).mean(axis=1)
    return float(10 * np.log10(power.max() + 1e-12))
