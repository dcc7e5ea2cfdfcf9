"""What goes wrong on an evening: the network is gone for a while, the disk is full, visitors are slow or too many."""

import asyncio
import json
import socket
from fractions import Fraction

import av
import numpy as np
import pytest
from aiohttp import WSServerHandshakeError
from live_helpers import (
    GAME,
    PATIENCE_S,
    SIZE,
    Network,
    Visitor,
    comes,
    free_port,
    greeting,
    lines,
    pack,
    serve,
    staged,
    until,
)

from referee.live import keeping, sockets, wire


def lengthened(messages, hello, seconds):
    """The same round, and then so many seconds of a table at rest: what a phone holds while its network is gone."""
    end_s = messages[-1][0]
    encoder = av.CodecContext.create("libx264", "w")
    encoder.width, encoder.height, encoder.pix_fmt, encoder.time_base = *SIZE, "yuv420p", Fraction(1, 1_000_000)
    encoder.options = {"preset": "ultrafast", "tune": "zerolatency", "crf": "20", "g": "10"}
    still = av.VideoFrame.from_ndarray(np.full((SIZE[1] * 3 // 2, SIZE[0]), 128, np.uint8), "yuv420p")
    more, rate = [], hello["rate"]
    first = round(end_s * rate)
    quiet = bytes(2 * hello["channels"] * (rate // 2))
    for n in range(2 * seconds):
        still.pts, still.time_base = round(1e6 * (end_s + 0.1 + n / 2)), encoder.time_base
        more += [(1, bool(p.is_keyframe), int(p.pts), bytes(p)) for p in encoder.encode(still)]
        more.append((2, True, first + n * (rate // 2), quiet))
    added = [pack(k, len(messages) + n, t, body, alone=alone) for n, (k, alone, t, body) in enumerate(more)]
    return [data for _, data in messages] + added


@pytest.mark.parametrize("seconds", [1, 10, 60])
def test_a_network_that_is_lost_makes_rulings_late_and_nothing_else(tmp_path, monkeypatch, seconds):
    """The clock is the stream's: all that the phone held meanwhile comes at once when the network is back."""
    if not GAME.exists():
        pytest.skip("the staged games are not here")
    if seconds == 1:
        monkeypatch.setattr(keeping, "LEAST_FREE", 10**18)  # and the disk is full
    told = asyncio.run(lost_for(tmp_path, seconds, monkeypatch))
    record = next((tmp_path / "out").glob("*.record.jsonl"))
    ruling = lines(record, "ruling")[0]
    assert (ruling["outcome"], ruling["awards"]) == ("won", {"north": 2})
    assert lines(record, "result")
    assert told["lost"] == 0
    assert told["away"]
    assert told["kept"] == ("full" if seconds == 1 else "yes")
    assert bool(list((tmp_path / "out").glob("*.mkv"))) == (seconds != 1)


async def lost_for(folder, seconds, monkeypatch):
    messages, hello, _ = staged()
    held = lengthened(messages, hello, seconds)
    before = sum(time_s < 3.8 for time_s, _ in messages)  # in the middle of the call
    port = free_port()
    monkeypatch.setattr(sockets, "BEAT_S", 6.0)  # who does not answer is missed sooner
    async with serve(folder, port) as site, Network(port) as network, Visitor(network.port) as guest:
        table = site.hub.tables["table"]
        await guest.enter(site.keys.table("table")["camera"])
        camera = await guest.socket("camera")
        await camera.send_json(hello)
        arrived = asyncio.create_task(until(camera, lambda m: m["type"] == "got" and m["expected"] == before))
        for data in held[:before]:
            await camera.send_bytes(data)
        await arrived
        network.cut() if seconds == 1 else network.hush()
        await comes(lambda: not table.connected)
        away = table.phase == "playing"
        monkeypatch.setattr(sockets, "BEAT_S", 15.0)
        network.mend()
        async with Visitor(network.port) as again:
            await again.enter(site.keys.table("table")["camera"])
            async with again.socket("camera") as camera:
                await camera.send_json(hello)
                ready = await until(camera, lambda m: m["type"] == "ready")
                ruled = asyncio.create_task(until(camera, lambda m: m.get("last") and m["last"]["round"] == 1))
                for data in held[ready["expected"] :]:
                    await camera.send_bytes(data)
                await ruled
                kept = table.session.media.trouble or "yes"
                await camera.send_json({"do": "end"})
                await until(camera, lambda m: m.get("phase") == "ended")
        return {"lost": table.session.lost, "away": away, "kept": kept}


def test_visitors_who_never_finish_their_request_keep_nobody_out(tmp_path):
    async def visit():
        port = free_port()
        async with serve(tmp_path, port) as site, Visitor(port) as guest:
            slow = [await asyncio.open_connection("127.0.0.1", port) for _ in range(200)]
            for _, writer in slow:
                writer.write(b"GET /screen HTTP/1.1\r\nHost: 127.0")
            await guest.enter(site.keys.table("table")["screen"])
            async with guest.socket("screen") as screen:
                assert (await screen.receive_json())["type"] in ("state", "history")
                for _, writer in slow:
                    writer.write(b".0.1\r\nX-Slow: yes")
                assert (await guest.get("/screen"))[0] == 200
            for _, writer in slow:
                writer.close()

    asyncio.run(visit())


def test_a_camera_that_says_nothing_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(sockets, "GREETING_S", 0.3)

    async def visit():
        port = free_port()
        async with serve(tmp_path, port) as site, Visitor(port) as guest:
            await guest.enter(site.keys.table("table")["camera"])
            async with guest.socket("camera") as silent, asyncio.timeout(PATIENCE_S):
                async for _ in silent:
                    pass
            assert site.hub.tables["table"].session is None

    asyncio.run(visit())


def test_a_message_that_comes_in_pieces_is_whole(tmp_path):
    """As over a bad network: the greeting's bytes one by one, in the middle of everything else."""

    async def visit():
        port = free_port()
        async with serve(tmp_path, port, game="tournament") as site, Visitor(port) as guest:
            await guest.enter(site.keys.table("table")["camera"])
            async with guest.socket("camera") as camera:
                line = camera.get_extra_info("socket")
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                text = json.dumps(greeting()).encode()
                mask = bytes(4)
                frame = bytes([0x81, 0xFE]) + len(text).to_bytes(2, "big") + mask + text
                writer = camera._writer.transport if hasattr(camera._writer, "transport") else None
                assert writer is not None
                for n in range(len(frame)):
                    writer.write(frame[n : n + 1])
                    await asyncio.sleep(0.001)
                assert (await until(camera, lambda m: m["type"] == "ready"))["expected"] == 0

    asyncio.run(visit())


def test_more_sockets_than_there_is_room_for_are_refused_and_come_in_later(tmp_path, monkeypatch):
    monkeypatch.setattr(sockets, "MOST_SOCKETS", 5)

    async def visit():
        port = free_port()
        async with serve(tmp_path, port) as site, Visitor(port) as guest:
            await guest.enter(site.keys.table("table")["screen"])
            held = [await guest.socket("screen") for _ in range(5)]
            with pytest.raises(WSServerHandshakeError) as refused:
                await guest.socket("screen")
            assert refused.value.status == 503
            await held.pop().close()
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    try:
                        held.append(await guest.socket("screen"))
                        break
                    except WSServerHandshakeError:
                        await asyncio.sleep(0.02)
            await asyncio.gather(*(one.close() for one in held))

    asyncio.run(visit())


HEARD = {"seat": "north", "session": "ab" * 16, "rate": 48000, "channels": 1, "sound": greeting()["sound"]}
LARGE_TEXT, LARGE = "[" + "1," * sockets.LONGEST_TEXT + "1]", pack(1, 0, 0, bytes(wire.MOST_BYTES), alone=True)


@pytest.mark.parametrize(
    ("role", "key", "hello", "message"),
    [
        ("screen", "screen", None, LARGE_TEXT),
        ("screen", "screen", None, LARGE),
        ("scorer", "scorer", None, LARGE_TEXT),
        ("camera", "camera", None, LARGE_TEXT),
        ("camera", "camera", greeting(), LARGE_TEXT),
        ("camera", "camera", greeting(), LARGE),
        ("player", "player", None, LARGE_TEXT),
        ("player", "player", HEARD, LARGE),
        ("player/practice", "player", HEARD, LARGE_TEXT),
        ("player/practice", "player", HEARD, LARGE),
    ],
)
def test_a_message_that_is_too_large_ends_its_own_socket_alone(tmp_path, role, key, hello, message):
    async def visit():
        port = free_port()
        async with serve(tmp_path, port, game="rock") as site, Visitor(port) as guest, Visitor(port) as other:
            keys = site.keys.table("table")
            await guest.enter(keys[key])
            await other.enter(keys["screen"])
            async with other.socket("screen") as screen, guest.socket(role) as rude:
                if hello:
                    await rude.send_json(hello)
                    await until(rude, lambda m: m["type"] == "ready")
                await (rude.send_str(message) if isinstance(message, str) else rude.send_bytes(message))
                async with asyncio.timeout(PATIENCE_S):
                    async for _ in rude:
                        pass
                assert rude.close_code in (sockets.RUDE, 1009)
                assert (await until(screen, lambda m: m["type"] == "state"))["type"] == "state"
                assert not screen.closed
            async with guest.socket(role) as again:  # and may come back
                if hello:
                    await again.send_json(hello)
                    assert (await until(again, lambda m: m["type"] == "ready"))["expected"] == 0

    asyncio.run(visit())


def test_messages_that_come_late_twice_and_out_of_order_over_a_socket_change_nothing(tmp_path):
    """Each picture twice, sound before the sound that it follows, another session's greeting in between."""
    if not GAME.exists():
        pytest.skip("the staged games are not here")
    messages, hello, _ = staged(until_s=1.0)

    async def visit():
        port = free_port()
        async with serve(tmp_path, port) as site, Visitor(port) as guest:
            await guest.enter(site.keys.table("table")["camera"])
            async with guest.socket("camera") as camera:
                await camera.send_json(hello)
                await until(camera, lambda m: m["type"] == "ready")
                sent = [data for _, data in messages]
                for n, data in enumerate(sent):
                    await camera.send_bytes(data)
                    await camera.send_bytes(sent[max(0, n - 3)])
                got = await until(camera, lambda m: m.get("expected") == len(sent))
                session = site.hub.tables["table"].session
                assert (session.lost, got["type"]) == (0, "got")
                await camera.send_bytes(pack(2, len(sent) + 5, 0, bytes(4 * 512)))  # some are missing, and it is early
                await until(camera, lambda m: m.get("expected") == len(sent) + 6)
                assert session.lost == 5
                await camera.send_json({"do": "end"})
                await until(camera, lambda m: m.get("phase") == "ended")

    asyncio.run(visit())
