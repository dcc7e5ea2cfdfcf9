"""Who was first, as a curve over the gap, with a microphone a player and a stereo pair; and who called, by voice alone.

Two real clips are put at two mouths of a simulated room (image sources, `pyroomacoustics`, a test dependency), the
second some milliseconds after the first, and heard by `audio.listen` with the call model. Right: the two calls are
ordered with certainty and as staged, or only the first was heard. Wrong: the other way round. What is left to one is a
tie, an order that the ear itself calls contested, or no call heard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.signal import fftconvolve, resample_poly

from referee.bench.voice_onset import RATE, Clip, clips, loudness_db
from referee.errors import UsageError
from referee.events import CallHeard
from referee.media import AudioBlock
from referee.rules.order import is_ordered, lead_sigma_s

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from models import CallModel

    Floats = NDArray[np.float32]

GAPS_MS = (5, 10, 20, 40, 80, 160)
SEATS = {"own": ("north", "east", "south", "west"), "stereo": ("north", "south")}
CERTAINTY = 0.95
"""Below it two calls are a tie, as in the rule sets."""
BLOCK = 4800
LEAD_S, TAIL_S = 1.0, 2.2
"""Of quiet before the first call, and of the recording from the first call on."""
SOUND_M_S = 343.0
FILTER = 40
"""Samples by which pyroomacoustics delays every path (half of its fractional delay filter)."""


@dataclass(frozen=True, slots=True)
class Duel:
    """Two calls in one recording."""

    samples: Floats
    tier: str
    seats: tuple[str, str]
    """Who called first and second."""
    words: tuple[str, str]
    onsets_s: tuple[float, float]


def staged(pair: Sequence[Clip], gap_ms: float, tier: str, rng: np.random.Generator) -> Duel:
    """A room, two mouths, microphones, and two calls `gap_ms` apart at the microphones that they reach first."""
    seats = SEATS[tier]
    who = rng.permutation(len(seats))[:2]
    room, delays_s = _room(tier, len(seats), rng)
    length = round((LEAD_S + TAIL_S) * RATE)
    out = np.zeros((len(room), length))
    onsets = []
    for i, (clip, seat) in enumerate(zip(pair, who, strict=True)):
        onset_s = LEAD_S + i * gap_ms / 1000
        begin = round((onset_s - clip.onset_s - delays_s[seat]) * RATE) - FILTER
        voice = clip.samples * 10 ** ((-26 - loudness_db(clip.samples) + rng.normal() * 1.5) / 20)
        for m, paths in enumerate(room):
            wet = fftconvolve(voice, paths[seat])
            low = max(0, begin)
            out[m, low : begin + len(wet)] += wet[low - begin : length - begin]
        onsets.append(onset_s)
    out += rng.normal(size=out.shape) * 10 ** (-70 / 20)
    out *= 0.4 / np.abs(out).max()
    first, second = (seats[w] for w in who)
    return Duel(out.astype(np.float32), tier, (first, second), (pair[0].word, pair[1].word), (onsets[0], onsets[1]))


def _room(tier: str, players: int, rng: np.random.Generator) -> tuple[list[list[Floats]], list[float]]:
    """Impulse responses by microphone and player, and the time to each player's nearest microphone."""
    try:
        import pyroomacoustics as rooms  # noqa: PLC0415 - a test dependency
    except ImportError:
        raise UsageError("this bench simulates rooms: pip install pyroomacoustics") from None
    size = [*rng.uniform(3, 6, 2), 2.6]
    absorption, order = rooms.inverse_sabine(rng.uniform(0.2, 0.5), size)
    middle = np.array([*rng.uniform(1.3, [size[0] - 1.3, size[1] - 1.3]), 0.75])
    turns = (np.pi / 2, 0, -np.pi / 2, np.pi) if players == 4 else (np.pi / 2, -np.pi / 2)
    mouths = [middle + _at(turn, rng.uniform(0.45, 0.62), rng.uniform(0.28, 0.42)) for turn in turns]
    if tier == "own":
        mics = [middle + _at(turn, rng.uniform(0.25, 0.35), rng.uniform(0.03, 0.15)) for turn in turns]
    else:
        phone = middle + np.array([*rng.uniform(-0.15, 0.15, 2), rng.uniform(0.02, 0.8)])
        lean = rng.normal() * 0.15
        half = rng.uniform(0.06, 0.075) * np.array([-np.sin(lean), np.cos(lean), 0])
        mics = [phone + half, phone - half]
    box = rooms.ShoeBox(size, fs=RATE, materials=rooms.Material(absorption), max_order=min(order, 12))
    for mouth in mouths:
        box.add_source(mouth)
    box.add_microphone_array(np.array(mics).T)
    box.compute_rir()
    nearest = [float(min(np.linalg.norm(mouth - mic) for mic in mics)) / SOUND_M_S for mouth in mouths]
    return box.rir, nearest


