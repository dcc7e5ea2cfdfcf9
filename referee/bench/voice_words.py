"""Calls missed, called wrong, and heard where there were none, on real voices, each voice kept out of its own training.

Every source (the repository that a recording came from) lies in one of a few folds, and is heard by a verifier that
was trained without that fold: `voice_folds.npz` keeps those, `python -m audio.train.folds` makes them. Sources that it
does not know are heard by the verifier that ships.
"""

from __future__ import annotations

import csv
import json
import time
import wave
import zlib
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.signal import resample_poly

from audio import verify
from audio.recogniser import Spotter
from audio.steer import quieter
from audio.verify_rows import Rows
from models import LANGUAGES
from referee.bench.voice_onset import loudness_db
from referee.events import SAME_SOUND, Type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from audio.recogniser import Evidence
    from audio.spotted import Spotted
    from audio.verify import Verifier
    from models import CallModel
    from models.acoustic import Network

    Floats = NDArray[np.float32]

RATE = 16000
LEAD_S = 1.2
"""Of quiet room before and after a clip."""
ROOM_DB = 45.0
"""How far below a clip the quiet room is."""
TYPES = {
    "rock": Type.ROCK, "paper": Type.PAPER, "scissors": Type.SCISSORS,
    "stein": Type.ROCK, "papier": Type.PAPER, "schere": Type.SCISSORS,
    "piedra": Type.ROCK, "papel": Type.PAPER, "tijera": Type.SCISSORS, "tijeras": Type.SCISSORS,
    "bawi_rock": Type.ROCK, "bo_paper": Type.PAPER, "gawi_scissors": Type.SCISSORS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recording:
    """A file of the data folder."""

    file: str
    source: str
    group: str
    """A language for single calls, `neg`, `effects`."""
    type: Type | None
    samples: Floats


@dataclass(frozen=True, slots=True)
class Heard:
    """What the spotter made of one recording."""

    recording: Recording
    words: list[Spotted]
    evidence: list[Evidence]

    def scores(self, *, right: bool) -> list[float]:
        """Probabilities of the words of the right type, or of all wrong types."""
        return [
            w.probability for w in self.words if (w.type == self.recording.type) == right and w.reason != SAME_SOUND
        ]


def read(data: Path) -> list[Recording]:
    """All recordings of a data folder (INDEX.tsv: file, repository, ...) but the phrases."""
    found = []
    with (data / "INDEX.tsv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            group, *rest = row["file"].split("/")
            single = group in LANGUAGES and rest[0] in TYPES
            if single or group in ("neg", "effects"):
                kind = TYPES[rest[0]] if single else None
                found.append(Recording(row["file"], row["repository"], group, kind, _wav(data / row["file"])))
    return found


def is_talk(file: str) -> bool:
    """Whether a file is talk, crowds or table remarks without a call: `neg` but its single words."""
    return file.startswith("neg/") and not file.startswith(("neg/word_", "neg/otherlang_"))


def _wav(path: Path) -> Floats:
    with wave.open(str(path)) as file:
        rate = file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / np.float32(32768)
    step = int(np.gcd(rate, RATE))
    if rate != RATE:
        samples = resample_poly(samples, RATE // step, rate // step)
    return np.asarray(samples, np.float32)


class Folds:
    """The verifier that never met a given source."""

    def __init__(self) -> None:
        """Read the networks that were trained without one fold each."""
        with (resources.files("referee.bench") / "voice_folds.npz").open("rb") as file, np.load(file) as stored:
            self._arrays = dict(stored)
        self._folds: Mapping[str, list[int]] = json.loads(str(self._arrays["sources"]))
        self._made: dict[str, Verifier] = {}

    def verifier(self, source: str) -> Verifier:
        """For recordings of `source`."""
        folds = self._folds.get(source)
        if folds is None:
            return verify.load()
        key = str(folds)
        if key not in self._made:
            chosen = {name: self._arrays[name] for name in ("members", "calls", "point", "bias", "lower")}
            for member, fold in enumerate(folds):
                start = f"{member}/{fold}/"
                found = {name: value for name, value in self._arrays.items() if name.startswith(start)}
                chosen |= {f"{member}/{name.removeprefix(start)}": value for name, value in found.items()}
            self._made[key] = verify.from_arrays(chosen)
        return self._made[key]


def fan(seed: int, seconds: float = 30.0) -> Floats:
    """Steady noise whose power falls by 3 dB an octave, as of a fan or a hood."""
    spectrum = np.fft.rfft(np.random.default_rng(seed).normal(0, 0.05, round(seconds * RATE)))
    hertz = np.fft.rfftfreq(round(seconds * RATE), 1 / RATE)
    return np.asarray(np.fft.irfft(spectrum / np.sqrt(np.maximum(hertz, 50) / 1000)), np.float32)


def in_room(samples: Floats, rng: np.random.Generator, talk: Floats | None = None, talk_db: float = 10.0) -> Floats:
    """A clip with quiet room around it, or with table talk so many dB below it."""
    level = 10 ** (loudness_db(samples) / 20)
    count = len(samples) + 2 * round(LEAD_S * RATE)
    out = rng.normal(0, level * 10 ** (-ROOM_DB / 20), count)
    if talk is not None:
        at = int(rng.integers(0, len(talk) - count))
        under = talk[at : at + count].astype(np.float64)
        out += under / 10 ** (loudness_db(under.astype(np.float32)) / 20) * level * 10 ** (-talk_db / 20)
    first = round(LEAD_S * RATE)
    out[first : first + len(samples)] += samples
    return np.asarray(np.clip(out, -1, 1), np.float32)


class _Kept(Rows):
    """Rows that are kept, so that other languages need not compute them again."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.blocks: list[list[Floats]] = []

    def feed(self, samples: Floats) -> list[Floats]:
        self.blocks.append(super().feed(samples))
        return self.blocks[-1]


class _Again(Rows):
    """Gives kept rows once more."""

    def __init__(self, blocks: list[list[Floats]]) -> None:
        self._blocks = iter(blocks)

    def feed(self, samples: Floats) -> list[Floats]:  # noqa: ARG002 - the same samples as then
        return next(self._blocks)


class Unmet(Protocol):
    """Knows verifiers that never met a source."""

    def verifier(self, source: str, /) -> Verifier:
        """One for recordings of `source`."""


class Ear:
    """Hears sounds in several languages, and keeps the time."""

    def __init__(self, folds: Unmet) -> None:
        self._folds = folds
        self._kept: dict[tuple[str, int | None], list[list[Floats]]] = {}
        self.cpu_s = self.sound_s = 0.0

    def hear(self, model: CallModel, recording: Recording, talk: Floats | None = None, seed: int = 0) -> Heard:
        """Everything that the spotter reports of a recording in a quiet room or over talk or noise, accepted or not."""
        rng = np.random.default_rng([seed, zlib.crc32(recording.file.encode())])
        sound = quieter(in_room(recording.samples, rng, talk), RATE)
        key = (recording.file, None if talk is None else id(talk))
        verifier = self._folds.verifier(recording.source)
        if key in self._kept:
            return _heard(recording, sound, Spotter(model, verifier=verifier, rows=_Again(self._kept[key])))
        rows = _Kept(model.network)
        begun = time.process_time()
        heard = _heard(recording, sound, Spotter(model, verifier=verifier, rows=rows))
        self.cpu_s += time.process_time() - begun
        self.sound_s += len(sound) / RATE
        self._kept[key] = rows.blocks
        return heard


def _heard(recording: Recording, sound: Floats, spotter: Spotter) -> Heard:
    spotter.evidence = []
    return Heard(recording, spotter.accept(sound) + spotter.flush(), spotter.evidence)


def missed(heard: Sequence[Heard]) -> int:
    """How many of some calls were not accepted with their type."""
    return sum(not any(w.accepted and w.type == h.recording.type for w in h.words) for h in heard)


def wrong(heard: Sequence[Heard]) -> int:
    """How many of some calls were accepted with another type."""
    return sum(any(w.accepted and w.type != h.recording.type for w in h.words) for h in heard)


def false_calls(heard: Iterable[Heard]) -> int:
    """Accepted words where no call was."""
    return sum(w.accepted for h in heard for w in h.words)


def det(calls: Sequence[Heard], others: Sequence[Heard], hours: float) -> list[tuple[float, float, float]]:
    """The trade-off: (threshold on the probability, share missed, false calls an hour) for every threshold."""
    best = np.array([max(h.scores(right=True), default=0.0) for h in calls])
    false = np.array([w.probability for h in others for w in h.words if w.reason != SAME_SOUND])
    points = np.unique(np.concatenate([best, false]))
    return [(float(p), float((best < p).mean()), float((false >= p).sum() / hours)) for p in points]
