"""Why people should look at a round: each doubt is a review, with its sentence's code and values."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from referee.messages import Message
from referee.rules.facts import after_reveal
from referee.rules.order import lead_sigma_s, perceptible_s, probability_perceptible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.events import Type
    from referee.options import Options
    from referee.rules.claims import Claim
    from referee.rules.facts import Facts
    from referee.rules.hearing import Heard, Hearing
    from referee.rules.readings import Callers
    from referee.rules.rock import Verdict

DOUBTFUL_TIE = 0.05
"""A tie that hides a perceptible lead with more than this probability is too close to call."""


def review(code: str, **values: Any) -> Message:
    """A question for people."""
    return Message(f"review.{code}", values)


def about_claims(first: Claim, heard: Hearing, facts: Facts, options: Options) -> list[Message]:
    """Was the deciding claim one, was it after the cards, and did nothing doubtful come before it?"""
    touch, asked = facts.timing.touch, []
    if not first.accepted or first.probability < (options.touch_certainty if touch else options.call_certainty):
        asked.append(review("touch_unsure" if touch else "call_unsure", type=first.type))
    if first.contested:
        asked.append(review("two_voices", type=first.type))
    if 1 - options.certainty < after_reveal(first, facts.timing) < options.certainty:
        asked.append(review("early_or_not", type=first.type))
    return asked + about_words(heard.words, first.time_s + options.tie_window_ms / 1000)


def about_words(words: Sequence[Claim], before_s: float) -> list[Message]:
    """Were words that were judged no call one after all? It matters until somebody called."""
    return [
        review("maybe_call", type=word.type, time=round(word.time_s, 2)) for word in words if word.time_s <= before_s
    ]


def about_callers(
    groups: Sequence[Callers], dues: Sequence[Type | None], agreed: Verdict | None, first: Claim, *, touch: bool
) -> Iterator[Message]:
    """Ask who called, unless it does not matter."""
    if len({len(group) for group in groups}) > 1:
        yield review("same_voice")
    if agreed is not None:
        if agreed.outcome == "contested":
            yield review("contested")
        return
    if len(groups) > 1 and all(len(group) == 1 for group in groups):
        yield review("who_touched" if touch else "who_called", type=first.type)
    elif len(dues) == 1:
        yield review("who_tied", type=first.type)


def about_tie(first: Claim, rivals: Sequence[Heard], options: Options) -> Iterator[Message]:
    """A tie must be a tie: if the measurement may hide a lead that people can tell, people look at it."""
    for rival in [one.claim for one in rivals]:
        if _hides_a_lead(first, rival, options) > DOUBTFUL_TIE:
            gap, error = rival.time_s - first.time_s, lead_sigma_s(first.sigma_ms, rival.sigma_ms)
            yield review("too_close", gap=round(1000 * gap, 1), error=round(1000 * error, 1))
            return


def tie_holds(first: Claim, rivals: Sequence[Heard], options: Options) -> float:
    """Probability that no lead in a tie was one that people could have told."""
    return prod(1 - _hides_a_lead(first, rival.claim, options) for rival in rivals)


def _hides_a_lead(first: Claim, rival: Claim, options: Options) -> float:
    sigma_s = lead_sigma_s(first.sigma_ms, rival.sigma_ms)
    return probability_perceptible(rival.time_s - first.time_s, sigma_s, perceptible_s(options))


def warning(early: Heard) -> Message:
    """What is said to somebody who called too early."""
    if early.seat is not None:
        return Message("note.early_call", {"seat": early.seat, "type": early.claim.type})
    return Message("note.early_call.unknown", {"type": early.claim.type})
