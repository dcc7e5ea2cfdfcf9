"""Ratings, by OpenSkill (Weng and Lin's Plackett-Luce model), from the order of the piles at the end of each game.

Games of a ranked table that had to be played unranked (their record says why) do not count.

OpenSkill rates games of more than two players, which Glicko-2 does not. The number shown is `mu - 3 sigma`: what a
player is almost certainly worth. It begins at 0.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.errors import UsageError

if TYPE_CHECKING:
    import sqlite3

INSTALL = "pip install 'referee[history]'"


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a player's skill."""

    mu: float
    sigma: float
    games: int

    @property
    def shown(self) -> float:
        """The cautious number by which players are ordered."""
        return self.mu - 3 * self.sigma


def ratings(db: sqlite3.Connection) -> dict[str, Rating]:
    """Rate everybody, game after game in the order they were played.

    Raises:
        UsageError: the package `openskill` is not installed.
    """
    try:
        model: Any = importlib.import_module("openskill.models").PlackettLuce()
    except ModuleNotFoundError:
        raise UsageError(f"ratings need the package openskill: run {INSTALL}") from None
    known: dict[str, Any] = {}
    played: dict[str, int] = {}
    for places in _games(db):
        teams = [[known.setdefault(name, model.rating(name=name))] for name, _ in places]
        rated = model.rate(teams, ranks=[float(place) for _, place in places])
        for (name, _), team in zip(places, rated, strict=True):
            known[name] = team[0]
            played[name] = played.get(name, 0) + 1
    return {name: Rating(r.mu, r.sigma, played[name]) for name, r in known.items()}


def _games(db: sqlite3.Connection) -> list[list[tuple[str, int]]]:
    """For each game with two known players or more: name and place, in the order of time."""
    rows = db.execute(
        "SELECT game.id, player.name, seat.place FROM game JOIN seat ON seat.game = game.id"
        " JOIN player ON player.id = seat.player WHERE game.ranked ORDER BY game.played, game.id, seat.seat"
    ).fetchall()
    games: dict[str, list[tuple[str, int]]] = {}
    for number, name, place in rows:
        games.setdefault(number, []).append((name, place))
    return [places for places in games.values() if len(places) > 1]
