"""Which word a sound was moves probability from one word to another, and adds none."""

from pathlib import Path

import av
import numpy as np
import pytest

import models
from audio import which
from audio.features import RATE, log_mel, with_dither
from audio.verify_rows import BOTTLENECK, FIRST_ROW_S, ROW_S, rows_of

BEGINS_S = (1.013, 3.09, 5.107)
"""When Stein, Papier and Schere begin in the recording."""


def sound():
    with av.open(str(Path(__file__).parent / "data" / "calls-de.flac")) as file:
        parts = [frame.to_ndarray()[0] for frame in file.decode(audio=0)]
    return (np.concatenate(parts) / 32768).astype(np.float32)


def chance(score):
    return 1 / (1 + np.exp(-score))


def logs(*chances):
    return np.log(np.asarray(chances, np.float32))


ALL = (True, True, True)


def test_the_word_that_the_sound_was_takes_the_place_of_the_likeliest():
    stein, _, schere = which.moved((0.5, -2.0, -0.5), logs(0.02, 0.01, 0.97), ALL)
    assert schere > 0.5 > -1 > stein


def test_a_word_that_took_anothers_place_is_never_sure():
    moved = which.moved((4.0, -2.0, 3.0), logs(1e-6, 1e-6, 1.0), ALL)
    assert chance(moved[2]) == pytest.approx(which.DISPUTED)


def test_where_the_likeliest_word_stays_no_other_gets_less_likely():
    old = (2.0, -2.0, 1.0)
    moved = which.moved(old, logs(0.98, 0.01, 0.01), ALL)
    assert moved[1] >= old[1]
    assert moved[2] >= old[2]


@pytest.mark.parametrize("told", [(0.98, 0.01, 0.01), (0.01, 0.01, 0.98), (1 / 3, 1 / 3, 1 / 3)])
def test_no_word_gets_likelier_than_that_somebody_called(told):
    old = np.array((1.0, -2.0, 0.2))
    moved = which.moved(old, logs(*told), ALL)
    assert max(moved) <= np.logaddexp.reduce(old) + 1e-6


def test_what_was_not_heard_adds_nothing_to_the_odds():
    moved = which.moved((1.0, -2.0, -2.0), logs(0.98, 0.01, 0.01), (True, False, False))
    assert moved[0] <= 1.0


def test_german_words_are_told_apart_in_the_sound_itself():
    samples = sound()
    rows = rows_of(models.open_call_model(("de",)).network, samples)
    for kind, start_s in enumerate(BEGINS_S):
        mels = which.mels_of(samples, 0, start_s)
        told = which.load()["de"].log_chances(mels, which.rows_of(rows, len(rows) - 1, start_s))
        assert told.argmax() == kind
        assert np.exp(told).sum() == pytest.approx(1, abs=1e-4)


def test_bands_are_those_of_the_stream_wherever_the_kept_sound_begins():
    samples = sound()[: 2 * RATE]
    whole = log_mel(with_dither(samples, 0))[91 : 91 + which.FRAMES]
    assert np.allclose(which.mels_of(samples[5000:], 5000, 1.01), whole)


def test_a_word_at_the_very_beginning_or_end_is_filled_up():
    samples = sound()[: RATE // 4]
    for start_s in (0.0, 0.2, 3.0):
        assert which.mels_of(samples, 0, start_s).shape == (which.FRAMES, 40)


def test_rows_are_those_complete_a_third_of_a_second_after_the_beginning():
    rows = np.arange(40, dtype=np.float32)[:, None] * np.ones(200, np.float32)
    last_row, start_s = 139, 3.5
    first = which.rows_of(rows, last_row, start_s)[0, 0] + last_row + 1 - len(rows)
    assert FIRST_ROW_S + ROW_S * first >= start_s + which.ROWS_FROM_S > FIRST_ROW_S + ROW_S * (first - 1)
    assert which.rows_of(rows, last_row, start_s).shape == (which.ROWS, BOTTLENECK.stop)
