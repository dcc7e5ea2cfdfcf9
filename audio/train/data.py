"""Rows and labels of many scenes: what the verifier is fitted to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audio.verify_rows import FIRST_ROW_S, ROW_S, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audio.train.scenes import Said, Scene
    from models.acoustic import Network

CALLS = (
    "en/rock", "en/paper", "en/scissors",
    "de/rock", "de/paper", "de/scissors",
    "es/rock", "es/paper", "es/scissors",
    "ko/rock", "ko/paper", "ko/scissors",
)  # fmt: skip
"""What the verifier tells apart, in the order of its outputs."""
DUE_S = (0.22, 0.34)
"""A call shall be reported when this long has passed since its end."""
LOOSE_S = (0.08, 0.52)
"""Around that, neither reporting nor silence is taught."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """Rows of one scene with what is due at each."""

    rows: NDArray[np.float16]
    due: NDArray[np.int8]
    """Shape (rows, calls): 1 due, 0 not, -1 not taught."""
    places: NDArray[np.float16]
    """Shape (rows, calls, 2): seconds back from the row to the start and the end of each call that is due, else 0."""


def label(rows: int, calls: Sequence[Said]) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """What is due at each of `rows` rows, given the calls in the scene."""
    now = FIRST_ROW_S + ROW_S * np.arange(rows)
    due, places = np.zeros((rows, len(CALLS)), np.int8), np.zeros((rows, len(CALLS), 2), np.float16)
    for said in calls:
        column, since = CALLS.index(said.call), now - said.end_s
        loose = (since >= LOOSE_S[0]) & (since <= LOOSE_S[1]) & (due[:, column] == 0)
        due[loose, column] = -1
    for said in calls:
        since = now - said.end_s
        right = (since >= DUE_S[0]) & (since <= DUE_S[1])
        column = CALLS.index(said.call)
        due[right, column] = 1
        places[right, column] = np.stack([now[right] - said.start_s, since[right]], axis=1)
    return due, places


def labelled(network: Network, scene: Scene) -> Labelled:
    """Rows and labels of a scene."""
    rows = rows_of(network, scene.samples)
    due, places = label(len(rows), scene.calls)
    return Labelled(rows.astype(np.float16), due, places)
