"""How a tournament's recordings went: progress while they are judged, a table afterwards."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Self

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from referee.many.work import Fate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.many.work import Outcome

COULD_NOT = {Fate.FAILED: "could not be judged", Fate.CRASHED: "could not be judged", Fate.BUSY: "judged elsewhere"}


class Board:
    """All recordings in one bar, each that is being judged in one of its own; on a terminal only."""

    def __init__(self, recordings: Sequence[Path], *, show: bool) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._recordings = recordings
        self._progress = Progress(*columns, console=console, transient=True, disable=not (show and console.is_terminal))
        self._all = self._progress.add_task("recordings", total=len(recordings))
        self._bars: dict[int, TaskID] = {}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def tell(self, number: int, share: float) -> None:
        """A recording has been judged so far, 0 to 1."""
        if number not in self._bars:
            self._bars[number] = self._progress.add_task(self._recordings[number].name, total=100)
        self._progress.update(self._bars[number], completed=round(100 * share))

    def done(self, number: int) -> None:
        """A recording is done."""
        if number in self._bars:
            self._progress.remove_task(self._bars.pop(number))
        self._progress.advance(self._all)


def table(outcomes: Sequence[Outcome]) -> Table:
    """One row a recording."""
    out = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    out.add_column("recording")
    out.add_column("rounds", justify="right", no_wrap=True)
    out.add_column("to review", justify="right", no_wrap=True)
    out.add_column("score")
    out.add_column("record, or what is wrong")
    for one in outcomes:
        score = ", ".join(f"{seat} {n}" for seat, n in one.piles)
        counts = (str(one.rounds), str(one.reviews or "")) if one.record else ("", "")
        out.add_row(Text(one.recording.name), *counts, Text(score), _last(one))
    return out


def _last(one: Outcome) -> Text:
    if one.record is None:
        return Text(one.message, style="red")
    words = Text(one.record.name)
    return words.append(f"; {one.message}", style="yellow") if one.message else words


def totals(outcomes: Sequence[Outcome], seconds: float) -> str:
    """All recordings in one line."""
    fates = Counter(COULD_NOT.get(one.fate, one.fate.value) for one in outcomes)
    counted = ", ".join(f"{n} {fate}" for fate, n in fates.items())
    rounds, reviews = sum(one.rounds for one in outcomes), sum(one.reviews for one in outcomes)
    word = "recording" if len(outcomes) == 1 else "recordings"
    return f"{len(outcomes)} {word}: {counted}; {rounds} rounds, {reviews} to review; {seconds:.0f} s"
