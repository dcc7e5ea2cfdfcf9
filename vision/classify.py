"""Reads flat cards: which kind of face, and how sure that is.

A small net (vision/decks/reader.onnx, trained on drawn cards only) sees each card upright, turned by half and, if there
is doubt, mirrored (no suit minds). What it says is a probability only after calibration, and a reading counts only if
the views agree. A face that is pale all over, in the glare of a lamp, is looked at once more with its ink darkened.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime as ort

from referee.errors import ModelError
from vision.decks import KINDS, READER
from vision.rectify import relative

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.decks import Deck

    Picture = NDArray[np.uint8]
    Worth = Callable[[NDArray[np.float32]], NDArray[np.bool_]]

TEMPERATURE = 1.0
"""Divides the logits."""
_SURELY_OTHER, _PLAIN = 0.97, 0.98
_NO_CARD = np.array([20.0 if kind == "other" else 0.0 for kind in KINDS], np.float32)
SURE = 0.90
"""Least probability at which a reading is given."""

_PALE, _INK = 0.35, 0.2
"""Shares of its white: a face is pale if its darkest parts are lighter than the one; they are darkened to the other."""
_STRANGE = 0.5
"""A card that is not in play is at most half as common on the table as others: they are sorted out before a game."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one flat card shows."""

    kind: str
    """One of the deck's kinds, or `clubs`, `back`, `other`."""
    confidence: float
    """Calibrated probability of `kind`."""
    second: str
    """The next most probable kind."""
    card: float
    """Probability that this is a card at all, face or back."""
    agreed: bool
    """Whether the views (upright, turned, mirrored) gave the same kind, all or three of four."""


@lru_cache(maxsize=1)
def _session() -> ort.InferenceSession:
    if not READER.is_file():
        raise ModelError(f"{READER.name}: the card reader's weights are missing from {READER.parent}; install again")
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return ort.InferenceSession(str(READER), options, providers=["CPUExecutionProvider"])


def look(flats: Sequence[Picture]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Logits and features of each flat card and of the same card turned by half.

    Args:
        flats: Pictures of `rectify.FLAT_SIZE`.

    Returns:
        Shapes (n, 2, kinds) and (n, 2, 64).
    """
    planes = np.stack([relative(flat) for flat in flats])
    both = np.stack([planes, planes[:, :, ::-1, ::-1]], axis=1).reshape(-1, *planes.shape[1:])
    logits, features = _run(both)
    return logits.reshape(len(flats), 2, -1), features.reshape(len(flats), 2, -1)


def _run(planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    logits, features = _session().run(None, {"flat": np.ascontiguousarray(planes)})
    return np.asarray(logits, np.float32), np.asarray(features, np.float32)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True), np.float32)


def read(flats: Sequence[Picture], deck: Deck, worth: Worth | None = None) -> list[Reading]:
    """Read flat cards as cards of `deck`.

    Args:
        flats: Pictures of `rectify.FLAT_SIZE`, blue green red.
        deck: What the cards can be; faces of other decks come back as `other`.
        worth: Says after the first view which flats are worth more views; the rest come back as `other`.
    """
    if not flats:
        return []
    if deck.examples is not None:
        from vision.enroll import read_enrolled  # noqa: PLC0415 - only enrolled decks need it

        return read_enrolled(flats, deck)
    planes = np.stack([relative(flat) for flat in flats])
    logits = _views(planes, worth)
    readings = [_judge(each, deck) for each in logits]
    for k, reading in enumerate(readings):
        face = KINDS[logits[k].mean(axis=0).argmax()] not in ("back", "other")
        if face and not (reading.agreed and reading.confidence >= SURE):
            darkened = _darkened(planes[k])
            if darkened is not None:
                readings[k] = _judge(_views(darkened[None])[0], deck)
    return readings


def _darkened(plane: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """A pale face without the light that lies on all of it; None if its ink is dark enough.

    Args:
        plane: As from `rectify.relative`.
    """
    ink = float(np.percentile(plane.mean(axis=0)[6:-6, 6:-6], 2))
    if not _PALE < ink < 1:
        return None
    veil = (ink - _INK) / (1 - _INK)
    return np.asarray(np.maximum(0, (plane - veil) / (1 - veil)), np.float32)


def _views(planes: NDArray[np.float32], worth: Worth | None = None) -> NDArray[np.float32]:
    """Logits of four views of each plane, shape (n, 4, kinds): upright, turned and, where there is doubt, mirrored."""
    views = [_run(planes)[0]]
    first = _softmax(views[0])
    again = first[:, KINDS.index("other")] < _SURELY_OTHER
    if worth is not None:
        dropped = again & ~worth(first)
        views[0][dropped] = _NO_CARD
        again &= ~dropped
    for turn in (np.s_[:, :, ::-1, ::-1], np.s_[:, :, :, ::-1], np.s_[:, :, ::-1, :]):
        # what is plainly no card is not looked at twice, what is plain from two views not a third time
        view = np.mean(views, axis=0)
        if again.any():
            view[again] = _run(planes[again][turn])[0]
        views.append(view)
        again &= _softmax(np.mean(views, axis=0)).max(axis=1) < _PLAIN
    return np.stack(views, axis=1)


def _judge(logits: NDArray[np.float32], deck: Deck) -> Reading:
    each = _softmax(logits / TEMPERATURE)
    mean = _softmax(logits.mean(axis=0) / TEMPERATURE)
    known = np.array([kind in deck.types or kind in deck.not_in_play or kind == "back" for kind in KINDS])
    folded = np.where(known, mean, 0)
    other = KINDS.index("other")
    folded[other] = mean[~known].sum()
    strange = np.array([kind in deck.not_in_play for kind in KINDS])
    folded = np.where(strange, _STRANGE * folded, folded)
    folded /= folded.sum()
    order = np.argsort(folded)[::-1]
    agreed = bool((each.argmax(axis=1) == mean.argmax()).mean() > 0.7)
    return Reading(KINDS[order[0]], float(folded[order[0]]), KINDS[order[1]], float(1 - mean[other]), agreed)
