"""Jobs spread over processes of this computer. A process that dies takes one job with it, never the others.

The standard library's pool is broken for good when one of its processes is killed, and does not say which job killed
it; a decoder that a bad file crashes is just what must be survived here.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from multiprocessing.process import BaseProcess

Job = TypeVar("Job")
Outcome = TypeVar("Outcome")

SERVES = 20
"""Recordings that a process judges before a fresh one takes its place: whatever it may have kept is let go of."""
TRIES = 2
"""A job whose process died is given to a fresh one once more: the process may have been killed for another's sake."""


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(slots=True)
class _Worker:
    """A process and what it is doing."""

    process: BaseProcess
    pipe: Connection
    job: int | None = None
    done: int = 0
    """Jobs so far."""


@dataclass(slots=True)
class Pool(Generic[Job, Outcome]):
    """Runs jobs, each in one of several processes that live until all is done. Jobs and outcomes are pickled."""

    jobs: Sequence[Job]
    work: Callable[[Job, Callable[[float], None]], Outcome]
    """Does one job, and may tell the share that is done; its outcome is no plain number."""
    crashed: Callable[[Job, str], Outcome]
    """What to say of a job whose processes died; told why."""
    processes: int
    tell: Callable[[int, float], None] = lambda _job, _share: None
    """Told (number of the job, share done) now and then, and 0 when it begins."""
    _waiting: deque[int] = field(init=False)
    _tries: dict[int, int] = field(default_factory=dict)
    _workers: list[_Worker] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._waiting = deque(range(len(self.jobs)))

    def run(self) -> Generator[tuple[int, Outcome]]:
        """Number and outcome of every job, as they are done. Closing it ends the processes at once."""
        left = len(self.jobs)
        # Each decoder thread takes memory of its own from glibc, which keeps it: 20 MB a recording, without this.
        os.environ.setdefault("MALLOC_ARENA_MAX", "2")  # measured: referee bench many
        try:
            while left:
                self._staff()
                for worker, message in self._heard():
                    done = self._take(worker, message)
                    if done is not None:
                        left -= 1
                        yield done
        finally:
            self._dismiss()

    def _staff(self) -> None:
        """Give every waiting job a process, as far as there may be so many."""
        while self._waiting and sum(w.job is not None for w in self._workers) < self.processes:
            idle = next((w for w in self._workers if w.job is None), None)
            worker = idle or self._hire()
            number = self._waiting.popleft()
            self._tries[number] = self._tries.get(number, 0) + 1
            worker.job = number
            self.tell(number, 0.0)
            try:
                worker.pipe.send(self.jobs[number])
            except OSError:  # it has died since; its end is heard like any other
                continue

    def _hire(self) -> _Worker:
        context = multiprocessing.get_context("spawn")  # a fork would copy decoders' threads in the midst of their work
        mine, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, self.work), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, mine)
        self._workers.append(worker)
        return worker

    def _heard(self) -> Iterator[tuple[_Worker, Any]]:
        """What each process says; None from one that has died."""
        ready = set(wait([worker.pipe for worker in self._workers]))
        for worker in [w for w in self._workers if w.pipe in ready]:
            try:
                yield worker, worker.pipe.recv()
            except (EOFError, OSError):
                yield worker, None

    def _take(self, worker: _Worker, message: Any) -> tuple[int, Outcome] | None:
        number = worker.job
        if message is None:
            return self._bury(worker)
        if number is None:
            return None
        if isinstance(message, float):
            self.tell(number, message)
            return None
        worker.job = None
        worker.done += 1
        if worker.done >= SERVES:
            worker.pipe.close()  # it ends when it reads that nobody is there
            worker.process.join()
            self._workers.remove(worker)
        return number, message

    def _bury(self, worker: _Worker) -> tuple[int, Outcome] | None:
        worker.process.join()
        worker.pipe.close()
        self._workers.remove(worker)
        number = worker.job
        if number is None:
            return None
        if self._tries[number] < TRIES:
            self._waiting.appendleft(number)
            return None
        return number, self.crashed(self.jobs[number], _ending(worker.process.exitcode))

    def _dismiss(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()
        self._workers.clear()


def _ending(code: int | None) -> str:
    """How a process ended, in words."""
    if code is not None and code < 0:
        try:
            return f"its process was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"its process was ended by signal {-code}"
    return f"its process ended with status {code}"


def _serve(pipe: Connection, work: Callable[[Any, Callable[[float], None]], Any]) -> None:
    """What a process does: jobs, one after the other, until nobody gives it any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that hands out the jobs
    while True:
        try:
            job = pipe.recv()
            pipe.send(work(job, pipe.send))
        except (EOFError, OSError):  # nobody is there any more
            return
