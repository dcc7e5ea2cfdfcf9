"""Files that are whole or not there: written beside their place, forced onto the disk, then moved into it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def save(path: Path, content: bytes, *, exclusive: bool = False) -> Path:
    """Write a file whole or not at all.

    Args:
        path: where; its folder must exist. What a symbolic link names is written, not the link.
        content: all of it.
        exclusive: refuse to take the place of anything, also of a file that another program makes at this moment.

    Raises:
        FileExistsError: `exclusive`, and there is something.
        OSError: it cannot be written; nothing is left behind, and what was there before still is.
    """
    place = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=".referee-", suffix=".part", dir=place.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(0o644)
        if exclusive:
            _move_to_nothing(part, place)
        else:
            part.replace(place)
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    return path


def _move_to_nothing(part: Path, place: Path) -> None:
    """Move a file to a name that is free, in one step; two steps where the file system has no links."""
    try:
        os.link(part, place)
    except FileExistsError:
        raise
    except OSError:
        os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        part.replace(place)
