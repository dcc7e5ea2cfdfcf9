"""What two channels are: the stereo pair of one device, or a microphone for each of two players.

A device's own two microphones are a hand's width apart: every voice is about as loud at one as at the other. Two
players' microphones hear each voice much louder at one side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.media import AudioBlock

LISTENED_S = 20.0
"""So much of a recording's beginning is compared: a call or two, and cards put down."""
SPREAD_DB = 8.0
"""Spread of the difference in level (10 % to 90 % of the loud moments) from which there are two devices: eight staged
recordings had 2 to 4 dB for pairs 0.16 m apart and 13 dB for a phone before each player."""
_STEP_S, _LOUD = 0.02, 0.1  # length of a moment, share of the moments that are loud


def guess(blocks: Iterable[AudioBlock]) -> str:
    """The layout of a recording: `one`, `stereo` or `own`, from its beginning.

    Args:
        blocks: sound in time order; no more than `LISTENED_S` of it is taken.
    """
    levels: list[np.ndarray] = []
    for block in blocks:
        channels = block.samples.shape[0]
        if channels != 2:
            return "one" if channels < 2 else "own"
        levels.append(_levels(np.asarray(block.samples, np.float32), block.rate))
        if sum(k.shape[1] for k in levels) * _STEP_S >= LISTENED_S:
            break
    both = np.concatenate(levels, axis=1) if levels else np.zeros((2, 0), np.float32)
    if both.shape[1] < 10:
        return "stereo"
    loudest = both.max(axis=0)
    loud = both[:, loudest >= np.quantile(loudest, 1 - _LOUD)]
    low, high = np.quantile(loud[0] - loud[1], [0.1, 0.9])
    return "own" if high - low > SPREAD_DB else "stereo"


def _levels(samples: np.ndarray, rate: int) -> np.ndarray:
    """Level of each moment in dB, shape (channels, moments); differences of samples, so that rumble does not count."""
    size = round(_STEP_S * rate)
    steps = np.diff(samples, axis=1)
    count = steps.shape[1] // size
    power = np.square(steps[:, : count * size]).reshape(samples.shape[0], count, size).mean(axis=2)
    return np.asarray(10 * np.log10(power + 1e-12), np.float32)
