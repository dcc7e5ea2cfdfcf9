"""Fits the networks that tell one language's words apart (`audio.which`) to aligned single calls.

    python -m audio.train.which fit LANGUAGE SINGLES.npz...
    python -m audio.train.which check SINGLES.npz...

SINGLES are what `audio.train.singles` wrote. `fit` writes a language's networks into models/which.npz; `check` leaves
out one synthesiser at a time and prints how many of its calls the others' networks name rightly.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from audio import which
from audio.train import singles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from audio.train.singles import Singles

    Floats = NDArray[np.float32]
    Indices = NDArray[np.int64]

STEPS, BATCH, RATE, MEMBERS = 1000, 192, 2e-3, 3
LATE_S, FAR_OFF, OFF_S = (-0.06, 0.08), 0.3, (-0.13, 0.15)
"""How late a verifier's beginning is, and for so many of them how late it may be in noise."""
_CHANNELS, _FEWER, _HIDDEN = 40, 24, 48
_LEFT_OUT, _DROPPED, _SMOOTHED = 0.25, 0.3, 0.05
_THROATS = 2.5
"""Mel bands are shifted by up to so many: another throat."""
_VOICES, _UNSTEADY = (0.4, 0.5), (0.2, 0.3)
"""Shifts of every value of a call alike, and of each by itself, of bands and bottlenecks, in standard deviations."""


