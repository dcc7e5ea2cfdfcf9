"""What else a doubtful round may have been, and which of it explains who took the cards.

The people at the table know who called. Where the cards went to others than a ruling says, another reading of the same
claims may fit what the hands did: a word that was not clear enough was a call, a voice that was not understood said
what was due, the unclear call was none, one of two who came too close together was first, or several said the same word
at once and were heard as one; and if no word explains it, somebody's call was not heard at all. A call that was clear
stays one, and nothing that came after it was first.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from referee.events import NOT_UNDERSTOOD, READ_OTHERWISE, UNSURE, Type
from referee.quick import changed
from referee.rules.claims import possible_callers
from referee.rules.facts import is_early
from referee.rules.hearing import ONE_SOUND_S, in_order, is_doubtful
from referee.rules.judgement import centre, decide
from referee.rules.rock import Verdict, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.events import Seat
    from referee.options import Options
    from referee.rules.claims import Claim
    from referee.rules.facts import Facts
    from referee.rules.judgement import Decision

Reading = tuple[float, "Decision", "Verdict"]
"""How likely a reading is, against others; the decision on it, and that of its verdicts which the hands fit."""
RIGHT = 0.8
"""How often a call names the type that is due (an assumption): between readings that explain the cards alike."""
MISTIMED, BLURRED_S = 0.1, 0.03
"""How likely two doubtful calls so near were at once although the order seemed certain (an assumption, as above)."""
UNHEARD = 0.05
"""How likely a call was not heard at all (an assumption, for the same purpose)."""
AS_ONE = 0.04
"""How likely two said the same word at once and were heard as one voice (an assumption, for the same purpose)."""
MISHEARD = 0.1
"""How likely an unclear call was another word than it was taken for (an assumption, for the same purpose)."""
SOMEWHAT = 0.15
"""How likely a word that was not understood is a call at least to be read as one, where it is not known who spoke."""


def explained(facts: Facts, decision: Decision, options: Options, fits: Callable[[Verdict], bool]) -> Reading | None:
    """The likeliest other reading whose verdict fits what the hands did; None if there is none.

    None also if readings that fit disagree on how many cards each gets: then the hands explain nothing.
    """
    found: list[Reading] = []
    for chance, read in _readings(facts, decision, options):
        other = _beside_the_facts(decide(read, options), facts)
        fitting, likely = [v for v in other.alternatives if fits(v)], chance
        if not fitting and (pair := as_one(read, other, options, fits)) is not None:
            fitting, likely = [pair[1]], chance * AS_ONE
        if other.due_known and len(fitting) == 1:
            right = fitting[0].outcome in ("won", "tie")
            found.append((likely * (RIGHT if right else 1 - RIGHT), other, fitting[0]))
    if not found or any(verdict.awards != found[0][2].awards for _, _, verdict in found):
        return None
    return max(found, key=lambda one: one[0])


def _beside_the_facts(other: Decision, facts: Facts) -> Decision:
    """A decision on another reading, with what was heard beside what it was taken for."""
    heard = {claim.number: claim for claim in facts.claims}
    calls = []
    for one in other.calls:
        claim = heard[one.claim.number]
        known = one.claim.type is claim.type and one.claim.sigma_ms == claim.sigma_ms
        calls.append(one if known else changed(one, heard=claim))
    return changed(other, calls=tuple(calls))


def as_one(
    facts: Facts, decision: Decision, options: Options, fits: Callable[[Verdict], bool]
) -> tuple[tuple[Seat, ...], Verdict] | None:
    """Which two said the same word at once and were heard as one voice, if just these fit what the hands did."""
    first = decision.deciding
    if first is None or first.type is None or not decision.due_known or facts.timing.touch:
        return None
    may, found = possible_callers(first, facts.players, options.seat_certainty), []
    for seats in combinations(may, 2):
        together = verdict(centre(facts), decision.due, tuple((seat, first.type) for seat in seats), options)
        if fits(together):
            found.append((seats, together))
    return found[0] if len(found) == 1 else None


def unheard(facts: Facts, decision: Decision, options: Options, fits: Callable[[Verdict], bool]) -> Reading | None:
    """What happened if somebody's one call was not heard at all and explains the cards; None if readings disagree.

    Whoever takes all the cards has called what was due. Where no one call explains them, two may have said it at once.
    """
    if decision.deciding is not None or not decision.due_known or facts.timing.touch:
        return None
    lying = centre(facts)
    calls = [((seat, kind),) for seat in facts.players for kind in Type]
    found = [one for call in calls if fits(one := verdict(lying, decision.due, call, options))]
    if not found and decision.due is not None:
        pairs = [tuple((seat, decision.due) for seat in two) for two in combinations(facts.players, 2)]
        found = [one for pair in pairs if fits(one := verdict(lying, decision.due, pair, options))]
    if not found or any(one.awards != found[0].awards for one in found):
        return None
    right = [one for one in found if one.outcome in ("won", "tie")]
    likelier = right[0] if right else found[0]
    chosen = Verdict("call.unheard", likelier.outcome, likelier.awards, likelier.used)
    callers = tuple([(seat, decision.due) for seat in chosen.awards if decision.due]) if right else ()
    tied = tuple(chosen.awards) if chosen.outcome == "tie" else ()
    read = changed(decision, verdict=chosen, alternatives=(chosen,), used=chosen.used, callers=callers, tied=tied)
    return UNHEARD * (RIGHT if right else 1 - RIGHT), read, chosen


def _readings(facts: Facts, decision: Decision, options: Options) -> Iterator[tuple[float, Facts]]:
    """Each other reading with how likely what it changes is."""
    deciding = decision.deciding
    yield from _words_as_calls(facts, deciding, options)
    if deciding is None:
        return
    asked = {review.code for review in decision.reviews}
    if "review.call_unsure" in asked:
        yield from _read_again(facts, deciding, options)
    elif "review.maybe_call" in asked and deciding.probability < 1:  # what people said is certain
        yield from _heard_in_it(facts, deciding, options)
    if {"review.call_unsure", "review.two_voices", "review.maybe_call"} & asked:
        yield from _mistimed(facts, deciding, options)
    if {"review.too_close", "review.two_voices"} & asked:
        tied = [c for c in facts.claims if c is deciding or (c.accepted and not in_order(deciding, c, options))]
        for first in tied:
            read = facts
            for other in tied:
                if other is not first:
                    read = _with(read, other, accepted=False)
            yield first.probability / len(tied), read


def _read_again(facts: Facts, deciding: Claim, options: Options) -> Iterator[tuple[float, Facts]]:
    """The unclear call that decided was none, or another word: one heard in its sound, or as words are misheard."""
    yield 1 - deciding.probability, _with(facts, deciding, accepted=False)
    yield from _heard_in_it(facts, deciding, options)
    for kind in Type:
        if kind is not deciding.type:
            chance = MISHEARD * (1 - deciding.probability)
            yield chance, _with(facts, deciding, accepted=True, kind=kind)


def _heard_in_it(facts: Facts, deciding: Claim, options: Options) -> Iterator[tuple[float, Facts]]:
    """The call that decided was another word that was heard in its sound."""
    for word in facts.claims:
        same = abs(word.time_s - deciding.time_s) < ONE_SOUND_S and _of_own_call(word, facts, options)
        if same and not word.accepted and word.type not in (None, deciding.type):
            yield word.probability, _with(facts, deciding, accepted=True, kind=word.type)


def _mistimed(facts: Facts, deciding: Claim, options: Options) -> Iterator[tuple[float, Facts]]:
    """Two calls so near each other were at once although the order seemed certain."""
    for rival in facts.claims:
        gap_s = rival.time_s - deciding.time_s
        near = rival.accepted and rival is not deciding and 0 <= gap_s < BLURRED_S
        if near and in_order(deciding, rival, options):
            yield MISTIMED, _at_once(facts, deciding, gap_s)


def _words_as_calls(facts: Facts, deciding: Claim | None, options: Options) -> Iterator[tuple[float, Facts]]:
    """Each word that was judged no call read as one, unless it surely came after the call that decided.

    Where the order of the two is not known, they were at once, or the word was first.
    """
    for word in facts.claims:
        if word.accepted or word is deciding or not _may_be_call(word, facts, options):
            continue
        if deciding is None or not in_order(deciding, word, options):
            hardly = word.probability < options.doubt
            among = len(possible_callers(word, facts.players, options.seat_certainty)) if hardly else 1
            for kind, likely in _may_have_said(word):
                chance = likely / among  # that it was whoever explains the cards
                read = _with(facts, word, accepted=True, kind=kind)
                if deciding is None:
                    yield chance, read
                    continue
                both = read if deciding.accepted else _with(read, deciding, accepted=True, kind=deciding.type)
                yield chance * deciding.probability, both
                yield chance * (1 - deciding.probability), _with(read, deciding, accepted=False)


def _may_be_call(word: Claim, facts: Facts, options: Options) -> bool:
    """Whether a word that was judged no call may have been one, now that the hands say that something else was.

    Beside words that were in doubt from the beginning: any that is like a call at all, or, where it is not known who
    spoke, somewhat like one.
    """
    if _of_own_call(word, facts, options):
        return False
    if word.type is not None and is_doubtful(word, facts, options):
        return True
    if word.reason not in (UNSURE, NOT_UNDERSTOOD) or facts.timing.touch or is_early(word, facts.timing, options):
        return False
    known = len(possible_callers(word, facts.players, options.seat_certainty)) == 1
    return known or word.probability >= SOMEWHAT


def _of_own_call(word: Claim, facts: Facts, options: Options) -> bool:
    """Whether a word was heard in the sound of another call of the same player: it is but that call."""
    who = possible_callers(word, facts.players, options.seat_certainty)
    return len(who) == 1 and any(
        call.accepted
        and abs(call.time_s - word.time_s) < ONE_SOUND_S
        and possible_callers(call, facts.players, options.seat_certainty) == who
        for call in facts.claims
    )


def _may_have_said(word: Claim) -> Iterator[tuple[Type, float]]:
    """What an unclear word may have been, and how likely."""
    for kind in Type:
        if word.type in (kind, None):
            yield kind, word.probability
        elif word.reason == UNSURE:
            yield kind, MISHEARD * word.probability


def _at_once(facts: Facts, claim: Claim, gap_s: float) -> Facts:
    """The facts with one claim timed so badly that what came so little later may have come first."""
    blurred = changed(claim, sigma_ms=max(claim.sigma_ms, 1000 * gap_s))
    return _exchanged(facts, claim, blurred)


def _with(facts: Facts, claim: Claim, *, accepted: bool, kind: Type | None = None) -> Facts:
    """The facts with one claim read as a call, perhaps of another type, or as none."""
    other = changed(
        claim, accepted=accepted, reason="" if accepted else READ_OTHERWISE, type=kind if accepted else claim.type
    )
    return _exchanged(facts, claim, other)


def _exchanged(facts: Facts, claim: Claim, other: Claim) -> Facts:
    """The facts with one claim in another's place."""
    return changed(facts, claims=tuple([other if one is claim else one for one in facts.claims]))
