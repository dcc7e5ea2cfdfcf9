"""A game as the report shows it: rounds with their cards, calls and moments, gathered from the lines of a record.

Rulings say what was decided; the events of the same record say what was seen and heard. Both are joined here, so that
everything after this module works on one `Round` and need not know how a record is written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot
from typing import TYPE_CHECKING, Any

from referee.events import READ_OTHERWISE
from referee.messages import known_language, say
from referee.messages.labels import label

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Line = dict[str, Any]
ORDER = ("north", "east", "south", "west")

CERTAIN_SIGMAS = 2.0
"""Bands of error are drawn this many standard deviations wide on either side (95 %)."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a round, as it was seen."""

    seat: str | None
    type: str | None
    card: int | None = None
    """Running number, by which corrections name it."""
    confidence: float | None = None
    corners: tuple[tuple[float, float], ...] = ()
    """At rest, pixels of the upright raw picture, clockwise; empty when not known."""
    reveal_s: float | None = None
    reveal_sigma_ms: float | None = None
    """Error of `reveal_s`, one standard deviation; large where the hand hid the card."""
    rest_s: float | None = None
    """When it was read, lying still."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A word that was heard, with what became of it."""

    seat: str | None
    type: str | None
    word: str
    onset_s: float
    sigma_ms: float | None
    counted: bool
    reason: str
    number: int | None = None
    """The call's running number in the match, by which corrections name it."""
    language: str = ""
    probability: float | None = None
    tier: str = ""
    seats: tuple[tuple[str, float], ...] = ()
    contested: bool = False

    @property
    def who(self) -> str:
        """The seat, or "somebody"."""
        return self.seat or "somebody"

    @property
    def measured(self) -> bool:
        """Whether its time was heard or seen: people who add a call, or put it first, only say about when it was."""
        return self.tier != "people" or bool(self.sigma_ms)


@dataclass(frozen=True, slots=True)
class Margin:
    """The time between the deciding call and the next one, in milliseconds, with the error of that difference."""

    ms: float
    error_ms: float | None
    """Below this the order is not certain at the match's own `certainty`; None when the calls state no error."""
    tied: bool = False
    """Whether it was ruled a tie."""

    @property
    def too_close(self) -> bool:
        """Whether the order of the two calls is not certain."""
        return self.tied or (self.error_ms is not None and abs(self.ms) <= self.error_ms)


@dataclass(frozen=True, slots=True)
class Round:
    """One round: its ruling line and the evidence."""

    line: Line
    cards: tuple[Card, ...]
    calls: tuple[Call, ...]
    gone_s: float | None = None
    """When the cards of the round began to be collected."""
    changed: tuple[str, ...] = ()
    """What a correction changed, in words."""
    alternatives: tuple[str, ...] = ()
    """For a round in review: what else may have happened, the likeliest first, each with the command that says so."""
    as_ruled: str = ""
    """For a round in review that is ruled: the command which says that it is right as it is."""
    certain_sigmas: float = 2.33
    """Standard deviations of a difference that make an order certain, from the house rule `certainty`."""

    @property
    def number(self) -> int:
        """Number of the round, from 1."""
        return int(self.line.get("round") or 0)

    @property
    def time_s(self) -> float:
        """When the ruling was made."""
        return float(self.line.get("time_s") or 0.0)

    @property
    def review(self) -> bool:
        """Whether people are asked to look."""
        return bool(self.line.get("review"))

    @property
    def void(self) -> bool:
        """Whether people declared that the round counts for nothing."""
        return str(self.line.get("rule") or "").endswith(".void")

    @property
    def known(self) -> bool:
        """Whether every card was read, so that it can be told what was due."""
        cards = self.line.get("cards") or {}
        return bool(cards) and all(cards.values())

    @property
    def reveal_s(self) -> float | None:
        """When the last card of the round could be seen."""
        times = [c.reveal_s for c in self.cards if c.reveal_s is not None]
        return max(times) if times else None

    @property
    def reveal_sigma_ms(self) -> float:
        """Error of `reveal_s`, one standard deviation."""
        last = max((c for c in self.cards if c.reveal_s is not None), key=lambda c: c.reveal_s or 0.0, default=None)
        return last.reveal_sigma_ms or 0.0 if last is not None else 0.0

    @property
    def counted(self) -> list[Call]:
        """The calls that counted, in order of onset."""
        return [c for c in self.calls if c.counted]

    @property
    def first(self) -> Call | None:
        """The deciding call: the one that the ruling names, looked up among the calls for its error."""
        named = self.line.get("first")
        if not isinstance(named, dict) or named.get("onset_s") is None:
            return None
        onset = float(named["onset_s"])
        near = min(self.calls, key=lambda c: abs(c.onset_s - onset), default=None)
        if near is not None and abs(near.onset_s - onset) < 5e-4:
            return near
        sigma = named.get("sigma_ms")
        return Call(
            named.get("seat"),
            named.get("type"),
            str(named.get("word") or named.get("type") or ""),
            onset,
            sigma,
            True,
            "",
        )

    @property
    def margin(self) -> Margin | None:
        """Lead of the deciding call over the next call of somebody else; None with nobody to be ahead of."""
        first, named = self.first, self.line.get("first") or {}
        if first is None:
            return None
        tied = self.line.get("outcome") == "tie"
        rival = self.rival
        lead, sigma = named.get("lead_ms"), named.get("lead_sigma_ms")
        if rival is None and lead is None:
            return None
        if lead is None or (rival is not None and tied):
            lead = (rival.onset_s - first.onset_s) * 1000 if rival is not None else 0.0
        if sigma is None and rival is not None and first.sigma_ms is not None and rival.sigma_ms is not None:
            sigma = hypot(first.sigma_ms, rival.sigma_ms)
        return Margin(float(lead), None if sigma is None else self.certain_sigmas * float(sigma), tied)

    @property
    def rival(self) -> Call | None:
        """The call that came next, or tied: of somebody else, or of somebody who cannot be told."""
        first = self.first
        if first is None:
            return None
        others = [c for c in self.calls if c is not first and c.type and (c.seat != first.seat or c.seat is None)]
        rivals = [c for c in others if c.counted or (c.contested and c.reason != READ_OTHERWISE) or _after(c)]
        return min(rivals, key=lambda c: abs(c.onset_s - first.onset_s), default=None)


