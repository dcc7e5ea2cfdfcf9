"""Export and import of a history as one zip file of its records."""

from __future__ import annotations

import json
import re
import zipfile
from typing import TYPE_CHECKING

from referee.errors import RecordError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from referee.history.store import History

_NAME = re.compile(r"records/([0-9a-f]{24})\.jsonl")
MOST_BYTES = 2_000_000_000
"""Of everything in an import together, unpacked."""


def export(history: History, path: Path) -> int:
    """Write all games to a zip file, whole or not at all. Gives their number.

    Raises:
        UsageError: the file cannot be written.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        with history.library.locked(), zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as out:
            ids = history.library.ids()
            for number in ids:
                out.writestr(f"records/{number}.jsonl", history.library.content(number))
                out.writestr(f"records/{number}.json", json.dumps(history.library.note(number), ensure_ascii=False))
        part.replace(path)
    except OSError as problem:
        part.unlink(missing_ok=True)
        raise UsageError(
            f"cannot write {path}: {problem.strerror or problem}; choose another folder or make room"
        ) from None
    return len(ids)


def take_in(history: History, path: Path) -> tuple[int, list[str]]:
    """Add the games of an export. Games that are here already are replaced. Gives their number, and what was left out.

    Raises:
        UsageError: the file is no export.
    """
    taken, problems = 0, []
    try:
        with history.library.locked(), zipfile.ZipFile(path) as given:
            if sum(one.file_size for one in given.infolist()) > MOST_BYTES:
                raise UsageError(
                    f"{path}: holds more than {MOST_BYTES // 1_000_000_000} GB; this is no export of a history"
                )
            for name in given.namelist():
                match = _NAME.fullmatch(name)
                if match is None:
                    continue
                try:
                    note = json.loads(given.read(f"records/{match[1]}.json"))
                    history.library.put(match[1], given.read(name), note)
                    taken += 1
                except (KeyError, ValueError, RecordError) as problem:
                    problems.append(f"{name}: {problem}")
            if not taken and not problems:
                raise UsageError(f"{path}: this is no export of a history")
    except (zipfile.BadZipFile, OSError) as problem:
        raise UsageError(f"{path}: this is no export of a history ({problem})") from None
    history.rebuild()
    return taken, problems
