"""Fits the verifier's network to labelled rows. Needs PyTorch, which the referee itself never does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from audio.train.data import CALLS
from audio.verify_rows import BANDS, BOTTLENECK, WIDTH

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

WINDOW = 50
"""Rows that one verdict looks at: a second and a half."""
_HIDDEN = 64
_LEFT_OUT, _DROPPED = 0.2, 0.3
_VOICES, _UNSTEADY = 0.4, 0.2
"""How far training shifts the values of a window, in their standard deviations: voices it never met are understood
better for it."""


class Verifier(nn.Module):
    """Three convolutions over a window of rows, then what is due now and where it lay."""

    def __init__(self, mean: NDArray[np.float32], scale: NDArray[np.float32]) -> None:
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean))
        self.register_buffer("scale", torch.tensor(scale))
        self.first = nn.Conv1d(WIDTH, _HIDDEN, 5)
        self.second = nn.Conv1d(_HIDDEN, _HIDDEN, 5, stride=2)
        self.third = nn.Conv1d(_HIDDEN, _HIDDEN, 5, stride=2)
        self.joined = nn.Linear(_HIDDEN * 9, _HIDDEN)
        self.out = nn.Linear(_HIDDEN, 3 * len(CALLS))
        self.drop = nn.Dropout(_DROPPED)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Windows of shape (n, WINDOW, WIDTH) to logits of the calls, then the starts, then the ends, seconds ago."""
        bands = rows[:, :, BANDS]
        loudest = bands.mean(dim=2).amax(dim=1)[:, None, None]
        rows = torch.cat([rows[:, :, BOTTLENECK], (bands - loudest).clamp(min=-12.0), rows[:, :, BANDS.stop :]], dim=2)
        values = (rows - self.mean) * self.scale
        if self.training:
            values = _disturbed(_without_some(values))
        values = values.transpose(1, 2)
        values = torch.relu(self.third(torch.relu(self.second(torch.relu(self.first(values))))))
        result: torch.Tensor = self.out(self.drop(torch.relu(self.joined(self.drop(values.flatten(1))))))
        return result


def _without_some(values: torch.Tensor) -> torch.Tensor:
    """Leave one of the three views out here and there, so that none is leant upon alone."""
    kept = torch.rand(len(values), 3) >= _LEFT_OUT
    widths = torch.tensor([BOTTLENECK.stop, BANDS.stop - BANDS.start, WIDTH - BANDS.stop])
    return values * kept.float().repeat_interleave(widths, dim=1)[:, None, :]


def _disturbed(values: torch.Tensor) -> torch.Tensor:
    """Shift every value of a window alike, as another voice or room would, and each a little by itself."""
    other_voice = _VOICES * torch.randn(len(values), 1, values.shape[2])
    return values + other_voice + _UNSTEADY * torch.randn_like(values)


@dataclass(frozen=True, slots=True)
class Material:
    """Labelled rows of many scenes, one after another."""

    rows: NDArray[np.float16]
    due: NDArray[np.int8]
    places: NDArray[np.float16]
    ends: NDArray[np.int64]
    """First row of each scene, and the number of rows at last."""

    def usable(self) -> NDArray[np.int64]:
        """Rows that have a whole window of their own scene before them."""
        starts = np.repeat(self.ends[:-1], np.diff(self.ends))
        return np.flatnonzero(np.arange(len(self.rows)) - starts >= WINDOW - 1)


def read(paths: Sequence[Path]) -> Material:
    """Join the files that `audio.train.build` wrote."""
    parts = [np.load(path) for path in paths]
    sizes = np.cumsum([0, *(len(part["rows"]) for part in parts)])
    ends = np.concatenate([[0], *(part["at"][1:] + size for part, size in zip(parts, sizes[:-1], strict=True))])
    rows, due, places = (np.concatenate([part[name] for part in parts]) for name in ("rows", "due", "places"))
    return Material(rows, due, places, ends)


def windows(material: Material, at: NDArray[np.int64]) -> torch.Tensor:
    """The windows that end at rows `at`."""
    index = at[:, None] + np.arange(1 - WINDOW, 1)[None]
    return torch.from_numpy(material.rows[index].astype(np.float32))


