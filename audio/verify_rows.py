"""Rows: what the verifier sees of a stream, one row every 30 ms, each made of nothing but sound already heard.

A row joins the acoustic network's bottleneck (which is late by 0.34 s, its own look ahead) to the mel bands of the
last 30 ms and to the embedding of the last three quarters of a second (`models.embedding`). So by the time that the
network has seen a word's end, the bands show the third of a second that followed: whether it stood alone or speech
went on.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np

from audio import features
from models import embedding
from models.acoustic import STEP, Stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from models.acoustic import Network

ROW_S = STEP * features.HOP / features.RATE
BLOCK_ROWS = 4
BLOCK = BLOCK_ROWS * STEP * features.HOP
"""Samples that make one block of rows: always fed in this size, so that results repeat to the last bit."""
FIRST_ROW_S = (features.HOP * (STEP - 1) + features.WINDOW) / features.RATE
"""The first row needs this much sound; row i is complete `i * ROW_S` later."""
BOTTLENECK, BANDS = slice(0, 64), slice(64, 104)
"""Where a row holds what; the embedding is the rest."""
WIDTH = 64 + 40 + embedding.WIDTH
_FRAMES = BLOCK_ROWS * STEP
_EARLIER = features.HOP
"""The embedding's frames are longer than the bands', so they begin a hop earlier: nothing of them is yet to come."""


class Rows:
    """Turns a mono stream at 16 kHz into rows."""

    def __init__(self, network: Network) -> None:
        self._stream, self._embedded = Stream(network), Embedded()
        self._samples: NDArray[np.float32] = features.with_dither(np.zeros(_EARLIER, np.float32), -_EARLIER)
        self._taken = 0

    def feed(self, samples: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Take samples, give the blocks of rows that are complete by now, each of shape (BLOCK_ROWS, WIDTH)."""
        self._samples = np.concatenate([self._samples, features.with_dither(samples, self._taken)])
        self._taken += len(samples)
        rows = []
        need = BLOCK + features.WINDOW - features.HOP
        while len(self._samples) >= _EARLIER + need:
            mels = features.log_mel(self._samples[_EARLIER : _EARLIER + need])
            hidden = self._stream.feed(features.cepstra(mels))
            sounds = self._embedded.feed(embedding.bands(self._samples[: _EARLIER + need])[:_FRAMES])
            rows.append(np.hstack([hidden, mels.reshape(BLOCK_ROWS, STEP, -1).mean(axis=1), sounds]))
            self._samples = self._samples[BLOCK:]
        return rows

    def ahead(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """All rows that are complete with `samples`, those of a block that is not, too; changes nothing.

        They are the rows that feeding will give, but for rounding.
        """
        other = copy.copy(self)
        other._stream, other._embedded = self._stream.fork(), copy.copy(self._embedded)  # noqa: SLF001
        blocks = [*other.feed(samples), other._begun()]  # noqa: SLF001
        return np.concatenate(blocks)

    def _begun(self) -> NDArray[np.float32]:
        """The complete rows of a block that is not."""
        count = (len(self._samples) - _EARLIER - features.WINDOW + features.HOP) // (STEP * features.HOP)
        if count <= 0 or not self._embedded.begun:
            return np.zeros((0, WIDTH), np.float32)
        need = count * STEP * features.HOP + features.WINDOW - features.HOP
        mels = features.log_mel(self._samples[_EARLIER : _EARLIER + need])
        hidden = self._stream.feed(features.cepstra(mels))
        sounds = self._embedded.ahead(embedding.bands(self._samples[: _EARLIER + need])[: STEP * count], count)
        return np.hstack([hidden, mels.reshape(count, STEP, -1).mean(axis=1), sounds])


class Embedded:
    """Embeddings of a stream: two a block, so that a row's is at most 30 ms old."""

    def __init__(self) -> None:
        self._frames: NDArray[np.float32] | None = None
        self._values: NDArray[np.float32] = np.zeros((0, 72, 8), np.float32)
        self._last: NDArray[np.float32] | None = None

    def feed(self, frames: NDArray[np.float32]) -> NDArray[np.float32]:
        """A block's `embedding.bands` to what its rows know by then, shape (BLOCK_ROWS, 96)."""
        if self._frames is None:
            self._frames = np.repeat(frames[:1], embedding.CONTEXT, axis=0)
            first = embedding.front(np.repeat(frames[:1], embedding.CONTEXT + embedding.STEP, axis=0))
            self._values = np.repeat(first, embedding.STEPS, axis=0)
        joined = np.concatenate([self._frames, frames])
        values = np.concatenate([self._values, embedding.front(joined)])
        ends = (embedding.STEPS + len(frames) // embedding.STEP // 2, len(values))
        half, whole = embedding.back(np.stack([values[n - embedding.STEPS : n] for n in ends]))
        last = half if self._last is None else self._last
        self._frames, self._values, self._last = joined[-embedding.CONTEXT :], values[-embedding.STEPS :], whole
        return np.stack([last, half, half, whole])

    @property
    def begun(self) -> bool:
        """Whether a block was fed."""
        return self._last is not None

    def ahead(self, frames: NDArray[np.float32], count: int) -> NDArray[np.float32]:
        """What the first `count` rows of the next block know, fewer than a block's; after the first block only."""
        assert self._frames is not None  # noqa: S101  (a block was fed)
        assert self._last is not None  # noqa: S101  (the same)
        if count == 1:
            return self._last[None]
        first = BLOCK_ROWS // 2 * STEP
        values = np.concatenate([self._values, embedding.front(np.concatenate([self._frames, frames[:first]]))])
        (half,) = embedding.back(values[-embedding.STEPS :][None])
        return np.stack([self._last, half, half][:count])


def rows_at_once(network: Network, samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows that feeding `samples` to `Rows` gives, but for rounding, in less than half the time."""
    joined = features.with_dither(np.concatenate([np.zeros(_EARLIER, np.float32), samples]), -_EARLIER)
    blocks = (len(joined) - _EARLIER - features.WINDOW + features.HOP) // BLOCK
    if blocks <= 0:
        return np.zeros((0, WIDTH), np.float32)
    joined = joined[: _EARLIER + blocks * BLOCK + features.WINDOW - features.HOP]
    mels = features.log_mel(joined[_EARLIER:])
    hidden = Stream(network).feed(features.cepstra(mels))
    frames = embedding.bands(joined)[: blocks * _FRAMES]
    before = np.repeat(frames[:1], embedding.CONTEXT, axis=0)
    first = embedding.front(np.repeat(frames[:1], embedding.CONTEXT + embedding.STEP, axis=0))
    later = embedding.front(np.concatenate([before, frames]))
    values = np.concatenate([np.repeat(first, embedding.STEPS, axis=0), later])
    half_block = _FRAMES // embedding.STEP // 2
    ends = embedding.STEPS + half_block * np.arange(1, 2 * blocks + 1)
    known = embedding.back(np.stack([values[n - embedding.STEPS : n] for n in ends]))
    half, whole = known[::2], known[1::2]
    last = np.concatenate([half[:1], whole[:-1]])
    sounds = np.stack([last, half, half, whole], axis=1).reshape(-1, embedding.WIDTH)
    return np.hstack([hidden, mels.reshape(len(hidden), STEP, -1).mean(axis=1), sounds])


def rows_of(network: Network, samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """All rows of a whole recording: for training."""
    blocks = Rows(network).feed(samples)
    return np.concatenate(blocks) if blocks else np.zeros((0, WIDTH), np.float32)
