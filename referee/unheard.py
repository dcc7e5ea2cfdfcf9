"""When a call was that nobody but people heard, where they do not say: so that it decides the round it is said of.

Who says that somebody's call was missed means the call that matters: a second one changes nothing.
"""

from __future__ import annotations

from math import isfinite
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from referee.errors import UsageError
from referee.events import Correction, Type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.events import Seat
    from referee.options import Options

SURE_MS = 1.0
"""A call that people say was first is set this much further ahead than what counts as a tie."""


def clear_s(options: Options, sigma_ms: float) -> float:
    """How far before a measured call another one must be, to be surely the first."""
    return (max(options.tie_window_ms, NormalDist().inv_cdf(options.certainty) * sigma_ms) + SURE_MS) / 1000


def call_time(line: Mapping[str, Any], options: Options) -> float:
    """A time for a call that decides this round, in seconds: clearly before the call that did, else in the silence.

    Never before the cards could be seen, so that it is no false start.

    Raises:
        UsageError: the round has no cards, or is of a game without calls.
    """
    evidence, first = line.get("evidence") or {}, line.get("first") or {}
    shown_s = evidence.get("complete_s")
    if not isinstance(shown_s, int | float) or not isfinite(shown_s):
        raise UsageError(f"round {line.get('round')}: say when the call was, as SEAT=TYPE@TIME")
    if first.get("onset_s") is None:
        silent_s = max(shown_s, min(float(line["time_s"]), float(evidence["end_s"])))
        return float(round((shown_s + silent_s) / 2, 6))
    before_s = float(first["onset_s"]) - clear_s(options, float(first.get("sigma_ms") or 0.0))
    return float(round(max(before_s, min(shown_s, float(first["onset_s"]))), 6))


def unheard_call(line: Mapping[str, Any], seat: Seat, kind: Type, options: Options, *, said_s: float) -> Correction:
    """The correction that says: this seat called this type in this round, and it was not heard.

    Raises:
        UsageError: no time can be given to it.
    """
    return Correction(time_s=said_s, kind="call", seat=seat, type=kind, at_s=call_time(line, options))
