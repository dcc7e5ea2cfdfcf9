"""How much one visitor may ask: buckets that fill with time and empty with use."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field

KEPT = 2000
"""Visitors that are remembered; the longest unseen are forgotten first."""


@dataclass(slots=True)
class Bucket:
    """Holds up to `most`, fills by `per_s`."""

    most: float
    per_s: float
    left: float = -1.0
    at: float = 0.0

    def take(self, amount: float = 1.0, now: float | None = None) -> bool:
        """Take so much, if there is as much."""
        now = time.monotonic() if now is None else now
        self.left = self.most if self.left < 0 else min(self.most, self.left + (now - self.at) * self.per_s)
        self.at = now
        if self.left < amount:
            return False
        self.left -= amount
        return True


@dataclass(slots=True)
class Buckets:
    """A bucket a visitor."""

    most: float
    per_s: float
    _held: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)

    def take(self, who: str) -> bool:
        """Whether this visitor may once more."""
        bucket = self._held.setdefault(who, Bucket(self.most, self.per_s))
        self._held.move_to_end(who)
        while len(self._held) > KEPT:
            self._held.popitem(last=False)
        return bucket.take()
