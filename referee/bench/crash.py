"""Judging killed at random moments: does every record open, is anything lost that was judged, does the next run go on?

A process that judges is ended by SIGKILL, which no program can catch, and started again, until the recording is judged.
Most of it judges events that are made up and come at a pace of its own, so that hundreds of kills take a minute; the
rest is the command line with eye and ear on a real recording. What a process printed counts as judged: a ruling is
printed after it was written.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.bench import BenchResult
from referee.errors import RecordError
from referee.record import read_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.events import Event

KILLS = 200
REAL = 10
"""Of `KILLS` unless told otherwise: how many end the command line with eye and ear at work."""
PIECE_S = 9.0
"""Of a staged game, for the runs with eye and ear."""
GAME = "evening"
ROUNDS = 8


@dataclass(slots=True)
class Tally:
    """What was found after each kill."""

    kills: int = 0
    """Processes that were ended before they were done."""
    unopened: int = 0
    """Records that could not be read."""
    acknowledged: int = 0
    """Rulings that were printed before the kill."""
    lost: int = 0
    """Printed rulings that the record does not hold, and rulings that a later run took away."""
    stuck: int = 0
    """Runs over a record that did not go on."""
    finished: int = 0
    """Recordings judged to their end in spite of all."""
    different: int = 0
    """Finished records that are not, byte for byte, what an undisturbed run writes."""
    more_records: int = 0
    """Records beside the one that there should be."""
    moments: list[float] = field(default_factory=list)
    """Share of the record that was written when the kill came."""


def run(*, data: Path | None = None, count: int | None = None, seed: int = 0) -> BenchResult:
    """Kill `count` runs (200 unless told): one in twenty judges with eye and ear, all others stand-in events.

    Args:
        data: folder of recordings for the real runs; by default the committed games.
        count: how many kills.
        seed: of the moments.
    """
    kills = count or KILLS
    real = kills * REAL // KILLS
    rng = random.Random(seed)
    quick, slow = Tally(), Tally()
    with tempfile.TemporaryDirectory() as folder:
        kill_often(Path(folder) / "stand-in", kills - real, rng, quick)
        if real:
            recording = _short_recording(data, Path(folder))
            kill_command(recording, Path(folder) / "real", real, rng, slow)
    figures: dict[str, Any] = {}
    for name in ("kills", "unopened", "acknowledged", "lost", "stuck", "finished", "different", "more_records"):
        figures[name] = getattr(quick, name) + getattr(slow, name)
    figures["kills_real"] = slow.kills
    rows = [["source", "kills", "records that did not open", "rulings judged", "lost", "finished", "different"]]
    for name, t in (("stand-in events", quick), ("eye and ear", slow)):
        counts = (t.kills, t.unopened, t.acknowledged, t.lost, t.finished, t.different)
        rows.append([name, *map(str, counts)])
    notes = [
        f"kills came with {_spread(quick.moments)} of the record written (stand-in), {_spread(slow.moments)} (real)"
    ]
    return BenchResult("crash", "staged", figures["kills"], figures, rows, notes)


def _spread(shares: list[float]) -> str:
    if not shares:
        return "nothing"
    return f"{min(shares):.0%} to {max(shares):.0%}"


# Stand-in events, in processes that are forked: hundreds of kills a minute.


def kill_often(folder: Path, kills: int, rng: random.Random, tally: Tally) -> None:
    """Judge made-up evenings, each in one process after the other, until `kills` of these were ended."""
    folder.mkdir(parents=True)
    evening = 0
    while tally.kills < kills:
        evening += 1
        whole = folder / f"whole-{evening}"
        stand_in(whole, evening, 0.0, lambda _: None)
        reference = (whole / f"{GAME}.record.jsonl").read_bytes()
        cut = folder / f"cut-{evening}"
        watch = Watch(cut / f"{GAME}.record.jsonl", reference, tally)
        while tally.kills < kills and not watch.done:
            pace_s = rng.choice((0.0002, 0.001, 0.003))
            length_s = pace_s * reference.count(b"\n")
            _one_killed(cut, evening, pace_s, rng.uniform(0, 1.2 * length_s + 0.01), watch)
        if not watch.done:
            stand_in(cut, evening, 0.0, lambda _: None)
            watch.after(set(), killed=False)
        watch.end()


def _one_killed(cut: Path, evening: int, pace_s: float, after_s: float, watch: Watch) -> None:
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(read)
            stand_in(cut, evening, pace_s, lambda n: os.write(write, f"{n}\n".encode()))
        finally:
            os._exit(0)
    os.close(write)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with os.fdopen(read, "rb") as said:
        printed = {int(line) for line in said.read().split(b"\n") if line.strip()}
    watch.after(printed, killed=os.WIFSIGNALED(status))


def stand_in(out: Path, seed: int, pace_s: float, say: Callable[[int], object]) -> None:
    """Judge a made-up evening at a pace, with the product's own writing, and say each round once it is written."""
    from referee.judge import judge  # noqa: PLC0415  the same path as a recording's
    from referee.record import Header  # noqa: PLC0415
    from referee.resume import open_record  # noqa: PLC0415
    from referee.ruling import Ruling  # noqa: PLC0415

    judging: Any = StandIn(seed, pace_s)
    header = Header(game="rock", seats=("north", "south"), recording={"name": "evening.mp4", "sha256": f"{seed:064x}"})
    with open_record(out, GAME, header) as record:
        for step in judge(judging, record):
            if isinstance(step, Ruling):
                say(step.round)


