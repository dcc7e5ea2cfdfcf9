"""The report of a 60-card game: how long it takes to write, how large it is, how soon a browser shows it.

No staged game is that long, so one is judged and repeated, picture, sound and events, until 60 cards were played;
rounds are ruled anew over the longer game. Opening is measured in Chromium, from a file, each time with an empty
profile: from the start of navigation to the end of the load event, and to the first thing that is painted.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import av

from referee.bench import BenchResult
from referee.bench.games import game_options, read_game
from referee.errors import UsageError
from referee.events import CardShown, RecordingEnded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.events import Event

CARDS = 60
OPENED = 5
"""Times that the page is opened; the median is told."""
PHONE = (390, 844)
DESK = (1280, 900)


def run(*, data: Path | None = None, count: int | None = None, seed: int = 0, out: Path | None = None) -> BenchResult:  # noqa: ARG001  every bench has these
    """Write the report of a 60-card game and open it.

    Args:
        data: folder of staged games; the first of them is used. By default the committed `stube.mp4`.
        count: how many cards, 60 unless told.
        seed: not used.
        out: keep recording, record and report here.
    """
    source = next(data.glob("*.mp4")) if data else Path(__file__).parents[2] / "fixtures" / "games" / "stube.mp4"
    with tempfile.TemporaryDirectory() as name:
        folder = out or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        record = sixty_cards(source, folder, count or CARDS)
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        begin = time.perf_counter()
        words = [sys.executable, "-m", "referee", "report", str(record)]
        subprocess.run(words, check=True, capture_output=True)  # noqa: S603  our own command
        figures: dict[str, Any] = {"write_s": round(time.perf_counter() - begin, 1), "load_before": round(load, 2)}
        page = folder / "sixty.report.html"
        figures |= {
            "page_mb": round(page.stat().st_size / 1e6, 2),
            "rounds": page.read_text(encoding="utf-8").count('id="round-'),
        }
        notes = []
        if browser() is None:
            notes.append("Chromium is not installed: opening was not measured")
        else:
            opened = [opening(page) for _ in range(OPENED)]
            figures["open_s"] = round(median(one["load"] for one in opened), 2)
            figures["first_paint_s"] = round(median(one["paint"] for one in opened), 2)
    return BenchResult("report", "staged", 1, figures, [], notes)


def sixty_cards(source: Path, folder: Path, cards: int) -> Path:
    """A recording, and its record, of so many cards, out of a shorter game. Gives the record."""
    from referee.cli import run as command_line  # noqa: PLC0415  the command line imports the benches
    from referee.judge import sha256  # noqa: PLC0415
    from referee.match import Match  # noqa: PLC0415
    from referee.record import read_record  # noqa: PLC0415
    from referee.record_writer import RecordWriter  # noqa: PLC0415

    short = folder / "short" / f"{source.stem}.record.jsonl"
    if not short.exists():
        words = ["judge", str(source), *game_options(read_game(source)), "--quiet", "--out", str(short.parent)]
        if command_line(words) not in (0, 1):
            raise UsageError(f"{source} could not be judged")
    given = read_record(short)
    shown = [e for e in given.events if isinstance(e, CardShown)]
    times = -(-cards // len(shown))
    video = folder / "sixty.mp4"
    length_s = repeat(source, video, times)
    named = {"name": video.name, "sha256": sha256(video)}
    record = folder / "sixty.record.jsonl"
    match = Match(game=given.header.game, seats=given.header.seats)
    with RecordWriter(record, replace(given.header, recording=named)) as writer:
        for event in _repeated(list(given.events), times, length_s):
            writer.event(event)
            for ruling in match.feed(event):
                writer.ruling(ruling)
        writer.result(match.result())
    return record


def _repeated(events: list[Event], times: int, length_s: float) -> Iterator[Event]:
    """The same events again and again, later each time, with cards of other numbers."""
    cards = max((e.card for e in events if isinstance(e, CardShown)), default=0)
    for k in range(times):
        for event in events:
            if isinstance(event, RecordingEnded) and k < times - 1:
                continue
            moved: dict[str, Any] = {
                f: getattr(event, f) + k * length_s for f in ("time_s", "end_s") if hasattr(event, f)
            }
            if getattr(event, "rest_s", None) is not None:
                moved["rest_s"] = event.rest_s + k * length_s  # type: ignore[attr-defined]
            names = {one.name for one in fields(event)}
            if "card" in names:
                moved["card"] = event.card + k * cards  # type: ignore[attr-defined]
            if "cards" in names and isinstance(event.cards, tuple):  # type: ignore[attr-defined]
                moved["cards"] = tuple(n + k * cards for n in event.cards)  # type: ignore[attr-defined]
            yield replace(event, **moved)


def repeat(source: Path, target: Path, times: int) -> float:
    """The same recording again and again in one file, nothing encoded anew. Gives the length of one, seconds."""
    length_s = 0.0
    with av.open(str(target), "w") as out:
        copies: dict[int, Any] = {}
        for k in range(times):
            with av.open(str(source)) as given:
                streams = [s for s in given.streams if s.type in ("video", "audio")]
                copies = copies or {s.index: out.add_stream_from_template(s) for s in streams}
                length_s = length_s or float(given.duration or 0) / av.time_base
                for packet in given.demux(streams):
                    if packet.dts is None or packet.pts is None or (k and packet.dts < 0):  # an encoder's priming
                        continue
                    shift = round(k * length_s / packet.time_base)
                    packet.pts, packet.dts = packet.pts + shift, packet.dts + shift
                    packet.stream = copies[packet.stream_index]
                    out.mux(packet)
    return length_s


# A real browser, spoken to by its own protocol.


def browser() -> str | None:
    """Chromium or Chrome, if there is one."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


