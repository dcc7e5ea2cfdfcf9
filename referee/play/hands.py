"""The flow of three-card hands: pairs of reveals, one ruling a round. No calls; the cards alone decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from referee.events import (
    CardsGone,
    CardShown,
    Dealt,
    Event,
    HandDrawn,
    RecordingEnded,
    Reshuffled,
    SeatChanged,
    SeenTo,
    TableNotice,
)
from referee.messages import Message
from referee.messages.notices import notice
from referee.play.hands_round import HandsRound, conclude
from referee.play.hands_writing import must_draw, write
from referee.play.setting import Standing, Waiting, ranked
from referee.rules.hands import Holding, dealt

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.events import Seat
    from referee.play.setting import Setting
    from referee.ruling import Ruling


class HandsPlay:
    """One game of three-card hands."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.rounds = 0
        self.earlier: list[dict[str, Any]] = []
        self._seen: set[int] = set()
        self._next_notes: list[Message] = []
        self._out: list[Ruling] = []
        self._dealt = False
        self._deal()

    def _deal(self) -> None:
        self.holdings: dict[Seat, Holding] = {s: dealt(self.setting.options.hand_cards) for s in self.setting.seats}
        self.open: HandsRound | None = None
        self.must_draw: tuple[Seat, ...] = ()
        self.winner: Seat | None = None
        self.finished = False
        self.doubts: tuple[int, ...] = ()

    def feed(self, event: Event | SeenTo, number: int) -> list[Ruling]:
        """Take one event, in time order; give the rulings that it makes final."""
        del number
        current = self.open
        if current is not None and current.complete:
            deadline = current.last_s + self.setting.options.settle_s
            if event.time_s > deadline:
                self._pair_ended(current, deadline)
        handler = self._HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)
        out = self._out
        if out:
            self._out = []
            return out
        return []

    # Cards

    def _shown(self, event: CardShown) -> None:
        if event.card in self._seen or self.finished:
            return
        self._seen.add(event.card)
        seat = event.seat if event.seat in self.setting.seats else None
        current = self.open
        if current is not None and current.pair and self._begins_next(current, seat, event):
            self._pair_ended(current, event.time_s)
        current = self.open or self._begin()
        self.must_draw = ()
        if event.seat is not None and seat is None:
            current.review(Message("review.not_playing", {"seat": event.seat}))
        current.place(seat, event)

    def _begins_next(self, current: HandsRound, seat: Seat | None, event: CardShown) -> bool:
        options = self.setting.options
        if current.complete:
            return event.time_s - current.last_s > options.double_flip_s
        return seat in current.pair and event.time_s - current.last_s > options.gap_s

    def _begin(self) -> HandsRound:
        self.rounds += 1
        self.open = HandsRound(self.rounds, self.setting.seats, notes=self._next_notes)
        self._next_notes = []
        return self.open

    def _pair_ended(self, current: HandsRound, end_s: float) -> None:
        """Compare a pair: a tie goes on with another card of the hand, all else ends the round."""
        if current.goes_on():
            return
        self._close(current, end_s)

    def _close(self, current: HandsRound, end_s: float) -> None:
        made = conclude(self.setting, current, self.holdings)
        self._out.append(write(self.setting, current, made, end_s, self.doubts))
        self.open = None
        self.holdings = made.holdings
        out = made.out
        self.must_draw = must_draw(self.setting, made, out)
        if made.tail == "open":
            self.doubts = (*self.doubts, current.number)
        if out:
            self.finished = True
            self.winner = next((seat for seat in self.setting.seats if seat not in out), None)

    # Everything else at the table

    def _gone(self, event: CardsGone) -> None:
        current = self.open
        if current is None or not current.pair:
            return
        if current.complete:
            self._pair_ended(current, event.time_s)
        elif event.time_s - current.last_s <= self.setting.options.gap_s:
            current.take_back(event.cards)

    def _drawn(self, event: HandDrawn) -> None:
        if event.seat in self.must_draw:
            self.must_draw = tuple(seat for seat in self.must_draw if seat != event.seat)
        elif event.seat in self.setting.seats:
            self._note(Message("note.drew_unasked", {"seat": event.seat}))

    def _note(self, message: Message) -> None:
        notes = self.open.notes if self.open is not None else self._next_notes
        if message not in notes:
            notes.append(message)

    def _new_game(self, time_s: float) -> None:
        self._finish(time_s)
        if self.rounds > sum(game["rounds"] for game in self.earlier):
            self.earlier.append(self._counts())
        self._dealt = True
        self._deal()

    def _move(self, event: SeatChanged) -> None:
        if event.seat not in self.setting.seats or event.seat == event.to_seat:
            return
        self._finish(event.time_s)
        swap = {event.seat: event.to_seat, event.to_seat: event.seat}
        self.setting = self.setting.moved(swap)
        self.holdings = {swap.get(seat, seat): holding for seat, holding in self.holdings.items()}
        self.must_draw = tuple(swap.get(seat, seat) for seat in self.must_draw)
        self.winner = swap.get(self.winner, self.winner) if self.winner else None
        self._note(Message("note.seat_changed", {"seat": event.seat, "to": event.to_seat}))

    def _finish(self, time_s: float) -> None:
        current = self.open
        if current is None:
            return
        if current.pair:
            self._pair_ended(current, time_s)
        if self.open is not None:
            self._close(self.open, time_s)

    _HANDLERS: ClassVar[dict[type, Callable[[HandsPlay, Any], None]]] = {
        CardShown: _shown,
        CardsGone: _gone,
        HandDrawn: _drawn,
        TableNotice: lambda self, event: self._note(notice(event)),
        Dealt: lambda self, event: self._new_game(event.time_s),
        Reshuffled: lambda self, event: self._new_game(event.time_s),
        SeatChanged: _move,
        RecordingEnded: lambda self, event: self._finish(event.time_s),
    }

    # What screens need

    def result(self) -> dict[str, Any]:
        """The result line of a record: the game's counts, and those of games played before the last deal."""
        return self._counts() | ({"games": list(self.earlier)} if self.earlier else {})

    def _counts(self) -> dict[str, Any]:
        certain = not self.doubts
        return {
            "type": "result",
            "piles": {seat: holding.deck for seat, holding in self.holdings.items()},
            "pot": 0,
            "rounds": self.rounds - sum(game["rounds"] for game in self.earlier),
            "finished": self.finished,
            "winner": self.winner if self.finished and certain else None,
            "hands_left": {seat: holding.hands_left for seat, holding in self.holdings.items()},
            "discarded": {seat: holding.discarded for seat, holding in self.holdings.items()},
            "in_hand": {seat: holding.hand for seat, holding in self.holdings.items()},
            "depends_on": list(self.doubts),
        }

    @property
    def waiting_for(self) -> Waiting:
        """What should happen next."""
        if self.finished:
            return Waiting("reshuffle")
        if not self.rounds and not self._dealt:
            return Waiting("deal")
        if self.must_draw:
            return Waiting("draw", self.must_draw)
        if self.open is not None and self.open.complete:
            return Waiting("ruling")
        shown = self.open.pair if self.open is not None else {}
        return Waiting("reveal", tuple(seat for seat in self.setting.seats if seat not in shown))

    @property
    def legal(self) -> tuple[str, ...]:
        """What may be done now."""
        by_kind: dict[str, tuple[str, ...]] = {
            "deal": ("deal", "flip"),
            "draw": ("draw", "flip", "challenge"),
            "ruling": ("challenge",),
            "reshuffle": ("deal", "challenge"),
        }
        return by_kind.get(self.waiting_for.kind, ("flip",))

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Who has how many hands left, best first."""
        hands = {seat: holding.hands_left + (not holding.out) for seat, holding in self.holdings.items()}
        return ranked(hands, {seat: holding.deck for seat, holding in self.holdings.items()})
