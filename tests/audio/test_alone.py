"""Words that were not understood, but stand alone and are as loud as calls, are left to people; talk is not."""

import numpy as np
import pytest

from audio.alone import MAYBE, Alone
from audio.gather import Stretch
from referee.events import CallHeard, Type

RATE = 16000


def heard(at_s, level_db=-20.0, **more):
    fields = {"accepted": False, "reason": "unsure", "probability": 0.02} | more
    return CallHeard(
        time_s=at_s, sigma_ms=3, end_s=at_s + 0.4, type=Type.PAPER, word="papel", levels_db=(level_db,), **fields
    )


def sound(*words):
    """Twelve seconds of a quiet room with words of 0.4 s: (seconds, dB)."""
    rng = np.random.default_rng(1)
    out = rng.normal(0, 10 ** (-60 / 20), 12 * RATE)
    for at_s, level_db in words:
        first = round(at_s * RATE)
        out[first : first + round(0.4 * RATE)] += rng.normal(0, 10 ** (level_db / 20), round(0.4 * RATE))
    return Stretch(out[None].astype(np.float32), RATE, 0.0)


def test_a_word_into_silence_as_loud_as_a_call_is_left_to_people():
    look = Alone()
    stretch = sound((2.0, -20), (6.0, -22))
    assert look.look([heard(2.0, accepted=True, reason="", probability=0.9)], stretch)[0].probability == 0.9
    (word,) = look.look([heard(6.0, -22)], stretch)
    assert (word.probability, word.accepted, word.reason) == (MAYBE, False, "unsure")


@pytest.mark.parametrize(
    ("words", "word"),
    [
        ([(2.0, -20), (6.0, -30)], heard(6.0, -30)),  # fainter than the calls of this table
        ([(2.0, -20), (5.7, -22), (6.0, -20)], heard(6.0)),  # amid talk
        ([(2.0, -20), (6.0, -20), (6.5, -24)], heard(6.0)),  # talk goes on
        ([(2.0, -20), (6.0, -20)], heard(6.0, reason="same sound")),
        ([(2.0, -20), (6.0, -20)], heard(6.0, reason="perhaps another's call")),
    ],
    ids=["faint", "amid talk", "before talk", "same sound", "stray"],
)
def test_what_is_faint_or_amid_talk_or_explained_stays_as_it_is(words, word):
    look = Alone()
    look.look([heard(2.0, accepted=True, reason="", probability=0.9)], sound(*words))
    assert look.look([word], sound(*words)) == [word]


def test_before_the_first_call_of_a_game_it_is_enough_to_stand_alone():
    assert Alone().look([heard(6.0, -35)], sound((6.0, -35)))[0].probability == MAYBE


def test_of_several_words_in_one_sound_the_likeliest_stays_so():
    words = [heard(6.0, probability=0.05), heard(6.01, probability=0.2), heard(6.02, probability=0.1)]
    looked = Alone().look(words, sound((6.0, -20)))
    assert [one.probability for one in looked] == pytest.approx([MAYBE / 4, MAYBE, MAYBE / 2])
