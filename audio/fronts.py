"""Several microphones: a call for each voice, on the microphone or the side that is its own.

A word spoken at one microphone is heard at all, and two may call at once. So first, for each word, which players
*are heard* during it; then each player's word is looked for in the stream that is the player's own.

- A microphone a player: the share of a channel's energy during the word that lies where (in time and frequency) this
  channel is the loudest by 3 dB: nearly all for the speaker's own, a tenth or more for each of several at once, and a
  few hundredths for what strays in.
- A stereo pair between two players: the clearness of direction on each side (`audio.steer.sides`): of one voice alone
  the other side has less than a third.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.ndimage import uniform_filter1d

from audio import onset, steer, who
from audio.gather import Front, Heard, Stretch, call_of, place, without_repeats
from audio.onset import HOP_S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audio.spotted import Spotted
    from audio.voices import Voices
    from referee.events import CallHeard

    Floats = NDArray[np.float32]

LEAK_DB, LEAK_SPARE_DB = (-16.0, -5.0), 3.0
"""How much quieter than at its own microphone a voice is at another's: the range, and what is added to be safe."""
HIDDEN_S, HIDDEN_SHARE = 0.04, 0.35
"""How far back another voice can hide a beginning, and the share of that which counts as one standard deviation."""
UNSURE = "unsure"
"""The reason of a word that was near to being accepted."""
SPLIT_RATE = 16000
"""Samples a second of what recognisers read."""
TOGETHER_S, LEAST_TOGETHER, TOGETHER = 0.4, 0.04, 0.7
"""A word that was unsure is a call, so likely, if it began this near to another player's accepted call."""
RECENT_S, STEADY = 0.32, 0.12
"""Sound that tells the lags of the moment, and the clearness from which they count."""
DOUBT = 1.4
"""Times the clearness at which a player is heard, from which a voice that was not understood puts a call in doubt."""
SAME_WORD_S = 0.3
"""Words whose rough starts are this near may be one word heard on two streams."""


def front(layout: str, channels: int, voices: Voices | None = None) -> Front:
    """How a recording of this layout is heard: `one` (with voices if enrolled), `stereo` or `own`."""
    if layout == "own" and channels > 1:
        return OwnFront(channels)
    return StereoFront(channels) if layout == "stereo" and channels == 2 else Front(channels, voices)


class ManyFront(Front):
    """What all kinds of several microphones have in common."""

    def heard(self, from_s: float, to_s: float, stretch: Stretch) -> list[float]:
        """How clearly each player is heard in a span; below `ACTIVE` means not at all."""
        raise NotImplementedError

    def energies(self, windows: Floats, owner: int, active: Sequence[bool]) -> tuple[Floats, Floats]:
        """Band energies at one player's microphone, and of the player's voice alone."""
        raise NotImplementedError

    ACTIVE = 0.0
    SPREAD = 1.0
    """A player of clearness c is heard with probability 1 / (1 + exp((ACTIVE - c) / SPREAD)); from simulated rooms."""

    def resolve(self, group: Sequence[Heard], stretch: Stretch) -> list[CallHeard]:
        """A call for each voice of the group, in order of onset."""
        levels = {id(h): self.heard(h.word.start_s - 0.03, h.word.end_s, stretch) for h in group}
        own: dict[int, list[Heard]] = {}
        for h in group:
            if levels[id(h)][h.stream] >= self.ACTIVE:
                own.setdefault(h.stream, []).append(h)
        for h in sorted(group, key=lambda h: -h.word.probability):
            owner = int(np.argmax(levels[id(h)]))
            # The owner's own stream may have missed the word that another understood.
            if levels[id(h)][h.stream] < self.ACTIVE and not any(_overlap(h, o) for o in own.get(owner, [])):
                own.setdefault(owner, []).append(h)
        calls = [
            self.call(h.word, owner, levels[id(h)], stretch)
            for owner, words in own.items()
            for h in without_repeats(words)
        ]
        heard = together(sorted(calls, key=lambda c: (c.time_s, c.word)))
        return [replace(c, contested=True) if self.doubted(c, heard, stretch) else c for c in heard]

    def doubted(self, call: CallHeard, calls: Sequence[CallHeard], stretch: Stretch) -> bool:
        """Whether another player began to speak with this call and was not understood, so that order is in doubt."""
        if not call.accepted or call.type is None or not call.seats:
            return False
        levels = self.heard(call.time_s - 0.03, call.end_s, stretch)
        mates = {_caller(c) for c in calls if c.accepted and abs(c.time_s - call.time_s) < TOGETHER_S}
        strange = [
            i for i, v in enumerate(levels) if v > DOUBT * self.ACTIVE and who.side(i) not in {*mates, _caller(call)}
        ]
        # Who spoke already before the call does not begin with it: that is talk.
        before, during = (
            (stretch.span(call.time_s + a, call.time_s + b) ** 2).mean(axis=1) for a, b in ((-0.4, -0.1), (0.0, 0.3))
        )
        return any(before[i] < 0.03 * during[i] for i in strange)

    def call(self, word: Spotted, owner: int, levels: Sequence[float], stretch: Stretch) -> CallHeard:
        """The event of a word that is the owner's."""
        windows, first_s = stretch.windows(word.start_s)
        active = [level >= self.ACTIVE for level in levels]
        whole, alone = self.energies(windows, owner, active)
        found = place(alone, first_s, word.word)
        found = replace(
            found, sigma_ms=float(np.hypot(found.sigma_ms, hidden_ms(whole, alone, found.time_s - first_s)))
        )
        return call_of(word, found, stretch, self.seats(owner, levels), self.tier)

    def seats(self, owner: int, levels: Sequence[float]) -> dict[str, float]:
        """Probability of each side: others share what the owner's clearness leaves open."""
        sure = 0.998 / (1 + np.exp((self.ACTIVE - levels[owner]) / self.SPREAD))
        return {
            who.side(i): round(float(sure if i == owner else (0.998 - sure) / (len(levels) - 1)), 4)
            for i in range(len(levels))
        }


