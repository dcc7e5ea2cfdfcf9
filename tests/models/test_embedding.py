"""The speech embedding: its frames, its two halves as one stream, and words of a kind that lie together."""

from __future__ import annotations

import numpy as np
import pytest

from audio.verify_rows import Embedded
from models import embedding
from referee.errors import ModelError

RATE = embedding.RATE


def tone(hertz, seconds=1.5):
    return (0.1 * np.sin(2 * np.pi * hertz * np.arange(int(RATE * seconds)) / RATE)).astype(np.float32)


def noise(seconds=3.0, seed=1):
    return (0.05 * np.random.default_rng(seed).normal(size=int(RATE * seconds))).astype(np.float32)


def test_there_are_as_many_frames_as_fit():
    assert embedding.bands(noise()[: embedding.SIZE - 1]).shape == (0, 32)
    assert embedding.bands(noise()[: embedding.SIZE]).shape == (1, 32)
    assert embedding.bands(noise()[: embedding.SIZE + embedding.HOP]).shape == (2, 32)


def test_a_higher_tone_lies_in_a_higher_band():
    tops = [int(embedding.bands(tone(f)).mean(axis=0).argmax()) for f in (100, 300, 1000, 2000, 3500)]
    assert tops == sorted(set(tops))


def test_ten_times_the_sound_is_twenty_decibels():
    assert np.allclose(embedding.bands(noise() * 10) - embedding.bands(noise()), 20, atol=0.01)


def test_a_stream_in_blocks_is_the_network_over_each_window():
    frames = embedding.bands(noise())[:240]
    stream = Embedded()
    rows = np.concatenate([stream.feed(frames[i : i + 12]) for i in range(0, 240, 12)])
    for block in (8, 15):
        end = 12 * (block + 1)
        window = frames[end - 76 : end]
        alone = embedding.back(embedding.front(window)[None])[0]
        assert np.abs(rows[4 * block + 3] - alone).max() < 1e-3 * np.abs(alone).max()


def test_a_row_knows_nothing_that_comes_after_it():
    frames = embedding.bands(noise())[:120]
    changed = frames.copy()
    changed[114:] += 6.0  # the second half of the last block
    rows, others = (
        np.concatenate([stream.feed(f[i : i + 12]) for i in range(0, 120, 12)])
        for stream, f in ((Embedded(), frames), (Embedded(), changed))
    )
    assert np.array_equal(rows[:39], others[:39])
    assert not np.array_equal(rows[39], others[39])


def test_missing_weights_are_said_in_one_line(monkeypatch, tmp_path):
    embedding._session.cache_clear()
    monkeypatch.setattr(embedding.resources, "files", lambda _: tmp_path)
    with pytest.raises(ModelError, match=r"embedding_front\.onnx is missing or damaged"):
        embedding.front(np.zeros((32, 32), np.float32))
    (tmp_path / "embedding_front.onnx").write_bytes(b"\x08\x07 not a network")
    with pytest.raises(ModelError, match=r"embedding_front\.onnx is missing or damaged"):
        embedding.front(np.zeros((32, 32), np.float32))
    embedding._session.cache_clear()
