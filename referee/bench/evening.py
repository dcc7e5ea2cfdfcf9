"""An evening in real time: staged games streamed to `referee serve` by phones whose clocks run apart.

Every table repeats one game without a pause. Times are true times: from the end of the deciding word and from each
card's rest, by the truth file, to the message on a screen's socket. What picture and sound have drifted apart is read
from the records: cards' times against calls' onsets, at the beginning and at the end.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.bench import BenchResult
from referee.bench.phone import Phone, staged
from referee.bench.seen import Seen, drift_ms
from referee.errors import UsageError
from referee.live.keys import Keys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.bench.games import Game

PPM = (50.0, -50.0)
"""How fast the clocks of sound and of picture run, millionths."""
SAMPLED_S = 10.0
LAST_S = 6.0
"""A screen is looked at for so long after the last picture."""
READY_S = 180.0


def free_port() -> int:
    """A port of the loopback that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(slots=True)
class Evening:
    """One server and its tables."""

    games: Sequence[Game]
    lasts_s: float
    speed: float = 1.0
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="referee-evening-")))
    port: int = field(default_factory=free_port)
    seen: list[Seen] = field(default_factory=list)
    held: list[tuple[float, float, float]] = field(default_factory=list)
    """True time, memory of the server and of the largest eye, MB."""
    cpu: dict[str, float] = field(default_factory=dict)
    """Share of a core: `server`, and each eye."""

    @property
    def names(self) -> list[str]:
        """The tables."""
        return [f"t{n}" for n in range(len(self.games))]

    async def run(self) -> None:
        """Play to the end."""
        import aiohttp  # noqa: PLC0415  not part of every installation

        phones = [Phone(staged(game.path), *PPM, seed=n) for n, game in enumerate(self.games)]
        server = await self.server()
        try:
            async with aiohttp.ClientSession() as asking:
                await up(asking, self.root, server)
            keys = Keys.load(self.folder / "keys.json")
            began, cpu = time.monotonic(), {server.pid: processor_s(server.pid)}
            watching = asyncio.create_task(self._sample(server.pid, began, cpu))
            await asyncio.gather(*(self._play(n, phone, keys) for n, phone in enumerate(phones)))
            watching.cancel()
            self._shares(server.pid, cpu, time.monotonic() - began)
        finally:
            server.terminate()
            await asyncio.to_thread(server.wait, 120)

    @property
    def root(self) -> str:
        """The server's address."""
        return f"https://127.0.0.1:{self.port}"

    async def server(self) -> subprocess.Popen[bytes]:
        """Start the server."""
        words = [sys.executable, "-m", "referee", "serve", "--host", "127.0.0.1", "--listen", "127.0.0.1"]
        words += ["--port", str(self.port), "--plain-port", str(free_port()), "--out", str(self.folder / "out")]
        words += ["--players", str(len(self.games[0].header["seats"])), "--languages", _languages(self.games[0])]
        for name in self.names:
            words += ["--table", name]
        env = {**os.environ, "REFEREE_LIVE": str(self.folder)}
        return await asyncio.to_thread(subprocess.Popen, words, stdout=subprocess.DEVNULL, env=env)

    async def _play(self, n: int, phone: Phone, keys: Keys) -> None:
        """One table: its phone and its screen."""
        import aiohttp  # noqa: PLC0415  as above

        seen = Seen(self.games[n], phone)
        self.seen.append(seen)
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar, headers={"Origin": self.root}) as http:
            await self.enter(http, keys.table(self.names[n]), "camera", "screen")
            async with http.ws_connect(f"{self.root}/screen/socket", ssl=False, max_msg_size=0) as screen:
                looking = asyncio.create_task(self._look(screen, seen))
                await self._stream(http, phone, seen, f"{n:02x}" * 16)
                looking.cancel()
        seen.finish()

    async def enter(self, http: Any, keys: Mapping[str, str], *roles: str) -> None:
        """Show a table's keys: this visitor then has these roles."""
        for role in roles:
            async with http.post(f"{self.root}/enter", json={"key": keys[role]}, ssl=False) as answer:
                answer.raise_for_status()

    async def _look(self, screen: Any, seen: Seen) -> None:
        async for message in screen:
            given = json.loads(message.data)
            if given["type"] == "state" and seen.zero is not None:
                seen.state((time.monotonic() - seen.zero) * self.speed, given)

    async def _stream(self, http: Any, phone: Phone, seen: Seen, session: str) -> None:
        """Send messages when they are due."""
        async with http.ws_connect(f"{self.root}/camera/socket", ssl=False, max_msg_size=0) as camera:
            await camera.send_json(phone.game.greeting(session))
            await camera.receive_json(timeout=READY_S)
            taking = asyncio.create_task(_swallow(camera))
            seen.zero = time.monotonic()
            for at_s, data in phone.messages(self.lasts_s):
                wait = seen.zero + at_s / self.speed - time.monotonic()
                if wait > 0:
                    await asyncio.sleep(wait)
                await camera.send_bytes(data)
            await asyncio.sleep(LAST_S)
            await camera.send_json({"do": "end"})
            await asyncio.sleep(LAST_S)
            taking.cancel()

    async def _sample(self, pid: int, began: float, cpu: dict[int, float]) -> None:
        """Memory now and then; the processor time of eyes, which are gone when they have ended."""
        for turn in itertools.count(1):
            await asyncio.sleep(SAMPLED_S)
            eyes = children(pid)
            for eye in eyes:
                cpu[eye] = processor_s(eye)
            self.held.append(
                ((time.monotonic() - began) * self.speed, memory_mb(pid), max(map(memory_mb, eyes), default=0.0))
            )
            if turn % 30 == 0:
                told = ", ".join(f"{value:.0f}" for value in self.held[-1])
                click.echo(f"seconds, MB of the server, of an eye: {told}", err=True)

    def _shares(self, pid: int, cpu: dict[int, float], lasted_s: float) -> None:
        used = {"server": processor_s(pid) - cpu.pop(pid)}
        used |= {f"eye{n}": spent for n, spent in enumerate(cpu.values())}
        self.cpu = {name: spent / lasted_s for name, spent in used.items()}

    def records(self) -> list[Path]:
        """One a table, in their order."""
        return [next((self.folder / "out").glob(f"*-{name}-1.record.jsonl")) for name in self.names]


