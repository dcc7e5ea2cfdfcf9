"""What the eye told of a staged game is compared with what was played."""

from __future__ import annotations

import pytest

from referee.bench.cards_watched import Watched, compared, figures_of
from referee.events import CardsGone, CardShown, Type

TIMES = [k / 30 for k in range(300)]
PLACES = {"north": (400.0, 200.0), "south": (400.0, 500.0)}


def corners(place):
    x, y = place
    return ((x - 30, y - 45), (x + 30, y - 45), (x + 30, y + 45), (x - 30, y + 45))


ROUND = {
    "type": "ruling",
    "round": 1,
    "start_s": 0.0,
    "end_s": 8.0,
    "cards": {"north": "rock", "south": "paper"},
    "reveal_s": {"north": 2.0, "south": 2.1},
    "corners_px": {seat: corners(place) for seat, place in PLACES.items()},
    "awards": {"north": 2, "south": 0},
}


def shown(card, seat, kind, time_s, *, at=None, sigma_ms=20.0):
    return CardShown(
        time_s=time_s,
        sigma_ms=sigma_ms,
        seat=seat,
        card=card,
        type=kind,
        confidence=0.99 if kind else 0.0,
        corners=corners(at or PLACES[seat]),
        rest_s=time_s + 0.5,
        reason="" if kind else "unsure",
    )


ALL_RIGHT = [
    shown(1, "north", Type.ROCK, 2.0),
    shown(2, "south", Type.PAPER, 2.1),
    CardsGone(time_s=5.0, cards=(1, 2), to_seat="north"),
]

CASES = [
    pytest.param(ALL_RIGHT, {"right": 2, "rounds_exact": 1, "reveals_in_frame": 2, "sweeps_right": 1}, id="as played"),
    pytest.param([ALL_RIGHT[0], shown(2, "south", Type.ROCK, 2.1), ALL_RIGHT[2]], {"right": 1, "wrong": 1}, id="wrong"),
    pytest.param(
        [ALL_RIGHT[0], shown(2, "south", None, 2.1), ALL_RIGHT[2]], {"unread": 1, "rounds_exact": 1}, id="unread"
    ),
    pytest.param([ALL_RIGHT[0], ALL_RIGHT[2]], {"missed": 1, "rounds_exact": 0}, id="missed"),
    pytest.param([*ALL_RIGHT, shown(3, "south", None, 4, at=(800, 300))], {"extra": 1, "rounds_exact": 0}, id="extra"),
    pytest.param(
        [ALL_RIGHT[0], shown(2, "north", Type.PAPER, 2.1, at=PLACES["south"]), ALL_RIGHT[2]],
        {"right": 2, "seats_wrong": 1, "rounds_exact": 0},
        id="another seat's",
    ),
    pytest.param(
        [ALL_RIGHT[0], shown(2, "south", Type.PAPER, 2.2, sigma_ms=60), ALL_RIGHT[2]],
        {"reveals_in_frame": 1, "reveals_in_sigma": 2, "rounds_exact": 1},
        id="a late reveal that says so",
    ),
    pytest.param(
        [*ALL_RIGHT[:2], CardsGone(time_s=5.0, cards=(1, 2), to_seat=None)],
        {"rounds_exact": 1, "sweeps_right": 0, "sweeps_wrong": 0},
        id="taken by nobody knows whom",
    ),
    pytest.param(
        [*ALL_RIGHT[:2], CardsGone(time_s=5.0, cards=(1, 2), to_seat="south")],
        {"rounds_exact": 1, "sweeps_right": 0, "sweeps_wrong": 1},
        id="taken by another",
    ),
]


@pytest.mark.parametrize(("told", "expected"), CASES)
def test_a_round_is_counted_as_it_was_told(told, expected):
    out = compared("game", [ROUND], told, TIMES)
    assert {name: getattr(out, name) for name in expected} == expected


def test_games_add_up_and_no_game_has_no_figures():
    total = Watched()
    assert figures_of(total) == {}
    total.add(compared("one", [ROUND], ALL_RIGHT, TIMES))
    total.add(compared("two", [ROUND], ALL_RIGHT[:1], TIMES))
    figures = figures_of(total)
    assert figures["cards_watched"] == 4
    assert figures["read_right_watched"] == 0.75
    assert figures["rounds_exact_watched"] == 0.5