class StandIn:
    """Looks like `referee.judge.Judging`: steps of a made-up evening, each after a pause."""

    def __init__(self, seed: int, pace_s: float) -> None:
        from referee.match import Match  # noqa: PLC0415

        self.seed, self.pace_s = seed, pace_s
        self.match = Match(game="rock", seats=("north", "south"))

    def steps(self) -> Iterator[Any]:
        """Events and rulings."""
        for event in evening(self.seed):
            time.sleep(self.pace_s)
            yield event
            yield from self.match.feed(event)


def evening(seed: int) -> Iterator[Event]:
    """Events of a few rounds with calls of both players, drawn at random."""
    from referee.events import CallHeard, CardsGone, CardShown, RecordingEnded, Type  # noqa: PLC0415

    rng, now_s = random.Random(seed), 1.0
    for number in range(1, 2 * ROUNDS, 2):
        cards = {number: "north", number + 1: "south"}
        for card, seat in cards.items():
            yield CardShown(time_s=now_s + card % 2 / 10, seat=seat, card=card, type=rng.choice(list(Type)))
        onsets = sorted(now_s + 0.6 + rng.random() for _ in range(rng.randrange(3)))
        for onset, seat in zip(onsets, rng.sample(["north", "south"], 2), strict=False):
            kind = rng.choice(list(Type))
            yield CallHeard(
                time_s=onset, sigma_ms=6, end_s=onset + 0.4, type=kind, word=kind, probability=0.97, seats={seat: 1.0}
            )
        yield CardsGone(time_s=now_s + 4, cards=tuple(cards))
        now_s += 6.0
    yield RecordingEnded(time_s=now_s)


@dataclass(slots=True)
class Watch:
    """Looks at one record after every kill."""

    path: Path
    reference: bytes
    tally: Tally
    done: bool = False
    _printed: set[int] = field(default_factory=set)
    _before: bytes = b""

    def after(self, printed: set[int], *, killed: bool) -> None:
        """Look at the record after a process has ended."""
        self.tally.kills += killed
        self.tally.acknowledged += len(printed - self._printed)
        self._printed |= printed
        content = self.path.read_bytes() if self.path.exists() else b""
        try:
            held = {line["round"] for line in read_record(self.path).rulings} if content else set()
        except RecordError:
            self.tally.unopened += 1
            held = set()
        self.tally.lost += len(self._printed - held)
        whole = self._before[: self._before.rfind(b"\n") + 1]
        self.tally.lost += not content.startswith(whole)
        self._before = content
        if killed:
            self.tally.moments.append(len(content) / len(self.reference))
        self.done = content.endswith(b"\n") and b'"type": "result"' in content
        self.tally.stuck += not killed and not self.done

    def end(self) -> None:
        """Look at the record after all."""
        self.tally.finished += self.done
        self.tally.different += self._before != self.reference
        self.tally.more_records += sum(1 for _ in self.path.parent.glob("*.record.jsonl")) - 1


# The command line, with eye and ear.


def _short_recording(data: Path | None, folder: Path) -> Path:
    from referee.bench.many import cut, recordings  # noqa: PLC0415  opens FFmpeg

    out = folder / "short.mkv"
    cut(min(recordings(data), key=lambda path: path.stat().st_size), out, PIECE_S)
    return out


def kill_command(recording: Path, folder: Path, kills: int, rng: random.Random, tally: Tally) -> None:
    """Judge a recording by the command line, killed again and again, until `kills` runs were ended."""
    begin = time.monotonic()
    _command(recording, folder / "whole").wait()
    length_s = time.monotonic() - begin
    name = f"{recording.stem}.record.jsonl"
    reference = (folder / "whole" / name).read_bytes()
    game = 0
    while tally.kills < kills:
        game += 1
        cut = folder / f"cut-{game}"
        watch = Watch(cut / name, reference, tally)
        while tally.kills < kills and not watch.done:
            process = _command(recording, cut)
            if rng.random() < 0.5:
                time.sleep(rng.uniform(0, 1.1 * length_s))
            else:
                _wait_for(watch.path, rng.uniform(0, len(reference)), process)
                time.sleep(rng.uniform(0, 0.2))
            process.kill()
            printed = _rounds(process)
            watch.after(printed, killed=process.returncode == -signal.SIGKILL)
        if not watch.done:
            process = _command(recording, cut)
            watch.after(_rounds(process), killed=False)
        watch.end()


def _wait_for(path: Path, size: float, process: subprocess.Popen[bytes]) -> None:
    """Until a record is so large, or its process has ended."""
    while process.poll() is None and (not path.exists() or path.stat().st_size < size):
        time.sleep(0.005)


def _command(recording: Path, out: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "referee", "judge", str(recording), "--json", "--out", str(out)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603  our own command


def _rounds(process: subprocess.Popen[bytes]) -> set[int]:
    import json  # noqa: PLC0415

    said = process.communicate()[0]
    lines = said[: said.rfind(b"\n") + 1].splitlines()
    return {json.loads(line)["round"] for line in lines}
