"""The few Kaldi and OpenFst file formats that building a graph needs, read and written with numpy alone."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from models.phones import base

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_FST_MAGIC = 2125659606


class Arc(NamedTuple):
    """One arc of a transducer; `cost` is a negative natural logarithm."""

    into: int
    out: int
    cost: float
    target: int


@dataclass(frozen=True, slots=True)
class ConstFst:
    """The constant transducer inside an `olabel_lookahead` file: arcs of state s are offset[s] .. + count[s]."""

    start: int
    offset: NDArray[np.uint32]
    count: NDArray[np.uint32]
    arcs: NDArray[np.void]


def read_tuples(model: Path) -> NDArray[np.int32]:
    """Transition tuples of a Kaldi model file, shape (n, 4): phone, HMM state, forward pdf, self-loop pdf.

    Tuple k has the transition ids 2k + 1 (self-loop) and 2k + 2 (forward).
    """
    data = model.read_bytes()
    at = data.index(b"<Tuples> ") + len(b"<Tuples> ")
    (count,) = struct.unpack_from("<i", data, at + 1)
    fields = np.frombuffer(data, np.dtype([("bytes", "i1"), ("value", "<i4")]), 4 * count, at + 5)
    return fields["value"].reshape(count, 4).astype(np.int32)


def read_const_fst(path: Path) -> ConstFst:
    """Read the constant transducer that an `olabel_lookahead` file wraps."""
    data = path.read_bytes()
    at = data.index(struct.pack("<i", _FST_MAGIC), 4) + 4
    for _ in range(2):  # type of transducer, type of arc
        at += 4 + struct.unpack_from("<i", data, at)[0]
    at += 8  # version and flags
    _, start, states, arcs = struct.unpack_from("<Qqqq", data, at)
    at += 32
    state = np.frombuffer(data, "<f4,<u4,<u4,<u4,<u4", states, at)
    arc = np.dtype([("into", "<i4"), ("out", "<i4"), ("cost", "<f4"), ("target", "<i4")])
    return ConstFst(start, state["f1"], state["f2"], np.frombuffer(data, arc, arcs, at + 20 * states))


def write_vector_fst(path: Path, states: Sequence[Sequence[Arc]], finals: Collection[int]) -> None:
    """Write an OpenFst `vector` transducer of `standard` arcs that starts at state 0."""
    with path.open("wb") as file:
        file.write(struct.pack("<i", _FST_MAGIC))
        for text in (b"vector", b"standard"):
            file.write(struct.pack("<i", len(text)) + text)
        file.write(struct.pack("<iiQqqq", 2, 0, 3, 0, len(states), 0))
        for number, arcs in enumerate(states):
            file.write(struct.pack("<fq", 0.0 if number in finals else math.inf, len(arcs)))
            file.writelines(struct.pack("<iifi", *arc) for arc in arcs)


def walk_contexts(tuples: NDArray[np.int32], fst: ConstFst) -> dict[tuple[int, int], int]:
    """Which transition tuple each (left phone, phone) has; the left phone is 0 at the start of an utterance.

    The decision tree is not shipped, but every pair that it tells apart is on some path of the package's graph:
    walking it from the start, with the last phone remembered, finds 8,407 pairs with one tuple each.
    """
    offset, count = fst.offset.tolist(), fst.count.tolist()
    label, target = fst.arcs["into"].tolist(), fst.arcs["target"].tolist()
    phones, last_label = tuples[:, 0].tolist(), 2 * len(tuples)
    found: dict[tuple[int, int], int] = {}
    seen, stack = {(fst.start, 0)}, [(fst.start, 0)]
    while stack:
        state, left = stack.pop()
        for arc in range(offset[state], offset[state] + count[state]):
            transition, phone = label[arc], left
            if 0 < transition <= last_label and transition % 2 == 0:
                phone = phones[transition // 2 - 1]
                found[left, phone] = transition // 2 - 1
            node = (target[arc], phone)
            if node not in seen:
                seen.add(node)
                stack.append(node)
    return found


class Contexts:
    """Transition tuples by (left phone, phone), with the nearest known context where a pair never occurs."""

    def __init__(self, table: NDArray[np.integer]) -> None:
        """Take `table`, shape (n, 3): left phone, phone, tuple."""
        rows = [(int(left), int(phone), int(number)) for left, phone, number in table]
        self._exact = {(left, phone): number for left, phone, number in rows}
        self._by_base: dict[tuple[int, int], int] = {}
        self._any: dict[int, int] = {}
        for left, phone, number in rows:
            self._by_base.setdefault((base(left), phone), number)
            self._any.setdefault(phone, number)

    def knows(self, phone: int) -> bool:
        """Whether `phone` occurs at all: some phones never stand in some positions."""
        return phone in self._any

    def tuple_for(self, left: int, phone: int) -> int:
        """Tuple of `phone` after `left`."""
        exact = self._exact.get((left, phone))
        if exact is not None:
            return exact
        return self._by_base.get((base(left), phone), self._any[phone])