class Net(nn.Module):
    """Convolutions over mel bands and over bottlenecks, joined."""

    def __init__(self, mels: torch.Tensor, rows: torch.Tensor) -> None:
        """Take means and spreads from a sample."""
        super().__init__()
        for name, values in (("mean", mels), ("rmean", rows)):
            self.register_buffer(name, values.mean((0, 1)))
            self.register_buffer(name.replace("mean", "std"), values.std((0, 1)) + 1e-2)
        self.c1 = nn.Conv1d(40, _CHANNELS, 5, stride=2)
        self.c2 = nn.Conv1d(_CHANNELS, _CHANNELS, 5, stride=2)
        self.c3 = nn.Conv1d(_CHANNELS, _CHANNELS, 3, stride=2)
        self.b1 = nn.Conv1d(64, _CHANNELS, 3)
        self.b2 = nn.Conv1d(_CHANNELS, _FEWER, 3, stride=2)
        wide = which.FRAMES
        for taps in (5, 5, 3):
            wide = (wide - taps) // 2 + 1
        self.j = nn.Linear(_CHANNELS * wide + _FEWER * ((which.ROWS - 5) // 2 + 1), _HIDDEN)
        self.o = nn.Linear(_HIDDEN, len(which.KINDS))
        self.drop = nn.Dropout(_DROPPED)

    def forward(self, mels: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """Bands from `prepared`, and bottlenecks, to logits of the words."""
        bands, rows = (mels - self.mean) / self.std, (rows - self.rmean) / self.rstd
        if self.training:
            bands, rows = _disturbed(bands, rows)
        for layer in (self.c1, self.c2, self.c3):
            bands = torch.relu(layer(bands if layer is not self.c1 else bands.transpose(1, 2)))
        hidden = torch.relu(self.b2(torch.relu(self.b1(rows.transpose(1, 2)))))
        joined = self.drop(torch.cat([bands.flatten(1), hidden.flatten(1)], 1))
        result: torch.Tensor = self.o(self.drop(torch.relu(self.j(joined))))
        return result


def prepared(mels: torch.Tensor) -> torch.Tensor:
    """Bands relative to the loudest frame, as `audio.which` takes them."""
    return (mels - mels.mean(2).amax(1)[:, None, None]).clamp(min=which.QUIETEST)


def _disturbed(bands: torch.Tensor, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """As another voice or room would change them, and now and then one of the two views alone."""
    out = []
    for values, alike, each in zip((bands, rows), _VOICES, _UNSTEADY, strict=True):
        kept = (torch.rand(len(values), 1, 1) >= _LEFT_OUT).float()
        shift = alike * torch.randn(len(values), 1, values.shape[2])
        out.append(kept * (values + shift + each * torch.randn_like(values)))
    return out[0], out[1]


def _other_throats(mels: torch.Tensor) -> torch.Tensor:
    at = (torch.arange(40)[None] + _THROATS * (2 * torch.rand(len(mels), 1) - 1)).clamp(0, 38.999)
    low = at.floor().long()
    part = (at - low)[:, None]
    below, above = (torch.gather(mels, 2, (low + k)[:, None].expand(-1, mels.shape[1], -1)) for k in (0, 1))
    return below * (1 - part) + above * part


def _cut_short(rows: torch.Tensor) -> torch.Tensor:
    """Now and then the last rows are not there yet when a verdict is given."""
    count = rows.shape[1]
    lacking = torch.randint(0, 4, (len(rows),)) * (torch.rand(len(rows)) < 0.4)
    at = torch.minimum(torch.arange(count)[None], (count - 1 - lacking)[:, None])
    return torch.gather(rows, 1, at[:, :, None].expand(-1, -1, rows.shape[2]))


def windows(data: Singles, at: Indices, late_s: Floats) -> tuple[torch.Tensor, torch.Tensor]:
    """What the networks look at of calls whose beginning is believed to be so late."""
    mel = np.rint((late_s - which.BEFORE_S - data.mel_s[at]) * 100).astype(int).clip(0, singles.MELS - which.FRAMES)
    row = np.ceil((late_s + which.ROWS_FROM_S - data.row_s[at]) / 0.03 - 1e-4).astype(int)
    row = row.clip(0, singles.ROWS - which.ROWS)
    mels = data.mels[at[:, None], mel[:, None] + np.arange(which.FRAMES)].astype(np.float32)
    rows = data.rows[at[:, None], row[:, None] + np.arange(which.ROWS)].astype(np.float32)
    return torch.from_numpy(mels), torch.from_numpy(rows)


def _lateness(count: int, rng: np.random.Generator) -> Floats:
    far = rng.random(count) < FAR_OFF
    return np.where(far, rng.uniform(*OFF_S, count), rng.uniform(*LATE_S, count)).astype(np.float32)


def fit(data: Singles, at: Indices, seed: int) -> Net:
    """Fit a network to the calls `at`, each word as often and each synthesiser by the root of its clips."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    sample = rng.choice(at, 3000)
    mels, rows = windows(data, sample, _lateness(len(sample), rng))
    model = Net(prepared(mels), rows)
    groups: dict[tuple[str, int], list[int]] = {}
    for i in at:
        groups.setdefault((str(data.makes[i]), int(data.kinds[i])), []).append(int(i))
    share = np.array([len(some) ** 0.5 for some in groups.values()])
    kinds = np.array([kind for _, kind in groups])
    for kind in range(len(which.KINDS)):
        share[kinds == kind] /= share[kinds == kind].sum()
    members = [np.array(some) for some in groups.values()]
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=2e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=RATE, total_steps=STEPS)
    for _ in range(STEPS):
        picked = rng.choice(len(members), BATCH, p=share / share.sum())
        chosen = np.array([rng.choice(members[k]) for k in picked])
        mels, rows = windows(data, chosen, _lateness(BATCH, rng))
        told = model(prepared(_other_throats(mels)), _cut_short(rows))
        truth = torch.from_numpy(data.kinds[chosen])
        loss = nn.functional.cross_entropy(told, truth, label_smoothing=_SMOOTHED)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
    return model.eval()


def export(model: Net) -> dict[str, NDArray[np.float16]]:
    """Weights laid out as `audio.which` reads them."""
    arrays = {name: value.numpy() for name, value in model.state_dict().items()}
    for name in ("c1", "c2", "c3", "b1", "b2"):
        arrays[f"{name}.weight"] = arrays[f"{name}.weight"].transpose(2, 1, 0)  # taps, channels in, channels out
    for name in ("j", "o"):
        arrays[f"{name}.weight"] = arrays[f"{name}.weight"].T
    return {name: value.astype(np.float16) for name, value in arrays.items()}


@torch.no_grad()
def named(model: Net, data: Singles, at: Indices) -> Floats:
    """Log chances of the words of calls `at`."""
    late_s = np.random.default_rng(1).uniform(-0.03, 0.08, len(at)).astype(np.float32)
    mels, rows = windows(data, at, late_s)
    result: Floats = torch.log_softmax(model(prepared(mels), rows), 1).numpy()
    return result


def check(data: Singles) -> None:
    """Print how well synthesisers are understood that were left out."""
    for make in sorted(set(data.makes)):
        met, unmet = np.flatnonzero(data.makes != make), np.flatnonzero(data.makes == make)
        told = named(fit(data, met, 0), data, unmet).argmax(1)
        right = [f"{(told[data.kinds[unmet] == k] == k).mean():.1%}" for k in range(len(which.KINDS))]
        print(make, len(unmet), *right, flush=True)  # noqa: T201 - a command for developers


def main(language: str, data: Singles) -> None:
    """Fit the networks of one language and write them beside those of the others."""
    everything, path = np.arange(len(data.kinds)), Path(__file__).parents[2] / "models" / "which.npz"
    with np.load(path) as before:
        stored: dict[str, Any] = {name: v for name, v in before.items() if not name.startswith(f"{language}/")}
    stored["languages"] = np.array(sorted({*stored["languages"].tolist(), language}))
    for seed in range(MEMBERS):
        stored |= {f"{language}/{seed}/{name}": value for name, value in export(fit(data, everything, seed)).items()}
    np.savez_compressed(path, **stored)


if __name__ == "__main__":
    if sys.argv[1] == "check":
        check(singles.read([Path(name) for name in sys.argv[2:]]))
    else:
        main(sys.argv[2], singles.read([Path(name) for name in sys.argv[3:]]))
