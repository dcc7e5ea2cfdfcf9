"""Ruling in doubt: cards, callers, order and words are measurements; a ruling holds if every likely reading agrees.

`decide` enumerates what the facts may be (unread cards, callers that nobody can tell, second voices), asks the game's
own table in `rock` for each, and rules if all agree. Where they do not, people are asked; nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from math import hypot
from typing import TYPE_CHECKING, Any

from referee.events import Type
from referee.messages import Message
from referee.rules.claims import Claim, possible_callers
from referee.rules.order import is_ordered, lead_sigma_s, probability_first, probability_perceptible
from referee.rules.rock import Centre, Verdict, verdict
from referee.rules.types import due_type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.events import Seat
    from referee.options import Options


@dataclass(frozen=True, slots=True)
class Timing:
    """From when on claims count."""

    complete_s: float
    """When the last card could be seen."""
    complete_sigma_ms: float
    touch: bool = False
    """Whether claims are touches: hands that lay cards touch them, so an early one is no false start."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What `decide` made of the facts."""

    verdict: Verdict | None
    """None when the likely readings disagree."""
    alternatives: tuple[Verdict, ...]
    """Every verdict that the facts allow, likeliest first where that is known."""
    due: Type | None
    due_known: bool
    deciding: Claim | None
    seat: Seat | None
    tied: tuple[Seat, ...]
    callers: tuple[tuple[Seat, Type], ...]
    """Who called what first, where that is certain: several if at the same time."""
    fates: Mapping[int, tuple[bool, str]]
    """For each claim's number: whether it counted, and why."""
    reviews: tuple[Message, ...]
    notes: tuple[Message, ...]
    used: tuple[str, ...]
    lead_s: float | None
    lead_sigma_s: float | None
    confidence: float


@dataclass(slots=True)
class _Findings:
    """What is collected while a decision is made; never leaves this module."""

    fates: dict[int, tuple[bool, str]] = field(default_factory=dict)
    reviews: list[Message] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    confidence: float = 1.0

    def review(self, code: str, **values: Any) -> None:
        message = Message(f"review.{code}", values)
        if message not in self.reviews:
            self.reviews.append(message)


def first_countable(timing: Timing, claims: Sequence[Claim], options: Options) -> Claim | None:
    """The first claim that may count, or None: what a round waits for."""
    return next((claim for claim in claims if _countable(claim, timing, options)), None)


def _countable(claim: Claim, timing: Timing, options: Options) -> bool:
    """Whether a claim may decide: an early one only where that is a penalty."""
    if not claim.accepted or claim.type is None:
        return False
    return not is_early(claim, timing, options) or (options.early_call == "penalty" and not timing.touch)


def is_early(claim: Claim, timing: Timing, options: Options) -> bool:
    """Whether a claim certainly came before the last card could be seen."""
    return _after_reveal(claim, timing) <= 1 - options.certainty


def _after_reveal(claim: Claim, timing: Timing) -> float:
    """Probability that the claim came after the last card could be seen."""
    return probability_first(claim.time_s - timing.complete_s, lead_sigma_s(claim.sigma_ms, timing.complete_sigma_ms))


def decide(facts: Facts, options: Options) -> Decision:
    """Rule on one round's facts. Pure: the same facts and options give the same decision."""
    found = _Findings()
    _dismiss(facts, options, found)
    first = first_countable(facts.timing, facts.claims, options)
    early = first is not None and is_early(first, facts.timing, options)
    rivals = [] if first is None or early else _rivals(first, facts, options)
    groups = _groups(first, rivals, facts, options, found)
    dues = _possible_dues(facts)
    centre = Centre(facts.players, tuple(facts.cards), facts.beneath)
    verdicts = _distinct(verdict(centre, due, group, options, early=early) for due in dues for group in groups)
    agreed = verdicts[0] if _agree(verdicts) else None
    if first is not None:
        _doubts_about_first(first, facts, options, found)
    else:
        _doubts_about_silence(facts, options, found)
    _doubts_about_result(agreed, groups, dues, first, found)
    tied = tuple(seat for seat, _ in groups[0]) if len(groups) == 1 and len(groups[0]) > 1 else ()
    _tie_or_lead(tied, first, rivals, agreed, options=options, found=found)
    _fates(first, tied, rivals, facts, options=options, found=found)
    lead, sigma = _lead(first, facts)
    seat = groups[0][0][0] if first is not None and _one_caller(groups) else None
    return Decision(
        verdict=agreed,
        alternatives=tuple(verdicts),
        due=dues[0] if len(dues) == 1 else None,
        due_known=len(dues) == 1,
        deciding=first,
        seat=seat,
        tied=tied,
        callers=groups[0] if len(groups) == 1 else (),
        fates=found.fates,
        reviews=tuple(found.reviews),
        notes=tuple(found.notes),
        used=tuple(dict.fromkeys([*(agreed.used if agreed else ()), *found.used])),
        lead_s=lead,
        lead_sigma_s=sigma,
        confidence=found.confidence * (1.0 if tied else _sureness(seat, first, lead, sigma)),
    )


