"""What is made in a thread is waited for where it is used."""

from __future__ import annotations

import threading

import pytest

from models.later import Later, Made


def test_it_begins_at_once_and_is_waited_for() -> None:
    go, began = threading.Event(), threading.Event()

    def make() -> str:
        began.set()
        go.wait(10)
        return "made"

    later = Later(make)
    assert began.wait(10)
    go.set()
    assert later.get() == "made"
    assert later.get() == "made"


def test_an_error_is_raised_each_time_it_is_asked_for() -> None:
    def fails() -> str:
        raise ValueError("no such thing")

    later = Later(fails)
    for _ in range(2):
        with pytest.raises(ValueError, match="no such thing"):
            later.get()


def test_what_is_there_is_given() -> None:
    assert Made(3).get() == 3
