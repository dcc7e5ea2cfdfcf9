"""Goes on from a verifier that knows synthetic voices alone, with recordings: once with all, once without each fold.

    python -m audio.train.real DATA OUT BASE.pt STEPS SCENES.npz...

DATA holds an INDEX.tsv. Writes OUT/all.pt and OUT/fold0.pt ... A source (the repository that a recording came from)
lies in one fold, so that `referee bench voice` can hear every source with a verifier that never met it.
"""

from __future__ import annotations

import copy
import json
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from audio.train import fit
from audio.train.data import Labelled, label
from audio.train.scenes import Said, coloured, stretched
from audio.verify_rows import rows_of
from models.acoustic import read_network
from models.call_model import packaged
from referee.bench import voice_words as words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FOLDS = 3
_TALK_DB = (None, 20.0, 10.0)
_VERSIONS = 8
"""Of every call: as it is, and in other throats, rooms and company."""


def fold_of(source: str) -> int:
    """The fold that a source lies in."""
    return zlib.crc32(source.encode()) % FOLDS


def prepare(data: Path) -> list[tuple[str, bool, Labelled]]:
    """Rows and labels of all recordings, calls in many versions: (source, whether a call, rows and labels)."""
    network, rng = read_network(packaged("am/final.mdl")), np.random.default_rng(11)
    recordings = words.read(data)
    found = []
    for r in recordings:
        talk = _talk(recordings, fold_of(r.source))
        for version in range(_VERSIONS if r.type else 1):
            talk_db = _TALK_DB[version % len(_TALK_DB)] if len(talk) else None
            said = disguised(r.samples, rng) if version >= len(_TALK_DB) else r.samples
            sound = words.in_room(said, rng, None if talk_db is None else talk, talk_db or 0.0)
            loud = np.flatnonzero(np.abs(said) > 0.02 * np.abs(said).max()) / words.RATE + words.LEAD_S
            calls = [Said(f"{r.group}/{r.type}", float(loud[0]), float(loud[-1]))] if r.type else []
            rows = rows_of(network, np.pad(sound, (0, words.RATE // 2)))
            found.append((r.source, r.type is not None, Labelled(rows.astype(np.float16), *label(len(rows), calls))))
    return found


def _talk(recordings: Sequence[words.Recording], fold: int) -> NDArray[np.float32]:
    """Talk to put behind calls of a fold: of its own sources, so that no other fold's verifier has met any of it."""
    parts = [r.samples for r in recordings if r.group == "neg" and "talk" in r.file and fold_of(r.source) == fold]
    return np.concatenate([np.zeros(0, np.float32), *parts])


def disguised(samples: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """The same words from another throat."""
    return coloured(stretched(samples, rng), rng)


def joined(
    scenes: fit.Material, real: Sequence[tuple[str, bool, Labelled]]
) -> tuple[fit.Material, NDArray[np.int64], NDArray[np.int64]]:
    """Scenes and recordings as one material; rows of recordings where a call is due, and of those without a call."""
    parts = [part for _, _, part in real]
    sizes = np.cumsum([len(scenes.rows), *(len(part.rows) for part in parts)])
    calls: list[NDArray[np.int64]] = []
    others: list[NDArray[np.int64]] = []
    for first, (_, call, part) in zip(sizes[:-1], real, strict=True):
        due = first + np.flatnonzero((part.due == 1).any(axis=1))
        usable = np.arange(first + fit.WINDOW, first + len(part.rows))
        (calls if call else others).append(np.intersect1d(due, usable) if call else usable)
    material = fit.Material(
        np.concatenate([scenes.rows, *(part.rows for part in parts)]),
        np.concatenate([scenes.due, *(part.due for part in parts)]),
        np.concatenate([scenes.places, *(part.places for part in parts)]),
        np.concatenate([scenes.ends, sizes[1:]]),
    )
    return material, np.concatenate(calls), np.concatenate(others)


def main(data: Path, out: Path, base: Path, steps: int, scenes: Sequence[Path]) -> None:
    """Fit and write all verifiers."""
    real, staged = prepare(data), fit.read(scenes)
    out.mkdir(parents=True, exist_ok=True)
    (out / "folds.json").write_text(json.dumps({source: fold_of(source) for source, _, _ in real}), encoding="utf-8")
    for name, left_out in [(f"fold{n}", n) for n in range(FOLDS)] + [("all", None)]:
        kept = [entry for entry in real if left_out is None or fold_of(entry[0]) != left_out]
        material, calls, others = joined(staged, kept)
        start = copy.deepcopy(torch.load(base, weights_only=False))
        model = fit.fit(
            material, steps=steps, model=start, rate=1e-3, share_due=0.25, focus=[(calls, 0.1), (others, 0.3)]
        )
        torch.save(model, out / f"{name}.pt")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), [Path(p) for p in sys.argv[5:]])
