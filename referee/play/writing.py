"""From a round that ended to the ruling that is written down, and to the counts of cards after it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Any

from referee.confirming import DEPENDS, stands
from referee.messages import Message
from referee.play.wording import headline
from referee.quick import changed, quick
from referee.rules.facts import Facts, Timing
from referee.rules.judgement import Decision, decide
from referee.rules.rock import Verdict
from referee.ruling import Evidence, First, Ruling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.events import CardShown, Seat, Type
    from referee.options import Options
    from referee.play.ledger import Ledger
    from referee.play.round import OpenRound
    from referee.play.setting import Setting


@quick
@dataclass(frozen=True, slots=True)
class Written:
    """A ruling with what is needed to revise it."""

    ruling: Ruling
    facts: Facts
    decision: Decision
    before: Ledger
    """Counts with the round's cards in the centre, before anybody collected."""
    after: Ledger


@dataclass(slots=True)
class _Round:
    """The round's cards, with what is missing and what was inferred."""

    cards: dict[Seat, CardShown]
    types: dict[Seat, Type | None]
    missing: tuple[Seat, ...]
    unplaced: bool
    cut_short: bool


def write(setting: Setting, current: OpenRound, ledger: Ledger, end_s: float) -> Written:
    """Rule on a round that ended at `end_s`; its cards are moved to the centre of the ledger."""
    placed = _place_all(setting, current, end_s)
    beneath = ledger.pot + len(current.extras)
    beyond = ledger.play(placed.types)
    ledger.find(len(current.extras))
    facts = Facts(
        players=setting.seats,
        cards=placed.types,
        beneath=beneath,
        timing=Timing(current.last_s, current.last_sigma_ms, setting.touch),
        claims=tuple(current.claims),
    )
    decision = decide(facts, setting.options)
    _doubts(setting, current, placed, beyond, ledger)
    reviews = (*decision.reviews, *current.reviews)
    if setting.voided and current.ids & setting.voided:
        decision, reviews = void(decision), ()
    return assemble(setting, current, facts, decision, before=ledger, end_s=end_s, reviews=reviews)


def is_confirmed(setting: Setting, written: Written) -> bool:
    """Whether people said that this ruling is right as it is."""
    ruling, evidence = written.ruling, written.ruling.evidence
    if not setting.confirmed or not isinstance(evidence, Evidence):
        return False
    cards = {card.card for _, card in evidence.cards} | {card.card for card in evidence.unplaced}
    seat, kind = (ruling.first.seat, ruling.first.type) if ruling.first else (None, None)
    return stands(setting.confirmed, cards, ruling.outcome, seat, kind)


def answered(setting: Setting, written: Written) -> Written:
    """The ruling without the questions on its round, if people confirmed it."""
    if not is_confirmed(setting, written):
        return written
    ruling, after = written.ruling, written.after.copy()
    after.pot_unsure = tuple(number for number in after.pot_unsure if number != ruling.round)
    kept = tuple(review for review in ruling.reviews if review.code == f"review.{DEPENDS}")
    return changed(written, ruling=changed(ruling, reviews=kept), after=after)


def _place_all(setting: Setting, current: OpenRound, end_s: float) -> _Round:
    cards = dict(current.cards)
    silent = end_s - current.last_s
    cut = current.first_claim is None and silent < setting.options.silence_s
    absent = [seat for seat in current.expected if seat not in cards]
    if not absent and not current.unplaced:
        return _Round(cards, {seat: cards[seat].type for seat in setting.seats if seat in cards}, (), False, cut)
    unplaced = list(current.unplaced)
    if len(absent) == 1 and len(unplaced) == 1:
        cards[absent[0]] = unplaced.pop()
        current.note(Message("note.seat_inferred", {"seat": absent.pop()}))
    types: dict[Seat, Type | None] = {seat: card.type for seat, card in cards.items()}
    same = len({card.type for card in unplaced}) == 1
    for seat, card in zip(absent, unplaced, strict=False):
        types[seat] = card.type
        if not same:
            current.review(Message("review.seats_of_cards"))
    missing = tuple(absent[len(unplaced) :])
    if len(missing) * 2 <= len(current.expected) or current.claims:
        types.update(dict.fromkeys(missing))
    ordered = {seat: types[seat] for seat in setting.seats if seat in types}
    return _Round(cards, ordered, missing, bool(unplaced) and not same, cut)