def run(games: Sequence[Game], *, tables: int, minutes: float, speed: float = 1.0) -> BenchResult:
    """Play `minutes` at `tables` tables at once.

    Raises:
        UsageError: the material has no two games of as many players.
    """
    fit = playable(games)
    chosen = [fit[n % len(fit)] for n in range(tables)]
    evening = Evening(chosen, 60 * minutes, speed)
    load = os.getloadavg()[0]
    asyncio.run(evening.run())
    figures: dict[str, Any] = {"minutes": minutes, "tables": tables, "load_before": round(load, 1)}
    delays: dict[str, list[float]] = {}
    for seen in evening.seen:
        for name, values in seen.delays.items():
            delays.setdefault(name, []).extend(values)
    rows = [["seconds after", "cases", "median", "95 %", "largest"]]
    figures |= _delays(delays, rows)
    figures["changed"] = sum(len(seen.changed) for seen in evening.seen)
    figures["behind_mean_s"] = round(max(sum(s.behind) / max(1, len(s.behind)) for s in evening.seen), 2)
    figures["behind_most_s"] = round(max(max(s.behind, default=0.0) for s in evening.seen), 2)
    figures |= {f"cpu_{name}_share": round(share, 3) for name, share in evening.cpu.items()}
    figures |= memory(evening.held)
    apart = [
        drift_ms(seen.game, seen.phone, record, 60 * minutes)
        for seen, record in zip(evening.seen, evening.records(), strict=True)
    ]
    figures["drift_ms"] = max((a for a in apart if a is not None), key=abs, default=None)
    notes = [f"{seen.game.path.stem}: {note}" for seen in evening.seen for note in seen.changed]
    notes.append(f"records are in {evening.folder / 'out'}")
    return BenchResult("live", "staged", tables, figures, rows, notes)


def playable(games: Sequence[Game]) -> list[Game]:
    """Those of the games that phones can stream to one server.

    Raises:
        UsageError: the first is none, or this is no Linux.
    """
    if not hasattr(os, "sysconf") or not Path("/proc/self/status").exists():
        raise UsageError("a stream to a server reads memory and processor time from /proc: Linux only")
    fit = [g for g in games if _alike(g) == _alike(games[0])] if _one_phone(games[0]) else []
    if not fit:
        raise UsageError("a phone streams games heard by one device: the first game of this folder is none")
    return fit


def _one_phone(game: Game) -> bool:
    """Whether a game was heard by the phone that saw it."""
    return game.header.get("game", "rock") == "rock" and game.header["audio"]["mode"] not in ("mics", "own")


def _languages(game: Game) -> str:
    return ",".join(sorted({voice["language"] for voice in game.header["voices"].values()}))


def _alike(game: Game) -> tuple[Any, ...]:
    """What games of one server have in common."""
    return _one_phone(game), len(game.header["seats"]), _languages(game)


def _delays(delays: dict[str, list[float]], rows: list[list[str]]) -> dict[str, Any]:
    import numpy as np  # noqa: PLC0415  only here

    figures: dict[str, Any] = {}
    for name, values in delays.items():
        if values:
            middle, most, largest = (float(np.percentile(values, p)) for p in (50, 95, 100))
            rows.append([name, str(len(values)), f"{middle:.2f}", f"{most:.2f}", f"{largest:.2f}"])
            figures |= {f"{name}_median_s": round(middle, 3), f"{name}_p95_s": round(most, 3)}
    return figures


def memory(held: Sequence[tuple[float, float, float]]) -> dict[str, Any]:
    """MB after a tenth of the time, and at the end."""
    held = [one for one in held if one[2]]  # an eye ends with its game
    if not held:
        return {}
    early, late = held[len(held) // 10], held[-1]
    return {
        "server_mb_early": round(early[1]),
        "server_mb_late": round(late[1]),
        "eye_mb_early": round(early[2]),
        "eye_mb_late": round(late[2]),
    }


async def up(http: Any, root: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    import aiohttp  # noqa: PLC0415  as above

    async with asyncio.timeout(READY_S):
        while True:
            if server.poll() is not None:
                raise UsageError(f"referee serve ended by itself (status {server.returncode})")
            try:
                async with http.get(root, ssl=False):
                    return
            except aiohttp.ClientError:
                await asyncio.sleep(0.2)


async def _swallow(answers: Any) -> None:
    async for _ in answers:
        pass


def processor_s(pid: int) -> float:
    """Processor time of a process so far, seconds."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """Processes that one has started, by any of its threads."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(p) for task in tasks for p in (task / "children").read_text().split()]


def memory_mb(pid: int) -> float:
    """What a process holds of its own."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("RssAnon:")[2].split()[0]) / 1024
