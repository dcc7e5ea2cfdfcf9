"""The door to every game: a match is fed with events in time order and gives rulings.

    match = Match(game="rock", options={"early_call": "penalty"})
    for event in events:
        for ruling in match.feed(event): ...
    match.result()

A ruling depends on game, options, seats and event times alone. `SeenTo` may be fed at any time: it makes rulings come
sooner, and never different.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.errors import InputError, UsageError
from referee.events import SEATS, Event, RecordingEnded, SeenTo
from referee.messages import check_language
from referee.options import options_for, resolve
from referee.play.rock import RockPlay, Setting
from referee.play.roster import Roster

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.events import Seat
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
    ) -> None:
        """Set up a table.

        Args:
            game: one of `referee.options.GAMES`.
            options: house rules by name; text or typed values.
            seats: who plays, or None to learn it from the first round.
            players: how many play, if that is known but not where they sit.
            language: of the sentences.

        Raises:
            UsageError: an unknown game, option, value or language, or a number of players that the game does not have.
        """
        options_for(game)
        self.game = game
        self.options = resolve(game, options or {})
        self.language = check_language(language)
        self._fewest, self._most = PLAYERS[game]
        if game == "rorschach" and self.options.two_players:
            self._fewest = 2
        if players is not None:
            self._check_count(players, UsageError)
        self._roster = Roster(players=players, fewest=self._fewest)
        self._play: RockPlay | None = None
        self._finished = False
        self.rulings: list[Ruling] = []
        if seats is not None:
            self._sit_down(tuple(seats), UsageError)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays; empty while that is not known yet."""
        return self._play.setting.seats if self._play else ()

    def feed(self, event: Event | SeenTo) -> list[Ruling]:
        """Take one event, in time order; give the rulings that it makes final.

        Raises:
            InputError: the first round shows a number of players that the game does not have.
        """
        if self._finished:
            return []
        if self._play is None:
            events = self._roster.feed(event)
            if not events:
                return []
            self._sit_down(self._roster.seats, InputError)
        else:
            events = [event]
        self._finished = isinstance(event, RecordingEnded)
        out = [ruling for one in events for ruling in self._fed(one)]
        self.rulings.extend(out)
        return out

    def _fed(self, event: Event | SeenTo) -> list[Ruling]:
        return self._play.feed(event) if self._play else []

    def result(self) -> dict[str, Any]:
        """The result line of a record: counts, rounds, and who won if the game was played to its end."""
        if self._play is None:
            return {"type": "result", "piles": {}, "pot": 0, "rounds": 0, "finished": False, "winner": None}
        return self._play.result()

    def _sit_down(self, seats: tuple[Seat, ...], error: type[InputError | UsageError]) -> None:
        if len(set(seats)) != len(seats):
            raise error(f"a seat is named twice: {', '.join(seats)}")
        self._check_count(len(seats), error)
        ordered = tuple(sorted(seats, key=SEATS.index)) if set(seats) <= set(SEATS) else seats
        self._play = RockPlay(Setting(self.game, ordered, self.options, self.language))

    def _check_count(self, count: int, error: type[InputError | UsageError]) -> None:
        if not self._fewest <= count <= self._most:
            allowed = f"{self._fewest}" if self._fewest == self._most else f"{self._fewest} to {self._most}"
            raise error(f"game {self.game} is for {allowed} players, not {count}")
