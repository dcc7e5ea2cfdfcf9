"""Words that people have taught by saying them: one file a word in the user's data folder.

A file holds what the word is (its name, type, language, the phones that were found in it) and, of each saying, a table
of 64 numbers every 30 ms: what the acoustic network makes of it. That tells the phones; the sound cannot be made again.
"""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from referee.errors import UsageError
from referee.events import Type
from referee.places import data_folder, file_name, made

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Rows = NDArray[np.float32]

FORMAT = 1
ALL = "all"
MOST = 12
"""Sayings kept of one word."""


@dataclass(frozen=True, slots=True)
class Taught:
    """A word of somebody's own."""

    word: str
    language: str
    type: Type
    pronunciations: tuple[str, ...]
    """Phones as in a lexicon (`models.phones`), the best first."""
    limit: float
    """Distance at which talk and single other words begin to be taken for it (`audio.teach`)."""
    examples: tuple[Rows, ...]
    """Bottleneck rows of each saying, shape (n, 64)."""
    sha256: str = ""
    """Of its file."""

    @property
    def facts(self) -> dict[str, Any]:
        """What a record's header says of it."""
        return {
            "word": self.word,
            "names": self.type.value,
            "language": self.language,
            "pronunciations": list(self.pronunciations),
            "examples": len(self.examples),
            "sha256": self.sha256,
        }


@dataclass(frozen=True, slots=True)
class Space:
    """In which sounds are compared, and talk to compare with; made by `audio.train.taught`."""

    mean: Rows
    scale: Rows
    """What is taken from, and then multiplied with, each of the 64 numbers."""
    talk: Rows
    """Rows of synthetic voices that talk, in this space, each of length 1, shape (n, 64)."""
    words: tuple[Rows, ...]
    """The same of single words, with the quiet around them."""

    def place(self, bottleneck: Rows) -> Rows:
        """Rows of the network in this space, each of length 1."""
        return _unit((bottleneck - self.mean) * self.scale)


@functools.cache
def space() -> Space:
    """The space that ships with the referee."""
    with (resources.files("models") / "taught.npz").open("rb") as file, np.load(file) as stored:
        mean, scale, talk, words = (np.asarray(stored[n], np.float32) for n in ("mean", "scale", "talk", "words"))
        cuts = stored["ends"][:-1]
    return Space(mean, scale, _unit(talk), tuple(np.split(_unit(words), cuts)))


def _unit(rows: Rows) -> Rows:
    result: Rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-6))
    return result


def names() -> list[str]:
    """All taught words, sorted."""
    try:
        found = [path.stem for path in data_folder("words").iterdir() if path.suffix == ".npz"]
    except OSError:
        return []
    return sorted((name for name in found if not name.startswith(".")), key=str.casefold)


def path_of(word: str) -> Path:
    """The file of a word, whether it is there or not. Upper and lower case do not matter.

    Raises:
        UsageError: no word can be written so.
    """
    word = file_name(word, "word")
    if word.casefold() == ALL:
        raise UsageError(f"word {word!r}: --words {ALL} means every word; choose another")
    same = next((one for one in names() if one.casefold() == word.casefold()), word)
    return data_folder("words") / f"{same}.npz"


def read(word: str) -> Taught:
    """A taught word.

    Raises:
        UsageError: it is not there, or damaged.
    """
    path = path_of(word)
    try:
        content = path.read_bytes()
        with np.load(path, allow_pickle=False) as stored:
            facts = json.loads(str(stored["facts"]))
            tables = tuple(np.asarray(stored[f"saying{i}"], np.float32) for i in range(int(facts["examples"])))
        return Taught(
            str(facts["word"]),
            str(facts["language"]),
            Type(facts["type"]),
            tuple(str(one) for one in facts["pronunciations"]),
            float(facts["limit"]),
            tables,
            hashlib.sha256(content).hexdigest(),
        )
    except FileNotFoundError:
        taught = ", ".join(names()) or "none"
        raise UsageError(f"no word {word!r} has been taught (taught: {taught}); see referee words add") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
        raise UsageError(f"{path}: damaged ({error}); teach the word again") from None


def write(taught: Taught) -> Path:
    """Keep a word; one of the same name is replaced.

    Raises:
        UsageError: it cannot be written.
    """
    path = path_of(taught.word)
    made(path.parent)
    facts = {
        "format": FORMAT,
        "word": taught.word,
        "language": taught.language,
        "type": taught.type.value,
        "pronunciations": taught.pronunciations,
        "limit": round(taught.limit, 4),
        "examples": len(taught.examples),
    }
    tables: dict[str, Any] = {f"saying{i}": table.astype(np.float16) for i, table in enumerate(taught.examples)}
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as out:
            np.savez_compressed(out, facts=np.array(json.dumps(facts, ensure_ascii=False)), **tables)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError(f"{path} cannot be written ({error.strerror})") from None
    return path


def remove(word: str) -> None:
    """Forget a word.

    Raises:
        UsageError: it is not there, or cannot be deleted.
    """
    path = path_of(word)
    try:
        path.unlink()
    except FileNotFoundError:
        raise UsageError(f"no word {word!r} has been taught; there are: {', '.join(names()) or 'none'}") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be deleted ({error.strerror})") from None


def chosen(words: Sequence[str]) -> tuple[Taught, ...]:
    """The words that count as calls, each once; `all` for every word that was taught.

    Raises:
        UsageError: a word is not there or damaged; or `all` and there is none.
    """
    if any(word.casefold() == ALL for word in words):
        words = names()
        if not words:
            raise UsageError(f"--words {ALL}: no word has been taught yet; see referee words add")
    return tuple(read(word) for word in dict.fromkeys(path_of(word).stem for word in words))
