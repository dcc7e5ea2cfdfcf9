"""The words that the ear listens for, one file a language: data, not code.

A line holds four columns parted by tabs: type (`rock`, `paper`, `scissors`, or `-` for a decoy: a word that sounds
like a call and is none), word, spelling in that language's ordinary models (or several, parted by commas: the first
that a model knows is used), pronunciations parted by ` | ` in the phones of `models.phones`. `#` begins a comment.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from models.phones import GROUPS
from referee.errors import UsageError
from referee.events import Type

if TYPE_CHECKING:
    from collections.abc import Sequence

LANGUAGES = ("en", "de", "es", "ko")


@dataclass(frozen=True, slots=True)
class Word:
    """A word that can be heard."""

    word: str
    language: str
    type: Type | None
    """None for a decoy."""
    spellings: tuple[str, ...]
    """In that language's ordinary models: the first that a model knows is used."""
    pronunciations: tuple[tuple[str, ...], ...]

    @property
    def symbol(self) -> str:
        """The name of this word in the recogniser's output, unique among all languages."""
        return f"{self.language}/{self.word}"


def parse(text: str, language: str, name: str) -> tuple[Word, ...]:
    """Parse a lexicon; `name` is what error messages call it.

    Raises:
        UsageError: a line is not as described above; the message has its number.
    """
    words = []
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("#")[0].rstrip()
        if content:
            words.append(_parse_line(content, language, f"{name}, line {number}"))
    return tuple(words)


def _parse_line(line: str, language: str, where: str) -> Word:
    columns = line.split("\t")
    if len(columns) != 4:
        raise UsageError(f"{where}: expected type, word, spelling and pronunciations parted by tabs, found {line!r}")
    kind, word, spelling, pronunciations = columns
    if kind != "-" and kind not in list(Type):
        raise UsageError(f"{where}: {kind!r} is no type; use rock, paper, scissors or -")
    spoken = tuple(tuple(one.split()) for one in pronunciations.split("|"))
    for phone in sum(spoken, ()):
        if phone not in GROUPS:
            raise UsageError(f"{where}: {phone!r} is no phone of the call model; known are {' '.join(GROUPS)}")
    if not all(spoken):
        raise UsageError(f"{where}: a pronunciation is empty")
    return Word(word, language, None if kind == "-" else Type(kind), tuple(spelling.split(",")), spoken)


@functools.cache
def load(language: str) -> tuple[Word, ...]:
    """The words of a language that the referee knows.

    Raises:
        UsageError: there is no lexicon for `language`.
    """
    if language not in LANGUAGES:
        raise UsageError(f"no lexicon for the language {language!r}; choose from {', '.join(LANGUAGES)}")
    file = resources.files("models") / "lexicon" / f"{language}.tsv"
    return parse(file.read_text(encoding="utf-8"), language, f"models/lexicon/{language}.tsv")


def load_all(languages: Sequence[str]) -> tuple[Word, ...]:
    """The words of several languages, in the order of `LANGUAGES` whatever the order asked for."""
    for language in languages:
        load(language)
    if not languages:
        raise UsageError(f"no language to listen for; choose from {', '.join(LANGUAGES)}")
    return tuple(word for language in LANGUAGES if language in languages for word in load(language))