def together(calls: Sequence[CallHeard]) -> list[CallHeard]:
    """Accept what is unsure only because another player called over it.

    Two voices at once make each less clear, and who says something like a call within `TOGETHER_S` of another player's
    call has called. It is given the probability `TOGETHER`, so that a round that hangs on it is looked at.
    """
    sure = [c for c in calls if c.accepted and c.type is not None]
    out = []
    for c in calls:
        near = [o for o in sure if abs(o.time_s - c.time_s) < TOGETHER_S and _caller(o) != _caller(c)]
        if near and c.type is not None and c.reason == UNSURE and c.probability >= LEAST_TOGETHER and _sure_who(c):
            out.append(replace(c, accepted=True, reason="", probability=max(c.probability, TOGETHER)))
        else:
            out.append(c)
    return out


def _caller(call: CallHeard) -> str:
    return max(call.seats, key=lambda s: call.seats[s]) if call.seats else ""


def _sure_who(call: CallHeard) -> bool:
    return bool(call.seats) and max(call.seats.values()) > 0.9


def _overlap(a: Heard, b: Heard) -> bool:
    near = abs(a.word.start_s - b.word.start_s) < SAME_WORD_S
    return near or min(a.word.end_s, b.word.end_s) - max(a.word.start_s, b.word.start_s) > 0.1


class OwnFront(ManyFront):
    """A microphone a player: a recogniser each."""

    tier = "own"
    ACTIVE, SPREAD = 0.08, 0.02
    LOUDER_DB = 3.0

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self._dampener = steer.Dampener(channels, SPLIT_RATE)

    @property
    def streams(self) -> int:
        """One a microphone."""
        return self.channels

    def split(self, samples: Floats) -> Sequence[Floats]:
        """Each microphone less what is louder at another."""
        return list(self._dampener.feed(samples))

    def rest(self) -> Sequence[Floats]:
        """The last samples of each microphone."""
        return list(self._dampener.finish())

    def heard(self, from_s: float, to_s: float, stretch: Stretch) -> list[float]:
        """The share of each channel's energy that lies where it is the loudest by 3 dB, compared over 10 ms."""
        span = stretch.span_at(from_s, to_s, onset.RATE)
        power = np.array([10 ** (onset.energies(row) / 10) for row in span])
        level = uniform_filter1d(power, 5, axis=1)
        total = power.sum(axis=(1, 2))
        own = np.zeros(len(power))
        for c in range(len(power)):
            others = np.delete(level, c, axis=0).max(axis=0)
            own[c] = (power[c] * (level[c] > others * 10 ** (self.LOUDER_DB / 10))).sum() / total[c]
            # Two who say the same word at the same level are nowhere 3 dB apart, but equally loud on the whole.
            ahead = (power[c] * (level[c] > others)).sum() / total[c]
            alike = np.clip((total[c] / np.delete(total, c).max() - 0.8) / 0.2, 0, 1)
            own[c] += 0.5 * alike * np.clip(ahead - 0.3, 0, 0.4)
        # A silent microphone's own hum is no voice: a channel 20 dB below the loudest counts less and less.
        return [float(v) for v in own * np.minimum(1, 100 * total / total.max())]

    def energies(self, windows: Floats, owner: int, active: Sequence[bool]) -> tuple[Floats, Floats]:
        """The owner's channel, and that less what strays in from the others while they call."""
        db = np.array([onset.energies(row) for row in windows])
        return db[owner], without_leak(db, owner) if sum(active) > active[owner] else db[owner]


def hidden_ms(whole: Floats, alone: Floats, at_s: float) -> float:
    """What another voice adds to the error of an onset: a share of the time, right before it, that the other drowns.

    A soft beginning that lies under the other voice is not seen. How long such beginnings are is known only roughly;
    rarely are they longer than `HIDDEN_S`.
    """
    loud = [10 * np.log10((10 ** (db / 10)).sum(axis=1)) for db in (whole, alone)]
    heard = np.maximum(loud[1].max() - 35, np.median(loud[0][: onset.BACKGROUND]) + 6)
    drowned = (loud[0] - loud[1] > 1) & (loud[0] > heard)
    last = min(len(drowned), round(at_s / HOP_S))
    first = max(0, last - round(HIDDEN_S / HOP_S))
    return float(1000 * HOP_S * drowned[first:last].sum() * HIDDEN_SHARE)


