"""Synthesise clips, and mix them to labelled scenes.

`python -m audio.train.build say KIND SEED OUT` writes OUT.npy and OUT.json; kinds are espeak, flite, festival, piper
and kokoro. With `hurried` behind it German and Spanish alone are said, in haste (`audio.train.hurried`), also by mei.
`python -m audio.train.build mix SEED SCENES OUT.npz CLIPS...` mixes what `say` and `audio.train.recorded`
wrote; `talk` in place of `mix` makes scenes in which nobody calls.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from audio.train import data, hurried, phrases, scenes, voices
from models.acoustic import read_network
from models.call_model import packaged
from referee.events import Type

if TYPE_CHECKING:
    from numpy.typing import NDArray

LANGUAGES = {
    "espeak": ("en", "de", "es", "ko"), "flite": ("en",), "festival": ("es", "de"), "piper": ("en", "de", "es"),
    "kokoro": ("en", "de", "es", "ko"),
}  # fmt: skip
"""What each synthesiser speaks."""
CALLS_A_WORD = {"espeak": 160, "flite": 40, "festival": 60, "piper": 50, "kokoro": 36}
"""How often each call is said; twice as often in English, half as often again in German and Spanish."""
REPEATS = {"espeak": (6, 4), "flite": (2, 2), "festival": (1, 1), "piper": (2, 2), "kokoro": (1, 1)}
"""How often each other word and each sentence is said."""
KIND_OF = {"-": "word", "~": "near", "": "talk", "noise": "noise", "music": "music"}
_MORE = {"en": 2.0, "de": 1.5, "es": 1.5, "ko": 1.0}


def plan(kind: str, rng: np.random.Generator) -> list[phrases.Phrase]:
    """Everything that one synthesiser shall say, shuffled."""
    said: list[phrases.Phrase] = []
    for language in LANGUAGES[kind]:
        calls: dict[str, list[phrases.Phrase]] = {}
        for phrase in phrases.load(language):
            if phrase.label in ("", "-", "~"):
                said += [phrase] * REPEATS[kind][phrase.label == ""]
            else:
                calls.setdefault(phrase.label, []).append(phrase)
        for forms in calls.values():
            said += [forms[i % len(forms)] for i in range(int(CALLS_A_WORD[kind] * _MORE[language]))]
    rng.shuffle(said)  # type: ignore[arg-type]
    return said


def trimmed(samples: NDArray[np.float32]) -> NDArray[np.int16]:
    """The utterance with 10 ms before it and 20 ms after it, at full level."""
    loud = np.flatnonzero(np.abs(samples) > 0.01 * np.abs(samples).max())
    cut = samples[max(0, loud[0] - 160) : loud[-1] + 320]
    return np.asarray(cut / np.abs(cut).max() * 29000, np.int16)


def say(kind: str, seed: int, out: Path, *, hurry: bool = False) -> None:
    """Synthesise all phrases with random disguises of one synthesiser."""
    makers: dict[str, type[Any]] = {
        "espeak": voices.Espeak, "flite": voices.Flite, "festival": voices.Festival, "piper": voices.Piper,
        "kokoro": voices.Kokoro, "mei": voices.Mei,
    }  # fmt: skip
    voice, rng = makers[kind](), np.random.default_rng(seed)
    voice.hurried = hurry
    clips, index, at = [], [], 0
    for phrase in (hurried.plan if hurry else plan)(kind, rng):
        samples, name = voice.say(phrase, rng)
        if np.abs(samples).max(initial=0) < 1e-3:
            continue
        clips.append(trimmed(samples))
        entry = {"at": at, "n": len(clips[-1]), "text": phrase.text, "lang": phrase.language, "label": phrase.label}
        index.append(entry | {"voice": f"{kind}/{name}"})
        at += len(clips[-1])
    np.save(out.with_suffix(".npy"), np.concatenate(clips))
    out.with_suffix(".json").write_text(json.dumps(index), encoding="utf-8")


def read_clips(paths: list[Path], *, calls: bool) -> dict[str, list[scenes.Clip]]:
    """Clips that `say` wrote, by language."""
    found: dict[str, list[scenes.Clip]] = {}
    for path in paths:
        samples = np.load(path.with_suffix(".npy"), mmap_mode="r")
        for entry in json.loads(path.with_suffix(".json").read_text(encoding="utf-8")):
            cut = samples[entry["at"] : entry["at"] + entry["n"]] / np.float32(32768)
            call = f"{entry['lang']}/{entry['label']}" if entry["label"] in list(Type) else ""
            kind = KIND_OF.get(entry["label"], "call")
            if len(cut) > 1000:
                make = entry["voice"].split("/")[0]
                found.setdefault(entry["lang"], []).append(scenes.Clip(cut, call, kind, make))
    for_all = found.pop("any", [])
    if calls:  # recorded people never call: they are heard behind the game alone, lest being human be taken for no call
        kinds = {"talk": "behind", "noise": "noise", "music": "music"}
        for_all = [replace(clip, kind=kinds[clip.kind]) for clip in for_all if clip.kind in kinds]
    return {language: clips + for_all for language, clips in found.items()}


def mix(seed: int, count: int, out: Path, clips: list[Path], *, calls: bool = True, seconds: float = 20.0) -> None:
    """Mix scenes, most of one language, some of all."""
    network, rng, by_language = (
        read_network(packaged("am/final.mdl")),
        np.random.default_rng(seed),
        read_clips(clips, calls=calls),
    )
    stages = [scenes.Stage(some, calls=calls) for some in by_language.values()]
    stages.append(scenes.Stage([clip for some in by_language.values() for clip in some], calls=calls))
    share = np.array([{"en": 0.34, "de": 0.24, "es": 0.22, "ko": 0.08}[name] for name in by_language] + [0.12])
    parts = []
    for _ in range(count):
        stage = stages[int(rng.choice(len(stages), p=share / share.sum()))]
        parts.append(data.labelled(network, stage.scene(seconds, rng)))
    ends = np.cumsum([0, *(len(part.rows) for part in parts)])
    rows, due, places = (np.concatenate([getattr(part, name) for part in parts]) for name in ("rows", "due", "places"))
    np.savez(out, at=ends, rows=rows, due=due, places=places)


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    if what == "say":
        say(rest[0], int(rest[1]), Path(rest[2]), hurry=rest[3:] == ["hurried"])
    else:
        clips = [Path(name) for name in rest[3:]]
        mix(int(rest[0]), int(rest[1]), Path(rest[2]), clips, calls=what == "mix")