def _at(turn: float, reach: float, height: float) -> NDArray[np.float64]:
    return np.array([reach * np.cos(turn), reach * np.sin(turn), height])


def hear(duel: Duel, model: CallModel) -> list[CallHeard]:
    """The accepted calls of a recording, in order of onset."""
    from audio import listen  # noqa: PLC0415 - the command line lists benches without loading the ear

    cuts = range(0, duel.samples.shape[1], BLOCK)
    blocks = (AudioBlock(i / RATE, duel.samples[:, i : i + BLOCK], RATE) for i in cuts)
    calls = [e for e in listen(blocks, model, seats=SEATS[duel.tier]) if isinstance(e, CallHeard)]
    return sorted((c for c in calls if c.accepted and c.type), key=lambda c: c.time_s)


def verdict(duel: Duel, calls: Sequence[CallHeard]) -> str:
    """`right`, `wrong`, `tie` (also when order is contested), or `unheard` when no call was heard.

    As the referee would rule: if only one call was heard it was first.
    """
    firsts: dict[str, CallHeard] = {}
    for call in calls:
        if call.seats and abs(call.time_s - duel.onsets_s[0]) < 0.6:
            firsts.setdefault(max(call.seats, key=lambda s: call.seats[s]), call)
    first, second = (firsts.get(seat) for seat in duel.seats)
    if any(call.contested for call in firsts.values()):
        return "tie"
    if first is None or second is None:
        return "right" if first and len(firsts) == 1 else "wrong" if firsts else "unheard"
    lead_s = second.time_s - first.time_s
    if not is_ordered(abs(lead_s), lead_sigma_s(first.sigma_ms, second.sigma_ms), certainty=CERTAINTY, window_s=0.0):
        return "tie"
    return "right" if lead_s > 0 else "wrong"


def duels(data: Path, tier: str, gap_ms: float, count: int, seed: int) -> Iterator[Duel]:
    """Two-player recordings, the same at every run."""
    rng = np.random.default_rng([seed, round(gap_ms), len(tier)])
    found = [c for c in clips(data, ("en",)) if c.word in ("rock", "paper", "scissors")]
    for _ in range(count):
        a, b = rng.choice(len(found), 2, replace=False)
        yield staged((found[a], found[b]), gap_ms, tier, rng)


def first_figures(data: Path, model: CallModel, *, count: int = 20, seed: int = 7) -> dict[str, Any]:
    """`first_right_TIER_GAP`, `first_wrong_TIER_GAP` and `first_tie_TIER_GAP`, shares of all recordings."""
    out: dict[str, Any] = {}
    for tier in SEATS:
        for gap_ms in GAPS_MS:
            said = [verdict(d, hear(d, model)) for d in duels(data, tier, gap_ms, count, seed)]
            for kind in ("right", "wrong", "tie"):
                out[f"first_{kind}_{tier}_{gap_ms}"] = round(said.count(kind) / count, 3)
    return out


