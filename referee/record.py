"""The record of a match: append-only JSON Lines, what they hold and how they are read; `record_writer` writes them.

A header line, then events, corrections and rulings as they came, then one result line (docs/record.md). A record is
never edited: corrections are appended, and the rulings that they change are appended after them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee import __version__
from referee.errors import RecordError
from referee.event_json import FieldError, from_object, to_object
from referee.events import Correction, Event
from referee.lines import read_lines
from referee.upgrades import upgraded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from referee.lines import Line

MADE = "a record is what `referee judge` makes of a recording or a typed game"
FORMAT = 1
"""Version of the record's format. Fields are only ever added within one version; a reader refuses later versions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What was judged, by what, under which house rules."""

    game: str
    format: int = FORMAT
    program: str = __version__
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: tuple[str, ...] | None = None
    """Who plays; None when it was learnt from the first round."""
    players: int | None = None
    language: str = "en"
    recording: Mapping[str, Any] = field(default_factory=dict)
    """`name`, `sha256` and what else is known of the recording."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Checksums of the models that saw and heard, by name."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields, kept as they are."""

    def to_json(self) -> dict[str, Any]:
        """The header line."""
        return {
            "type": "header",
            "format": self.format,
            "program": self.program,
            "game": self.game,
            "options": dict(self.options),
            "seats": None if self.seats is None else list(self.seats),
            "players": self.players,
            "language": self.language,
            "recording": dict(self.recording),
            "models": dict(self.models),
            **self.extra,
        }


@dataclass(frozen=True, slots=True)
class RulingLine:
    """A ruling as it stands in a record."""

    line: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A result as it stands in a record."""

    line: Mapping[str, Any]


Entry = Event | RulingLine | ResultLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record that was read: its header and all that follows, in the order it was written."""

    header: Header
    entries: tuple[Entry, ...] = ()
    truncated: bool = False
    """Whether the last line was cut off, as after a crash; it is left out."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What was seen and heard, without corrections."""
        return tuple(e for e in self.entries if isinstance(e, Event) and not isinstance(e, Correction))

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """What people said afterwards, in the order they said it."""
        return tuple(e for e in self.entries if isinstance(e, Correction))

    @property
    def rulings(self) -> tuple[Mapping[str, Any], ...]:
        """The ruling lines, revisions after what they revise."""
        return tuple(e.line for e in self.entries if isinstance(e, RulingLine))

    @property
    def result(self) -> Mapping[str, Any] | None:
        """The last result line, if the match was judged to its end."""
        results = [e.line for e in self.entries if isinstance(e, ResultLine)]
        return results[-1] if results else None

    def to_text(self) -> str:
        """The record as it is written; `parse_record` of it gives the record back."""
        return "".join(dump(line) + "\n" for line in (self.header.to_json(), *map(entry_to_json, self.entries)))


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """The line of one entry."""
    if isinstance(entry, RulingLine | ResultLine):
        return dict(entry.line)
    if isinstance(entry, Correction):
        return {"type": "correction", **to_object(entry)}
    return {"type": "event", **to_object(entry)}


def dump(line: Mapping[str, Any]) -> str:
    """One line of JSON, always the same for the same content."""
    return json.dumps(line, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))


def read_record(path: Path | str) -> Record:
    """Read a record from a file.

    Raises:
        RecordError: it cannot be read; the message names file and line.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise RecordError(f"{path}: cannot be read: {problem.strerror or problem}") from None
    return parse_record(content, str(path))


def parse_record(content: bytes | str, name: str = "record") -> Record:
    """Read a record from its text.

    Raises:
        RecordError: it cannot be read; the message names `name` and the line.
    """
    raw = content.encode() if isinstance(content, str) else content
    lines = read_lines(raw, name)
    try:
        first = next(lines, None)
    except RecordError as problem:
        raise RecordError(f"{problem}; {MADE}") from None
    if first is None:
        raise RecordError(f"{name}: is empty; a record begins with a header line")
    if first.value is None or first.value.get("type") != "header":
        raise RecordError(f"{name}, line {first.number}: is not a record's header line; {MADE}")
    header = _header(first, name)
    entries, truncated = [], False
    for line in lines:
        if line.value is None:
            truncated = True
            break
        entries.append(_entry(line, upgraded(line.value, header.format, FORMAT), name))
    return Record(header=header, entries=tuple(entries), truncated=truncated)


def _header(line: Line, name: str) -> Header:
    given = dict(line.value or {})
    del given["type"]
    version = given.get("format")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise RecordError(f"{name}, line {line.number}: format {version!r} is not a version number")
    if version > FORMAT:
        raise RecordError(
            f"{name}, line {line.number}: format {version} is newer than this program reads ({FORMAT}); update referee"
        )
    try:
        return _checked_header(upgraded({"type": "header", **given}, version, FORMAT))
    except FieldError as problem:
        raise RecordError(f"{name}, line {line.number}: header: {problem}") from None


_HEADER_KINDS: dict[str, tuple[type, ...]] = {
    "program": (str,),
    "game": (str,),
    "options": (dict,),
    "language": (str,),
    "recording": (dict,),
    "models": (dict,),
}


def _checked_header(given: dict[str, Any]) -> Header:
    del given["type"]
    known: dict[str, Any] = {}
    for key, kinds in _HEADER_KINDS.items():
        if key in given:
            value = given.pop(key)
            if not isinstance(value, kinds):
                raise FieldError(f"{key}: {value!r} is not allowed")
            known[key] = value
    if "game" not in known:
        raise FieldError("needs the field 'game'")
    seats = given.pop("seats", None)
    if seats is not None and not (isinstance(seats, list) and all(isinstance(s, str) and s for s in seats)):
        raise FieldError(f"seats: {seats!r} is not a list of seats")
    players = given.pop("players", None)
    if players is not None and (isinstance(players, bool) or not isinstance(players, int) or not 1 <= players <= 100):
        raise FieldError(f"players: {players!r} is not a number of players")
    version = given.pop("format")
    names = tuple(seats) if seats is not None else None
    return replace(Header(game=known.pop("game")), format=version, seats=names, players=players, extra=given, **known)


def _entry(line: Line, value: dict[str, Any], name: str) -> Entry:
    kind = value.get("type")
    if kind in ("event", "correction"):
        try:
            event = from_object(value)
        except FieldError as problem:
            raise RecordError(f"{name}, line {line.number}: {problem}") from None
        if isinstance(event, Correction) != (kind == "correction"):
            raise RecordError(
                f"{name}, line {line.number}: a correction must be a correction line, an event an event line"
            )
        return event
    if kind == "ruling":
        return RulingLine(_checked_ruling(value, line, name))
    if kind == "result":
        return ResultLine(value)
    if kind == "header":
        raise RecordError(f"{name}, line {line.number}: a second header; a record has one")
    raise RecordError(f"{name}, line {line.number}: type {kind!r} is not known")


def _checked_ruling(value: dict[str, Any], line: Line, name: str) -> dict[str, Any]:
    number = value.get("round")
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise RecordError(f"{name}, line {line.number}: round {number!r} is not a round's number")
    return value


def iterate_events(record: Record) -> Iterator[Event]:
    """Events of a record in the order a match takes them: by time, as written where times are equal."""
    yield from sorted(record.events, key=lambda event: event.time_s)
