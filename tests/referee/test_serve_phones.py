"""Players' phones in real browsers: clocks of their own, microphones that run fast, aligned by what they hear.

`REFEREE_PHONES=1` runs it: three browsers at once lose sound on a busy machine, and a clock that leaps is known anew
only after some seconds.
"""

import asyncio
import os
import wave

import numpy as np
import pytest
from live_chromium import PROGRAM, Chromium
from live_helpers import ROOT, comes, free_port, serve

from audio.decode import blocks
from referee.live.players import between

FELT = ROOT / "fixtures" / "games" / "four-on-felt.mkv"
RATE, LASTS_S = 48000, 24.0
PPM = {"camera": 0.0, "north": 50.0, "south": -50.0}
FLAGS = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
LATER = """(() => { const now = Performance.prototype.now; performance.now = () => now.call(performance) + 7654; })()"""


@pytest.fixture(scope="module")
def microphones(tmp_path_factory):
    """What the camera and the players hear of a game: the players' devices run fast and slow."""
    if not os.environ.get("REFEREE_PHONES"):
        pytest.skip("takes three browsers and a quiet machine: REFEREE_PHONES=1")
    if PROGRAM is None:
        pytest.skip("no Chromium here (Debian: apt-get install chromium)")
    if not FELT.exists():
        pytest.skip("the staged games are not here")
    folder = tmp_path_factory.mktemp("microphones")
    sound = np.concatenate([b.samples for b in blocks(FELT)], axis=1).mean(axis=0)[: round(LASTS_S * RATE)]
    sound = np.tile(sound, 3)  # the browser begins the file again at its end: devices would leap
    sound = sound + np.random.default_rng(5).normal(0, 2e-4, sound.shape).astype(np.float32)
    for name, ppm in PPM.items():
        samples = between([(0, sound)], np.arange(2, len(sound) - 4) / (1 + ppm * 1e-6))
        with wave.open(str(folder / f"{name}.wav"), "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(2)
            out.setframerate(RATE)
            out.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return folder


def test_two_phones_are_aligned_within_two_milliseconds(microphones, tmp_path):
    """The players hear what the camera hears: on the table's clock it must fall on it, whatever the aligner says."""
    told = asyncio.run(evening(microphones, tmp_path))
    assert all(player["aligned"] and player["error_ms"] < 2.0 for player in told)
    joined = next((tmp_path / "out").glob("*-players.mkv"))
    table = next(p for p in (tmp_path / "out").glob("*.mkv") if p != joined)
    late = apart_ms(whole(table), whole(joined))
    assert len(late) >= 2
    assert max(abs(one) for one in late) < 2.0


def whole(path):
    """Time of the first sample, and all channels."""
    heard = list(blocks(path))
    return heard[0].time_s, np.concatenate([b.samples for b in heard], axis=1)


def apart_ms(table, players):
    """By how much each player's channel is later than the camera's sound, in the last seconds of both."""
    end_s = min(table[0] + table[1].shape[1] / RATE, players[0] + players[1].shape[1] / RATE) - 0.5

    def cut(sound, channel):
        last = round((end_s - sound[0]) * RATE)
        return sound[1][channel, last - 4 * RATE : last]

    out = []
    for channel in range(players[1].shape[0]):
        a, b = (np.fft.rfft(cut(s, c), 8 * RATE) for s, c in ((table, 0), (players, channel)))
        cross = b * np.conj(a)
        peak = np.fft.irfft(cross / (np.abs(cross) + 1e-9))
        at = int(np.argmax(np.abs(peak)))
        out.append(1000 * (at if at < 4 * RATE else at - 8 * RATE) / RATE)
    return out


async def evening(folder, out):
    port = free_port()
    sound = {name: f"--use-file-for-fake-audio-capture={folder / name}.wav" for name in PPM}
    async with (
        serve(out, port, seats=("north", "south"), players=None) as site,
        Chromium(*FLAGS, sound["camera"]) as above,
        Chromium(*FLAGS, sound["north"]) as north,
        Chromium(*FLAGS, sound["south"]) as south,
    ):
        table, keys = site.hub.tables["table"], site.keys.table("table")
        camera = await above.page(site.address.link(keys["camera"]))
        await above.until(camera, "document.getElementById('start')?.textContent.length > 2")
        taps = [above.js(camera, "document.getElementById('start').click()")]
        for seat, browser in (("north", north), ("south", south)):
            page = await browser.page(site.address.link(keys["player"]))
            await browser.until(page, "document.querySelector('[data-seat=south]')?.textContent")
            await browser.js(page, LATER)
            taps.append(browser.js(page, f"document.querySelector('[data-seat={seat}]').click()"))
        await asyncio.gather(*taps)

        def aligned():
            return [p for p in table.players.state() if p["aligned"]]

        await comes(lambda: len(aligned()) == 2)
        await comes(lambda: table.game.sound._channels == 2 and table.session.newest_ms > 20_000)
        told = aligned()
        await asyncio.sleep(2)
        await above.js(camera, "document.getElementById('end').click()")
        await comes(lambda: table.phase == "ended")
        return told
