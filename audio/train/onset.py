"""Train the onset networks: `python -m audio.train.onset --examples FILES --out audio/onset.npz`.

FILES are what `audio.train.races` wrote: of tier `one` for `onset.npz`, `own` for `onset-own.npz`, `stereo` for
`onset-stereo.npz`. Needs torch, which the product does not.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from audio import onset

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    Array = NDArray[Any]
    Random = np.random.Generator
    Examples = tuple[Array, Array, Array]
    """Energies, how the word begins, frame of the onset."""

CHECKED = 900
"""Examples by which the errors are printed on the way."""


def network(inputs: int, width: int = 32, layers: int = 6, taps: int = 5) -> Any:
    """The torch twin of `audio.onset.Network`."""
    import torch  # noqa: PLC0415 - only training needs it

    class Net(torch.nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.first = torch.nn.Linear(inputs, width)
            self.convs = torch.nn.ModuleList(
                torch.nn.Conv1d(width, width, taps, padding=(taps // 2) * 2**i, dilation=2**i) for i in range(layers)
            )
            self.mid = torch.nn.Linear(width, width)
            self.out = torch.nn.Linear(width, 1, bias=False)

        def forward(self, x: Any) -> Any:
            h = torch.relu(self.first(x)).transpose(1, 2)
            for conv in self.convs:
                h = h + torch.relu(conv(h))
            return self.out(torch.relu(self.mid(h.transpose(1, 2))))[..., 0]

        def export(self) -> dict[str, Array]:
            """Weights by the names of `audio.onset.Network`."""
            w = {
                "in": self.first.weight.T,
                "in_bias": self.first.bias,
                "mid": self.mid.weight.T,
                "mid_bias": self.mid.bias,
                "out": self.out.weight.T,
            }
            for i, conv in enumerate(self.convs):
                w[f"conv{i}"], w[f"bias{i}"] = conv.weight.permute(2, 1, 0), conv.bias
            return {k: v.detach().numpy().astype(np.float16) for k, v in w.items()}

        def take(self, weights: Mapping[str, Array]) -> None:
            """Begin with exported weights."""
            w = {k: torch.from_numpy(v.astype(np.float32)) for k, v in weights.items()}
            pairs = [(self.first.weight, w["in"].T), (self.first.bias, w["in_bias"]), (self.mid.weight, w["mid"].T)]
            pairs += [(self.mid.bias, w["mid_bias"]), (self.out.weight, w["out"].T)]
            for i, conv in enumerate(self.convs):
                pairs += [(conv.weight, w[f"conv{i}"].permute(2, 1, 0)), (conv.bias, w[f"bias{i}"])]
            with torch.no_grad():
                for ours, theirs in pairs:
                    ours.copy_(theirs)

    return Net()


LATE_FRAMES = 80
TREBLE_DB = 2.5
"""Standard deviation of what microphones do to the treble."""


def later(db: Array, frames: int) -> Array:
    """The window that begins so many frames later; its end is made up by the last frame."""
    moved = np.concatenate([db[frames:], np.repeat(db[-1:], frames, axis=0)])
    return np.asarray(moved, np.float32)


def coloured(db: Array, rng: Random) -> Array:
    """The same sound by a microphone of another colour: a hiss lies never quite so far below a vowel as in the word.

    Every phone lifts or damps the treble by some decibels, and codecs thin out what is weak.
    """
    edge, width = rng.uniform(7, 16), rng.uniform(1, 3)
    shelf = rng.normal() * TREBLE_DB / (1 + np.exp((edge - np.arange(onset.BANDS)) / width))
    return np.asarray(db + np.tile(shelf, db.shape[1] // onset.BANDS), np.float32)


def assembled(db: Array, kind: str) -> Array:
    """What a network reads of an example's energies: one microphone's, or beside them those of the others."""
    own, others = db[:, : onset.BANDS], db[:, onset.BANDS :]
    return onset.assemble(own, kind, others if others.shape[1] else None)


def batch(data: Examples, rows: Array, rng: Random) -> tuple[Array, Array]:
    """Network inputs and targets of some examples; the kind of word is hidden from one in five."""
    db, kinds, frames = data
    hidden = rng.random(len(rows)) < 0.2
    # The recogniser's rough start is often late, by up to a quarter of a second.
    late = np.where(rng.random(len(rows)) < 0.6, rng.integers(0, LATE_FRAMES, len(rows)), 0)
    x = [
        assembled(later(db[r], n), "unknown" if h else onset.KINDS[kinds[r]])
        for r, h, n in zip(rows, hidden, late, strict=True)
    ]
    at = np.arange(onset.FRAMES)
    target = np.exp(-0.5 * ((at - (frames[rows] - late)[:, None]) / 0.8) ** 2)
    return np.array(x), (target / target.sum(axis=1, keepdims=True)).astype(np.float32)


def fit(
    train: Examples,
    check: Examples,
    steps: int,
    *,
    begin: Mapping[str, Array] | None = None,
    keep: str = "",
    seed: int = 0,
    size: int = 32,
    peak: float = 3e-3,
) -> dict[str, Array]:
    """Train by cross-entropy against a narrow Gaussian at the true frame; prints the check's errors as it goes.

    `begin`: weights to start from; `keep`: a file that has the weights so far.
    """
    import torch  # noqa: PLC0415

    torch.manual_seed(seed)
    torch.set_num_threads(2)
    rng = np.random.default_rng(seed)
    net = network(assembled(train[0][0].astype(np.float32), onset.KINDS[0]).shape[1])
    if begin is not None:
        net.take(begin)
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, peak, total_steps=steps)
    for step in range(steps):
        x, y = batch(train, rng.integers(len(train[0]), size=size), rng)
        loss = -(torch.log_softmax(net(torch.from_numpy(x)), 1) * torch.from_numpy(y)).sum(1).mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step % 1000 == 999:
            error, sigma = errors(net.export(), check)
            print(step + 1, f"loss {loss.item():.3f}", describe(error, sigma), flush=True)  # noqa: T201
            if keep:
                np.savez_compressed(keep, **net.export(), sigma=np.array([1.0, 0.0005], np.float32))
    exported: dict[str, Array] = net.export()
    return exported


def errors(weights: Mapping[str, Array], data: Examples, sigma: Collection[float] = (1.0, 0.0)) -> tuple[Array, Array]:
    """Errors and stated sigmas of a network, ms."""
    net = onset.Network({k: v.astype(np.float32) for k, v in {**weights, "sigma": np.array(list(sigma))}.items()})
    db, kinds, frames = data
    odds = (net.run(assembled(db[i].astype(np.float32), onset.KINDS[kinds[i]])) for i in range(len(db)))
    got = [onset.agreed([(0.0, row)], net) for row in odds]
    return 1000 * (np.array([g.time_s for g in got]) - frames * onset.HOP_S), np.array([g.sigma_ms for g in got])


def describe(error: Array, sigma: Array) -> str:
    """The figures that matter, in one line."""
    size = np.abs(error)
    inside = [(size < k * sigma).mean() for k in (1, 2)]
    return (
        f"median {np.median(size):.2f} p90 {np.quantile(size, 0.9):.1f} p95 {np.quantile(size, 0.95):.1f} "
        f"bias {np.median(error):+.2f} inside {inside[0]:.2f} {inside[1]:.2f} sigma {np.median(sigma):.1f}"
    )


def calibrate(weights: Mapping[str, Array], check: Examples) -> Array:
    """Stretch and floor (seconds) of sigma: 90 % of the errors of held-out voices within 1.645, as orders count on."""
    error, raw = errors(weights, check)
    best = (np.inf, 1.0, 0.0)
    for floor in (0.3, 0.5, 0.8, 1.0, 1.5, 2.0):
        for stretch in np.linspace(0.5, 3.0, 51):
            sigma = np.hypot(raw * stretch, floor)
            z = error / sigma
            low, high = (np.abs(z[part]) < 1.645 for part in (raw < np.median(raw), raw >= np.median(raw)))
            miss = abs(low.mean() - 0.9) + abs(high.mean() - 0.9)
            if miss < best[0]:
                best = (miss, stretch, floor / 1000)
    return np.array(best[1:], np.float32)


def prepared(files: Collection[str]) -> tuple[Examples, Examples]:
    """What `audio.train.races` wrote: examples to train on, and, by microphones of other treble, to check with."""
    read = [np.load(file) for file in files]
    train, check = (
        tuple(np.concatenate([one[part + name] for one in read]) for name in ("db", "kinds", "frames"))
        for part in ("", "check_")
    )
    rng = np.random.default_rng(0)
    heard = np.array([coloured(db, rng) for db in check[0]], np.float16)
    return (train[0], train[1], train[2]), (heard, check[1], check[2])


def main() -> None:
    """Read the examples, train, calibrate, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", nargs="+", required=True, help="files of audio.train.races")
    parser.add_argument("--begin", help="weights to go on from; otherwise from nothing")
    parser.add_argument("--out", required=True)
    parser.add_argument("--steps", type=int, default=8000)
    args = parser.parse_args()
    train, check = prepared(args.examples)
    begin = dict(np.load(args.begin)) if args.begin else None
    weights = fit(train, tuple(part[:CHECKED] for part in check), args.steps, begin=begin, peak=2e-3)  # type: ignore[arg-type]
    weights["sigma"] = calibrate(weights, check)
    np.savez_compressed(args.out, allow_pickle=False, **weights)


if __name__ == "__main__":
    main()
