"""Examples of players who call, alone and over each other, for `audio.train.onset`.

`python -m audio.train.races TIER COUNT SEED OUT.npz CLIPS...`: TIER is `one` (one microphone, mostly one voice), `own`
(a microphone a player) or `stereo` (a pair between two); CLIPS are what `audio.train.build say` and
`audio.train.recorded` wrote: people and noises of the latter are heard behind the game. Rooms are simulated by image
sources (`pyroomacoustics`). Each caller of a scene is one example: the energies of the caller's microphone or side,
those of the others if there are any, how the word begins, and the frame of its onset.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.signal import butter, fftconvolve, resample_poly, sosfilt

from audio import onset
from audio.own import strongest_other
from audio.stereo import both_sides
from audio.train.words import loudness, true_onset, varied

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]
    Random = np.random.Generator

R = onset.RATE
CLIP_RATE = 16000
SCENE_S, AT_S = 2.0, 0.9
"""How long a scene is, and where about the calls lie."""
ROOMS, ROOM_S = 160, 0.4
"""How many rooms are drawn for a set of examples, and how much of their response is kept."""
SOUND_M_S = 343.0
LATE = 40
"""Samples by which pyroomacoustics delays every path."""
APART_S = 0.12
"""On one microphone a voice that begins sooner after another has no beginning that could be learnt."""
HELD = 7
"""Every so-many-th voice is kept for checking."""


@dataclass(frozen=True, slots=True)
class Room:
    """Impulse responses by microphone and place, and seconds from each player's place to each microphone."""

    paths: list[list[Array]]
    """The players' places first, then that of somebody in the room."""
    delays_s: Array


@dataclass(frozen=True, slots=True)
class Said:
    """A clip of a word or of talk."""

    voice: str
    word: str
    samples: Array


class Library:
    """What is said, and what is heard behind it."""

    def __init__(self, files: Sequence[str], *, held: bool) -> None:
        self.words: dict[str, list[Said]] = {}
        self.behind: list[Array] = []
        for file in files:
            sound = np.load(Path(file).with_suffix(".npy"), mmap_mode="r")
            index = json.loads(Path(file).with_suffix(".json").read_text(encoding="utf-8"))
            voices = sorted({entry["voice"] for entry in index})
            kept = {v for i, v in enumerate(voices) if (i % HELD == 0) == held or len(voices) == 1}
            for entry in index:
                samples = sound[entry["at"] : entry["at"] + entry["n"]]
                if entry["lang"] == "any":
                    if entry["n"] > CLIP_RATE // 2:
                        self.behind.append(samples)
                elif entry["label"] not in ("", "-", "~") and entry["voice"] in kept:
                    make = entry["voice"].split("/")[0]
                    self.words.setdefault(make, []).append(Said(entry["voice"], entry["text"], samples))

    def word(self, rng: Random, like: str = "") -> tuple[str, Array]:
        """A call at 48 kHz by some voice, each make of synthesiser as often; `like`: the same word as before."""
        said = self.words[str(rng.choice(sorted(self.words)))]
        same = [s for s in said if s.word == like] or said
        one = same[rng.integers(len(same))]
        clip = varied(one.samples.astype(np.float32) / 32768, one.word, rng)
        return one.word, clip / np.float32(10 ** (loudness(clip) / 20))

    def talk(self, rng: Random, count: int) -> Array:
        """So many samples of people or noises, with an r.m.s. of one."""
        out = np.zeros(0, np.float32)
        while len(out) < count:
            piece = self.behind[rng.integers(len(self.behind))].astype(np.float32)
            out = np.concatenate([out, resample_poly(piece / (np.sqrt((piece**2).mean()) + 1), 3, 1)])
        return out[:count]


