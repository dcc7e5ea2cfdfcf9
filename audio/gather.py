"""Words on one or several streams become groups, and what a group of one microphone's words becomes: calls."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from audio import onset, steer
from audio.resample import resampled
from referee.events import SAME_SOUND, UNSURE, CallHeard

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from audio.onset import Onset
    from audio.spotted import Spotted
    from audio.voices import Voices

    Floats = NDArray[np.float32]

SPOT_RATE = 16000
"""Samples a second that recognisers read."""
REPEAT_S = 0.8
"""The same word of the same voice again within this, with no pause of `PAUSE_S` between, is one drawn-out word."""
PAUSE_S = 0.2
ONE_WORD_S = 0.35
SECOND, AT_ONCE_S = 0.15, 0.1
"""The probability from which a word, and how near, that was heard in the sound of another call is another player's."""
MIXED_MS = 20.0
"""How well it is known when the first of two words began that were heard in one another."""
LATER_S, LATER_SHARE = 0.06, 0.65
"""By how much the second began later: this, and so much of the time between their rough starts. Its own onset cannot be
seen in the first one's sound. Fitted to 467 pairs of synthetic voices 0 to 0.35 s apart in simulated rooms."""
CLEAR_S, CLEAR_MS, UNCLEAR_MS = 0.1, 75.0, 130.0
"""How well that is known: where the rough starts lie as far apart, and where they do not."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A word on one of the streams that recognisers read."""

    stream: int
    word: Spotted


@dataclass(frozen=True, slots=True)
class Stretch:
    """Recent sound of all microphones at full rate."""

    samples: Floats
    """Shape (channels, n)."""
    rate: int
    start_s: float
    """Time of the first sample."""

    def windows(self, rough_s: float) -> tuple[Floats, float]:
        """What the onset network reads, of every channel, and the time of its first sample."""
        cuts = [onset.cut(row, self.rate, rough_s - onset.LATE_S - self.start_s) for row in self.samples]
        return np.array([c[0] for c in cuts]), cuts[0][1] + self.start_s

    def span(self, from_s: float, to_s: float) -> Floats:
        """Samples of all channels between two times, at least a twentieth of a second long."""
        first, last = (max(0, round((t - self.start_s) * self.rate)) for t in (from_s, to_s))
        span = self.samples[:, first:last]
        lacking = self.rate // 20 - span.shape[1]
        return np.pad(span, ((0, 0), (0, lacking))) if lacking > 0 else span

    def span_at(self, from_s: float, to_s: float, rate: int) -> Floats:
        """The same at another rate."""
        return resampled(self.span(from_s, to_s), self.rate, rate)


def groups(words: Sequence[Heard], settled_s: float) -> tuple[list[list[Heard]], list[Heard]]:
    """Chains of words that overlap in time: those that are complete, and the words that must wait."""
    chains: list[list[Heard]] = []
    for heard in sorted(words, key=lambda h: (h.word.start_s, h.stream)):
        if chains and heard.word.start_s < max(h.word.end_s for h in chains[-1]) + PAUSE_S:
            chains[-1].append(heard)
        else:
            chains.append([heard])
    done = [c for c in chains if max(h.word.end_s for h in c) + PAUSE_S < settled_s]
    return done, [h for c in chains[len(done) :] for h in c]


def without_repeats(words: Iterable[Heard]) -> list[Heard]:
    """One voice's words in order, a drawn-out word once: the first of its pieces, accepted if any piece was."""
    kept: list[Heard] = []
    for heard in sorted(words, key=lambda h: h.word.start_s):
        last = next((k for k in reversed(kept) if k.word.type == heard.word.type), None)
        if (
            last is not None
            and last.word.accepted >= heard.word.accepted
            and heard.word.start_s - last.word.start_s < REPEAT_S
            and heard.word.start_s - last.word.end_s < PAUSE_S
        ):
            continue
        kept.append(heard)
    return kept


