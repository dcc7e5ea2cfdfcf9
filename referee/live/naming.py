"""Names of the files of each game: the evening's date, the table, and a running number."""

from __future__ import annotations

import re
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
    most_bytes: int | None = None
    """Of all recordings of this table together; None for no limit."""

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

    def make_room(self) -> list[Path]:
        """Delete this table's oldest recordings until all together are within the limit; records are never deleted.

        Returns:
            What was deleted.
        """
        if self.most_bytes is None:
            return []
        kept = sorted(self._recordings(), key=lambda p: p.stat().st_mtime)
        total, gone = sum(p.stat().st_size for p in kept), []
        for path in kept:
            if total <= self.most_bytes:
                break
            total -= path.stat().st_size
            path.unlink()
            gone.append(path)
        return gone

    def _recordings(self) -> list[Path]:
        """Media files that a table of this name has made, known by the record beside them."""
        made = re.compile(rf"(\d{{4}}-\d\d-\d\d-{re.escape(self.table)}-\d+)(-part\d+|-players)*\.mkv")
        found = [(p, made.fullmatch(p.name)) for p in self.folder.glob("*.mkv")]
        return [p for p, name in found if name and (self.folder / f"{name[1]}.record.jsonl").exists()]

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
        self.make_room()
        day = datetime.now().astimezone().strftime("%Y-%m-%d")
        number = 1
        while True:
            stem = f"{day}-{self.table}-{number}"
            record, media = self.folder / f"{stem}.record.jsonl", self.folder / f"{stem}.mkv"
            if not record.exists() and not media.exists():
                return record, media
            number += 1
