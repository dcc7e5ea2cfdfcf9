"""Games that were not filmed: a file of events typed by hand (docs/record.md has the whole story and an example).

One JSON object a line; `#` begins a comment line. Times may be left out. Everything is checked, with the line's number.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import RecordError
from referee.event_json import FieldError, from_object
from referee.events import (
    BlotRemoved,
    BlotReplaced,
    CallHeard,
    CardsGone,
    CardShown,
    CardTouched,
    Correction,
    Dealt,
    DieShown,
    Event,
    HandDrawn,
    QuestionRead,
    RecordingEnded,
    Reshuffled,
    SeatChanged,
    Type,
)
from referee.lines import read_lines
from referee.record import Header

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.events import Seat

WORDS: dict[str, Type] = {
    **dict.fromkeys(("rock", "stein", "piedra", "bawi"), Type.ROCK),
    **dict.fromkeys(("paper", "papier", "papel", "bo"), Type.PAPER),
    **dict.fromkeys(("scissors", "schere", "tijera", "tijeras", "gawi"), Type.SCISSORS),
}
"""Words that name a type when typed, in lower case."""

AROUND_WORDS = " \t!¡?¿.,…\"'“”„«»"
"""What people type around a word that was called."""

ROUND_S = 5.0
"""Time from one line to the next round's cards when none is given: silence in between is long enough to be one."""
CALL_S = 0.8
"""Time from cards to the call on the next line when none is given."""
SIGMA_MS = 1.0
"""Error of a typed time: what people type is meant."""
_SETTINGS = ("game", "players", "options", "language")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedGame:
    """A typed file that was read."""

    header: Header
    events: tuple[Event, ...]
    """In time order, ended by `RecordingEnded`."""
    corrections: tuple[Correction, ...] = ()


