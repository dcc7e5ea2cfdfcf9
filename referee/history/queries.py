"""Questions to the history. Rounds in review, and calls of somebody who cannot be told, count for nobody's record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.errors import UsageError
from referee.report.statistics import GUESS_S

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game in a list."""

    id: str
    name: str
    played: str
    kind: str
    rounds: int
    reviews: int
    result: str
    """`Anna 34, Ben 20, west 6`, best first."""


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One person over all games."""

    name: str
    games: int
    won: int
    """Games won alone."""
    cards: int
    deciding: int
    right: int
    false_calls: int
    silences_broken: int
    typical_s: float | None
    """Median reaction."""
    streak: int
    """Games won in a row up to now."""
    best_streak: int

    @property
    def accuracy(self) -> float | None:
        """Share of deciding calls that were right."""
        return self.right / self.deciding if self.deciding else None


@dataclass(frozen=True, slots=True)
class Duel:
    """Two people against each other."""

    games: int
    first_ahead: int
    """Games in which the first had more cards."""
    second_ahead: int
    level: int
    first_calls: int
    """Rounds of common games that the first won."""
    second_calls: int


@dataclass(frozen=True, slots=True)
class Best:
    """A record, as in "the fastest fair call"."""

    what: str
    value: str
    who: str
    game: str
    played: str
    round: int | None


def games(db: sqlite3.Connection, *, player: str | None = None, text: str | None = None) -> list[GameLine]:
    """All games, the newest first; only those of a player, or with a text in name, date, kind, people or rulings."""
    rows = db.execute("SELECT * FROM game ORDER BY played DESC, id").fetchall()
    if player is not None:
        known(db, player)
        mine = {r[0] for r in db.execute("SELECT game FROM sat WHERE who = ? COLLATE NOCASE AND named", (player,))}
        rows = [row for row in rows if row["id"] in mine]
    lines = [
        GameLine(
            id=row["id"],
            name=row["name"],
            played=row["played"],
            kind=row["kind"],
            rounds=row["rounds"],
            reviews=row["reviews"],
            result=_result(db, row["id"]),
        )
        for row in rows
    ]
    if text is None:
        return lines
    return [line for line in lines if _holds(db, line, text.casefold())]


def _holds(db: sqlite3.Connection, line: GameLine, text: str) -> bool:
    if any(text in part.casefold() for part in (line.name, line.played, line.kind, line.result)):
        return True
    return any(text in row[0].casefold() for row in db.execute("SELECT why FROM round WHERE game = ?", (line.id,)))


def _result(db: sqlite3.Connection, game: str) -> str:
    rows = db.execute("SELECT who, cards FROM sat WHERE game = ? ORDER BY cards DESC, seat", (game,))
    return ", ".join(f"{who} {cards}" for who, cards in rows)


def known(db: sqlite3.Connection, name: str) -> str:
    """The name as it is kept.

    Raises:
        UsageError: nobody is called so.
    """
    row = db.execute("SELECT name FROM player WHERE name = ? COLLATE NOCASE", (name.strip(),)).fetchone()
    if row is None:
        names = [r[0] for r in db.execute("SELECT name FROM player ORDER BY name LIMIT 20")]
        raise UsageError(f"nobody is called {name!r}; known are {', '.join(names) or 'no players yet'}")
    return str(row[0])


def players(db: sqlite3.Connection) -> list[PlayerLine]:
    """Everybody, by name."""
    return [player(db, row[0]) for row in db.execute("SELECT name FROM player ORDER BY name").fetchall()]


def player(db: sqlite3.Connection, name: str) -> PlayerLine:
    """One person. Raises `UsageError` when nobody is called so."""
    name = known(db, name)
    seats = db.execute(
        "SELECT s.cards, s.place, (SELECT count(*) FROM seat o WHERE o.game = s.game AND o.place = 1) AS leaders"
        " FROM sat s JOIN game ON game.id = s.game WHERE s.named AND s.who = ? ORDER BY game.played, game.id",
        (name,),
    ).fetchall()
    won = [row["place"] == 1 and row["leaders"] == 1 for row in seats]
    calls = db.execute("SELECT * FROM said WHERE who = ?", (name,)).fetchall()
    deciding = [c for c in calls if c["decided"] and c["is_right"] is not None]
    reactions = sorted(c["reaction_s"] for c in calls if c["reaction_s"] is not None)
    return PlayerLine(
        name=name,
        games=len(seats),
        won=sum(won),
        cards=sum(row["cards"] for row in seats),
        deciding=len(deciding),
        right=sum(c["is_right"] for c in deciding),
        false_calls=sum(not c["is_right"] for c in deciding),
        silences_broken=sum(c["silence_due"] for c in deciding),
        typical_s=reactions[len(reactions) // 2] if reactions else None,
        streak=_streaks(won)[-1],
        best_streak=max(_streaks(won)),
    )


def _streaks(won: Sequence[bool]) -> list[int]:
    """Length of the streak after each game, with a 0 before the first."""
    out = [0]
    for one in won:
        out.append(out[-1] + 1 if one else 0)
    return out


def versus(db: sqlite3.Connection, first: str, second: str) -> Duel:
    """Two people against each other. Raises `UsageError` when one is not known, or both are the same."""
    first, second = known(db, first), known(db, second)
    if first == second:
        raise UsageError(f"{first} does not play against {first}; name two people")
    pairs = db.execute(
        "SELECT a.cards, b.cards, a.game, a.seat, b.seat FROM sat a JOIN sat b ON a.game = b.game"
        " WHERE a.named AND b.named AND a.who = ? AND b.who = ?",
        (first, second),
    ).fetchall()
    wins = [[_rounds_won(db, row[2], row[seat]) for row in pairs] for seat in (3, 4)]
    return Duel(
        games=len(pairs),
        first_ahead=sum(row[0] > row[1] for row in pairs),
        second_ahead=sum(row[0] < row[1] for row in pairs),
        level=sum(row[0] == row[1] for row in pairs),
        first_calls=sum(wins[0]),
        second_calls=sum(wins[1]),
    )


def _rounds_won(db: sqlite3.Connection, game: str, seat: str) -> int:
    sql = "SELECT count(*) FROM round WHERE game = ? AND first_seat = ? AND outcome = 'won'"
    return int(db.execute(sql, (game, seat)).fetchone()[0])


_FAIR = "SELECT * FROM said WHERE decided AND is_right AND NOT review "
_BEST = (
    (
        "fastest fair call",
        _FAIR + f"AND reaction_s >= {GUESS_S} ORDER BY reaction_s, played LIMIT 1",
        "reaction_s",
        1000,
    ),
    (
        "closest finish",
        _FAIR + "AND lead_ms > error_ms AND outcome = 'won' ORDER BY lead_ms, played LIMIT 1",
        "lead_ms",
        1,
    ),
    ("longest thought", _FAIR + "AND reaction_s > 0 ORDER BY reaction_s DESC, played LIMIT 1", "reaction_s", 1000),
)
"""What, question, column, and what makes milliseconds of it."""


def records(db: sqlite3.Connection) -> list[Best]:
    """The records, as far as there are any."""
    out = []
    for what, question, column, scale in _BEST:
        row = db.execute(question).fetchone()
        if row is not None:
            value = f"{row[column] * scale:.0f} ms"
            out.append(Best(what, value, row["who"], row["name"], row["played"], row["round"]))
    return out + _biggest_pot(db) + _most_cards(db) + _longest_streak(db)


def _biggest_pot(db: sqlite3.Connection) -> list[Best]:
    row = db.execute(
        "SELECT round.won, s.who, game.name, game.played, round.number FROM round JOIN game ON game.id = round.game"
        " JOIN sat s ON s.game = round.game AND s.seat = round.first_seat AND s.named"
        " WHERE round.won > 0 AND NOT round.review ORDER BY round.won DESC, game.played LIMIT 1"
    ).fetchone()
    return [Best("most cards in one round", f"{row[0]} cards", row[1], row[2], row[3], row[4])] if row else []


def _most_cards(db: sqlite3.Connection) -> list[Best]:
    row = db.execute(
        "SELECT s.cards, s.who, game.name, game.played FROM sat s JOIN game ON game.id = s.game"
        " WHERE s.named ORDER BY s.cards DESC, game.played LIMIT 1"
    ).fetchone()
    return [Best("most cards in one game", f"{row[0]} cards", row[1], row[2], row[3], None)] if row else []


def _longest_streak(db: sqlite3.Connection) -> list[Best]:
    best = max(players(db), key=lambda p: p.best_streak, default=None)
    if best is None or best.best_streak == 0:
        return []
    return [
        Best(
            "most games won in a row",
            f"{best.best_streak} game{'' if best.best_streak == 1 else 's'}",
            best.name,
            "",
            "",
            None,
        )
    ]
