"""Where a word that was taught by saying it is said again: sayings laid on a stream by dynamic time warping.

Each saying is a row of vectors of length 1 every 30 ms; so is the stream. The distance of two is 1 - cosine. A saying
may be stretched or pressed to half its length (moves of Itakura 1975), and its distance at a row of the stream is the
mean along the best path that ends there. A word's distance is the mean of its two nearest sayings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.float32]

FAR = np.float32(1e6)
NEAREST = 2
"""Sayings that a word's distance is the mean of: one alone may be odd."""


class Matcher:
    """Sayings of one word against a stream that comes row by row."""

    def __init__(self, sayings: Sequence[Rows]) -> None:
        """Take the sayings, each of shape (n, 64), n of at least 3."""
        longest = max(len(saying) for saying in sayings)
        self._table = np.zeros((len(sayings), longest, sayings[0].shape[1]), np.float32)
        for i, saying in enumerate(sayings):
            self._table[i, : len(saying)] = saying
        self._ends = np.array([len(saying) - 1 for saying in sayings])
        self._each = np.arange(len(sayings))
        shape = self._table.shape[:2]
        self._cost, self._before = np.full(shape, FAR, np.float32), np.full(shape, FAR, np.float32)
        self._start, self._start_before = np.zeros(shape, np.intp), np.zeros(shape, np.intp)
        self._last = np.full(shape, FAR, np.float32)
        self._row = 0

    def feed(self, row: Rows) -> tuple[float, int]:
        """Take the next row of the stream, shape (64,), of length 1.

        Returns:
            The word's distance if it ends here, and the row at which it then began.
        """
        here = 1 - self._table @ row
        cost = np.full(here.shape, FAR, np.float32)
        start = np.zeros(here.shape, np.intp)
        one = self._cost[:, :-1] + here[:, 1:]
        slow = self._before[:, :-1] + (here[:, 1:] + self._last[:, 1:]) / 2
        fast = np.full(one.shape, FAR, np.float32)
        fast[:, 1:] = self._cost[:, :-2] + here[:, 2:] + here[:, 1:-1]
        start_fast = np.zeros(one.shape, np.intp)
        start_fast[:, 1:] = self._start[:, :-2]
        cost[:, 1:], start[:, 1:] = one, self._start[:, :-1]
        for other, begun in ((slow, self._start_before[:, :-1]), (fast, start_fast)):
            better = other < cost[:, 1:]
            cost[:, 1:][better], start[:, 1:][better] = other[better], begun[better]
        cost[:, 0], start[:, 0] = here[:, 0], self._row
        self._before, self._start_before, self._last = self._cost, self._start, here
        self._cost, self._start = cost, start
        self._row += 1
        ended = cost[self._each, self._ends] / (self._ends + 1)
        nearest = np.argsort(ended)[:NEAREST]
        return float(ended[nearest].mean()), int(start[nearest[0], self._ends[nearest[0]]])


def track(sayings: Sequence[Rows], stream: Rows) -> tuple[Rows, NDArray[np.intp]]:
    """Distances and beginnings at every row of a whole stream, shape (rows,) each."""
    matcher = Matcher(sayings)
    found = [matcher.feed(row) for row in stream]
    return np.array([d for d, _ in found], np.float32), np.array([s for _, s in found], np.intp)


def lowest(distances: Rows, apart: int = 15) -> list[tuple[float, int]]:
    """Minima that are at least `apart` rows from each other, the lowest first, with their rows."""
    left, found = distances.copy(), []
    while len(left) and left.min() < FAR / 100:
        row = int(left.argmin())
        found.append((float(distances[row]), row))
        left[max(0, row - apart) : row + apart + 1] = FAR
    return found
