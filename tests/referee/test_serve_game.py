"""A staged game streamed to the real server: what is ruled live is what `referee judge` rules on the kept file."""

import asyncio
import json

import pytest
from live_helpers import GAME, Visitor, comes, free_port, lines, serve, staged, until

from referee import cli


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """One round streamed, its end tapped; gives the folder and everything that the screen was told."""
    if not GAME.exists():
        pytest.skip("the staged games are not here")
    folder = tmp_path_factory.mktemp("evening")
    return folder, asyncio.run(play(folder))


async def play(folder):
    port, told = free_port(), []
    messages, hello, _ = staged()
    async with serve(folder, port) as site, Visitor(port) as guest:
        keys = site.keys.table("table")
        assert [await guest.enter(keys[role]) for role in ("camera", "scorer")] == [200, 200]
        async with guest.socket("scorer") as screen, guest.socket("camera") as camera:
            listening = asyncio.create_task(note(screen, told))
            await camera.send_json(hello)
            assert (await camera.receive_json())["type"] == "ready"
            half = len(messages) // 2
            await stream(camera, messages[:half])
            await camera.close()
            async with guest.socket("camera") as again:  # the network was gone for a moment
                await again.send_json(hello)
                ready = await again.receive_json()
                assert ready["expected"] == half
                await stream(again, messages[half - 20 :])  # some come twice
                await until(again, lambda m: m.get("last") or m.get("early"))
                await again.send_json({"do": "end"})
                await until(again, lambda m: m.get("phase") == "ended")
            await screen.send_json({"do": "challenge", "round": 1})
            challenge = await comes(lambda: next((m["challenge"] for m in reversed(told) if m.get("challenge")), None))
            card = challenge["cards"][0]
            status, headers, _ = await guest.get(f"/scorer/card/{card['card']}")
            assert (status, headers["Content-Type"]) == (200, "image/jpeg")
            status, _, sound = await guest.get("/scorer/sound/1")
            assert status == 200
            assert json.loads(sound)["calls"][0]["type"] == "scissors"
            listening.cancel()
    return told


async def stream(camera, messages):
    """As fast as the server takes it."""
    for _, data in messages:
        await camera.send_bytes(data)
        await asyncio.sleep(0)


async def note(screen, told):
    async for message in screen:
        told.append(json.loads(message.data))


def test_the_round_is_ruled_and_shown(evening):
    _, told = evening
    last = next(m for m in reversed(told) if m["type"] == "state" and m["last"])["last"]
    assert (last["outcome"], last["due"], last["awards"]) == ("won", "scissors", {"north": 2})
    assert last["says"]["de"] != last["says"]["en"]


def test_due_is_not_shown_before_the_ruling(evening):
    _, told = evening
    before = [m for m in told if m["type"] == "state" and m["cards"] and not m["early"] and not m["last"]]
    assert before
    assert all('"due"' not in json.dumps(m) for m in before)


def test_the_kept_file_is_judged_to_the_same_record(evening, tmp_path):
    folder, _ = evening
    media = folder / "out" / next(p.name for p in (folder / "out").iterdir() if p.suffix == ".mkv")
    record = media.with_suffix(".record.jsonl")
    assert cli.run(["judge", str(media), "--players", "2", "--quiet", "--out", str(tmp_path)]) in (0, 1)
    again = tmp_path / record.name
    for kind in ("event", "ruling", "result"):
        assert lines(record, kind) == lines(again, kind)
        assert lines(record, kind)


def test_a_finished_game_leaves_nothing_to_go_on_with(evening):
    folder, _ = evening
    assert not list((folder / "out").glob("*.live.json"))
