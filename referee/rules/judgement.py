"""Ruling in doubt: cards, callers, order and words are measurements; a ruling holds if every likely reading agrees.

`decide` takes every reading of the facts (`readings`), asks the game's own table for each (`rock`), and rules if all
agree. Where they do not, people are asked (`doubts`); nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, prod
from typing import TYPE_CHECKING

from referee.messages import Message
from referee.quick import quick
from referee.rules import doubts
from referee.rules.claims import possible_callers
from referee.rules.facts import first_countable, is_early, later
from referee.rules.order import lead_sigma_s, probability_first
from referee.rules.readings import possible_dues, possible_groups, rivals_of
from referee.rules.rock import Centre, Verdict, verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.events import Seat, Type
    from referee.options import Options
    from referee.rules.claims import Claim
    from referee.rules.facts import Facts
    from referee.rules.readings import Callers

Fate = tuple[bool, str]
"""Whether a claim counted, and why."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What `decide` made of the facts."""

    verdict: Verdict | None
    """None when the likely readings disagree."""
    alternatives: tuple[Verdict, ...]
    """Every verdict that the facts allow."""
    due: Type | None
    due_known: bool
    deciding: Claim | None
    seat: Seat | None
    """Who was first; None when nobody can tell."""
    tied: tuple[Seat, ...]
    callers: Callers
    """Who called what first, where that is certain: several if at the same time."""
    fates: Mapping[int, Fate]
    """By the claim's number."""
    reviews: tuple[Message, ...]
    notes: tuple[Message, ...]
    used: tuple[str, ...]
    """House rules that the decision rests on."""
    lead_s: float | None
    lead_sigma_s: float | None
    confidence: float


def decide(facts: Facts, options: Options) -> Decision:
    """Rule on one round's facts. Pure: the same facts and options give the same decision."""
    first = first_countable(facts.timing, facts.claims, options)
    early = first is not None and is_early(first, facts.timing, options)
    rivals = [] if first is None or early else rivals_of(first, facts, options)
    groups: list[Callers] = [()] if first is None else possible_groups(first, rivals, facts, options)
    dues = possible_dues(facts)
    verdicts = _verdicts(facts, dues, groups, options, early=early)
    agreed = verdicts[0] if _agree(verdicts) else None
    callers = groups[0] if len(groups) == 1 else ()
    tied = tuple(seat for seat, _ in callers) if len(callers) > 1 else ()
    warnings = _warnings(first, facts, options)
    reviews = [*doubts.about_claims(first, facts, options)]
    if first is not None:
        if agreed is None or len(groups) > 1 or tied:
            reviews += doubts.about_callers(groups, dues, agreed, first)
        reviews += doubts.about_tie(first, rivals, options) if tied else ()
    lead_s, sigma_s = _lead(first, facts)
    seat = groups[0][0][0] if first is not None and _same_first(groups) else None
    order = doubts.tie_holds(first, rivals, options) if tied and first else _order(lead_s, sigma_s)
    return Decision(
        verdict=agreed,
        alternatives=tuple(verdicts),
        due=dues[0] if len(dues) == 1 else None,
        due_known=len(dues) == 1,
        deciding=first,
        seat=seat,
        tied=tied,
        callers=callers,
        fates=_fates(facts, first, _fates_of_rivals(first, rivals, facts, options, tied=tied)),
        reviews=tuple(reviews),
        notes=(*warnings, *_does_not_matter(groups, dues, agreed)),
        used=_used(agreed, _tie_rule(first, rivals, options) if tied and first else "", warned=bool(warnings)),
        lead_s=lead_s,
        lead_sigma_s=sigma_s,
        confidence=_confidence(facts, first, options, seat) * order,
    )


def _verdicts(
    facts: Facts, dues: Sequence[Type | None], groups: Sequence[Callers], options: Options, *, early: bool
) -> list[Verdict]:
    """The table's verdict for every reading, each once."""
    centre = Centre(facts.players, tuple(facts.cards), facts.beneath)
    verdicts: list[Verdict] = []
    for due in dues:
        for group in groups:
            one = verdict(centre, due, group, options, early=early)
            if not verdicts or one not in verdicts:
                verdicts.append(one)
    return verdicts


def _same_first(groups: Sequence[Callers]) -> bool:
    """Whether the same seat was first in every reading."""
    return len(groups) == 1 or len({group[0][0] for group in groups}) == 1


