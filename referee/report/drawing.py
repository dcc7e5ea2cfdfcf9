"""Colours, patterns and measures of the photo finish, and what it needs of a round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.report.footage import Sound, Still
    from referee.report.game import Game, Round

WIDTH_IN = 9.0
DPI = 120
INK = "#1a1a1a"
GREY = "#6b6b6b"
WAVE = "#7d8790"
STYLES: tuple[tuple[str, Any, str], ...] = (
    ("#0072B2", "-", "o"),
    ("#D55E00", (0, (6, 2)), "s"),
    ("#00785A", (0, (2, 1.5)), "^"),
    ("#A0478B", (0, (6, 1.5, 1.5, 1.5)), "D"),
)
"""Colour, line pattern and marker of each seat in turn; the last two colours darkened for print."""
NOBODY: tuple[str, Any, str] = (INK, ":", "X")
PAPER: dict[str, Any] = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
FAR_S = 6.0
"""Nothing further than this from the moment of decision is drawn."""


@dataclass(frozen=True, slots=True)
class Moments:
    """What was cut out of the recording for one round."""

    stills: tuple[tuple[str, Still], ...] = ()
    """Caption and frame: reveal, first call, collection."""
    sound: Sound | None = None
    microphones: tuple[str, ...] = ()
    """Names of the channels, where known."""


def span(r: Round) -> tuple[float, float]:
    """The stretch of sound that the picture needs: from the reveal to what followed the calls, seconds."""
    last = r.reveal_s
    reveals = [c.reveal_s for c in r.cards if c.reveal_s is not None and last is not None and c.reveal_s > last - FAR_S]
    onsets = [c.onset_s for c in r.calls if abs(c.onset_s - r.time_s) < FAR_S]
    marks = [*reveals, *onsets] or [r.time_s]
    return min(marks) - 0.3, max(*marks, min(r.time_s, max(marks) + FAR_S), min(marks) + 1.0) + 0.5


def style(game: Game, seat: str | None) -> tuple[str, Any, str]:
    """Colour, line pattern, marker of a seat."""
    seats = game.seats
    return STYLES[seats.index(seat) % len(STYLES)] if seat in seats else NOBODY
