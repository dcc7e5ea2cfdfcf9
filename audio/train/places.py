"""Fits the starts and ends that a verifier tells once more, over all rows near a call and not only where it is due.

    python -m audio.train.places FITTED SCENES.npz...

FITTED is a folder that `audio.train.real` wrote; its networks are changed where they lie. The spotter reads a call's
place where its logit is highest, which may be a few rows away from where training wants it to be. What the hidden layer
knows there is enough: a ridge regression on it, for every call by itself, leaves all logits as they are.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from audio.train import fit
from audio.train.data import CALLS
from audio.verify_rows import ROW_S

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BEFORE, _AFTER, _LONGEST = 5, 7, 8
"""Rows before and after those at which a call is due, and the most at which one call is."""
_RIDGE = 3.0


def near(material: fit.Material, column: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows near those at which a call is due, and how many seconds before each it began and ended."""
    usable = np.zeros(len(material.rows), bool)
    usable[material.usable()] = True
    due = material.due[:, column]
    on = np.concatenate([[False], due == 1, [False]])
    edges = np.diff(on.astype(np.int8))
    rows: list[int] = []
    places: list[NDArray[np.float64]] = []
    for first, last in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1, strict=True):
        if last - first > _LONGEST:
            continue
        low, high = int(first), int(last)
        while low and due[low - 1] == -1 and first - low < _BEFORE:
            low -= 1
        while high + 1 < len(due) and due[high + 1] == -1 and high - last < _AFTER:
            high += 1
        for row in range(low, high + 1):
            known = min(max(row, int(first)), int(last))
            if usable[row]:
                rows.append(row)
                places.append(material.places[known, column].astype(float) + (row - known) * ROW_S)
    return np.array(rows, np.int64), np.array(places).reshape(-1, 2)


@torch.no_grad()
def _hidden(model: fit.Verifier, material: fit.Material, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """The last hidden layer at `rows`, and a one."""
    found: list[NDArray[np.float32]] = []

    def keep(_module: Any, _given: Any, result: torch.Tensor) -> None:
        found.append(torch.relu(result).numpy())

    hook = model.joined.register_forward_hook(keep)
    for i in range(0, len(rows), 512):
        model(fit.windows(material, rows[i : i + 512]))
    hook.remove()
    return np.hstack([np.concatenate(found), np.ones((len(rows), 1))]).astype(float)


@torch.no_grad()
def refit(model: fit.Verifier, material: fit.Material) -> float:
    """Change the outputs of `model` for starts and ends; gives their median error in seconds."""
    off = []
    for column in range(len(CALLS)):
        rows, places = near(material, column)
        if not len(rows):
            continue
        hidden = _hidden(model, material, rows)
        weights = np.linalg.solve(hidden.T @ hidden + _RIDGE * np.eye(hidden.shape[1]), hidden.T @ places)
        off.append(float(np.median(np.abs(hidden @ weights - places))))
        for part in range(2):
            output = len(CALLS) * (1 + part) + column
            model.out.weight[output] = torch.tensor(weights[:-1, part], dtype=torch.float32)
            model.out.bias[output] = float(weights[-1, part])
    return float(np.mean(off))


def main(fitted: Path, scenes: list[Path]) -> None:
    """Refit all networks in a folder."""
    material = fit.read(scenes)
    for path in sorted(fitted.glob("*.pt")):
        model: fit.Verifier = torch.load(path, weights_only=False).eval()
        print(path.name, "median error", round(refit(model, material), 3), "s", flush=True)  # noqa: T201 - for developers
        torch.save(model, path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
