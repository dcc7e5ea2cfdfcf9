"""Hearing a sound again: slower at its own pitch, and lighter; unclear calls are judged by all views."""

import numpy as np
import pytest

from audio import again, verify
from audio.tempo import in_tempo
from audio.verify_rows import rows_at_once, rows_of
from models import acoustic
from models.call_model import package_directory


@pytest.fixture(scope="module")
def network():
    return acoustic.read_network(package_directory() / "am" / "final.mdl")


def tone(hertz, seconds=1.0):
    return (0.2 * np.sin(2 * np.pi * hertz * np.arange(int(16000 * seconds)) / 16000)).astype(np.float32)


@pytest.mark.parametrize("faster", [0.67, 0.8, 1.5])
def test_another_tempo_changes_the_length_and_not_the_pitch(faster):
    changed = in_tempo(tone(440.0), faster)
    assert len(changed) == pytest.approx(16000 / faster, rel=0.03)
    middle = changed[len(changed) // 4 : 3 * len(changed) // 4]
    peak = np.abs(np.fft.rfft(middle * np.hanning(len(middle)))).argmax() * 16000 / len(middle)
    assert peak == pytest.approx(440.0, abs=6)
    assert np.abs(middle).max() == pytest.approx(0.2, rel=0.1)


@pytest.mark.parametrize("count", [0, 1920, 2160, 40000])
def test_rows_made_at_once_are_those_of_the_stream(network, count):
    samples = np.random.default_rng(2).normal(0, 0.05, count).astype(np.float32)
    np.testing.assert_allclose(rows_at_once(network, samples), rows_of(network, samples), atol=1e-3)


@pytest.mark.parametrize("seconds", [0.0, 0.1, 0.5, 2.6])
def test_however_little_sound_there_is_every_call_has_a_logit_in_each_view(network, seconds):
    sound = np.random.default_rng(3).normal(0, 0.05, int(16000 * seconds)).astype(np.float32)
    views = again.listen(network, verify.load(), sound, min(seconds, 1.9))
    assert views.shape == (2, len(verify.load().calls))
    assert np.isfinite(views).all()
    assert views.max() < 0, "noise is no call"