@dataclass(slots=True)
class _Typing:
    """What was read so far."""

    now_s: float = 0.0
    cards: int = 0
    lying: dict[int, tuple[Seat | None, Type | None]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def at(self, line: dict[str, Any], default_s: float) -> float:
        """The line's time, and the clock put to it."""
        if "t" in line and "after_ms" in line:
            raise FieldError("give t or after_ms, not both")
        if "t" in line:
            self.now_s = _number(line.pop("t"), "t", most=1e9)
        elif "after_ms" in line:
            self.now_s = round(self.now_s + _number(line.pop("after_ms"), "after_ms", most=1e9) / 1000, 6)
        else:
            self.now_s = round(self.now_s + default_s, 6)
        return self.now_s


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


def parse_typed(content: bytes | str, name: str = "events") -> TypedGame:
    """Read a typed file's text.

    Raises:
        RecordError: it cannot be read; the message names `name` and the line.
    """
    raw = content.encode() if isinstance(content, str) else content
    typing, header = _Typing(), Header(game="rock")
    for line in read_lines(raw, name, comments=True):
        value = dict(line.value or {})
        try:
            if any(key in value for key in _SETTINGS):
                header = _settings(value, header, first=not typing.events)
            else:
                _typed_line(value, typing)
        except FieldError as problem:
            raise RecordError(f"{name}, line {line.number}: {problem}") from None
    if not typing.events:
        raise RecordError(f"{name}: has no events")
    return _game(header, typing)


def _game(header: Header, typing: _Typing) -> TypedGame:
    events = sorted((e for e in typing.events if not isinstance(e, Correction)), key=lambda event: event.time_s)
    ends = [event for event in events if isinstance(event, RecordingEnded)]
    last_s = max(event.time_s for event in typing.events)
    if not ends:
        events.append(RecordingEnded(time_s=round(last_s + ROUND_S, 6)))
    corrections = tuple(event for event in typing.events if isinstance(event, Correction))
    return TypedGame(header=header, events=tuple(events), corrections=corrections)


def _settings(line: dict[str, Any], header: Header, *, first: bool) -> Header:
    if not first:
        raise FieldError("game, players, options and language must come before the first event")
    unknown = [key for key in line if key not in _SETTINGS]
    if unknown:
        raise FieldError(f"{unknown[0]!r} does not go with game, players, options and language")
    for key, kind in (("game", str), ("language", str), ("options", dict)):
        if key in line and not isinstance(line[key], kind):
            raise FieldError(f"{key}: {_show(line[key])} is not allowed")
    players = line.get("players", list(header.seats or []) or header.players)
    names = tuple(_seat(player) for player in players) if isinstance(players, list) else None
    if names is None and players is not None and (isinstance(players, bool) or not isinstance(players, int)):
        raise FieldError(f"players: {_show(players)} is neither a number nor a list of names")
    return replace(
        header,
        game=line.get("game", header.game),
        language=line.get("language", header.language),
        options={**header.options, **line.get("options", {})},
        seats=names or None,
        players=players if names is None else None,
    )


def _typed_line(line: dict[str, Any], typing: _Typing) -> None:
    """Turn one line into its events."""
    if "event" in line:
        event = from_object(line)
        typing.now_s = max(typing.now_s, event.time_s) if not isinstance(event, Correction) else typing.now_s
        typing.events.append(event)
        if isinstance(event, CardShown):
            typing.cards = max(typing.cards, event.card)
            typing.lying[event.card] = (event.seat, event.type)
        return
    kinds = [key for key in _LINES if key in line]
    if len(kinds) != 1:
        known = ", ".join(_LINES)
        raise FieldError(f"needs one of {known}" if not kinds else f"{kinds[0]!r} and {kinds[1]!r} are two lines")
    make = _LINES[kinds[0]]
    value = line.pop(kinds[0])
    events = make(value, line, typing)
    if line:
        raise FieldError(f"{next(iter(line))!r} does not go with {kinds[0]!r}")
    typing.events.extend(events)


def _cards(value: Any, line: dict[str, Any], typing: _Typing) -> list[Event]:
    time_s = typing.at(line, ROUND_S)
    events: list[Event] = []
    for seat, face in _by_seat(value).items():
        typing.cards += 1
        kind = None if face in ("?", None) else _type(face)
        events.append(
            CardShown(
                time_s=time_s,
                sigma_ms=SIGMA_MS,
                seat=seat,
                card=typing.cards,
                type=kind,
                confidence=1.0 if kind else 0.0,
                reason="" if kind else "unsure",
            )
        )
        typing.lying[typing.cards] = (seat, kind)
    return events


def _call(value: Any, line: dict[str, Any], typing: _Typing) -> list[Event]:
    time_s = typing.at(line, CALL_S)
    if not isinstance(value, str) or not value.strip():
        raise FieldError(f"call: {_show(value)} is not a word")
    kind = WORDS.get(value.strip(AROUND_WORDS).lower())
    return [
        CallHeard(
            time_s=time_s,
            sigma_ms=SIGMA_MS,
            end_s=time_s,
            type=kind,
            word=value[:100],
            probability=1.0 if kind else 0.0,
            seats=_by(line),
            tier="people",
            reason="" if kind else "no type",
        )
    ]


def _by(line: dict[str, Any]) -> dict[Seat, float]:
    """Who did it; nobody knows if it is left out."""
    return {_seat(line.pop("by")): 1.0} if line.get("by", "?") != "?" else _unknown(line)


def _unknown(line: dict[str, Any]) -> dict[Seat, float]:
    line.pop("by", None)
    return {}


def _touch(value: Any, line: dict[str, Any], typing: _Typing) -> list[Event]:
    kind = _type(value)
    time_s = typing.at(line, CALL_S)
    cards = [card for card, (_, lies) in typing.lying.items() if lies is kind]
    if not cards:
        raise FieldError(f"touch: no card of type {kind} lies in the centre")
    seat = next(iter(_by(line)), None)
    return [CardTouched(time_s=time_s, sigma_ms=SIGMA_MS, seat=seat, card=cards[-1])]


def _taken(value: Any, line: dict[str, Any], typing: _Typing) -> list[Event]:
    """`all`, or whose cards, taken by somebody."""
    time_s = typing.at(line, 2.0)
    if value == "all":
        cards = tuple(typing.lying)
    else:
        owners = {_seat(seat) for seat in (value if isinstance(value, list) else [value])}
        cards = tuple(card for card, (seat, _) in typing.lying.items() if seat in owners)
    for card in cards:
        del typing.lying[card]
    return [CardsGone(time_s=time_s, sigma_ms=SIGMA_MS, cards=cards, to_seat=next(iter(_by(line)), None))]


def _dice(value: Any, line: dict[str, Any], typing: _Typing) -> list[Event]:
    time_s = typing.at(line, ROUND_S)
    events: list[Event] = []
    for seat, number in _by_seat(value).items():
        if number is not None and number != "?" and (isinstance(number, bool) or not isinstance(number, int)):
            raise FieldError(f"dice: {_show(number)} is not a number on a die")
        known = None if number in ("?", None) else number
        sure = float(known is not None)
        events.append(DieShown(time_s=time_s, sigma_ms=SIGMA_MS, seat=seat, value=known, confidence=sure))
    return events


def _question(value: Any, line: dict[str, Any], typing: _Typing) -> list[Event]:
    if not isinstance(value, str):
        raise FieldError(f"question: {_show(value)} is not a text")
    return [QuestionRead(time_s=typing.at(line, ROUND_S), text=value[:1000])]


def _deal(value: Any, line: dict[str, Any], typing: _Typing) -> list[Event]:
    time_s = typing.at(line, ROUND_S)
    typing.lying.clear()
    if value is True:
        return [Reshuffled(time_s=time_s)]
    counts = _by_seat(value)
    if not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= 1000 for n in counts.values()):
        raise FieldError(f"deal: {_show(value)} does not give a number of cards for each player")
    return [Dealt(time_s=time_s, cards=counts)]


