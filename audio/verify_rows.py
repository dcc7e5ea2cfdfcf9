"""Rows: what the verifier sees of a stream, one row every 30 ms, each made of nothing but sound already heard.

A row joins the acoustic network's bottleneck (which is late by 0.34 s, its own look ahead) to the mel bands of the
last 30 ms. So by the time that the network has seen a word's end, the bands show the third of a second that followed:
whether it stood alone or speech went on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from audio import features
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
WIDTH = 64 + 40


class Rows:
    """Turns a mono stream at 16 kHz into rows."""

    def __init__(self, network: Network) -> None:
        self._stream = Stream(network)
        self._samples: NDArray[np.float32] = np.zeros(0, np.float32)
        self._taken = 0

    def feed(self, samples: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Take samples, give the blocks of rows that are complete by now, each of shape (BLOCK_ROWS, WIDTH)."""
        self._samples = np.concatenate([self._samples, features.with_dither(samples, self._taken)])
        self._taken += len(samples)
        rows = []
        need = BLOCK + features.WINDOW - features.HOP
        while len(self._samples) >= need:
            mels = features.log_mel(self._samples[:need])
            hidden = self._stream.feed(features.cepstra(mels))
            rows.append(np.hstack([hidden, mels.reshape(BLOCK_ROWS, STEP, -1).mean(axis=1)]))
            self._samples = self._samples[BLOCK:]
        return rows


def rows_of(network: Network, samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """All rows of a whole recording at once: quick, and equal to `Rows` up to rounding. For training."""
    mels = features.log_mel(features.with_dither(samples, 0))
    mels = mels[: len(mels) // STEP * STEP]
    hidden = Stream(network).feed(features.cepstra(mels))
    return np.hstack([hidden, mels.reshape(len(hidden), STEP, -1).mean(axis=1)])
