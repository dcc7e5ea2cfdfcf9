"""A correction whose rulings a crash kept from being written is finished; nothing that stands is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.events import Correction, Event
from referee.record import ResultLine, dump, read_record
from referee.record_writer import RecordWriter
from referee.replay import match_for

if TYPE_CHECKING:
    from pathlib import Path

    from referee.record import Record


def mend(path: Path) -> bool:
    """Append the rulings and the result that belong to the last correction, if they are missing.

    Returns:
        Whether anything was appended. A record that this program rules otherwise on is left as it is.

    Raises:
        RecordError: the file is no record.
        UsageError: it cannot be written.
    """
    if not _unfinished(read_record(path)):
        return False
    with RecordWriter(path) as writer:
        record = read_record(path)  # as it is now that nobody else writes it
        if not _unfinished(record):
            return False
        match = match_for(record)
        for entry in record.entries:
            if isinstance(entry, Event):
                match.feed(entry)
        written = [dump(line) for line in record.rulings]
        due = [dump(ruling.to_json()) for ruling in match.rulings]
        if written != due[: len(written)]:
            return False
        for ruling in match.rulings[len(written) :]:
            writer.ruling(ruling)
        writer.result(match.result())
    return True


def _unfinished(record: Record) -> bool:
    """Whether a correction is not followed by the result that ends it."""
    for entry in reversed(record.entries):
        if isinstance(entry, ResultLine):
            return False
        if isinstance(entry, Correction):
            return True
    return False
