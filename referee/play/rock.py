"""The flow of ROCK! and its sisters: cards are shown, somebody calls or touches, cards are collected, and so on.

A round opens with its first card and is complete when every seat that still has cards has shown one. It ends a fixed
time after the deciding claim, or when the next round's first card is shown, the cards are collected or the recording
ends. All this depends on event times alone, so a live game and its record are ruled alike.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

from referee.events import (
    CallHeard,
    CardsGone,
    CardShown,
    CardTouched,
    Dealt,
    Event,
    RecordingEnded,
    Reshuffled,
    SeatChanged,
    SeenTo,
    TableNotice,
)
from referee.messages import Message
from referee.messages.notices import notice
from referee.play.collecting import Collecting
from referee.play.ledger import Ledger
from referee.play.rock_view import counts, legal, waiting_for
from referee.play.round import OpenRound
from referee.play.round_ends import begins_next, ends_by_going, parting
from referee.play.setting import Waiting, ranked
from referee.play.wording import late_call
from referee.play.writing import Written, answered, write
from referee.quick import changed
from referee.rules.claims import Claim, from_call, from_touch
from referee.rules.facts import Timing, first_countable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.events import Seat, Type
    from referee.play.setting import Setting, Standing
    from referee.ruling import Ruling

FALSE_START_S = 1.0
"""A call this long before a round's first card belongs to that round as a false start."""
SURELY_LEFT_S = 1.5
"""Cards that nobody took for this long, and for longer than it ever took in this game, were left lying at the end."""


