"""Writes records, line by line so that a crash loses nothing that was judged; nobody else writes meanwhile."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import BusyError, UsageError
from referee.events import Correction, Event, SeenTo
from referee.files import save
from referee.locking import hold
from referee.record import dump, entry_to_json, parse_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from io import FileIO
    from types import TracebackType
    from typing import Self

    from referee.record import Header
    from referee.ruling import Ruling

WAIT_S = 5.0
"""How long another program may take to let go of a record before that is said."""


class RecordWriter:
    """Appends to a record, line by line. Every line is handed to the system; rulings are forced onto the disk.

    While it is open nobody else can write the same record.
    """

    def __init__(self, path: Path | str, header: Header | None = None, *, exclusive: bool = False) -> None:
        """Open a record.

        Args:
            path: the file; its folder must exist.
            header: begins a new record, in the place of anything that was there. None goes on with an existing one,
                after cutting off a last line that a crash left unfinished.
            exclusive: with a header: refuse to take the place of anything.

        Raises:
            UsageError: the file cannot be written, or another program is writing it.
            RecordError: the existing file is not a record.
            FileExistsError: `exclusive`, and there is something.
        """
        self.path = Path(path)
        try:
            if header is not None:
                self._file: FileIO = self._begun(header, exclusive=exclusive)
            else:
                self._file = self._gone_on_with()
        except FileExistsError:
            raise
        except OSError as problem:
            raise _unwritable(self.path, problem) from None

    def _begun(self, header: Header, *, exclusive: bool) -> FileIO:
        """A new record with its header: at no moment is there a file without one."""
        first = f"{dump(header.to_json())}\n".encode()
        if self.path.exists() and not self.path.is_file():  # a device, for example
            file = self.path.open("wb", buffering=0)
            file.write(first)
            return file
        if self.path.exists() and not exclusive:
            with self.path.open("r+b", buffering=0) as old:
                self._lock(old)
        save(self.path, first, exclusive=exclusive)
        file = self._lock(self.path.open("r+b", buffering=0))
        file.seek(0, os.SEEK_END)
        return file

    def _gone_on_with(self) -> FileIO:
        """An existing record, whole up to its last line."""
        file = self.path.open("r+b", buffering=0)
        try:
            self._lock(file)
            content = file.read()
            parse_record(content, str(self.path))
            end = _finished_length(content)
            file.truncate(min(end, len(content)))
            file.seek(0, os.SEEK_END)
            if end > len(content):
                file.write(b"\n")
        except BaseException:
            file.close()
            raise
        return file

    def _lock(self, file: FileIO) -> FileIO:
        if not hold(file.fileno(), WAIT_S):
            file.close()
            raise BusyError(f"{self.path} is being written by another program; try again when that is done")
        return file

    def event(self, event: Event | SeenTo) -> None:
        """Append an event or a correction; promises of sources are not recorded."""
        if isinstance(event, SeenTo):
            return
        self._append(entry_to_json(event), durable=isinstance(event, Correction))

    def ruling(self, ruling: Ruling) -> None:
        """Append a ruling."""
        self._append(ruling.to_json(), durable=True)

    def result(self, line: Mapping[str, Any]) -> None:
        """Append the result line."""
        self._append({"type": "result", **line}, durable=True)

    def corrected(self, correction: Correction, rulings: Iterable[Ruling], result: Mapping[str, Any]) -> None:
        """Append a correction with the rulings and the result that it makes, in one write: all of it or nothing."""
        changed = [ruling.to_json() for ruling in rulings]
        self._append(entry_to_json(correction), *changed, {"type": "result", **result}, durable=True)

    def close(self) -> None:
        """Close the file; closing twice is allowed."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _append(self, *lines: Mapping[str, Any], durable: bool) -> None:
        start = self._file.tell()
        try:
            self._write(*lines, durable=durable)
        except OSError as problem:
            with suppress(OSError):
                self._file.truncate(start)
                self._file.seek(start)
            raise _unwritable(self.path, problem) from None

    def _write(self, *lines: Mapping[str, Any], durable: bool) -> None:
        """Hand lines to the system at once; it may take fewer bytes than it was given only when room runs out."""
        rest = "".join(f"{dump(line)}\n" for line in lines).encode()
        while rest:
            rest = rest[self._file.write(rest) :]
        if durable:
            os.fsync(self._file.fileno())


def _unwritable(path: Path, problem: OSError) -> UsageError:
    return UsageError(f"cannot write {path}: {problem.strerror or problem}; choose another folder or make room")


def _finished_length(content: bytes) -> int:
    """Bytes of a record up to its last whole line; one more than there are if that only lacks its line feed."""
    end = content.rfind(b"\n") + 1
    try:
        json.loads(content[end:])
    except ValueError:
        return end
    return len(content) + 1
