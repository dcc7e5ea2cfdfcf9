"""Pictures made ready ahead: in order, errors after what came before, and no thread left behind."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from vision.ahead import ahead

if TYPE_CHECKING:
    from collections.abc import Iterator


def _numbers(count: int, breaks: bool = False) -> Iterator[int]:
    yield from range(count)
    if breaks:
        raise ValueError("it breaks off")


def test_everything_comes_in_order_and_was_prepared() -> None:
    prepared: list[int] = []
    for number in ahead(_numbers(50), prepared.append):
        assert number in prepared
    assert prepared == list(range(50))


def test_an_error_comes_after_everything_before_it() -> None:
    seen: list[int] = []
    with pytest.raises(ValueError, match="breaks off"):
        seen.extend(ahead(_numbers(20, breaks=True), lambda _: None))
    assert seen == list(range(20))


def test_no_more_is_held_than_was_said() -> None:
    prepared: list[int] = []
    source = ahead(_numbers(100), prepared.append, 3)
    assert next(source) == 0
    time.sleep(0.3)
    assert len(prepared) <= 5  # one taken, three that wait, one that waits for room
    source.close()


def test_letting_go_ends_the_thread() -> None:
    before = threading.active_count()
    source = ahead(_numbers(10**9), lambda _: None)
    assert next(source) == 0
    source.close()
    assert threading.active_count() == before
