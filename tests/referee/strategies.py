"""Hypothesis strategies: events as they may come from eye, ear and people, sensible and absurd.

The nightly profile looks at 10,000 examples:
`HYPOTHESIS_PROFILE=nightly python -m pytest tests/referee/test_match_properties.py`.
"""

from __future__ import annotations

import os
from dataclasses import replace

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from referee.events import (
    NOT_UNDERSTOOD,
    SAME_SOUND,
    UNSURE,
    BlotRemoved,
    BlotReplaced,
    CallHeard,
    CardsGone,
    CardShown,
    CardTouched,
    Correction,
    Dealt,
    DieShown,
    HandDrawn,
    QuestionRead,
    RecordingEnded,
    Reshuffled,
    SeatChanged,
    TableNotice,
    Type,
)

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("rules", max_examples=200, **COMMON)
settings.register_profile("nightly", max_examples=10_000, **COMMON)
PROFILE = settings.get_profile(os.environ.get("HYPOTHESIS_PROFILE", "rules"))

PLACES = ("north", "east", "south", "west", "moon")
seats = st.sampled_from(PLACES)
maybe_seat = st.one_of(st.none(), seats)
maybe_type = st.one_of(st.none(), st.sampled_from(Type))
shares = st.sampled_from([0.0, 0.2, 0.5, 0.9, 0.97, 1.0])
sigmas = st.sampled_from([0.0, 1.0, 6.0, 17.0, 200.0])
times = st.one_of(
    st.integers(0, 400).map(lambda n: n / 10),
    st.integers(0, 20).map(lambda n: 5.0 * n),
    st.floats(0, 1e6, allow_nan=False),
)
cards = st.integers(1, 12)
chances = st.one_of(
    st.just({}),
    seats.map(lambda seat: {seat: 1.0}),
    st.tuples(seats, seats).map(lambda two: {two[0]: 0.5, two[1]: 0.5}),
)
text = st.text(max_size=12)

shown = st.builds(
    CardShown,
    time_s=times,
    sigma_ms=sigmas,
    seat=maybe_seat,
    card=cards,
    type=maybe_type,
    confidence=shares,
    reason=text,
)
calls = st.builds(
    CallHeard,
    time_s=times,
    sigma_ms=sigmas,
    end_s=times,
    type=maybe_type,
    word=text,
    probability=shares,
    seats=chances,
    accepted=st.sampled_from([True, True, True, False]),
    contested=st.sampled_from([False, False, True]),
    reason=text,
)
others = st.one_of(
    st.builds(CardsGone, time_s=times, cards=st.lists(cards, max_size=4).map(tuple), to_seat=maybe_seat),
    st.builds(CardTouched, time_s=times, sigma_ms=sigmas, seat=maybe_seat, card=cards, confidence=shares),
    st.builds(TableNotice, time_s=times, code=st.sampled_from(["moved", "dark", "aliens"]), seat=maybe_seat),
    st.builds(Dealt, time_s=times, cards=st.dictionaries(seats, st.integers(0, 20), max_size=4)),
    st.builds(Reshuffled, time_s=times),
    st.builds(SeatChanged, time_s=times, seat=seats, to_seat=seats),
    st.builds(HandDrawn, time_s=times, seat=seats),
    st.builds(QuestionRead, time_s=times, text=text),
    st.builds(
        DieShown,
        time_s=times,
        seat=maybe_seat,
        value=st.one_of(st.none(), st.integers(-1, 9)),
        colour=st.sampled_from(["", "", "", "red"]),
        confidence=shares,
    ),
    st.builds(BlotRemoved, time_s=times, blot=st.integers(-1, 9)),
    st.builds(BlotReplaced, time_s=times, blot=st.integers(-1, 9)),
)
corrections = st.builds(
    Correction,
    time_s=times,
    kind=st.sampled_from(["caller", "card", "not_a_call", "call", "void", "undo"]),
    card=st.one_of(st.none(), cards),
    call=st.one_of(st.none(), st.integers(-2, 8)),
    seat=maybe_seat,
    type=maybe_type,
    at_s=st.one_of(st.none(), times),
    target=st.one_of(st.none(), st.integers(0, 4)),
)
anything = st.one_of(shown, shown, shown, calls, calls, others)
any_events = st.lists(anything, max_size=25)
"""Any events in any order, absurd ones too."""
doubts = st.sampled_from(
    [{}, {}, {"contested": True}, {"contested": True, "sigma_ms": 20.0}, {"probability": 0.6}]
    + [{"accepted": False, "reason": UNSURE, "probability": chance} for chance in (0.1, 0.4, 0.7)]
    + [{"accepted": False, "reason": SAME_SOUND, "probability": 0.65}]
    + [{"accepted": False, "reason": NOT_UNDERSTOOD, "probability": 0.3, "type": None}]
)
"""What the ear may doubt in a call."""


@st.composite
def plausible_rounds(draw, players=("north", "south"), rounds=6):
    """Rounds as people play them: a card each, calls around them, somebody collects; in time order."""
    events, card, now = [], 0, 1.0
    for _ in range(draw(st.integers(1, rounds))):
        ids = []
        for seat in players:
            card += 1
            ids.append(card)
            late = draw(st.sampled_from([0.0, 0.1, 0.3, 3.0]))
            kind = draw(st.one_of(st.sampled_from(Type), maybe_type))
            events.append(CardShown(time_s=now + late, seat=seat, card=card, type=kind))
        for _ in range(draw(st.integers(0, 3))):
            at = now + draw(st.sampled_from([-0.5, 0.05, 0.6, 0.602, 0.62, 0.7, 1.5, 2.4]))
            who = draw(st.one_of(st.just({}), st.sampled_from(players).map(lambda s: {s: 1.0})))
            kind = draw(st.sampled_from(Type))
            heard = CallHeard(
                time_s=at, sigma_ms=6.0, end_s=at + 0.4, type=kind, word=kind, probability=0.97, seats=who
            )
            events.append(replace(heard, **draw(doubts)))
        if draw(st.booleans()):
            events.append(CardsGone(time_s=now + 3.2, cards=tuple(ids), to_seat=draw(st.sampled_from(players))))
        now += 5.0
    return sorted([*events, RecordingEnded(time_s=now + 3)], key=lambda event: event.time_s)
