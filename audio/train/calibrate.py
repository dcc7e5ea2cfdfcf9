"""Calibrates the verifier's scores and writes what ships and what the bench needs.

    python -m audio.train.calibrate DATA FALSE_A_MINUTE FITTED...

Each FITTED is a folder that `audio.train.real` wrote; their networks are averaged. Every recording is heard by the
networks that never met its source; over the evidence of all of them a logistic regression turns the verifier's logit
and Vosk's opinion into odds. What is enough for a call leaves FALSE_A_MINUTE false calls in the recordings of talk and
crowds (single near words apart), whichever language is enabled: one operating point for all, but for `LIKELY_ENOUGH`.
"""

from __future__ import annotations

import json
import pickle
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from scipy.optimize import minimize

from audio import verify
from audio.train import fit
from audio.train.data import CALLS
from audio.train.real import FOLDS
from models import LANGUAGES, open_call_model
from referee.bench import voice_words as words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audio.recogniser import Evidence


OPINION = 1.5
"""How much Vosk's full confidence adds to the verifier's logit. Left free, the regression gives it 2.5; but Vosk, with
a Korean network and pronunciations written by ear, does not know some voices at all (flite's slt), and then lost them.
"""


PRIOR = 0.5
"""Added to the log-odds: an assumption, not a measurement. The recordings hold three calls for each minute of talk that
is as loud as the calls; a table holds about five a minute.
"""


LIKELY_ENOUGH = 0.4
"""No word that is less likely a call than this is one, however seldom its language is called falsely: the talk recorded
is English, most of it. An assumption, made when the eight German calls recorded were known.
"""


@dataclass(frozen=True, slots=True)
class Case:
    """One verdict on a recording."""

    recording: str
    source: str
    group: str
    over_talk: bool
    evidence: Evidence
    right: bool


class Unmet:
    """For every source, the networks that never met it."""

    def __init__(self, fitted: Sequence[Path]) -> None:
        """Read what `audio.train.real` wrote."""
        self.folds = [json.loads((path / "folds.json").read_text(encoding="utf-8")) for path in fitted]
        self.models = [[_load(path / f"fold{n}.pt") for n in range(FOLDS)] for path in fitted]
        self._made: dict[str, verify.Verifier] = {}

    def verifier(self, source: str) -> verify.Verifier:
        """The average of those that never met `source`."""
        if source not in self._made:
            chosen = [models[folds[source]] for folds, models in zip(self.folds, self.models, strict=True)]
            self._made[source] = verify.from_arrays(fit.ensemble(chosen))
        return self._made[source]


def gather(data: Path, fitted: Sequence[Path], languages: Sequence[str]) -> list[Case]:
    """The evidence of every verdict on every recording, each heard by networks that never met its source."""
    ear, recordings = words.Ear(Unmet(fitted)), words.read(data)
    talk = np.concatenate([r.samples for r in recordings if r.group == "neg" and "talk" in r.file])
    cases: list[Case] = []
    for language in languages:
        model = open_call_model((language,))
        for r in recordings:
            if r.group != language and not _may_trick(r, language):
                continue
            for over in (False, True) if r.type else (False,):
                wanted, heard = f"{language}/{r.type}", ear.hear(model, r, talk if over else None, seed=12)
                cases += [Case(r.file, r.source, r.group, over, e, e.call == wanted) for e in heard.evidence]
        print(language, len(cases), flush=True)  # noqa: T201 - a command for developers
    return cases


def _may_trick(recording: words.Recording, language: str) -> bool:
    """Whether false calls of a language are looked for in a recording: the regression rests on those of English."""
    if language == "en":
        return recording.type is None
    return words.is_talk(recording.file)


def _load(path: Path) -> fit.Verifier:
    model: fit.Verifier = torch.load(path, weights_only=False)
    return model


def inputs(cases: Sequence[Case]) -> NDArray[np.float64]:
    """The verifier's logit with Vosk's opinion added, and one."""
    return np.array([[c.evidence.logit + OPINION * c.evidence.opinion, 1.0] for c in cases], float)


def regress(x: NDArray[np.float64], right: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Logistic regression with one input. A bias for each type was tried, and lost in cross-validation."""

    def cost(w: NDArray[np.float64]) -> float:
        z = x @ w
        return float(np.logaddexp(0, np.where(right, -z, z)).sum() + 0.01 * w @ w)

    found: NDArray[np.float64] = minimize(cost, np.array([1.0, -3.0]), method="BFGS").x
    return found


def _least(cases: Sequence[Case], language: str, allowed: float, weights: NDArray[np.float64]) -> float:
    """The score that so many false calls of a language in talk reach."""
    talk = [c for c in cases if words.is_talk(c.recording) and c.evidence.call.startswith(f"{language}/")]
    return sorted((float(score) for score in inputs(talk) @ weights), reverse=True)[int(allowed)] + 1e-3


def main(data: Path, false_a_minute: float, fitted: Sequence[Path]) -> None:
    """Calibrate, print what it gives, and write both files."""
    store = fitted[0] / "evidence.pkl"
    cases: list[Case] = pickle.loads(store.read_bytes()) if store.exists() else gather(data, fitted, LANGUAGES)  # noqa: S301
    store.write_bytes(pickle.dumps(cases))
    fitted_to = [c for c in cases if c.group in LANGUAGES or c.evidence.call.startswith("en/")]
    weights = regress(inputs(fitted_to), np.array([c.right for c in fitted_to]))
    minutes = sum(len(r.samples) for r in words.read(data) if words.is_talk(r.file)) / words.RATE / 60
    threshold = _least(cases, "en", false_a_minute * minutes, weights)
    least = np.log(LIKELY_ENOUGH / (1 - LIKELY_ENOUGH)) - PRIOR
    enough = {name: max(_least(cases, name, false_a_minute * minutes, weights), least) for name in LANGUAGES}
    lower = {name: threshold - score for name, score in enough.items()}
    print("weights", weights.round(3), "threshold", round(threshold, 3), lower)  # noqa: T201
    extra: dict[str, Any] = {
        "point": np.array([threshold + PRIOR, weights[0], OPINION * weights[0]]),
        "bias": np.full(len(CALLS), weights[1] + PRIOR, np.float32),
        "lower": np.array([lower.get(call.split("/")[0], 0.0) for call in CALLS], np.float32),
    }
    root = Path(__file__).parents[2]
    shipped = fit.ensemble([_load(path / "all.pt") for path in fitted])
    np.savez_compressed(root / "models" / "verifier.npz", **(shipped | extra))
    unmet = Unmet(fitted)
    parts = {
        f"{m}/{n}/{name}": value
        for m, models in enumerate(unmet.models)
        for n, model in enumerate(models)
        for name, value in fit.export(model).items()
    }
    sources = json.dumps({source: [folds[source] for folds in unmet.folds] for source in unmet.folds[0]})
    shared: dict[str, Any] = {"members": shipped["members"], "calls": shipped["calls"], "sources": np.array(sources)}
    np.savez_compressed(root / "referee" / "bench" / "voice_folds.npz", **(parts | shared | extra))


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), [Path(name) for name in sys.argv[3:]])
