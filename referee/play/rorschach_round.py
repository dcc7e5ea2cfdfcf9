"""One round of Rorschach: a question, the dice that were shown for it, and which of them count."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

from referee.messages import Message

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from referee.events import DieShown, Seat
    from referee.options import Options


@dataclass(slots=True)
class RorschachRound:
    """A question and the dice shown for it."""

    number: int
    seats: tuple[Seat, ...]
    last_s: float
    """When the last die could be seen; until then, when the question was read."""
    question: str = ""
    dice: dict[Seat, DieShown] = field(default_factory=dict)
    reviews: list[Message] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)

    @property
    def absent(self) -> tuple[Seat, ...]:
        """Who has not shown a die."""
        return tuple([seat for seat in self.seats if seat not in self.dice])

    def deadline(self, options: Options) -> float:
        """When the dice that were shown cannot be changed any more; never while one is missing."""
        return self.last_s + options.settle_s if len(self.dice) == len(self.seats) else inf

    def review(self, code: str, **values: Any) -> None:
        """Ask people about this, once."""
        message = Message(f"review.{code}", values)
        if message not in self.reviews:
            self.reviews.append(message)

    def place(self, die: DieShown) -> Seat | None:
        """Take a die; gives whose it is if that player had not shown one, else None."""
        seat = self._owner(die)
        if seat is None:
            return None
        before = self.dice.get(seat)
        if before is not None:
            if before.value != die.value:
                self.review("die_turned", seat=seat, first=before.value, second=die.value)
            return None
        self.last_s = max(self.last_s, die.time_s) if self.dice else die.time_s
        self.dice[seat] = die
        return seat

    def _owner(self, die: DieShown) -> Seat | None:
        """Whose die it is; one of nobody known belongs to the only player without one."""
        if die.seat in self.seats:
            return die.seat
        if die.seat is not None:
            self.review("not_playing", seat=die.seat)
            return None
        absent = self.absent
        if len(absent) == 1:
            self.notes.append(Message("note.seat_inferred", {"seat": absent[0]}))
            return absent[0]
        self.review("die_of_nobody")
        return None

    def answers(self, blots: Collection[int], colours: Mapping[Seat, str], least: float) -> dict[Seat, int | None]:
        """The answers that count; None where a die could not be read or was not seen.

        Args:
            blots: the numbers on the table.
            colours: each player's colour, as far as it was seen: a die of another's colour does not count.
            least: how certain a die must be; below it people are asked.
        """
        answers: dict[Seat, int | None] = {}
        for seat in self.seats:
            die = self.dice.get(seat)
            if die is None:
                self.review("die_missing", seat=seat)
                answers[seat] = None
            elif die.colour and any(own == die.colour and other != seat for other, own in colours.items()):
                continue
            elif die.value is None:
                self.review("die_unread", seat=seat, reason=die.reason)
                answers[seat] = None
            elif die.value not in blots:
                self.review("no_such_blot", seat=seat, value=die.value, n=len(blots))
            else:
                if die.confidence < least:
                    self.review("die_unsure", seat=seat, value=die.value)
                answers[seat] = die.value
        return answers
