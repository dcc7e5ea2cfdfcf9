"""What hearing taught words rests on: the space of comparison with talk to compare with, and the weights.

`python -m audio.train.taught space SEED` has espeak-ng and flite talk for four minutes and writes models/taught.npz.
`python -m audio.train.taught weights SEED` has them teach words and say them again, in quiet and over talk, fits the
weights of `audio.taught` and prints them. No recording of people is used: `referee bench words` measures on those.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize

from audio import taught as hearing
from audio import teach
from audio.takes import utterances
from audio.taught import TaughtSpotter
from audio.train import phrases, voices
from audio.verify_rows import ROW_S, rows_of
from models.acoustic import read_network
from models.call_model import packaged
from referee.errors import UsageError
from referee.events import Type

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from audio.spotted import Spotted
    from models.acoustic import Network
    from models.taught import Taught

    Floats = NDArray[np.float32]

RATE = 16000
TALK_S = 120.0
OTHERS = {
    "en": "yes no okay hey wow hello sorry thanks please wait stop go now ready again one two three four five six "
    "seven eight nine ten look there here what why who mine yours give take look out come on good great nice bad "
    "really never always maybe sure fine cool damn oops ouch ha card cards table water coffee beer pizza kitchen "
    "window door mother father Peter Anna Thomas Maria Robert Julia Monday Friday pepper sister rocket clock pocket "
    "copper people paint pilot better letter butter winner dinner cheater player dealer double single finish forward",
    "de": "ja nein gut los halt warte danke bitte eins zwei drei vier sieben acht zehn Karte Tisch Wasser Peter Anna "
    "schnell langsam immer wieder Stern Stuhl Pause Kaffee",
    "es": "si no bien vale ahora espera gracias uno dos tres cuatro siete ocho diez carta mesa agua Pedro Ana rapido "
    "siempre nunca puerta pierna cafe",
}
"""Single words by which a word's limit is set."""
STEP = 1 / 254
"""Talk is kept as whole numbers of this."""
WORDS = (
    "boulder", "pebble", "granite", "mountain", "brick", "marble", "leaflet", "letter", "blanket", "napkin",
    "envelope", "towel", "snippers", "clippers", "razor", "cutter", "sword", "lobster", "crab", "tweezers",
    "banana", "thunder", "dragon", "turtle", "hammer", "feather", "carpet", "lightning", "pancake", "zigzag",
)  # fmt: skip


def sound(voice: voices.Voice, text: str, rng: np.random.Generator, language: str = "en") -> Floats:
    """Something said by some disguise of a synthesiser, at a usual level."""
    samples, _ = voice.say(phrases.Phrase(text, language, ""), rng)
    return np.asarray(samples / max(float(np.abs(samples).max()), 1e-6) * rng.uniform(0.1, 0.5), np.float32)


def talk(seconds: float, rng: np.random.Generator) -> Floats:
    """Sentences one after the other, by ever other voices."""
    makers = (voices.Espeak(), voices.Espeak(), voices.Flite())
    parts, count = [], 0
    while count < seconds * RATE:
        maker = makers[int(rng.integers(len(makers)))]
        language = "en" if maker.name == "flite" else str(rng.choice(["en", "en", "de", "es"]))
        said = [p for p in phrases.load(language) if p.label == ""]
        parts.append(sound(maker, said[int(rng.integers(len(said)))].text, rng, language))
        parts.append(np.zeros(round(rng.uniform(0.05, 0.5) * RATE), np.float32))
        count += len(parts[-1]) + len(parts[-2])
    whole = np.concatenate(parts)
    return np.asarray(whole + rng.normal(0, 10 ** (-rng.uniform(50, 65) / 20), len(whole)), np.float32)


def alone(samples: Floats, rng: np.random.Generator) -> Floats:
    """Something said, in a quiet room with a second before and after it."""
    padded = np.pad(samples, (RATE, RATE))
    return np.asarray(padded + rng.normal(0, 10 ** (-60 / 20), len(padded)), np.float32)


def make_space(seed: int) -> None:
    """Write models/taught.npz."""
    rng, network = np.random.default_rng(seed), read_network(packaged("am/final.mdl"))
    makers = (voices.Espeak(), voices.Espeak(), voices.Flite())
    rows = rows_of(network, talk(TALK_S, rng))[:, :64]
    words = []
    for language, texts in OTHERS.items():
        for text in texts.split():
            maker = makers[int(rng.integers(3))] if language == "en" else makers[0]
            words += word_rows(network, alone(sound(maker, text, rng, language), rng))
    mean, scale = rows.mean(axis=0), 1 / (rows.std(axis=0) + 1e-3)

    def kept(table: Floats) -> NDArray[np.int8]:
        placed = (table - mean) * scale
        placed /= np.linalg.norm(placed, axis=1, keepdims=True)
        return np.clip(np.rint(placed / STEP), -127, 127).astype(np.int8)

    np.savez_compressed(
        Path(__file__).parents[2] / "models" / "taught.npz",
        mean=mean.astype(np.float32),
        scale=scale.astype(np.float32),
        talk=kept(rows),
        words=kept(np.concatenate(words)),
        ends=np.cumsum([len(one) for one in words]),
    )


