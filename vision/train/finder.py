"""Teach the finder: picture in, card centres and axes out. Writes ONNX.

    python -m vision.train.finder --scenes FOLDER --out finder.onnx [--epochs N] [--start STATE.pt]

At every fourth pixel the net says how likely the centre of a card is there (1 plane) and, for the card around it, its
two half axes. An axis has no sign, so each is told by its length times the cosine and sine of twice its angle (4
planes); a last pair of planes moves the centre.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found, unused-ignore]
from torch import nn  # type: ignore[import-not-found, unused-ignore]

STEP = 4
"""Pixels between two places at which the net answers."""
_LENGTH = 16.0  # pixels: lengths are told in this unit
_OPEN, _HALF = 0.62, 0.30  # seen share from which a card must be found, and below which it must not


def _block(inputs: int, outputs: int, stride: int = 1) -> Any:
    conv = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Finder(nn.Module):  # type: ignore[misc, unused-ignore]
    """A small U-shaped net."""

    def __init__(self) -> None:
        super().__init__()
        self.to4 = nn.Sequential(_block(3, 12, 2), _block(12, 24, 2), _block(24, 24))
        self.to8 = nn.Sequential(_block(24, 40, 2), _block(40, 40))
        self.to16 = nn.Sequential(_block(40, 64, 2), _block(64, 64), _block(64, 64))
        self.to32 = nn.Sequential(_block(64, 80, 2), _block(80, 80), _block(80, 80))
        self.up32 = nn.Conv2d(80, 64, 1)
        self.up16 = nn.Conv2d(64, 40, 1)
        self.up8 = nn.Conv2d(40, 24, 1)
        self.mix16, self.mix8, self.mix4 = _block(64, 64), _block(40, 40), _block(24, 32)
        self.out = nn.Conv2d(32, 7, 1)
        nn.init.constant_(self.out.bias[:1], -4.0)  # centres are rare: starting from there saves the first epoch

    def forward(self, picture: Any) -> Any:
        """Shape (n, 3, h, w), 0 to 1, h and w multiples of 32, to (n, 7, h / 4, w / 4)."""
        four = self.to4(picture)
        eight = self.to8(four)
        sixteen = self.to16(eight)
        deep = self.to32(sixteen)
        grow = nn.functional.interpolate
        sixteen = self.mix16(sixteen + grow(self.up32(deep), scale_factor=2.0, mode="nearest"))
        eight = self.mix8(eight + grow(self.up16(sixteen), scale_factor=2.0, mode="nearest"))
        four = self.mix4(four + grow(self.up8(eight), scale_factor=2.0, mode="nearest"))
        return self.out(four)


def _doubled(axis: np.ndarray[Any, Any]) -> tuple[float, float]:
    length, angle = float(np.hypot(*axis)), float(np.arctan2(axis[1], axis[0]))
    return length * np.cos(2 * angle) / _LENGTH, length * np.sin(2 * angle) / _LENGTH


def targets(cards: np.ndarray[Any, Any], side: int) -> tuple[Any, Any, Any]:
    """Heat (h, w), weights of heat (h, w) and answers (6, h, w; nan where none is asked) for one scene."""
    cells = side // STEP
    ys, xs = np.mgrid[0:cells, 0:cells].astype(np.float32) * STEP + (STEP - 1) / 2
    heat, weight = np.zeros((cells, cells), np.float32), np.ones((cells, cells), np.float32)
    answers, nearest = np.full((6, cells, cells), np.nan, np.float32), np.full((cells, cells), 1e9, np.float32)
    for row in cards[~np.isnan(cards[:, 0])]:
        corners, seen = row[:8].reshape(4, 2), row[8]
        if seen < _HALF:
            continue
        centre = _crossing(corners)
        long_axis = (corners[2] + corners[3] - corners[0] - corners[1]) / 4
        short_axis = (corners[1] + corners[2] - corners[0] - corners[3]) / 4
        size = float(np.hypot(*long_axis) + np.hypot(*short_axis)) / 2
        away = np.hypot(xs - centre[0], ys - centre[1]) / size
        bump = np.exp(-((away / 0.28) ** 2))
        if seen >= _OPEN:
            heat = np.maximum(heat, bump)
        else:
            weight[bump > 0.2] = 0
        here = (away < 0.5) & (away < nearest)
        nearest[here] = away[here]
        told = (*_doubled(long_axis), *_doubled(short_axis))
        for plane, value in enumerate(told):
            answers[plane][here] = value
        answers[4][here], answers[5][here] = (centre[0] - xs[here]) / _LENGTH, (centre[1] - ys[here]) / _LENGTH
    weight[heat > 0.3] = 1
    return heat, weight, answers


def _crossing(corners: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Where the diagonals meet: the centre of the card itself, seen at any angle."""
    a, b = corners[2] - corners[0], corners[3] - corners[1]
    cross = a[0] * b[1] - a[1] * b[0]
    gap = corners[1] - corners[0]
    return np.asarray(corners[0] + a * ((gap[0] * b[1] - gap[1] * b[0]) / cross))