def _agree(verdicts: Sequence[Verdict]) -> bool:
    """Whether all verdicts give the same outcome and the same cards to the same people."""
    one = verdicts[0]
    return len(verdicts) == 1 or all(v.outcome == one.outcome and v.awards == one.awards for v in verdicts)


def _fates(facts: Facts, first: Claim | None, rivals: Mapping[int, Fate]) -> dict[int, Fate]:
    """Say of every claim whether it counted, and why."""
    fates: dict[int, Fate] = {}
    decided = False
    for claim in facts.claims:
        decided = decided or claim is first
        if claim.number in rivals:
            fates[claim.number] = rivals[claim.number]
        elif claim.type is None:
            fates[claim.number] = (False, claim.reason or "no type")
        elif not claim.accepted:
            fates[claim.number] = (False, claim.reason or "not a call")
        else:
            fates[claim.number] = (False, "after the deciding call" if decided else "before all cards could be seen")
    return fates


def _fates_of_rivals(
    first: Claim | None, rivals: Sequence[Claim], facts: Facts, options: Options, *, tied: tuple[Seat, ...]
) -> dict[int, Fate]:
    """The fates of the first claim and of those at the same time: the same player's second one counts for nothing."""
    if first is None:
        return {}
    fates: dict[int, Fate] = {first.number: (True, "tied" if tied else "decides")}
    if not rivals:
        return fates
    heard = {possible_callers(first, facts.players, options.seat_certainty)}
    for claim in rivals:
        who = possible_callers(claim, facts.players, options.seat_certainty)
        if len(who) == 1 and who in heard:
            fates[claim.number] = (False, "the same player again")
        else:
            fates[claim.number] = (True, "tied") if tied else (False, "nobody can tell who it was")
        heard.add(who)
    return fates


def _warnings(first: Claim | None, facts: Facts, options: Options) -> list[Message]:
    """A warning for every call that came too early; hands that lay cards are not warned."""
    if facts.timing.touch or options.early_call != "warn":
        return []
    return [
        doubts.warning(claim, facts, options)
        for claim in facts.claims
        if claim is not first and claim.accepted and claim.type is not None and is_early(claim, facts.timing, options)
    ]


def _does_not_matter(groups: Sequence[Callers], dues: Sequence[Type | None], agreed: Verdict | None) -> list[Message]:
    """Say that what nobody can tell changes nothing."""
    if agreed is None:
        return []
    notes = [Message("note.seat_does_not_matter")] if len(groups) > 1 else []
    return [*notes, Message("note.card_does_not_matter")] if len(dues) > 1 and groups != [()] else notes


def _tie_rule(first: Claim, rivals: Sequence[Claim], options: Options) -> str:
    """The house rule that made it a tie: the window, or the certainty that the order lacks."""
    inside = all(1000 * (rival.time_s - first.time_s) < options.tie_window_ms for rival in rivals)
    return "tie_window_ms" if inside else "certainty"


def _used(agreed: Verdict | None, tie_rule: str, *, warned: bool) -> tuple[str, ...]:
    """House rules that the decision rests on."""
    used = (*(agreed.used if agreed is not None else ()), "early_call" if warned else "", tie_rule)
    return tuple([name for name in used if name])


def _confidence(facts: Facts, first: Claim | None, options: Options, seat: Seat | None) -> float:
    """Probability that it was a call, and by this seat; or that nobody called."""
    until_s = inf if first is None else first.time_s
    words = doubts.doubtful_words(facts, options, until_s)
    missed = prod([1 - word.probability for word in words]) if words else 1.0
    if first is None:
        return missed
    return missed * first.probability * (first.seats.get(seat, 0.0) if seat is not None else 1.0)


def _order(lead_s: float | None, sigma_s: float | None) -> float:
    """Probability that the deciding claim was first."""
    return probability_first(lead_s, sigma_s) if lead_s is not None and sigma_s is not None else 1.0


def _lead(first: Claim | None, facts: Facts) -> tuple[float | None, float | None]:
    """How long before the next claim the deciding one came, and how certain that is, in seconds."""
    if first is None:
        return None, None
    for claim in later(facts.claims, first):
        if claim.accepted and claim.type is not None:
            return claim.time_s - first.time_s, lead_sigma_s(first.sigma_ms, claim.sigma_ms)
    return None, None
