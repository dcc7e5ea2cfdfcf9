"""What was seen and heard of one round, and which of its claims may count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.quick import quick
from referee.rules.order import lead_sigma_s, probability_first

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.events import Seat, Type
    from referee.options import Options
    from referee.rules.claims import Claim


@quick
@dataclass(frozen=True, slots=True)
class Timing:
    """From when on claims count."""

    complete_s: float
    """When the last card could be seen."""
    complete_sigma_ms: float
    touch: bool = False
    """Whether claims are touches: hands that lay cards touch them, so an early one is no false start."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What was seen and heard of one round."""

    players: tuple[Seat, ...]
    cards: Mapping[Seat, Type | None]
    """Every card that lies there by its seat; None when its face is unknown."""
    beneath: int
    timing: Timing
    claims: tuple[Claim, ...]
    """In time order."""


def first_countable(timing: Timing, claims: Sequence[Claim], options: Options) -> Claim | None:
    """The first claim that may count, or None: what a round waits for."""
    for claim in claims:
        if is_countable(claim, timing, options):
            return claim
    return None


def is_countable(claim: Claim, timing: Timing, options: Options) -> bool:
    """Whether a claim may decide: an early one only where that is a penalty."""
    if not claim.accepted or claim.type is None:
        return False
    return not is_early(claim, timing, options) or (options.early_call == "penalty" and not timing.touch)


def is_early(claim: Claim, timing: Timing, options: Options) -> bool:
    """Whether a claim certainly came before the last card could be seen."""
    if claim.time_s >= timing.complete_s:
        return False
    return after_reveal(claim, timing) <= 1 - options.certainty


def after_reveal(claim: Claim, timing: Timing) -> float:
    """Probability that the claim came after the last card could be seen."""
    sigma_s = lead_sigma_s(claim.sigma_ms, timing.complete_sigma_ms)
    return probability_first(claim.time_s - timing.complete_s, sigma_s)
