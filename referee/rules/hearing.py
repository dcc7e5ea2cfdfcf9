"""A round's claims, sorted in one pass: which decides, which come at the same time, which are early or doubtful."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.rules.facts import is_countable, is_early
from referee.rules.order import is_ordered, lead_sigma_s

if TYPE_CHECKING:
    from referee.options import Options
    from referee.rules.claims import Claim
    from referee.rules.facts import Facts

Fate = tuple[bool, str]
"""Whether a claim counted, and why."""


@dataclass(slots=True)
class Hearing:
    """What the claims of a round are to each other."""

    first: Claim | None = None
    """The first claim that counts: it decides."""
    early: bool = False
    """Whether that one came before the cards could be seen, which is a penalty then."""
    follower: Claim | None = None
    """The next claim after the first, countable or not."""
    rivals: list[Claim] = field(default_factory=list)
    """Later claims whose order to the first is not certain."""
    warned: list[Claim] = field(default_factory=list)
    """Calls that came too early and do not count."""
    words: list[Claim] = field(default_factory=list)
    """Words judged no call which would have decided the round if they were one."""
    fates: dict[int, Fate] = field(default_factory=dict)
    """Of every claim, by its number."""


def hear(facts: Facts, options: Options) -> Hearing:
    """Sort the claims of a round."""
    heard = Hearing()
    for claim in facts.claims:
        if claim.type is None:
            heard.fates[claim.number] = (False, claim.reason or "no type")
        elif not claim.accepted:
            heard.fates[claim.number] = (False, claim.reason or "not a call")
            if is_doubtful(claim, facts, options):
                heard.words.append(claim)
        elif heard.first is None:
            _before_any(heard, claim, facts, options)
        else:
            _after(heard, heard.first, claim, facts, options)
    return heard


def is_doubtful(word: Claim, facts: Facts, options: Options) -> bool:
    """Whether a word that was judged no call may have been one; hands that hover are not doubted like that."""
    if facts.timing.touch or word.probability < options.doubt:
        return False
    return not is_early(word, facts.timing, options)


def _before_any(heard: Hearing, claim: Claim, facts: Facts, options: Options) -> None:
    """The first claim that counts decides; an early one counts only where that is a penalty."""
    if is_countable(claim, facts.timing, options):
        heard.first, heard.early = claim, is_early(claim, facts.timing, options)
        heard.fates[claim.number] = (True, "decides")
    else:
        heard.fates[claim.number] = (False, "before all cards could be seen")
        _warn(heard, claim, facts)


def _after(heard: Hearing, first: Claim, claim: Claim, facts: Facts, options: Options) -> None:
    """A later claim is a rival if it counts and the order is not certain."""
    heard.fates[claim.number] = (False, "after the deciding call")
    heard.follower = heard.follower or claim
    if not is_countable(claim, facts.timing, options):
        _warn(heard, claim, facts)
    elif not heard.early and not _in_order(first, claim, options):
        heard.rivals.append(claim)


def _warn(heard: Hearing, claim: Claim, facts: Facts) -> None:
    """An early call is warned; hands that lay cards are not."""
    if not facts.timing.touch:
        heard.warned.append(claim)


def _in_order(first: Claim, claim: Claim, options: Options) -> bool:
    """Whether it is certain that the first claim came first."""
    return is_ordered(
        claim.time_s - first.time_s,
        lead_sigma_s(first.sigma_ms, claim.sigma_ms),
        certainty=options.certainty,
        window_s=options.tie_window_ms / 1000,
    )
