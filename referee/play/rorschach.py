"""The flow of Rorschach (2008): a question, dice, tokens; and the inkblots of the variants."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

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
from referee.play.setting import Standing, Waiting, ranked
from referee.rules.rorschach import gained, inkblots, tokens, winners
from referee.ruling import Ruling

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.events import Seat
    from referee.play.setting import Setting


@dataclass(slots=True)
class _Round:
    """A question and the dice shown for it."""

    number: int
    opened_s: float
    question: str = ""
    dice: dict[Seat, DieShown] = field(default_factory=dict)
    reviews: list[Message] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)

    @property
    def last_s(self) -> float:
        """When the last die could be seen."""
        return max((die.time_s for die in self.dice.values()), default=self.opened_s)

    def review(self, code: str, **values: Any) -> None:
        """Ask people about this, once."""
        message = Message(f"review.{code}", values)
        if message not in self.reviews:
            self.reviews.append(message)


class RorschachPlay:
    """One game of Rorschach."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.rounds = 0
        self.earlier: list[dict[str, Any]] = []
        self._next_notes: list[Message] = []
        self._out: list[Ruling] = []
        self.colours: dict[Seat, str] = {}
        self._handlers: dict[type, Callable[[Any], None]] = {
            DieShown: self._die,
            QuestionRead: self._question,
            BlotRemoved: self._blot_removed,
            BlotReplaced: self._blot_replaced,
            TableNotice: lambda event: self._note(notice(event)),
            Dealt: self._new_game,
            Reshuffled: self._new_game,
            SeatChanged: self._move,
            RecordingEnded: lambda event: self._finish(event.time_s),
        }
        self._deal()

    def _deal(self) -> None:
        self.blots = set(inkblots(len(self.setting.seats)))
        self.held: dict[Seat, frozenset[Seat]] = dict.fromkeys(self.setting.seats, frozenset())
        """Whose tokens each player holds, by seat: a seat stands for its colour."""
        self.open: _Round | None = None
        self.dry = 0
        self.removed: int | None = None
        self.to_replace = False
        self.won: tuple[Seat, ...] = ()

    def feed(self, event: Event | SeenTo, number: int) -> list[Ruling]:
        """Take one event, in time order; give the rulings that it makes final."""
        del number
        if self.open is not None and event.time_s > self._deadline(self.open):
            self._close(self.open, self._deadline(self.open))
        handler = self._handlers.get(type(event))
        if handler is not None:
            handler(event)
        out, self._out = self._out, []
        return out

    def _deadline(self, current: _Round) -> float:
        complete = len(current.dice) == len(self.setting.seats)
        return current.last_s + self.setting.options.settle_s if complete else inf

    def _begin(self, time_s: float) -> _Round:
        self.rounds += 1
        self.open = _Round(self.rounds, time_s, notes=self._next_notes)
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
        seat = self._seat(current, event)
        if seat is None:
            return
        old = current.dice.get(seat)
        if old is None:
            current.dice[seat] = event
            self._check_colour(current, seat, event)
        elif old.value != event.value:
            current.review("die_turned", seat=seat, first=old.value, second=event.value)

    def _seat(self, current: _Round, event: DieShown) -> Seat | None:
        absent = [seat for seat in self.setting.seats if seat not in current.dice]
        if event.seat is None:
            if len(absent) == 1:
                current.notes.append(Message("note.seat_inferred", {"seat": absent[0]}))
                return absent[0]
            current.review("die_of_nobody")
            return None
        if event.seat not in self.setting.seats:
            current.review("not_playing", seat=event.seat)
            return None
        return event.seat

    def _check_colour(self, current: _Round, seat: Seat, event: DieShown) -> None:
        colour = event.colour or self.colours.get(seat, seat)
        taken = [other for other, own in self.colours.items() if own == colour and other != seat]
        if taken:
            current.review("same_colour", others=(taken[0], seat), colour=colour)
        elif self.colours.setdefault(seat, colour) != colour:
            current.review("colour_changed", seat=seat, colour=colour)

    def _clashes(self, seat: Seat, die: DieShown) -> bool:
        """Whether the player's die has a colour that is another's."""
        return bool(die.colour) and any(own == die.colour and other != seat for other, own in self.colours.items())

    # Rulings

    def _close(self, current: _Round, end_s: float) -> None:
        self.open = None
        answers = self._answers(current)
        new = gained(self.held, {**dict.fromkeys(self.setting.seats, ()), **tokens(answers)})
        self.held = {seat: self.held[seat] | set(new[seat]) for seat in self.setting.seats}
        self.won = winners(self.held)
        self.dry = 0 if any(new.values()) else self.dry + (not current.reviews)
        self._take_blot()
        self.to_replace = self.setting.options.rotating_blots and not self.won
        self._out.append(self._ruling(current, new, end_s))

    def _answers(self, current: _Round) -> dict[Seat, int | None]:
        """The answers that count; None where a die could not be read or was not seen."""
        answers: dict[Seat, int | None] = {}
        for seat in self.setting.seats:
            die = current.dice.get(seat)
            if die is None:
                current.review("die_missing", seat=seat)
                answers[seat] = None
            elif self._clashes(seat, die):
                continue
            elif die.value is None:
                current.review("die_unread", seat=seat, reason=die.reason)
                answers[seat] = None
            elif die.value not in self.blots:
                current.review("no_such_blot", seat=seat, value=die.value, n=len(self.blots))
            else:
                if die.confidence < self.setting.options.card_certainty:
                    current.review("die_unsure", seat=seat, value=die.value)
                answers[seat] = die.value
        return answers

    def _take_blot(self) -> None:
        """Speed rounds: after enough rounds without a token an inkblot goes, the highest unless people take another."""
        options = self.setting.options
        if options.speed_rounds and self.dry >= options.speed_after and len(self.blots) > 1:
            self.removed = max(self.blots)
            self.blots.discard(self.removed)
            self.dry = 0

    def _ruling(self, current: _Round, new: dict[Seat, list[Seat]], end_s: float) -> Ruling:
        count = sum(map(len, new.values()))
        tail = "won" if self.won else "tokens" if count else "none"
        removed = ".removed" if self.removed is not None else ""
        values = {
            "others": self.won or tuple(seat for seat in self.setting.seats if new[seat]),
            "n": count,
            "blot": self.removed,
            "blots": len(self.blots),
            "winners": len(self.won),
        }
        used = {"speed_after": self.setting.options.speed_after} if removed else {}
        return Ruling(
            round=current.number,
            time_s=current.last_s,
            cards={},
            due=None,
            decided_by="reveal",
            first=None,
            calls=(),
            outcome=tail,
            awards={seat: len(taken) for seat, taken in new.items() if taken},
            pot=0,
            piles={seat: len(own) for seat, own in self.held.items()},
            rule=f"rorschach.{tail}",
            message=Message(f"rorschach.{tail}{removed}", values),
            reviews=tuple(current.reviews),
            notes=tuple(current.notes),
            options_used=used,
            language=self.setting.language,
            evidence={"end_s": round(end_s, 6), "reveal_s": {s: round(d.time_s, 6) for s, d in current.dice.items()}},
            extra=self._extra(current, new),
        )

    def _extra(self, current: _Round, new: dict[Seat, list[Seat]]) -> dict[str, Any]:
        return {
            "question": current.question,
            "dice": {seat: current.dice[seat].value if seat in current.dice else None for seat in self.setting.seats},
            "tokens": {seat: list(taken) for seat, taken in new.items() if taken},
            "held_tokens": {seat: [s for s in self.setting.seats if s in own] for seat, own in self.held.items()},
            "blots": sorted(self.blots),
            "removed_blot": self.removed,
            "winners": list(self.won),
        }

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
            "held_tokens": {seat: [s for s in self.setting.seats if s in own] for seat, own in self.held.items()},
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
        absent = tuple(seat for seat in self.setting.seats if seat not in self.open.dice)
        return Waiting("answers", absent) if absent else Waiting("ruling")

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