def without_leak(db: Floats, owner: int) -> Floats:
    """Energies of the owner's channel less what strays in from the others, frames x bands, dB.

    Where the others explain what the channel has, its background stands. How loud strays are is taken from the window
    itself: the lower quarter of the owner's level against the others', where these are well above the background.
    """
    strongest = np.delete(db, owner, axis=0).max(axis=0)
    held = strongest.copy()  # a stray sound arrives later and lingers: hold each level for 8 ms, then let it fall
    for lag in range(1, 20):
        held[lag:] = np.maximum(held[lag:], strongest[:-lag] - max(0.0, lag * HOP_S - 0.008) * 400)
    background = np.median(db[owner][: onset.BACKGROUND], axis=0)
    loud = held > np.median(held[: onset.BACKGROUND], axis=0) + 15
    ratio = (db[owner] - held)[loud]
    leak_db = float(np.clip(np.quantile(ratio, 0.25) + LEAK_SPARE_DB, *LEAK_DB)) if len(ratio) > 100 else LEAK_DB[0]
    clean = 10 ** (db[owner] / 10) - 10 ** ((held + leak_db) / 10)
    out: Floats = np.maximum(10 * np.log10(np.maximum(clean, 1e-12)), np.minimum(background, db[owner]))
    return out.astype(np.float32)


class StereoFront(ManyFront):
    """Two microphones of one device between two players."""

    tier = "stereo"
    ACTIVE, SPREAD = 0.33, 0.04
    """Clearness of a side relative to the clearer one, from which on its player is heard."""
    CLEAR = 0.3
    """Clearness of a single voice from which its lag is learnt."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self._splitter = steer.Splitter(SPLIT_RATE, (0.00025, -0.00025))
        self._recent: Floats = np.zeros((2, round(RECENT_S * SPLIT_RATE)), np.float32)
        self._learnt: tuple[list[float], list[float]] = ([], [])

    @property
    def streams(self) -> int:
        """One a side."""
        return 2

    @property
    def known(self) -> list[float] | None:
        """Lags of both players, the median of their last nine clear calls; None until each has called."""
        return [float(np.median(lags)) for lags in self._learnt] if all(self._learnt) else None

    def split(self, samples: Floats) -> Sequence[Floats]:
        """Each side by itself; the lags are those of the last third of a second, where it has clear ones."""
        self._recent = np.concatenate([self._recent, samples], axis=1)[:, -self._recent.shape[1] :]
        strength, lags = steer.sides(self._recent, SPLIT_RATE, self.known)
        for voice, usual_s in enumerate(self.known or self._splitter.lags_s):
            self._splitter.lags_s[voice] = lags[voice] if strength[voice] > STEADY else usual_s
        return list(self._splitter.feed(samples))

    def rest(self) -> Sequence[Floats]:
        """The last samples of each side."""
        return list(self._splitter.finish())

    def heard(self, from_s: float, to_s: float, stretch: Stretch) -> list[float]:
        """How clearly the voice comes from each side, relative to the clearer one; nothing from a doubled channel."""
        span = stretch.span(from_s, to_s)
        if _same(span):
            return [0.0, 0.0]
        strength, lags = steer.sides(span, stretch.rate, self.known)
        top = max(*strength, 1e-6)
        if top > self.CLEAR and min(strength) < 0.3 * top:
            self._learn(int(np.argmax(strength)), lags)
        if top < 0.08:
            return [0.0, 0.0]
        return [s / top for s in strength]

    def _learn(self, voice: int, lags: Sequence[float]) -> None:
        self._learnt[voice].append(lags[voice])
        del self._learnt[voice][:-9]

    def energies(self, windows: Floats, owner: int, active: Sequence[bool]) -> tuple[Floats, Floats]:
        """The nearer microphone; and of that, with both players heard, only what comes from the owner's side."""
        whole = onset.energies(windows[owner])
        if not all(active):
            return whole, whole
        spectra = [onset.spectra(row) for row in windows]
        hertz = onset.hertz()
        _, lags_s = steer.sides(windows, onset.RATE, self.known)
        mine = steer.fits(spectra[0], spectra[1], hertz, lags_s)
        share = mine if owner == 0 else 1 - mine
        return whole, onset.banded(np.abs(spectra[owner]) ** 2 * np.maximum(share, steer.REST) ** 2)

    def call(self, word: Spotted, owner: int, levels: Sequence[float], stretch: Stretch) -> CallHeard:
        """The event of a word; without seats if no direction is heard."""
        call = super().call(word, owner, levels, stretch)
        return call if max(levels) > 0 else replace(call, seats={}, tier="none")


def _same(pair: Floats) -> bool:
    """Whether both channels are one microphone's, as many phones write it."""
    difference = float(((pair[0] - pair[1]) ** 2).sum())
    return difference <= 1e-4 * float((pair**2).sum())