def _moves(value: Any, line: dict[str, Any], typing: _Typing) -> list[Event]:
    return [SeatChanged(time_s=typing.at(line, ROUND_S), seat=_seat(value), to_seat=_seat(line.pop("to", None)))]


def _blot(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 8:
        raise FieldError(f"{_show(value)} is not an inkblot's number")
    return value


def _end(value: Any, line: dict[str, Any], typing: _Typing) -> list[Event]:
    del value
    return [RecordingEnded(time_s=typing.at(line, ROUND_S))]


_LINES: dict[str, Callable[[Any, dict[str, Any], _Typing], list[Event]]] = {
    "cards": _cards,
    "call": _call,
    "touch": _touch,
    "taken": _taken,
    "dice": _dice,
    "question": _question,
    "deal": _deal,
    "moves": _moves,
    "draws": lambda value, line, typing: [HandDrawn(time_s=typing.at(line, 2.0), seat=_seat(value))],
    "removed": lambda value, line, typing: [BlotRemoved(time_s=typing.at(line, 2.0), blot=_blot(value))],
    "replaced": lambda value, line, typing: [BlotReplaced(time_s=typing.at(line, 2.0), blot=_blot(value))],
    "end": _end,
}


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _number(value: Any, key: str, *, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise FieldError(f"{key}: {_show(value)} is not a time")
    return float(value)


def _seat(value: Any) -> Seat:
    if not isinstance(value, str) or not value.strip() or len(value) > 60:
        raise FieldError(f"{_show(value)} is not a player")
    return value.strip()


def _type(value: Any) -> Type:
    kind = WORDS.get(value.strip().lower()) if isinstance(value, str) else None
    if kind is None:
        raise FieldError(f"{_show(value)} is no type of card; use rock, paper, scissors or ?")
    return kind


def _by_seat(value: Any) -> dict[Seat, Any]:
    if not isinstance(value, dict) or not value or len(value) > 8:
        raise FieldError(f"{_show(value)} is not an object of one to eight players")
    return {_seat(seat): item for seat, item in value.items()}
