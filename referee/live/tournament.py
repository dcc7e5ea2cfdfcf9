"""A tournament over the tables of one server: who meets whom, what came of it, who leads.

Results come from the rulings: when a game at a table ends, its piles place the players. What the rulings leave open
(a round in review, a game that was broken off, players on other seats than they were given) is not guessed: the scorer
says it. Everything is kept in one file, written whole after each change.
"""

from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.errors import UsageError
from referee.live import swiss

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from referee.events import Seat

LONGEST_NAME = 40
MOST_PLAYERS = 200
SITTING: dict[int, tuple[Seat, ...]] = {
    2: ("north", "south"),
    3: ("north", "east", "south"),
    4: ("north", "east", "south", "west"),
}
"""Where the players of a table sit, in the order of the pairing."""


@dataclass(slots=True)
class Pairing:
    """Players who meet in a round."""

    players: tuple[str, ...]
    table: str = ""
    """Where they play; empty while they wait for a table."""
    places: dict[str, int] = field(default_factory=dict)
    """Each player's place once it is known."""
    said: bool = False
    """Whether the scorer said so, and not the rulings."""
    open: str = ""
    """Why the rulings alone do not tell: `review`, `unfinished` or `seats`; the scorer is asked."""

    @property
    def seats(self) -> dict[Seat, str]:
        """Who sits where."""
        return dict(zip(SITTING[len(self.players)], self.players, strict=True))


@dataclass(slots=True)
class Round:
    """One round of a tournament."""

    pairings: list[Pairing]
    bye: str | None = None

    @property
    def over(self) -> bool:
        """Whether every table's result is known."""
        return all(pairing.places for pairing in self.pairings)


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """Players' names as they are shown.

    Raises:
        UsageError: fewer than two, too many, or one that is empty, too long or there twice.
    """
    tidy = tuple(" ".join(name.split()) for name in names if name.strip())
    for name in tidy:
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise UsageError(f"{name[:60]!r} is no name; use 1 to {LONGEST_NAME} printable characters")
    if len({name.casefold() for name in tidy}) != len(tidy):
        raise UsageError("a player is entered twice: give each a name of its own")
    if not 2 <= len(tidy) <= MOST_PLAYERS:
        raise UsageError(f"a tournament has 2 to {MOST_PLAYERS} players, not {len(tidy)}")
    return tidy


