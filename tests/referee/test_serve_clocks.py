"""Picture and sound on one clock for an evening: the page's own code in a real browser, hours at a time."""

import asyncio
import json

import numpy as np
import pytest
from live_chromium import PROGRAM, Chromium
from live_helpers import free_port, serve

from referee.bench.phone import Mapping

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
