"""All tables of one server, and who waits to hear of their changes."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.live.naming import Names
from referee.live.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    from referee.judge import Request
    from referee.live.tournament import Tournament

EVERY = "*"
"""In place of a table's name: news of all of them."""
LAST_S = 5.0
"""When the server is stopped, what has come and was not judged yet is judged for so long."""


@dataclass(slots=True)
class Hub:
    """The tables, and for each the sockets that wait for news of it."""

    request: Request
    folder: Path
    names: tuple[str, ...]
    most_bytes: int | None = None
    """Of each table's recordings together."""
    ranked: bool = False
    tournament: Tournament | None = None
    tables: dict[str, Table] = field(default_factory=dict)
    _waiting: dict[str, set[asyncio.Event]] = field(default_factory=dict)
    _rendered: dict[str, tuple[int, str]] = field(default_factory=dict)
    _loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Set up the tables; call it within the running loop."""
        self._loop = asyncio.get_running_loop()
        self._waiting[EVERY] = set()
        for name in self.names:
            self._waiting[name] = set()
            names = Names(self.folder, name, self.most_bytes)
            table = Table(name, self.request, names, self._waker(name), ranked=self.ranked)
            if self.tournament is not None:
                table.tournament = self.tournament
            self.tables[name] = table

    def news(self, name: str) -> News:
        """Waits for changes of a table."""
        return News(self._waiting[name])

    def rendered(self, name: str) -> str:
        """A table's state as JSON, made once for all who look on."""
        table = self.tables[name]
        version, text = self._rendered.get(name, (-1, ""))
        if version != table.version:
            version = table.version
            text = json.dumps(table.state(), ensure_ascii=False)
            self._rendered[name] = (version, text)
        return text

    def overview(self) -> str:
        """All tables and the tournament as JSON."""
        tables = [table.summary() for table in self.tables.values()]
        tournament = self.tournament.state() if self.tournament is not None else None
        return json.dumps({"type": "overview", "tables": tables, "tournament": tournament}, ensure_ascii=False)

    def changed(self) -> None:
        """The tournament has changed: everybody is told."""
        for table in self.tables.values():
            table.beat(always=True)

    async def close(self) -> None:
        """End every game; records get their results."""
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(None, table.finish, LAST_S) for table in self.tables.values()))

    def _waker(self, name: str) -> Any:
        def wake() -> None:
            for event in [*self._waiting[name], *self._waiting[EVERY]]:
                event.set()

        def changed() -> None:
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(wake)

        return changed


class News:
    """`with hub.news(name) as changed`: an event that is set whenever the table changed."""

    def __init__(self, waiting: set[asyncio.Event]) -> None:
        self._waiting, self._event = waiting, asyncio.Event()

    def __enter__(self) -> asyncio.Event:
        self._waiting.add(self._event)
        return self._event

    def __exit__(self, *_: object) -> None:
        self._waiting.discard(self._event)
