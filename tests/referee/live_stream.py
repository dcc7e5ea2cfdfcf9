"""Stream staged games to a real server in real time and time what its screen is told.

    python tests/referee/live_stream.py [--tables 2] [--seconds 32] [--times 60] [GAME.mp4 ...]

Not a test: it takes as long as the games do. Times are from the end of the deciding word, and from each card's rest, by
the truth file, to the message on a screen's socket; the processor time of the server and of each eye is read from the
system. On a busy machine only the processor times mean anything: the load is printed.
"""

# ruff: noqa: E402, T201  a program of its own, which prints what it measured
import argparse
import asyncio
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from live_helpers import GAME, HEADER, ROOT, Visitor, free_port, staged

from referee.bench.games import read_game
from referee.bench.live import SETTLES_S, _word_end
from referee.live.keys import Keys

SERVER = """
import asyncio, sys
from pathlib import Path
sys.path[:0] = [{root!r}, {tests!r}]
from live_helpers import serve
async def main():
    async with serve(Path({folder!r}), {port}, tables={tables!r}):
        print("up", flush=True)
        await asyncio.to_thread(sys.stdin.read)
asyncio.run(main())
"""


class Watched:
    """What one screen was told, with the stream's time when it came."""

    def __init__(self):
        self.zero, self.states = None, []

    async def look(self, screen):
        """Note every state."""
        async for message in screen:
            given = json.loads(message.data)
            if given["type"] == "state" and self.zero is not None:
                self.states.append((time.monotonic() - self.zero, given))


def repeated(messages, times, rate):
    """The same game again and again on one clock: sequence numbers and stamps go on."""
    lasts = messages[-1][0] + 1.0
    for turn in range(times):
        for at_s, data in messages:
            kind, flags, zero, number, stamp = HEADER.unpack_from(data)
            shift = round(turn * lasts * (1e6 if kind == 1 else rate))
            head = HEADER.pack(kind, flags, zero, number + turn * len(messages), stamp + shift)
            yield at_s + turn * lasts, head + data[HEADER.size :]


async def stream(guest, messages, hello, watched):
    """Send messages when they are due."""
    async with guest.socket("camera") as camera:
        await camera.send_json(hello)
        await camera.receive_json()
        taking = asyncio.create_task(swallow(camera))
        watched.zero = time.monotonic()
        for at_s, data in messages:
            wait = watched.zero + at_s - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            await camera.send_bytes(data)
        await asyncio.sleep(3.5)
        taking.cancel()
        await camera.send_json({"do": "end"})
        await asyncio.sleep(4)


async def swallow(socket):
    async for _ in socket:
        pass


def processor_s(pid):
    """Processor time of a process so far, seconds."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def children(pid):
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()] + [
        int(p)
        for task in Path(f"/proc/{pid}/task").iterdir()
        if task.name != str(pid)
        for p in (task / "children").read_text().split()
    ]


def memory_mb(pid):
    """What a process holds of its own."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("RssAnon:")[2].split()[0]) / 1024


