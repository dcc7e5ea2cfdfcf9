"""Sentences for people, from one catalogue a language: English, German, Spanish.

A template holds `{name}` for a value, `{n#card|cards}` for a count with its word in the right number, and
`{n?one text|other text}` for a text that depends on the number alone: a count, or how many are named. Seats and
types are said in the language. `referee/messages/en.py` and its sisters hold the catalogue.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from referee.errors import UsageError
from referee.events import Type
from referee.messages import de, en, es
from referee.quick import quick

if TYPE_CHECKING:
    from collections.abc import Mapping

CATALOGUES = {"en": en, "de": de, "es": es}
LANGUAGES: tuple[str, ...] = tuple(CATALOGUES)
_FIELD = re.compile(r"\{(\w+)(?:([#?])([^|{}]*)\|([^{}]*))?\}")


@quick
@dataclass(frozen=True, slots=True)
class Message:
    """A sentence before it is put into a language: a code of the catalogue and its values."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)


def check_language(language: str) -> str:
    """The language, if the catalogue has it.

    Raises:
        UsageError: it has not.
    """
    if language not in CATALOGUES:
        raise UsageError(f"language {language!r} is not known; the languages are {', '.join(LANGUAGES)}")
    return language


def known_language(named: object) -> str:
    """The language that a record names, or English where it names none that is known."""
    return str(named) if named in CATALOGUES else LANGUAGES[0]


def sentence(message: Message, language: str) -> str:
    """Put a message into a language."""
    catalogue = CATALOGUES[language]
    text = rendered(catalogue.SENTENCES[message.code], message.values, language)
    return text[:1].upper() + text[1:]


def why(message: Message, rule: str, options: Mapping[str, Any], language: str) -> str:
    """One sentence that also names the rule and the house rules that were used."""
    words = CATALOGUES[language].WORDS
    parts = [f"{words['rule']} {rule}"]
    parts += [f"{words['house rule']} {name} = {say(value, language)}" for name, value in options.items()]
    return f"{sentence(message, language).rstrip('.')} ({', '.join(parts)})."


def say(value: Any, language: str) -> str:
    """One value in a language: a seat, a type, a yes or no, a number, or several of them joined by "and"."""
    words: dict[str, str] = CATALOGUES[language].WORDS
    if isinstance(value, Type):
        return words[value.value]
    if isinstance(value, bool):
        return words["yes" if value else "no"]
    if value is None:
        return words["nobody"]
    if isinstance(value, tuple | list):
        return _joined([say(item, language) for item in value], words)
    if isinstance(value, float):
        return f"{value:g}".replace(".", words["decimal"])
    return words.get(f"seat {value}", str(value))


def _joined(said: list[str], words: Mapping[str, str]) -> str:
    """Several things as people list them; Spanish says "e" before an i."""
    if not said:
        return words["nobody"]
    last = said[-1].lower()
    sounds_i = last.startswith(("i", "hi")) and not last.startswith(("hia", "hie"))
    link = words["and before i" if sounds_i else "and"]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} {link} {said[-1]}"


def rendered(template: str, values: Mapping[str, Any], language: str) -> str:
    """A template with its values, said in a language."""
    return "".join(part if isinstance(part, str) else _fill(part, values, language) for part in _parts(template))


def _fill(part: tuple[str, str, str, str], values: Mapping[str, Any], language: str) -> str:
    name, kind, one, other = part
    value = values[name]
    if not kind:
        return say(value, language)
    number = len(value) if isinstance(value, tuple | list) else value
    chosen = one if number == 1 else other
    return f"{say(value, language)} {chosen}" if kind == "#" else chosen


@lru_cache(maxsize=1024)
def _parts(template: str) -> tuple[str | tuple[str, str, str, str], ...]:
    """A template cut into plain text and fields, once."""
    parts: list[str | tuple[str, str, str, str]] = []
    position = 0
    for found in _FIELD.finditer(template):
        parts.append(template[position : found.start()])
        parts.append((found[1], found[2] or "", found[3] or "", found[4] or ""))
        position = found.end()
    parts.append(template[position:])
    return tuple(part for part in parts if part)
