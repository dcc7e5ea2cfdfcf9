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

from referee.events import UNSURE

if TYPE_CHECKING:
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

    def look(self, call: CallHeard, stretch: Stretch) -> CallHeard:
        """The call as it is, or with the probability `MAYBE`; calls in order, on the stretch's own clock."""
        level = max(call.levels_db, default=-120.0)
        if call.accepted and call.type is not None:
            self._levels.append(level)
        if call.accepted or call.type is None or call.reason != UNSURE or call.probability >= MAYBE:
            return call
        loud = not self._levels or level >= float(np.median(self._levels)) - FAINTER_DB
        if not loud or call.end_s - call.time_s > LONGEST_S or not stands_alone(call, stretch):
            return call
        return replace(call, probability=MAYBE)


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
