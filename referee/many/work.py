"""One recording of many: judged, found judged before, or told why not. Runs in a process of its own."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from referee import arithmetic
from referee.errors import BusyError, DamagedError, RefereeError
from referee.record import read_record
from referee.resume import State, find, open_record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from models import CallModel
    from referee.judge import Request

_OPENED: dict[tuple[object, ...], CallModel] = {}
"""The call model of this process, by what it listens for."""
TELL_S = 0.25
"""How often progress is told, seconds."""


@dataclass(frozen=True, slots=True)
class Job:
    """A recording to be judged."""

    request: Request
    out: Path
    patience_s: float = 0.0
    """How long to wait for another process that is judging the same recording, seconds."""


class Fate(StrEnum):
    """What became of a recording."""

    JUDGED = "judged"
    BEFORE = "judged before"
    FAILED = "failed"
    BUSY = "elsewhere"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a recording, and what its record says."""

    recording: Path
    fate: Fate
    record: Path | None = None
    rounds: int = 0
    reviews: int = 0
    piles: tuple[tuple[str, int], ...] = ()
    seconds: float = 0.0
    """That judging took."""
    message: str = ""
    """Why it could not be judged, or not to its end."""
    status: int = 0
    """Exit status, as for one recording."""
    peak_mb: float = 0.0
    """Most memory that the process had ever taken when this was done; 0 where the system does not say."""


def judge_one(job: Job, tell: Callable[[float], None] | None = None) -> Outcome:
    """Judge a recording unless its record is finished; go on with one that is not.

    Args:
        job: what, and where the record goes.
        tell: told the share that is judged, 0 to 1, now and then.
    """
    start = time.monotonic()
    end = start + job.patience_s
    while True:
        try:
            outcome = _judged(job, tell or (lambda _: None))
        except BusyError as error:
            if time.monotonic() < end:
                continue  # each try waits a while for the lock
            outcome = Outcome(job.request.recording, Fate.BUSY, message=str(error), status=error.exit_status)
        except RefereeError as error:
            outcome = Outcome(job.request.recording, Fate.FAILED, message=str(error), status=error.exit_status)
        except Exception as error:  # noqa: BLE001  one recording's fault must not end a tournament
            words = f"a fault in this program ({type(error).__name__}: {error})"
            outcome = Outcome(job.request.recording, Fate.FAILED, message=words, status=70)
        return replace(outcome, seconds=time.monotonic() - start, peak_mb=peak_mb())


def _judged(job: Job, tell: Callable[[float], None]) -> Outcome:
    arithmetic.one_thread()  # as on the command line; a worker of a cluster was started otherwise
    from referee.judge import Judging, judge  # noqa: PLC0415  loads eye and ear

    recording = job.request.recording
    if recording.suffix == ".jsonl":
        return _typed(job)
    # The other cores have recordings of their own.
    judging = Judging(job.request, threads=False, opening=kept_model)
    place = find(job.out, recording.stem, judging.header)
    if place.state is State.FINISHED:
        return outcome_of(recording, place.path, Fate.BEFORE)
    damage, told = "", 0.0
    with open_record(job.out, recording.stem, judging.header) as record:
        try:
            for step in judge(judging, record):
                now, at = time.monotonic(), getattr(step, "time_s", 0.0)
                if now - told > TELL_S and judging.duration_s:
                    tell(min(1.0, at / judging.duration_s))
                    told = now
        except DamagedError as error:
            damage = str(error)
    outcome = outcome_of(recording, record.path, Fate.JUDGED)
    return replace(outcome, message=damage, status=DamagedError.exit_status) if damage else outcome


def kept_model(request: Request) -> CallModel:
    """The call model, opened once for all recordings of a process that listen for the same."""
    from referee.judge import call_model  # noqa: PLC0415  loads eye and ear

    wanted = (request.spoken, request.model, request.words)
    if wanted not in _OPENED:
        _OPENED.clear()
        _OPENED[wanted] = call_model(request)
    return _OPENED[wanted]


def _typed(job: Job) -> Outcome:
    """A game that was typed is ruled in a moment, so it is not looked up first."""
    from referee.replay import keep_typed  # noqa: PLC0415  only for these

    record, _ = keep_typed(job.request.recording, job.out, job.request.options)
    return outcome_of(job.request.recording, record, Fate.JUDGED)


def outcome_of(recording: Path, path: Path, fate: Fate) -> Outcome:
    """What a finished record says, the same now as when it was judged."""
    record = read_record(path)
    lines = {line["round"]: line for line in record.rulings}
    lines = {n: line for n, line in lines.items() if line.get("outcome") != "withdrawn"}
    reviews = sum(bool(line.get("review")) for line in lines.values())
    result: Any = record.result or {}
    damage = next((reason for event in record.events[-1:] if (reason := getattr(event, "reason", ""))), "")
    return Outcome(
        recording,
        fate,
        path,
        rounds=len(lines),
        reviews=reviews,
        piles=tuple((str(seat), int(n)) for seat, n in (result.get("piles") or {}).items()),
        message=damage,
        status=DamagedError.exit_status if damage else int(reviews > 0),
    )


def peak_mb() -> float:
    """Most memory that this process has ever taken, megabytes; 0 where the system does not say."""
    try:
        import resource  # noqa: PLC0415  not on Windows
    except ModuleNotFoundError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
