"""Events to JSON objects and back, exactly: what is read back equals what was written.

The card's type is written as `face`, the type that a word names as `names`, because `type` says what a line is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from math import isfinite
from typing import TYPE_CHECKING, Any

from referee import events as ev
from referee.events import Type

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES: dict[str, type[ev.Event]] = {
    "card_shown": ev.CardShown,
    "cards_gone": ev.CardsGone,
    "card_touched": ev.CardTouched,
    "table_notice": ev.TableNotice,
    "call_heard": ev.CallHeard,
    "moment": ev.Moment,
    "dealt": ev.Dealt,
    "reshuffled": ev.Reshuffled,
    "seat_changed": ev.SeatChanged,
    "hand_drawn": ev.HandDrawn,
    "question_read": ev.QuestionRead,
    "die_shown": ev.DieShown,
    "blot_removed": ev.BlotRemoved,
    "blot_replaced": ev.BlotReplaced,
    "correction": ev.Correction,
    "recording_ended": ev.RecordingEnded,
}
"""Every kind of event that a record may hold, by its name in `event`."""

_NAME_OF = {cls: name for name, cls in NAMES.items()}
_KEYS: dict[type[ev.Event], dict[str, str]] = {
    ev.CardShown: {"type": "face"},
    ev.CallHeard: {"type": "names"},
    ev.Correction: {"type": "names"},
}
_MOST_WORDS = 2000
_MOST_ITEMS = 1000
_MOST_NUMBER = 1e12


class FieldError(ValueError):
    """A value that an event cannot have; says which."""


def to_object(event: ev.Event) -> dict[str, Any]:
    """The event as a JSON object, without the line's own `type`. What has its default value is left out."""
    renamed = _KEYS.get(type(event), {})
    out: dict[str, Any] = {"event": _NAME_OF[type(event)]}
    for one in fields(event):
        value = getattr(event, one.name)
        if not _is_default(one, value):
            out[renamed.get(one.name, one.name)] = (
                float(value) if one.name in _FLOATS and value is not None else _plain(value)
            )
    return out


_FLOATS = frozenset({"time_s", "end_s", "rest_s", "at_s", "sigma_ms", "confidence", "probability"})


def _is_default(one: Any, value: Any) -> bool:
    if one.default is not MISSING:
        return bool(type(value) is type(one.default) and value == one.default)
    return bool(one.default_factory is not MISSING and value == one.default_factory())


def _plain(value: Any) -> Any:
    if isinstance(value, Type):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return float(value) if isinstance(value, float) else value


def from_object(given: Mapping[str, Any]) -> ev.Event:
    """The event that a JSON object holds.

    Raises:
        FieldError: an unknown event or field, a missing one, or a value of the wrong kind or size.
    """
    name = given.get("event")
    if not isinstance(name, str) or name not in NAMES:
        raise FieldError(f"event {_show(name)} is not known; known are {', '.join(NAMES)}")
    cls = NAMES[name]
    renamed = {value: key for key, value in _KEYS.get(cls, {}).items()}
    allowed = {one.name: one for one in fields(cls)}
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key in ("event", "type"):
            continue
        field_name = renamed.get(key, key)
        if field_name not in allowed or key in _KEYS.get(cls, {}):
            raise FieldError(f"{name} has no field {_show(key)}")
        values[field_name] = _read(cls, field_name, key, value)
    for field_name, one in allowed.items():
        if field_name not in values and one.default is MISSING and one.default_factory is MISSING:
            raise FieldError(f"{name} needs the field {_KEYS.get(cls, {}).get(field_name, field_name)!r}")
    return cls(**values)


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _read(cls: type[ev.Event], name: str, key: str, value: Any) -> Any:
    reader = _READERS.get((cls, name)) or _READERS_BY_NAME[name]
    try:
        return reader(value)
    except FieldError as problem:
        raise FieldError(f"{key}: {problem}") from None


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FieldError(f"{_show(value)} is not a number")
    if not isfinite(value) or abs(value) > _MOST_NUMBER:
        raise FieldError(f"{_show(value)} is out of range")
    return float(value)


