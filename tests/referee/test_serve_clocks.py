"""Picture and sound on one clock for an evening: the page's own code in a real browser, hours at a time."""

import asyncio
import json
import re

import numpy as np
import pytest
from live_chromium import PROGRAM, Chromium
from live_helpers import free_port, serve

from referee.bench.phone import Mapping
from referee.live import wire

HOURS = """import("/file/clock.js").then(({Mapping}) => {
  let seed = 7;
  const random = () => (seed = (48271 * seed) % 2147483647) / 2147483647;
  const ear = new Mapping(), eye = new Mapping(), fast = 1 + SOUND * 1e-6, other = 1 + PICTURE * 1e-6;
  const late = () => 10 - 8 * Math.log(random());
  let sound = 0, picture = 0, least = [], most = [];
  for (let at = 0; at < 8 * 3600e3; at += 1024 / 48) {
    ear.saw(at * fast, at + late());
    for (; picture < at; picture += 50) {
      eye.saw(picture * other + 5000, picture + late());
      const apart = eye.page(picture * other + 5000) - ear.page(0) - picture * fast;
      const hour = Math.floor(picture / 3600e3);
      if (picture > 2000) {
        least[hour] = Math.min(least[hour] ?? 1e9, apart);
        most[hour] = Math.max(most[hour] ?? -1e9, apart);
      }
    }
  }
  return JSON.stringify([least, most]);
})"""
SERIES = """import("/file/clock.js").then(({Mapping}) => {
  const clock = new Mapping();
  return JSON.stringify(PAIRS.map(([device, arrived]) => (clock.saw(device, arrived), clock.offset)));
})"""


def in_a_page(folder, *codes):
    """What these expressions give in a page of the server's."""

    async def run():
        port = free_port()
        async with serve(folder, port) as site, Chromium() as browser:
            page = await browser.page(f"{site.address.root}")
            await browser.until(page, "document.readyState === 'complete'")
            return [json.loads(await browser.js(page, code)) for code in codes]

    return asyncio.run(run())


@pytest.mark.skipif(PROGRAM is None, reason="no Chromium here (Debian: apt-get install chromium)")
def test_picture_and_sound_stay_together_for_eight_hours(tmp_path):
    """Devices that run apart by a tenth of a thousandth, and arrive late by 10 ms and more, unevenly."""
    pairs = [(50, -50), (-50, 50), (0, 0)]
    codes = [HOURS.replace("SOUND", str(a)).replace("PICTURE", str(b)) for a, b in pairs]
    rng = np.random.default_rng(3)
    given = [[50.0 * n, 50.0 * n * (1 + 6e-5) + float(rng.exponential(9))] for n in range(5000)]
    *hours, series = in_a_page(tmp_path, *codes, SERIES.replace("PAIRS", json.dumps(given)))
    for least, most in hours:
        assert len(least) == 8
        assert max(most) - min(least) < 10  # milliseconds
    here, mine = Mapping(), []
    for device, arrived in given:
        here.saw(device, arrived)
        mine.append(here.offset)
    assert mine == pytest.approx(series)  # the bench's phone has the page's clock


LARGE = """import("/file/link.js").then(({Link, PICTURE, SOUND}) => {
  const sent = [];
  globalThis.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    bufferedAmount = 0;
    send(data) { sent.push(data); }
    close() {}
  };
  const link = new Link("/camera/socket", {}, () => {});
  link.take({type: "ready", expected: 0});
  link.send(SOUND, true, 0, new Uint8Array(LIMIT_SOUND));
  link.send(SOUND, true, 0, new Uint8Array(LIMIT_SOUND + 1));
  link.send(PICTURE, true, 0, new Uint8Array(LIMIT_PICTURE + 1));
  link.send(PICTURE, true, 0, new Uint8Array(LIMIT_PICTURE));
  link.close();
  return JSON.stringify(sent.map((data) => [new DataView(data).getUint32(4), data.byteLength]));
})"""


@pytest.mark.skipif(PROGRAM is None, reason="no Chromium here (Debian: apt-get install chromium)")
def test_a_phone_sends_nothing_that_the_server_would_refuse(tmp_path):
    """A picture too large is missed, and its number too: the server sees that one is missing."""
    limits = {"LIMIT_SOUND": str(wire.MOST_SOUND), "LIMIT_PICTURE": str(wire.MOST_PICTURE)}
    code = re.sub("LIMIT_[A-Z]+", lambda found: limits[found[0]], LARGE)
    (sent,) = in_a_page(tmp_path, code)
    assert sent == [[0, wire.MOST_SOUND + wire.HEADER.size], [3, wire.MOST_PICTURE + wire.HEADER.size]]
