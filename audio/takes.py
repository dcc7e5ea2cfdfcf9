"""What somebody says into a recording to teach the referee: single utterances, and calls with their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audio.resample import Resampler
from referee.errors import UsageError
from referee.events import CallHeard

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from models import CallModel
    from referee.media import AudioBlock

    Floats = NDArray[np.float32]

RATE = 16000
FRAME = 160
PAUSE_S = 0.25
"""Sounds farther apart than this are two utterances: no word has a longer closure within it."""
SHORTEST_S, LONGEST_S = 0.12, 1.4
"""Of an utterance; longer ones are no single word."""
ABOVE_DB = 12.0
"""Above the quietest tenth of a recording, from which on it counts as sound."""
BELOW_DB = 38.0
"""Below the loudest moment, from which on it does not."""


@dataclass(frozen=True, slots=True)
class Take:
    """One utterance."""

    samples: Floats
    """Mono."""
    rate: int
    at_s: float
    """Where it begins in its recording."""
    word: str = ""
    """The call that was heard in it, if that was asked for."""


def mono(blocks: Iterable[AudioBlock]) -> Floats:
    """A recording as one channel at 16 kHz, gaps of time left out.

    Raises:
        UsageError: there is no sound in it.
    """
    parts: list[Floats] = []
    change: Resampler | None = None
    for block in blocks:
        channel = block.samples.mean(axis=0, keepdims=True)
        if block.rate == RATE:
            parts.append(channel[0])
            continue
        change = change or Resampler(block.rate, RATE)
        parts.append(change.feed(channel)[0])
    if change is not None:
        parts.append(change.finish()[0])
    sound = np.concatenate(parts) if parts else np.zeros(0, np.float32)
    if len(sound) < SHORTEST_S * RATE or not np.abs(sound).max() > 1e-4:
        raise UsageError("there is no sound in it; is the microphone muted?")
    return np.asarray(sound, np.float32)


def utterances(sound: Floats) -> list[Take]:
    """The single utterances of a recording: sounds with quiet around them, in order.

    Args:
        sound: mono, 16 kHz.

    Returns:
        Those of a word's length, cut with 50 ms around them.
    """
    count = len(sound) // FRAME
    if not count:
        return []
    power = (sound[: count * FRAME].reshape(count, FRAME).astype(np.float64) ** 2).mean(axis=1)
    db = 10 * np.log10(power + 1e-12)
    quiet = float(np.quantile(db, 0.1))
    limit = max(min(quiet + ABOVE_DB, db.max() - 10), db.max() - BELOW_DB)
    loud = np.flatnonzero(db > limit)
    pieces: list[tuple[int, int]] = []
    for frame in loud.tolist():
        if pieces and (frame - pieces[-1][1]) * FRAME < PAUSE_S * RATE:
            pieces[-1] = (pieces[-1][0], frame + 1)
        else:
            pieces.append((frame, frame + 1))
    around = round(0.05 * RATE)
    takes = []
    for first, last in pieces:
        if SHORTEST_S <= (last - first) * FRAME / RATE <= LONGEST_S:
            begin = max(0, first * FRAME - around)
            takes.append(Take(sound[begin : last * FRAME + around], RATE, begin / RATE))
    return takes


def calls(blocks: Iterable[AudioBlock], model: CallModel) -> list[Take]:
    """The calls that are heard in a recording, cut as judging cuts them to know a voice.

    Raises:
        UsageError: there is no sound in it.
    """
    from audio.listen import listen  # noqa: PLC0415 - loads the recogniser

    sound = mono(blocks)
    found = [e for e in listen(_again(sound), model, layout="one") if isinstance(e, CallHeard)]
    takes = []
    for call in found:
        if call.accepted and call.type is not None and not call.contested:
            first, last = (round(t * RATE) for t in (call.time_s - 0.02, max(call.end_s, call.time_s + 0.2)))
            takes.append(Take(sound[max(0, first) : last], RATE, call.time_s, call.word))
    return takes


def _again(sound: Floats) -> Iterable[AudioBlock]:
    """The sound as blocks, with quiet before and after it: a word at the very beginning is heard too."""
    from referee.media import AudioBlock  # noqa: PLC0415 - a type elsewhere

    quiet = np.zeros(RATE, np.float32)
    yield AudioBlock(-1.0, quiet[None], RATE)
    for at in range(0, len(sound), RATE // 10):
        yield AudioBlock(at / RATE, sound[None, at : at + RATE // 10], RATE)
    yield AudioBlock(len(sound) / RATE, quiet[None], RATE)