def _loss(model: Verifier, material: Material, at: NDArray[np.int64], weight: float) -> torch.Tensor:
    out = model(windows(material, at))
    calls = len(CALLS)
    due = torch.from_numpy(material.due[at].astype(np.float32))
    each = nn.functional.binary_cross_entropy_with_logits(out[:, :calls], due.clamp(min=0), reduction="none")
    loss = (each * (due >= 0) * (1 + (weight - 1) * (due > 0))).sum() / len(at)
    known = due > 0
    places = torch.from_numpy(material.places[at].astype(np.float32))
    off = (out[:, calls:].unflatten(1, (2, calls)) - places.transpose(1, 2)).abs().mean(dim=1) * known
    return loss + off.sum() / (known.sum() + 1)


def fit(
    material: Material,
    *,
    steps: int,
    seed: int = 0,
    model: Verifier | None = None,
    rate: float = 2e-3,
    batch: int = 256,
    share_due: float = 0.35,
    focus: Sequence[tuple[NDArray[np.int64], float]] = (),
) -> Verifier:
    """Fit a new verifier, or go on with `model`.

    Args:
        material: what to fit to.
        steps: batches.
        seed: of the order and of the first weights.
        model: where to go on.
        rate: highest learning rate of the one-cycle schedule.
        batch: windows a step.
        share_due: share of each batch at which some call is due.
        focus: rows that deserve a share of their own, such as those of real recordings, and that share.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    usable = material.usable()
    hot = (material.due[usable] == 1).any(axis=1)
    positive, other = usable[hot], usable[~hot]
    if model is None:
        sample = material.rows[rng.choice(usable, 20000)].astype(np.float32)
        sample[:, BANDS] = np.clip(sample[:, BANDS] - 18, -12, None)
        model = Verifier(sample.mean(0), 1 / (sample.std(0) + 1e-3))
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=rate, total_steps=steps)
    model.train()
    due, own = int(batch * share_due), [int(batch * share) for _, share in focus]
    total = 0.0
    for step in range(steps):
        at = [rng.choice(positive, due), rng.choice(other, batch - due - sum(own))]
        at += [rng.choice(rows, count) for (rows, _), count in zip(focus, own, strict=True)]
        loss = _loss(model, material, np.concatenate(at), weight=1.0)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
        total += loss.item()
        if step % 200 == 199:
            print(f"step {step + 1}: loss {total / 200:.4f}", flush=True)  # noqa: T201 - a command for developers
            total = 0.0
    return model.eval()


@torch.no_grad()
def predict(model: Verifier, rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """Outputs at every row of a recording; rows before the first whole window are filled up with the first row."""
    padded = np.concatenate([np.repeat(rows[:1], WINDOW - 1, axis=0), rows]).astype(np.float32)
    views = np.lib.stride_tricks.sliding_window_view(padded, WINDOW, axis=0).transpose(0, 2, 1)
    parts = [model(torch.from_numpy(np.ascontiguousarray(views[i : i + 512]))) for i in range(0, len(views), 512)]
    result: NDArray[np.float32] = torch.cat(parts).numpy()
    return result


def export(model: Verifier) -> dict[str, NDArray[np.generic]]:
    """The weights as half-precision arrays, laid out as `audio.verify` reads them."""
    arrays = {name: value.numpy() for name, value in model.state_dict().items()}
    for name in ("first", "second", "third"):
        weight = arrays[f"{name}.weight"]  # channels out, channels in, taps
        arrays[f"{name}.weight"] = weight.transpose(2, 1, 0).reshape(-1, weight.shape[0])
    for name in ("joined", "out"):
        arrays[f"{name}.weight"] = arrays[f"{name}.weight"].T
    keep = ("mean", "scale")  # these span more than half precision holds well
    stored = {name: value if name in keep else value.astype(np.float16) for name, value in arrays.items()}
    return dict(stored)


def ensemble(models: Sequence[Verifier]) -> dict[str, NDArray[np.generic]]:
    """Several verifiers in one file, not yet calibrated."""
    stored = {f"{n}/{name}": value for n, model in enumerate(models) for name, value in export(model).items()}
    point, bias = np.array([0.0, 1.0, 1.0]), np.zeros(len(CALLS), np.float32)
    return stored | {"members": np.array(len(models)), "calls": np.array(CALLS), "point": point, "bias": bias}
