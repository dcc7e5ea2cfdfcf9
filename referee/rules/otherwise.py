"""What else a doubtful round may have been, and which of it explains who took the cards.

The people at the table know who called. Where a ruling was in doubt already, and the cards went to others than it says,
another reading of the same claims may fit what the hands did: a word that was not clear enough was a call, the unclear
call was none, or one of two who came too close together was first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.quick import changed
from referee.rules.hearing import is_doubtful
from referee.rules.judgement import decide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.options import Options
    from referee.rules.claims import Claim
    from referee.rules.facts import Facts
    from referee.rules.judgement import Decision
    from referee.rules.rock import Verdict

RIGHT = 0.8
"""How often a call names the type that is due (an assumption): between readings that explain the cards alike."""


def explained(
    facts: Facts, decision: Decision, options: Options, fits: Callable[[Verdict], bool]
) -> tuple[Decision, Verdict] | None:
    """The likeliest other reading whose verdict fits what the hands did, and that verdict; None if there is none.

    None also if readings that fit disagree on how many cards each gets: then the hands explain nothing.
    """
    found: list[tuple[float, Decision, Verdict]] = []
    for chance, read in _readings(facts, decision, options):
        other = decide(read, options)
        fitting = [v for v in other.alternatives if fits(v)]
        if other.due_known and len(fitting) == 1:
            right = fitting[0].outcome in ("won", "tie")
            found.append((chance * (RIGHT if right else 1 - RIGHT), other, fitting[0]))
    if not found or any(verdict.awards != found[0][2].awards for _, _, verdict in found):
        return None
    return max(found, key=lambda one: one[0])[1:]


def _readings(facts: Facts, decision: Decision, options: Options) -> Iterator[tuple[float, Facts]]:
    """Each other reading with how likely what it changes is."""
    asked = {review.code for review in decision.reviews}
    if "review.maybe_call" in asked:
        for claim in facts.claims:
            if not claim.accepted and claim.type is not None and is_doubtful(claim, facts, options):
                yield claim.probability, _with(facts, claim, accepted=True)
    deciding = decision.deciding
    if deciding is None:
        return
    if "review.call_unsure" in asked:
        yield 1 - deciding.probability, _with(facts, deciding, accepted=False)
    if "review.too_close" in asked:
        tied = [one.claim for one in decision.calls if one.counted]
        for first in tied:
            read = facts
            for other in tied:
                if other is not first:
                    read = _with(read, other, accepted=False)
            yield 1 / len(tied), read


def _with(facts: Facts, claim: Claim, *, accepted: bool) -> Facts:
    """The facts with one claim read as a call, or as none."""
    other = changed(claim, accepted=accepted, reason="" if accepted else "read otherwise")
    return changed(facts, claims=tuple([other if one is claim else one for one in facts.claims]))