def _time(value: Any) -> float:
    number = _number(value)
    if number < 0:
        raise FieldError(f"{_show(value)} is before the recording")
    return number


def _sigma(value: Any) -> float:
    number = _number(value)
    if number < 0:
        raise FieldError(f"{_show(value)} is negative")
    return number


def _share(value: Any) -> float:
    number = _number(value)
    if not 0 <= number <= 1:
        raise FieldError(f"{_show(value)} is not between 0 and 1")
    return number


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > _MOST_NUMBER:
        raise FieldError(f"{_show(value)} is not a whole number")
    return value


def _yes_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise FieldError(f"{_show(value)} is not true or false")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _MOST_WORDS:
        raise FieldError(f"{_show(value)} is not a text of at most {_MOST_WORDS} characters")
    return value


def _seat(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 60 or not value.isprintable():
        raise FieldError(f"{_show(value)} is not a seat")
    return value


def _type(value: Any) -> Type:
    if not isinstance(value, str) or value not in Type._value2member_map_:
        raise FieldError(f"{_show(value)} is no type; the types are rock, paper, scissors")
    return Type(value)


def _maybe(reader: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else reader(value)


def _several(reader: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > _MOST_ITEMS:
            raise FieldError(f"{_show(value)} is not a list of at most {_MOST_ITEMS}")
        return tuple(reader(item) for item in value)

    return read


def _by_seat(reader: Callable[[Any], Any]) -> Callable[[Any], dict[str, Any]]:
    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or len(value) > 100:
            raise FieldError(f"{_show(value)} is not an object by seat")
        return {_seat(seat): reader(item) for seat, item in value.items()}

    return read


def _shares(value: Any) -> dict[str, float]:
    shares = _by_seat(_share)(value)
    if sum(shares.values()) > 1 + 1e-6:
        raise FieldError(f"{_show(value)} adds up to more than 1")
    return shares


def _count(value: Any) -> int:
    number = _whole(value)
    if not 0 <= number <= 1000:
        raise FieldError(f"{_show(value)} is not between 0 and 1000")
    return number


def _corner(value: Any) -> tuple[float, float]:
    pair = _several(_number)(value)
    if len(pair) != 2:
        raise FieldError(f"{_show(value)} is not a point")
    return pair[0], pair[1]


CORRECTIONS = ("caller", "card", "not_a_call", "call", "void", "as_ruled", "die", "undo")


def _correction(value: Any) -> str:
    if value not in CORRECTIONS:
        raise FieldError(f"{_show(value)} is no correction; known are {', '.join(CORRECTIONS)}")
    return str(value)


_READERS: dict[tuple[type[ev.Event], str], Callable[[Any], Any]] = {
    (ev.CardShown, "seat"): _maybe(_seat),
    (ev.CardTouched, "seat"): _maybe(_seat),
    (ev.TableNotice, "seat"): _maybe(_seat),
    (ev.DieShown, "seat"): _maybe(_seat),
    (ev.Correction, "seat"): _maybe(_seat),
    (ev.Correction, "card"): _maybe(_whole),
    (ev.Dealt, "cards"): _by_seat(_count),
}
_READERS_BY_NAME: dict[str, Callable[[Any], Any]] = {
    "time_s": _time,
    "end_s": _time,
    "rest_s": _maybe(_time),
    "at_s": _maybe(_time),
    "sigma_ms": _sigma,
    "seat": _seat,
    "to_seat": _maybe(_seat),
    "card": _whole,
    "call": _maybe(_whole),
    "target": _maybe(_whole),
    "blot": _whole,
    "value": _maybe(_whole),
    "cards": _several(_whole),
    "type": _maybe(_type),
    "confidence": _share,
    "probability": _share,
    "corners": _several(_corner),
    "levels_db": _several(_number),
    "seats": _shares,
    "accepted": _yes_no,
    "contested": _yes_no,
    "kind": _correction,
    **dict.fromkeys(("reason", "code", "word", "language", "tier", "text", "colour", "outcome", "by"), _text),
}
