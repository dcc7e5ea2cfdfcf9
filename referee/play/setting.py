"""What a match is, and what every game's flow offers to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.confirming import Confirmed
    from referee.events import Event, Seat, SeenTo
    from referee.options import Options
    from referee.ruling import Ruling


@dataclass(frozen=True, slots=True)
class Setting:
    """Game, seats, house rules, the language of the sentences, and what people said of whole rounds."""

    game: str
    seats: tuple[Seat, ...]
    options: Options
    language: str
    voided: frozenset[int] = frozenset()
    """Cards whose rounds people declared void."""
    confirmed: frozenset[Confirmed] = frozenset()
    """Rulings that people said are right."""
    played: Options | None = None
    """The house rules that the table played by, where a record is ruled again by others."""

    @property
    def touch(self) -> bool:
        """Whether touches decide instead of calls."""
        return self.game == "tournament"

    def moved(self, swap: Mapping[Seat, Seat]) -> Setting:
        """The setting after players changed seats."""
        return replace(self, seats=tuple(swap.get(seat, seat) for seat in self.seats))


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a match waits for."""

    kind: str
    """`players`, `deal`, `reveal`, `call`, `touch`, `ruling`, `collect`, `draw`, `question`, `answers`, `remove_blot`,
    `replace_blot`, `reshuffle` or `end`."""
    seats: tuple[Seat, ...] = ()
    """Whose turn it is; empty for everybody."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one player stands."""

    seat: Seat
    place: int
    """1 is best; players with equal scores share a place."""
    score: int
    """Cards collected; hands left; tokens."""
    draw: int = 0
    """Cards in the draw pile."""


class Play(Protocol):
    """The flow of one game."""

    setting: Setting

    def feed(self, event: Event | SeenTo, number: int) -> list[Ruling]:
        """Take one event, in time order; `number` is that of a call or touch."""

    def result(self) -> dict[str, Any]:
        """The result line of a record."""

    @property
    def waiting_for(self) -> Waiting:
        """What should happen next."""

    @property
    def legal(self) -> tuple[str, ...]:
        """What may be done now: `flip`, `call`, `touch`, `collect`, `draw`, `ask`, `answer`, ..."""

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Who stands where, best first."""


def ranked(scores: dict[Seat, int], draws: dict[Seat, int] | None = None) -> tuple[Standing, ...]:
    """Standings from scores; equal scores share a place."""
    ordered = sorted(scores, key=lambda seat: -scores[seat])
    return tuple(
        Standing(
            seat, 1 + sum(other > scores[seat] for other in scores.values()), scores[seat], (draws or {}).get(seat, 0)
        )
        for seat in ordered
    )