def loss_of(out: Any, heat: Any, weight: Any, answers: Any) -> Any:
    """Focal loss of the heat and the distance of the answers, weighted by the heat."""
    chance = out[:, 0].sigmoid().clamp(1e-4, 1 - 1e-4)
    top = heat > 0.94
    far = (1 - heat) ** 4 * chance**2 * torch.log(1 - chance)
    near = (1 - chance) ** 2 * torch.log(chance)
    count = top.sum().clamp(min=1)
    focal = -(torch.where(top, near, far) * weight).sum() / count
    asked = ~torch.isnan(answers)
    gap = nn.functional.smooth_l1_loss(out[:, 1:], torch.nan_to_num(answers), reduction="none", beta=0.1)
    return focal + 2.0 * (gap * asked).sum() / asked.sum().clamp(min=1)


def window(x: Any, t: tuple[Any, Any, Any], side: int) -> tuple[Any, tuple[Any, Any, Any]]:
    """A random square part of the scenes: cheaper, and another one each time."""
    top, left = (int(v) * 32 for v in np.random.randint(0, (x.shape[2] - side) // 32 + 1, 2))  # noqa: NPY002
    here = (..., slice(top // STEP, (top + side) // STEP), slice(left // STEP, (left + side) // STEP))
    return x[..., top : top + side, left : left + side], (t[0][here], t[1][here], t[2][here])


def vary(x: Any, t: tuple[Any, Any, Any]) -> tuple[Any, tuple[Any, Any, Any]]:
    """Mirror left and right at random: sines and horizontal shifts change sign."""
    if np.random.random() < 0.5:  # noqa: NPY002 - seeded in main
        heat, weight, answers = (each.flip(-1) for each in t)
        sign = torch.tensor([1, -1, 1, -1, -1, 1.0])[None, :, None, None]
        return x.flip(-1), (heat, weight, answers * sign)
    return x, t


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--window", type=int, default=192, help="pixels of a scene's side learned from at a time")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    np.random.seed(0)  # noqa: NPY002
    torch.manual_seed(0)
    torch.set_num_threads(args.threads)
    net = Finder().to(memory_format=torch.channels_last)
    if args.start:
        net.load_state_dict(torch.load(args.start))
    data = [np.load(path) for path in sorted(args.scenes.glob("*.npz"))]
    pictures = torch.from_numpy(np.concatenate([d["pictures"] for d in data]).transpose(0, 3, 1, 2))
    made = [targets(cards, pictures.shape[2]) for d in data for cards in d["cards"]]
    told = [torch.from_numpy(np.stack([m[i] for m in made])) for i in range(3)]
    train(net, pictures, told, args)
    torch.save(net.state_dict(), args.out.with_suffix(".pt"))
    export(net, args.out)


def train(net: Any, pictures: Any, told: list[Any], args: argparse.Namespace) -> None:
    """One-cycle Adam."""
    steps = args.epochs * (len(pictures) // args.batch)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, total_steps=steps + 1, pct_start=0.15)
    for epoch in range(args.epochs):
        net.train()
        total, start, seen = 0.0, time.time(), 0
        for part in torch.randperm(len(pictures)).split(args.batch):
            if len(part) < args.batch:
                continue
            x, t = window(pictures[part], (told[0][part], told[1][part], told[2][part]), args.window)
            x, t = vary(x.float() / 255, t)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = net(x.contiguous(memory_format=torch.channels_last))
            loss = loss_of(out.float(), *t)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            total, seen = total + float(loss.detach()), seen + 1
        print(f"epoch {epoch} loss {total / seen:.4f} {time.time() - start:.0f} s", flush=True)  # noqa: T201
        torch.save(net.state_dict(), args.out.with_suffix(".pt"))


def export(net: Any, path: Path) -> None:
    """Write ONNX: input `picture`, output `cards`."""
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 256, 320),),
        str(path),
        input_names=["picture"],
        output_names=["cards"],
        dynamic_axes={"picture": {2: "h", 3: "w"}, "cards": {2: "h4", 3: "w4"}},
        dynamo=False,
        opset_version=17,
    )


if __name__ == "__main__":
    main()
