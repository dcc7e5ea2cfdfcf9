"""Rows and the acoustic network: the same numbers however they are computed, and numbers that mean phones."""

import numpy as np
import pytest

from audio import features, verify
from audio.verify_rows import BLOCK_ROWS, WIDTH, Rows, rows_of
from models import acoustic, kaldi, phones
from models.call_model import package_directory


@pytest.fixture(scope="module")
def network():
    return acoustic.read_network(package_directory() / "am" / "final.mdl")


def noise(seconds):
    return np.random.default_rng(1).normal(0, 0.1, int(16000 * seconds)).astype(np.float32)


def test_streamed_rows_equal_those_of_the_whole(network):
    samples, rows = noise(2.0), Rows(network)
    blocks = [block for at in range(0, len(samples), 1000) for block in rows.feed(samples[at : at + 1000])]
    assert all(block.shape == (BLOCK_ROWS, WIDTH) for block in blocks)
    streamed, whole = np.concatenate(blocks), rows_of(network, samples)
    np.testing.assert_allclose(streamed, whole[: len(streamed)], rtol=1e-3, atol=1e-3)


def test_rows_ahead_are_those_that_will_be_fed(network):
    samples, stream, given = noise(2.0), Rows(network), 0
    whole = rows_of(network, samples)
    assert len(Rows(network).ahead(samples[:1000])) == 0
    for first in range(0, len(samples) - 2400, 777):
        given += sum(map(len, stream.feed(samples[first : first + 777])))
        ahead = stream.ahead(samples[first + 777 : first + 777 + 900])[: max(0, len(whole) - given)]
        assert np.allclose(ahead, whole[given : given + len(ahead)], atol=1e-3)
        assert given < BLOCK_ROWS or len(ahead) >= 1


def test_a_tone_lies_in_its_own_mel_band():
    t = np.arange(16000) / 16000
    low = features.log_mel((0.1 * np.sin(2 * np.pi * 200 * t)).astype(np.float32)).mean(axis=0)
    high = features.log_mel((0.1 * np.sin(2 * np.pi * 4000 * t)).astype(np.float32)).mean(axis=0)
    assert low.argmax() < 8
    assert 28 < high.argmax() < 36


def test_dither_belongs_to_the_sample_number_and_not_to_the_cut():
    samples = noise(1.5)
    cut = np.concatenate([features.with_dither(samples[:7000], 0), features.with_dither(samples[7000:], 7000)])
    np.testing.assert_array_equal(cut, features.with_dither(samples, 0))


def test_silence_sounds_like_silence_to_the_network(network):
    tuples = kaldi.read_tuples(package_directory() / "am" / "final.mdl")
    hidden = rows_of(network, np.zeros(16000 * 2, np.float32))[:, :64]
    best = acoustic.scores(network, hidden[20:]).argmax(axis=1)
    silent = {int(pdf) for phone, _, *pdfs in tuples if phone < 11 for pdf in pdfs}
    assert np.mean([state in silent for state in best]) > 0.9
    assert phones.phone_id("P", "B") == 11


def test_the_shipped_verifier_knows_every_language_and_is_calibrated():
    shipped = verify.load()
    assert {call.split("/")[0] for call in shipped.calls} == {"en", "de", "es", "ko"}
    scores = [shipped.score(0, logit, 0.0) for logit in (-5.0, 0.0, 5.0)]
    assert scores == sorted(scores)
    assert shipped.score(0, 2.0, 1.0) > shipped.score(0, 2.0, 0.0)


def test_weights_of_another_layout_are_refused():
    with pytest.raises(ValueError, match="another version of the rows"):
        verify.from_arrays(
            {"members": np.array(1), "calls": np.array(["en/rock"]), "0/mean": np.zeros(3), "0/out.bias": np.zeros(3)}
        )
