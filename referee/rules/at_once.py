"""Two calls that came too close together, once the hands have shown where the cards went.

After a wrong and a right call at once the cards go as after the wrong one alone. Hands that took them so leave only
these two readings, and what is likelier by the times that were measured is taken; people are asked all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.quick import changed
from referee.rules.facts import is_countable
from referee.rules.hearing import fated, in_order
from referee.rules.judgement import centre
from referee.rules.order import lead_sigma_s, perceptible_s, probability_clearly_first, probability_perceptible
from referee.rules.rock import verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.options import Options
    from referee.rules.claims import Claim
    from referee.rules.facts import Facts
    from referee.rules.hearing import Heard
    from referee.rules.judgement import Decision
    from referee.rules.rock import Verdict


def parted(
    facts: Facts, decision: Decision, chosen: Verdict, options: Options, agree: Callable[[Verdict], bool]
) -> tuple[Decision, Verdict] | None:
    """The decision on one of two calls and its verdict, if it was likelier clearly first than both were at once.

    Args:
        facts: the round.
        decision: on both calls at once.
        chosen: its verdict, with which the hands agree.
        options: house rules.
        agree: whether the hands agree with a verdict.

    Returns:
        None if both at once is likelier, or if the hands agree with one call alone that gives other cards.
    """
    both = [one for one in decision.calls if _may_be_first(one.claim, facts, decision, options)]
    if len(both) != 2 or not decision.due_known:
        return None
    found = []
    for one, other in (both, both[::-1]):
        alone = _alone(one, facts, decision, options)
        if any(v.awards != chosen.awards and agree(v) for v in alone):
            return None
        read = _decided_by(one, other, decision)
        clearly, at_once = _chances(one.claim, other.claim, options)
        found += [(clearly, read, v) for v in alone if v.awards == chosen.awards and clearly > at_once]
    return max(found, key=lambda one: one[0])[1:] if found else None


def _may_be_first(claim: Claim, facts: Facts, decision: Decision, options: Options) -> bool:
    """Whether a claim is the one that decided, or may have been at the same time."""
    first = decision.deciding
    if first is None or not is_countable(claim, facts.timing, options):
        return False
    return claim is first or not in_order(first, claim, options)


def _chances(one: Claim, other: Claim, options: Options) -> tuple[float, float]:
    """How likely one claim was before another by what people can tell, and how likely neither was."""
    lead_s, sigma_s = other.time_s - one.time_s, lead_sigma_s(one.sigma_ms, other.sigma_ms)
    least_s = perceptible_s(options)
    return (
        probability_clearly_first(lead_s, sigma_s, least_s),
        1 - probability_perceptible(lead_s, sigma_s, least_s),
    )


def _alone(one: Heard, facts: Facts, decision: Decision, options: Options) -> list[Verdict]:
    """The verdicts on one call alone, for everybody who may have made it."""
    kind, lying = one.claim.type, centre(facts)
    return [] if kind is None else [verdict(lying, decision.due, ((seat, kind),), options) for seat in one.who]


def _decided_by(one: Heard, other: Heard, decision: Decision) -> Decision:
    """The decision if one of two calls was first, whoever made it."""
    fates = {one.claim.number: (True, "decides"), other.claim.number: (False, "after the deciding call")}
    return changed(
        decision,
        calls=fated(decision.calls, fates),
        deciding=one.claim,
        seat=one.seat,
        tied=(),
        callers=(),
        lead_s=other.claim.time_s - one.claim.time_s,
        lead_sigma_s=lead_sigma_s(one.claim.sigma_ms, other.claim.sigma_ms),
    )