def _dismiss(facts: Facts, options: Options, found: _Findings) -> None:
    """Give every claim that cannot count its reason, and warn who called too early."""
    for claim in facts.claims:
        if claim.type is None:
            found.fates[claim.number] = (False, claim.reason or "no type")
        elif not claim.accepted:
            found.fates[claim.number] = (False, claim.reason or "not a call")
        elif is_early(claim, facts.timing, options) and (options.early_call == "warn" or facts.timing.touch):
            found.fates[claim.number] = (False, "before all cards could be seen")
            if not facts.timing.touch:
                who = possible_callers(claim, facts.players, options.seat_certainty)
                seat = who[0] if len(who) == 1 else None
                code = "note.early_call" if seat else "note.early_call.unknown"
                found.notes.append(Message(code, {"seat": seat, "type": claim.type}))
                found.used.append("early_call")


def _rivals(first: Claim, facts: Facts, options: Options) -> list[Claim]:
    """Later claims whose order to the first is not certain."""
    later = [
        c for c in facts.claims if c is not first and c.time_s >= first.time_s and _countable(c, facts.timing, options)
    ]
    window = options.tie_window_ms / 1000
    return [
        claim
        for claim in later
        if not is_ordered(
            claim.time_s - first.time_s,
            lead_sigma_s(first.sigma_ms, claim.sigma_ms),
            certainty=options.certainty,
            window_s=window,
        )
    ]


_Group = tuple[tuple["Seat", Type], ...]


def _groups(
    first: Claim | None, rivals: Sequence[Claim], facts: Facts, options: Options, found: _Findings
) -> list[_Group]:
    """Every likely set of first callers. A seat that calls twice counts once: the same voice cannot tie with itself."""
    if first is None:
        return [()]
    claims = [first, *rivals]
    callers = [possible_callers(claim, facts.players, options.seat_certainty) for claim in claims]
    groups: list[_Group] = []
    for seats in product(*callers):
        group: dict[Seat, Type] = {}
        for seat, claim in zip(seats, claims, strict=True):
            if claim.type is not None:
                group.setdefault(seat, claim.type)
        if tuple(group.items()) not in groups:
            groups.append(tuple(group.items()))
    if len({len(group) for group in groups}) > 1:
        found.review("same_voice")
    return groups


def _possible_dues(facts: Facts) -> list[Type | None]:
    """What may be due, given the cards that could not be read."""
    known = [card for card in facts.cards.values() if card is not None]
    unknown = len(facts.cards) - len(known)
    if not 2 <= len(facts.cards) <= 4:
        return [None]
    dues = [due_type([*known, *guess]) for guess in product(Type, repeat=unknown)]
    return list(dict.fromkeys(dues))


def _distinct(verdicts: Any) -> list[Verdict]:
    seen: list[Verdict] = []
    for one in verdicts:
        if one not in seen:
            seen.append(one)
    return seen


def _agree(verdicts: Sequence[Verdict]) -> bool:
    """Whether all verdicts give the same outcome and the same cards to the same people."""
    return all(v.outcome == verdicts[0].outcome and v.awards == verdicts[0].awards for v in verdicts)


def _one_caller(groups: Sequence[_Group]) -> bool:
    return len({group[0][0] for group in groups}) == 1


def _doubts_about_first(first: Claim, facts: Facts, options: Options, found: _Findings) -> None:
    """Was the deciding claim one, was it after the cards, and did nothing doubtful come before it?"""
    needed = options.touch_certainty if facts.timing.touch else options.call_certainty
    found.confidence *= first.probability
    if first.probability < needed:
        found.review("touch_unsure" if facts.timing.touch else "call_unsure", type=first.type)
    if first.contested:
        found.review("two_voices", type=first.type)
    after = _after_reveal(first, facts.timing)
    if 1 - options.certainty < after < options.certainty:
        found.review("early_or_not", type=first.type)
    _doubtful_words(facts, options, found, before_s=first.time_s + options.tie_window_ms / 1000)


