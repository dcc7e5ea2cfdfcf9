"""Calibrates the verifier's scores and writes what ships and what the bench needs.

    python -m audio.train.calibrate DATA FITTED FALSE_A_MINUTE

FITTED is what `audio.train.real` wrote. Every recording is heard by the fold that never met its source; over the
evidence of all of them a logistic regression weighs the verifier's logit, Vosk's opinion and which type it is. The
threshold leaves FALSE_A_MINUTE false calls in the recordings without calls, one language enabled.
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
from audio.recogniser import Evidence, Spotter
from audio.train import fit
from audio.train.data import CALLS
from audio.train.real import FOLDS, fold_of
from models import LANGUAGES, open_call_model
from referee.bench import voice_words as words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Case:
    """One verdict on a recording."""

    recording: str
    source: str
    group: str
    over_talk: bool
    evidence: Evidence
    right: bool


def gather(data: Path, fitted: Path, languages: Sequence[str]) -> list[Case]:
    """The evidence of every verdict on every recording, each heard by the fold that never met it."""
    folds = [verify.from_arrays(fit.export(_load(fitted / f"fold{n}.pt"))) for n in range(FOLDS)]
    recordings = words.read(data)
    talk = np.concatenate([r.samples for r in recordings if r.group == "neg" and "talk" in r.file])
    cases: list[Case] = []
    for language in languages:
        model, rng = open_call_model((language,)), np.random.default_rng(12)
        for r in recordings:
            if r.group != language and (r.type or language != "en"):  # the other languages' false calls: see the bench
                continue
            for over in (False, True) if r.type else (False,):
                spotter = Spotter(model, verifier=folds[fold_of(r.source)])
                spotter.evidence = []
                sound = words.in_room(r.samples, rng, talk if over else None)
                spotter.accept(sound)
                spotter.flush()
                wanted = f"{language}/{r.type}"
                cases += [Case(r.file, r.source, r.group, over, e, e.call == wanted) for e in spotter.evidence]
        print(language, len(cases), flush=True)  # noqa: T201 - a command for developers
    return cases


def _load(path: Path) -> fit.Verifier:
    model: fit.Verifier = torch.load(path, weights_only=False)
    return model


def inputs(cases: Sequence[Case]) -> NDArray[np.float64]:
    """Logit, opinion, and one column each for rock, paper and scissors."""
    types = ("rock", "paper", "scissors")
    rows = [[c.evidence.logit, c.evidence.opinion, *(c.evidence.call.endswith(t) for t in types)] for c in cases]
    return np.array(rows, float)


def regress(x: NDArray[np.float64], right: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Logistic regression with a weak prior towards one bias for all types."""

    def cost(w: NDArray[np.float64]) -> float:
        z = x @ w
        prior = 0.5 * (w[2:] - w[2:].mean()) @ (w[2:] - w[2:].mean()) + 0.01 * w @ w
        return float(np.logaddexp(0, np.where(right, -z, z)).sum() + prior)

    found: NDArray[np.float64] = minimize(cost, np.array([1.0, 1.0, -3.0, -3.0, -3.0]), method="BFGS").x
    return found


def main(data: Path, fitted: Path, false_a_minute: float) -> None:
    """Calibrate, print what it gives, and write both files."""
    store = fitted / "evidence.pkl"
    cases: list[Case] = pickle.loads(store.read_bytes()) if store.exists() else gather(data, fitted, LANGUAGES)  # noqa: S301
    store.write_bytes(pickle.dumps(cases))
    own = [c for c in cases if c.evidence.call.startswith("en") or c.group not in ("neg", "effects")]
    weights = regress(inputs(own), np.array([c.right for c in own]))
    minutes = sum(len(r.samples) for r in words.read(data) if r.group == "neg") / words.RATE / 60
    false = sorted((float(s) for s in inputs([c for c in own if c.group == "neg"]) @ weights), reverse=True)
    threshold = false[int(false_a_minute * minutes)] + 1e-3
    print("weights", weights.round(3), "threshold", round(threshold, 3))  # noqa: T201
    extra: dict[str, Any] = {
        "point": np.array([threshold, weights[0], weights[1]]),
        "bias": np.array(
            [weights[2 + ("rock", "paper", "scissors").index(c.split("/")[1])] for c in CALLS], np.float32
        ),
    }
    root = Path(__file__).parents[2]
    np.savez_compressed(root / "models" / "verifier.npz", **(fit.export(_load(fitted / "all.pt")) | extra))
    parts = {
        f"{n}/{key}": value
        for n in range(FOLDS)
        for key, value in (fit.export(_load(fitted / f"fold{n}.pt")) | extra).items()
    }
    sources = json.dumps({r.source: fold_of(r.source) for r in words.read(data)})
    np.savez_compressed(root / "referee" / "bench" / "voice_folds.npz", sources=np.array(sources), **parts)  # type: ignore[arg-type]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
