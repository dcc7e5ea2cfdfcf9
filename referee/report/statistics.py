"""What each player did over the evening: reactions, accuracy, false calls, silences broken.

Only what was heard and ascribed to a seat counts; a call of somebody who cannot be told is nobody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from referee.corrections import NO_CALL
from referee.events import NOT_UNDERSTOOD, READ_OTHERWISE, SAME_SOUND, UNSURE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.report.game import Call, Game, Round

NO_CALLS = frozenset({UNSURE, SAME_SOUND, NOT_UNDERSTOOD, READ_OTHERWISE, NO_CALL})
"""Why a word with a type was no call: then it is no reaction either."""
TYPES = ("rock", "paper", "scissors")
GUESS_S = 0.1
"""World Athletics: nobody reacts honestly in less; a call this soon after the last card was a guess."""
VAGUE_MS = 100.0
"""A reveal with a larger error than this (one standard deviation) says nothing about anybody's reaction."""


@dataclass(frozen=True, slots=True)
class TypeCount:
    """How a player did with calls of one type."""

    right: int
    made: int


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player's evening."""

    seat: str
    rounds: int
    won: int
    cards: int
    """In the pile at the end."""
    deciding: int
    """Calls that decided a round of which all cards were read."""
    right: int
    """Of those, the ones that named the type that was due."""
    false_calls: int
    """Deciding calls of a type that was not due, silences broken included."""
    silences_broken: int
    late: int
    """Calls that came after the deciding one."""
    guesses: int
    """Calls within `GUESS_S` of the last card: too soon to have been seen."""
    reactions_s: tuple[float, ...]
    """From the last card's reveal to each call of a type after it, ascending."""
    by_type: dict[str, TypeCount]

    @property
    def accuracy(self) -> float | None:
        """Share of deciding calls that were right; None without any."""
        return self.right / self.deciding if self.deciding else None

    @property
    def typical_s(self) -> float | None:
        """Median reaction."""
        return median(self.reactions_s) if self.reactions_s else None

    @property
    def fastest_s(self) -> float | None:
        """The fastest reaction that was no guess."""
        return min((t for t in self.reactions_s if t >= GUESS_S), default=None)


def statistics(game: Game) -> list[PlayerStatistics]:
    """One line a seat, in the order of the seats."""
    return [_of(game, seat) for seat in game.seats]


def deciding_calls(r: Round) -> list[Call]:
    """The deciding call, with the calls that tied with it."""
    tied = set(r.line.get("tied") or ())
    first = r.first
    if first is None:
        return []
    return [first, *(c for c in r.counted if c is not first and c.seat in tied)]


def reaction(r: Round, call: Call) -> float | None:
    """Seconds from the last card's reveal to the call's onset.

    None when the reveal came later, is not known, or is known no better than to `VAGUE_MS`; also of a word that was
    taken for no call, and of a call whose time was said by people and not measured.
    """
    if call.reason in NO_CALLS or not call.measured:
        return None
    reveal = r.reveal_s
    if reveal is None or call.onset_s < reveal or r.reveal_sigma_ms > VAGUE_MS:
        return None
    return call.onset_s - reveal


def _of(game: Game, seat: str) -> PlayerStatistics:
    valid = [r for r in game.rounds if not r.void]
    decided = [(r, c) for r in valid if r.known for c in deciding_calls(r) if c.seat == seat]
    right = [c for r, c in decided if c.type == r.line.get("due")]
    mine = [(r, c) for r in valid for c in r.calls if c.seat == seat and c.type]
    reactions = sorted(t for t in (reaction(r, c) for r, c in mine) if t is not None)
    return PlayerStatistics(
        seat=seat,
        rounds=sum(seat in (r.line.get("cards") or {}) for r in valid),
        won=sum(_winner(r) == seat for r in valid),
        cards=game.piles.get(seat, 0),
        deciding=len(decided),
        right=len(right),
        false_calls=len(decided) - len(right),
        silences_broken=sum(r.line.get("due") is None for r, _ in decided),
        late=sum(not c.counted and "after" in c.reason for _, c in mine),
        guesses=sum(t < GUESS_S for t in reactions),
        reactions_s=tuple(reactions),
        by_type={t: _count(t, [c for _, c in decided], right) for t in TYPES},
    )


def _count(type_: str, made: Sequence[Call], right: Iterable[Call]) -> TypeCount:
    return TypeCount(sum(c.type == type_ for c in right), sum(c.type == type_ for c in made))


def _winner(r: Round) -> str | None:
    """Who won the round: as the ruling says, or who was first when the outcome is a win, heard or not."""
    if r.line.get("winner"):
        return str(r.line["winner"])
    first = r.line.get("first")
    named = first.get("seat") if r.line.get("outcome") == "won" and isinstance(first, dict) else None
    return str(named) if named else None
