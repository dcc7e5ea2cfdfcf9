"""The verifier: a small network over rows that says, every 30 ms, whether a call ended a quarter of a second ago.

It is trained by `audio.train` on synthetic voices and recordings and evaluated here in plain numpy.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from audio.verify_rows import BANDS, WIDTH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

WINDOW = 50
"""Rows that one verdict looks at: a second and a half."""
SMOOTH_ROWS = 3
"""Logits are averaged over this many rows: a call is due for about four."""
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
    lower: NDArray[np.float32]
    """By how much less is enough for a call of that kind, where its language is called falsely less often."""
    _first: _First = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_first", _First(self.members))

    def score(self, column: int, logit: float, opinion: float) -> float:
        """Log-odds that this was that call, at a table where calls are made (`audio.train.calibrate`)."""
        return float(self.slope * logit + self.gain * opinion + self.bias[column])

    def least(self, column: int) -> float:
        """The score from which a call of that kind is accepted."""
        return self.threshold - float(self.lower[column])

    def outputs(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Outputs for every window in `rows` of shape (n, WIDTH): shape (n - WINDOW + 1, 3, calls).

        Logits of the calls, then how many seconds ago each began, then ended: of use where it is due.
        """
        first = self._first(rows)
        each = first.shape[2] // len(self.members)
        parts = [first[:, :, k * each : (k + 1) * each] for k in range(len(self.members))]
        told = [_evaluate(member, part) for member, part in zip(self.members, parts, strict=True)]
        return np.asarray(sum(told) / len(told), np.float32).reshape(len(first), 3, len(self.calls))


class _First:
    """The first convolution of all members over all windows, rectified: nine tenths of the arithmetic.

    Windows overlap by all rows but one, and only the bands of a row look different in each, for they are taken
    relative to the window's loudest. So the rest of each row is convolved once, not once a window.
    """

    def __init__(self, members: Sequence[Mapping[str, NDArray[np.float32]]]) -> None:
        self._middle = np.asarray(np.mean([a["mean"] for a in members], axis=0), np.float32)
        weights, biases = [], []
        for a in members:
            # The members' own means and scales become part of their weights.
            weight = a["first.weight"].reshape(-1, WIDTH, len(a["first.bias"])) * a["scale"][:, None]
            weights.append(weight)
            biases.append(a["first.bias"] - np.einsum("w,twc->c", a["mean"] - self._middle, weight))
        joined, self._bias = np.concatenate(weights, axis=2), np.concatenate(biases).astype(np.float32)
        self._taps, channels = len(joined), joined.shape[2]
        self._bands = np.ascontiguousarray(joined[:, BANDS].reshape(-1, channels), np.float32)
        self._rest = np.ascontiguousarray(np.delete(joined, BANDS, axis=1).reshape(-1, channels), np.float32)

    def __call__(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Rows of shape (n, WIDTH) to values of shape (n - WINDOW + 1, WINDOW - taps + 1, channels of all members)."""
        slide = np.lib.stride_tricks.sliding_window_view
        loudest = slide(rows[:, BANDS].mean(axis=1), WINDOW).max(axis=1)
        rest = _spread(np.delete(rows - self._middle, BANDS, axis=1)[None], self._taps) @ self._rest
        wide = WINDOW - self._taps + 1
        views = slide(rows[:, BANDS], WINDOW, axis=0).transpose(0, 2, 1)
        bands = np.maximum(views - loudest[:, None, None], _QUIETEST) - self._middle[BANDS]
        out = (_spread(bands, self._taps) @ self._bands).reshape(len(views), wide, -1)
        out += slide(rest, wide, axis=0).transpose(0, 2, 1)
        out += self._bias
        result: NDArray[np.float32] = np.maximum(out, 0, out=out)
        return result


def _evaluate(a: Mapping[str, NDArray[np.float32]], values: NDArray[np.float32]) -> NDArray[np.float32]:
    """What one network makes of the values of its first convolution."""
    for name, stride in (("second", 2), ("third", 2)):
        values = _convolve(values, a[f"{name}.weight"], a[f"{name}.bias"], stride)
    flat = values.transpose(0, 2, 1).reshape(len(values), -1)
    hidden = np.maximum(flat @ a["joined.weight"] + a["joined.bias"], 0)
    result: NDArray[np.float32] = hidden @ a["out.weight"] + a["out.bias"]
    return result


def _convolve(
    values: NDArray[np.float32], weight: NDArray[np.float32], bias: NDArray[np.float32], stride: int
) -> NDArray[np.float32]:
    """Valid convolution along axis 1, then rectified; weight has the shape (taps * channels in, channels out)."""
    flat = _spread(values, len(weight) // values.shape[2], stride)
    result: NDArray[np.float32] = np.maximum(flat @ weight + bias, 0).reshape(len(values), -1, weight.shape[1])
    return result


def _spread(values: NDArray[np.float32], taps: int, stride: int = 1) -> NDArray[np.float32]:
    """What each output of a convolution along axis 1 sees, shape (outputs of all in axis 0, taps * channels)."""
    span = (values.shape[1] - taps) // stride * stride + 1
    seen = np.concatenate([values[:, k : k + span : stride] for k in range(taps)], axis=2)
    return seen.reshape(-1, taps * values.shape[2])


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
    lower = np.asarray(stored.get("lower", np.zeros_like(bias)), np.float32)
    return Verifier(tuple(str(name) for name in stored["calls"]), members, threshold, slope, gain, bias, lower)


@functools.cache
def load() -> Verifier:
    """The verifier that ships with the referee."""
    with (resources.files("models") / "verifier.npz").open("rb") as file, np.load(file) as stored:
        return from_arrays(dict(stored))
