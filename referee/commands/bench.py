"""`referee bench NAME`: measure, and print what was measured."""

from __future__ import annotations

import importlib
import json
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.bench import BenchResult

BENCHES = {
    "games": "whole staged games, judged and compared with their truth",
    "voice": "calls, false calls, onsets and who, on real voices",
    "words": "words taught by people: held-out sayings heard, false calls",
    "cards": "cards in real photos: found, read, seats",
    "decks": "decks of people's own: learned from photographs, read in others",
    "rules": "rulings a second, over simulated games of every rule set",
    "many": "many recordings over one process and over two: time, memory",
    "live": "when a live table knows, on the stream's clock; --minutes, --tables: streamed to a server in real time",
    "crash": "judging killed at random moments: nothing lost, the next run goes on",
    "report": "the report of a 60-card game: time to write, size, time to open",
    "speed": "judging against real time, first result, memory",
}

DRAW = frozenset({"voice", "cards", "report"})
"""Benches that leave pictures or files to look at."""


def machine() -> str:
    """The machine in words: processor, cores that this process may use, memory, Python."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        name = lines[0].partition(":")[2].strip() if lines else name
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name}, {cores} cores, {platform.system()}, Python {platform.python_version()}"


def show(result: BenchResult) -> None:
    """The table, the figures and what belongs to them, for people."""
    from rich.console import Console  # noqa: PLC0415  only needed when printing
    from rich.table import Table  # noqa: PLC0415

    console = Console()
    if result.table:
        table = Table(*result.table[0])
        for row in result.table[1:]:
            table.add_row(*row)
        console.print(table)
    for name, value in result.figures.items():
        console.print(f"{name:32} {value:.4g}" if isinstance(value, float) else f"{name:32} {value}", highlight=False)
    for note in result.notes:
        console.print(note, highlight=False)
    console.print(f"{result.bench}: {result.cases} cases, {result.material} material, on {machine()}", highlight=False)


@click.command("bench", epilog="Benches: " + "; ".join(f"{k}: {v}" for k, v in BENCHES.items()) + ".")
@click.argument("name", type=click.Choice(list(BENCHES)))
@click.option(
    "--data", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Measure this material instead."
)
@click.option("--seed", type=int, default=0, show_default=True, help="First seed of what is staged or simulated.")
@click.option(
    "--count", type=click.IntRange(min=0), help="How many cases are staged or simulated; voice: 0 for words alone."
)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the pictures that a bench draws."
)
@click.option("--minutes", type=click.FloatRange(min=0.5), help="live: stream to a server for so long in real time.")
@click.option("--tables", type=click.IntRange(1, 8), help="live: so many tables at once, in real time.")
@click.option("--speed", type=click.FloatRange(0.1, 20), help="live: of such a stream, against real time.")
@click.option(
    "--hours",
    type=click.FloatRange(min=0.001),
    help="live: stream so much as fast as the machine takes it, for --minutes of its time at the most.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output, nothing else there.")
def command(
    *,
    name: str,
    data: Path | None,
    seed: int,
    count: int | None,
    out: Path | None,
    minutes: float | None,
    tables: int | None,
    speed: float | None,
    hours: float | None,
    as_json: bool,
) -> int:
    """Measure the referee and print a table of figures."""
    asked = {"minutes": minutes, "tables": tables, "speed": speed, "hours": hours}
    streamed = {k: v for k, v in asked.items() if v is not None}
    if streamed and name != "live":
        raise UsageError(f"--{next(iter(streamed))} belongs to the bench live")
    try:
        bench = importlib.import_module(f"referee.bench.{name}")
    except ModuleNotFoundError as error:
        raise UsageError(
            f"bench {name} needs the package {error.name}, which is not installed: run ./ref test once"
        ) from error
    drawn = {"out": out} if out and name in DRAW else {}
    result: BenchResult = bench.run(data=data, count=count, seed=seed, **drawn, **streamed)
    if as_json:
        fields = {"bench": result.bench, "material": result.material, "cases": result.cases, "machine": machine()}
        click.echo(json.dumps({**fields, "figures": result.figures, "notes": result.notes}))
    else:
        show(result)
    return 0
