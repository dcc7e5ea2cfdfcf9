"""Ruling in doubt: cards, callers, order and words are measurements; a ruling holds if every likely reading agrees.

`decide` sorts the claims (`hearing`), takes every reading of the facts (`readings`), asks the game's own table for each
(`rock`), and rules if all agree. Where they do not, people are asked (`doubts`); nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from referee.messages import Message
from referee.quick import quick
from referee.rules import doubts
from referee.rules.hearing import hear, told_apart
from referee.rules.order import lead_sigma_s, probability_first
from referee.rules.readings import possible_dues, possible_groups
from referee.rules.rock import Centre, Verdict, verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.events import Seat, Type
    from referee.options import Options
    from referee.rules.claims import Claim
    from referee.rules.facts import Facts
    from referee.rules.hearing import Heard, Hearing
    from referee.rules.readings import Callers


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
    calls: tuple[Heard, ...]
    """What became of every claim, in time order."""
    reviews: tuple[Message, ...]
    notes: tuple[Message, ...]
    used: tuple[str, ...]
    """House rules that the decision rests on."""
    confidence: float
    deciding: Claim | None = None
    seat: Seat | None = None
    """Who was first; None when nobody can tell."""
    tied: tuple[Seat, ...] = ()
    callers: Callers = ()
    """Who called what first, where that is certain: several if at the same time."""
    lead_s: float | None = None
    """How long before the next claim, whoever's, the deciding one came; None if there was no other."""
    lead_sigma_s: float | None = None


def decide(facts: Facts, options: Options) -> Decision:
    """Rule on one round's facts. Pure: the same facts and options give the same decision."""
    heard = hear(facts, options)
    if heard.first is None:
        return _on_silence(heard, facts, options)
    return _on_claim(heard.first, heard, facts, options)


def _on_silence(heard: Hearing, facts: Facts, options: Options) -> Decision:
    """Nobody called, as far as can be told."""
    dues = possible_dues(facts)
    verdicts = _verdicts(facts, dues, [()], options)
    agreed = verdicts[0] if _agree(verdicts) else None
    return Decision(
        verdict=agreed,
        alternatives=tuple(verdicts),
        due=dues[0] if len(dues) == 1 else None,
        due_known=len(dues) == 1,
        calls=tuple(heard.calls),
        reviews=tuple(doubts.about_words(heard.words, inf)),
        notes=_warnings(heard),
        used=_used(agreed, heard),
        confidence=_nothing_missed(heard, inf),
    )


def _on_claim(decisive: Heard, heard: Hearing, facts: Facts, options: Options) -> Decision:
    """A claim decides, perhaps with others at the same time."""
    first, dues = decisive.claim, possible_dues(facts)
    groups = possible_groups(decisive, heard.rivals)
    verdicts = _verdicts(facts, dues, groups, options, early=heard.early)
    agreed = verdicts[0] if _agree(verdicts) else None
    callers = groups[0] if len(groups) == 1 else ()
    tied = tuple([seat for seat, _ in callers]) if len(callers) > 1 else ()
    seat = groups[0][0][0] if callers or len({group[0][0] for group in groups}) == 1 else None
    lead_s, sigma_s = _lead(first, heard.follower)
    reviews = doubts.about_claims(first, heard, facts, options)
    if not callers or tied:
        reviews += doubts.about_callers(groups, dues, agreed, first, touch=facts.timing.touch)
    if tied:
        reviews += doubts.about_tie(first, heard.rivals, options)
    return Decision(
        verdict=agreed,
        alternatives=tuple(verdicts),
        due=dues[0] if len(dues) == 1 else None,
        due_known=len(dues) == 1,
        calls=told_apart(heard, decisive, tied=bool(tied)),
        reviews=tuple(reviews),
        notes=_warnings(heard) + _does_not_matter(groups, dues, agreed),
        used=_used(agreed, heard, _tie_rule(first, heard.rivals, options) if tied else ""),
        confidence=_certain_caller(first, seat, facts.players)
        * _nothing_missed(heard, first.time_s)
        * (doubts.tie_holds(first, heard.rivals, options) if tied else _order(lead_s, sigma_s)),
        deciding=first,
        seat=seat,
        tied=tied,
        callers=callers,
        lead_s=lead_s,
        lead_sigma_s=sigma_s,
    )