def rooms(tier: str, count: int, rng: Random) -> Iterator[Room]:
    """Rooms with a table: players' mouths around it, their microphones, and one more person further away."""
    import pyroomacoustics  # noqa: PLC0415 - only training and the bench need it

    for _ in range(count):
        players = 2 if tier == "stereo" else int(rng.integers(2, 5))
        size = np.array([*rng.uniform(2.4, 8, 2), rng.uniform(2.2, 3.4)])
        absorption, order = pyroomacoustics.inverse_sabine(rng.uniform(0.25, 0.8), size)
        middle = np.array([*rng.uniform(1.1, size[:2] - 1.1), rng.uniform(0.4, 0.85)])
        turns = rng.uniform(0, 2 * np.pi) + np.arange(players) * 2 * np.pi / players + rng.normal(size=players) * 0.25
        mouths = [middle + _around(t, rng.uniform(0.4, 0.75), rng.uniform(0.2, 0.55)) for t in turns]
        if tier == "own" or (tier == "one" and rng.random() < 0.5):
            mics = [middle + _around(t + rng.normal() * 0.3, rng.uniform(0.15, 0.45), 0.02) for t in turns]
            mics = mics if tier == "own" else mics[:1]
        else:
            lean = turns[0] + rng.normal() * 0.25
            phone = middle + np.array([*rng.normal(size=2) * 0.12, rng.uniform(0.01, 0.8)])
            half = rng.uniform(0.05, 0.085) * np.array([np.cos(lean), np.sin(lean), 0])
            mics = [phone + half, phone - half] if tier == "stereo" else [phone]
        away = np.array([rng.uniform(0.3, size[0] - 0.3), rng.uniform(0.3, size[1] - 0.3), rng.uniform(1.0, 1.7)])
        box = pyroomacoustics.ShoeBox(
            size, fs=R, materials=pyroomacoustics.Material(min(0.9, absorption)), max_order=min(order, 9)
        )
        for place in (*mouths, away):
            box.add_source(np.clip(place, 0.05, size - 0.05))
        box.add_microphone_array(np.array(mics).T)
        box.compute_rir()
        paths = [[np.asarray(path[: round(ROOM_S * R)], np.float32) for path in row] for row in box.rir]
        delays = np.array([[np.linalg.norm(m - p) for p in mouths] for m in mics]) / SOUND_M_S
        yield Room(paths, delays)


def _around(turn: float, reach: float, height: float) -> Array:
    return np.array([reach * np.cos(turn), reach * np.sin(turn), height])


def gap_s(rng: Random) -> float:
    """Seconds from one call to the next player's: often a few hundredths, sometimes most of a word."""
    return float(rng.choice([rng.uniform(0, 0.03), rng.uniform(0, 0.12), rng.uniform(0, 0.45)], p=[0.35, 0.3, 0.35]))


class Scene:
    """A recording in the making: microphones of one room, whose clocks may be a little apart."""

    def __init__(self, tier: str, room: Room, rng: Random) -> None:
        self.tier, self.room, self.rng = tier, room, rng
        self.players = room.delays_s.shape[1]
        self.sound = np.zeros((len(room.paths), round(SCENE_S * R)))
        self.shift_s = rng.normal(size=len(self.sound)) * (0.0006 if tier == "own" else 0.0)

    def lay(self, clip: Array, place: int, begin_s: float) -> None:
        """Somebody at a place says a clip from then on."""
        for mic, paths in enumerate(self.room.paths):
            wet = fftconvolve(clip, paths[place])
            begin = round((begin_s + self.shift_s[mic]) * R) - LATE
            low, high = max(0, begin), min(self.sound.shape[1], begin + len(wet))
            self.sound[mic, low:high] += wet[low - begin : high - begin]

    def call(self, clip: Array, player: int, at_s: float) -> float:
        """A player's word begins then; gives when it is first heard at a microphone."""
        self.lay(clip * 10 ** (self.rng.normal() * 3.5 / 20), player, at_s - true_onset(clip) / R)
        near = int(np.argmin(self.room.delays_s[:, player]))
        return float(at_s + self.room.delays_s[near, player] + self.shift_s[near])

    def record(self) -> None:
        """Gains, noise and band of the microphones."""
        rng = self.rng
        gains = rng.normal(size=(len(self.sound), 1)) * (0.7 if self.tier == "stereo" else 2.5)
        self.sound *= 10 ** (gains / 20)
        hiss = np.sqrt((self.sound**2).mean()) * 10 ** (-rng.uniform(25, 65) / 20)
        self.sound += rng.normal(size=self.sound.shape) * hiss
        cutoff = rng.choice([7400, 11000, 15000, 0, 0] if len(self.sound) > 1 else [3700, 7400, 11000, 15000, 0, 0])
        if cutoff:
            self.sound = sosfilt(butter(6, cutoff, fs=R, output="sos"), self.sound, axis=1)

    def example(self, player: int, word: str, onset_s: float) -> tuple[Array, int, float]:
        """Energies of the caller and of the others, how the word begins, and the frame of its onset."""
        rough_s = onset_s + self.rng.uniform(-0.2, 0.12)
        cuts = [onset.cut(row, R, rough_s) for row in self.sound.astype(np.float32)]
        windows = np.array([c[0] for c in cuts])
        frame = (onset_s - cuts[0][1]) / onset.HOP_S
        if self.tier == "one":
            both = onset.energies(windows[0])[: onset.FRAMES]
            return both, onset.KINDS.index(onset.kind_of(word)), frame
        if self.tier == "own":
            own, others = strongest_other(np.array([onset.energies(row) for row in windows]), player)
        else:
            lags_s = self.room.delays_s[1] - self.room.delays_s[0]
            known = [float(lag + self.rng.normal() * 1.5e-5) for lag in sorted(lags_s, reverse=True)]
            own, others = both_sides(windows, int(lags_s[player] < 0), known if self.rng.random() < 0.5 else None)
        both = np.concatenate([own[: onset.FRAMES], others[: onset.FRAMES]], axis=1)
        return both, onset.KINDS.index(onset.kind_of(word)), frame