def voice_figures(data: Path, *, rounds: int = 60, seed: int = 8) -> dict[str, Any]:
    """`who_right_one` (share of calls given to a seat) and `who_abstained_one`, two to four enrolled real voices.

    There is one take a word of each voice: the call is that take with pitch and speed changed by up to 4 %, another
    level and other noise; a person's second take differs more.
    """
    from audio.voices import Voices  # noqa: PLC0415 - as above

    rng = np.random.default_rng(seed)
    by_voice: dict[str, dict[str, Clip]] = {}
    for clip in clips(data, ("en",)):
        by_voice.setdefault(clip.source, {})[clip.word] = clip
    right = wrong = abstained = 0
    for _ in range(rounds):
        word = str(rng.choice(["rock", "paper", "scissors"]))
        able = sorted(v for v, words in by_voice.items() if word in words)
        players = rng.choice(able, int(rng.integers(2, 5)), replace=False)
        voices = Voices()
        for player in players:
            voices.enroll(player, word, _take(by_voice[player][word], 1.0, 30, rng), RATE)
        caller = str(rng.choice(players))
        found = voices.who(word, _take(by_voice[caller][word], rng.uniform(0.96, 1.04), 20, rng), RATE)
        if not found:
            abstained += 1
        elif max(found, key=lambda s: found[s]) == caller:
            right += 1
        else:
            wrong += 1
    return {
        "who_right_one": round(right / max(1, right + wrong), 3),
        "who_abstained_one": round(abstained / rounds, 3),
    } | rhyming_figures(data, seed=seed)


RHYMES = ("rock", "lock", "clock", "block", "sock", "walk")


def rhyming_figures(data: Path, *, rounds: int = 400, seed: int = 8) -> dict[str, Any]:
    """`who_right_rhyme` and `who_abstained_rhyme`: enrolled with one word, heard saying another that rhymes with it.

    Real takes, no two of them the same recording: harder than a player's second take of the same word, of which there
    are no recordings. Who calls are the voices that say several of these words; the others are enrolled beside them.
    """
    from audio import voices  # noqa: PLC0415 - as above

    spoken: dict[str, dict[str, Floats]] = {}
    for source, word, samples in _rhymes(data):
        spoken.setdefault(source, {})[word] = voices.features(samples, RATE_16)
    several = sorted(source for source, words in spoken.items() if len(words) > 1)
    if not several:
        return {}
    rng = np.random.default_rng(seed)
    right = wrong = 0
    for _ in range(rounds):
        caller = several[int(rng.integers(len(several)))]
        said, enrolled = rng.choice(sorted(spoken[caller]), 2, replace=False)
        others = rng.choice([s for s in sorted(spoken) if s != caller], int(rng.integers(1, 4)), replace=False)
        takes = {caller: spoken[caller][enrolled]}
        takes |= {str(other): spoken[other][str(rng.choice(sorted(spoken[other])))] for other in others}
        found = voices.decide({who: voices.distance(spoken[caller][said], take) for who, take in takes.items()})
        right += bool(found) and max(found, key=lambda s: found[s]) == caller
        wrong += bool(found) and max(found, key=lambda s: found[s]) != caller
    return {
        "who_right_rhyme": round(right / max(1, right + wrong), 3),
        "who_abstained_rhyme": round(1 - (right + wrong) / rounds, 3),
        "who_callers_rhyme": len(several),
        "who_voices_rhyme": len(spoken),
    }


RATE_16 = 16000


def _rhymes(data: Path) -> Iterator[tuple[str, str, Floats]]:
    """Source, word and samples of every single utterance of a word that rhymes with rock."""
    from audio.takes import utterances  # noqa: PLC0415 - as above
    from referee.bench.voice_words import read  # noqa: PLC0415 - loads the recogniser

    for r in read(data):
        word = "rock" if r.file.startswith("en/rock/") else r.file.removeprefix("neg/word_en_").split("_")[0]
        if word in RHYMES:
            found = utterances(np.pad(r.samples, round(0.3 * RATE_16)))
            if found:
                longest = max(found, key=lambda take: len(take.samples))
                yield r.source, word, longest.samples[480:-320]


def _take(clip: Clip, speed: float, over_noise_db: float, rng: np.random.Generator) -> Floats:
    changed = resample_poly(clip.samples, 200, round(200 * speed))
    level = 10 ** ((loudness_db(changed) - over_noise_db) / 20)
    out: Floats = (changed + rng.normal(size=len(changed)) * level).astype(np.float32)
    return out * np.float32(10 ** (rng.uniform(-6, 6) / 20))
