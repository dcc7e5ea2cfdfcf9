"""What the synthetic voices say: calls, words that sound like calls, table talk and sentences, one file a language."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something to say."""

    text: str
    language: str
    label: str
    """`rock`, `paper` or `scissors` for a call; `-` for a word that is none, `~` for one that sounds like a call;
    empty for a sentence."""


def load(language: str) -> tuple[Phrase, ...]:
    """All phrases of `language`."""
    text = (resources.files("audio.train") / "phrases" / f"{language}.txt").read_text(encoding="utf-8")
    found = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            label, said = line.split("\t")
            texts = said.split(";") if label in ("-", "~") else [said]
            found += [Phrase(one, language, label) for one in texts]
    return tuple(found)