def recorded(tier: str, library: Library, room: Room, rng: Random) -> Iterator[tuple[Array, int, float]]:
    """One recording of one to three callers, an example for each whose beginning can be heard."""
    scene = Scene(tier, room, rng)
    alone = 0.55 if tier == "one" else 0.1
    callers = rng.permutation(scene.players)[: 1 if rng.random() < alone else 2 if rng.random() < 0.8 else 3]
    at_s, word, called = AT_S + rng.uniform(-0.05, 0.05), "", []
    for caller in callers:
        word, clip = library.word(rng, word if rng.random() < 0.4 else "")
        called.append((int(caller), word, scene.call(clip, int(caller), at_s)))
        at_s += gap_s(rng)
    if rng.random() < 0.3:  # somebody who plays says something before, or talks on
        clip = library.talk(rng, round(rng.uniform(0.2, 1.2) * R)) * 10 ** (rng.uniform(-22, -8) / 20)
        scene.lay(clip, int(rng.integers(scene.players)), rng.uniform(0, 0.7))
    over_db = rng.choice([rng.uniform(5, 15), rng.uniform(12, 30), 50])
    scene.lay(library.talk(rng, scene.sound.shape[1]) * 10 ** (-over_db / 20), scene.players, 0.0)
    scene.record()
    before_s = 0.0
    for caller, said, onset_s in called:
        if tier != "one" or onset_s - before_s > APART_S:
            yield scene.example(caller, said, onset_s)
        before_s = onset_s


def examples(tier: str, library: Library, count: int, seed: int) -> tuple[Array, Array, Array]:
    """Arrays of `count` examples."""
    rng = np.random.default_rng(seed)
    drawn = list(rooms(tier, max(4, min(ROOMS, count // 20)), rng))
    rows: list[tuple[Array, int, float]] = []
    while len(rows) < count:
        rows += recorded(tier, library, drawn[rng.integers(len(drawn))], rng)
    rows = rows[:count]
    return (
        np.array([r[0] for r in rows], np.float16),
        np.array([r[1] for r in rows]),
        np.array([r[2] for r in rows], np.float32),
    )


def main(tier: str, count: str, seed: str, out: str, *files: str) -> None:
    """Write examples to train on and, by held-out voices in other rooms, to check with."""
    train = examples(tier, Library(files, held=False), int(count), int(seed))
    check = examples(tier, Library(files, held=True), int(count) // 8, int(seed) + 1)
    names = ("db", "kinds", "frames")
    arrays = dict(zip(names, train, strict=True))
    arrays |= {f"check_{name}": array for name, array in zip(names, check, strict=True)}
    np.savez(out, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main(*sys.argv[1:])
