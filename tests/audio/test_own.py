"""A microphone a player: a word that may be another's call is kept as a doubt; another word is not doubted so."""

import numpy as np
import pytest

from audio.fronts import ManyFront
from audio.gather import Stretch
from audio.own import PERHAPS_STRAY, OwnFront
from referee.events import CallHeard, Type

RATE = 48000


def call(at_s, side, kind):
    other = "ch1" if side == "ch0" else "ch0"
    return CallHeard(
        time_s=at_s,
        sigma_ms=4,
        end_s=at_s + 0.4,
        type=kind,
        word=str(kind),
        probability=0.9,
        seats={side: 0.97, other: 0.03},
    )


@pytest.mark.parametrize(
    ("second", "reasons", "contested"),
    [(Type.ROCK, ["", PERHAPS_STRAY], [True, False]), (Type.PAPER, ["", ""], [False, False])],
    ids=["the same word", "another word"],
)
def test_only_the_same_word_may_be_anothers_call(monkeypatch, second, reasons, contested):
    calls = [call(1.0, "ch0", Type.ROCK), call(1.04, "ch1", second)]
    monkeypatch.setattr(ManyFront, "resolve", lambda *_: calls)
    monkeypatch.setattr(OwnFront, "_doubtful", lambda _self, one, _stretch: one is calls[1])
    stretch = Stretch(np.random.default_rng(0).normal(0, 0.01, (2, 3 * RATE)).astype(np.float32), RATE, 0.0)
    heard = OwnFront(2).resolve([], stretch)
    assert [one.reason or "" for one in heard] == reasons
    assert [bool(one.contested) for one in heard] == contested