def _doubts(setting: Setting, current: OpenRound, placed: _Round, beyond: list[Seat], ledger: Ledger) -> None:
    """Reasons to look at the round that lie in its cards."""
    least = setting.options.card_certainty
    for seat in placed.missing:
        current.review(Message("review.card_missing", {"seat": seat}))
    for seat, card in placed.cards.items():
        if card.type is None:
            current.review(Message("review.card_unread", {"seat": seat, "reason": card.reason}))
        elif card.confidence < least:
            current.review(Message("review.card_unsure", {"seat": seat, "type": card.type}))
    for seat in [seat for seat in beyond if seat not in placed.missing]:
        current.review(Message("review.beyond_deal", {"seat": seat}))
    if len(current.expected) < len(setting.seats):
        current.review(Message("review.too_few_cards", {"n": len(current.expected)}))
    if placed.cut_short and not placed.missing:
        current.review(Message("review.cut_short"))
    if ledger.open_rounds:
        current.note(Message("note.piles_depend", {"rounds": ledger.open_rounds}))


OUTCOME_DOUBTED = {
    f"review.{code}" for code in ("call_unsure", "maybe_call", "too_close", "two_voices", "early_or_not")
}
"""Reviews after which it may also be that the cards stayed in the centre, or that they were taken from it."""


def assemble(
    setting: Setting,
    current: OpenRound,
    facts: Facts,
    decision: Decision,
    *,
    before: Ledger,
    end_s: float,
    reviews: tuple[Message, ...],
) -> Written:
    """Apply a decision to the counts and write the ruling."""
    after = before.copy()
    awards = settle(after, decision, current.number, before)
    reviews = (*reviews, *about_pot(before, decision))
    if is_card_missing(after, reviews) or any(review.code in OUTCOME_DOUBTED for review in reviews):
        after.doubt_pot(current.number)
    ruling = Ruling(
        round=current.number,
        time_s=_time(setting, facts, decision, end_s),
        cards=facts.cards,
        due=decision.due,
        decided_by=_decided_by(facts, decision),
        first=first_of(facts, decision),
        calls=decision.calls,
        outcome=decision.verdict.outcome if decision.verdict else _shared_outcome(decision),
        awards=awards,
        pot=after.pot,
        piles=after.piles,
        rule=rule_name(setting, decision),
        message=headline(facts, decision, after.pot),
        reviews=reviews,
        notes=(*current.notes, *decision.notes),
        options_used=options_used(setting.options, decision),
        tied=decision.tied,
        held=after.held,
        depends_on=after.open_rounds,
        confidence=decision.confidence * _read(current),
        language=setting.language,
        evidence=_evidence(current, end_s),
    )
    return Written(ruling, facts, decision, before, after)


def about_pot(before: Ledger, decision: Decision) -> tuple[Message, ...]:
    """That the number of cards which somebody collects hangs on earlier rounds, if it does."""
    verdict = decision.verdict
    if verdict is None or not verdict.awards or verdict.outcome not in ("won", "penalty", "contested"):
        return ()
    return (Message("review.pot_depends", {"rounds": before.pot_unsure}),) if before.pot_unsure else ()


def is_card_missing(after: Ledger, reviews: Sequence[Message]) -> bool:
    """Whether cards stay, and one of them was never seen."""
    return bool(after.pot) and any(review.code == "review.card_missing" for review in reviews)


def _read(current: OpenRound) -> float:
    """Probability that every card that was read is what it was read as."""
    return prod([card.confidence for card in current.cards.values() if card.type is not None])


