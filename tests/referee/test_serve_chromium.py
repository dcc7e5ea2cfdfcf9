"""A round in a real browser, with files as camera and microphone; its network breaks off for a while."""

import asyncio
import json
import os
import re
import subprocess
import sys
import wave

import av
import numpy as np
import pytest
from live_chromium import PROGRAM, Chromium
from live_helpers import GAME, PATIENCE_S, ROOT, Network, free_port, lines

from audio.decode import blocks

RULED = "!document.getElementById('verdict').classList.contains('early')"
SIZE, RATE, UNTIL_S = (640, 360), 10, 6.5


@pytest.fixture(scope="module")
def devices(tmp_path_factory):
    """The beginning of a staged game as files that Chromium takes for a camera and a microphone."""
    if PROGRAM is None:
        pytest.skip("no Chromium here (Debian: apt-get install chromium)")
    if not GAME.exists():
        pytest.skip("the staged games are not here")
    folder = tmp_path_factory.mktemp("devices")
    with (folder / "camera.y4m").open("wb") as out, av.open(str(GAME)) as game:
        out.write(f"YUV4MPEG2 W{SIZE[0]} H{SIZE[1]} F{RATE}:1 Ip A1:1 C420jpeg\n".encode())
        due = 0.0
        for frame in game.decode(video=0):
            if frame.time > UNTIL_S:
                break
            if frame.time >= due - 1e-6:
                due += 1 / RATE
                small = frame.reformat(width=SIZE[0], height=SIZE[1], format="yuv420p")
                out.write(b"FRAME\n" + small.to_ndarray().tobytes())
    samples = np.concatenate([b.samples for b in blocks(GAME)], axis=1)[:, : round(UNTIL_S * 48000)]
    with wave.open(str(folder / "microphone.wav"), "wb") as out:
        out.setnchannels(2)
        out.setsampwidth(2)
        out.setframerate(48000)
        out.writeframes((np.clip(samples.T, -1, 1) * 32767).astype("<i2").tobytes())
    return folder


def test_a_round_from_the_code_to_the_score(devices, tmp_path):
    shown = asyncio.run(evening(devices, tmp_path))
    record, second = sorted((tmp_path / "out").glob("*.record.jsonl"))
    assert len(lines(second, "header")) == 1  # the camera's file begins again: what it shows by then differs
    assert [(r["outcome"], r["awards"], r["cards"]) for r in lines(record, "ruling")[:1]] == [
        ("won", {"north": 2}, {"north": "paper", "south": "scissors"})
    ]
    assert lines(record, "ruling")[0]["piles"]["north"] == 2  # more rounds may follow: the camera's file begins again
    assert lines(record, "result")
    sure = not lines(record, "ruling")[0]["review"]
    assert shown["call"] in (
        ("North", "Nord", "Norte") if sure else ("Please check", "Bitte prüfen", "Comprobad, por favor")
    )
    assert shown["altered"] == []
    assert shown["channels"] == 2


async def evening(devices, folder):
    """Server, screen and camera; the camera's stream ends after its round was ruled."""
    port, plain = free_port(), free_port()
    server = await asyncio.to_thread(start, folder, port, plain)
    try:
        links = await asyncio.to_thread(read_links, server)
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", "--ignore-certificate-errors"]
        flags += [f"--use-file-for-fake-video-capture={devices / 'camera.y4m'}"]
        flags += [f"--use-file-for-fake-audio-capture={devices / 'microphone.wav'}%noloop"]
        async with Network(port) as network, Chromium(*flags) as browser:
            screen = await browser.page(links["screen"])
            wireless = links["camera"].replace(f":{port}/", f":{network.port}/")
            camera = await browser.page(wireless, size=(390, 844, 2))
            await browser.until(camera, "document.getElementById('start')?.textContent.length > 2")
            assert await browser.js(camera, "location.hash + location.search") == ""
            await browser.js(camera, "document.getElementById('start').click()")
            await browser.until(camera, "document.body.dataset.zero")
            await asyncio.sleep(2.0)
            network.cut()  # in the middle of the round, for longer than its call takes
            await asyncio.sleep(float(os.environ.get("REFEREE_CUT_S", "3")))
            await browser.until(camera, "document.getElementById('state').textContent.includes('MB')")
            network.mend()
            await browser.until(screen, "document.getElementById('call')?.textContent")
            call = await browser.until(screen, f"{RULED} && document.getElementById('call').textContent")
            scorer = await browser.page(links["scorer"])
            await browser.until(scorer, "document.getElementById('orders')?.hidden === false")
            first = await browser.js(camera, "document.body.dataset.zero")
            await browser.js(scorer, "document.querySelector('[data-do=new_game]').click()")
            await browser.until(camera, f"document.body.dataset.zero !== '{first}'")
            await asyncio.sleep(1.0)
            await browser.js(camera, "document.getElementById('end').click()")
            await browser.until(camera, "document.getElementById('start').hidden === false")
            shown = {
                "call": call,
                **json.loads(await browser.js(camera, "document.body.dataset.camera")),
            }
            assert [f for f in browser.faults if "WebSocket" not in json.dumps(f)] == []
            if keep := os.environ.get("REFEREE_SCREENSHOTS"):
                await browser.picture(screen, folder.__class__(keep) / "screen.png")
                await browser.picture(camera, folder.__class__(keep) / "camera.png")
    finally:
        server.send_signal(2)
        await asyncio.to_thread(server.wait, PATIENCE_S)
    assert server.returncode == 0
    return shown


def start(folder, port, plain):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "REFEREE_LIVE": str(folder / "private")}
    command = [sys.executable, "-m", "referee", "serve", "--port", str(port), "--plain-port", str(plain)]
    command += ["--host", "127.0.0.1", "--listen", "127.0.0.1", "--players", "2", "--out", str(folder / "out")]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)


def read_links(server):
    links = {}
    for line in server.stdout:
        if found := re.match(r"(camera|screen|scorer):\s+(\S+)", line):
            links[found[1]] = found[2]
        if "Ctrl-C" in line:
            return links
    raise AssertionError(f"the server ended: {server.wait()}")
