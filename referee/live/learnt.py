"""Voices learnt at a table, kept beside the record of the game that is open: a server that is started again knows them.

They go when the game is over, when another one begins at the table, and when the scorer asks for it.
"""

from __future__ import annotations

import io
from contextlib import suppress
from typing import TYPE_CHECKING

from audio.voices import Voices
from referee import files
from referee.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from referee.live.voicing import Voicing

ENDING = ".voices.npz"


def attend(voicing: Voicing, record: Path, table: str, *, resumed: bool) -> None:
    """From now on what is learnt is kept; a game that goes on has the voices of before."""
    if resumed:
        voicing.voices.takes.update(known(record).takes)
    else:
        with suppress(OSError):
            forget_all(record.parent, table)

    def changed(voices: Voices) -> None:
        with suppress(OSError):  # a full disk ends no game
            keep(record, voices)

    voicing.changed = changed


def path_of(record: Path) -> Path:
    """Where the voices of a record's game are kept while it is open."""
    return record.with_suffix(ENDING)


def keep(record: Path, voices: Voices) -> None:
    """Keep what is known of the voices now, nothing if nobody is known.

    Raises:
        OSError: it cannot be written or deleted.
    """
    if not voices.takes:
        forget(record)
        return
    whole = io.BytesIO()
    voices.write(whole)
    files.save(path_of(record), whole.getvalue())


def known(record: Path) -> Voices:
    """The voices that were kept; nobody's if there are none, or the file is damaged."""
    try:
        return Voices.load(path_of(record))
    except UsageError:
        return Voices()


def forget(record: Path) -> None:
    """Delete them.

    Raises:
        OSError: the file cannot be deleted.
    """
    path_of(record).unlink(missing_ok=True)


def forget_all(folder: Path, table: str) -> None:
    """Delete those of all games at a table that were never finished: another one begins.

    Raises:
        OSError: a file cannot be deleted.
    """
    for path in folder.glob(f"????-??-??-{table}-*.record{ENDING}"):
        if path.name[len("0000-00-00-") :].removeprefix(f"{table}-").removesuffix(f".record{ENDING}").isdigit():
            path.unlink(missing_ok=True)
