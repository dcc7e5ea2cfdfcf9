"""Taught words on real voices: how many held-out sayings are heard, how often talk and other words are taken for them.

The referee's own words serve as words that it does not know: each is taught from a few recordings of other sources
(other voices) and looked for in the one that is held out, in a quiet room and over table talk at 10 dB. Nothing that
hears taught words was fitted on recordings: `audio.train.taught` uses synthetic voices alone.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from audio import teach
from audio.steer import quieter
from audio.takes import utterances
from audio.taught import TaughtSpotter
from audio.verify_rows import rows_of
from models.acoustic import read_network
from models.call_model import packaged
from referee.bench import BenchResult
from referee.bench.voice_words import LEAD_S, RATE, Recording, in_room, is_talk, read
from referee.errors import UsageError
from referee.events import Type

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from audio.spotted import Spotted
    from models.acoustic import Network
    from models.taught import Taught

    Floats = NDArray[np.float32]

LANGUAGE = "en"
"""The only language of which enough sources say each word."""
SAYINGS = 4
NEAR_S = 0.35
"""A verdict this near to where the word ends is of that word."""


@dataclass
class Tally:
    """Counts of one word."""

    said: int = 0
    heard: int = 0
    over_talk: int = 0
    false: int = 0
    minutes: float = 0.0
    others: int = 0
    taken: int = 0
    """Other single words taken for it."""


class Material:
    """Recordings, and what the network makes of each, once."""

    def __init__(self, data: Path, seed: int) -> None:
        self.network: Network = read_network(packaged("am/final.mdl"))
        self.recordings = read(data)
        self.seed = seed
        talk = [r.samples for r in self.recordings if r.group == "neg" and "talk" in r.file]
        self._talk = np.concatenate(talk) if talk else None
        self._rows: dict[tuple[str, bool], Floats] = {}

    def rows(self, recording: Recording, *, over_talk: bool = False) -> Floats:
        """Rows of a recording with a quiet room around it, or over talk."""
        key = (recording.file, over_talk)
        if key not in self._rows:
            rng = np.random.default_rng([self.seed, zlib.crc32(recording.file.encode())])
            sound = quieter(in_room(recording.samples, rng, self._talk if over_talk else None), RATE)
            self._rows[key] = rows_of(self.network, np.pad(sound, (0, RATE)))
        return self._rows[key]

    def saying(self, recording: Recording) -> teach.Saying | None:
        """The one utterance of a recording, as teaching takes it; None if there is not exactly one."""
        sound = np.pad(recording.samples, round(0.3 * RATE))
        found = utterances(sound)
        return teach.sayings(self.network, sound, found)[0] if len(found) == 1 else None


def hear(word: Taught, rows: Floats) -> list[Spotted]:
    """All verdicts about a word."""
    spotter = TaughtSpotter([word])
    found = [spotted for at in range(0, len(rows), 4) for spotted in spotter.feed(rows[at : at + 4])]
    return found + spotter.flush()


def accepted(found: Iterable[Spotted]) -> int:
    """How many count as calls."""
    return sum(word.accepted for word in found)


def said(found: Iterable[Spotted], recording: Recording) -> bool:
    """Whether the word was heard where it is."""
    first, last = LEAD_S - NEAR_S, LEAD_S + len(recording.samples) / RATE + NEAR_S
    return any(word.accepted and first < word.end_s < last for word in found)


def run(*, data: Path | None = None, count: int | None = None, seed: int = 0, out: Path | None = None) -> BenchResult:  # noqa: ARG001 - as every bench
    """Measure.

    Args:
        data: a folder with INDEX.tsv; by default `shared/speech` beside the project.
        count: sayings that teach a word (default 4).
        seed: chooses them.
        out: not used.

    Raises:
        UsageError: no recordings there.
    """
    folder = data or Path(__file__).parents[2] / "../shared/speech"
    if not (folder / "INDEX.tsv").is_file():
        raise UsageError(f"{folder}: no INDEX.tsv here; give a folder of recordings with --data")
    material = Material(folder, seed)
    rng = np.random.default_rng(seed)
    tallies = {kind: _word(material, kind, count or SAYINGS, rng) for kind in Type}
    return _result(tallies, len(material.recordings), count or SAYINGS)


def _word(material: Material, kind: Type, count: int, rng: np.random.Generator) -> Tally:
    mine = [r for r in material.recordings if r.group == LANGUAGE and r.type == kind]
    usable = [(r, s) for r in mine if (s := material.saying(r)) is not None]
    others = [r for r in material.recordings if r.type != kind and _single(r)]
    talk = [r for r in material.recordings if is_talk(r.file)]
    tally = Tally()
    for number, (held, _) in enumerate(usable):
        by_source = {r.source: s for r, s in usable if r.source != held.source}
        if len(by_source) < count:
            continue
        chosen = [by_source[source] for source in rng.choice(sorted(by_source), count, replace=False)]
        try:
            word = teach.learn(kind.value, LANGUAGE, kind, chosen).taught
        except UsageError:
            continue  # voices so unlike that teaching would ask for more sayings
        tally.said += 1
        tally.heard += said(hear(word, material.rows(held)), held)
        tally.over_talk += said(hear(word, material.rows(held, over_talk=True)), held)
        if number % 4 == 0:  # what is no saying is the same for all: a quarter of the taught words will do
            tally.others += len(others)
            tally.taken += sum(accepted(hear(word, material.rows(r))) > 0 for r in others)
            tally.minutes += sum(len(r.samples) for r in talk) / RATE / 60
            tally.false += sum(accepted(hear(word, material.rows(r))) for r in talk)
    return tally


def _single(recording: Recording) -> bool:
    return recording.group == LANGUAGE or (recording.group == "neg" and not is_talk(recording.file))


def _result(tallies: dict[Type, Tally], cases: int, count: int) -> BenchResult:
    table = [["taught word", "sayings held out", "heard", "over talk", "false a minute", "other words taken for it"]]
    figures: dict[str, Any] = {}
    for kind, t in tallies.items():
        minute = t.false / max(t.minutes, 1e-9)
        row = [str(t.said), str(t.heard), str(t.over_talk), f"{minute:.2f}", f"{t.taken} of {t.others}"]
        table.append([kind.value, *row])
    total = {name: sum(getattr(t, name) for t in tallies.values()) for name in Tally.__dataclass_fields__}
    figures = {
        "sayings": total["said"],
        "missed": _share(total["said"] - total["heard"], total["said"]),
        "missed_10db": _share(total["said"] - total["over_talk"], total["said"]),
        "false_a_minute": _share(total["false"], total["minutes"]),
        "other_words_taken": _share(total["taken"], total["others"]),
        "taught_from": count,
    }
    notes = [f"Each word was taught from {count} recordings of other sources; some sources are synthetic (INDEX.tsv)."]
    return BenchResult("words", "real", cases, figures, table, notes)


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


__all__: Sequence[str] = ("run",)
