"""Where the record of a recording is kept, and how judging goes on after it was cut short. No record is written over.

Eye and ear say the same of the same recording every time, so a recording whose judging was cut short is looked at again
from its beginning, and what the record holds already is compared, line by line, instead of written: what was judged is
never taken away, and the finished record is the one that an undisturbed run would have written. If anything is said
otherwise (by a changed program, say) the record stays as it is and a new one, beside it, takes over from there.
"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from referee.errors import RecordError, UsageError
from referee.files import save
from referee.record import dump, read_record
from referee.record_writer import RecordWriter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from referee.record import Header

ENDING = ".record.jsonl"
MOST = 10_000
"""Records of one name in a folder."""


class State(StrEnum):
    """What there is of a record."""

    MISSING = "missing"
    UNFINISHED = "unfinished"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the record of a judging is, or goes."""

    path: Path
    state: State


def find(folder: Path, stem: str, header: Header) -> Place:
    """The record of this very judging, the newest of several, a finished one first; or the free place for it.

    Args:
        folder: where records are kept.
        stem: name of the recording, without its ending.
        header: what is judged, by what, under which house rules: a record with another header is another judging.

    Raises:
        UsageError: the folder cannot be read, or holds too many records of that name.
    """
    found: dict[State, Path] = {}
    for path in _names(folder, stem):
        if not path.exists():
            for state in (State.FINISHED, State.UNFINISHED):
                if state in found:
                    return Place(found[state], state)
            return Place(path, State.MISSING)
        state = _state(path, header)
        if state is not State.MISSING:
            found[state] = path
    raise UsageError(f"{folder} holds too many records of {stem}: choose another folder with --out")


def open_record(folder: Path, stem: str, header: Header) -> RecordWriter:
    """A writer for the record of a judging, new or going on where it was cut short.

    Raises:
        UsageError: the folder cannot be made or written; `BusyError` if another program is judging this.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write into {folder}: {error.strerror}; choose another folder with --out") from error
    while True:
        place = find(folder, stem, header)
        if place.state is not State.MISSING:
            return Continued(place.path, folder, stem)
        try:
            return RecordWriter(place.path, header, exclusive=True)
        except FileExistsError:
            continue  # another program has just taken that name


class Continued(RecordWriter):
    """Takes a judging from its beginning and writes what the record does not hold yet."""

    def __init__(self, path: Path, folder: Path, stem: str) -> None:
        super().__init__(path)
        self._folder, self._stem = folder, stem
        lines = path.read_bytes().splitlines()
        self._head, self._held = lines[:1], deque(line for line in lines[1:] if line.strip())
        self.compared = 0
        """Lines that the record held already and that were said again."""

    def _append(self, *lines: Mapping[str, Any], durable: bool) -> None:
        new = list(lines)
        while new and self._held:
            said = dump(new[0]).encode()
            if self._held[0] != said:
                self._branch()
                break
            self._head.append(self._held.popleft())
            self.compared += 1
            new.pop(0)
        if new:
            super()._append(*new, durable=durable)

    def _branch(self) -> None:
        """Go on in a record of its own: the one there says something else from here on, and is left as it is."""
        self._held.clear()
        content = b"".join(line + b"\n" for line in self._head)
        for path in _names(self._folder, self._stem):
            if path.exists():
                continue
            try:
                save(path, content, exclusive=True)
            except FileExistsError:
                continue
            except OSError as problem:
                raise UsageError(f"cannot write {path}: {problem.strerror or problem}") from None
            self.close()
            RecordWriter.__init__(self, path)
            return
        raise UsageError(f"{self._folder} holds too many records of {self._stem}: choose another folder with --out")


def _names(folder: Path, stem: str) -> Iterator[Path]:
    for number in range(1, MOST):
        yield folder / f"{stem}{'' if number == 1 else f'-{number}'}{ENDING}"


def _state(path: Path, header: Header) -> State:
    """Whether a record is of this judging, and whether it came to its end."""
    try:
        record = read_record(path)
    except RecordError:
        return State.MISSING
    if _identity(record.header) != _identity(header):
        return State.MISSING
    return State.UNFINISHED if record.result is None else State.FINISHED


def _identity(header: Header) -> dict[str, Any]:
    """A header without what may differ between two runs over the same recording: where it lay."""
    line: dict[str, Any] = json.loads(dump(header.to_json()))
    return line | {"recording": {k: v for k, v in line["recording"].items() if k not in ("path", "name")}}