@contextmanager
def tab(size: tuple[int, int] = DESK) -> Iterator[Tab]:
    """A tab of a browser of its own, with an empty profile."""
    from websockets.sync.client import connect  # noqa: PLC0415  comes with vosk

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
        flags += ["--disable-component-update", "--disable-sync", "--remote-debugging-port=0", "--hide-scrollbars"]
        words = [str(browser()), *flags, f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}"]
        process = subprocess.Popen([*words, "about:blank"], stderr=subprocess.PIPE, text=True)  # noqa: S603  found on this computer
        assert process.stderr is not None  # noqa: S101  a pipe was asked for
        try:
            found = next(filter(None, (re.search(r"ws://\S+", line) for line in process.stderr)))
            with connect(found[0], max_size=None) as socket:
                yield Tab(socket, size)
        finally:
            process.kill()
            process.wait()


class Tab:
    """One page in a browser."""

    def __init__(self, socket: Any, size: tuple[int, int]) -> None:
        self._socket, self._count, self._session = socket, 0, ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        phone = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 600}
        self.call("Emulation.setDeviceMetricsOverride", **phone)
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask the browser for something and wait for its answer."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        self._socket.send(json.dumps(message | ({"sessionId": self._session} if self._session else {})))
        while True:
            answer = json.loads(self._socket.recv(timeout=60))
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise UsageError(f"the browser refused {method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, address: str) -> None:
        """Open a page and wait until it has loaded."""
        self.call("Page.navigate", url=address)
        while self.run("document.readyState") != "complete" or self.run("location.href") == "about:blank":
            time.sleep(0.02)

    def run(self, script: str) -> Any:
        """The value of a script in the page; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise UsageError(f"the page's script failed: {answer['exceptionDetails']}")
        return answer["result"].get("value")


def opening(page: Path) -> dict[str, float]:
    """Seconds from the start of navigation to the end of loading and to the first paint, in a fresh browser."""
    with tab() as one:
        one.open(page.resolve().as_uri())
        time.sleep(0.3)
        timing = "performance.getEntriesByType('navigation')[0].loadEventEnd"
        paint = "(performance.getEntriesByName('first-contentful-paint')[0] || {startTime: NaN}).startTime"
        return {"load": one.run(timing) / 1000, "paint": one.run(paint) / 1000}
