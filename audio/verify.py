"""The verifier: a small network over rows that says, every 30 ms, whether a call ended a quarter of a second ago.

It is trained by `audio.train` on synthetic voices and recordings and evaluated here in plain numpy.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from audio.verify_rows import BANDS, WIDTH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

WINDOW = 50
"""Rows that one verdict looks at: a second and a half."""
_QUIETEST = -12.0
"""How far below the loudest moment of the window a mel band still counts (natural logarithm of power)."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """Networks of three convolutions and a hidden layer, with outputs for every call and for its start and end."""

    calls: tuple[str, ...]
    """`language/type`, in the order of the outputs."""
    members: tuple[dict[str, NDArray[np.float32]], ...]
    """Weights of networks whose outputs are averaged: two that were fitted apart err apart."""
    threshold: float
    """The operating point: what scores above it is accepted as a call."""
    slope: float
    gain: float
    """Of the verifier's logit, and of the second opinion, in the score."""
    bias: NDArray[np.float32]
    """Of every call in the score."""

    def score(self, column: int, logit: float, opinion: float) -> float:
        """Log-odds that this was that call, at a table where calls are made (`audio.train.calibrate`)."""
        return float(self.slope * logit + self.gain * opinion + self.bias[column])

    def outputs(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Outputs for every window in `rows` of shape (n, WIDTH): shape (n - WINDOW + 1, 3, calls).

        Logits of the calls, then how many seconds ago each began, then ended: of use where it is due.
        """
        views = np.lib.stride_tricks.sliding_window_view(rows, WINDOW, axis=0).transpose(0, 2, 1)
        loudest = views[:, :, BANDS].mean(axis=2).max(axis=1)[:, None, None]
        values = views.copy()
        values[:, :, BANDS] = np.maximum(views[:, :, BANDS] - loudest, _QUIETEST)
        mean = sum(_evaluate(member, values) for member in self.members) / len(self.members)
        return np.asarray(mean, np.float32).reshape(len(values), 3, len(self.calls))


def _evaluate(a: Mapping[str, NDArray[np.float32]], values: NDArray[np.float32]) -> NDArray[np.float32]:
    """One network over windows of shape (n, WINDOW, WIDTH)."""
    values = (values - a["mean"]) * a["scale"]
    for name, stride in (("first", 1), ("second", 2), ("third", 2)):
        values = _convolve(values, a[f"{name}.weight"], a[f"{name}.bias"], stride)
    flat = values.transpose(0, 2, 1).reshape(len(values), -1)
    hidden = np.maximum(flat @ a["joined.weight"] + a["joined.bias"], 0)
    result: NDArray[np.float32] = hidden @ a["out.weight"] + a["out.bias"]
    return result


def _convolve(
    values: NDArray[np.float32], weight: NDArray[np.float32], bias: NDArray[np.float32], stride: int
) -> NDArray[np.float32]:
    """Valid convolution along axis 1, then rectified; weight has the shape (taps * channels in, channels out)."""
    batch, _, channels = values.shape
    taps = len(weight) // channels
    spread = np.lib.stride_tricks.sliding_window_view(values, taps, axis=1)[:, ::stride]
    flat = spread.transpose(0, 1, 3, 2).reshape(-1, taps * channels)
    result: NDArray[np.float32] = np.maximum(flat @ weight + bias, 0).reshape(batch, -1, weight.shape[1])
    return result


def from_arrays(stored: Mapping[str, NDArray[np.generic]]) -> Verifier:
    """The verifier that `audio.train.calibrate` wrote.

    Raises:
        ValueError: it belongs to another version of the rows.
    """
    count = int(np.asarray(stored["members"]))
    members = tuple(
        {
            name.split("/")[1]: np.ascontiguousarray(value, np.float32)
            for name, value in stored.items()
            if name.startswith(f"{n}/")
        }
        for n in range(count)
    )
    if any((len(m["mean"]), len(m["out.bias"])) != (WIDTH, 3 * len(np.asarray(stored["calls"]))) for m in members):
        raise ValueError("these weights belong to another version of the rows")
    threshold, slope, gain = (float(value) for value in np.asarray(stored["point"], float))
    bias = np.asarray(stored["bias"], np.float32)
    return Verifier(tuple(str(name) for name in stored["calls"]), members, threshold, slope, gain, bias)


@functools.cache
def load() -> Verifier:
    """The verifier that ships with the referee."""
    with (resources.files("models") / "verifier.npz").open("rb") as file, np.load(file) as stored:
        return from_arrays(dict(stored))