class Front:
    """One microphone, or several that tell nothing of who: one recogniser hears their mean, voices may be known."""

    tier = "none"

    def __init__(self, channels: int, voices: Voices | None = None) -> None:
        self.channels, self.voices = channels, voices
        self._quieter = steer.Quieter(1, SPOT_RATE)

    @property
    def streams(self) -> int:
        """How many recognisers are needed."""
        return 1

    def split(self, samples: Floats) -> Sequence[Floats]:
        """The streams that recognisers read, from all channels at their rate."""
        return list(self._quieter.feed(samples.mean(axis=0, keepdims=True)))

    def rest(self) -> Sequence[Floats]:
        """What splitting still holds back when the sound ends."""
        return list(self._quieter.finish())

    def resolve(self, group: Sequence[Heard], stretch: Stretch) -> list[CallHeard]:
        """The calls of a closed group, in order of onset."""
        calls, starts_s = [], []
        for heard in without_repeats(group):
            windows, first_s = stretch.windows(heard.word.start_s)
            found = place(onset.energies(windows.mean(axis=0)), first_s, heard.word.word)
            seats = self._known(heard.word, found, stretch)
            calls.append(call_of(heard.word, found, stretch, seats, "voice" if seats else self.tier))
            starts_s.append(heard.word.start_s)
        return contested(calls, starts_s)

    def _known(self, word: Spotted, found: Onset, stretch: Stretch) -> dict[str, float]:
        """Whose voice it was; empty if no voices are enrolled or none is clearly the one."""
        if self.voices is None or word.type is None:
            return {}
        span = stretch.span(found.time_s - 0.02, max(word.end_s, found.time_s + 0.2)).mean(axis=0)
        return self.voices.who(word.word, span, stretch.rate)


def contested(calls: Sequence[CallHeard], starts_s: Sequence[float]) -> list[CallHeard]:
    """Calls of one microphone in order of onset; two that begin within `ONE_WORD_S` are two voices, in doubt.

    The recogniser gives one row of words: of two voices it hears a piece of each, so the second may also have begun
    before its piece. Nobody says two calls in so short a time; so another word that is likely enough in the sound of a
    call is another player's.

    Args:
        calls: with their onsets as measured, in order of rough start.
        starts_s: the recogniser's rough starts, seconds.
    """
    out = list(calls)
    for call in [c for c in calls if c.accepted and c.type is not None]:
        if (i := _another(call, out)) is not None:
            out[i] = replace(out[i], accepted=True, reason="")
    real = [i for i, c in enumerate(out) if c.accepted and c.type is not None]
    for i, j in itertools.pairwise(real):
        between_s = starts_s[j] - starts_s[i]
        if min(between_s, out[j].time_s - out[i].time_s) < ONE_WORD_S:
            out[i], out[j] = _mixed(out[i], out[j], between_s)
    return sorted(out, key=lambda call: call.time_s)


def _another(call: CallHeard, calls: Sequence[CallHeard]) -> int | None:
    """Which other word, if any, is likely enough in the sound of a call, where none is accepted yet."""
    near = [i for i, c in enumerate(calls) if c is not call and abs(c.time_s - call.time_s) < AT_ONCE_S]
    words = [i for i in near if calls[i].type not in (None, call.type)]
    if any(calls[i].accepted for i in words):
        return None
    likely = [i for i in words if calls[i].reason in (UNSURE, SAME_SOUND) and calls[i].probability >= SECOND]
    return max(likely, key=lambda i: calls[i].probability, default=None)


def _mixed(first: CallHeard, second: CallHeard, between_s: float) -> tuple[CallHeard, CallHeard]:
    """Two calls in one sound, whose callers nobody can tell: the sound's beginning is the first one's."""
    begin_s = min(first.time_s, second.time_s)
    later_s = max(second.time_s, begin_s + LATER_S + LATER_SHARE * between_s)
    error_ms = CLEAR_MS if between_s >= CLEAR_S else UNCLEAR_MS
    return (
        replace(first, contested=True, seats={}, tier="none", time_s=begin_s, sigma_ms=max(first.sigma_ms, MIXED_MS)),
        replace(
            second,
            contested=True,
            seats={},
            tier="none",
            time_s=later_s,
            end_s=max(second.end_s, later_s),
            sigma_ms=max(second.sigma_ms, error_ms),
        ),
    )


def place(db: Floats, first_s: float, word: str) -> Onset:
    """The onset of a word by the energies around its rough start."""
    odds = onset.network().run(onset.assemble(db[: onset.FRAMES], onset.kind_of(word)))
    return onset.agreed([(first_s, odds)], onset.network())


def call_of(word: Spotted, found: Onset, stretch: Stretch, seats: dict[str, float], tier: str) -> CallHeard:
    """The event of a word."""
    power = (stretch.span(found.time_s, max(word.end_s, found.time_s + 0.05)).astype(np.float64) ** 2).mean(axis=1)
    return CallHeard(
        time_s=found.time_s,
        sigma_ms=round(found.sigma_ms, 2),
        end_s=max(word.end_s, found.time_s),
        type=word.type,
        word=word.word,
        language=word.language,
        probability=word.probability,
        seats=seats,
        tier=tier,
        levels_db=tuple(round(float(v), 1) for v in 10 * np.log10(power + 1e-12)),
        accepted=word.accepted,
        reason=word.reason,
    )
