"""Steady noise is taken out of what recognisers read, and nothing else."""

import numpy as np
import pytest

from audio.steer import Quieter, quieter

RATE = 16000


def level_db(samples):
    return 10 * np.log10(np.mean(np.square(samples, dtype=np.float64)) + 1e-20)


@pytest.fixture
def noise():
    return np.random.default_rng(3).normal(0, 0.01, 5 * RATE).astype(np.float32)


@pytest.fixture
def word():
    """A third of a second of a buzz, from 3 s on."""
    out = np.zeros(5 * RATE, np.float32)
    at_s = np.arange(round(0.35 * RATE)) / RATE
    out[3 * RATE :][: len(at_s)] = 0.3 * np.sign(np.sin(2 * np.pi * 180 * at_s)) * np.hanning(len(at_s))
    return out


def test_a_steady_noise_is_turned_down_once_something_stands_out_of_it(noise, word):
    heard = quieter(noise + word, RATE)
    assert level_db(heard[: 3 * RATE]) > level_db(noise) - 0.5
    assert level_db(heard[4 * RATE :]) < level_db(noise) - 6


def test_a_faint_noise_is_left_alone(noise, word):
    sound = 0.1 * noise + word
    assert np.abs(quieter(sound, RATE) - sound)[4 * RATE :].max() < 1e-4


def test_a_word_stays_whole_in_it(noise, word):
    heard = quieter(noise + word, RATE)[3 * RATE :][: round(0.35 * RATE)]
    said = word[3 * RATE :][: round(0.35 * RATE)]
    assert level_db(heard) == pytest.approx(level_db(said), abs=0.5)
    assert np.corrcoef(heard, said)[0, 1] > 0.99


def test_without_noise_a_word_is_left_alone(word):
    assert np.abs(quieter(word, RATE) - word).max() < 0.01


def test_a_soft_beginning_is_not_turned_down(noise, word):
    softly = 0.03 * noise + word
    soft = np.random.default_rng(4).normal(0, 0.003, RATE // 10)
    softly[3 * RATE - len(soft) : 3 * RATE] += soft
    begun = slice(3 * RATE - len(soft), 3 * RATE)
    assert np.abs(quieter(softly, RATE) - softly)[begun].max() < 0.002


def test_a_noise_that_begins_is_turned_down_after_some_seconds(noise):
    later = np.concatenate([np.zeros(2 * RATE, np.float32), noise])
    later[: RATE // 2] = 0.1 * np.sign(np.sin(np.arange(RATE // 2) * 0.07))
    heard = quieter(later, RATE)
    assert level_db(heard[2 * RATE :][: RATE // 5]) > level_db(noise) - 3, "what begins may be a word"
    assert level_db(heard[6 * RATE :]) < level_db(noise) - 6


def test_the_same_however_it_arrives(noise, word):
    sound = noise + word
    stream = Quieter(1, RATE)
    parts = [stream.feed(sound[None, first : first + 777]) for first in range(0, len(sound), 777)]
    parts.append(stream.finish())
    assert np.array_equal(np.concatenate(parts, axis=1)[0, : len(sound)], quieter(sound, RATE))


def test_silence_stays_silent():
    assert not quieter(np.zeros(RATE, np.float32), RATE).any()
