"""Two sources, any speed, one order."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.events import Event, SeenTo, TableNotice
from referee.merge import Merger, in_order, merge


def notice(t, code="moved"):
    return TableNotice(time_s=t, code=code)


def only_events(items):
    return [i for i in items if isinstance(i, Event)]


def test_an_event_waits_until_the_other_side_has_seen_past_it():
    merger = Merger(2)
    merger.give(0, notice(1.0))
    merger.give(0, SeenTo(time_s=5.0))
    assert list(merger.ready()) == []
    merger.give(1, SeenTo(time_s=0.9))
    assert list(merger.ready()) == []
    merger.give(1, SeenTo(time_s=1.5))
    assert [e.time_s for e in merger.ready()] == [1.0]


def test_a_promise_never_moves_backwards():
    merger = Merger(1)
    merger.give(0, SeenTo(time_s=3.0))
    merger.give(0, SeenTo(time_s=1.0))
    assert merger.seen_to == 3.0


def test_the_order_is_the_same_whichever_source_is_slow():
    def source(times, pause, code):
        for t in times:
            time.sleep(pause)
            yield notice(t, code)
            yield SeenTo(time_s=t)

    left, right = [0.1, 0.4, 0.5, 0.9], [0.2, 0.4, 0.8]
    one = only_events(merge(source(left, 0.004, "a"), source(right, 0.0, "b")))
    two = only_events(merge(source(left, 0.0, "a"), source(right, 0.004, "b")))
    assert [(e.time_s, e.code) for e in one] == [(e.time_s, e.code) for e in two]
    assert [e.time_s for e in one] == sorted(left + right)


def test_a_failing_source_raises_after_what_came_before():
    def bad():
        yield notice(1.0)
        yield SeenTo(time_s=2.0)
        raise ValueError("torn")

    def good():
        yield notice(0.5)
        yield SeenTo(time_s=10.0)

    got = []
    with pytest.raises(ValueError, match="torn"):
        got.extend(merge(bad(), good()))
    assert [e.time_s for e in only_events(got)] == [0.5, 1.0]


def test_nothing_later_than_a_failure_passes():
    def bad():
        yield SeenTo(time_s=2.0)
        raise ValueError("torn")

    def good():
        for t in (1.0, 3.0):
            yield notice(t)
        yield SeenTo(time_s=10.0)

    got = []
    with pytest.raises(ValueError, match="torn"):
        got.extend(merge(bad(), good()))
    assert [e.time_s for e in only_events(got)] == [1.0]


def test_a_reader_that_stops_early_ends_the_threads():
    def endless():
        t = 0.0
        while True:
            t += 0.01
            yield notice(t)
            yield SeenTo(time_s=t)

    stream = merge(endless(), endless())
    first = next(i for i in stream if isinstance(i, Event))
    stream.close()
    assert first.time_s == pytest.approx(0.01)


@given(st.lists(st.lists(st.floats(0, 100), max_size=20), min_size=1, max_size=4))
def test_complete_sources_come_out_sorted_and_whole(lists):
    out = in_order([[notice(t) for t in times] for times in lists])
    assert [e.time_s for e in out] == sorted(t for times in lists for t in times)
