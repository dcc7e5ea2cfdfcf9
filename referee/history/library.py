"""The records that were kept, one file a game, with a small file beside each that says who sat where and when.

    records/ID.jsonl    a copy of the record, as it was given
    records/ID.json     {"name": ..., "played": "2026-11-29T20:15:00", "players": {"north": "Anna"}}

These are the truth; the database is made from them. Every file is written whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import RecordError, UsageError
from referee.files import save
from referee.locking import hold
from referee.record import parse_record
from referee.report.writing import stem_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from referee.record import Record

ID = re.compile(r"[0-9a-f]{24}")
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Kept:
    """One game of the library."""

    id: str
    record: Record
    name: str
    played: str
    """Local date and time, ISO 8601."""
    players: Mapping[str, str] = field(default_factory=dict)
    """Seat -> person."""


def default_folder() -> Path:
    """Where the history lies: `REFEREE_HISTORY`, or the user's data folder."""
    given = os.environ.get("REFEREE_HISTORY")
    if given:
        return Path(given)
    from platformdirs import user_data_path  # noqa: PLC0415  only needed without the variable

    return user_data_path("referee", appauthor=False) / "history"


def identity(record: Record) -> str:
    """The same for the same game, however often it is judged or corrected.

    A recording's game is named by the recording's checksum and the game; one that was typed by its events.
    """
    digest = record.header.recording.get("sha256")
    if isinstance(digest, str) and digest:
        text = f"{digest} {record.header.game}"
    else:
        text = record.header.game + repr(record.events)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def check_name(name: str) -> str:
    """A person's name as it is kept.

    Raises:
        UsageError: it is empty, too long, or holds characters that cannot be shown.
    """
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > LONGEST_NAME or not tidy.isprintable():
        raise UsageError(f"{name[:80]!r} is no name; use 1 to {LONGEST_NAME} printable characters")
    return tidy


class Library:
    """The folder of kept records."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records = folder / "records"

    def add(self, path: Path, *, players: Mapping[str, str] | None = None, played: datetime | None = None) -> Kept:
        """Keep a record. A game that is here already is brought up to date; who played is kept unless said anew.

        Raises:
            RecordError: the file is no record.
            UsageError: a seat or name cannot be used, or the folder cannot be written.
        """
        content = _read(path)
        record = parse_record(content, str(path))
        number = identity(record)
        old = self._note(number) if (self.records / f"{number}.json").exists() else {}
        given = {seat: check_name(name) for seat, name in (players or {}).items()}
        _check_seats(record, given)
        when = (played.isoformat(timespec="seconds") if played else old.get("played")) or _when(record, path)
        who = {**_named(record), **old.get("players", {}), **given}
        self._write(number, content, {"name": stem_of(path), "played": when, "players": who})
        return Kept(number, record, stem_of(path), when, who)

    def _write(self, number: str, content: bytes, note: Mapping[str, Any]) -> None:
        try:
            self.records.mkdir(parents=True, exist_ok=True)
            # The note first: a game is there when its record is, so one that was interrupted here is not there yet.
            save(self.records / f"{number}.json", json.dumps(note, ensure_ascii=False, indent=1).encode())
            save(self.records / f"{number}.jsonl", content)
        except OSError as problem:
            why = problem.strerror or problem
            raise UsageError(f"cannot write into {self.records}: {why}; choose another folder or make room") from None

    def put(self, number: str, content: bytes, note: Mapping[str, Any]) -> None:
        """Keep what an export holds. Raises `RecordError` or `UsageError` for what is no record or no note."""
        if not ID.fullmatch(number):
            raise UsageError(f"{number!r} is no game of an export")
        parse_record(content, number)
        self._write(number, content, _checked_note(note, number))

    def rename_players(self, number: str, players: Mapping[str, str]) -> None:
        """Write who sat where anew."""
        note = {**self._note(number), "players": dict(players)}
        save(self.records / f"{number}.json", json.dumps(note, ensure_ascii=False, indent=1).encode())

    def ids(self) -> list[str]:
        """All games, in no particular order."""
        if not self.records.is_dir():
            return []
        return sorted(p.stem for p in self.records.glob("*.jsonl") if ID.fullmatch(p.stem))

    def content(self, number: str) -> bytes:
        """The kept record as it is."""
        return _read(self.records / f"{number}.jsonl")

    def _note(self, number: str) -> dict[str, Any]:
        path = self.records / f"{number}.json"
        try:
            note = json.loads(path.read_bytes())
        except (OSError, ValueError):
            raise RecordError(f"{path}: cannot be read; add the record again to say who played") from None
        return _checked_note(note, number)

    def note(self, number: str) -> dict[str, Any]:
        """Name, time and players of a game."""
        return self._note(number)

    def get(self, number: str) -> Kept:
        """One game. Raises `RecordError` when it is damaged."""
        note = self._note(number)
        record = parse_record(self.content(number), str(self.records / f"{number}.jsonl"))
        return Kept(number, record, **note)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else changes the library meanwhile: two programs at once lose nothing of one another."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = (self.folder / ".lock").open("a+b")
        except OSError as problem:
            raise UsageError(
                f"cannot write into {self.folder}: {problem.strerror or problem}; choose another"
            ) from None
        with handle:
            hold(handle.fileno(), wait_s=None)
            yield


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise RecordError(f"{path}: cannot be read: {problem.strerror or problem}") from None


def _checked_note(note: Any, number: str) -> dict[str, Any]:
    players = note.get("players") if isinstance(note, dict) else None
    if not isinstance(players, dict) or not all(isinstance(note.get(k), str) for k in ("name", "played")):
        raise UsageError(f"game {number}: what is written about its players cannot be read")
    return {
        "name": note["name"][:200],
        "played": _checked_date(note["played"], number),
        "players": {str(seat)[:LONGEST_NAME]: check_name(str(name)) for seat, name in players.items()},
    }


def _checked_date(text: str, number: str) -> str:
    try:
        return datetime.fromisoformat(text).isoformat(timespec="seconds")
    except ValueError:
        raise UsageError(f"game {number}: {text!r} is no date") from None


def _check_seats(record: Record, players: Mapping[str, str]) -> None:
    seats = {seat for line in record.rulings for seat in (*(line.get("piles") or {}), *(line.get("cards") or {}))}
    seats |= set(record.header.seats or ())
    for seat in players:
        if seat not in seats:
            raise UsageError(f"nobody sat {seat}; the seats of this game are {', '.join(sorted(seats)) or 'not known'}")
    if len(set(players.values())) != len(players):
        raise UsageError("one person cannot sit on two seats")


def _named(record: Record) -> dict[str, str]:
    """People whom the record's own header names."""
    given = record.header.extra.get("names")
    if not isinstance(given, dict):
        return {}
    return {str(seat): check_name(str(name)) for seat, name in given.items()}


def _when(record: Record, path: Path) -> str:
    """When it was played: as the header says, else the file's own time."""
    for key in ("played", "created", "judged_at"):
        given = record.header.extra.get(key) or record.header.recording.get(key)
        if isinstance(given, str):
            try:
                return datetime.fromisoformat(given).replace(tzinfo=None).isoformat(timespec="seconds")
            except ValueError:
                continue
    return datetime.fromtimestamp(path.stat().st_mtime).isoformat(timespec="seconds")  # noqa: DTZ006  local, as people date evenings
