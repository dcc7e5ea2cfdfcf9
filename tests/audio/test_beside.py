"""A second voice beside a call, with a microphone a player: by how loud its microphone is, and by what came before."""

import numpy as np
import pytest

from audio import beside
from audio.fronts import ManyFront
from audio.gather import Heard, Stretch
from audio.own import OwnFront
from audio.spotted import Spotted
from referee.events import CallHeard, Type

RATE = 48000
AT_S = 1.0


def stretch(*voices, floor=1e-4):
    """Noise voices, each from a time on with a gain at every microphone, over a quiet floor."""
    rng = np.random.default_rng(1)
    samples = rng.normal(0, floor, (len(voices[0][1]), 3 * RATE))
    for start_s, gains in voices:
        n = round(0.4 * RATE)
        samples[:, round(start_s * RATE) :][:, :n] += np.outer(gains, rng.normal(0, 1, n))
    return Stretch(samples.astype(np.float32), RATE, 0.0)


ALONE = (AT_S, [0.1, 0.04, 0.04, 0.04])
SECOND = (AT_S, [0.03, 0.08, 0.03, 0.03])


def test_the_room_is_compared_until_a_reach_is_learnt():
    assert max(beside.Reach().excess(0, AT_S, stretch(ALONE))) < 1
    assert beside.Reach().excess(0, AT_S, stretch(ALONE, SECOND))[1] > beside.SECOND_DB


def test_a_learnt_reach_tells_of_two_microphones_alone():
    reach = beside.Reach()
    pair = stretch((AT_S, [0.1, 0.04]), (AT_S, [0.03, 0.08]))
    assert reach.excess(0, AT_S, pair) == [0, 0]
    reach.learn(0, AT_S, stretch((AT_S, [0.1, 0.04])))
    assert reach.excess(0, AT_S, pair)[1] > beside.SECOND_DB
    assert abs(reach.excess(0, AT_S, stretch((AT_S, [0.2, 0.08])))[1]) < 1


def test_a_microphone_that_is_loud_already_says_nothing():
    talk = (AT_S - 0.4, [0.0, 0.3, 0.0, 0.0])
    reach = beside.Reach()
    assert reach.excess(0, AT_S, stretch(talk, ALONE))[1] == 0
    reach.learn(0, AT_S, stretch(talk, ALONE))
    assert reach.excess(0, AT_S, stretch(ALONE, SECOND))[1] > 0, "what was not learnt there is compared"


def test_what_begins_just_before_is_told_for_its_microphone():
    assert beside.rises(AT_S, stretch((AT_S - 0.06, [0.001, 0.05]), (AT_S, [0.1, 0.04]))) == [True, True]
    assert beside.rises(AT_S, stretch((AT_S, [0.1, 0.04]))) == [False, False]


def call(at_s, side):
    seats = {f"ch{i}": 0.01 for i in range(4)} | {side: 0.97}
    return CallHeard(
        time_s=at_s, sigma_ms=4, end_s=at_s + 0.4, type=Type.ROCK, word="rock", probability=0.9, seats=seats
    )


def word(stream, probability):
    return Heard(stream, Spotted("rock", Type.ROCK, "en", AT_S + 0.1, AT_S + 0.4, probability, False, "unsure"))


@pytest.mark.parametrize(
    ("sound", "probability", "callers"),
    [
        (stretch(ALONE, SECOND), 0.4, ["ch1"]),
        (stretch(ALONE, SECOND), 0.1, []),
        (stretch(ALONE), 0.4, []),
        (stretch((AT_S - 0.08, [0.0, 0.01, 0.0, 0.0]), ALONE), 0.4, ["ch1"]),
    ],
    ids=["louder than one makes it", "louder, but no word", "one alone", "begun before"],
)
def test_the_word_of_who_shows_beside_a_call_is_a_call(sound, probability, callers):
    front = OwnFront(4)
    hidden = front.hidden([call(AT_S, "ch0")], [word(0, 0.9), word(1, probability)], sound)
    assert [max(c.seats, key=c.seats.get) for c in hidden] == callers


def test_who_shows_beside_a_call_and_is_not_understood_puts_it_in_doubt(monkeypatch):
    monkeypatch.setattr(ManyFront, "strange", lambda *_: [False] * 4)
    assert OwnFront(4).strange(call(AT_S, "ch0"), stretch(ALONE, SECOND)) == [False, True, False, False]
