"""What screens show: the state of a table as plain JSON, sentences in every language at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.live.words import WORDS
from referee.messages import LANGUAGES, Message, say, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.events import CardShown
    from referee.live.outlook import Noticed
    from referee.match import Match
    from referee.ruling import Ruling

State = dict[str, Any]
_OTHERS_TOOK = "review.collected_by_other"
"""The ruling was clear, and stands: that cards went elsewhere is all there is to check."""
REMEMBERED = 60
"""Rounds in a screen's history: a whole game of 60 cards has 30."""


def ruling(one: Ruling, *, early: bool = False, stands: bool = True) -> State:
    """One ruling for screens; `early`: it is not recorded yet; `stands`: what is still to come will not change it."""
    first = one.first
    return {
        "round": one.round,
        "early": early,
        "stands": stands,
        "outcome": one.outcome,
        "decided_by": one.decided_by,
        "due": one.due.value if one.due else None,
        "cards": {seat: card.value if card else None for seat, card in one.cards.items()},
        "first": None
        if first is None
        else {
            "seat": first.seat,
            "type": first.type.value if first.type else None,
            "lead_ms": first.lead_ms,
            "lead_sigma_ms": first.lead_sigma_ms,
        },
        "awards": dict(one.awards),
        "pot": one.pot,
        "review": one.review and stands,
        "revision": one.revision,
        "says": _in_all(one.message),
        "asks": {language: [sentence(m, language) for m in one.reviews] for language in LANGUAGES},
        "notes": {language: [sentence(m, language) for m in one.notes] for language in LANGUAGES},
        "spoken": {language: spoken(one, language) for language in LANGUAGES},
    }


def spoken(one: Ruling, language: str) -> str:
    """The ruling as the referee says it: short, and without any word that could be heard as a call."""
    who = [say(seat, language).capitalize() for seat, count in one.awards.items() if count]
    count = sum(one.awards.values())
    first = say(one.first.seat, language).capitalize() if one.first and one.first.seat else ""
    asked = ""
    if [review.code for review in one.reviews] == [_OTHERS_TOOK]:
        kind, asked = "taken", sentence(one.reviews[0], language)
    elif one.decided_by == "table" and one.review and who:
        kind = "table"
    elif one.review or one.outcome in ("open", "contested"):
        kind = "review"
    elif one.outcome == "won" and who:
        kind = "won"
    elif one.outcome == "penalty":
        kind = "penalty" if first else "review"
    elif one.outcome == "tie":
        kind = "tie"
    else:
        kind = "stays"
    text = WORDS[f"spoken.{kind}"][LANGUAGES.index(language)]
    return text.format(who=" + ".join(who), first=first, count=count, pot=one.pot, asked=asked)


def _in_all(message: Message) -> dict[str, str]:
    return {language: sentence(message, language) for language in LANGUAGES}


def game(match: Match | None) -> State:
    """Piles, pot, round history, what is waited for."""
    if match is None:
        return {"seats": [], "waiting": {"kind": "players", "seats": []}, "legal": [], "history": [], "standings": []}
    waiting, result = match.waiting_for, match.result()
    return {
        "seats": list(match.seats),
        "waiting": {"kind": waiting.kind, "seats": list(waiting.seats)},
        "legal": list(match.legal),
        "history": [ruling(one) for one in match.in_force[-REMEMBERED:]],
        "standings": [{"seat": s.seat, "place": s.place, "score": s.score, "draw": s.draw} for s in match.standings],
        "pot": result.get("pot", 0),
        "held": result.get("held", 0),
        "finished": result.get("finished", False),
        "winner": result.get("winner"),
        "leaders": result.get("leaders", []),
    }


def card(shown: CardShown) -> State:
    """A card as it was read."""
    return {
        "card": shown.card,
        "seat": shown.seat,
        "type": shown.type.value if shown.type else None,
        "confidence": round(shown.confidence, 3),
        "time_s": shown.time_s,
        "reason": shown.reason,
        "corners": [list(corner) for corner in shown.corners],
    }


def noticed(one: Noticed) -> State:
    """A card that is being read."""
    return {"type": one.type.value, "corners": [list(corner) for corner in one.corners]}


def table_cards(cards: Iterable[CardShown]) -> list[State]:
    """The cards of the open round, in the order they were shown."""
    return [card(one) for one in sorted(cards, key=lambda c: (c.time_s, c.card))]
