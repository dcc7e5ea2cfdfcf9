"""Scenes to train on: calls, other words, sentences and noises in a room, mixed by chance, with their times known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.signal import butter, fftconvolve, resample_poly, sosfilt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

RATE = 16000
KINDS = ("call", "near", "word", "talk", "behind", "noise", "music")
Rng = np.random.Generator
CALLING = {"call": 0.24, "race": 0.26, "near": 0.16, "word": 0.1, "talk": 0.13, "noise": 0.06, "burst": 0.05}
TALKING = {"near": 0.2, "word": 0.22, "talk": 0.45, "noise": 0.09, "burst": 0.04}
"""How often each thing happens in a scene with calls and in one without."""


@dataclass(frozen=True, slots=True)
class Clip:
    """One utterance of one voice, trimmed."""

    samples: NDArray[np.float32]
    call: str
    """`en/rock` for a call of that language, empty for all else."""
    kind: str
    """One of `KINDS`: `near` sounds like a call, `behind` is talk that is only heard behind the game."""
    make: str = ""
    """Which synthesiser or collection it is from: many clips of one make must not drown the others."""


@dataclass(frozen=True, slots=True)
class Said:
    """A call in a scene, in seconds from its beginning."""

    call: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Scene:
    """A stretch of sound and the calls in it."""

    samples: NDArray[np.float32]
    calls: tuple[Said, ...]


def stretched(samples: NDArray[np.float32], rng: Rng) -> NDArray[np.float32]:
    """Speed, pitch and formants together, as between a man and a child."""
    up = int(rng.integers(80, 126))
    return np.asarray(resample_poly(samples, 100, up), np.float32) if rng.random() < 0.7 else samples


def coloured(samples: NDArray[np.float32], rng: Rng) -> NDArray[np.float32]:
    """Another throat and another microphone: smooth gains over frequency, a tilt among them."""
    if rng.random() < 0.3:
        return samples
    size = len(samples) + 512
    mel = np.log1p(np.fft.rfftfreq(size, 1 / RATE) / 700)
    at = np.linspace(0, mel[-1], 9)
    gains = np.interp(mel, at, rng.normal(0, 3.0, 9) + rng.normal(0, 5.0) * np.linspace(-1, 1, 9))
    changed = np.fft.irfft(np.fft.rfft(samples, size) * 10 ** (gains / 20), size)[: len(samples)]
    return np.asarray(changed, np.float32)


def room(rng: Rng) -> NDArray[np.float32]:
    """An impulse response: a direct path, a few early echoes and an exponentially dying tail."""
    reverberation_s, length = rng.uniform(0.15, 0.7), int(0.5 * RATE)
    t = np.arange(length) / RATE
    tail = rng.normal(0, 1, length) * np.exp(-6.9 * t / reverberation_s) * (t > rng.uniform(0.002, 0.012))
    tail *= 10 ** (-rng.uniform(0, 18) / 20) / np.sqrt((tail**2).sum())
    tail[0] = 1.0
    for _ in range(int(rng.integers(1, 6))):
        tail[int(rng.uniform(0.001, 0.02) * RATE)] += rng.uniform(-0.5, 0.5)
    return tail.astype(np.float32)


def level(samples: NDArray[np.float32]) -> float:
    """Root mean square of the sounding part."""
    power = samples.astype(np.float64) ** 2
    return float(np.sqrt(power[power > power.max() * 1e-4].mean())) if power.max() > 0 else 1.0


def coloured_noise(count: int, rng: Rng) -> NDArray[np.float32]:
    """Noise of a random slope, sometimes swelling, as of fans, streets and rooms."""
    spectrum = np.fft.rfft(rng.normal(0, 1, count))
    spectrum *= np.maximum(np.arange(len(spectrum)), 20.0) ** -rng.uniform(0, 1.2)
    noise = np.fft.irfft(spectrum, count)
    if rng.random() < 0.3:
        noise *= 1 + 0.8 * np.sin(2 * np.pi * rng.uniform(0.1, 3) * np.arange(count) / RATE)
    return (noise / noise.std()).astype(np.float32)


def music(count: int, rng: Rng) -> NDArray[np.float32]:
    """Chords of plucked harmonic tones over a beat."""
    length = min(count, 4 * RATE)
    out, t, beat = np.zeros(length), np.arange(length) / RATE, rng.uniform(0.25, 0.7)
    for n in range(int(length / RATE / beat)):
        since = np.maximum(t - n * beat, 0)
        for _ in range(int(rng.integers(1, 4))):
            pitch = 110 * 2 ** (rng.integers(0, 36) / 12)
            tones = sum(np.sin(2 * np.pi * pitch * k * since) / k ** rng.uniform(0.8, 2) for k in range(1, 6))
            out += tones * np.exp(-since * rng.uniform(2, 8)) * (since > 0)
    return np.resize(out / (out.std() + 1e-9), count).astype(np.float32)


def knock(rng: Rng) -> NDArray[np.float32]:
    """Card slaps, knocks and shuffles: one or many short bursts of filtered noise."""
    count = int(rng.choice([1, 1, 2, int(rng.integers(8, 40))]))
    gap, out = rng.uniform(0.02, 0.12), np.zeros(int(RATE * (0.3 + count * 0.13)), np.float32)
    low = rng.uniform(80, 2000)
    sos = butter(2, [low, min(7500, low * rng.uniform(2, 8))], "bandpass", fs=RATE, output="sos")
    for n in range(count):
        length = int(RATE * 0.1)
        burst = sosfilt(sos, rng.normal(0, 1, length)) * np.exp(-np.arange(length) / RATE / rng.uniform(0.003, 0.03))
        at = int(RATE * n * gap * rng.uniform(0.9, 1.1))
        out[at : at + length] += burst.astype(np.float32)[: len(out) - at]
    return out


@dataclass(frozen=True, slots=True)
class _Take:
    """A scene while it is mixed."""

    samples: NDArray[np.float32]
    calls: list[Said]
    rooms: list[NDArray[np.float32] | None]
    rng: Rng


class Stage:
    """Mixes scenes from clips."""

    def __init__(self, clips: Sequence[Clip], *, calls: bool = True) -> None:
        """Take all `clips`; without `calls` nobody calls in any scene."""
        self._share = CALLING if calls else TALKING
        self._by_kind: dict[str, dict[str, list[Clip]]] = {kind: {} for kind in KINDS}
        for clip in clips:
            self._by_kind[clip.kind].setdefault(f"{clip.make} {clip.call}", []).append(clip)

    def scene(self, seconds: float, rng: Rng) -> Scene:
        """Mix one scene."""
        samples = np.zeros(int(seconds * RATE), np.float32)
        take = _Take(samples, [], [room(rng) if rng.random() < 0.75 else None for _ in range(3)], rng)
        at = rng.uniform(0.2, 0.8)
        while at < seconds - 1.5:
            at = self._event(at, take)
        samples = self._behind(samples, rng)
        return Scene(microphone(samples, rng), tuple(take.calls))

    def _event(self, at: float, take: _Take) -> float:
        rng = take.rng
        kind = str(rng.choice(list(self._share), p=list(self._share.values())))
        if kind == "race":
            return self._race(at, take)
        clip = Clip(knock(rng), "", "noise") if kind == "burst" else self._pick(kind, rng)
        end = self._put(clip, at, take)
        return end + (rng.exponential(0.15) if rng.random() < 0.3 else 0.25 + rng.exponential(0.4))

    def _race(self, at: float, take: _Take) -> float:
        """Two to four people call within half a second or so, mostly the same word, for one type wins."""
        rng = take.rng
        first = self._pick("call", rng)
        end = self._put(first, at, take)
        for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
            rival = self._pick("call", rng)
            if rng.random() < 0.4:
                rival = self._alike(first, rng)
            late = rng.uniform(0.0, 0.25) if rng.random() < 0.5 else rng.uniform(0.0, 0.6)
            end = max(end, self._put(rival, at + late, take))
        return end + rng.exponential(0.5) + 0.1

    def _alike(self, clip: Clip, rng: Rng) -> Clip:
        """The same call by anybody."""
        makes = [clips for clips in self._by_kind["call"].values() if clips[0].call == clip.call]
        clips = makes[int(rng.integers(len(makes)))]
        return clips[int(rng.integers(len(clips)))]

    def _pick(self, kind: str, rng: Rng) -> Clip:
        makes = list((self._by_kind[kind] or self._by_kind["word"] or self._by_kind["near"]).values())
        share = np.sqrt([len(clips) for clips in makes])
        clips = makes[int(rng.choice(len(makes), p=share / share.sum()))]
        return clips[int(rng.integers(len(clips)))]

    def _put(self, clip: Clip, at: float, take: _Take) -> float:
        samples, rng = take.samples, take.rng
        sound = coloured(stretched(clip.samples, rng), rng)
        sound = sound / level(sound) * np.float32(10 ** (rng.normal(-1.5 if clip.kind == "talk" else 0, 3.5) / 20))
        first = int(at * RATE)
        end = at + len(sound) / RATE
        if end > len(samples) / RATE - 0.5:
            return len(samples) / RATE
        response = take.rooms[int(rng.integers(len(take.rooms)))]
        heard = sound if response is None else np.asarray(fftconvolve(sound, response), np.float32)
        room_left = samples[first : first + len(heard)]
        room_left += heard[: len(room_left)]
        if clip.call:
            take.calls.append(Said(clip.call, at, end))
        return end

    def _behind(self, samples: NDArray[np.float32], rng: Rng) -> NDArray[np.float32]:
        count = len(samples)
        out = samples + coloured_noise(count, rng) * np.float32(10 ** (-rng.uniform(12, 55) / 20))
        if rng.random() < 0.6:
            out += self._talk(count, rng) * np.float32(10 ** (-rng.uniform(4, 26) / 20))
        if rng.random() < 0.15:
            out += self._music(count, rng) * np.float32(10 ** (-rng.uniform(5, 25) / 20))
        return out

    def _music(self, count: int, rng: Rng) -> NDArray[np.float32]:
        """Recorded music if there is any, else chords."""
        if not self._by_kind["music"] or rng.random() < 0.3:
            return music(count, rng)
        sound = self._pick("music", rng).samples
        return np.resize(sound, count) / np.float32(level(sound))

    def _talk(self, count: int, rng: Rng) -> NDArray[np.float32]:
        """Talk behind the game: one to three people who speak sentence after sentence."""
        out = np.zeros(count, np.float32)
        for _ in range(int(rng.integers(1, 4))):
            at = int(rng.integers(0, RATE))
            while at < count:
                kind = "behind" if self._by_kind["behind"] and rng.random() < 0.5 else "talk"
                sound = coloured(stretched(self._pick(kind, rng).samples, rng), rng)
                part = sound[: count - at] / np.float32(level(sound))
                out[at : at + len(part)] += part
                at += len(sound) + int(rng.exponential(0.5) * RATE)
        return out / np.float32(level(out))


def microphone(samples: NDArray[np.float32], rng: Rng) -> NDArray[np.float32]:
    """Band limits, level, clipping and the steps of 16 bits."""
    out = samples
    if rng.random() < 0.3:
        high = rng.uniform(3300, 7500)
        out = np.asarray(sosfilt(butter(4, high, "lowpass", fs=RATE, output="sos"), out), np.float32)
    if rng.random() < 0.4:
        out = np.asarray(sosfilt(butter(1, rng.uniform(60, 300), "highpass", fs=RATE, output="sos"), out), np.float32)
    out = out * np.float32(10 ** (rng.uniform(-38, -14) / 20))
    if rng.random() < 0.1:
        out = out * np.float32(rng.uniform(3, 10))
    if rng.random() < 0.15:
        limit = np.quantile(np.abs(out), rng.uniform(0.98, 0.999)) + 1e-6
        out = np.clip(out, -limit, limit)
    return np.asarray(np.clip(np.rint(out * 32767), -32768, 32767) / 32768, np.float32)
