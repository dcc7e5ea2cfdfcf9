"""What the hands do after a ruling: it may answer who called, or contradict the ruling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.messages import Message
from referee.play.wording import headline
from referee.play.writing import Written, first_of, rule_name, settle, with_verdict
from referee.quick import changed
from referee.rules.otherwise import explained

if TYPE_CHECKING:
    from referee.events import CardsGone, Seat
    from referee.play.setting import Setting
    from referee.rules.judgement import Decision
    from referee.rules.rock import Verdict


_ANSWERED = frozenset({"review.who_called", "review.who_touched", "review.who_tied", "review.same_voice"})


@dataclass(slots=True)
class Collecting:
    """The time between a ruling and the next round's first card."""

    written: Written
    gone: list[CardsGone]

    def conclude(self, setting: Setting) -> Written | None:
        """The ruling as the collecting hands changed it, or None if they did not."""
        if not self.gone or setting.options.collection == "ignore":
            return None
        takers = {event.to_seat for event in self.gone}
        collectors = {seat for seat in setting.seats if seat in takers}
        if not collectors:
            return None
        if self.written.decision.verdict is None:
            return self._answered(setting, collectors)
        return self._explained(setting, collectors) or self._contradicted(collectors)

    def owed(self, setting: Setting) -> tuple[Seat, ...]:
        """Who has not yet collected what they were given."""
        taken = {event.to_seat for event in self.gone}
        return tuple(seat for seat in setting.seats if self.written.ruling.awards.get(seat) and seat not in taken)

    def _answered(self, setting: Setting, collectors: set[Seat]) -> Written | None:
        """Nobody could tell who called, but who collected was seen: then the table has decided."""
        decision = self.written.decision
        fitting = [v for v in decision.alternatives if v.awards and set(v.awards) == collectors]
        if len(fitting) != 1 or not decision.due_known:
            return None
        chosen = fitting[0]
        kept = tuple(r for r in self.written.ruling.reviews if r.code not in _ANSWERED)
        asked = Message("review.table_says", {"others": tuple(chosen.awards)})
        reviews = kept if setting.options.collection == "accept" else (*kept, asked)
        return self._revised(setting, with_verdict(decision, chosen, _callers(chosen, setting.seats)), reviews)

    def _explained(self, setting: Setting, collectors: set[Seat]) -> Written | None:
        """In doubt, and the cards went to others: the reading that explains it, if there is one, is ruled and asked."""
        if set(self.written.ruling.awards) == collectors:
            return None
        found = explained(self.written.facts, self.written.decision, setting.options, collectors)
        if found is None:
            return None
        decision, chosen = found
        if decision.verdict is None:
            decision = with_verdict(decision, chosen, _callers(chosen, setting.seats))
        own = self.written.decision.reviews
        kept = [review for review in self.written.ruling.reviews if review not in own]
        doubts = [review for review in decision.reviews if review.code not in _ANSWERED]
        asked = [Message("review.table_says_otherwise", {"others": tuple(chosen.awards)})]
        pot = self.written.before.pot_unsure
        if pot and not any(review.code == "review.pot_depends" for review in kept):
            asked.append(Message("review.pot_depends", {"rounds": pot}))
        return self._revised(setting, decision, (*kept, *doubts, *asked))

    def _revised(self, setting: Setting, decided: Decision, reviews: tuple[Message, ...]) -> Written:
        """The ruling as the table decided it."""
        written = self.written
        after = written.before.copy()
        awards = settle(after, decided, written.ruling.round, written.before)
        ruling = changed(
            written.ruling,
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
            options_used={**written.ruling.options_used, "collection": setting.options.collection},
            tied=decided.tied,
            revision=written.ruling.revision + 1,
        )
        return changed(written, ruling=ruling, decision=decided, after=after)

    def _contradicted(self, collectors: set[Seat]) -> Written | None:
        """Somebody took cards that the ruling did not give: the ruling stands, and people are told."""
        entitled = self.written.ruling.awards
        wrong = tuple([seat for seat in self.written.before.piles if seat in collectors and seat not in entitled])
        if not wrong:
            return None
        reviews = (*self.written.ruling.reviews, Message("review.collected_by_other", {"others": wrong}))
        ruling = changed(self.written.ruling, reviews=reviews, revision=self.written.ruling.revision + 1)
        return changed(self.written, ruling=ruling)


def _callers(chosen: Verdict, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Who must have called if these seats collect: the winner, the tied, or the one left out of a penalty."""
    if chosen.outcome in ("won", "tie"):
        return tuple(chosen.awards)
    others = tuple(seat for seat in seats if seat not in chosen.awards)
    return others if chosen.outcome == "penalty" and len(others) == 1 else ()
