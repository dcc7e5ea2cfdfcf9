"""A second opinion: Vosk decodes the span in which the verifier believes to have heard a call.

Each span gets a recogniser of its own, with silence before it. So nothing depends on what was heard earlier, no word
is lost at a seam, and a recogniser never runs for longer than two seconds.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from audio.features import RATE, with_dither

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from models import CallModel
    from referee.events import Type

BEFORE_S = 0.5
"""Sound before the word that the decoder hears too: a word of more is then more than one word."""
_PRE_ROLL_S = 0.5
"""Silence in front: Vosk loses short words at the very beginning."""
_OVERLAP_S = 0.08


def opinions(
    model: CallModel, samples: NDArray[np.float32], language: str, span_s: tuple[float, float]
) -> dict[Type, tuple[float, str]]:
    """How surely Vosk hears calls within `span_s` of `samples`, and the words that it heard.

    Args:
        model: the call model, or one of the user's own.
        samples: mono, 16 kHz, full scale 1: the word with what surrounds it.
        language: of the calls.
        span_s: where the word should be, in seconds from the first sample.

    Returns:
        For every type heard, confidence up to 1 and the word in the model's own spelling.
    """
    recogniser = model.recogniser(RATE)
    quiet = np.zeros(round(_PRE_ROLL_S * RATE), np.float32)
    sound = with_dither(np.concatenate([quiet, samples]), 0)
    recogniser.AcceptWaveform(np.clip(np.rint(sound * 32767), -32768, 32767).astype("<i2").tobytes())
    heard: list[dict[str, Any]] = json.loads(recogniser.FinalResult()).get("result", [])
    best: dict[Type, tuple[float, str]] = {}
    for entry in heard:
        word = model.words.get(entry["word"])
        begin, end = entry["start"] - _PRE_ROLL_S, entry["end"] - _PRE_ROLL_S
        inside = min(end, span_s[1]) - max(begin, span_s[0]) >= _OVERLAP_S
        if word is not None and word.type is not None and inside and word.language == language:
            best[word.type] = max(best.get(word.type, (0.0, "")), (float(entry["conf"]), word.word))
    return best
