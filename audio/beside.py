"""Signs of a second voice with a call, with a microphone a player, where the louder one is everywhere the louder.

Two who say the same word at once differ in few places by time and frequency. But a second voice shows in two other
ways: its player's microphone is louder than the call alone would make it, and what began just before the call was its
player's.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from audio.gather import Stretch

LATELY = 9
BEFORE_S, CALL_S = (-0.4, -0.1), (0.0, 0.3)
"""What is heard before a call is there anyway; what is compared of the call itself."""
LEAST = 2.0
"""Times the power of before: with less a microphone says nothing of the call."""
SECOND_DB = 3.5
"""From so much on a microphone has a second voice: of 52 lone calls of 23 staged games none has more (the most, in a
radio's music, 3.3)."""
JUST_BEFORE_S, FLOOR_S = (-0.07, -0.01), (-0.5, -0.25)
"""What comes before a call as a beginning of another's, and what it must rise from."""
RISES_DB = 10.0


class Reach:
    """How loud each player's calls are at the others' microphones, learnt from those that stood alone.

    The other microphones are also compared with each other: what one voice makes of them, most of it the room's,
    differs little, and of one call to the next it differs too.
    """

    def __init__(self) -> None:
        self._learnt: dict[tuple[int, int], deque[float]] = defaultdict(lambda: deque(maxlen=LATELY))

    def excess(self, owner: int, at_s: float, stretch: Stretch) -> list[float]:
        """By how much each microphone is louder than a call of `owner` alone makes it, dB; 0 where nothing is known."""
        levels = relative(owner, at_s, stretch)
        return [self._excess(owner, i, levels) for i in range(len(stretch.samples))]

    def _excess(self, owner: int, microphone: int, levels: dict[int, float]) -> float:
        others = [v for i, v in levels.items() if i not in (owner, microphone)]
        usual = [*self._learnt[owner, microphone], *others]
        return levels[microphone] - float(np.median(usual)) if microphone in levels and usual else 0.0

    def learn(self, owner: int, at_s: float, stretch: Stretch) -> None:
        """A call of `owner` stood alone."""
        for microphone, level in relative(owner, at_s, stretch).items():
            self._learnt[owner, microphone].append(level)


def relative(owner: int, at_s: float, stretch: Stretch) -> dict[int, float]:
    """Levels at the other microphones of a call that began at a time, less what was there before, dB of the owner's.

    Without microphones that have hardly more than before; empty if the owner's has not.
    """
    during, before = ((stretch.span(at_s + a, at_s + b) ** 2).mean(axis=1) for a, b in (CALL_S, BEFORE_S))
    more = {i: float(d - b) for i, (d, b) in enumerate(zip(during, before, strict=True)) if d > LEAST * b}
    return {i: float(10 * np.log10(m / more[owner])) for i, m in more.items() if i != owner and owner in more}


def rises(at_s: float, stretch: Stretch) -> list[bool]:
    """At which microphones something begins just before a time."""
    begun, floor = ((stretch.span(at_s + a, at_s + b) ** 2).mean(axis=1) for a, b in (JUST_BEFORE_S, FLOOR_S))
    return [bool(v) for v in begun > 10 ** (RISES_DB / 10) * floor]
