"""Two microphones: direction of a voice, and each voice by itself."""

import numpy as np
import pytest

from audio.steer import Splitter, sides

RATE = 16000


def noise(seed, seconds=2.0, rate=RATE):
    return np.random.default_rng(seed).normal(size=round(seconds * rate)).astype(np.float32) * 0.1


def pair(sound, lag):
    """Arrives at microphone 1 `lag` samples after microphone 0."""
    return np.array([np.roll(sound, -(lag // 2)), np.roll(sound, lag - lag // 2)])


@pytest.mark.parametrize("lag", [12, -14, 5])
def test_the_side_of_a_voice_is_heard(lag):
    strength, lags = sides(pair(noise(1, rate=48000), lag), 48000)
    side = 0 if lag > 0 else 1
    assert strength[side] > 0.9
    assert strength[1 - side] < 0.3 * strength[side]
    assert lags[side] == pytest.approx(lag / 48000, abs=1e-5)


def test_two_voices_at_once_are_heard_on_both_sides():
    both = pair(noise(1, rate=48000), 13) + pair(noise(2, rate=48000), -13)
    strength, _ = sides(both, 48000)
    assert min(strength) > 0.6 * max(strength)


def test_each_voice_is_left_where_it_was_and_the_other_is_weakened():
    first, second = noise(1), noise(2)
    mixed = pair(first, 4) + pair(second, -4)
    splitter = Splitter(RATE, (4 / RATE, -4 / RATE))
    out = np.concatenate([splitter.feed(mixed), splitter.finish()], axis=1)[:, : mixed.shape[1]]
    for own, other, heard in ((first, second, out[0]), (second, first, out[1])):
        assert np.corrcoef(heard[500:-500], own[500:-500])[0, 1] > 2 * abs(
            np.corrcoef(heard[500:-500], other[500:-500])[0, 1]
        )


def test_cuts_change_nothing_and_no_sample_is_lost():
    sound = pair(noise(3), 4)
    once, often = Splitter(RATE, (0.0002, -0.0002)), Splitter(RATE, (0.0002, -0.0002))
    whole = np.concatenate([once.feed(sound), once.finish()], axis=1)
    parts = [often.feed(sound[:, i : i + 333]) for i in range(0, sound.shape[1], 333)]
    parts.append(often.finish())
    assert np.allclose(np.concatenate(parts, axis=1), whole, atol=1e-6)
    assert whole.shape[1] >= sound.shape[1]
