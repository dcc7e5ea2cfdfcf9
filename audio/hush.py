"""Steady noise taken out of a stream: a fan, rain, a hood, the hiss of a microphone.

The noise of each frequency is what its power seldom falls below over the last seconds, and its gain follows the
decision-directed rule (Ephraim and Malah 1984): what stands out stays whole, what does not is turned down, never to
nothing, and not at all where the noise is faint. Talk and music pass: they do not stay. Only recognisers read this;
onsets and levels are measured on the sound as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Spectra = NDArray[np.complex64]

MOST_DB, ENOUGH_DB, STANDS_OUT_DB = 15.0, 37.0, 10.0
"""Noise is turned down by so much at most, and by less where it is then so far below the loudest sound of late: in a
quiet room nothing is changed. How far below it is, is judged as long as something stands out of it by the third."""
FADES_DB_S, DEEPENS_DB_S, FRAMES_S = 1.0, 20.0, 125.0
"""What was loud counts less and less. A noise is turned down slowly, so that the soft beginning of a first word is not
taken for the loudest there is. Frames a second."""
REMEMBERED, EVERY = 125, 4
"""Noise is read from so many powers, one every so many frames: four seconds of 8 ms."""
SELDOM, MORE = 0.1, 1.6
"""The share of them that lie below the noise; times that, for what is seldom is less than the mean. With more in two
seconds a talk without pauses counts as noise, and its words stand out alone."""
_LINGERS = 0.8
"""Of a power, from one frame to the next, before it is remembered."""
_TRUSTED = 0.92
"""Of what the last frame was found to be, in the ratio of sound to noise."""


class Hush:
    """Turns down the steady noise of streams of short spectra, one frame after another."""

    def __init__(self, streams: int, bins: int) -> None:
        self._power: Floats = np.zeros((streams, bins), np.float32)
        self._past: Floats = np.zeros((0, streams, bins), np.float32)
        self._noise: Floats = np.zeros((streams, bins), np.float32)
        self._sound: Floats = np.ones((streams, bins), np.float32)
        self._loudest: Floats = np.zeros((streams, 1), np.float32)
        self._floor: Floats = np.ones((streams, 1), np.float32)
        self._frames = 0

    def gains(self, spectra: NDArray[Any]) -> Floats:
        """What to multiply spectra with, shape (streams, frames, bins); each frame's is known when it is complete."""
        power: Floats = (np.abs(spectra) ** 2).astype(np.float32)
        out: Floats = np.empty_like(power)
        for i in range(power.shape[1]):
            out[:, i] = self._gain(power[:, i])
        return out

    def _gain(self, power: Floats) -> Floats:
        self._power = power if not self._frames else _LINGERS * self._power + (1 - _LINGERS) * power
        if self._frames % EVERY == 0:
            self._past = np.concatenate([self._past[1 - REMEMBERED :], self._power[None]])
            rank = int(SELDOM * (len(self._past) - 1))
            self._noise = MORE * np.partition(self._past, rank, axis=0)[rank]
        self._frames += 1
        self._judge()
        ratio = power / (self._noise + np.float32(1e-12))
        likely = _TRUSTED * self._sound + (1 - _TRUSTED) * np.maximum(ratio - 1, 0)
        gain = np.maximum(likely / (1 + likely), self._floor)
        self._sound = gain**2 * ratio
        out: Floats = gain.astype(np.float32)
        return out

    def _judge(self) -> None:
        """How far noise is turned down from here on."""
        loud, noise = (v.sum(axis=1, keepdims=True) for v in (self._power, self._noise))
        self._loudest = np.maximum(loud, self._loudest * np.float32(10 ** (-FADES_DB_S / FRAMES_S / 10)))
        above_db = 10 * np.log10((self._loudest + np.float32(1e-12)) / (noise + np.float32(1e-12)))
        floor = 10 ** (-np.clip(ENOUGH_DB - above_db, 0, MOST_DB) / 20)
        floor = np.maximum(floor, self._floor * 10 ** (-DEEPENS_DB_S / FRAMES_S / 20))
        self._floor = np.where(above_db > STANDS_OUT_DB, floor, self._floor).astype(np.float32)
