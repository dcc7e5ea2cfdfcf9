"""Train the onset network: `python -m audio.train.onset --clips DIR --noise DIR --out audio/onset.npz`.

`--clips`: .npz files that hold single words at 48 kHz, each array named `voice|word`, by synthesisers whose sound is
free to use (espeak-ng, flite, Piper and Kokoro voices were used). `--noise`: wav files of talk and rooms. The networks
for several who call (`onset-own.npz`, `onset-stereo.npz`) are fitted to `--examples` of `audio.train.races` instead.
Needs torch, which the product does not. Labels follow the definition in `audio.onset`, on the clean clip before room
and noise.
"""

from __future__ import annotations

import argparse
import wave
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.signal import butter, fftconvolve, resample_poly, sosfilt

from audio import onset
from audio.resample import Resampler

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    Array = NDArray[Any]
    Random = np.random.Generator
    Clip = tuple[str, str, Array]
    """Voice, word, samples."""
    Examples = tuple[Array, Array, Array]
    """Energies, how the word begins, frame of the onset."""

R = onset.RATE


def true_onset(clip: Array) -> int:
    """First sample above peak - 35 dB after which the 2 ms level stays above peak - 40 dB for 15 ms."""
    n = round(0.002 * R) | 1
    total = np.cumsum(np.pad(clip.astype(np.float64) ** 2, (n // 2 + 1, n // 2)))
    level = 10 * np.log10(np.maximum(total[n:] - total[:-n], 0) / n + 1e-14)
    hold = round(0.015 * R)
    low = np.concatenate([[0], np.cumsum(level <= level.max() - 40)])
    good = (level[:-hold] > level.max() - 35) & (low[hold:-1] == low[: len(level) - hold])
    return int(np.flatnonzero(good)[0])


def loudness(clip: Array) -> float:
    """Level of the sounding part, dB."""
    power = clip.astype(np.float64) ** 2
    blocks = power[: len(power) // 480 * 480].reshape(-1, 480).mean(axis=1)
    return float(10 * np.log10(blocks[blocks > blocks.max() * 1e-3].mean() + 1e-14))


def room(rng: Random) -> Array:
    """A made-up impulse response: direct sound, a few reflections, a decaying tail."""
    rt, direct_db = rng.uniform(0.12, 0.7), rng.uniform(0, 14)
    n = round(rt * R)
    tail = rng.normal(size=n) * 10 ** (-3 * np.arange(n) / n)
    tail[: round(rng.uniform(0.001, 0.012) * R)] = 0
    tail = sosfilt(butter(1, rng.uniform(2000, 9000), fs=R, output="sos"), tail)
    for _ in range(rng.integers(2, 9)):
        at = rng.integers(round(0.0006 * R), round(0.02 * R))
        tail[at] += rng.normal() * 0.5 * np.sqrt((tail**2).sum() / 6)
    tail *= 10 ** (-direct_db / 20) / np.sqrt((tail**2).sum() + 1e-12)
    tail[0] += 1
    return np.asarray(tail)


def murmured(clip: Array, rng: Random) -> Array:
    """A low voiced sound before a voiced word, as people make before "rock" and synthesisers do not."""
    start = true_onset(clip)
    n, ramp = round(rng.uniform(0.02, 0.14) * R), rng.uniform(0.004, 0.06)
    t = np.arange(n) / R
    pitch = rng.uniform(85, 290)
    top = rng.uniform(300, 900)
    k = np.arange(1, max(2, int(top / pitch)))[:, None]
    hum = (np.sin(2 * np.pi * k * pitch * t + rng.uniform(0, 6, len(k))[:, None]) / k**1.3).sum(axis=0)
    level = 10 ** (rng.uniform(-27, -10) / 20) * np.abs(clip).max() / np.abs(hum).max()
    shape = np.minimum(1, 10 ** (-2 * np.clip(1 - t / ramp, 0, 1))) * 10 ** (rng.uniform(-0.2, 0.4) * t / t[-1])
    fade = min(round(0.012 * R), n // 2)
    shape[-fade:] *= np.linspace(1, 0, fade)
    out = np.concatenate([np.zeros(n, np.float32), clip])
    out[start + fade : start + fade + n] += (hum * shape * level).astype(np.float32)
    return out


def softened(clip: Array, rng: Random) -> Array:
    """The same word with a slower rise."""
    start = true_onset(clip)
    n = min(round(rng.uniform(0.01, 0.12) * R), len(clip) - start)
    out: Array = clip.copy()
    out[start : start + n] *= 10 ** (rng.uniform(-30, -8) / 20 * np.linspace(1, 0, n)).astype(np.float32)
    return out


class Material:
    """Clips and noise, read once."""

    def __init__(self, clips: str, noise: str) -> None:
        self.clips: list[Clip] = []
        for path in sorted(Path(clips).glob("*.npz")):
            with np.load(path) as stored:
                self.clips += [(name.split("|")[0], name.split("|")[1], stored[name]) for name in stored.files]
        self.noise = [self._wav(p) for p in sorted(Path(noise).glob("*.wav")) if _for_training(p)]
        self.noise = [n for n in self.noise if len(n) > 2 * R and np.abs(n).max() > 0.01]

    @staticmethod
    def _wav(path: Path) -> Array:
        with wave.open(str(path)) as w:
            x = np.frombuffer(w.readframes(w.getnframes()), np.int16).astype(np.float32) / np.float32(32768)
            up = Resampler(w.getframerate(), R)
        return np.concatenate([up.feed(x[None]), up.finish()], axis=1)[0]


def _for_training(path: Path) -> bool:
    """Half of the noise files; the bench mixes with the other half."""
    return sum(path.name.encode()) % 2 == 0


class Stage:
    """Draws examples: a window's energies, how the word begins, and the frame of the onset."""

    def __init__(self, material: Material, rng: Random) -> None:
        self.m, self.rng = material, rng

    def word(self, clips: list[Clip] | None = None) -> tuple[str, Array]:
        """A word by some voice, changed in speed and beginning."""
        rng = self.rng
        clips = clips or self.m.clips
        makes = sorted(
            {voice[:5] for voice, _, _ in clips}
        )  # each make of synthesiser as often, however many its clips
        make = makes[rng.integers(len(makes))]
        clips = [c for c in clips if c[0].startswith(make)]
        _, word, clip = clips[rng.integers(len(clips))]
        speed = rng.integers(17, 25)
        clip = resample_poly(clip, 20, int(speed)).astype(np.float32)
        if onset.kind_of(word) == "voiced" and rng.random() < 0.6:
            clip = murmured(clip, rng)
        if rng.random() < 0.3:
            clip = softened(clip, rng)
        return word, clip * rng.choice([-1, 1])

    def noise_like(self, n: int) -> Array:
        """`n` samples of talk or coloured noise with an r.m.s. of one."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.75 and self.m.noise:
            source = self.m.noise[rng.integers(len(self.m.noise))]
            at = rng.integers(0, max(1, len(source) - n))
            out = np.resize(source[at : at + n], n)
        else:
            spectrum = np.fft.rfft(rng.normal(size=n))
            f = np.maximum(np.fft.rfftfreq(n, 1 / R), 40)
            out = np.fft.irfft(spectrum * f ** (-rng.uniform(0, 1.2)), n)
        return np.asarray(out / (np.sqrt((out**2).mean()) + 1e-9))

    def example(self, clips: list[Clip] | None = None) -> tuple[Array, int, float]:
        """One window with its truth."""
        rng = self.rng
        word, clip = self.word(clips)
        start = true_onset(clip)
        level = loudness(clip)
        n, at = round(1.6 * R), round(0.7 * R)
        canvas = np.zeros(n)
        rir = room(rng) if rng.random() < 0.75 else np.ones(1)
        self.add(canvas, clip, at - start, rir, 0.0)
        draw = rng.random()
        if draw < 0.2:  # a call that has ended
            _, other = self.word()
            self.add(canvas, other, at - len(other) - round(rng.uniform(0.0, 0.25) * R), rir, rng.uniform(-25, 0))
        elif draw < 0.4:  # crosstalk of a call that goes on, or what separation left of it
            _, other = self.word()
            begin = at - round(rng.uniform(0.005, 0.4) * R) - true_onset(other)
            self.add(canvas, other, begin, room(rng), rng.uniform(-32, -12))
        if rng.random() < 0.2:  # a call that begins later
            _, other = self.word()
            begin = at + round(rng.uniform(0.01, 0.35) * R) - true_onset(other)
            self.add(canvas, other, begin, room(rng), rng.uniform(-20, 2))
        canvas += self.noise_like(n) * 10 ** ((level - rng.choice([rng.uniform(2, 12), rng.uniform(8, 24), 40])) / 20)
        canvas += rng.normal(size=n) * 10 ** ((level - rng.uniform(35, 75)) / 20)
        cutoff = rng.choice([3700, 7400, 11000, 0, 0])
        if cutoff:
            canvas = sosfilt(butter(8, cutoff, fs=R, output="sos"), canvas)
        rough = at / R + rng.uniform(-0.16, 0.1)
        window, first_s = onset.cut(canvas.astype(np.float32), R, rough)
        frame = (at / R - first_s) / onset.HOP_S
        return onset.energies(window)[: onset.FRAMES], onset.KINDS.index(onset.kind_of(word)), frame

    def add(self, canvas: Array, clip: Array, begin: int, rir: Array, gain_db: float) -> None:
        """Lay a clip into the canvas."""
        gained = clip * 10 ** (gain_db / 20)
        wet = fftconvolve(gained, rir) if len(rir) > 1 else gained
        low, high = max(0, begin), min(len(canvas), begin + len(wet))
        if high > low:
            canvas[low:high] += wet[low - begin : high - begin]


def dataset(material: Material, count: int, seed: int, clips: list[Clip] | None = None) -> Examples:
    """Arrays of `count` examples."""
    stage = Stage(material, np.random.default_rng(seed))
    rows = [stage.example(clips) for _ in range(count)]
    return (
        np.array([r[0] for r in rows], np.float16),
        np.array([r[1] for r in rows]),
        np.array([r[2] for r in rows], np.float32),
    )


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


def later(db: Array, frames: int) -> Array:
    """The window that begins so many frames later; its end is made up by the last frame."""
    moved = np.concatenate([db[frames:], np.repeat(db[-1:], frames, axis=0)])
    return np.asarray(moved, np.float32)


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
        if step % 250 == 249:
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
    got = [
        onset.summary(net.run(assembled(db[i].astype(np.float32), onset.KINDS[kinds[i]])), net) for i in range(len(db))
    ]
    mid, spread = np.array(got).T * 1000
    return mid - frames * onset.HOP_S * 1000, spread


def describe(error: Array, sigma: Array) -> str:
    """The figures that matter, in one line."""
    size = np.abs(error)
    inside = [(size < k * sigma).mean() for k in (1, 2)]
    return (
        f"median {np.median(size):.2f} p90 {np.quantile(size, 0.9):.1f} p95 {np.quantile(size, 0.95):.1f} "
        f"bias {np.median(error):+.2f} inside {inside[0]:.2f} {inside[1]:.2f} sigma {np.median(sigma):.1f}"
    )


def calibrate(weights: Mapping[str, Array], check: Examples) -> Array:
    """Stretch and floor (seconds) of sigma so that 68 % of the errors of held-out voices lie within."""
    error, raw = errors(weights, check)
    best = (np.inf, 1.0, 0.0)
    for floor in (0.3, 0.5, 0.8, 1.0, 1.5, 2.0):
        for stretch in np.linspace(0.8, 3.0, 45):
            sigma = np.hypot(raw * stretch, floor)
            z = error / sigma
            low, high = (np.abs(z[part]) < 1 for part in (raw < np.median(raw), raw >= np.median(raw)))
            miss = abs(low.mean() - 0.68) + abs(high.mean() - 0.68)
            if miss < best[0]:
                best = (miss, stretch, floor / 1000)
    return np.array(best[1:], np.float32)


def prepared(files: Collection[str]) -> tuple[Examples, Examples]:
    """What `audio.train.races` wrote: examples to train on, and to check with."""
    read = [np.load(file) for file in files]
    train, check = (
        tuple(np.concatenate([one[part + name] for one in read]) for name in ("db", "kinds", "frames"))
        for part in ("", "check_")
    )
    return (train[0], train[1], train[2]), (check[0], check[1], check[2])


def main() -> None:
    """Make or read the examples, train, calibrate, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips")
    parser.add_argument("--noise")
    parser.add_argument(
        "--examples", nargs="*", default=(), help="in place of clips and noise: files of audio.train.races"
    )
    parser.add_argument("--out", default="audio/onset.npz")
    parser.add_argument("--count", type=int, default=24000)
    parser.add_argument("--steps", type=int, default=6000)
    args = parser.parse_args()
    if args.examples:
        train, check = prepared(args.examples)
    else:
        material = Material(args.clips, args.noise)
        voices = sorted({voice for voice, _, _ in material.clips})
        held = set(voices[::8])
        train = dataset(material, args.count, 1, [c for c in material.clips if c[0] not in held])
        check = dataset(material, args.count // 10, 2, [c for c in material.clips if c[0] in held])
    weights = fit(train, check, args.steps)
    weights["sigma"] = calibrate(weights, check)
    np.savez_compressed(args.out, allow_pickle=False, **weights)


if __name__ == "__main__":
    main()
