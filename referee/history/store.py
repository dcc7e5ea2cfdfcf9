"""The database: made from the library, and kept in step with it."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from referee.errors import RecordError, UsageError
from referee.history.library import Library
from referee.report.reading import game_of
from referee.report.statistics import deciding_calls, reaction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from referee.history.library import Kept
    from referee.report.game import Round

SCHEMA = 2
"""A database of another number is made anew from the library."""
WAIT_S = 30.0
TABLES = """
CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE);
CREATE TABLE game (id TEXT PRIMARY KEY, name TEXT NOT NULL, played TEXT NOT NULL, kind TEXT NOT NULL,
    rounds INTEGER NOT NULL, reviews INTEGER NOT NULL, pot INTEGER NOT NULL, ranked INTEGER NOT NULL);
CREATE TABLE seat (game TEXT NOT NULL REFERENCES game ON DELETE CASCADE, seat TEXT NOT NULL,
    player INTEGER REFERENCES player ON DELETE SET NULL, cards INTEGER NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (game, seat));
CREATE TABLE round (game TEXT NOT NULL REFERENCES game ON DELETE CASCADE, number INTEGER NOT NULL, time_s REAL NOT NULL,
    due TEXT, outcome TEXT, first_seat TEXT, first_type TEXT, lead_ms REAL, error_ms REAL, won INTEGER NOT NULL,
    review INTEGER NOT NULL, why TEXT NOT NULL, PRIMARY KEY (game, number));
CREATE TABLE call (game TEXT NOT NULL REFERENCES game ON DELETE CASCADE, round INTEGER NOT NULL, seat TEXT, type TEXT,
    onset_s REAL NOT NULL, sigma_ms REAL, counted INTEGER NOT NULL, decided INTEGER NOT NULL, is_right INTEGER,
    silence_due INTEGER NOT NULL, reaction_s REAL);
CREATE VIEW sat AS SELECT seat.game, seat.seat, seat.cards, seat.place, coalesce(player.name, seat.seat) AS who,
    player.name IS NOT NULL AS named FROM seat LEFT JOIN player ON player.id = seat.player;
CREATE VIEW said AS SELECT call.*, sat.who, game.name, game.played, round.lead_ms, round.error_ms, round.review,
    round.outcome FROM call JOIN sat ON sat.game = call.game AND sat.seat = call.seat AND sat.named
    JOIN game ON game.id = call.game JOIN round ON round.game = call.game AND round.number = call.round;
CREATE INDEX seat_player ON seat (player);
CREATE INDEX call_game ON call (game, round);
"""


class History:
    """A library with its database."""

    def __init__(self, folder: Path) -> None:
        self.library = Library(folder)
        self.path = folder / "history.sqlite"

    def add(self, record: Path, *, players: dict[str, str] | None = None, played: datetime | None = None) -> Kept:
        """Keep a record and enter it; the same game again is brought up to date.

        Raises:
            RecordError: the file is no record.
            UsageError: a seat or name cannot be used, or the folder cannot be written.
        """
        with self.library.locked():
            kept = self.library.add(record, players=players, played=played)
            with self.changing() as db:
                _enter(db, kept)
        return kept

    def rebuild(self) -> tuple[int, list[str]]:
        """Make the database anew from the library. Gives the number of games, and what could not be read."""
        with self.library.locked():
            return self.rebuild_locked()

    def rebuild_locked(self) -> tuple[int, list[str]]:
        """The same, for who holds the lock."""
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        entered, problems = 0, []
        with self.changing() as db:
            for number in self.library.ids():
                try:
                    _enter(db, self.library.get(number))
                    entered += 1
                except (RecordError, UsageError) as problem:
                    problems.append(str(problem))
        return entered, problems

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that writes: all of it is kept, or nothing."""
        with self._open() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                _create(db)
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to ask questions of. A database that is missing, damaged or of another version is made anew."""
        if not self._usable():
            self.rebuild()
        with self._open() as db:
            yield db

    def _usable(self) -> bool:
        if not self.path.exists():
            return False
        try:
            with self._open() as db:
                version = db.execute("PRAGMA user_version").fetchone()[0]
                sound = db.execute("PRAGMA quick_check").fetchone()[0]
        except UsageError:
            return False
        return bool(version == SCHEMA and sound == "ok")

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self.path, timeout=WAIT_S, isolation_level=None)
        except (OSError, sqlite3.Error) as problem:
            raise UsageError(f"cannot open {self.path}: {problem}; choose another folder") from None
        try:
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA secure_delete = ON")
            yield db
        except sqlite3.Error as problem:
            raise UsageError(
                f"{self.path}: {problem}; `referee history rebuild` makes it anew from the records"
            ) from None
        finally:
            db.close()


def _create(db: sqlite3.Connection) -> None:
    if db.execute("PRAGMA user_version").fetchone()[0] == SCHEMA:
        return
    if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise UsageError("the history is of another version: run `referee history rebuild`")
    for statement in TABLES.split(";"):
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def _enter(db: sqlite3.Connection, kept: Kept) -> None:
    """Write one game, over what was known of it."""
    game = game_of(kept.record, name=kept.name)
    db.execute("DELETE FROM game WHERE id = ?", (kept.id,))
    db.execute(
        "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            kept.id, kept.name, kept.played, kept.record.header.game, len(game.rounds), len(game.reviews), game.pot,
            kept.record.header.extra.get("ranked") is not False,
        ),
    )  # fmt: skip
    for seat in game.seats:
        place = 1 + sum(n > game.piles.get(seat, 0) for n in game.piles.values())
        player = _player(db, kept.players[seat]) if seat in kept.players else None
        db.execute("INSERT INTO seat VALUES (?, ?, ?, ?, ?)", (kept.id, seat, player, game.piles.get(seat, 0), place))
    for r in game.rounds:
        _enter_round(db, kept.id, r)
    db.execute("DELETE FROM player WHERE id NOT IN (SELECT player FROM seat WHERE player IS NOT NULL)")


def _player(db: sqlite3.Connection, name: str) -> int:
    db.execute("INSERT INTO player (name) VALUES (?) ON CONFLICT DO NOTHING", (name,))
    return int(db.execute("SELECT id FROM player WHERE name = ?", (name,)).fetchone()[0])


def _enter_round(db: sqlite3.Connection, number: str, r: Round) -> None:
    first, margin = r.line.get("first") or {}, r.margin
    if any(one is not None and not one.measured for one in (r.first, r.rival)):
        margin = None  # a lead that people gave is nobody's closest finish
    won = sum(int(n) for n in (r.line.get("awards") or {}).values()) if r.line.get("outcome") == "won" else 0
    db.execute(
        "INSERT INTO round VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number, r.number, r.time_s, r.line.get("due"), "void" if r.void else r.line.get("outcome"),
            first.get("seat"), first.get("type"), margin.ms if margin else None,
            margin.error_ms if margin else None, won, r.review, str(r.line.get("why") or ""),
        ),
    )  # fmt: skip
    deciding = [] if r.void else deciding_calls(r)
    for c in r.calls:
        is_right = (c.type == r.line.get("due")) if r.known and c in deciding else None
        values = (number, r.number, c.seat, c.type, c.onset_s, c.sigma_ms, c.counted, c in deciding, is_right)
        silence = r.known and r.line.get("due") is None
        db.execute("INSERT INTO call VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*values, silence, reaction(r, c)))
