"""What was read already: the same sight is not read again at once.

Packs in hands and piles put down look like cards for the whole of a game. Each is read when it is new, and then, as
long as it looks the same, after ever longer pauses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.motion import difference

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.motion import Look

PAUSE_S = 0.22
"""Before the second look at the same sight; it doubles with each, so that a third comes within a card's patience."""
LONGEST_S = 1.76
CELL = 4
"""Small-picture pixels to a side of what is compared: a hand that holds a pack still trembles by one or two."""
UNLIKE = 16
"""Levels by which a cell looks different from when it was read: twice what differs from the still table."""
SAME_SHARE = 0.2
"""Of a sight that is still the same, less than this share looks different: a finger moves more, a card much more."""


class Sights:
    """Remembers at each place what it looked like when it was read, when, and how often since it looks like that.

    Args:
        shape: height and width of the small picture.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        cells = (-(-shape[0] // CELL), -(-shape[1] // CELL))
        self._yuv = np.zeros((*cells, 3), np.uint8)
        self._read_s = np.full(cells, -1e9, np.float32)
        self._times = np.zeros(cells, np.uint8)
        self._look: Look | None = None
        self._seen = self._yuv
        """The cells of that look: of one picture several pieces are asked for."""

    def due(self, part: tuple[slice, slice], piece: NDArray[np.bool_], now: Look, *, on_cards: bool = False) -> int:
        """Is it time to read this piece, and for which time since it looks like this? If so it is noted as read.

        Args:
            part: where in the small picture.
            piece: which places there.
            now: how it looks.
            on_cards: it lies on known cards, where a new one differs little: pauses do not grow.

        Returns:
            0 if it is not due, 1 for the first look, more for a further one.
        """
        at_cells = self._cells_of(part, piece)
        if now is not self._look:
            self._seen, self._look = self._cells(now.yuv), now
        seen = self._seen[at_cells]
        unlike = difference(seen[:, None], self._yuv[at_cells][:, None])[:, 0] > UNLIKE
        times = self._times[at_cells]
        count = 0
        if float(np.mean(unlike | (times == 0))) < SAME_SHARE:
            count = 1 if on_cards else int(np.median(times))
            pause = min(LONGEST_S, PAUSE_S * 2 ** (count - 1))
            if now.time_s - float(np.median(self._read_s[at_cells])) < pause:
                return 0
        self._yuv[at_cells] = seen
        self._read_s[at_cells] = now.time_s
        self._times[at_cells] = min(count + 1, 16)
        return count + 1

    def forget(self, place: NDArray[np.bool_] | None = None) -> None:
        """Read this place again soon, or every place: what lies there changed, or the camera was pushed."""
        self._times[self._cells(255 * place.astype(np.uint8)) > 0 if place is not None else np.s_[:]] = 0

    def _cells_of(
        self, part: tuple[slice, slice], piece: NDArray[np.bool_]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows and columns of the cells that a piece touches."""
        rows, columns = np.nonzero(piece)
        touched = np.zeros(self._times.shape, np.bool_)
        touched[(rows + part[0].start) // CELL, (columns + part[1].start) // CELL] = True
        at = np.nonzero(touched)
        return at[0], at[1]

    def _cells(self, small: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Means of cells."""
        size = (self._times.shape[1], self._times.shape[0])
        return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.uint8)
