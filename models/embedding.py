"""Google's speech embedding: what a stretch of three quarters of a second sounds like, in 96 numbers.

The network learned to tell thousands of words said by very many people ("Training keyword spotters with limited and
synthesized speech data", Lin et al., 2020), so that what is fitted on top of it with synthetic voices hears people.
The two files are openWakeWord's conversion of it (see NOTICE), cut in two where what follows depends on where a window
begins (`audio.train.embedding`), so that a stream does the first part once.
"""

from __future__ import annotations

import functools
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH = 96
STEP = 2
"""Frames of `bands` between two values of the front, and the grid on which windows may begin."""
CONTEXT, STEPS = 20, 28
"""Frames before its own that a value of the front looks at, and values of the front in one embedding: 0.775 s."""
RATE, HOP, WINDOW, SIZE = 16000, 160, 400, 512
"""Frames are 25 ms long and in the middle of `SIZE` samples, every 10 ms."""
_BANDS, _LOW_HZ, _HIGH_HZ = 32, 60.0, 3800.0


def _mel(hertz: NDArray[np.float64]) -> NDArray[np.float64]:
    """Slaney's scale: linear up to 1 kHz, logarithmic above."""
    above = 15 + 27 * np.log(np.maximum(hertz, 1.0) / 1000) / np.log(6.4)
    return np.asarray(np.where(hertz < 1000, hertz * 3 / 200, above))


@functools.cache
def _tables() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Hann window in the middle of `SIZE` samples, and triangular filters of unit area, shape (257, 32)."""
    side = (SIZE - WINDOW) // 2
    window = np.pad(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW), side)
    hertz = np.arange(0, RATE / 2 + 0.5, 0.5)
    low, high = _mel(np.array([_LOW_HZ, _HIGH_HZ]))
    edges = np.asarray(np.interp(np.linspace(low, high, _BANDS + 2), _mel(hertz), hertz))
    bins = np.fft.rfftfreq(SIZE, 1 / RATE)[:, None]
    rise, fall = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2]), (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    filters = np.maximum(0, np.minimum(rise, fall)) * 2 / (edges[2:] - edges[:-2])
    return window.astype(np.float32), filters.astype(np.float32)


def bands(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Levels of 32 mel bands in dB, shape (frames, 32), of samples of full scale 1 at 16 kHz.

    Frame i covers the samples from 160 i to 160 i + 512; there are as many as fit.
    """
    window, filters = _tables()
    count = max(0, 1 + (len(samples) - SIZE) // HOP)
    if not count:
        return np.zeros((0, _BANDS), np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(np.asarray(samples, np.float32), SIZE)[::HOP][:count] * 32768
    power = (np.abs(np.fft.rfft(frames * window)) ** 2).astype(np.float32) @ filters
    return np.asarray(10 * np.log10(np.maximum(power, 1e-10)), np.float32)


def front(frames: NDArray[np.float32]) -> NDArray[np.float32]:
    """What windows that overlap share: `bands` of shape (n, 32) to values of shape ((n - CONTEXT) / STEP, 72, 8)."""
    (found,) = _session("front").run(None, {_IN["front"]: (frames / 10 + 2)[None, None]})
    return np.asarray(found[0].transpose(1, 0, 2), np.float32)


def back(windows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Windows of the front's values, shape (n, STEPS, 72, 8), to embeddings of shape (n, WIDTH)."""
    (found,) = _session("back").run(None, {_IN["back"]: np.ascontiguousarray(windows.transpose(0, 2, 1, 3))})
    return np.asarray(found, np.float32).reshape(len(windows), WIDTH)


_IN = {"front": "model/conv2d/Conv2D__6:0", "back": "model/tf.math.maximum_10/Maximum:0"}


@functools.cache
def _session(part: str) -> Any:
    """One half of the network: `front` or `back`.

    Raises:
        ModelError: its file is missing or damaged.
    """
    import onnxruntime  # noqa: PLC0415 - opens slowly

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        weights = (resources.files("models") / f"embedding_{part}.onnx").read_bytes()
        return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has a class for each reason
        raise ModelError(f"models/embedding_{part}.onnx is missing or damaged; install the referee again") from error