def _after(call: Call) -> bool:
    """Whether a call was a true one that came too late: then it is a rival in the photo finish."""
    return any(word in call.reason for word in ("after", "late", "second", "tied"))


@dataclass(frozen=True, slots=True)
class Correction:
    """What somebody said afterwards, in words."""

    number: int
    """From 1, as `undo` counts."""
    words: str
    undone: bool


@dataclass(frozen=True, slots=True)
class Game:
    """All that a report shows."""

    header: Line
    rounds: tuple[Round, ...]
    result: Line
    corrections: tuple[Correction, ...] = ()
    stray: tuple[Call, ...] = ()
    """Words heard outside any round."""
    recording: Path | None = None
    name: str = ""
    players: Mapping[str, str] = field(default_factory=dict)
    """Seat -> name of the person, where it is known."""

    @property
    def seats(self) -> list[str]:
        """All seats, clockwise from the north, then any others."""
        named = set(self.header.get("seats") or ())
        for r in self.rounds:
            named |= {*r.line.get("cards", {}), *r.line.get("piles", {}), *r.line.get("awards", {})}
        return [s for s in ORDER if s in named] + sorted(named - set(ORDER))

    @property
    def microphones(self) -> tuple[str, ...]:
        """Names of the sound channels, where the header tells them."""
        audio = self.header.get("audio")
        names = audio.get("channels") if isinstance(audio, dict) else None
        return tuple(str(n) for n in names) if isinstance(names, list) else ()

    @property
    def reviews(self) -> list[Round]:
        """Rounds that people should look at."""
        return [r for r in self.rounds if r.review]

    @property
    def piles(self) -> dict[str, int]:
        """The final score."""
        last = self.result or (self.rounds[-1].line if self.rounds else {})
        return {str(k): int(v) for k, v in (last.get("piles") or {}).items()}

    @property
    def pot(self) -> int:
        """Cards that nobody had won at the end."""
        last = self.result or (self.rounds[-1].line if self.rounds else {})
        return int(last.get("pot") or 0)

    def called(self, seat: str | None) -> str:
        """The person's name with the seat, or the seat alone."""
        if seat is None:
            return label("somebody", self.language)
        name, said = self.players.get(seat), say(seat, self.language)
        return f"{name} ({said})" if name else said

    @property
    def language(self) -> str:
        """The language of the record, in which the report is written; English where it names none that is known."""
        return known_language(self.header.get("language"))
