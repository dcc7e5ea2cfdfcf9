"""Which of a language's words a sound was, when that somebody called is heard and the word is not.

Where two words compete in one sound (a hurried Schere begins as Stein does), the verifier looks at a second and a half
around it. The networks here see nothing but the word: its mel bands every 10 ms and the acoustic network's bottleneck,
laid where it begins. They were fitted to single calls alone (`audio.train.which`) and know nothing of talk, so they
move probability from one word to another and add none.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from audio.features import HOP, RATE, WINDOW, log_mel, with_dither
from audio.verify_rows import BOTTLENECK, FIRST_ROW_S, ROW_S
from referee.events import Type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

KINDS = (Type.ROCK, Type.PAPER, Type.SCISSORS)
"""In the order of the networks' outputs."""
BEFORE_S, FRAMES = 0.1, 52
"""The mel bands begin so long before the word; so many frames of 10 ms are looked at."""
ROWS_FROM_S, ROWS = 0.3, 9
"""The first row is the first that is complete so long after the word's beginning: its bottleneck is late by a third of
a second."""
QUIETEST = -10.0
"""How far below the loudest frame a mel band still counts (natural logarithm of power)."""
ONE_SOUND_S = 0.1
"""Words that begin this near compete for one sound."""
TRUSTED = 0.5
"""Of the scores' differences so much counts beside the networks': an assumption, not a measurement. Of hurried words by
voices that it never met the verifier takes every third Schere for a Stein."""
DISPUTED = 0.7
"""No word that the verifier did not hold for the likeliest is surer than this: a round that hangs on it is put to
review."""


@dataclass(frozen=True, slots=True)
class Which:
    """Networks whose opinions are averaged, for the words of one language."""

    language: str
    members: tuple[dict[str, Floats], ...]

    def log_chances(self, mels: Floats, rows: Floats) -> Floats:
        """Natural logarithms of the chances of `KINDS`, given that one of them was said.

        Args:
            mels: `FRAMES` x 40, from `BEFORE_S` before the word.
            rows: `ROWS` bottlenecks, from `ROWS_FROM_S` after its beginning.
        """
        bands = np.maximum(mels - mels.mean(axis=1).max(), QUIETEST)
        told = np.mean([_evaluate(member, bands, rows) for member in self.members], axis=0)
        result: Floats = told - np.logaddexp.reduce(told)
        return result


def _evaluate(a: Mapping[str, Floats], bands: Floats, rows: Floats) -> Floats:
    values = (bands - a["mean"]) / a["std"]
    for name in ("c1", "c2", "c3"):
        values = _convolved(values, a[f"{name}.weight"], a[f"{name}.bias"], 2)
    hidden = _convolved((rows - a["rmean"]) / a["rstd"], a["b1.weight"], a["b1.bias"], 1)
    hidden = _convolved(hidden, a["b2.weight"], a["b2.bias"], 2)
    joined = np.concatenate([values.T.ravel(), hidden.T.ravel()])
    last = np.maximum(joined @ a["j.weight"] + a["j.bias"], 0) @ a["o.weight"] + a["o.bias"]
    result: Floats = last - np.logaddexp.reduce(last)
    return result


def _convolved(values: Floats, weight: Floats, bias: Floats, stride: int) -> Floats:
    """Valid convolution along axis 0, then rectified; weight has the shape (taps, channels in, channels out)."""
    views = np.lib.stride_tricks.sliding_window_view(values, len(weight), axis=0)[::stride]
    result: Floats = np.maximum(np.einsum("nit,tio->no", views, weight) + bias, 0)
    return result


def mels_of(sound: Floats, first: int, start_s: float) -> Floats:
    """The bands that the networks look at.

    Args:
        sound: recent samples, full scale 1.
        first: the number of the first of them in its stream.
        start_s: the word's beginning in the stream.
    """
    begin = round((start_s - BEFORE_S) * RATE) - first
    count = (FRAMES - 1) * HOP + WINDOW
    cut = sound[max(0, begin) : max(0, begin + count)]
    found = log_mel(with_dither(cut, max(0, begin) + first))
    if not len(found):
        return np.zeros((FRAMES, 40), np.float32)
    lead = min(FRAMES - len(found), -(min(0, begin) // HOP))
    return np.pad(found, ((lead, FRAMES - len(found) - lead), (0, 0)), mode="edge")


def rows_of(rows: Floats, last_row: int, start_s: float) -> Floats:
    """The bottlenecks that the networks look at, of recent `rows` of which the last is number `last_row`."""
    first = int(np.ceil((start_s + ROWS_FROM_S - FIRST_ROW_S) / ROW_S - 1e-4)) - (last_row + 1 - len(rows))
    at = np.clip(np.arange(first, first + ROWS), 0, len(rows) - 1)
    result: Floats = rows[at][:, BOTTLENECK]
    return result


def moved(scores: Sequence[float], log_chances: Floats, heard: Sequence[bool]) -> list[float]:
    """New log-odds of a sound's words: the odds that it was any of them, shared out by scores and chances.

    Where the same word stays the likeliest, no other one gets less likely: two players may have said two words.

    Args:
        scores: log-odds of `KINDS`.
        log_chances: of the same (`Which.log_chances`).
        heard: whether each was heard at all; what was not adds nothing to the odds.
    """
    old = np.asarray(scores, float)
    share = TRUSTED * old + log_chances
    share -= np.logaddexp.reduce(share)
    total = np.logaddexp.reduce(old[np.asarray(heard)])
    chance = np.exp(share - np.logaddexp(0, -total))
    best = share.argmax()
    if best != old.argmax():
        chance[best] = min(chance[best], DISPUTED)
    new = np.log(chance) - np.log1p(-np.minimum(chance, 1 - 1e-9))
    if best == old.argmax():
        others = np.arange(len(old)) != best
        new[others] = np.maximum(new, old)[others]
    return [float(one) for one in new]


def from_arrays(stored: Mapping[str, NDArray[np.generic]]) -> dict[str, Which]:
    """What `audio.train.which` wrote, by language."""
    found = {}
    for language in (str(name) for name in stored["languages"]):
        members: dict[str, dict[str, Floats]] = {}
        for name, value in stored.items():
            if name.startswith(f"{language}/"):
                _, member, weight = name.split("/")
                members.setdefault(member, {})[weight] = np.asarray(value, np.float32)
        found[language] = Which(language, tuple(members[name] for name in sorted(members)))
    return found


@functools.cache
def load() -> dict[str, Which]:
    """Those that ship with the referee, by language."""
    with (resources.files("models") / "which.npz").open("rb") as file, np.load(file) as stored:
        return from_arrays(dict(stored))
