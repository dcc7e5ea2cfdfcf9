"""Judges many recordings, here or on a cluster, shows progress, and sums up."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from referee.many import cluster as dask
from referee.many.pool import Pool, cores
from referee.many.summary import Board, table, totals
from referee.many.work import Fate, Job, Outcome, judge_one

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.judge import Request


def judge_all(
    requests: Sequence[Request],
    out: Path,
    *,
    processes: int | None = None,
    cluster: str | None = None,
    show: bool = True,
) -> tuple[list[Outcome], int]:
    """Judge recordings side by side; those whose record is finished are left as they are.

    Args:
        requests: one for each recording.
        out: folder of the records.
        processes: how many at once on this computer; None for one a core.
        cluster: address of a Dask scheduler; then nothing is judged here.
        show: whether progress and a table are shown.

    Returns:
        What became of each, in the order of the requests, and the exit status of all.

    Raises:
        UsageError: the folder cannot be made, or the cluster cannot be used.
        KeyboardInterrupt: after it was said what is done.
    """
    start = time.monotonic()
    patience_s = dask.PATIENCE_S if cluster else 0.0
    where = out.resolve() if cluster else out
    jobs = [Job(_absolute(r) if cluster else r, where, patience_s) for r in requests]
    done: dict[int, Outcome] = {}
    with Board([r.recording for r in requests], show=show) as board:
        work = _spread(jobs, board, processes, cluster)
        try:
            with closing(work):
                for number, outcome in work:
                    done[number] = outcome
                    board.done(number)
        except KeyboardInterrupt:
            board.__exit__()
            left = len(jobs) - len(done)
            click.echo(f"referee: {len(done)} recordings are done, {left} are left; the same command goes on", err=True)
            raise
    outcomes = [done[number] for number in sorted(done)]
    _tell(outcomes, time.monotonic() - start, show=show)
    return outcomes, max(one.status for one in outcomes)


def _spread(jobs: Sequence[Job], board: Board, processes: int | None, cluster: str | None) -> Any:
    if cluster:
        return dask.run(jobs, judge_one, crashed, cluster)
    return Pool(jobs, judge_one, crashed, min(processes or cores(), len(jobs)), board.tell).run()


def _absolute(request: Request) -> Request:
    """The same with paths that hold on every computer which sees the same folders."""
    from dataclasses import replace  # noqa: PLC0415  only for clusters

    model = request.model.resolve() if request.model else None
    return replace(request, recording=request.recording.resolve(), model=model)


def crashed(job: Job, why: str) -> Outcome:
    """What is said of a recording on which processes died."""
    name = job.request.recording
    message = f"{name} could not be judged: {why}; what was judged before is in its record"
    return Outcome(name, Fate.CRASHED, message=message, status=3)


def _tell(outcomes: Sequence[Outcome], seconds: float, *, show: bool) -> None:
    for one in outcomes:
        if one.message and one.fate is not Fate.BEFORE:
            click.echo(f"referee: {one.message}", err=True)
    if show:
        from rich.console import Console  # noqa: PLC0415  only then

        Console().print(table(outcomes))
        click.echo(totals(outcomes, seconds))
