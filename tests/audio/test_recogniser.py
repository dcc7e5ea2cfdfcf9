"""The spotter hears calls through the real network and the real Vosk, in synthetic voices that free programs spoke.

`data/calls-en.flac`: rock, paper, scissors and a sentence, by flite's voice slt, which is never trained on;
`calls-de.flac`, `calls-es.flac`: the same in German and Spanish by espeak-ng. Times are those of the cut.
"""

from pathlib import Path

import av
import numpy as np
import pytest

import models
from audio.recogniser import Spotter
from referee.events import Type

DATA = Path(__file__).parent / "data"
CUT_S = {
    "en": [(1.226, 1.528), (3.093, 3.478), (5.013, 5.64)],
    "de": [(1.013, 1.456), (3.09, 3.505), (5.107, 5.561)],
    "es": [(1.055, 1.68), (3.19, 3.782), (5.34, 5.939)],
}
SENTENCE_S = {"en": 7.2, "de": 7.19, "es": 7.52}


def sound(language):
    with av.open(str(DATA / f"calls-{language}.flac")) as file:
        parts = [frame.to_ndarray()[0] for frame in file.decode(audio=0)]
    return (np.concatenate(parts) / 32768).astype(np.float32)


@pytest.fixture(scope="module")
def english():
    return models.open_call_model(("en",))


def accepted(words):
    return [word for word in words if word.accepted]


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_three_calls_are_heard_in_order_and_the_sentence_is_none(language):
    spotter = Spotter(models.open_call_model((language,)))
    words = spotter.accept(sound(language)) + spotter.flush()
    calls = accepted(words)
    assert [word.type for word in calls] == [Type.ROCK, Type.PAPER, Type.SCISSORS]
    for word, (start, end) in zip(calls, CUT_S[language], strict=True):
        assert word.language == language
        assert abs(word.start_s - start) < 0.25
        assert abs(word.end_s - end) < 0.2
        assert 0.1 < word.probability <= 1.0
    assert all(word.start_s < SENTENCE_S[language] for word in calls)


def test_results_do_not_depend_on_how_the_samples_are_cut(english):
    samples, results = sound("en")[: 16000 * 4], []
    for size in (len(samples), 777, 4800):
        spotter = Spotter(english)
        heard = [word for at in range(0, len(samples), size) for word in spotter.accept(samples[at : at + size])]
        results.append(heard + spotter.flush())
    assert results[0]
    assert results[0] == results[1] == results[2]


def test_looking_ahead_changes_nothing_and_finds_words_sooner(english):
    samples = sound("en")
    plain, looking = Spotter(english), Spotter(english)
    told, sooner = [], []
    for first in range(0, len(samples), 800):
        part, next_ = samples[first : first + 800], samples[first + 800 : first + 1600]
        if looking.brewing:
            sooner += [(first, word.type) for word in accepted(looking.ahead(next_))]
        given = plain.accept(part)
        assert looking.accept(part) == given
        told += [(first, word.type) for word in accepted(given)]
    assert told
    for at, kind in told:
        assert any(one is kind and at - 16000 < first < at for first, one in sooner)


def test_no_word_starts_before_what_was_called_settled_and_verdicts_come_soon(english):
    spotter, samples, settled, given = Spotter(english), sound("en")[: 16000 * 7], 0.0, []
    for at in range(0, len(samples), 800):
        words = spotter.accept(samples[at : at + 800])
        assert all(word.start_s >= settled for word in words)
        given += [(at + 800) / 16000 for _ in accepted(words)]
        settled = spotter.settled_s
    assert settled > len(samples) / 16000 - 2.0
    late = [now - end for now, (_, end) in zip(given, CUT_S["en"], strict=True)]
    assert max(late) < 0.6, late


def test_a_second_stream_starts_afresh(english):
    spotter, samples = Spotter(english), sound("en")[: 16000 * 3]
    first = spotter.accept(samples) + spotter.flush()
    assert spotter.accept(samples) + spotter.flush() == first


@pytest.mark.parametrize("kind", ["silence", "noise", "clicks", "hum"])
def test_what_is_no_speech_is_no_call(english, kind):
    rng, t = np.random.default_rng(3), np.arange(16000 * 6) / 16000
    samples = {
        "silence": np.zeros(len(t)),
        "noise": rng.normal(0, 0.05, len(t)),
        "clicks": (rng.random(len(t)) < 0.0005) * 0.9,
        "hum": 0.3 * np.sin(2 * np.pi * 100 * t) + 0.1 * np.sin(2 * np.pi * 300 * t),
    }[kind].astype(np.float32)
    spotter = Spotter(english)
    assert accepted(spotter.accept(samples) + spotter.flush()) == []


def test_faint_and_loud_are_heard_alike(english):
    samples = sound("en")[: 16000 * 7]
    for gain in (0.3, 3.0):
        spotter = Spotter(english)
        words = accepted(spotter.accept(np.clip(samples * np.float32(gain), -1, 1)) + spotter.flush())
        assert [word.type for word in words] == [Type.ROCK, Type.PAPER, Type.SCISSORS]


def test_memory_stays_bounded(english):
    spotter, minutes = Spotter(english), np.zeros(16000 * 16, np.float32)
    for second in range(16):
        spotter.accept(minutes[16000 * second : 16000 * (second + 1)])
    assert len(spotter._sound) < 16000 * 8
    assert len(spotter._window) < 60


def test_another_rate_is_refused(english):
    with pytest.raises(ValueError, match="resample first"):
        Spotter(english, 48000)


def test_a_model_of_the_users_own_gives_the_second_opinion():
    from models.call_model import package_directory

    spotter = Spotter(models.open_call_model(("ko",), directory=package_directory()))
    spotter.accept(np.zeros(32000, np.float32))
    assert spotter.flush() == []