def _doubts_about_silence(facts: Facts, options: Options, found: _Findings) -> None:
    _doubtful_words(facts, options, found, before_s=float("inf"))


def _doubtful_words(facts: Facts, options: Options, found: _Findings, *, before_s: float) -> None:
    """Words judged no call, which would have decided the round if they were one."""
    for claim in facts.claims:
        if claim.accepted or claim.type is None or facts.timing.touch or claim.time_s > before_s:
            continue
        if claim.probability >= options.doubt and not is_early(claim, facts.timing, options):
            found.review("maybe_call", type=claim.type, time=round(claim.time_s, 2))
            found.confidence *= 1 - claim.probability


def _doubts_about_result(
    agreed: Verdict | None,
    groups: Sequence[_Group],
    dues: Sequence[Type | None],
    first: Claim | None,
    found: _Findings,
) -> None:
    """Ask who called, or say that it does not matter."""
    if first is None:
        return
    if not _one_caller(groups) and all(len(group) == 1 for group in groups):
        if agreed is None:
            found.review("who_called", type=first.type)
        else:
            found.notes.append(Message("note.seat_does_not_matter"))
    elif agreed is None and len(dues) == 1:
        found.review("who_tied", type=first.type)
    if len(dues) > 1 and agreed is not None:
        found.notes.append(Message("note.card_does_not_matter"))


def _tie_or_lead(
    tied: tuple[Seat, ...],
    first: Claim | None,
    rivals: Sequence[Claim],
    agreed: Verdict | None,
    *,
    options: Options,
    found: _Findings,
) -> None:
    """A tie must be a tie: if the measurement may hide a lead that people can tell, people look at it."""
    if first is None:
        return
    if agreed is not None and agreed.outcome == "contested":
        found.review("contested")
    if not tied:
        return
    found.used.append("tie_window_ms" if _inside_window(first, rivals, options) else "certainty")
    for rival in rivals:
        lead, sigma = rival.time_s - first.time_s, lead_sigma_s(first.sigma_ms, rival.sigma_ms)
        perceptible = max(options.perceptible_ms, options.tie_window_ms) / 1000
        if probability_perceptible(lead, sigma, perceptible) > 0.05:
            found.review("too_close", gap=round(1000 * lead, 1), error=round(1000 * sigma, 1))
            found.confidence *= 0.5
            return


def _inside_window(first: Claim, rivals: Sequence[Claim], options: Options) -> bool:
    return all(1000 * (rival.time_s - first.time_s) < options.tie_window_ms for rival in rivals)


def _fates(
    first: Claim | None,
    tied: tuple[Seat, ...],
    rivals: Sequence[Claim],
    facts: Facts,
    *,
    options: Options,
    found: _Findings,
) -> None:
    """Say of every claim that was not dismissed whether it counted."""
    for claim in facts.claims:
        if claim.number in found.fates:
            continue
        if claim is first:
            found.fates[claim.number] = (True, "tied" if tied else "decides")
        elif claim in rivals and tied:
            found.fates[claim.number] = (True, "tied")
        elif claim in rivals:
            who = possible_callers(claim, facts.players, options.seat_certainty)
            same = len(who) == 1 and len(_callers_of(first, facts, options)) == 1
            found.fates[claim.number] = (False, "the same player again" if same else "nobody can tell who it was")
        else:
            found.fates[claim.number] = (False, "after the deciding call")


def _callers_of(claim: Claim | None, facts: Facts, options: Options) -> tuple[Seat, ...]:
    return possible_callers(claim, facts.players, options.seat_certainty) if claim is not None else ()


def _sureness(seat: Seat | None, first: Claim | None, lead: float | None, sigma: float | None) -> float:
    """Probability that it was this seat, and first."""
    if first is None:
        return 1.0
    who = first.seats.get(seat, 0.0) if seat is not None else 1.0
    return who * (probability_first(lead, sigma) if lead is not None and sigma is not None else 1.0)


def _lead(first: Claim | None, facts: Facts) -> tuple[float | None, float | None]:
    """How long before the next claim the deciding one came, and how certain that is, in seconds."""
    if first is None:
        return None, None
    for claim in facts.claims:
        later = claim.time_s > first.time_s or (claim.time_s == first.time_s and claim.number > first.number)
        if later and claim.accepted and claim.type is not None:
            return claim.time_s - first.time_s, hypot(first.sigma_ms, claim.sigma_ms) / 1000
    return None, None
