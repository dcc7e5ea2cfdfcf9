"""Where what people keep lies: words, voices, decks and models of their own."""

from __future__ import annotations

import os
import re
from pathlib import Path

from referee.errors import UsageError

LONGEST = 60
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""Names that Windows keeps for devices."""


def data_folder(kind: str) -> Path:
    """The folder of one kind of things (it need not exist): `REFEREE_DATA`, or the user's data folder, and below it.

    Args:
        kind: `words`, `voices`, `decks` or `models`.
    """
    given = os.environ.get("REFEREE_DATA")
    if given:
        return Path(given) / kind
    from platformdirs import user_data_path  # noqa: PLC0415  only needed without the variable

    return user_data_path("referee", appauthor=False) / kind


def file_name(name: str, what: str) -> str:
    """A name that people gave, as the name of a file on every system.

    Args:
        name: as typed; letters of any script, digits, spaces, `-`, `_` and `'`.
        what: for the message: `deck`, `voice` ...

    Raises:
        UsageError: it cannot be a name.
    """
    name = " ".join(name.split())
    if not name or len(name) > LONGEST:
        raise UsageError(f"{what} {name!r}: a name has 1 to {LONGEST} letters")
    bad = sorted({c for c in name if not (c.isalnum() or c in " -_'")})
    if bad or RESERVED.fullmatch(name):
        raise UsageError(f"{what} {name!r}: use letters, digits, spaces, - and _ (not {' '.join(bad) or name})")
    return name


def made(folder: Path) -> Path:
    """Make a folder.

    Raises:
        UsageError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made ({error.strerror}); set REFEREE_DATA to another folder") from None
    return folder
