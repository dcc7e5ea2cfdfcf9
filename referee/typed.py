"""Games that were not filmed: a file of events typed by hand (docs/record.md has the whole story and an example).

One JSON object a line; `#` begins a comment line. Times may be left out. Everything is checked, with the line's number.
What a line may say is in `referee.typed_lines`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from referee.errors import RecordError, UsageError
from referee.event_json import FieldError
from referee.events import CardShown, Correction, DieShown, Event, RecordingEnded
from referee.lines import read_lines
from referee.match import Match
from referee.messages import check_language
from referee.options import options_for
from referee.record import Header
from referee.typed_lines import ROUND_S, Typing, seat_name, show, typed_line

_SETTINGS = ("game", "players", "options", "language")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedGame:
    """A typed file that was read."""

    header: Header
    events: tuple[Event, ...]
    """In time order, ended by `RecordingEnded`."""
    corrections: tuple[Correction, ...] = ()


@dataclass(slots=True)
class _Settings:
    """What the first lines say of the game."""

    header: Header = field(default_factory=lambda: Header(game="rock"))
    lines: dict[str, int] = field(default_factory=dict)
    """The line of each setting."""


def read_typed(path: Path | str) -> TypedGame:
    """Read a typed file.

    Raises:
        RecordError: it cannot be read; the message names file and line.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise RecordError(f"{path}: cannot be read: {problem.strerror or problem}") from None
    return parse_typed(content, str(path))


def parse_typed(content: bytes | str, name: str = "events", *, game: str | None = None) -> TypedGame:
    """Read a typed file's text. `game`: which it is ruled as, where somebody says another than the file.

    Raises:
        RecordError: it cannot be read; the message names `name` and the line.
    """
    raw = content.encode() if isinstance(content, str) else content
    typing, settings = Typing(), _Settings()
    for line in read_lines(raw, name, comments=True):
        value = dict(line.value or {})
        try:
            if "event" not in value and any(key in value for key in _SETTINGS):
                _set(settings, value, line.number, first=not typing.events)
            else:
                if not typing.events:
                    _begin(settings, typing, name, game)
                typed_line(value, typing)
        except FieldError as problem:
            raise RecordError(f"{name}, line {line.number}: {problem}") from None
    if not typing.events:
        raise RecordError(f"{name}: has no events")
    if missing := _missing(settings.header.players, typing):
        raise RecordError(f"{name}, line {settings.lines['players']}: {missing}")
    return _game(settings.header, typing)


def _missing(players: int | None, typing: Typing) -> str:
    """What is wrong if fewer showed something than are said to play; empty where that is fine, or cannot be told."""
    if players is None or len(typing.shown) >= players:
        return ""
    if any(isinstance(e, CardShown | DieShown) and e.seat is None for e in typing.events):
        return ""
    return f"{players} players, but only {', '.join(sorted(typing.shown)) or 'nobody'} showed anything"


def _game(header: Header, typing: Typing) -> TypedGame:
    events = sorted((e for e in typing.events if not isinstance(e, Correction)), key=lambda event: event.time_s)
    if typing.end_s is None:
        last_s = max(event.time_s for event in typing.events)
        events.append(RecordingEnded(time_s=round(last_s + ROUND_S, 6)))
    corrections = tuple(event for event in typing.events if isinstance(event, Correction))
    return TypedGame(header=header, events=tuple(events), corrections=corrections)


def _set(settings: _Settings, line: dict[str, Any], number: int, *, first: bool) -> None:
    if not first:
        raise FieldError("game, players, options and language must come before the first event")
    unknown = [key for key in line if key not in _SETTINGS]
    if unknown:
        raise FieldError(f"{unknown[0]!r} does not go with game, players, options and language")
    for key, kind in (("game", str), ("language", str), ("options", dict)):
        if key in line and not isinstance(line[key], kind):
            raise FieldError(f"{key}: {show(line[key])} is not allowed")
    settings.lines |= dict.fromkeys(line, number)
    header = settings.header
    seats, players = _players(line, header)
    settings.header = replace(
        header,
        game=line.get("game", header.game),
        language=line.get("language", header.language),
        options={**header.options, **line.get("options", {})},
        seats=seats,
        players=players,
    )


def _players(line: dict[str, Any], header: Header) -> tuple[tuple[str, ...] | None, int | None]:
    """Who plays, or how many: names, or a number."""
    players = line.get("players", list(header.seats or []) or header.players)
    if players is None or (isinstance(players, int) and not isinstance(players, bool)):
        return None, players
    if not isinstance(players, list) or not players:
        raise FieldError(f"players: {show(players)} is neither a number nor a list of names")
    return tuple(seat_name(player) for player in players), None


def _begin(settings: _Settings, typing: Typing, name: str, game: str | None) -> None:
    """The first event comes: now all settings are there, and must go together.

    Raises:
        RecordError: they do not; the message names the line of the setting at fault.
    """
    header, lines = settings.header, settings.lines
    typing.game, typing.is_game_said = game or header.game, game is not None or "game" in lines
    typing.players, typing.count = set(header.seats) if header.seats else None, header.players
    key = "game"
    try:
        options_for(header.game)
        key = "language"
        check_language(header.language)
        key = "options"
        Match(game=header.game, options=header.options)
        key = "players"
        Match(game=header.game, options=header.options, seats=header.seats, players=header.players)
    except UsageError as problem:
        raise RecordError(f"{name}, line {lines[key]}: {problem}") from None
