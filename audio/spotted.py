"""What the recogniser hands to onset and who: a word, roughly where, and how sure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.events import Type


@dataclass(frozen=True, slots=True)
class Spotted:
    """A word found in one mono stream; times in seconds from the stream's first sample, coarse (tens of ms)."""

    word: str
    type: Type | None
    language: str
    start_s: float
    end_s: float
    probability: float
    """Calibrated probability that this was a call of `type`."""
    accepted: bool
    """Whether it passed the operating point."""
    reason: str = ""
    """Why it was not accepted."""
