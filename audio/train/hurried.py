"""German and Spanish calls as players say them: in haste, and with every r that a German has.

The synthesisers read a word by itself at leisure: half a second and more, where a player who races takes a quarter. And
they know one r, espeak-ng a rolled one that few Germans speak. So `audio.train.build say KIND SEED OUT hurried` says
these calls again, up to two and a half times as fast, in several ways each, given as sounds and not as letters.
"""

# ruff: noqa: RUF001 - phonetic letters
from __future__ import annotations

from typing import TYPE_CHECKING

from audio.train import phrases

if TYPE_CHECKING:
    import numpy as np

    from audio.train.phrases import Phrase

HASTE = (1.0, 2.4)
"""How much faster than at leisure."""
LANGUAGES = ("de", "es")
CALLS_A_WORD = {"espeak": 120, "festival": 30, "piper": 60, "kokoro": 50, "mei": 60}
"""How often each call is said; twice as often scissors."""
NEAR = {"espeak": 2.0, "festival": 0.5, "piper": 1.0, "kokoro": 0.3, "mei": 0.0}
"""How often each other word is said."""

SOUNDS = {
    "de/rock": ("ʃtˈaɪn", "ʃtˈaɪn", "ʃtˈaːɪn", "ʃtˈɛɪn", "stˈaɪn"),
    "de/paper": ("papˈiːɐ", "papˈiːɐ", "papˈiːʁ", "papˈiːə", "papˈiːa", "pɐpˈiːɐ"),
    "de/scissors": (
        "ʃˈeːʁə", "ʃˈeːʁə", "ʃˈeːʁɐ", "ʃˈeːɐ", "ʃˈɛːʁə", "ʃˈeːɣə", "ʃˈeːxə", "ʃˈɛʁə", "ʃˈeːə", "ʃˈeːɾə",
        "ʃˈɛːɐ", "ʃˈeːɐʁə",
    ),
}  # fmt: skip
"""In phonetic letters."""
_ESPEAK = {
    "de/rock": ("St'aIn", "St'aI:n", "St'EIn"),
    "de/paper": ("pap'i:3", "pap'i:@", "pap'i:a", "pap'i:r"),
    "de/scissors": ("S'e:r@", "S'e:r@", "S'E:r@", "S'e:3", "S'e:@", "S'e:a", "S'e:Q@", "S'e:x@", "S'Er@"),
}
_UVULAR = ("fr", "da", "de", "nl")
"""Voices of espeak-ng whose languages have a German's vowels, two of them his r."""
KANA = {
    "de/rock": ("シュタイン", "シタイン", "シュタイヌ"),
    "de/paper": ("パピーア", "パピア", "パピーヤ"),
    "de/scissors": ("シェーラ", "シェーハ", "シェーア", "シェラ", "シェーガ"),
    "es/rock": ("ピエドラ", "ピェドラ"),
    "es/paper": ("パペル", "パペール"),
    "es/scissors": ("ティヘラ", "ティヘーラ", "ティヘラス", "ティヘーラス"),
}
"""For a Japanese voice."""


def sounds(phrase: Phrase, rng: np.random.Generator) -> str:
    """Phonetic letters of a call in one of its ways, empty where the synthesiser's own will do."""
    ways = SOUNDS.get(f"{phrase.language}/{phrase.label}", ("",))
    return ways[int(rng.integers(len(ways)))]


def espeak(phrase: Phrase, rng: np.random.Generator) -> tuple[str, str]:
    """Voice and text with which espeak-ng says a call in one of its ways; both empty where its own will do."""
    ways = _ESPEAK.get(f"{phrase.language}/{phrase.label}")
    if not ways:
        return "", ""
    return str(rng.choice(_UVULAR)), f"[[{ways[int(rng.integers(len(ways)))]}]]"


def plan(kind: str, rng: np.random.Generator) -> list[Phrase]:
    """Everything that one synthesiser shall say in haste, shuffled."""
    said: list[Phrase] = []
    for language in LANGUAGES:
        known = phrases.load(language)
        for label in ("rock", "paper", "scissors"):
            forms = [phrase for phrase in known if phrase.label == label]
            times = CALLS_A_WORD[kind] * (2 if label == "scissors" else 1) // (1 if language == "de" else 2)
            said += [forms[i % len(forms)] for i in range(times)]
        others = [phrase for phrase in known if phrase.label in ("-", "~", "")] if kind != "mei" else []
        said += [others[i] for i in rng.permutation(int(len(others) * NEAR[kind])) % max(1, len(others))]
    rng.shuffle(said)  # type: ignore[arg-type]
    return said