def word_rows(network: Network, scene: Floats) -> list[Floats]:
    """The rows around the one utterance of a scene: as many before and after it as matching may reach over."""
    return [rows_of(network, scene)[36:-14, :64]] if len(utterances(scene)) == 1 else []


@dataclass(frozen=True, slots=True)
class Case:
    """One verdict: its features, whether the word was said there."""

    features: tuple[float, ...]
    right: bool


class Listening(TaughtSpotter):
    """Keeps the features of every verdict."""

    def __init__(self, words: Sequence[Taught]) -> None:
        super().__init__(words)
        self.seen: list[tuple[float, tuple[float, ...]]] = []

    def _spotted(self, i: int, near: hearing._Nearest) -> Spotted:
        found = super()._spotted(i, near)
        end_s = (near.row + 1) * ROW_S - hearing.LATE_S
        quiet = self.quiet(near.start * ROW_S - hearing.LATE_S, end_s)
        self.seen.append((end_s, (1.0, self._words[i].limit - near.distance, *quiet)))
        return found


def hear(network: Network, word: Taught, samples: Floats) -> list[tuple[float, tuple[float, ...]]]:
    """When and with which features a word was heard in some sound."""
    spotter = Listening([word])
    rows = rows_of(network, np.pad(samples, (0, RATE)))
    for at in range(0, len(rows), 4):
        spotter.feed(rows[at : at + 4])
    spotter.flush()
    return spotter.seen


def cases(seed: int) -> Iterator[Case]:
    """Words taught by some voices and said by others, alone in quiet, over talk, and talk without them."""
    rng, network = np.random.default_rng(seed), read_network(packaged("am/final.mdl"))
    makers = (voices.Espeak(), voices.Espeak(), voices.Flite())
    for text in WORDS:
        said = [sound(makers[int(rng.integers(3))], text, rng) for _ in range(9)]
        around = [alone(one, rng) for one in said]
        taking = [s for a in around[:5] for s in teach.sayings(network, a, utterances(a)[:1])]
        try:
            word = teach.learn(text, "en", Type.ROCK, taking).taught
        except UsageError:  # disguises so unlike that teaching would ask for other sayings
            continue
        for samples, quiet in zip(said[5:], (True, True, False, False), strict=True):
            room = rng.normal(0, 10 ** (-60 / 20), len(samples) + 3 * RATE) if quiet else talk(6.0, rng)
            scene = np.asarray(room[: len(samples) + 3 * RATE], np.float32)
            level = 1.0 if quiet else 10 ** (-rng.uniform(8, 20) / 20)
            scene *= level * (1 if quiet else float(np.abs(samples).max() / np.abs(scene).max()))
            scene[RATE : RATE + len(samples)] += samples
            end_s = 1 + len(samples) / RATE
            for at_s, features in hear(network, word, scene):
                yield Case(features, -0.35 < at_s - end_s < 0.15)
        for _, features in hear(network, word, talk(40.0, rng)):
            yield Case(features, False)
        for other in rng.choice([w for w in WORDS if w != text], 12, replace=False):
            for _, features in hear(network, word, alone(sound(makers[int(rng.integers(3))], str(other), rng), rng)):
                yield Case(features, False)


def make_weights(seed: int) -> None:
    """Fit by logistic regression and print."""
    found = list(cases(seed))
    x, right = np.array([c.features for c in found]), np.array([c.right for c in found])

    def cost(w: NDArray[np.float64]) -> float:
        z = x @ w
        return float(np.logaddexp(0, np.where(right, -z, z)).sum() + 1e-4 * w @ w)

    weights = minimize(cost, np.array([0.0, 20.0, 0.05, 0.05]), method="BFGS").x
    odds = x @ weights
    minutes = len(WORDS) * 40 / 60
    print("weights", weights.round(4).tolist(), "said", len(WORDS) * 4, "heard at all", int(right.sum()))  # noqa: T201
    for p in (0.3, 0.5, 0.7, 0.9):
        limit = np.log(p / (1 - p))
        heard, false = int((odds[right] >= limit).sum()), int((odds[~right] >= limit).sum())
        print(f"at {p}: heard {heard}, false {false}, in {minutes:.0f} minutes and {12 * len(WORDS)} other words")  # noqa: T201


if __name__ == "__main__":
    {"space": make_space, "weights": make_weights}[sys.argv[1]](int(sys.argv[2]))
