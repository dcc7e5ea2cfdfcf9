"""Many recordings over processes: how much faster two are than one, and whether memory stays where it was.

The recordings are short pieces of staged games, so that starting, opening and finishing weigh as much as they may ever
do. The same recordings are judged over one process and then over two; every record of both runs must be the same.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av

from referee.bench import BenchResult
from referee.bench.games import recordings as staged

if TYPE_CHECKING:
    from collections.abc import Sequence

RECORDINGS = 200
PIECE_S = 3.0
PROCESSES = (1, 2)


def run(*, data: Path | None = None, count: int | None = None, seed: int = 0) -> BenchResult:  # noqa: ARG001  every bench has these
    """Judge `count` short recordings (200 unless told) over one process, then over two.

    Args:
        data: folder of staged games to cut them from; by default the committed ones.
        count: how many recordings.
        seed: not used.
    """
    number = count or RECORDINGS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pieces = _pieces(data, folder, number)
        runs = [timed(pieces, folder / f"out-{n}", n) for n in PROCESSES]
        one, two = folder / f"out-{PROCESSES[0]}", folder / f"out-{PROCESSES[-1]}"
        same = all(_text(one, piece) == _text(two, piece) for piece in pieces)
        records = len(list(two.glob("*.record.jsonl")))
    table = [["processes", "seconds", "processor s", "recordings a minute", "peak MB early", "peak MB at the end"]]
    for n, took in zip(PROCESSES, runs, strict=True):
        cells = (took.seconds, took.processor_s, 60 * number / took.seconds, took.early_mb, took.late_mb)
        table.append([str(n), *(f"{cell:.1f}" for cell in cells)])
    figures: dict[str, Any] = {
        "recordings": number,
        "speedup": round(runs[0].seconds / runs[-1].seconds, 2),
        "seconds_one": round(runs[0].seconds, 1),
        "seconds_two": round(runs[-1].seconds, 1),
        "processor_s_one": round(runs[0].processor_s, 1),
        "processor_s_two": round(runs[-1].processor_s, 1),
        "busy_one": round(runs[0].processor_s / runs[0].seconds, 2),
        "peak_mb_early": round(max(took.early_mb for took in runs)),
        "peak_mb_late": round(max(took.late_mb for took in runs)),
        "records": records,
        "same_records": same,
        "load_before": round(runs[0].load, 2),
        "load_between": round(runs[-1].load, 2),
    }
    notes = [
        f"pieces of {PIECE_S:g} s; early: after a tenth of the recordings",
        "busy_one: processors that one process kept busy, decoding threads included: what limits the gain on few cores",
    ]
    return BenchResult("many", "staged", number, figures, table, notes)


@dataclass(slots=True)
class Timed:
    """One run over all recordings."""

    seconds: float
    processor_s: float
    """Of this process and all its children, seconds."""
    early_mb: float
    late_mb: float
    load: float
    """Load of the machine over the minute before."""
    fates: dict[str, int] = field(default_factory=dict)


def timed(recordings: Sequence[Path], out: Path, processes: int) -> Timed:
    """Judge recordings over so many processes and watch clock and memory."""
    from referee.judge import Request  # noqa: PLC0415  loads eye and ear
    from referee.many.pool import Pool  # noqa: PLC0415
    from referee.many.run import crashed  # noqa: PLC0415
    from referee.many.work import Job, judge_one  # noqa: PLC0415

    jobs = [Job(Request(recording=path, languages=("en", "de", "es")), out) for path in recordings]
    load, begin, used = _load(), time.monotonic(), _processor_s()
    outcomes = [outcome for _, outcome in Pool(jobs, judge_one, crashed, processes).run()]
    seconds, tenth = time.monotonic() - begin, max(1, len(outcomes) // 10)
    fates: dict[str, int] = {}
    for outcome in outcomes:
        fates[outcome.fate.value] = fates.get(outcome.fate.value, 0) + 1
    early = max(outcome.peak_mb for outcome in outcomes[:tenth])
    late = max(outcome.peak_mb for outcome in outcomes)
    return Timed(seconds, _processor_s() - used, early, late, load, fates)


def _load() -> float:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _processor_s() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _pieces(data: Path | None, folder: Path, number: int) -> list[Path]:
    """Short recordings with names of their own: pieces of all staged games, repeated as links to the same files."""
    games = recordings(data)
    out: list[Path] = []
    for k in range(number):
        piece = folder / f"table-{k + 1:03d}.mkv"
        if k < len(games):
            cut(games[k], piece, PIECE_S)
        else:
            piece.hardlink_to(out[k % len(games)])
        out.append(piece)
    return out


def recordings(data: Path | None) -> list[Path]:
    """The staged games of a folder, or the committed ones, in which players call."""
    games = staged(data or Path(__file__).parents[2] / "fixtures" / "games")
    return [game.path for game in games if game.header.get("game", "rock") == "rock"]


def cut(source: Path, target: Path, end_s: float) -> Path:
    """The beginning of a recording, as it is: nothing is encoded anew."""
    with av.open(str(source)) as given, av.open(str(target), "w") as out:
        streams = [s for s in given.streams if s.type in ("video", "audio")]
        copies = {s.index: out.add_stream_from_template(s) for s in streams}
        for packet in given.demux(streams):
            if packet.dts is None or packet.pts is None or packet.pts * packet.time_base > end_s:
                continue
            packet.stream = copies[packet.stream.index]
            out.mux(packet)
    return target


def _text(out: Path, piece: Path) -> list[str]:
    """A record without the place where its recording lay."""
    path = out / f"{piece.stem}.record.jsonl"
    if not path.exists():
        return []
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    header = json.loads(head)
    header["recording"].pop("path", None)
    return [json.dumps(header), *lines]