class RockPlay:
    """One game of ROCK!, Tournament ROCK!, or the German or Spanish sheet."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._touch = setting.touch
        self._dealt = False
        self.ledger = Ledger.dealt(setting.seats, setting.options.cards)
        self.rounds = 0
        self.open: OpenRound | None = None
        self.collecting: Collecting | None = None
        self.known: dict[int, Type | None] = {}
        """Types of all cards in the centre, by running number."""
        self._seen: set[int] = set()
        self._loose: list[Claim] = []
        self._next_notes: list[Message] = []
        self._was_collected = False
        """Whether any cards were seen to be collected."""
        self._slowest_s = SURELY_LEFT_S
        """The longest that it took until somebody collected."""
        self._was_to_collect = False
        """Whether anybody was to collect before the last ruling; until then that nobody did is no wonder."""
        self.earlier: list[dict[str, Any]] = []
        """Results of games that were played before the cards were dealt again."""
        self._out: list[Ruling] = []

    def feed(self, event: Event | SeenTo, number: int) -> list[Ruling]:
        """Take one event, in time order; give the rulings that it makes final."""
        current = self.open
        if current is not None and current.first_claim is not None:
            deadline = self._deadline(current)
            if event.time_s > deadline:
                self._close(current, deadline)
        handler = self._HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event, number)
        out = self._out
        if out:
            self._out = []
            return out
        return []

    def _deadline(self, current: OpenRound) -> float:
        """When nothing that is heard can change the open round any more."""
        if current.first_claim is None:
            return inf
        return max(current.first_claim.time_s, current.last_s) + self.setting.options.settle_s

    # Cards

    def _shown(self, event: CardShown, _number: int) -> None:
        if event.card in self._seen:
            return  # the same card, reported twice
        self._seen.add(event.card)
        self.known[event.card] = event.type
        seat = event.seat if event.seat in self.setting.seats else None
        current = self.open
        if current is not None and begins_next(current, seat, event, self.setting.options):
            self._split_or_close(current, seat, event)
            current = None
        current = self.open or self._begin(event)
        self._place(current, seat, event)
        if current.claims:
            self._check_complete(current)
        if self.collecting is not None and (event.type is not None or not current.ghost):
            self._finish_collecting(left=self._was_collected or (bool(event.corners) and not self._was_to_collect))

    def _split_or_close(self, current: OpenRound, seat: Seat | None, event: CardShown) -> None:
        """End the open round; cards shown just now, after a seat's card that is long past, belong to the next one."""
        recent = parting(current, seat, event, self.setting.options)
        if not recent:
            self._close(current, event.time_s)
            return
        for moved in recent:
            del current.cards[moved]
        current.recount()
        start_s = min(card.time_s for card in recent.values())
        claims = [claim for claim in current.claims if claim.time_s >= start_s - FALSE_START_S]
        current.claims = [claim for claim in current.claims if claim not in claims]
        self._close(current, start_s)
        following = self._begin(min(recent.values(), key=lambda card: card.time_s))
        following.cards.update(recent)
        following.recount()
        following.claims = claims

    def _begin(self, event: CardShown) -> OpenRound:
        self.rounds += 1
        ledger = self.ledger
        with_cards = tuple([seat for seat in self.setting.seats if ledger.draw[seat] > 0])
        current = OpenRound(self.rounds, with_cards or self.setting.seats)
        current.notes, self._next_notes = self._next_notes, []
        if self._loose:
            self._take_loose(current, event.time_s - FALSE_START_S)
        self.open = current
        return current

    def _take_loose(self, current: OpenRound, since_s: float) -> None:
        """Calls between the rounds: the last of them are false starts, those after a ruling change nothing."""
        current.claims = [claim for claim in self._loose if claim.time_s >= since_s]
        if current.number > 1 and not self._touch:
            for claim in self._loose:
                if claim.time_s < since_s and claim.accepted and claim.type is not None:
                    current.note(late_call(claim, self.setting))
        self._loose = []

    def _place(self, current: OpenRound, seat: Seat | None, event: CardShown) -> None:
        if event.seat is not None and seat is None:
            current.review(Message("review.not_playing", {"seat": event.seat}))
        if seat is None:
            if current.complete:
                current.extras.append(event)
                current.review(Message("review.extra_card"))
            else:
                current.unplaced.append(event)
                current.count(event)
        elif seat in current.returned:
            current.returned.discard(seat)
            current.replaced.append(current.cards[seat])
            current.cards[seat] = event
            current.recount()
        elif seat in current.cards:
            current.extras.append(event)
            current.review(Message("review.double_flip", {"seat": seat}))
        else:
            late = bool(current.cards) and event.time_s - current.first_s > self.setting.options.gap_s
            current.cards[seat] = event
            current.count(event)
            if late:
                current.note(Message("note.late_flip", {"seat": seat}))

    def _check_complete(self, current: OpenRound) -> None:
        if current.first_claim is None and current.complete:
            current.first_claim = first_countable(self._timing(current), current.claims, self.setting.options)

    # Claims

    def _called(self, event: CallHeard, number: int) -> None:
        claim = from_call(number, event)
        if self._touch and number >= 0:  # what people add is a touch here
            claim = changed(claim, accepted=False, reason=claim.reason or "only touches count")
        current = self.open
        if current is None:
            self._loose.append(claim)
            return
        current.claims.append(claim)
        if claim.accepted and claim.type is not None:
            self._check_complete(current)

    def _touched(self, event: CardTouched, number: int) -> None:
        if self._touch:
            claim = from_touch(number, event, self.known.get(event.card), in_centre=event.card in self.known)
            if self.open is not None:
                self.open.claims.append(claim)
                self._check_complete(self.open)

    def _timing(self, current: OpenRound) -> Timing:
        return Timing(current.last_s, current.last_sigma_ms, self._touch)

    # Leaving the centre

    def _gone(self, event: CardsGone, _number: int) -> None:
        current = self.open
        ids = {card for card in event.cards if card in self.known}
        if current is None or not ids & current.ids:
            if self.collecting is not None and ids:
                self.collecting.gone.append(event)
            self._forget(ids)
            return
        if current.first_claim is None and ends_by_going(current, event, ids, self.setting.options):
            self._close(current, event.time_s)
            if self.collecting is not None:
                self.collecting.gone.append(event)
            self._forget(ids)
        elif not current.complete or current.returned:
            self._taken_back(current, ids)
        else:
            current.gone.append(event)
            if current.first_claim is None:
                current.review(Message("review.moved_early"))

    def _taken_back(self, current: OpenRound, ids: set[int]) -> None:
        for seat, card in current.cards.items():
            if card.card in ids:
                current.returned.add(seat)
                current.review(Message("review.taken_back", {"seat": seat}))

    def _forget(self, ids: set[int]) -> None:
        for card in ids:
            self.known.pop(card, None)

    # Mistakes and changes at the table

    def _note(self, message: Message) -> None:
        """Say something with the open round, or else with the next one."""
        if self.open is not None:
            self.open.note(message)
        elif message not in self._next_notes:
            self._next_notes.append(message)

    def _new_game(self, time_s: float, dealt: Mapping[Seat, int] | None) -> None:
        """Cards were dealt: what was counted before belongs to an earlier game."""
        self._finish(time_s)
        if self.rounds > sum(game["rounds"] for game in self.earlier):
            self.earlier.append(self._counts())
        self.ledger = Ledger.dealt(self.setting.seats, self.setting.options.cards)
        self.known.clear()
        self._dealt = True
        if dealt is None:
            return
        self.ledger.draw = {seat: dealt.get(seat, 0) for seat in self.setting.seats}
        self.ledger.aside = 0
        if len(set(self.ledger.draw.values())) > 1:
            self._note(Message("note.uneven_deal"))

    def _move(self, event: SeatChanged) -> None:
        """A player sits elsewhere now, with all that is theirs; if somebody sat there, the two changed places."""
        if event.seat not in self.setting.seats or event.seat == event.to_seat:
            return
        self._finish(event.time_s)
        swap = {event.seat: event.to_seat, event.to_seat: event.seat}
        self.setting = self.setting.moved(swap)
        self.ledger = self.ledger.moved(swap)
        self._note(Message("note.seat_changed", {"seat": event.seat, "to": event.to_seat}))

    # Ends

    def _finish(self, time_s: float) -> None:
        if self.open is not None:
            self._close(self.open, time_s)
        waited_s = time_s - self.collecting.written.ruling.time_s if self.collecting is not None else 0.0
        self._finish_collecting(left=self._was_collected and waited_s > self._slowest_s)

    def _close(self, current: OpenRound, end_s: float) -> None:
        self.open = None
        if current.ghost:
            self.rounds -= 1
            self._loose = list(current.claims)
            self._next_notes = [*current.notes, Message("note.ghost")]
            return
        self._finish_collecting()
        written = answered(self.setting, write(self.setting, current, self.ledger, end_s))
        self._emit(written)
        self.collecting = Collecting(written, list(current.gone))
        for event in current.gone:
            self._forget(set(event.cards))

    def _finish_collecting(self, *, left: bool = False) -> None:
        """What the hands took after the last ruling, or left, may answer or contradict it."""
        if self.collecting is None:
            return
        revised = self.collecting.conclude(self.setting, left=left)
        if self.collecting.gone:
            self._was_collected = True
            self._slowest_s = max(self._slowest_s, self.collecting.delay_s)
        alternatives = self.collecting.written.decision.alternatives
        self._was_to_collect = self._was_to_collect or any(verdict.awards for verdict in alternatives)
        self.collecting = None
        if revised is not None:
            self._emit(answered(self.setting, revised))

    def _emit(self, written: Written) -> None:
        self.ledger = written.after
        self._out.append(written.ruling)

    _HANDLERS: ClassVar[dict[type, Callable[[RockPlay, Any, int], None]]] = {
        CardShown: _shown,
        CallHeard: _called,
        CardsGone: _gone,
        CardTouched: _touched,
        TableNotice: lambda self, event, _: self._note(notice(event)),
        Dealt: lambda self, event, _: self._new_game(event.time_s, event.cards),
        Reshuffled: lambda self, event, _: self._new_game(event.time_s, None),
        SeatChanged: lambda self, event, _: self._move(event),
        RecordingEnded: lambda self, event, _: self._finish(event.time_s),
    }
    """One table for all games, so that a game that is over holds no reference to itself and goes at once."""

    def result(self) -> dict[str, Any]:
        """The result line of a record: the game's counts, and those of games played before the last deal."""
        return self._counts() | ({"games": list(self.earlier)} if self.earlier else {})

    def _counts(self) -> dict[str, Any]:
        rounds = self.rounds - sum(game["rounds"] for game in self.earlier)
        return counts(self.ledger, self.setting.options, rounds)

    @property
    def waiting_for(self) -> Waiting:
        """What should happen next."""
        if not self.rounds and not self._dealt:
            return Waiting("deal")
        return waiting_for(self.setting, self.open, self.collecting, self.ledger)

    @property
    def legal(self) -> tuple[str, ...]:
        """What may be done now."""
        return legal(self.setting, self.waiting_for.kind)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Who stands where, best first."""
        return ranked(self.ledger.piles, self.ledger.draw)
