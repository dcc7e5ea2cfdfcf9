"""A source in a process of its own gives what it gives here, errors and all, and ends when it is let go."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time

import pytest

from referee.apart import Apart
from referee.errors import DamagedError, InputError
from referee.events import SeenTo


def promises(count, at_s=None):
    for k in range(count):
        yield SeenTo(time_s=float(k))
    if at_s is not None:
        raise DamagedError(f"it breaks off at {at_s} s", at_s=at_s)


def dies():
    yield SeenTo(time_s=0.0)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(10)


def endless():
    k = 0
    while True:
        yield SeenTo(time_s=float(k))
        k += 1


def test_everything_comes_in_order():
    assert [k.time_s for k in Apart(promises, 100)] == [float(k) for k in range(100)]


def test_an_error_comes_after_what_came_before_it():
    seen = []
    with pytest.raises(DamagedError, match=r"breaks off at 2\.5 s") as damaged:
        seen.extend(Apart(promises, 3, 2.5))
    assert damaged.value.at_s == 2.5


def test_a_source_that_dies_is_said():
    source = Apart(dies)
    next(source)
    with pytest.raises(InputError, match="stopped unasked"):
        list(source)


def started_by(make):
    """The source, and the one process that it started: other tests of the same worker may have theirs."""
    before = set(multiprocessing.active_children())
    source = Apart(make)
    (process,) = set(multiprocessing.active_children()) - before
    return source, process


def test_letting_it_go_ends_the_other_process():
    source, process = started_by(endless)
    next(source)
    assert process.is_alive()
    source.close()
    assert not process.is_alive()


def test_forgetting_it_ends_the_other_process():
    source, process = started_by(endless)
    assert process.is_alive()
    del source
    assert not process.is_alive()