class Tournament:
    """The whole of it; for several threads."""

    def __init__(self, path: Path, players: Sequence[str], tables: Sequence[str], *, size: int = 2) -> None:
        """Begin, or go on with what is kept.

        Args:
            path: where it is kept.
            players: who entered; those who are new in a tournament that goes on join from its next round.
            tables: names of the tables.
            size: most players at a table, 2 to 4.

        Raises:
            UsageError: names that cannot be used, or a kept tournament that cannot be read.
        """
        self.path, self.tables, self.size = path, tuple(tables), size
        self._lock = threading.RLock()
        self.players = check_names(players)
        self.rounds: list[Round] = _read(path) if path.exists() else []

    @property
    def results(self) -> list[swiss.Result]:
        """All games whose result is known."""
        return [swiss.Result(p.places) for one in self.rounds for p in one.pairings if p.places]

    @property
    def byes(self) -> list[str]:
        """Everybody who had a bye."""
        return [one.bye for one in self.rounds if one.bye]

    def start_round(self) -> str:
        """Pair the next round; gives why not, if not."""
        with self._lock:
            if self.rounds and not self.rounds[-1].over:
                return "refused.round_open"
            tables, bye = swiss.pair(self.players, self.results, self.byes, size=self.size)
            self.rounds.append(Round([Pairing(players) for players in tables], bye))
            self._seat()
            self._save()
        return ""

    def at(self, table: str) -> Pairing | None:
        """Who plays at a table now."""
        with self._lock:
            waiting = self.rounds[-1].pairings if self.rounds else []
            return next((p for p in waiting if p.table == table and not p.places), None)

    def ended(self, table: str, result: Mapping[str, Any], *, review: bool) -> None:
        """A game at a table is over.

        Args:
            table: its name.
            result: the match's result.
            review: whether rulings wait for people.
        """
        with self._lock:
            pairing = self.at(table)
            if pairing is None:
                return
            piles = result.get("piles") or {}
            pairing.open = _doubt(pairing, piles, finished=bool(result.get("finished")), review=review)
            if not pairing.open:
                self._place(pairing, {pairing.seats[seat]: count for seat, count in piles.items()})
            self._save()

    def say(self, number: int, order: Sequence[Sequence[str]]) -> str:
        """The scorer says a pairing's result: the players in order of place, those who drew together."""
        with self._lock:
            if not self.rounds or not 0 <= number < len(self.rounds[-1].pairings):
                return "refused.now"
            pairing = self.rounds[-1].pairings[number]
            named = [name for together in order for name in together]
            if sorted(named) != sorted(pairing.players):
                return "refused.now"
            place, pairing.places = 1, {}
            for together in order:
                pairing.places |= dict.fromkeys(together, place)
                place += len(together)
            pairing.said, pairing.open = True, ""
            self._seat()
            self._save()
        return ""

    def state(self) -> dict[str, Any]:
        """For the overview, JSON-ready."""
        with self._lock:
            lines = swiss.standings(swiss._everybody(self.players, self.results), self.results, self.byes)  # noqa: SLF001
            return {
                "round": len(self.rounds),
                "over": not self.rounds or self.rounds[-1].over,
                "bye": self.rounds[-1].bye if self.rounds else None,
                "pairings": [_shown(p) for p in (self.rounds[-1].pairings if self.rounds else [])],
                "standings": [
                    {
                        "name": x.name,
                        "place": x.place,
                        "points": round(x.points, 2),
                        "games": x.games,
                        "opposition": round(x.opposition, 2),
                    }
                    for x in lines
                ],
            }

    def _place(self, pairing: Pairing, cards: Mapping[str, int]) -> None:
        pairing.places = {n: 1 + sum(c > cards[n] for c in cards.values()) for n in pairing.players}
        pairing.said = False
        self._seat()

    def _seat(self) -> None:
        """Give every free table to the first pairing that waits."""
        if not self.rounds:
            return
        now = self.rounds[-1].pairings
        busy = {p.table for p in now if p.table and not p.places}
        free = [t for t in self.tables if t not in busy]
        for pairing, table in zip([p for p in now if not p.table and not p.places], free, strict=False):
            pairing.table = table

    def _save(self) -> None:
        content = [{"bye": one.bye, "pairings": [_kept(p) for p in one.pairings]} for one in self.rounds]
        fresh = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
            fresh.replace(self.path)
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror}; make room") from None


def _doubt(pairing: Pairing, piles: Mapping[str, int], *, finished: bool, review: bool) -> str:
    if set(piles) != set(pairing.seats):
        return "seats"
    if review:
        return "review"
    return "" if finished else "unfinished"


def _kept(pairing: Pairing) -> dict[str, Any]:
    return {"players": list(pairing.players), "table": pairing.table, "places": pairing.places, "said": pairing.said}


def _shown(pairing: Pairing) -> dict[str, Any]:
    return {**_kept(pairing), "open": pairing.open, "seats": pairing.seats}


def _read(path: Path) -> list[Round]:
    try:
        return [
            Round(
                [
                    Pairing(
                        tuple(map(str, p["players"])),
                        str(p["table"]),
                        {str(n): int(k) for n, k in p["places"].items()},
                        bool(p["said"]),
                    )
                    for p in one["pairings"]
                ],
                one["bye"],
            )
            for one in json.loads(path.read_text(encoding="utf-8"))
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{path} holds no tournament that can be read; move it away to begin anew") from None
