"""What the hands do after a ruling: it may answer who called, or contradict the ruling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.messages import Message
from referee.play.wording import headline
from referee.play.writing import Written, settle, with_verdict
from referee.quick import changed

if TYPE_CHECKING:
    from referee.events import CardsGone, Seat
    from referee.play.setting import Setting
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
        return self._contradicted(collectors)

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
        decided = with_verdict(decision, chosen, _callers(chosen, setting.seats))
        after = self.written.before.copy()
        awards = settle(after, decided, self.written.ruling.round, self.written.before)
        kept = tuple(r for r in self.written.ruling.reviews if r.code not in _ANSWERED)
        asked = Message("review.table_says", {"others": tuple(chosen.awards)})
        reviews = kept if setting.options.collection == "accept" else (*kept, asked)
        ruling = changed(
            self.written.ruling,
            decided_by="table",
            outcome=chosen.outcome,
            first=changed(self.written.ruling.first, seat=decided.seat) if self.written.ruling.first else None,
            awards=awards,
            piles=after.piles,
            pot=after.pot,
            held=after.held,
            depends_on=after.open_rounds,
            message=headline(self.written.facts, decided, after.pot),
            reviews=reviews,
            options_used={**self.written.ruling.options_used, "collection": setting.options.collection},
            tied=decided.tied,
            revision=self.written.ruling.revision + 1,
        )
        return changed(self.written, ruling=ruling, decision=decided, after=after)

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
