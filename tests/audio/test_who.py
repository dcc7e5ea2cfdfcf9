"""Sides become seats by a pure function; voices are told apart or given to nobody."""

import numpy as np
import pytest

from audio.voices import Voices, decide, features
from audio.who import assumption, seat_calls, seating
from referee.errors import UsageError
from referee.events import CallHeard, Type

RATE = 16000


def call(seats, levels=(-20.0, -30.0), tier="own"):
    return CallHeard(
        time_s=1.0,
        sigma_ms=2.0,
        end_s=1.4,
        type=Type.ROCK,
        word="rock",
        probability=0.9,
        seats=seats,
        tier=tier,
        levels_db=levels,
    )


@pytest.mark.parametrize(
    ("channels", "seats", "microphones", "expected"),
    [
        (4, ("south", "north", "west", "east"), None, ["north", "east", "south", "west"]),
        (3, ("west", "south", "east"), None, ["east", "south", "west"]),
        (2, ("south", "north"), None, ["north", "south"]),
        (2, ("east", "west"), None, ["west", "east"]),
        (2, ("north", "south"), ("south", "north"), ["south", "north"]),
        (4, ("north", "south"), None, []),
        (1, ("north", "south"), None, []),
        (4, ("north", "south"), ("north", "east", "south", "west"), ["north", "east", "south", "west"]),
    ],
)
def test_channels_are_seats_clockwise_from_north_or_as_the_user_says(channels, seats, microphones, expected):
    assert list(seating(channels, seats, microphones).values()) == expected


def test_microphones_that_do_not_fit_are_refused_in_one_line():
    with pytest.raises(UsageError, match="each of the 2 channels"):
        seating(2, ("north", "south"), ("north",))
    with pytest.raises(UsageError, match="north, south"):
        seating(2, ("north", "south"), ("north", "east"))


def test_a_call_is_named_when_the_seats_are_known_and_never_twice():
    heard = call({"ch0": 0.9, "ch1": 0.08})
    named = seat_calls(heard, ("east", "west"))
    assert named.seats == {"west": 0.9, "east": 0.08}
    assert seat_calls(named, ("east", "west")) == named
    assert heard.seats == {"ch0": 0.9, "ch1": 0.08}


def test_sides_that_cannot_be_placed_are_given_to_nobody():
    named = seat_calls(call({"ch0": 0.9, "ch1": 0.08}), ("north", "south", "west"))
    assert named.seats == {}
    assert named.tier == "none"


def test_what_was_assumed_is_said():
    assert assumption(2, ("north", "south")) == "channels assumed: 1 is north, 2 is south"
    assert assumption(1, ("north", "south")) == ""
    assert "say which microphone" in assumption(2, ("north", "south", "east"))


def vowel(pitch, formants, seed, seconds=0.35):
    """Pulses at `pitch` through two resonances: a voice as far as this comparison goes."""
    rng = np.random.default_rng(seed)
    n = round(seconds * RATE)
    pulses = np.zeros(n)
    at = 0.0
    while at < n:
        pulses[int(at)] = 1.0
        at += RATE / pitch * (1 + 0.01 * rng.normal())
    t = np.arange(800) / RATE
    for f in formants:
        pulses = np.convolve(pulses, np.exp(-t * 500) * np.cos(2 * np.pi * f * (1 + 0.01 * rng.normal()) * t))[:n]
    return (pulses / np.abs(pulses).max() * 0.3 + rng.normal(size=n) * 0.001).astype(np.float32)


HIGH, LOW = (230, (850, 1700)), (110, (650, 1200))


def enrolled():
    voices = Voices()
    for seat, voice in (("north", HIGH), ("south", LOW)):
        for seed in (1, 2):
            voices.enroll(seat, "rock", vowel(*voice, seed), RATE)
    return voices


def test_the_same_voice_is_known_again_at_another_level_and_rate():
    voices = enrolled()
    for seat, voice in (("north", HIGH), ("south", LOW)):
        found = voices.who("rock", np.repeat(vowel(*voice, 7), 1) * 0.2, RATE)
        assert max(found, key=lambda s: found[s]) == seat
        assert found[seat] > 0.9
        assert sum(found.values()) < 1


def test_a_voice_between_two_a_stranger_and_an_unknown_word_are_given_to_nobody():
    assert decide({"north": 1.0, "south": 1.1}) == {}
    voices = enrolled()
    rng = np.random.default_rng(0)
    assert voices.who("rock", rng.normal(size=RATE // 2).astype(np.float32) * 0.1, RATE) == {}
    assert voices.who("paper", vowel(*HIGH, 3), RATE) == {}


def test_voices_are_kept_in_one_file_and_forgotten_on_request(tmp_path):
    voices = enrolled()
    voices.save(tmp_path / "voices.npz")
    again = Voices.load(tmp_path / "voices.npz")
    sound = vowel(*LOW, 9)
    assert again.who("rock", sound, RATE) == voices.who("rock", sound, RATE)
    again.forget("north")
    assert list(again.takes) == ["south"]
    assert again.who("rock", sound, RATE) == {}
    with pytest.raises(UsageError, match="no file of voices"):
        Voices.load(tmp_path / "nothing.npz")


def test_silence_cannot_be_enrolled():
    with pytest.raises(UsageError, match="too short or too quiet"):
        Voices().enroll("north", "rock", np.zeros(300, np.float32), RATE)
    assert len(features(np.zeros(100, np.float32), RATE)) == 0
