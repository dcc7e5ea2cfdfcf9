"""Listening again where it is not clear what was called: the same sound slower, and as a lighter voice would say it.

The verifier is surest of words at the tempo and the pitch that it was fitted to. Who calls in haste or with a deep
voice is understood better once the sound is changed; and what only seemed a call seems none when it is. The views are
averaged like the networks' are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from audio import verify
from audio.features import RATE
from audio.resample import resampled
from audio.tempo import in_tempo
from audio.verify_rows import BLOCK, FIRST_ROW_S, ROW_S, rows_at_once

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from audio.verify import Verifier
    from models.acoustic import Network

    Floats = NDArray[np.float32]

SLOWER, LIGHTER = 0.8, 1.2
"""Tempo of the first view, at its own pitch; tempo and pitch of the second."""
BEFORE_S, AFTER_S = 1.9, 0.75
"""The sound that is heard again: from so long before the word's end until so long after it, if so much is there."""
DUE_S = (0.1, 0.6)
"""A call is due about a quarter of a second after its end: within this a view's highest logit counts."""
UNHEARD = -9.0
"""The logit where a view is too short to judge."""


def listen(network: Network, verifier: Verifier, sound: Floats, end_s: float) -> Floats:
    """Logits of all calls in each view, shape (2, calls).

    Args:
        network: the acoustic network.
        verifier: what judges the rows.
        sound: mono samples at 16 kHz around the word.
        end_s: when the word ends in them, seconds.
    """
    lifted = resampled(sound[None], round(RATE * LIGHTER), RATE)[0]
    views = ((in_tempo(sound, SLOWER), end_s / SLOWER), (lifted, end_s / LIGHTER))
    return np.array([_highest(network, verifier, view, view_end_s) for view, view_end_s in views])


def _highest(network: Network, verifier: Verifier, sound: Floats, end_s: float) -> Floats:
    """The highest smoothed logit of each call about the time at which one that ended then is due."""
    rows = rows_at_once(network, np.pad(sound, (0, BLOCK - len(sound) % BLOCK)))
    first, last = (round((end_s + due_s - FIRST_ROW_S) / ROW_S) for due_s in DUE_S)
    rows = rows[:last]
    count = min(len(rows) - max(first, 0), len(rows)) + verify.SMOOTH_ROWS - 1
    if len(rows) == 0 or count < verify.SMOOTH_ROWS:
        return np.full(len(verifier.calls), UNHEARD, np.float32)
    need = count + verify.WINDOW - 1
    rows = np.concatenate([np.repeat(rows[:1], max(0, need - len(rows)), axis=0), rows[-need:]])
    logits = verifier.outputs(rows)[:, 0]
    smooth = np.lib.stride_tricks.sliding_window_view(logits, verify.SMOOTH_ROWS, axis=0).mean(axis=-1)
    result: Floats = smooth.max(axis=0)
    return result