async def run(games, tables, seconds, times):  # noqa: C901  a measurement from its beginning to its end
    folder, port = Path(tempfile.mkdtemp(prefix="referee-stream-")), free_port()
    names = tuple(f"t{n}" for n in range(tables))
    prepared = [staged(game, until_s=seconds, rate=20, size=(960, 540)) for game in games]
    code = SERVER.format(root=str(ROOT), tests=str(Path(__file__).parent), folder=str(folder), port=port, tables=names)
    server = await asyncio.to_thread(
        subprocess.Popen, [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        await asyncio.to_thread(server.stdout.readline)
        keys, watched = Keys.load(folder / "keys.json"), [Watched() for _ in names]
        cpu, began, spent = processor_s(server.pid), time.monotonic(), {}

        async def one(n):
            messages, hello, _ = prepared[n % len(prepared)]
            async with Visitor(port) as guest:
                held = keys.table(names[n])
                await guest.enter(held["camera"])
                await guest.enter(held["screen"])
                async with guest.socket("screen") as screen:
                    looking = asyncio.create_task(watched[n].look(screen))
                    again = repeated(messages, times, hello["rate"])
                    await stream(guest, again, {**hello, "session": f"{n:02x}" * 16}, watched[n])
                    looking.cancel()

        async def sample():
            for second in itertools.count():
                await asyncio.sleep(1)
                eyes = children(server.pid)
                for pid in eyes:
                    spent[pid] = processor_s(pid)
                if second % 120 == 60:
                    held = [f"{memory_mb(pid):.0f}" for pid in (server.pid, *eyes)]
                    print(
                        f"{second} s: server and eyes hold {', '.join(held)} MB; load {os.getloadavg()[0]:.1f}",
                        flush=True,
                    )
                    for one in watched:  # only the first turn is timed
                        one.states = [(at, s) for at, s in one.states if at < seconds + 9]

        sampling = asyncio.create_task(sample())
        await asyncio.gather(*(one(n) for n in range(tables)))
        sampling.cancel()
        lasted = time.monotonic() - began
        share = (processor_s(server.pid) - cpu) / lasted
        eyes = [round(v / lasted, 2) for v in spent.values()]
        print(f"load {os.getloadavg()[0]:.1f}; {lasted:.0f} s; processor: server {share:.2f}, eyes {eyes} of a core")
    finally:
        server.stdin.close()
        server.wait(60)
    delays = {"noticed": [], "read": [], "impression": [], "stands": [], "recorded": []}
    for n, seen in enumerate(watched):
        game = read_game(games[n % len(games)])
        behind = [s["camera"]["behind_s"] for _, s in seen.states if "behind_s" in s["camera"]]
        mean, most = statistics.mean(behind), max(behind)
        print(f"{names[n]} {game.path.stem}: eye behind, mean {mean:.2f} s, largest {most:.2f} s")
        for truth in game.truth:
            if truth["end_s"] < seconds - 1:
                timed(truth, seen.states, delays)
    for name, values in delays.items():
        if values:
            ordered = sorted(values)
            print(
                f"{name:11} n {len(values):3}  median {statistics.median(values):.2f}  "
                f"95 % {ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]:.2f}  largest {ordered[-1]:.2f}"
            )


def timed(truth, states, delays):
    """Delays of one round."""
    for seat, land_s in truth["land_s"].items():
        rest_s, kind = land_s + SETTLES_S, truth["cards"][seat]
        near = [(at, s) for at, s in states if rest_s - 0.2 < at < rest_s + 4]
        read = [
            at
            for at, s in near
            if any(c["seat"] == seat and c["type"] == kind and abs(c["time_s"] - land_s) < 1.5 for c in s["cards"])
        ]
        seen = [at for at, s in near if any(c["type"] == kind for c in s["noticed"])]
        if read:
            delays["read"].append(read[0] - rest_s)
            delays["noticed"].append(min([read[0], *seen]) - rest_s)
    if truth["decided_by"] != "call" or truth["first"] is None:
        return
    end_s = _word_end(truth)
    after = [(at, s) for at, s in states if end_s - 0.3 < at < end_s + 8]
    final = [
        (at, s["last"]) for at, s in after if s["last"] and s["last"]["first"] and s["last"]["decided_by"] == "call"
    ]
    before = {s["last"]["round"] for at, s in states if s["last"] and at <= end_s - 0.3}
    rounds = {}
    for at, last in final:
        if last["round"] not in before:
            rounds.setdefault(last["round"], at)
    if not rounds:
        print("   not ruled by a call: round", truth["round"])
        return
    number = min(rounds)
    early = [(at, s["early"]) for at, s in after if s["early"] and s["early"]["round"] == number]
    stands = [at for at, e in early if e["stands"]]
    delays["recorded"].append(rounds[number] - end_s)
    delays["impression"].append((early[0][0] if early else rounds[number]) - end_s)
    delays["stands"].append((stands[0] if stands else rounds[number]) - end_s)
    ruled = next(last for _, last in final if last["round"] == number)
    for what, said in (("impression", early[:1]), ("stands", [(a, e) for a, e in early if e["stands"]][:1])):
        for _, one in said:
            if (one["outcome"], one["awards"]) != (ruled["outcome"], ruled["awards"]):
                was, now = (f"{r['outcome']} {r['awards']}" for r in (one, ruled))
                print(f"   {what} changed in round {number}: {was} then {now}")


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("games", nargs="*", type=Path, default=[GAME])
    asked.add_argument("--tables", type=int, default=1)
    asked.add_argument("--seconds", type=float, default=32.0)
    asked.add_argument("--times", type=int, default=1)
    given = asked.parse_args()
    asyncio.run(run(given.games, given.tables, given.seconds, given.times))
