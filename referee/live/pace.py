"""How many pictures a second the camera is asked for: fewer when the eye falls behind."""

from __future__ import annotations

from dataclasses import dataclass

STEPS = (30, 24, 20, 15, 12, 10)
BEHIND_S = 0.6
"""More than this waits: the eye is too slow for the pace."""
CAUGHT_UP_S = 0.15
PATIENCE = 100
"""Messages (about ten seconds) without delay before a faster pace is tried; doubled after each attempt that failed."""
SETTLE = 25
"""Messages after a change before the next is considered."""


@dataclass(slots=True)
class Pace:
    """The pace of one camera. Depends on delays alone, so that it can be tested without a clock."""

    most: int = 30
    rate: int = 30
    _calm: int = 0
    _since: int = 0
    _patience: int = PATIENCE

    def saw(self, behind_s: float) -> bool:
        """Take the present delay in seconds; True if the pace changed."""
        self._since += 1
        if behind_s > BEHIND_S and self._since > SETTLE:
            return self._change(next((s for s in STEPS if s < self.rate), self.rate), slower=True)
        self._calm = self._calm + 1 if behind_s < CAUGHT_UP_S else 0
        if self._calm > self._patience:
            return self._change(
                next((s for s in reversed(STEPS) if self.rate < s <= self.most), self.rate), slower=False
            )
        return False

    def _change(self, rate: int, *, slower: bool) -> bool:
        self._calm = self._since = 0
        if slower:
            self._patience = min(2 * self._patience, 40 * PATIENCE)
        changed, self.rate = rate != self.rate, rate
        return changed
