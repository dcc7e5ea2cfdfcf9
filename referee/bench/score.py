"""Rulings compared with a truth file, round by round. Rounds are paired by time, never by number.

A round is exact when every card, what was due, who was first with which type, the outcome and the awards are right.
It is silently wrong when it is not exact and not in review: the worst that the referee can do.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

Line = dict[str, Any]

LATE_S = 1.5
"""A silence may be ruled when the next cards are already seen."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One round of the truth beside the ruling that belongs to it (None: missed)."""

    truth: Line
    ruling: Line | None

    @property
    def wrong_cards(self) -> int:
        """Cards read as another type; unread ones do not count."""
        said = (self.ruling or {}).get("cards") or {}
        return sum(said.get(seat) not in (None, kind) for seat, kind in self.truth["cards"].items())

    @property
    def differences(self) -> tuple[str, ...]:
        """Names of the fields that are not as the truth has them."""
        if self.ruling is None:
            return ("missed",)
        said = self.ruling
        checks = {
            "cards": said.get("cards") == self.truth["cards"],
            "due": said.get("due") == self.truth["due"],
            "first": self._first_right(),
            "outcome": said.get("outcome") == self.truth["outcome"],
            "awards": _some(said.get("awards")) == _some(self.truth["awards"]),
        }
        return tuple(name for name, right in checks.items() if not right)

    def _first_right(self) -> bool:
        first, true = (self.ruling or {}).get("first") or {}, self.truth["first"]
        if true is None:
            return not first.get("seat") and not first.get("type")
        return (first.get("seat"), first.get("type")) in [(call["seat"], call["type"]) for call in self._firsts()]

    def _firsts(self) -> list[Line]:
        """The first call of the truth, or all that came at the same time: none of them was before the others."""
        return [call for call in self.truth["calls"] if call.get("reason") == "tied"] or [self.truth["first"]]

    @property
    def in_review(self) -> bool:
        """Whether people were asked to look at it."""
        return bool((self.ruling or {}).get("review"))

    @property
    def onset_error_ms(self) -> float | None:
        """Measured minus true onset of the first call, where both have one and the caller is right."""
        first, true = (self.ruling or {}).get("first"), self.truth["first"]
        if not first or not true or "first" in self.differences or first["onset_s"] is None:
            return None
        return float(min((1000 * (first["onset_s"] - call["onset_s"]) for call in self._firsts()), key=abs))

    @property
    def by_touch(self) -> bool:
        """Whether the ruling rests on a touch: its time is seen, not heard."""
        return "card" in ((self.ruling or {}).get("first") or {})


def _some(counts: Line | None) -> Line:
    return {seat: n for seat, n in (counts or {}).items() if n}


def read_rulings(path: Path) -> list[Line]:
    """The ruling lines of a truth file or record."""
    lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines() if text.strip()]
    return [line for line in lines if line.get("type") == "ruling"]


def belongs(truth: Line, following: Line | None, ruling: Line) -> bool:
    """Whether a ruling speaks of this round: its first call lies in the round's span, or its silence ends there."""
    onset = (ruling.get("first") or {}).get("onset_s")
    if onset is not None:
        return bool(truth["start_s"] <= onset < truth["end_s"])
    until = min(following["reveal_s"].values()) + LATE_S if following else float("inf")
    return bool(max(truth["reveal_s"].values()) <= ruling["time_s"] < until)


def compare(truth: list[Line], rulings: list[Line]) -> tuple[list[Compared], list[Line]]:
    """Pair rounds with rulings in order; also the rulings that belong to no round."""
    left = sorted(rulings, key=lambda line: float(line["time_s"]))
    pairs = []
    for n, true in enumerate(truth):
        following = truth[n + 1] if n + 1 < len(truth) else None
        mine = next((line for line in left if belongs(true, following, line)), None)
        if mine is not None:
            left.remove(mine)
        pairs.append(Compared(true, mine))
    return pairs, left
