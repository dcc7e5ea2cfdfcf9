"""What the hands do after a ruling: it may answer who called, or contradict the ruling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.corrections import TOLD
from referee.messages import Message
from referee.play.wording import headline
from referee.play.writing import (
    OUTCOME_DOUBTED,
    Written,
    about_pot,
    first_of,
    is_card_missing,
    is_confirmed,
    options_used,
    rule_name,
    settle,
    with_verdict,
)
from referee.quick import changed
from referee.rules.at_once import parted
from referee.rules.judgement import decide
from referee.rules.otherwise import AS_ONE, as_one, explained, unheard
from referee.ruling import Evidence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.events import CardsGone, Seat
    from referee.play.setting import Setting
    from referee.rules.facts import Facts
    from referee.rules.judgement import Decision
    from referee.rules.otherwise import Reading
    from referee.rules.rock import Verdict


SURELY_ALL = 0.75
"""Of two players one collects everything that is collected: who was seen to take this share of it took it all."""
_ANSWERED = frozenset({"review.who_called", "review.who_touched", "review.who_tied", "review.same_voice"})


@dataclass(slots=True)
class Collecting:
    """The time between a ruling and the next round's first card."""

    written: Written
    gone: list[CardsGone]

    def conclude(self, setting: Setting, *, left: bool = False) -> Written | None:
        """The ruling as the collecting hands changed it, or None if they did not.

        Args:
            setting: the game.
            left: whether cards nobody was seen to take surely still lay there when the next round, or the end, came.
        """
        if setting.options.collection == "ignore" or self._void:
            return None
        hands, untouched = Hands.seen(self.gone, self.written, setting.seats), left and not self.gone
        if is_confirmed(setting, self.written) or self._as_played(setting, hands, untouched=untouched):
            return _counted(self.written, hands)
        if self.written.decision.verdict is None and (hands.taken or untouched):
            return self._answered(setting, hands)
        if untouched and any(review.code in OUTCOME_DOUBTED for review in self.written.ruling.reviews):
            return self._explained(setting, hands)
        if not hands.taken:
            asked = untouched and not self._told and any(self.written.ruling.awards.values())
            return (self._explained(setting, hands) or self._left_lying()) if asked else None
        return (
            self._explained(setting, hands)
            or self._parted(setting, hands)
            or self._contradicted(hands)
            or _counted(self.written, hands)
        )

    @property
    def _void(self) -> bool:
        """Whether people said that the round counts for nothing: then hands say nothing of it either."""
        verdict = self.written.decision.verdict
        return verdict is not None and verdict.tail == "void"

    def _as_played(self, setting: Setting, hands: Hands, *, untouched: bool) -> bool:
        """Whether the hands did what the house rules ask that the table played by, where these are other ones."""
        if setting.played is None or self.written.decision.verdict is None:
            return False
        then = decide(self.written.facts, setting.played).verdict
        return then is not None and (hands.fit(then) if hands.taken else untouched and not any(then.awards.values()))

    @property
    def _told(self) -> bool:
        """Whether people said whose the deciding call was: then it is no question who was to take the cards."""
        deciding = self.written.decision.deciding
        return deciding is not None and deciding.reason == TOLD

    @property
    def delay_s(self) -> float:
        """How long after the ruling the first hand took cards; 0 if none did."""
        return max(0.0, min((event.time_s for event in self.gone), default=0.0) - self.written.ruling.time_s)

    def owed(self, setting: Setting) -> tuple[Seat, ...]:
        """Who has not yet collected what they were given."""
        taken = {event.to_seat for event in self.gone}
        return tuple(seat for seat in setting.seats if self.written.ruling.awards.get(seat) and seat not in taken)

    def _answered(self, setting: Setting, hands: Hands) -> Written | None:
        """Nobody could tell who called, but who collected was seen: then the table has decided."""
        decision = self.written.decision
        fitting = [(_callers(v, decision, setting.seats), v) for v in decision.alternatives if hands.fit(v)]
        if not fitting:
            together = as_one(self.written.facts, decision, setting.options, hands.fit)
            read = explained(self.written.facts, decision, setting.options, hands.fit) if hands.taken else None
            if read is not None and (together is None or read[0] > AS_ONE):
                return self._read_otherwise(setting, hands, read)
            fitting = [together] if together is not None else []
        if len(fitting) != 1 or not decision.due_known:
            return None
        callers, chosen = fitting[0]
        kept = tuple(r for r in self.written.ruling.reviews if r.code not in _ANSWERED)
        takers = tuple(chosen.awards)
        asked = Message("review.table_says", {"others": takers}) if takers else Message("review.table_says_nobody")
        reviews = kept if takers and setting.options.collection == "accept" else (*kept, asked)
        decided = with_verdict(decision, chosen, callers)
        decided = _first_alone(self.written.facts, decided, chosen, setting, hands) or decided
        revised = self._revised(setting, decided, (*reviews, *about_pot(self.written.before, decided)))
        if not takers or is_card_missing(revised.after, reviews):
            revised.after.doubt_pot(revised.ruling.round)  # nothing was seen, and that is all that is known
        sure = _counted(revised, hands)
        return changed(sure, ruling=changed(sure.ruling, revision=revised.ruling.revision)) if sure else revised

    def _explained(self, setting: Setting, hands: Hands) -> Written | None:
        """In doubt, and the cards went to others: the reading that explains it, if there is one, is ruled and asked."""
        if self.written.decision.verdict is None or hands.fit(self.written.decision.verdict):
            return None
        read = explained(self.written.facts, self.written.decision, setting.options, hands.fit)
        silent = self._unheard(setting, hands)
        if silent is None or (read is not None and (read[0] >= silent[0] or read[2].awards != silent[2].awards)):
            return self._read_otherwise(setting, hands, read)
        _, decision, chosen = silent
        return self._otherwise(
            setting, decision, [Message("review.table_says_unheard", {"others": tuple(chosen.awards)})]
        )

    def _parted(self, setting: Setting, hands: Hands) -> Written | None:
        """The cards went as they go after a right and a wrong call at once, or after one of them, which is likelier."""
        decision = self.written.decision
        if decision.verdict is None or not hands.agree(decision.verdict):
            return None
        decided = _first_alone(self.written.facts, decision, decision.verdict, setting, hands)
        if decided is None:
            return None
        doubts = [review for review in decision.reviews if review.code not in (*_ANSWERED, "review.contested")]
        asked = Message(
            "review.table_says_otherwise", {"others": tuple(decided.verdict.awards if decided.verdict else ())}
        )
        return self._otherwise(setting, decided, [*doubts, asked])

    def _read_otherwise(self, setting: Setting, hands: Hands, found: Reading | None) -> Written | None:
        """The round by another reading of its claims that explains the hands, if there is one."""
        if found is None:
            return None
        _, decision, chosen = found
        if decision.verdict is None:
            decision = with_verdict(decision, chosen, _callers(chosen, decision, setting.seats))
        decision = _first_alone(self.written.facts, decision, chosen, setting, hands) or decision
        doubts = [review for review in decision.reviews if review.code not in _ANSWERED]
        takers = {"others": tuple(chosen.awards)}
        asked = Message("review.table_says_otherwise", takers) if hands.taken else Message("review.table_says_left")
        return self._otherwise(setting, decision, [*doubts, asked])

    def _unheard(self, setting: Setting, hands: Hands) -> Reading | None:
        """Nobody was heard, and all cards that somebody could have won were taken: somebody must have called."""
        found = unheard(self.written.facts, self.written.decision, setting.options, hands.fit)
        if not hands.taken or found is None:
            return None
        enough = min(sum(found[2].awards.values()), len(hands.own))
        return found if hands.cards >= enough else None

    def _otherwise(self, setting: Setting, decision: Decision, asked: list[Message]) -> Written:
        """The round ruled by another reading, with what people are asked about it."""
        own = self.written.decision.reviews
        kept = [review for review in self.written.ruling.reviews if review not in own]
        pot = self.written.before.pot_unsure
        if pot and not any(review.code == "review.pot_depends" for review in kept):
            asked = [*asked, Message("review.pot_depends", {"rounds": pot})]
        revised = self._revised(setting, decision, (*kept, *asked))
        revised.after.doubt_pot(revised.ruling.round)  # what lies there now hangs on whether the hands were understood
        return revised

    def _revised(self, setting: Setting, decided: Decision, reviews: tuple[Message, ...]) -> Written:
        """The ruling as the table decided it."""
        written = self.written
        after = written.before.copy()
        awards = settle(after, decided, written.ruling.round, written.before)
        ruling = changed(
            written.ruling,
            time_s=max(written.ruling.time_s, decided.deciding.end_s if decided.deciding else 0.0),
            decided_by="table",
            first=first_of(written.facts, decided),
            calls=decided.calls,
            outcome=decided.verdict.outcome if decided.verdict else written.ruling.outcome,
            awards=awards,
            piles=after.piles,
            pot=after.pot,
            held=after.held,
            depends_on=after.open_rounds,
            rule=rule_name(setting, decided),
            message=headline(written.facts, decided, after.pot),
            reviews=reviews,
            options_used={**options_used(setting.options, decided), "collection": setting.options.collection},
            tied=decided.tied,
            revision=written.ruling.revision + 1,
        )
        return changed(written, ruling=ruling, decision=decided, after=after)

    def _contradicted(self, hands: Hands) -> Written | None:
        """Somebody took cards that the ruling did not give: the ruling stands, and people are told."""
        entitled = self.written.ruling.awards
        wrong = tuple([seat for seat in self.written.before.piles if seat in hands.taken and seat not in entitled])
        asked = bool(wrong) and not self._told
        return self._asked(Message("review.collected_by_other", {"others": wrong})) if asked else None

    def _left_lying(self) -> Written:
        """Nobody took what the ruling gave: it stands, and people are asked whether it was as they saw it."""
        asked = self._asked(Message("review.not_collected", {"others": tuple(self.written.ruling.awards)}))
        asked.after.doubt_pot(asked.ruling.round)
        return asked

    def _asked(self, question: Message) -> Written:
        """The same ruling with one more question."""
        reviews = (*self.written.ruling.reviews, question)
        ruling = changed(self.written.ruling, reviews=reviews, revision=self.written.ruling.revision + 1)
        return changed(self.written, ruling=ruling, after=self.written.after.copy())


