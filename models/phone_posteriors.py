"""Which phone each moment of a sound is, as the packaged acoustic network sees it, whatever stands around it.

The network scores 2,616 states of phones in contexts. Of each phone the best state counts, whatever its context and its
position in a word, so that 42 phones and silence remain. From such a table the phones of a word that nobody has written
down can be found (`decode`), and how well given phones fit it (`fit`).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from models import acoustic, kaldi
from models.call_model import packaged
from models.phones import GROUPS, base

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from models.acoustic import Network

    Rows = NDArray[np.float32]

SILENT = "-"
"""The column of silence and noise; not a phone of a lexicon."""
NAMES: tuple[str, ...] = (SILENT, *GROUPS)
FLOOR = -9.0
"""Of what a table holds."""


@functools.cache
def _states() -> tuple[NDArray[np.intp], ...]:
    """Numbers of the states of every phone in `NAMES`."""
    tuples = kaldi.read_tuples(packaged("am/final.mdl"))
    column = {group: NAMES.index(name) for name, group in GROUPS.items()}
    found: list[set[int]] = [set() for _ in NAMES]
    for phone, _, forward, loop in tuples.tolist():
        found[column.get(base(phone), 0)] |= {forward, loop}
    return tuple(np.array(sorted(states)) for states in found)


def posteriors(network: Network, bottleneck: Rows) -> Rows:
    """Logarithm of the share of every phone in `NAMES`, shape (n, phones), of bottleneck rows (n, 64).

    A measure to compare phones by, no calibrated probability: the network was not trained to tell phones alone.
    """
    scores = acoustic.scores(network, bottleneck)
    best = np.stack([scores[:, states].max(axis=1) for states in _states()], axis=1)
    best -= best.max(axis=1, keepdims=True)
    shares = np.exp(best)
    result: Rows = np.maximum(np.log(shares / shares.sum(axis=1, keepdims=True)), np.float32(FLOOR))
    return result


@dataclass(frozen=True, slots=True)
class Decoded:
    """A row of phones with the rows in which each lies."""

    phones: tuple[str, ...]
    first: int
    """The first row that is not silence."""
    last: int
    """The row after the last that is not silence."""


def decode(table: Rows, change_cost: float = 2.5) -> Decoded:
    """The likeliest row of phones, any phone after any.

    Args:
        table: what `posteriors` gave, shape (n, phones).
        change_cost: what going on to another phone costs, in natural logarithms: higher gives fewer phones.

    Returns:
        Phones without the silence around them; empty if all is silence. Silence within a word is left out too: it is
        how the network sees the closure of a plosive.
    """
    count, phones = table.shape
    best, back = table[0].copy(), np.zeros((count, phones), np.intp)
    for row in range(1, count):
        leader = int(best.argmax())
        leave = best[leader] - change_cost
        back[row] = np.where(best >= leave, np.arange(phones), leader)
        best = np.maximum(best, leave) + table[row]
    path = np.zeros(count, np.intp)
    path[-1] = int(best.argmax())
    for row in range(count - 1, 0, -1):
        path[row - 1] = back[row, path[row]]
    sounding = np.flatnonzero(path)
    if not len(sounding):
        return Decoded((), 0, 0)
    heard = [int(p) for i, p in enumerate(path) if p and (i == 0 or path[i - 1] != p)]
    return Decoded(tuple(NAMES[p] for p in heard), int(sounding[0]), int(sounding[-1]) + 1)


def fit(table: Rows, phones: Sequence[str]) -> float:
    """How well phones, in this order and each at least a row long, fit all of a table: mean logarithm a row.

    Minus infinity if there are more phones than rows.
    """
    columns = [NAMES.index(name) for name in phones]
    if not columns or len(columns) > len(table):
        return float("-inf")
    emitted = table[:, columns]
    best = np.full(len(columns), -np.inf)
    best[0] = emitted[0, 0]
    for row in emitted[1:]:
        best = np.maximum(best, np.concatenate([[-np.inf], best[:-1]])) + row
    return float(best[-1] / len(table))
