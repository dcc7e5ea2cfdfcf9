"""JSON Lines read with suspicion: sizes, encodings, doubled keys and numbers that are none are refused, by line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_LINE = 1_000_000
"""Bytes; a ruling line has a few thousand."""
MOST_BYTES = 500_000_000


@dataclass(frozen=True, slots=True)
class Line:
    """One line that holds something."""

    number: int
    value: dict[str, Any] | None
    """None for a last line that was cut off."""


def read_lines(content: bytes, name: str, *, comments: bool = False) -> Iterator[Line]:
    """Read the JSON objects of a file, one a line.

    Args:
        content: the whole file.
        name: of the file, for messages.
        comments: whether lines that begin with `#` are skipped (typed files).

    Raises:
        RecordError: for a line that is not one JSON object; a last line without its end is given as None instead.
    """
    if len(content) > MOST_BYTES:
        raise RecordError(f"{name}: is larger than {MOST_BYTES // 1_000_000} MB")
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, raw in enumerate(lines, 1):
        stripped = raw.strip()
        if not stripped or (comments and stripped.startswith(b"#")):
            continue
        unfinished = number == len(lines) and not comments
        try:
            yield Line(number, _object(raw))
        except _BadLineError as problem:
            if unfinished and number > 1:
                yield Line(number, None)
                return
            raise RecordError(f"{name}, line {number}: {problem}") from None


class _BadLineError(ValueError):
    """What is wrong with a line."""


def _object(raw: bytes) -> dict[str, Any]:
    if len(raw) > LONGEST_LINE:
        raise _BadLineError(f"is longer than {LONGEST_LINE} bytes")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise _BadLineError(f"is not UTF-8 (byte {problem.start + 1})") from None
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except _BadLineError:
        raise
    except RecursionError:
        raise _BadLineError("is nested too deeply") from None
    except json.JSONDecodeError as problem:
        raise _BadLineError(f"is not JSON: {problem.msg.removesuffix(' at')} at character {problem.pos + 1}") from None
    except ValueError:
        raise _BadLineError("holds a number that is too long") from None
    if not isinstance(value, dict):
        raise _BadLineError("is not a JSON object")
    if "\\ud" in text.lower():
        _check_whole_characters(value)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        names = [key for key, _ in pairs]
        doubled = next(key for key in names if names.count(key) > 1)
        raise _BadLineError(f"has {doubled[:60]!r} twice")
    return out


def _refuse(word: str) -> None:
    raise _BadLineError(f"{word} is not a number")


def _check_whole_characters(value: dict[str, Any]) -> None:
    """Half a surrogate pair is no text: it could not be written again."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise _BadLineError("holds half a character (a lone surrogate)") from None
