"""Hours of play as fast as the machine allows: staged games streamed to `referee serve` without waiting for the clock.

The server takes no more than its eye can look at, so the stream runs at the pace of the machine. Memory is read as the
hours go by, picture and sound are compared at the beginning and at the end, and every repetition of the game must be
ruled on as the first.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.bench import BenchResult
from referee.bench.evening import PPM, READY_S, Evening, children, memory, memory_mb, playable, up
from referee.bench.phone import Phone, staged
from referee.bench.seen import drift_ms
from referee.live.keys import Keys
from referee.record import read_record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.bench.games import Game

Line = dict[str, Any]
Said = tuple[str, tuple[tuple[str, int], ...]]
"""Outcome and awards."""

PICTURES, SIZE, SAMPLES = 10, (640, 360), 4096
"""Fewer and smaller pictures and longer blocks of sound than a phone's: hours pass sooner."""
ENDING_S = 600.0
SAMPLED_S, LEAST = 2.0, 5
NO_DOUBT = frozenset({"beyond_deal", "pot_depends"})
"""Questions that say nothing of a repetition's own rulings: sixty cards are dealt once for all of them."""
LEVEL_FROM = 0.25
"""The share of the time after which memory should grow no more."""


@dataclass(slots=True)
class Soak(Evening):
    """One table and its phone, whose true time runs as fast as it is taken."""

    machine_s: float = 1e9
    """So much of the machine's time at most."""
    at_s: float = 0.0
    """How far the stream has come, true time."""
    took_s: float = 0.0

    async def play(self, phone: Phone) -> None:
        """Play until the time is over."""
        import aiohttp  # noqa: PLC0415  not part of every installation

        server = await self.server()
        try:
            jar = aiohttp.CookieJar(unsafe=True)
            async with aiohttp.ClientSession(cookie_jar=jar, headers={"Origin": self.root}) as http:
                await up(http, self.root, server)
                await self.enter(http, Keys.load(self.folder / "keys.json").table(self.names[0]), "camera")
                holding = asyncio.create_task(self._hold(server.pid))
                began = time.monotonic()
                async with http.ws_connect(f"{self.root}/camera/socket", ssl=False, max_msg_size=0) as camera:
                    await self._send(camera, phone, began)
                self.took_s = time.monotonic() - began
                holding.cancel()
        finally:
            server.terminate()
            await asyncio.to_thread(server.wait, 120)

    async def _send(self, camera: Any, phone: Phone, began: float) -> None:
        await camera.send_json(phone.game.greeting())
        await camera.receive_json(timeout=READY_S)
        over = asyncio.create_task(_ended(camera))
        for at_s, data in phone.messages(self.lasts_s):
            await camera.send_bytes(data)
            self.at_s = at_s
            if time.monotonic() > began + self.machine_s:
                break
        await camera.send_json({"do": "end"})
        async with asyncio.timeout(ENDING_S):
            await over

    async def _hold(self, pid: int) -> None:
        """Memory by the stream's time."""
        while True:
            await asyncio.sleep(SAMPLED_S)
            eyes = max(map(memory_mb, children(pid)), default=0.0)
            if eyes:
                self.held.append((self.at_s, memory_mb(pid), eyes))


async def _ended(camera: Any) -> None:
    """Take what the server tells until the game has ended."""
    async for message in camera:
        if json.loads(message.data).get("phase") == "ended":
            return


def run(games: Sequence[Game], *, hours: float, minutes: float | None = None) -> BenchResult:
    """Play the first game over and over, `hours` by the stream's clock.

    Args:
        games: the material.
        hours: so much, if the machine gets so far.
        minutes: in so much of the machine's time.

    Raises:
        UsageError: a phone cannot stream the material.
    """
    game = playable(games)[0]
    phone = Phone(staged(game.path, rate=PICTURES, size=SIZE), *PPM, block=SAMPLES)
    soak = Soak([game], 3600 * hours, machine_s=60 * minutes if minutes else 1e9)
    asyncio.run(soak.play(phone))
    record = soak.records()[0]
    figures: dict[str, Any] = {"hours": round(soak.at_s / 3600, 3), "machine_minutes": round(soak.took_s / 60, 1)}
    compared = alike(record, phone, soak.at_s)
    figures |= memory(soak.held) | growth(soak.held) | compared.figures
    figures["drift_ms"] = drift_ms(game, phone, record, soak.at_s)
    return BenchResult("live", "staged", 1, figures, notes=[*compared.notes, f"the record is {record}"])


def growth(held: Sequence[tuple[float, float, float]]) -> dict[str, float]:
    """MB an hour of the stream, of the server and of the eye, by a line through what was read after the beginning."""
    import numpy as np  # noqa: PLC0415  only here

    level = np.array([one for one in held if one[0] >= LEVEL_FROM * held[-1][0]] if held else [])
    if len(level) < LEAST:
        return {}
    slopes = np.polyfit(level[:, 0] / 3600, level[:, 1:], 1)[0]
    return {"server_mb_an_hour": round(float(slopes[0]), 1), "eye_mb_an_hour": round(float(slopes[1]), 1)}


@dataclass(frozen=True, slots=True)
class Alike:
    """Whether repetitions of one game were ruled alike."""

    turns: int
    rulings: int
    otherwise: tuple[tuple[int, Line], ...]
    """Repetitions, counted from 0, that were not ruled as most, each with its first ruling that is another."""

    @property
    def figures(self) -> dict[str, int]:
        """How many of them, and in how many of these nobody was asked about that ruling."""
        unasked = [line for _, line in self.otherwise if not set(line.get("reviews") or ()) - NO_DOUBT]
        return {
            "turns": self.turns,
            "rulings": self.rulings,
            "turns_ruled_otherwise": len(self.otherwise),
            "turns_otherwise_unasked": len(unasked),
        }

    @property
    def notes(self) -> list[str]:
        """One line for each repetition that was ruled otherwise."""
        return [
            f"repetition {turn}, round {line['round']}: {line['outcome']}, asked: {asked}"
            for turn, line in self.otherwise
            for asked in [", ".join(line.get("reviews") or ())]
        ]


def alike(record: Path, phone: Phone, lasts_s: float) -> Alike:
    """Compare the first ruling on each round with that of most repetitions."""
    turns = int(lasts_s / phone.game.lasts_s)
    rulings = [line for line in read_record(record).rulings if not line["revision"]]
    ruled: list[list[Line]] = []
    for turn in range(turns):
        begin = phone.begins_s(turn)
        ruled.append([dict(line) for line in rulings if begin <= line["time_s"] < begin + phone.game.lasts_s])
    said = [tuple(map(_said, here)) for here in ruled]
    usual = Counter(said).most_common(1)[0][0] if said else ()
    others = [turn for turn in range(turns) if said[turn] != usual]
    return Alike(turns, len(rulings), tuple((turn, _first_other(ruled[turn], usual)) for turn in others))


def _said(line: Line) -> Said:
    return line["outcome"], tuple(sorted(line["awards"].items()))


def _first_other(here: Sequence[Line], usual: Sequence[Said]) -> Line:
    """The first ruling that is not as usual; of a repetition with fewer or more of them the last."""
    other = (line for line, said in zip(here, usual, strict=False) if _said(line) != said)
    return next(other, here[-1] if here else {"round": 0, "outcome": "no ruling"})
