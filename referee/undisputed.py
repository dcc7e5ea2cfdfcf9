"""The calls of a judged game of which it is known who made them: what voices can be learned from afterwards.

Known is a call that a microphone of its own or the direction of a stereo pair gave to a seat, or that people gave to
one (`referee correct`). It must have counted, alone, clearly, in a round that nobody has to look at.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.events import CallHeard

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from referee.events import Seat
    from referee.media import AudioBlock
    from referee.record import Record

    Floats = NDArray[np.float32]

ALONE_S = 0.8
"""No other call is nearer than this."""
SURE, SURE_WHO = 0.8, 0.95
"""Least probability of the word, and of who said it."""
MOST = 4
"""Calls of one word of one seat: the first ones."""
_MICROPHONES = ("own", "stereo")


@dataclass(frozen=True, slots=True)
class Known:
    """A call whose caller is known."""

    seat: Seat
    word: str
    from_s: float
    to_s: float


def known_calls(record: Record) -> list[Known]:
    """The undisputed calls of a game, in order of time."""
    rounds = {line["round"]: line for line in record.rulings}  # the last revision of each stands
    heard = {round(e.time_s, 3): e for e in record.events if isinstance(e, CallHeard) and e.accepted}
    onsets = sorted(heard)
    found: list[Known] = []
    counts: Counter[tuple[str, str]] = Counter()
    for line in sorted(rounds.values(), key=lambda one: float(one["time_s"])):
        for call in line.get("calls") or ():
            event = heard.get(round(float(call.get("onset_s") or -1), 3))
            if event is None or not _undisputed(call, line) or _crowded(event, onsets):
                continue
            key = (str(call["seat"]), event.word)
            counts[key] += 1
            if counts[key] <= MOST:
                end_s = max(event.end_s, event.time_s + 0.2)
                found.append(Known(key[0], event.word, event.time_s - 0.02, end_s))
    return found


def _undisputed(call: Mapping[str, Any], line: Mapping[str, Any]) -> bool:
    seat, tier = call.get("seat"), call.get("tier")
    if not seat or call.get("contested") or not call.get("counted") or not call.get("word"):
        return False
    if tier == "people":
        return True
    sure = float(call.get("probability") or 0) >= SURE and float((call.get("seats") or {}).get(seat, 0)) >= SURE_WHO
    return tier in _MICROPHONES and sure and not line.get("review")


def _crowded(event: CallHeard, onsets: Sequence[float]) -> bool:
    return any(0.0005 < abs(other - event.time_s) < ALONE_S for other in onsets)


def cut(blocks: Iterable[AudioBlock], spans: Sequence[Known]) -> list[tuple[Known, Floats, int]]:
    """The sound of spans of a recording, all channels joined to one, with its rate."""
    parts: list[list[Floats]] = [[] for _ in spans]
    rate = 0
    for block in blocks:
        rate = block.rate
        mono = block.samples.mean(axis=0)
        for i, span in enumerate(spans):
            first, last = (round((t - block.time_s) * rate) for t in (span.from_s, span.to_s))
            if first < len(mono) and last > 0:
                parts[i].append(mono[max(0, first) : max(0, last)])
    return [(span, np.concatenate(part), rate) for span, part in zip(spans, parts, strict=True) if part]
