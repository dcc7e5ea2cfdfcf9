"""The lines of a record come in one order, however fast eye and ear were: what is cut short can be gone on with."""

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import PROFILE, plausible_rounds

from referee.events import SeenTo
from referee.match import Match
from referee.merge import merge
from referee.pipeline import Seated, rule
from referee.record import dump, entry_to_json
from referee.ruling import Ruling
from referee.turns import by_turns


def lines(stream):
    """The record's lines that a merged stream gives."""
    steps = rule(
        stream,
        seats=("north", "south"),
        players=None,
        begin=lambda seats: Match(seats=seats),
        place=lambda call, _: call,
    )
    kept = (step for step in steps if not isinstance(step, SeenTo | Seated))
    return [dump(step.to_json() if isinstance(step, Ruling) else entry_to_json(step)) for step in kept]


@PROFILE
@given(plausible_rounds(), st.data())
def test_promises_between_events_change_no_line_and_no_order(events, data):
    stream = []
    for event in events:
        backs = sorted(data.draw(st.lists(st.floats(0, 4), max_size=2)), reverse=True)
        stream += [*(SeenTo(time_s=max(0.0, event.time_s - back)) for back in backs), event]
    assert lines(stream) == lines(events)


def sources(events, steps_s):
    """Cards by one source and all else by the other, each with promises in steps of its own."""
    sides = [[e for e in events if "card" in type(e).__name__.lower()]]
    sides.append([e for e in events if e not in sides[0]])
    for side, step_s in zip(sides, steps_s, strict=True):
        yield promised(side, step_s, events[-1].time_s)


def promised(events, step_s, end_s):
    now = 0.0
    waiting = list(events)
    while now <= end_s + step_s:
        now += step_s
        while waiting and waiting[0].time_s < now:
            yield waiting.pop(0)
        yield SeenTo(time_s=now)


@settings(PROFILE, max_examples=PROFILE.max_examples // 4)  # each starts threads four times
@given(plausible_rounds(), st.sampled_from([0.03, 0.4, 2.0]), st.sampled_from([0.05, 0.5, 3.0]))
def test_sources_by_turns_give_what_threads_give(events, eye_s, ear_s):
    turns = lines(by_turns(*sources(events, (eye_s, ear_s))))
    assert turns == lines(merge(*sources(events, (eye_s, ear_s))))
    assert turns == lines(by_turns(*sources(events, (0.1, 0.1))))


def test_how_far_the_recording_went_is_the_same_whichever_source_ends_first():
    def until(end_s, pause_s=0.0):
        for now in range(round(end_s * 10)):
            yield SeenTo(time_s=now / 10)
        time.sleep(pause_s)
        yield SeenTo(time_s=end_s)

    ends = [list(merge(until(2.0, a), until(2.3, b)))[-1].time_s for a, b in ((0.0, 0.1), (0.1, 0.0))]
    assert [*ends, list(by_turns(until(2.0), until(2.3)))[-1].time_s] == [2.3, 2.3, 2.3]


def test_a_source_that_fails_ends_the_other_where_it_failed():
    def failing():
        yield SeenTo(time_s=2.0)
        raise ValueError("broken")

    def endless(closed):
        try:
            now = 0.0
            while True:
                now += 0.5
                yield SeenTo(time_s=now)
        finally:
            closed.append(now)

    seen, closed = [], []
    with pytest.raises(ValueError, match="broken"):
        seen.extend(item.time_s for item in by_turns(failing(), endless(closed)))
    assert seen[-1] == 2.0
    assert 2.0 <= closed[0] <= 2.5


def test_by_turns_starts_no_thread():
    before = threading.active_count()
    names = []

    def watched():
        names.append(threading.current_thread().name)
        time.sleep(0)
        yield SeenTo(time_s=1.0)

    assert [item.time_s for item in by_turns(watched(), watched())] == [1.0]
    assert names == [threading.current_thread().name] * 2
    assert threading.active_count() == before