def settle(after: Ledger, decision: Decision, number: int, before: Ledger) -> dict[Seat, int]:
    """Move the cards as decided; where people must say, hold what was collected by nobody knows whom."""
    if decision.verdict is not None:
        awards = dict(decision.verdict.awards)
        after.award(awards)
        if after.pot == 0:
            after.pot_unsure = ()
        return awards
    sizes = {sum(v.awards.values()) for v in decision.alternatives}
    if len(sizes) == 1:
        after.hold(*sizes)
    else:
        after.hold(before.pot)
    after.open_rounds = (*after.open_rounds, number)
    if len(sizes) > 1:
        after.doubt_pot(number)
    elif after.pot == 0:
        after.pot_unsure = ()
    return {}


def _shared_outcome(decision: Decision) -> str:
    outcomes = {v.outcome for v in decision.alternatives}
    return outcomes.pop() if len(outcomes) == 1 else "open"


def rule_name(setting: Setting, decision: Decision) -> str:
    """The rule's full name: game, players, line of the sheet."""
    tail = decision.alternatives[0].tail
    if len(decision.alternatives) > 1 and any(other.tail != tail for other in decision.alternatives):
        tail = decision.verdict.tail if decision.verdict else "open"
    return _rule_name(setting.game, len(setting.seats), tail, touch=setting.touch)


@lru_cache(maxsize=256)
def _rule_name(game: str, players: int, tail: str, *, touch: bool) -> str:
    """The same, once for each rule: there are few."""
    return f"{game}.{players}p.{tail.replace('call.', 'touch.') if touch else tail}"


def _time(setting: Setting, facts: Facts, decision: Decision, end_s: float) -> float:
    if decision.deciding is not None:
        return max(decision.deciding.end_s, facts.timing.complete_s)
    return min(end_s, facts.timing.complete_s + setting.options.silence_s)


def _decided_by(facts: Facts, decision: Decision) -> str:
    if decision.verdict is not None and decision.verdict.tail == "void":
        return "table"
    return ("touch" if facts.timing.touch else "call") if decision.deciding else "silence"


def first_of(facts: Facts, decision: Decision) -> First | None:
    """Who was first and by how much, as a ruling says it; None if nobody called.

    A call that was not heard may still be known by who took the cards.
    """
    claim = decision.deciding
    if claim is None:
        known = decision.callers[0] if decision.callers else None
        return First(seat=known[0], type=known[1], onset_s=None, sigma_ms=None) if known else None
    return First(
        seat=decision.seat,
        type=claim.type,
        onset_s=claim.time_s,
        sigma_ms=claim.sigma_ms,
        lead_ms=None if decision.lead_s is None else 1000 * decision.lead_s,
        lead_sigma_ms=None if decision.lead_sigma_s is None else 1000 * decision.lead_sigma_s,
        call=None if facts.timing.touch else claim.number,
        card=claim.shown.get("card"),
    )


def options_used(options: Options, decision: Decision) -> Mapping[str, Any]:
    """The house rules that a decision rests on, with their values."""
    return {name: getattr(options, name) for name in decision.used} if decision.used else {}


def _evidence(current: OpenRound, end_s: float) -> Evidence:
    cards, unplaced = tuple(current.cards.items()), tuple(current.unplaced)
    return Evidence(cards, unplaced, tuple(current.extras), tuple(current.replaced), current.last_s, end_s)


def with_verdict(decision: Decision, chosen: Verdict, seats: tuple[Seat, ...]) -> Decision:
    """The decision, once it is known which of its alternatives holds and who called."""
    kind = decision.deciding.type if decision.deciding else None
    if decision.seat in seats:  # whose call it is that decides
        seats = (decision.seat, *[seat for seat in seats if seat != decision.seat])
    callers = tuple((seat, kind) for seat in seats) if kind is not None else ()
    tied = seats if len(seats) > 1 else ()
    return replace(
        decision,
        verdict=chosen,
        alternatives=(chosen,),
        used=tuple(dict.fromkeys((*chosen.used, *decision.used))),
        seat=seats[0] if seats else None,
        tied=tied,
        callers=callers,
    )


def void(decision: Decision) -> Decision:
    """The decision on a round that people declared void: its cards stay, whatever was called."""
    nothing = Verdict("void", "stays", {})
    return replace(
        decision, verdict=nothing, alternatives=(nothing,), deciding=None, seat=None, tied=(), callers=(), reviews=()
    )
