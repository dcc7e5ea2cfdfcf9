"""What is said in haste for training: every call in ways that each synthesiser can read."""

import numpy as np
import pytest

from audio.train import hurried, phrases


@pytest.mark.parametrize("kind", sorted(hurried.CALLS_A_WORD))
def test_every_call_is_said_and_scissors_most(kind):
    said = hurried.plan(kind, np.random.default_rng(1))
    for language in hurried.LANGUAGES:
        counts = [
            sum(p.language == language and p.label == label for p in said) for label in ("rock", "paper", "scissors")
        ]
        assert min(counts) > 0
        assert max(counts) == counts[2]


def test_german_calls_are_said_in_several_ways_and_other_words_in_the_synthesisers_own():
    rng = np.random.default_rng(2)
    call = next(p for p in phrases.load("de") if p.label == "scissors")
    other = next(p for p in phrases.load("de") if p.label == "~")
    assert len({hurried.sounds(call, rng) for _ in range(60)}) > 5
    assert len({hurried.espeak(call, rng) for _ in range(60)}) > 5
    assert hurried.sounds(other, rng) == ""
    assert hurried.espeak(other, rng) == ("", "")


def test_mei_can_read_every_call():
    called = {f"{p.language}/{p.label}" for p in hurried.plan("mei", np.random.default_rng(3))}
    assert called <= set(hurried.KANA)
