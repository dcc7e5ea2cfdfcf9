"""How fast a recording is judged, as people run it: one process, from the command line, on a real file."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from referee.bench import BenchResult
from referee.bench.games import game_options, recordings
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

OPEN_MODEL = (
    "import time, models; t = time.perf_counter(); models.open_call_model(('en',)).vosk; print(time.perf_counter() - t)"
)


@dataclass(frozen=True, slots=True)
class Timed:
    """One run of `referee judge`."""

    seconds: float
    first_result_s: float
    peak_mb: float


def timed_judge(recording: Path, options: Sequence[str]) -> Timed:
    """Judge a recording in a process of its own and watch the clock.

    Raises:
        UsageError: the recording could not be judged; the message is the command's own.
    """
    with tempfile.TemporaryDirectory() as out:
        words = [sys.executable, "-m", "referee.bench.speed", "judge", str(recording), "--json", "--out", out, *options]
        begin = time.perf_counter()
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603  our own command
        assert process.stdout is not None  # noqa: S101  a pipe was asked for
        first = None
        for _ in process.stdout:
            first = first or time.perf_counter() - begin
        errors = process.communicate()[1].strip().splitlines()
        seconds = time.perf_counter() - begin
    if process.returncode not in (0, 1) or first is None:
        raise UsageError(f"{recording} could not be judged: {errors[0] if errors else 'no output'}")
    return Timed(seconds, first, float(errors[-1]) / 1024)


def model_open_s() -> float:
    """Seconds to open the call model, built before, in a fresh process; the best of three."""
    words = [sys.executable, "-c", OPEN_MODEL]
    runs = [subprocess.run(words, capture_output=True, text=True, check=True) for _ in range(4)]  # noqa: S603  our own command
    return min(float(run.stdout.split()[-1]) for run in runs[1:])


def run(*, data: Path | None = None, count: int | None = None, seed: int = 0) -> BenchResult:  # noqa: ARG001  every bench has these
    """Judge each recording of a folder (by default the committed games) and report ratios to real time.

    Peak memory and first result are the worst of all; the ratio is over all recordings together.
    """
    games = recordings(data or Path(__file__).parents[2] / "fixtures" / "games")[:count]
    table = [["recording", "seconds", "judged in s", "x real time", "first result s", "peak MB"]]
    runs = []
    for game in games:
        length = game.seconds
        timed = timed_judge(game.path, game_options(game))
        runs.append((length, timed))
        cells = [length, timed.seconds, length / timed.seconds, timed.first_result_s, timed.peak_mb]
        table.append([game.path.name, *(f"{cell:.1f}" for cell in cells)])
    figures = {
        "judge_realtime_x": round(sum(n for n, _ in runs) / sum(t.seconds for _, t in runs), 2),
        "first_result_s": round(max(t.first_result_s for _, t in runs), 2),
        "model_open_s": round(model_open_s(), 3),
        "peak_mb": round(max(t.peak_mb for _, t in runs)),
    }
    return BenchResult("speed", "staged", len(runs), figures, table)


def main() -> None:
    """Run the command line in this process and say peak memory (KiB) on the last line of standard error.

    It is this process's peak and that of the largest other one, the eye's, added up, whether or not they coincided.
    """
    import resource  # noqa: PLC0415  not on Windows, where this bench cannot run

    from referee.cli import run as command_line  # noqa: PLC0415  the command line imports the benches

    status = command_line(sys.argv[1:])
    peaks = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    sys.stderr.write(f"{sum(peaks)}\n")
    sys.exit(status)


if __name__ == "__main__":
    main()
