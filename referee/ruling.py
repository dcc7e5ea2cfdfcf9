"""A ruling: what the referee says about one round, with its reason and its evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from referee.messages import Message, sentence, why
from referee.quick import quick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.events import CardShown, Seat, Type
    from referee.rules.hearing import Heard


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    """Who was first, with what and by how much."""

    seat: Seat | None
    """None when nobody can tell."""
    type: Type | None
    onset_s: float | None
    """None where the call was not heard, and the cards alone tell of it."""
    sigma_ms: float | None
    lead_ms: float | None = None
    """Until the next call of the round, whoever's; None if there was none."""
    lead_sigma_ms: float | None = None
    call: int | None = None
    card: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The `first` object of a ruling line."""
        line: dict[str, Any] = {
            "seat": self.seat,
            "type": self.type.value if self.type else None,
            "onset_s": _rounded(self.onset_s, 6),
            "sigma_ms": _rounded(self.sigma_ms, 3),
            "lead_ms": _rounded(self.lead_ms, 3),
            "lead_sigma_ms": _rounded(self.lead_sigma_ms, 3),
        }
        line.update({k: v for k, v in (("call", self.call), ("card", self.card)) if v is not None})
        return line


def _rounded(value: float | None, places: int) -> float | None:
    return None if value is None else round(value, places)


class Proof(Protocol):
    """What a ruling rests on, besides its calls: each game has its own kind."""

    def to_json(self) -> dict[str, Any]:
        """The `evidence` object of a ruling line."""


@quick
@dataclass(frozen=True, slots=True)
class Evidence:
    """What a ruling on cards rests on, besides its calls."""

    cards: tuple[tuple[Seat, CardShown], ...]
    unplaced: tuple[CardShown, ...]
    """Cards whose seat nobody could tell."""
    extras: tuple[CardShown, ...]
    """Cards that were too many."""
    taken_back: tuple[CardShown, ...]
    """Cards that their players took back and replaced."""
    complete_s: float
    """When the last card could be seen."""
    end_s: float
    """When the round ended."""

    def to_json(self) -> dict[str, Any]:
        """The `evidence` object of a ruling line."""
        return {
            "cards": {seat: card.card for seat, card in self.cards},
            "unplaced": [card.card for card in self.unplaced],
            "extras": [card.card for card in self.extras],
            "taken_back": [card.card for card in self.taken_back],
            "reveal_s": {seat: round(card.time_s, 6) for seat, card in self.cards},
            "rest_s": {seat: round(card.rest_s, 6) for seat, card in self.cards if card.rest_s is not None},
            "complete_s": round(self.complete_s, 6),
            "end_s": round(self.end_s, 6),
        }


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One round's ruling. `to_json` is the ruling line of a record (docs/record.md)."""

    round: int
    time_s: float
    """When it was decided, seconds on the recording's clock."""
    cards: Mapping[Seat, Type | None]
    due: Type | None
    decided_by: str
    """`call`, `touch`, `silence`, `reveal` or `table`."""
    first: First | None
    calls: tuple[Heard, ...]
    """Every word or touch of the round, counted or not."""
    outcome: str
    """`won`, `penalty`, `tie`, `stays`, `contested`; `open` when only people can tell (Rorschach: `tokens`, `none`)."""
    awards: Mapping[Seat, int]
    pot: int
    piles: Mapping[Seat, int]
    rule: str
    message: Message
    reviews: tuple[Message, ...] = ()
    """Why people should look: one message a reason."""
    notes: tuple[Message, ...] = ()
    """What happened besides and changes nothing: warnings, late flips, notices about the picture."""
    options_used: Mapping[str, Any] = field(default_factory=dict)
    tied: tuple[Seat, ...] = ()
    held: int = 0
    """Cards whose owner is open until people answer a review, of this and earlier rounds."""
    depends_on: tuple[int, ...] = ()
    """Rounds in review on which piles depend."""
    confidence: float = 1.0
    """Probability that cards, caller and order are as stated, taking the parts as independent."""
    revision: int = 0
    """0 for the first ruling on this round; higher when people, or the collecting hands, changed it."""
    language: str = "en"
    evidence: Proof
    """What the ruling rests on, besides its calls."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of this game, JSON-ready, merged into the line."""

    @property
    def review(self) -> bool:
        """Whether people are asked to look."""
        return bool(self.reviews)

    @property
    def verdict(self) -> str:
        """The ruling in one short sentence, to be shown large or spoken."""
        return sentence(self.message, self.language)

    @property
    def why(self) -> str:
        """The ruling in one sentence that names the rule and the house rules it used."""
        return why(self.message, self.rule, self.options_used, self.language)

    @property
    def questions(self) -> tuple[str, ...]:
        """What people are asked, one sentence a review."""
        return tuple(sentence(review, self.language) for review in self.reviews)

    def to_json(self) -> dict[str, Any]:
        """The ruling line of a record, JSON-ready."""
        return {
            "type": "ruling",
            "round": self.round,
            "time_s": round(self.time_s, 6),
            "cards": {seat: card.value if card else None for seat, card in self.cards.items()},
            "due": self.due.value if self.due else None,
            "decided_by": self.decided_by,
            "first": self.first.to_json() if self.first else None,
            "calls": [call.to_json() for call in self.calls],
            "outcome": self.outcome,
            "awards": dict(self.awards),
            "pot": self.pot,
            "piles": dict(self.piles),
            "review": self.review,
            "rule": self.rule,
            "why": self.why,
            "reviews": [review.code.removeprefix("review.") for review in self.reviews],
            "questions": list(self.questions),
            "notes": [{"code": n.code.removeprefix("note."), "text": sentence(n, self.language)} for n in self.notes],
            "options": dict(self.options_used),
            "tied": list(self.tied),
            "held": self.held,
            "depends_on": list(self.depends_on),
            "confidence": round(self.confidence, 4),
            "revision": self.revision,
            "evidence": self.evidence.to_json(),
            **self.extra,
        }
