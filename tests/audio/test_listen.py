"""Listening as a stream: what is promised holds, cuts change nothing, and each voice has its own call."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from audio.decode import blocks
from audio.fronts import one_word_each
from audio.gather import Stretch, contested
from audio.listen import listen
from audio.spotted import Spotted
from audio.stereo import StereoFront
from audio.voices import Voices
from referee.errors import DamagedError
from referee.events import NOT_UNDERSTOOD, SAME_SOUND, CallHeard, SeenTo, Type
from referee.media import AudioBlock

RATE = 48000
GAMES = Path(__file__).parents[2].parent / "shared" / "games"


class Loud:
    """A stand-in for the recogniser: says "rock" for every loud stretch of its stream, a third of a second late."""

    def __init__(self, model, rate):
        self.rate, self.sound, self.given, self.floor = rate, np.zeros(0, np.float32), 0.0, model

    @property
    def settled_s(self):
        return self.given

    def accept(self, samples):
        self.sound = np.concatenate([self.sound, samples])
        now = len(self.sound) / self.rate
        return self._words(now - 0.8) if now - 0.8 >= self.given + 0.4 else []

    def flush(self):
        return self._words(len(self.sound) / self.rate + 1)

    def _words(self, until):
        n = self.rate // 100
        blocks_ = self.sound[: len(self.sound) // n * n].reshape(-1, n)
        loud = np.sqrt((blocks_**2).mean(axis=1)) > self.floor
        starts = [i / 100 for i in np.flatnonzero(loud) if not loud[max(0, i - 8) : i].any()]
        found = [
            Spotted("rock", Type.ROCK, "en", s - 0.04, s + 0.28, 0.95, True)
            for s in starts
            if self.given <= s - 0.04 < until
        ]
        self.given = max(self.given, until)
        return found


def voice(seed, seconds=0.3):
    """A voiced syllable of its own pitch."""
    rng = np.random.default_rng(seed)
    t = np.arange(round(seconds * RATE)) / RATE
    pitch = 100 + 37 * seed
    tone = sum(np.sin(2 * np.pi * pitch * k * t + rng.uniform(0, 6)) / k for k in range(1, 30))
    hiss = rng.normal(size=len(t)) * 0.15
    shape = np.minimum(1, t / 0.004) * np.minimum(1, (t[-1] - t) / 0.1)
    return ((tone / np.abs(tone).max() + hiss) * shape * 0.3).astype(np.float32)


def scene(calls, channels, seconds=8.0, leak=0.0, lags=None):
    """`calls`: (seconds, channel, seed). Other channels get `leak` of it, `lags` samples later by channel."""
    rng = np.random.default_rng(0)
    out = rng.normal(size=(channels, round(seconds * RATE))).astype(np.float32) * 3e-4
    for at_s, owner, seed in calls:
        sound = voice(seed)
        for c in range(channels):
            late = 0 if c == owner else (lags or 60)
            first = round(at_s * RATE) + late
            out[c, first : first + len(sound)] += sound * (1.0 if c == owner else leak)
    return out


def cut(samples, size=4800, start_s=0.0):
    for i in range(0, samples.shape[1], size):
        yield AudioBlock(start_s + i / RATE, samples[:, i : i + size], RATE)


def hear(samples, size=4800, **more):
    return list(listen(cut(samples, size), 0.02, recogniser=Loud, **more))


def calls_of(events):
    return [e for e in events if isinstance(e, CallHeard)]


def test_nothing_comes_earlier_than_was_promised_and_promises_follow_closely():
    events = hear(scene([(1.0, 0, 1), (3.0, 0, 2), (5.5, 0, 3)], 1))
    seen, lag = 0.0, []
    for i, event in enumerate(events):
        if isinstance(event, SeenTo):
            assert event.time_s >= seen
            seen = event.time_s
            lag.append(0.1 * sum(isinstance(e, SeenTo) for e in events[: i + 1]) - seen)
        else:
            assert event.time_s >= seen
    assert [round(c.time_s, 1) for c in calls_of(events)] == [1.0, 3.0, 5.5]
    assert events[-1] == SeenTo(time_s=8.0)
    assert max(lag[20:-1]) < 2.5


@pytest.mark.parametrize("size", [480, 7777, 400000])
def test_how_the_sound_is_cut_into_blocks_changes_nothing(size):
    sound = scene([(1.0, 0, 1), (1.06, 1, 2), (4.0, 1, 3)], 2, leak=0.2)
    assert hear(sound, size, layout="own") == hear(sound, layout="own")


def test_two_at_once_with_a_microphone_each_are_two_calls_with_their_seats():
    sound = scene([(2.0, 1, 1), (2.02, 3, 6), (5.0, 0, 3)], 4, leak=0.2)
    heard = calls_of(hear(sound, seats=("north", "east", "south", "west")))
    assert [max(c.seats, key=c.seats.get) for c in heard] == ["east", "west", "north"]
    assert all(c.tier == "own" and max(c.seats.values()) > 0.9 for c in heard)
    assert [c.time_s for c in heard] == pytest.approx([2.0, 2.02, 5.0], abs=0.012)


def test_two_at_once_on_either_side_of_a_pair_are_two_calls():
    sound = scene([(2.0, 0, 1), (2.04, 1, 2), (5.0, 1, 3)], 2, leak=1.0, lags=13)
    heard = calls_of(hear(sound, seats=("east", "west")))
    assert [max(c.seats, key=c.seats.get) for c in heard] == ["west", "east", "east"]
    assert {c.tier for c in heard} == {"stereo"}


def test_one_microphone_written_twice_tells_nobody():
    mono = scene([(2.0, 0, 1)], 1)
    heard = calls_of(hear(np.concatenate([mono, mono]), seats=("north", "south")))
    assert [(c.seats, c.tier) for c in heard] == [({}, "none")]


def test_without_seats_calls_carry_sides():
    heard = calls_of(hear(scene([(2.0, 1, 1)], 3, leak=0.1)))
    assert max(heard[0].seats, key=heard[0].seats.get) == "ch1"
    assert len(heard[0].levels_db) == 3


def test_a_leap_in_time_keeps_both_sides_apart_and_in_place():
    sound = scene([(1.0, 0, 1)], 1, seconds=3.0)
    halves = [*cut(sound), *cut(sound, start_s=603.0)]
    heard = calls_of(listen(halves, 0.02, recogniser=Loud))
    assert [c.time_s for c in heard] == pytest.approx([1.0, 604.0], abs=0.02)


def test_what_was_heard_before_damage_is_given_before_the_error():
    def broken():
        yield from cut(scene([(1.0, 0, 1)], 1, seconds=2.0))
        raise DamagedError("a.mp4: damaged from 2.0 s on", 2.0)

    got = []
    with pytest.raises(DamagedError):
        got.extend(listen(broken(), 0.02, recogniser=Loud))
    heard = []
    stream = listen(broken(), 0.02, recogniser=Loud)
    while True:
        try:
            heard.append(next(stream))
        except DamagedError:
            break
    assert len(calls_of(heard)) == 1


def test_silence_and_a_few_samples_are_no_calls():
    assert calls_of(hear(np.zeros((2, 100), np.float32))) == []
    assert list(listen([], 0.02, recogniser=Loud)) == []


@pytest.fixture(scope="module")
def kitchen():
    if not GAMES.exists():
        pytest.skip("the shared games are not here")
    from models import open_call_model

    def part():
        for b in blocks(GAMES / "kitchen-2p.mp4"):
            if any(low <= b.time_s < high for low, high in ((2.8, 6.5), (31.0, 35.0))):
                yield b

    model = open_call_model(("en",))
    return [list(listen(part(), model, seats=("north", "south"))) for _ in range(2)]


def test_a_tie_and_a_close_finish_of_a_staged_game_are_heard_with_the_real_recogniser(kitchen):
    heard = [c for c in calls_of(kitchen[0]) if c.accepted]
    found = [(max(c.seats, key=c.seats.get), c.word) for c in heard]
    assert sorted(found[:2]) == [("north", "rock"), ("south", "rock")]
    assert abs(heard[0].time_s - heard[1].time_s) < 0.06
    assert found[2:4] == [("south", "paper"), ("north", "rock")]
    assert heard[2].time_s == pytest.approx(32.445, abs=0.02)


def test_a_recording_heard_again_gives_the_same_events(kitchen):
    assert kitchen[0] == kitchen[1]
    assert all(b.time_s >= a.time_s for a, b in pairwise(e for e in kitchen[0] if isinstance(e, SeenTo)))


def test_with_one_microphone_an_enrolled_voice_is_known_and_two_words_in_one_are_contested():
    voices = Voices()
    for seat, seed in (("north", 1), ("south", 6)):
        voices.enroll(seat, "rock", np.pad(voice(seed), 500), RATE)
    heard = calls_of(hear(scene([(1.5, 0, 6), (4.0, 0, 1)], 1), seats=("north", "south"), voices=voices))
    assert [(max(c.seats, key=c.seats.get), c.tier) for c in heard] == [("south", "voice"), ("north", "voice")]
    twice = contested(
        [replace(heard[0], time_s=1.0), replace(heard[1], time_s=1.12), replace(heard[1], time_s=3.0)], [1.0, 1.1, 3.0]
    )
    assert [(c.contested, bool(c.seats)) for c in twice] == [(True, False), (True, False), (False, True)]


def echoing(calls, seconds=6.0):
    """Four microphones in a hard room: each call is 6 dB fainter at the others, and dies away everywhere alike."""
    out = scene([], 4, seconds)
    rng = np.random.default_rng(5)
    for at_s, owner, seed in calls:
        for c in range(4):
            tail = rng.normal(size=round(0.5 * RATE)) * np.exp(-np.arange(round(0.5 * RATE)) / RATE * 12) * 0.012
            tail[: 60 * (c != owner) + 200] = 0
            tail[60 * (c != owner)] = 1.0 if c == owner else 0.5
            heard = np.convolve(voice(seed), tail.astype(np.float32))
            out[c, round(at_s * RATE) :][: len(heard)] += heard
    return out


def test_a_call_that_strays_into_other_microphones_is_one_call():
    heard = [c for c in calls_of(hear(echoing([(2.0, 2, 1)]))) if c.accepted]
    assert [(max(c.seats, key=c.seats.get), round(c.time_s, 2)) for c in heard] == [("ch2", 2.0)]


def test_two_who_call_at_once_in_a_hard_room_are_both_reported_and_doubt_is_said():
    heard = calls_of(hear(echoing([(2.0, 2, 1), (2.001, 0, 6)])))
    assert {max(c.seats, key=c.seats.get) for c in heard} == {"ch2", "ch0"}
    assert all(c.accepted for c in heard) or any(c.contested for c in heard if c.accepted)


def test_a_voice_beside_a_call_in_which_no_word_is_understood_is_told_of():
    class Deaf(Loud):
        def _words(self, until):
            self.given = max(self.given, until)
            return []

    ears = iter([Loud, Deaf])
    sound = scene([(2.0, 0, 1), (2.03, 1, 6), (4.0, 0, 1)], 2, leak=0.1)

    def ear(model, rate):
        return next(ears)(model, rate)

    events = listen(cut(sound), 0.02, recogniser=ear, layout="own")
    heard = calls_of(list(events))
    assert [(max(c.seats, key=c.seats.get), c.type, c.accepted, c.contested) for c in heard] == [
        ("ch0", Type.ROCK, True, True),
        ("ch1", None, False, False),
        ("ch0", Type.ROCK, True, False),
    ]
    assert (heard[1].reason, heard[1].word) == (NOT_UNDERSTOOD, "")
    assert abs(heard[1].time_s - 2.03) < heard[1].sigma_ms / 1000


def test_another_word_in_the_sound_of_a_call_is_another_players():
    heard = calls_of(hear(scene([(1.5, 0, 6)], 1)))[0]
    other = replace(heard, time_s=heard.time_s + 0.004, type=Type.PAPER, accepted=False, reason="same sound")
    at = [heard.time_s, heard.time_s + 0.01]
    likely, hardly = replace(other, probability=0.2), replace(other, probability=0.1)
    assert [(c.accepted, c.contested, c.sigma_ms >= 20) for c in contested([heard, likely], at)] == [
        (True, True, True)
    ] * 2
    assert contested([heard, hardly], at) == [heard, hardly]
    third = replace(likely, type=Type.SCISSORS, probability=0.16)
    assert [c.accepted for c in contested([heard, third, likely], [*at, at[-1]])] == [True, False, True]
    again = replace(likely, type=heard.type)
    later = replace(likely, time_s=heard.time_s + 0.3)
    assert contested([heard, again], at) == [heard, again]
    assert contested([heard, later], [at[0], at[0] + 0.3]) == [heard, later]


def test_of_two_words_in_one_sound_the_second_began_as_much_later_as_their_rough_starts_say():
    heard = calls_of(hear(scene([(1.5, 0, 6)], 1)))[0]
    other = replace(heard, type=Type.PAPER)  # its own onset cannot be seen: the sound begins with the first one's
    at_once = contested([heard, other], [1.5, 1.51])
    later = contested([heard, other], [1.5, 1.72])
    assert [c.type for c in later] == [Type.ROCK, Type.PAPER]
    assert later[0].time_s == heard.time_s
    assert later[1].time_s - later[0].time_s > 2.33 * later[1].sigma_ms / 1000
    assert at_once[1].time_s - at_once[0].time_s < at_once[1].sigma_ms / 1000


def test_on_a_stereo_pair_who_begins_is_noticed_though_a_louder_voice_drowns_the_rest():
    def pair(*parts):
        out = np.random.default_rng(3).normal(size=(2, RATE)).astype(np.float32) * 1e-4
        for sound, at_s, near in parts:
            for c in range(2):
                first = round(at_s * RATE) + 12 * (c != near)
                out[c, first : first + len(sound)] += sound
        return Stretch(out, RATE, 0.0)

    front, call = StereoFront(2), calls_of(hear(scene([(1.5, 0, 6)], 1)))[0]
    call = replace(call, time_s=0.4, end_s=0.9)
    first, second = (voice(1, 0.1), 0.4, 0), (voice(6, 0.4) * 3, 0.5, 1)
    assert front.strange(call, pair(first, second)) == [True, True]
    assert front.strange(call, pair(first)) == [True, False]
    assert front.strange(call, pair((voice(6, 0.4) * 3, 0.4, 1))) == [False, True]


def test_a_word_that_was_being_said_when_the_recording_begins_begins_with_it():
    class Early(Loud):
        def _words(self, until):
            words = [Spotted("rock", Type.ROCK, "en", -0.3, -0.02, 0.95, True)] if self.given == 0 else []
            self.given = max(self.given, until)
            return words

    heard = calls_of(list(listen(cut(scene([], 1, 2.0)), 0.02, recogniser=Early)))
    assert [(c.time_s, c.end_s) for c in heard] == [(0.0, 0.0)]


def test_two_words_in_one_sound_of_one_player_are_one_call_and_each_makes_the_other_less_sure():
    heard = [c for c in calls_of(hear(scene([(1.5, 0, 6)], 2, leak=0.1), layout="own")) if c.accepted]
    rock = replace(heard[0], probability=0.92)
    other = replace(rock, type=Type.PAPER, probability=0.88)
    for order in ((rock, other), (other, rock)):
        kept = {c.type: c for c in one_word_each(order)}
        assert [(kept[k].accepted, round(kept[k].probability, 2)) for k in (Type.ROCK, Type.PAPER)] == [
            (True, 0.51),
            (False, 0.49),
        ]
        assert kept[Type.PAPER].reason == SAME_SOUND
    theirs = replace(other, time_s=rock.time_s + 0.04, seats={"ch1": 0.998})
    assert [(c.accepted, c.probability) for c in one_word_each((rock, other, theirs))] == [
        (True, 0.92),
        (False, 0.88),
        (True, 0.88),
    ]
    late = replace(theirs, time_s=rock.time_s + 0.25, end_s=other.end_s + 0.05)
    assert [c.accepted for c in one_word_each((rock, other, late))] == [True, False, True]
    later = replace(late, end_s=other.end_s + 0.25)
    assert [c.accepted for c in one_word_each((rock, other, later))] == [True, False, True]
    assert one_word_each((rock, other, late))[0].probability == 0.92
    assert one_word_each((rock, other, later))[0].probability == pytest.approx(0.51, abs=0.01)
    for apart in (replace(other, time_s=rock.time_s + 0.2), replace(other, seats={"ch1": 0.998}), replace(rock)):
        assert one_word_each((rock, apart)) == [rock, apart]