@dataclass(frozen=True, slots=True)
class Hands:
    """Which cards each seat was seen to take."""

    taken: Mapping[Seat, frozenset[int]]
    own: Mapping[Seat, int]
    """The card that each seat had played in the round."""
    unknown: bool
    """Whether some cards went, and it was not seen to whom."""
    players: int
    unseen: frozenset[int] = frozenset()
    """The cards that went so."""

    @staticmethod
    def seen(gone: Sequence[CardsGone], written: Written, seats: Sequence[Seat]) -> Hands:
        """What the events between a ruling and the next round show."""
        takers = {event.to_seat for event in gone}
        taken = {
            seat: frozenset(number for event in gone if event.to_seat == seat for number in event.cards)
            for seat in seats
            if seat in takers
        }
        most = max((len(cards) for cards in taken.values()), default=0)
        if len(seats) == 2 and most >= SURELY_ALL * sum(map(len, taken.values())):
            taken = {seat: cards for seat, cards in taken.items() if len(cards) == most}
        evidence = written.ruling.evidence
        own = {seat: card.card for seat, card in evidence.cards} if isinstance(evidence, Evidence) else {}
        unseen = [event for event in gone if event.to_seat not in taken]
        lost = frozenset(number for event in unseen for number in event.cards)
        return Hands(taken, own, bool(unseen), len(seats), lost)

    @property
    def cards(self) -> int:
        """How many cards were seen to be taken by players."""
        return sum(map(len, self.taken.values()))

    def fit(self, verdict: Verdict) -> bool:
        """Whether just these seats collect by a verdict: who gets all takes others' cards too, who gets one his own."""
        takers = set(self.taken)
        if not verdict.awards:
            return not takers and not self.unknown
        return self.agree(verdict) and (takers == set(verdict.awards) or self.unknown)

    def agree(self, verdict: Verdict) -> bool:
        """Whether who was seen to take cards took what a verdict gives them; others may have taken theirs unseen."""
        if not self.taken or not set(self.taken) <= set(verdict.awards):
            return False
        if self.players == 2:  # of two nobody ever gets but the own card back
            return True
        if max(verdict.awards.values()) == 1 and any(
            self.own.get(s) in self.unseen for s in self.own.keys() - verdict.awards
        ):
            return False  # all take their own back, and that one was to stay
        return all(
            self._others(seat) if verdict.awards[seat] > 1 else len(cards) <= 1 for seat, cards in self.taken.items()
        )

    def _others(self, seat: Seat) -> bool:
        """Whether a seat took more than its own card, as far as it is known which one that was."""
        return seat not in self.own or bool(self.taken[seat] - {self.own[seat]})


