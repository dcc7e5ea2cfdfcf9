"""When people disagree while they play: the photo finish of a round, and what they may say instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.confirming import confirmation, is_confirmable
from referee.corrections import in_force
from referee.errors import UsageError
from referee.events import CardShown, Correction, Type
from referee.unheard import call_time

if TYPE_CHECKING:
    from referee.live.shared import SharedMatch
    from referee.rules.hearing import Heard
    from referee.ruling import Ruling


def of_round(match: SharedMatch | None, number: int | None) -> dict[str, Any] | None:
    """What a screen shows of a round, the last one by default; None if there is no such round."""
    rulings = {ruling.round: ruling for ruling in match.in_force} if match else {}
    ruling = rulings.get(number if number is not None else max(rulings, default=0))
    if match is None or ruling is None:
        return None
    shown = _cards(match, ruling)
    return {
        "round": ruling.round,
        "cards": [_card(seat, card) for seat, card in shown],
        "choices": _choices(match, ruling, shown),
    }


def correction(challenge: dict[str, Any], choice: int, time_s: float) -> Correction | None:
    """The correction of the choice of that number, counting from 1; None if it was not offered."""
    choices = challenge["choices"]
    if not 1 <= choice <= len(choices):
        return None
    one = choices[choice - 1]
    kind = "call" if one["kind"] == "touch" else one["kind"]
    what = Type(one["type"]) if one["type"] and kind != "not_a_call" else None
    return Correction(
        time_s=time_s,
        kind=kind,
        call=one["call"],
        card=one["card"],
        seat=one["seat"] if kind in ("caller", "as_ruled", "call") else None,
        type=what,
        outcome=one.get("outcome", ""),
        at_s=one.get("at_s"),
    )


def undo(match: SharedMatch, time_s: float) -> Correction | None:
    """The correction that takes the last one in force back; None when there is none."""
    holding = in_force(match.corrections)
    return Correction(time_s=time_s, kind="undo", target=holding[-1][0]) if holding else None


def _cards(match: SharedMatch, ruling: Ruling) -> list[tuple[str, CardShown]]:
    """The round's cards as they were seen."""
    numbers = ruling.evidence.to_json().get("cards", {})
    by_number = {event.card: event for event in match.events if isinstance(event, CardShown)}
    pairs = numbers.items() if isinstance(numbers, dict) else ()
    return [(seat, by_number[number]) for seat, number in pairs if number in by_number]


def _card(seat: str, card: CardShown) -> dict[str, Any]:
    return {
        "card": card.card,
        "seat": seat,
        "type": card.type.value if card.type else None,
        "confidence": round(card.confidence, 3),
        "time_s": card.time_s,
    }


def _choices(match: SharedMatch, ruling: Ruling, shown: list[tuple[str, CardShown]]) -> list[dict[str, Any]]:
    """What may be said: it was as ruled, another caller, no call, other faces of doubtful cards, no round at all."""
    out = [choice for heard in ruling.calls[:4] for choice in _of_call(match, heard)]
    line = ruling.to_json()
    out += _unheard(match, ruling, line)
    for seat, card in shown:
        doubtful = (
            card.type is None or card.confidence < 0.98 or any(r.values.get("seat") == seat for r in ruling.reviews)
        )
        if doubtful:
            out += [_choice("card", seat=seat, type=t.value, card=card.card) for t in Type if t is not card.type]
    if is_confirmable(line):
        said = confirmation(line, 0.0)
        what = said.type.value if said.type else None
        out.insert(0, _choice("as_ruled", seat=said.seat, type=what, card=said.card, outcome=said.outcome))
    if shown:
        out.append(_choice("void", card=shown[0][1].card))
    return out


def _unheard(match: SharedMatch, ruling: Ruling, line: dict[str, Any]) -> list[dict[str, Any]]:
    """That somebody called what was due, where nobody was heard."""
    if ruling.due is None or (ruling.first is not None and ruling.first.onset_s is not None):
        return []
    try:
        at_s = call_time(line, match.options)
    except UsageError:
        return []
    kind, taken = "touch" if match.game == "tournament" else "call", ruling.first.seat if ruling.first else None
    return [_choice(kind, seat=s, type=ruling.due.value, at_s=at_s) for s in match.seats if s != taken]


def _of_call(match: SharedMatch, heard: Heard) -> list[dict[str, Any]]:
    claim = heard.claim
    if claim.type is None:
        return []
    what = claim.type.value
    out = [
        _choice("caller", seat=s, type=what, call=claim.number, was=heard.seat) for s in match.seats if s != heard.seat
    ]
    if heard.counted or claim.accepted:
        out.append(_choice("not_a_call", type=what, call=claim.number, was=heard.seat))
    return out


def _choice(kind: str, **about: Any) -> dict[str, Any]:
    return {"kind": kind, "seat": None, "type": None, "call": None, "card": None, "was": None, **about}
