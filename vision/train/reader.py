"""Teach the reader: flat card in, class out (`CLASSES` of vision.train.crops). Writes ONNX.

python -m vision.train.reader --crops FOLDER --out reader.onnx [--epochs N] [--seed N] [--check FILE.npz ...]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found, unused-ignore]
from torch import nn  # type: ignore[import-not-found, unused-ignore]

from vision.rectify import relative
from vision.train.crops import CLASSES

_PLAN = ((3, 16, 2), (16, 24, 1), (24, 32, 2), (32, 48, 1), (48, 64, 2), (64, 64, 1))
_DEEP = ((64, 96, 2), (96, 96, 1))


def _block(inputs: int, outputs: int, stride: int) -> Any:
    conv = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Reader(nn.Module):  # type: ignore[misc, unused-ignore]
    """A small convolutional net; the maximum over places lets one clear pip decide, whatever else is on the face."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.fine = nn.Sequential(*[_block(*plan) for plan in _PLAN])
        self.deep = nn.Sequential(*[_block(*plan) for plan in _DEEP])
        self.drop = nn.Dropout(0.2)
        self.features = nn.Linear(64 + 96 + 96, 64)
        self.classes = nn.Linear(64, classes)

    def forward(self, flat: Any) -> Any:
        """Logits and the 64 features behind them."""
        fine = self.fine(flat)
        deep = self.deep(fine)
        pooled = torch.cat([fine.amax((2, 3)), deep.amax((2, 3)), deep.mean((2, 3))], 1)
        features = torch.relu(self.features(self.drop(pooled)))
        return self.classes(features), features


def load(paths: list[Path]) -> tuple[Any, Any]:
    """All crops as half floats relative to their white, and labels."""
    xs, ys = [], []
    for path in paths:
        data = np.load(path)
        xs.append(np.stack([relative(x) for x in data["x"]]).astype(np.float16))
        ys.append(data["y"])
    return torch.from_numpy(np.concatenate(xs)), torch.from_numpy(np.concatenate(ys))


def vary(batch: Any, generator: np.random.Generator) -> Any:
    """Mirror, turn by half, shift colour a little, hide a patch."""
    batch = batch.float()
    flips = torch.from_numpy(generator.random((2, len(batch))) < 0.5)
    batch = torch.where(flips[0][:, None, None, None], batch.flip(3), batch)
    batch = torch.where(flips[1][:, None, None, None], batch.flip(2), batch)
    gain = torch.from_numpy(np.exp(generator.normal(0, 0.06, (len(batch), 3, 1, 1))).astype(np.float32))
    batch = batch * gain
    for index in range(0, len(batch), 4):
        top, left = generator.integers(0, 100), generator.integers(0, 70)
        batch[index, :, top : top + 24, left : left + 24] = float(generator.random())
    return batch


def evaluate(net: Any, x: Any, y: Any) -> str:
    """Accuracy by class, and of the confident ones."""
    net.eval()
    with torch.no_grad():
        logits = torch.cat([net(part.float())[0] for part in x.split(256)])
    sure, guess = logits.softmax(1).max(1)
    right = guess == y
    by_class = {name: round(float(right[y == i].float().mean()), 4) for i, name in enumerate(CLASSES) if (y == i).any()}
    kept = (sure > 0.98) & (y < 4)
    wrong = float((~right[kept]).float().mean())
    share = float(kept.float().sum() / (y < 4).float().sum())
    return f"all {float(right.float().mean()):.4f} {by_class} suits sure {share:.3f} wrong of these {wrong:.5f}"


def train(net: Any, x: Any, y: Any, args: argparse.Namespace, check: tuple[Any, Any] | None) -> None:
    """One-cycle Adam."""
    generator = np.random.default_rng(args.seed)
    steps = args.epochs * (len(x) // args.batch)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, total_steps=steps + 1, pct_start=0.15)
    for epoch in range(args.epochs):
        net.train()
        order, total, start = torch.from_numpy(generator.permutation(len(x))), 0.0, time.time()
        for part in order.split(args.batch):
            if len(part) < args.batch:
                continue
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits, _ = net(vary(x[part], generator))
            loss = nn.functional.cross_entropy(logits.float(), y[part], label_smoothing=0.01)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach()) * len(part)
        line = f"epoch {epoch} loss {total / len(x):.4f} {time.time() - start:.0f} s"
        if check and (epoch % 3 == 2 or epoch == args.epochs - 1):
            line += " " + evaluate(net, *check)
        print(line, flush=True)  # noqa: T201
        torch.save(net.state_dict(), args.out.with_suffix(".pt"))


def export(net: Any, path: Path) -> None:
    """Write ONNX: input `flat` (n, 3, 128, 96), outputs `logits` and `features`."""
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(2, 3, 128, 96),),
        str(path),
        input_names=["flat"],
        output_names=["logits", "features"],
        dynamic_shapes=({0: torch.export.Dim("n")},),
        external_data=False,
        opset_version=18,
    )


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crops", type=Path, nargs="+", required=True)
    parser.add_argument("--check", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="a state to go on from")
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    paths = [p for folder in args.crops for p in (sorted(folder.glob("*.npz")) if folder.is_dir() else [folder])]
    net = Reader(len(CLASSES)).to(memory_format=torch.channels_last)
    if args.start:
        net.load_state_dict(torch.load(args.start))
    check = load(args.check) if args.check else None
    x, y = load(paths)
    train(net, x, y, args, check)
    torch.save(net.state_dict(), args.out.with_suffix(".pt"))
    export(net, args.out)


if __name__ == "__main__":
    main()
