"""A claim is a call or a touch: who says, when, that which type wins."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.quick import quick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.events import CallHeard, CardTouched, Seat, Type


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One call heard or one touch seen, ready to be ruled on."""

    number: int
    """Running number in the match."""
    time_s: float
    sigma_ms: float
    end_s: float
    type: Type | None
    seats: Mapping[Seat, float]
    probability: float
    accepted: bool
    reason: str = ""
    contested: bool = False
    shown: Mapping[str, Any] = field(default_factory=dict)
    """What a ruling line says about it besides, JSON-ready."""


def from_call(number: int, call: CallHeard) -> Claim:
    """A claim from a word that was heard."""
    return Claim(
        number=number,
        time_s=call.time_s,
        sigma_ms=call.sigma_ms,
        end_s=max(call.end_s, call.time_s),
        type=call.type,
        seats=call.seats,
        probability=call.probability,
        accepted=call.accepted,
        reason=call.reason,
        contested=call.contested,
        shown={"word": call.word, "language": call.language, "tier": call.tier},
    )


def from_touch(number: int, touch: CardTouched, kind: Type | None, *, in_centre: bool) -> Claim:
    """A claim from a touch of a card whose type the centre knows."""
    return Claim(
        number=number,
        time_s=touch.time_s,
        sigma_ms=touch.sigma_ms,
        end_s=touch.time_s,
        type=kind,
        seats={touch.seat: 1.0} if touch.seat is not None else {},
        probability=touch.confidence,
        accepted=in_centre,
        reason="" if in_centre else "not a card in the centre",
        shown={"card": touch.card},
    )


NEGLIGIBLE = 0.01
"""A seat with no more than this probability did not call, where the seats' probabilities add up."""


def possible_callers(claim: Claim, players: tuple[Seat, ...], certainty: float) -> tuple[Seat, ...]:
    """Who may have made the claim: one seat if that is certain enough, else every seat that cannot be ruled out.

    Probability that is missing to 1, or lies on seats that do not play, is "nobody can tell": then it may be anybody.
    """
    total = 0.0
    for seat in players:
        chance = claim.seats.get(seat, 0.0)
        if chance >= certainty:
            return (seat,)
        total += chance
    if total < certainty:
        return players
    return tuple(seat for seat in players if claim.seats.get(seat, 0.0) > NEGLIGIBLE)
