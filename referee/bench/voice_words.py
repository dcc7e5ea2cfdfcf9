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
from typing import TYPE_CHECKING

import numpy as np
from scipy.signal import resample_poly

from audio import verify
from audio.recogniser import Spotter
from audio.verify_rows import Rows
from models import LANGUAGES
from referee.bench.voice_onset import loudness_db
from referee.events import Type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

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

    def scores(self, *, right: bool) -> list[float]:
        """Probabilities of the words of the right type, or of all wrong types."""
        return [w.probability for w in self.words if (w.type == self.recording.type) == right and w.reason != SAME]


SAME = "same sound"


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


def _wav(path: Path) -> Floats:
    with wave.open(str(path)) as file:
        rate = file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / np.float32(32768)
    step = int(np.gcd(rate, RATE))
    if rate != RATE:
        samples = resample_poly(samples, RATE // step, rate // step)
    return np.asarray(samples, np.float32)


class Folds:
    """The verifier that never heard a given source."""

    def __init__(self) -> None:
        """Read the verifiers that were trained without one fold each."""
        with (resources.files("referee.bench") / "voice_folds.npz").open("rb") as file, np.load(file) as stored:
            self._fold: Mapping[str, int] = json.loads(str(stored["sources"]))
            count = 1 + max(self._fold.values())
            arrays = {name: stored[name] for name in stored.files}
        self._verifiers = [verify.from_arrays(_part(arrays, f"{n}/")) for n in range(count)]

    def verifier(self, source: str) -> Verifier:
        """For recordings of `source`."""
        fold = self._fold.get(source)
        return verify.load() if fold is None else self._verifiers[fold]


def _part(arrays: Mapping[str, NDArray[np.generic]], prefix: str) -> dict[str, NDArray[np.generic]]:
    return {name.removeprefix(prefix): value for name, value in arrays.items() if name.startswith(prefix)}


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


class Ear:
    """Hears sounds in several languages, and keeps the time."""

    def __init__(self, folds: Folds) -> None:
        self._folds = folds
        self._kept: dict[tuple[str, bool], list[list[Floats]]] = {}
        self.cpu_s = self.sound_s = 0.0

    def hear(self, model: CallModel, recording: Recording, talk: Floats | None = None, seed: int = 0) -> Heard:
        """Everything that the spotter reports of a recording in a quiet room or over talk, accepted or not."""
        rng = np.random.default_rng([seed, zlib.crc32(recording.file.encode())])
        sound = in_room(recording.samples, rng, talk)
        key = (recording.file, talk is not None)
        verifier = self._folds.verifier(recording.source)
        if key in self._kept:
            spotter = Spotter(model, verifier=verifier, rows=_Again(self._kept[key]))
            return Heard(recording, spotter.accept(sound) + spotter.flush())
        rows = _Kept(model.network)
        begun = time.process_time()
        spotter = Spotter(model, verifier=verifier, rows=rows)
        heard = Heard(recording, spotter.accept(sound) + spotter.flush())
        self.cpu_s += time.process_time() - begun
        self.sound_s += len(sound) / RATE
        self._kept[key] = rows.blocks
        return heard


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
    false = np.array([w.probability for h in others for w in h.words if w.reason != SAME])
    points = np.unique(np.concatenate([best, false]))
    return [(float(p), float((best < p).mean()), float((false >= p).sum() / hours)) for p in points]