def _first_alone(facts: Facts, decision: Decision, chosen: Verdict, setting: Setting, hands: Hands) -> Decision | None:
    """The decision on one of two calls that seemed at once, if it was likelier first."""
    if chosen.outcome != "contested":
        return None
    found = parted(facts, decision, chosen, setting.options, hands.agree)
    if found is None:
        return None
    alone, verdict = found
    return with_verdict(alone, verdict, _callers(verdict, alone, setting.seats))


def _callers(chosen: Verdict, decision: Decision, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Who must have called if these seats collect: the winner, the tied, or the one left out of a penalty.

    Of a right and a wrong call at once the one that decided is meant: of two players the right one collects.
    """
    right = decision.deciding is not None and decision.deciding.type is decision.due
    if chosen.outcome == "tie" and len(seats) == 2:
        return seats
    if chosen.outcome in ("won", "tie"):
        return tuple(chosen.awards)
    others = tuple(seat for seat in seats if seat not in chosen.awards)
    if chosen.outcome == "contested" and len(seats) == 2 and chosen.awards:
        return tuple(chosen.awards) if right else others
    return others if chosen.outcome in ("penalty", "contested") and len(others) == 1 and not right else ()


def _counted(written: Written, hands: Hands) -> Written | None:
    """How much lay there was in doubt, but just as many cards as were given were seen to be taken."""
    ruling = written.ruling
    asked = tuple([review for review in ruling.reviews if review.code != "review.pot_depends"])
    given = {seat: n for seat, n in ruling.awards.items() if n}
    if len(asked) == len(ruling.reviews) or hands.unknown or {s: len(c) for s, c in hands.taken.items()} != given:
        return None
    note = Message("note.pot_counted", {"n": sum(given.values())})
    ruling = changed(ruling, reviews=asked, notes=(*ruling.notes, note), revision=ruling.revision + 1)
    return changed(written, ruling=ruling)