def _verdicts(
    facts: Facts, dues: Sequence[Type | None], groups: Sequence[Callers], options: Options, *, early: bool = False
) -> list[Verdict]:
    """The table's verdict for every reading, each once."""
    lying = centre(facts)
    verdicts = [verdict(lying, due, group, options, early=early) for due in dues for group in groups]
    return verdicts if len(verdicts) == 1 else [one for n, one in enumerate(verdicts) if one not in verdicts[:n]]


def centre(facts: Facts) -> Centre:
    """What lies in the centre by the facts."""
    return Centre(facts.players, tuple(facts.cards), facts.beneath)


def _agree(verdicts: Sequence[Verdict]) -> bool:
    """Whether all verdicts give the same outcome and the same cards to the same people."""
    one = verdicts[0]
    return len(verdicts) == 1 or all(v.outcome == one.outcome and v.awards == one.awards for v in verdicts)


def _warnings(heard: Hearing) -> tuple[Message, ...]:
    """A warning for every call that came too early."""
    return tuple([doubts.warning(early) for early in heard.warned]) if heard.warned else ()


def _does_not_matter(
    groups: Sequence[Callers], dues: Sequence[Type | None], agreed: Verdict | None
) -> tuple[Message, ...]:
    """Say that what nobody can tell changes nothing."""
    if agreed is None:
        return ()
    notes = (Message("note.seat_does_not_matter"),) if len(groups) > 1 else ()
    return (*notes, Message("note.card_does_not_matter")) if len(dues) > 1 else notes


def _tie_rule(first: Claim, rivals: Sequence[Heard], options: Options) -> str:
    """The house rule that made it a tie: the window, or the certainty that the order lacks."""
    inside = all(1000 * (rival.claim.time_s - first.time_s) < options.tie_window_ms for rival in rivals)
    return "tie_window_ms" if inside else "certainty"


def _used(agreed: Verdict | None, heard: Hearing, tie_rule: str = "") -> tuple[str, ...]:
    """House rules that the decision rests on."""
    used = agreed.used if agreed is not None else ()
    if heard.warned:
        used = (*used, "early_call")
    return (*used, tie_rule) if tie_rule else used


def _certain_caller(first: Claim, seat: Seat | None, players: Sequence[Seat]) -> float:
    """Probability that the claim was one, and by this seat.

    Where the sound did not name that seat (it was found because another one said something else at once), what it
    left open counts alike for all whom it did not name.
    """
    if seat is None:
        return first.probability
    if seat in first.seats:
        return first.probability * first.seats[seat]
    unnamed = sum(one not in first.seats for one in players)
    return first.probability * max(0.0, 1 - sum(first.seats.values())) / unnamed


def _nothing_missed(heard: Hearing, until_s: float) -> float:
    """Probability that none of the doubtful words until then was a call."""
    missed = 1.0
    for word in heard.words:
        if word.time_s <= until_s:
            missed *= 1 - word.probability
    return missed


def _order(lead_s: float | None, sigma_s: float | None) -> float:
    """Probability that the deciding claim was first."""
    return probability_first(lead_s, sigma_s) if lead_s is not None and sigma_s is not None else 1.0


def _lead(first: Claim, follower: Claim | None) -> tuple[float | None, float | None]:
    """How long before the next claim the deciding one came, and how certain that is, in seconds."""
    if follower is None:
        return None, None
    return follower.time_s - first.time_s, lead_sigma_s(first.sigma_ms, follower.sigma_ms)
