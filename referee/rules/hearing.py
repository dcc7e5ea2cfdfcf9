"""A round's claims, sorted in one pass: which decides, which come at the same time, which are early or doubtful."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.events import SAME_SOUND, UNSURE
from referee.quick import changed, quick
from referee.rules.claims import possible_callers
from referee.rules.facts import is_countable, is_early
from referee.rules.order import is_ordered, lead_sigma_s
from referee.rules.readings import possible_dues

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from referee.events import Seat
    from referee.options import Options
    from referee.rules.claims import Claim
    from referee.rules.facts import Facts

ONE_SOUND_S = 0.25
"""How near to an accepted call a word lies at most that was heard in its sound."""
LIKELY = 0.6
"""Probability from which such a word may be the call that was due."""


@quick
@dataclass(frozen=True, slots=True)
class Heard:
    """A call or touch of the round, and what became of it."""

    claim: Claim
    who: tuple[Seat, ...]
    """Who may have made it."""
    counted: bool
    reason: str
    heard: Claim | None = None
    """The claim as it was heard or seen, where a reading of the hands takes it for another word."""

    @property
    def seat(self) -> Seat | None:
        """Who made it, if that is certain enough."""
        return self.who[0] if len(self.who) == 1 else None

    def to_json(self) -> dict[str, Any]:
        """One of the `calls` of a ruling line."""
        claim = self.claim
        return {
            "call": claim.number,
            "seat": self.seat,
            "seats": {seat: round(p, 4) for seat, p in claim.seats.items()},
            "type": claim.type.value if claim.type else None,
            **claim.shown,
            "onset_s": round(claim.time_s, 6),
            "sigma_ms": round(claim.sigma_ms, 3),
            "end_s": round(claim.end_s, 6),
            "probability": round(claim.probability, 4),
            "contested": claim.contested,
            "counted": self.counted,
            "reason": self.reason,
            **self._as_heard(),
        }

    def _as_heard(self) -> dict[str, Any]:
        """What was measured, where the claim is read otherwise."""
        if self.heard is None:
            return {}
        return {
            "heard": self.heard.type.value if self.heard.type else None,
            "sigma_ms": round(self.heard.sigma_ms, 3),
        }


@dataclass(slots=True)
class Hearing:
    """What the claims of a round are to each other."""

    calls: list[Heard] = field(default_factory=list)
    """All of them, in time order."""
    first: Heard | None = None
    """The first claim that counts: it decides."""
    early: bool = False
    """Whether that one came before the cards could be seen, which is a penalty then."""
    follower: Claim | None = None
    """The next claim after the first, countable or not."""
    rivals: list[Heard] = field(default_factory=list)
    """Later claims whose order to the first is not certain."""
    warned: list[Heard] = field(default_factory=list)
    """Calls that came too early and do not count."""
    words: list[Claim] = field(default_factory=list)
    """Words judged no call which would have decided the round if they were one."""


def hear(facts: Facts, options: Options) -> Hearing:
    """Sort the claims of a round."""
    heard = Hearing()
    for claim in facts.claims:
        who = possible_callers(claim, facts.players, options.seat_certainty)
        if claim.type is None:
            one = Heard(claim, who, False, claim.reason or "no type")
        elif not claim.accepted and heard.first is None and is_likely(claim, facts, options):
            one = heard.first = Heard(claim, who, True, "decides")
        elif not claim.accepted:
            one = Heard(claim, who, False, claim.reason or "not a call")
            if is_doubtful(claim, facts, options):
                heard.words.append(claim)
        elif heard.first is None:
            one = _before_any(heard, claim, who, facts, options)
        else:
            one = Heard(claim, who, False, "after the deciding call")
            _follow(heard, heard.first.claim, one, facts, options)
        heard.calls.append(one)
    return heard


def is_doubtful(word: Claim, facts: Facts, options: Options) -> bool:
    """Whether a word that was judged no call may have been one; hands that hover are not doubted like that."""
    if facts.timing.touch or not word.probability or word.probability < options.doubt or _said_otherwise(word, facts):
        return False
    return not is_early(word, facts.timing, options)


def _said_otherwise(word: Claim, facts: Facts) -> bool:
    """Whether a word is but the sound of an accepted call once more, or of one that is clearly another word."""
    if word.reason != SAME_SOUND:
        return False
    near = [c for c in facts.claims if c.accepted and abs(c.time_s - word.time_s) < ONE_SOUND_S]
    return any(c.type == word.type or word.probability < LIKELY for c in near)


def is_likely(word: Claim, facts: Facts, options: Options) -> bool:
    """Whether a word that was not clear enough for a call is still likelier the call that is due than none.

    It decides only if it names the type that wins while all cards lie open, and people are asked: cards go to whoever
    probably called, and nobody loses any for a word that may not have been one.
    """
    if (
        facts.timing.touch
        or word.reason != UNSURE
        or word.probability < LIKELY
        or is_early(word, facts.timing, options)
    ):
        return False
    return possible_dues(facts) == (word.type,)


def _before_any(heard: Hearing, claim: Claim, who: tuple[Seat, ...], facts: Facts, options: Options) -> Heard:
    """The first claim that counts decides; an early one counts only where that is a penalty."""
    if is_countable(claim, facts.timing, options):
        heard.first = Heard(claim, who, True, "decides")
        heard.early = is_early(claim, facts.timing, options)
        return heard.first
    one = Heard(claim, who, False, "before all cards could be seen")
    _warn(heard, one, facts)
    return one


def _follow(heard: Hearing, first: Claim, one: Heard, facts: Facts, options: Options) -> None:
    """A later claim is a rival if it counts and the order is not certain."""
    heard.follower = heard.follower or one.claim
    if not is_countable(one.claim, facts.timing, options):
        _warn(heard, one, facts)
    elif not heard.early and not in_order(first, one.claim, options):
        heard.rivals.append(one)


def _warn(heard: Hearing, one: Heard, facts: Facts) -> None:
    """An early call is warned; hands that lay cards touch them, and are not."""
    if not facts.timing.touch:
        heard.warned.append(one)


def in_order(first: Claim, claim: Claim, options: Options) -> bool:
    """Whether it is certain that the first claim came first."""
    return is_ordered(
        claim.time_s - first.time_s,
        lead_sigma_s(first.sigma_ms, claim.sigma_ms),
        certainty=options.certainty,
        window_s=options.tie_window_ms / 1000,
    )


def told_apart(heard: Hearing, first: Heard, *, tied: bool) -> tuple[Heard, ...]:
    """The calls, once it is known whether those at the same time tie: a player's second one counts for nothing."""
    if not heard.rivals:
        return tuple(heard.calls)
    fates: dict[int, tuple[bool, str]] = {first.claim.number: (True, "tied" if tied else "decides")}
    callers = {first.who}
    for rival in heard.rivals:
        if len(rival.who) == 1 and rival.who in callers:
            fates[rival.claim.number] = (False, "the same player again")
        else:
            fates[rival.claim.number] = (True, "tied") if tied else (False, "nobody can tell who it was")
        callers.add(rival.who)
    return fated(heard.calls, fates)


def fated(calls: Iterable[Heard], fates: Mapping[int, tuple[bool, str]]) -> tuple[Heard, ...]:
    """The calls, those whose numbers are named with another fate: whether they count, and why."""
    out = []
    for one in calls:
        counted, reason = fates.get(one.claim.number, (one.counted, one.reason))
        out.append(changed(one, counted=counted, reason=reason))
    return tuple(out)
