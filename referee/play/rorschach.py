"""The flow of Rorschach (2008): a question, dice, tokens; and the inkblots of the variants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from referee.events import (
    BlotRemoved,
    BlotReplaced,
    Dealt,
    DieShown,
    Event,
    QuestionRead,
    RecordingEnded,
    Reshuffled,
    SeatChanged,
    SeenTo,
    TableNotice,
)
from referee.messages import Message
from referee.messages.notices import notice
from referee.play.rorschach_round import RorschachRound
from referee.play.rorschach_writing import Counted, held_tokens, write
from referee.play.setting import Standing, Waiting, ranked
from referee.rules.rorschach import gained, inkblots, tokens, winners

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.events import Seat
    from referee.play.setting import Setting
    from referee.ruling import Ruling


class RorschachPlay:
    """One game of Rorschach."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.rounds = 0
        self.earlier: list[dict[str, Any]] = []
        self._next_notes: list[Message] = []
        self._out: list[Ruling] = []
        self.colours: dict[Seat, str] = {}
        self._deal()

    def _deal(self) -> None:
        self.blots = set(inkblots(len(self.setting.seats)))
        self.held: dict[Seat, frozenset[Seat]] = dict.fromkeys(self.setting.seats, frozenset())
        """Whose tokens each player holds, by seat: a seat stands for its colour."""
        self.open: RorschachRound | None = None
        self.dry = 0
        self.removed: int | None = None
        self.to_replace = False
        self.won: tuple[Seat, ...] = ()

    def feed(self, event: Event | SeenTo, number: int) -> list[Ruling]:
        """Take one event, in time order; give the rulings that it makes final."""
        del number
        if self.open is not None and event.time_s > (deadline := self.open.deadline(self.setting.options)):
            self._close(self.open, deadline)
        handler = self._HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)
        out = self._out
        if out:
            self._out = []
            return out
        return []

    def _begin(self, time_s: float) -> RorschachRound:
        self.rounds += 1
        self.open = RorschachRound(self.rounds, self.setting.seats, time_s, notes=self._next_notes)
        self._next_notes = []
        self.removed = None
        self.to_replace = False
        return self.open

    def _question(self, event: QuestionRead) -> None:
        self._finish(event.time_s)
        if not self.won:
            self._begin(event.time_s).question = event.text

    def _new_game(self, event: Dealt | Reshuffled) -> None:
        self._finish(event.time_s)
        if self.rounds > sum(game["rounds"] for game in self.earlier):
            self.earlier.append(self._counts())
        self._deal()

    # Dice

    def _die(self, event: DieShown) -> None:
        if self.won:
            return
        current = self.open or self._begin(event.time_s)
        seat = current.place(event)
        if seat is not None:
            self._check_colour(current, seat, event)

    def _check_colour(self, current: RorschachRound, seat: Seat, event: DieShown) -> None:
        colour = event.colour or self.colours.get(seat, seat)
        taken = [other for other, own in self.colours.items() if own == colour and other != seat]
        if taken:
            current.review("same_colour", others=(taken[0], seat), colour=colour)
        elif self.colours.setdefault(seat, colour) != colour:
            current.review("colour_changed", seat=seat, colour=colour)

    # Rulings

    def _close(self, current: RorschachRound, end_s: float) -> None:
        self.open = None
        answers = current.answers(self.blots, self.colours, self.setting.options.card_certainty)
        new = gained(self.held, {**dict.fromkeys(self.setting.seats, ()), **tokens(answers)})
        self.held = {seat: self.held[seat].union(new[seat]) for seat in self.setting.seats}
        self.won = winners(self.held)
        self.dry = 0 if any(new.values()) else self.dry + (not current.reviews)
        self._take_blot()
        self.to_replace = self.setting.options.rotating_blots and not self.won
        counted = Counted(new, self.held, self.won, frozenset(self.blots), self.removed)
        self._out.append(write(self.setting, current, counted, end_s))

    def _take_blot(self) -> None:
        """Speed rounds: after enough rounds without a token an inkblot goes, the highest unless people take another."""
        options = self.setting.options
        if options.speed_rounds and self.dry >= options.speed_after and len(self.blots) > 1:
            self.removed = max(self.blots)
            self.blots.discard(self.removed)
            self.dry = 0

    # Inkblots and everything else

    def _blot_removed(self, event: BlotRemoved) -> None:
        self._finish(event.time_s)
        asked = self.removed is not None
        if self.removed is not None:
            self.blots.add(self.removed)
            self.removed = None
        if event.blot not in self.blots or len(self.blots) == 1:
            self._note(Message("note.no_such_blot", {"blot": event.blot}))
            return
        self.blots.discard(event.blot)
        if not asked:
            self._note(Message("note.blot_removed_unasked", {"blot": event.blot}))

    def _blot_replaced(self, event: BlotReplaced) -> None:
        self._finish(event.time_s)
        if event.blot not in self.blots:
            self._note(Message("note.no_such_blot", {"blot": event.blot}))
        elif not self.to_replace:
            self._note(Message("note.blot_replaced_unasked", {"blot": event.blot}))
        self.to_replace = False

    def _note(self, message: Message) -> None:
        notes = self.open.notes if self.open is not None else self._next_notes
        if message not in notes:
            notes.append(message)

    def _move(self, event: SeatChanged) -> None:
        """Seats stand for colours here: a player takes the die along, so only the names change."""
        if event.seat not in self.setting.seats or event.seat == event.to_seat:
            return
        self._finish(event.time_s)
        swap = {event.seat: event.to_seat, event.to_seat: event.seat}
        self.setting = self.setting.moved(swap)
        self.held = {
            swap.get(seat, seat): frozenset(swap.get(token, token) for token in own) for seat, own in self.held.items()
        }
        self.colours = {swap.get(seat, seat): colour for seat, colour in self.colours.items()}
        self.won = tuple(swap.get(seat, seat) for seat in self.won)
        self._note(Message("note.seat_changed", {"seat": event.seat, "to": event.to_seat}))

    def _finish(self, time_s: float) -> None:
        if self.open is None:
            return
        if self.open.dice:
            self._close(self.open, time_s)
        else:
            self.rounds -= 1  # a question without any answer is no round
            self._next_notes = self.open.notes
            self.open = None

    _HANDLERS: ClassVar[dict[type, Callable[[RorschachPlay, Any], None]]] = {
        DieShown: _die,
        QuestionRead: _question,
        BlotRemoved: _blot_removed,
        BlotReplaced: _blot_replaced,
        TableNotice: lambda self, event: self._note(notice(event)),
        Dealt: _new_game,
        Reshuffled: _new_game,
        SeatChanged: _move,
        RecordingEnded: lambda self, event: self._finish(event.time_s),
    }

    # What screens need

    def result(self) -> dict[str, Any]:
        """The result line of a record: the game's counts, and those of games played before the last deal."""
        return self._counts() | ({"games": list(self.earlier)} if self.earlier else {})

    def _counts(self) -> dict[str, Any]:
        return {
            "type": "result",
            "piles": {seat: len(own) for seat, own in self.held.items()},
            "pot": 0,
            "rounds": self.rounds - sum(game["rounds"] for game in self.earlier),
            "finished": bool(self.won),
            "winner": self.won[0] if len(self.won) == 1 else None,
            "winners": list(self.won),
            "held_tokens": held_tokens(self.setting, self.held),
        }

    @property
    def waiting_for(self) -> Waiting:
        """What should happen next."""
        if self.won:
            return Waiting("reshuffle")
        if self.open is None:
            if self.removed is not None:
                return Waiting("remove_blot")
            return Waiting("replace_blot" if self.to_replace else "question")
        return Waiting("answers", self.open.absent) if self.open.absent else Waiting("ruling")

    @property
    def legal(self) -> tuple[str, ...]:
        """What may be done now."""
        by_kind: dict[str, tuple[str, ...]] = {
            "reshuffle": ("deal", "challenge"),
            "remove_blot": ("remove_blot", "ask", "challenge"),
            "replace_blot": ("replace_blot", "ask", "challenge"),
            "question": ("ask", "answer", "challenge"),
            "answers": ("answer",),
            "ruling": ("challenge",),
        }
        return by_kind[self.waiting_for.kind]

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Who holds how many tokens, best first."""
        return ranked({seat: len(own) for seat, own in self.held.items()})
