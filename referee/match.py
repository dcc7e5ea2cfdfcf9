"""The door to every game: a match is fed with events in time order and gives rulings.

    match = Match(game="rock", options={"early_call": "penalty"})
    for event in events:
        for ruling in match.feed(event): ...
    match.result()

A ruling depends on game, options, seats and event times alone. `SeenTo` may be fed at any time: it makes rulings come
sooner, and never different. A `Correction` may be fed at any time, even after the end: all is ruled again as if what
people said had been seen and heard, and the rulings that differ are given as revisions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.confirming import confirmed
from referee.corrections import ADDED, CLAIMS, Numbered, apply, number_events, voided
from referee.errors import InputError, UsageError
from referee.events import (
    SEATS,
    Correction,
    Event,
    RecordingEnded,
    SeenTo,
)
from referee.messages import Message, check_language
from referee.options import options_for, resolve
from referee.play.hands import HandsPlay
from referee.play.rock import RockPlay
from referee.play.rorschach import RorschachPlay
from referee.play.roster import Roster
from referee.play.setting import Play, Setting, Standing, Waiting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from referee.events import Seat
    from referee.options import Options
    from referee.ruling import Ruling

PLAYERS: dict[str, tuple[int, int]] = {
    "rock": (2, 4),
    "tournament": (2, 4),
    "de": (2, 2),
    "es": (2, 2),
    "hands": (2, 2),
    "rorschach": (3, 8),
}
"""Fewest and most players of each game."""


class Match:
    """One game at one table."""

    def __init__(
        self,
        *,
        game: str = "rock",
        options: Mapping[str, object] | None = None,
        seats: Sequence[Seat] | None = None,
        players: int | None = None,
        language: str = "en",
        played: Options | None = None,
    ) -> None:
        """Set up a table.

        Args:
            game: one of `referee.options.GAMES`.
            options: house rules by name; text or typed values.
            seats: who plays, or None to learn it from the first round.
            players: how many play, if that is known but not where they sit.
            language: of the sentences.
            played: the house rules that the table played by, if they are others than `options`: hands that took the
                cards as these give them contradict nothing.

        Raises:
            UsageError: an unknown game, option, value or language, or a number of players that the game does not have.
        """
        options_for(game)
        self.game = game
        self.options = resolve(game, options or {})
        self.language = check_language(language)
        self.rulings: list[Ruling] = []
        """Every ruling given so far, revisions after what they revise."""
        self._given_seats = tuple(seats) if seats is not None else None
        self._given_players = players
        self._played = played
        self._events: list[Event] = []
        self._corrections: list[Correction] = []
        self._claims = 0
        if players is not None:
            self._check_count(players, UsageError)
        self._begin(UsageError)

    def _begin(self, error: type[InputError | UsageError]) -> None:
        self._roster = Roster(players=self._given_players, fewest=self._fewest_and_most[0])
        self._play: Play | None = None
        self._finished = False
        if self._given_seats is not None:
            self._sit_down(self._given_seats, error)

    # Feeding

    def feed(self, event: Event | SeenTo) -> list[Ruling]:
        """Take one event, in time order; give the rulings that it makes final, and revisions of earlier ones.

        Raises:
            InputError: the first round shows a number of players that the game does not have.
        """
        if isinstance(event, SeenTo):
            out = self._take(event, 0)
        elif isinstance(event, Correction):
            out = self._correct(event)
        else:
            number = 0
            if type(event) in CLAIMS:
                self._claims += 1
                number = self._claims
            self._events.append(event)
            play = self._play
            if self._corrections:
                out = self._take_corrected(Numbered(number, event))
            elif play is None or self._finished or type(event) is RecordingEnded:
                out = self._take(event, number)
            else:
                out = play.feed(event, number)
        if out:
            self.rulings.extend(out)
        return out

    def feed_all(self, events: Iterable[Event | SeenTo]) -> list[Ruling]:
        """Take many events; give all rulings."""
        return [ruling for event in events for ruling in self.feed(event)]

    def _take(self, event: Event | SeenTo, number: int) -> list[Ruling]:
        if self._finished:
            return []
        self._finished = isinstance(event, RecordingEnded)
        if self._play is not None:
            return self._play.feed(event, number)
        return self._take_before_all_sit(event, number)

    def _take_before_all_sit(self, event: Event | SeenTo, number: int) -> list[Ruling]:
        """Keep events until it is known who plays, then take them all."""
        kept = self._roster.feed(event, number)
        if not kept:
            return []
        play = self._sit_down(self._roster.seats, InputError)
        return [ruling for one, its_number in kept for ruling in play.feed(one, its_number)]

    # Corrections

    def _take_corrected(self, numbered: Numbered) -> list[Ruling]:
        """Take an event as people corrected it beforehand."""
        if any(c.kind in ADDED and (c.at_s or 0) >= numbered.event.time_s for c in self._corrections):
            return self._changes()
        past = [c if c.kind not in ADDED else replace(c, at_s=None) for c in self._corrections]
        return [ruling for one in apply([numbered], past) for ruling in self._take(one.event, one.number)]

    def _correct(self, correction: Correction) -> list[Ruling]:
        self._corrections.append(correction)
        return self._changes()

    def _changes(self) -> list[Ruling]:
        """Rule on everything again, corrected; give what differs from the rulings in force."""
        before = {ruling.round: ruling for ruling in self.rulings}
        self._begin(InputError)
        fresh = [
            r
            for numbered in apply(number_events(self._events), self._corrections)
            for r in self._take(numbered.event, numbered.number)
        ]
        out = []
        for ruling in {ruling.round: ruling for ruling in fresh}.values():
            old = before.get(ruling.round)
            if old is None:
                out.append(ruling)
            elif replace(ruling, revision=old.revision) != old:
                out.append(replace(ruling, revision=max(old.revision + 1, ruling.revision)))
        kept = {ruling.round for ruling in fresh}
        return [*out, *(_withdrawn(old) for number, old in before.items() if number not in kept)]

    # What screens need

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays; empty while that is not known yet."""
        return self._play.setting.seats if self._play else ()

    @property
    def waiting_for(self) -> Waiting:
        """What should happen next."""
        if self._finished:
            return Waiting("end")
        return self._play.waiting_for if self._play else Waiting("players")

    @property
    def legal(self) -> tuple[str, ...]:
        """What may be done now."""
        if self._finished:
            return ()
        return self._play.legal if self._play else ("flip",)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Who stands where, best first; empty while nobody is known."""
        return self._play.standings if self._play else ()

    @property
    def in_force(self) -> tuple[Ruling, ...]:
        """The latest ruling on every round."""
        return tuple(r for r in {ruling.round: ruling for ruling in self.rulings}.values() if r.outcome != "withdrawn")

    def result(self) -> dict[str, Any]:
        """The result line of a record: counts, rounds, and who won if the game was played to its end."""
        if self._play is None:
            return {"type": "result", "piles": {}, "pot": 0, "rounds": 0, "finished": False, "winner": None}
        return self._play.result()

    # Players

    @property
    def _fewest_and_most(self) -> tuple[int, int]:
        fewest, most = PLAYERS[self.game]
        return (2 if self.game == "rorschach" and self.options.two_players else fewest), most

    def _sit_down(self, seats: tuple[Seat, ...], error: type[InputError | UsageError]) -> Play:
        if len(set(seats)) != len(seats):
            raise error(f"a seat is named twice: {', '.join(seats)}")
        self._check_count(len(seats), error)
        ordered = tuple(sorted(seats, key=SEATS.index)) if set(seats) <= set(SEATS) else seats
        said = self._corrections
        setting = Setting(self.game, ordered, self.options, self.language, voided(said), confirmed(said), self._played)
        plays: dict[str, type[HandsPlay | RorschachPlay]] = {"hands": HandsPlay, "rorschach": RorschachPlay}
        self._play = plays[self.game](setting) if self.game in plays else RockPlay(setting)
        return self._play

    def _check_count(self, count: int, error: type[InputError | UsageError]) -> None:
        fewest, most = self._fewest_and_most
        if not fewest <= count <= most:
            allowed = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            raise error(f"game {self.game} is for {allowed} players, not {count}")


def _withdrawn(old: Ruling) -> Ruling:
    """A ruling on a round that, as corrected, was none."""
    return replace(
        old,
        outcome="withdrawn",
        awards={},
        message=Message("withdrawn", {"round": old.round}),
        reviews=(),
        notes=(),
        options_used={},
        revision=old.revision + (old.outcome != "withdrawn"),
    )
