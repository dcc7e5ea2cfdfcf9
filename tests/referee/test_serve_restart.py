"""The server is killed in the middle of a round and started again: the game goes on, and nothing ruled is lost."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager

import pytest
from live_helpers import GAME, ROOT, Visitor, free_port, lines, serve, staged, until

from referee.live.keys import Keys

UNTIL_S = 5.3
"""So much has come when the first server dies."""

CHILD = """
import asyncio, sys
from pathlib import Path
sys.path[:0] = [{root!r}, {tests!r}]
from live_helpers import serve
async def main():
    async with serve(Path({folder!r}), {port}):
        print("up", flush=True)
        await asyncio.sleep(600)
asyncio.run(main())
"""


@pytest.mark.skipif(os.name == "nt", reason="kills a process the hard way")
def test_a_killed_server_goes_on_in_mid_round(tmp_path):
    if not GAME.exists():
        pytest.skip("the staged games are not here")
    asyncio.run(killed(tmp_path))
    record = next((tmp_path / "out").glob("*.record.jsonl"))
    assert len(list((tmp_path / "out").glob("*.record.jsonl"))) == 1
    rulings, cards = lines(record, "ruling"), [e for e in lines(record, "event") if e["event"] == "card_shown"]
    assert [(r["round"], r["outcome"], r["awards"]) for r in rulings[:1]] == [(1, "won", {"north": 2})]
    assert len({c["card"] for c in cards}) == len(cards) == 2
    assert lines(record, "result")
    assert len(list((tmp_path / "out").glob("*.mkv"))) == 2


LEARNING = """
import asyncio, sys
from pathlib import Path
sys.path[:0] = [{root!r}, {tests!r}]
from live_helpers import comes, serve
from test_live_voices import word
async def main():
    async with serve(Path({folder!r}), {port}) as site:
        print("up", flush=True)
        table = site.hub.tables["table"]
        await comes(lambda: table.session and table.session.newest_s > 3.0)
        voicing = table.game.judging.voicing
        await comes(lambda: voicing._blocks and voicing._blocks[-1].time_s > 2.5)
        for n, seat in enumerate(("north", "south")):
            voicing.turn(seat, float(n))
            assert voicing.heard(word(n + 0.2), 99) == seat
        print("learnt", flush=True)
        await asyncio.sleep(600)
asyncio.run(main())
"""


@pytest.mark.skipif(os.name == "nt", reason="kills a process the hard way")
def test_voices_learnt_at_the_table_are_known_when_the_server_is_back(tmp_path):
    if not GAME.exists():
        pytest.skip("the staged games are not here")
    kept, known = asyncio.run(voices_kept(tmp_path))
    assert set(known) == {"north", "south"}
    assert len(kept) == 1
    assert list((tmp_path / "out").glob("*.voices.npz")) == []  # gone with the game


@asynccontextmanager
async def dying(folder, port, code, messages, hello):
    """A server of this code to which a phone streams until two cards lie there; killed in the middle of that round."""
    code = code.format(root=str(ROOT), tests=str(ROOT / "tests" / "referee"), folder=str(folder), port=port)
    server = await asyncio.to_thread(subprocess.Popen, [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout.readline() == "up\n"
        keys = Keys.load(folder / "keys.json").table("table")
        async with Visitor(port) as guest:
            await guest.enter(keys["camera"])
            async with guest.socket("camera") as camera:
                await camera.send_json(hello)
                for time_s, data in messages:
                    if time_s < UNTIL_S:
                        await camera.send_bytes(data)
                await until(camera, lambda m: len(m.get("cards", [])) == 2)
                await until(camera, lambda m: m.get("waiting", {}).get("kind") in ("reveal", "call"))
                yield server
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()


@asynccontextmanager
async def back(folder, port, hello, marks):
    """The next server, and the phone's camera with what it still holds."""
    async with serve(folder, port) as site, Visitor(port) as guest:
        await guest.enter(site.keys.table("table")["camera"])
        async with guest.socket("camera") as camera:
            await camera.send_json({**hello, "marks": [m for m in marks if m[1] < 1000 * UNTIL_S]})
            expected = (await until(camera, lambda m: m["type"] == "ready"))["expected"]
            yield site, camera, expected
            await camera.send_json({"do": "end"})
            await until(camera, lambda m: m.get("phase") == "ended")


async def voices_kept(folder):
    """One microphone: voices are learnt, two cards are seen, the server dies; the next one is asked what it knows."""
    port = free_port()
    messages, hello, marks = staged(channels=1)
    async with dying(folder, port, LEARNING, messages, hello) as server:
        assert await asyncio.to_thread(server.stdout.readline) == "learnt\n"
    kept = list((folder / "out").glob("*.voices.npz"))
    async with back(folder, port, hello, marks) as (site, _, _):
        known = dict(site.hub.tables["table"].game.judging.voicing.voices.takes)
    return kept, known


async def killed(folder):
    """The first server dies when one card was seen; the second one gets what the phone still holds."""
    port = free_port()
    messages, hello, marks = staged()
    async with dying(folder, port, CHILD, messages, hello):
        pass
    async with back(folder, port, hello, marks) as (_, camera, expected):
        for _, data in messages[expected:]:
            await camera.send_bytes(data)
        await until(camera, lambda m: m.get("last") or m.get("early"))
