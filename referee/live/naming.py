"""Names of the files of each game: the evening's date, the table, and a running number."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from referee.errors import UsageError
from referee.live.resuming import session_of

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Names:
    """Where a table's games are kept."""

    folder: Path
    table: str

    def unfinished(self, session: str) -> Path | None:
        """The record of a game of this session that was never finished."""
        files = sorted(self.folder.glob(f"*-{self.table}-*.record.live.json"), reverse=True)
        records = [file.with_name(file.name.replace(".live.json", ".jsonl")) for file in files[:20]]
        return next((r for r in records if r.exists() and session_of(r) == session), None)

    def next_part(self, record: Path) -> Path:
        """The media file of what follows in a game that goes on."""
        stem, number = record.name.removesuffix(".record.jsonl"), 2
        while (path := self.folder / f"{stem}-part{number}.mkv").exists():
            number += 1
        return path

    def next_game(self) -> tuple[Path, Path]:
        """Paths of the next game's record and of its media file; nothing is there yet.

        Raises:
            UsageError: the folder cannot be made.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"cannot write into {self.folder}: {error.strerror}; choose another folder with --out"
            ) from error
        day = datetime.now().astimezone().strftime("%Y-%m-%d")
        number = 1
        while True:
            stem = f"{day}-{self.table}-{number}"
            record, media = self.folder / f"{stem}.record.jsonl", self.folder / f"{stem}.mkv"
            if not record.exists() and not media.exists():
                return record, media
            number += 1
