"""Several microphones: a call for each voice, on the microphone or the side that is its own.

A word spoken at one microphone is heard at all, and two may call at once. So first, for each word, which players
*are heard* during it; then each player's word is looked for in the stream that is the player's own.

- A microphone a player: the share of a channel's energy during the word that lies where (in time and frequency) this
  channel is the loudest by 3 dB: nearly all for the speaker's own, a tenth or more for each of several at once, and a
  few hundredths for what strays in.
- A stereo pair between two players: see `audio.stereo`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.ndimage import uniform_filter1d

from audio import onset, steer, who
from audio.gather import ONE_WORD_S, Front, Heard, Stretch, call_of, place, without_repeats
from referee.events import SAME_SOUND, UNSURE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audio.spotted import Spotted
    from referee.events import CallHeard

    Floats = NDArray[np.float32]

SPLIT_RATE = 16000
"""Samples a second of what recognisers read."""
TOGETHER_S, LEAST_TOGETHER, TOGETHER = 0.4, 0.4, 0.7
"""A word that was unsure is a call, so likely, if it began this near to another player's accepted call."""
LEAST_SHARE, SURELY, LEADS, NEAR_S = 0.03, 0.15, 0.35, 0.05
"""The share below which a player did not speak and from which he surely did; how clearly sound must come to his
microphone first where it is between; calls so near may have been at once. Of 258 simulated callers 237 have a share of
`ACTIVE` or more, of 180 others 5; share and lead disagree for 12 callers and 7 others, who are left to people."""
WORD_S = 0.4
"""Of a call, from its onset: later comes its dying sound, which is everywhere."""
LOOKS_S = (-0.0111, 0.0, 0.0113)
"""Where several speak the sound is cut in so many ways, none a whole number of frames from another."""
PERHAPS_STRAY = "perhaps another's call"
AS_ONE_S, NOTHING, BEGINS_MS = 0.025, 0.02, 15.0
"""Two players' same words that seem to begin so near may be one; the share of own sound that is none; how well it is
known where own sound begins by shares of 50 ms."""
SAME_WORD_S = 0.3
"""Words whose rough starts are this near may be one word heard on two streams."""


class ManyFront(Front):
    """What all kinds of several microphones have in common."""

    def heard(self, from_s: float, to_s: float, stretch: Stretch) -> list[float]:
        """How clearly each player is heard in a span; below `ACTIVE` means not at all."""
        raise NotImplementedError

    def span(self, word: Spotted, group: Sequence[Heard], /) -> tuple[float, float]:
        """The time in which it is looked who is heard with a word of a group."""
        raise NotImplementedError

    def energies(self, windows: Floats, owner: int) -> tuple[Floats, Floats]:
        """Band energies where one player is, and where the others are, frames x bands, dB."""
        raise NotImplementedError

    ACTIVE = 0.0
    DOUBT = 0.0
    """The clearness from which a voice that was not understood puts another's call in doubt."""
    SPREAD = 1.0
    """A player of clearness c is heard with probability 1 / (1 + exp((ACTIVE - c) / SPREAD)); from simulated rooms."""

    def resolve(self, group: Sequence[Heard], stretch: Stretch) -> list[CallHeard]:
        """A call for each voice of the group, in order of onset."""
        levels = {id(h): self.heard(*self.span(h.word, group), stretch) for h in group}
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
            self.call(h.word, owner, levels[id(h)], stretch, among=len(own) > 1)
            for owner, words in own.items()
            for h in without_repeats(words)
        ]
        heard = together(sorted(calls, key=lambda c: (c.time_s, c.word)))
        return [replace(c, contested=True) if self.doubted(c, heard, stretch) else c for c in heard]

    def doubted(self, call: CallHeard, calls: Sequence[CallHeard], stretch: Stretch) -> bool:
        """Whether another player began to speak with this call and was not understood, so that order is in doubt."""
        if not call.accepted or call.type is None or not call.seats:
            return False
        mates = {_caller(c) for c in calls if c.accepted and abs(c.time_s - call.time_s) < TOGETHER_S}
        voices = enumerate(self.strange(call, stretch))
        strange = [i for i, there in voices if there and who.side(i) not in {*mates, _caller(call)}]
        # Who spoke already before the call does not begin with it: that is talk.
        before, during = (
            (stretch.span(call.time_s + a, call.time_s + b) ** 2).mean(axis=1) for a, b in ((-0.4, -0.1), (0.0, 0.3))
        )
        return any(before[i] < 0.03 * during[i] for i in strange)

    def strange(self, call: CallHeard, stretch: Stretch) -> list[bool]:
        """Which players may be heard where a call begins, understood or not."""
        return [level > self.DOUBT for level in self.heard(*self.beginning(call), stretch)]

    @staticmethod
    def beginning(call: CallHeard) -> tuple[float, float]:
        """The span of a call before its dying sound, which is everywhere."""
        return call.time_s - 0.03, min(call.end_s, call.time_s + WORD_S)

    def call(
        self, word: Spotted, owner: int, levels: Sequence[float], stretch: Stretch, *, among: bool = False
    ) -> CallHeard:
        """The event of a word that is the owner's; `among`: other players' words were heard with it."""
        among = among or any(level >= self.ACTIVE for i, level in enumerate(levels) if i != owner)
        found = self._among(word, owner, stretch) if among else self._single(word, owner, stretch)
        return call_of(word, found, stretch, self.seats(owner, levels), self.tier)

    @staticmethod
    def _single(word: Spotted, owner: int, stretch: Stretch) -> onset.Onset:
        """The onset of a word of the only one who speaks."""
        windows, first_s = stretch.windows(word.start_s)
        return place(onset.energies(windows[owner]), first_s, word.word)

    def _among(self, word: Spotted, owner: int, stretch: Stretch) -> onset.Onset:
        """The onset of the owner's word where others speak too."""
        net, looks = onset.network(self.tier), []
        for shift_s in LOOKS_S:
            windows, first_s = stretch.windows(word.start_s + shift_s)
            own, others = (db[: onset.FRAMES] for db in self.energies(windows, owner))
            looks.append((first_s, net.run(onset.assemble(own, onset.kind_of(word.word), others))))
        return onset.agreed(looks, net)

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
    ACTIVE, DOUBT, SPREAD = 0.08, 0.11, 0.02
    LOUDER_DB = 3.0

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self._dampener = steer.Dampener(channels, SPLIT_RATE)

    @property
    def streams(self) -> int:
        """One a microphone."""
        return self.channels

    def span(self, word: Spotted, _group: Sequence[Heard], /) -> tuple[float, float]:
        """From before its true beginning (rough starts are late), and not into its dying sound, which is everywhere."""
        return word.start_s - 0.1, max(word.start_s + 0.2, min(word.end_s - 0.1, word.start_s + 0.35))

    def resolve(self, group: Sequence[Heard], stretch: Stretch) -> list[CallHeard]:
        """A call for each voice; who called with another and has little sound of his own is left to people."""
        calls = self._strayed(super().resolve(group, stretch), stretch)
        for i, call in enumerate(calls):
            mates = [
                j
                for j, c in enumerate(calls)
                if c.accepted and _caller(c) != _caller(call) and abs(c.time_s - call.time_s) < SAME_WORD_S
            ]
            if not call.accepted or not call.seats or not mates or not self._doubtful(call, stretch):
                continue
            calls[i] = replace(call, accepted=False, reason=PERHAPS_STRAY, probability=min(call.probability, 0.5))
            for j in mates:
                if abs(calls[j].time_s - call.time_s) < NEAR_S:
                    calls[j] = replace(calls[j], contested=True)
        return calls

    def _strayed(self, calls: Sequence[CallHeard], stretch: Stretch) -> list[CallHeard]:
        """Without calls that are but another player's same word; those that are more have their own beginning.

        Where a word seems to begin with another player's same word, and nothing there is louder at the own microphone,
        what is heard is the other's. If its owner says another word then, it is none; if not, it begins where the
        owner's own sound does.
        """
        out = []
        for call in calls:
            owner = _caller(call)
            near = [c for c in calls if c.accepted and _caller(c) != owner and abs(c.time_s - call.time_s) < AS_ONE_S]
            mates = [c for c in near if c.type == call.type and self._early(c, stretch) > SURELY]
            if not call.accepted or not call.seats or not mates or self._early(call, stretch) > NOTHING:
                out.append(call)
                continue
            own = [c for c in calls if c.accepted and _caller(c) == owner and c.type != call.type]
            begins_s = self._begins(call, stretch)
            if begins_s is None or any(abs(c.time_s - call.time_s) < ONE_WORD_S for c in own):
                out.append(replace(call, accepted=False, reason=SAME_SOUND))
            else:
                end_s = max(call.end_s, begins_s)
                out.append(replace(call, time_s=begins_s, end_s=end_s, sigma_ms=max(call.sigma_ms, BEGINS_MS)))
        return out

    def _early(self, call: CallHeard, stretch: Stretch) -> float:
        """A player's share of own sound where a call begins."""
        return self._shares(call.time_s - 0.004, call.time_s + 0.05, stretch)[int(_caller(call).removeprefix("ch"))]

    def _begins(self, call: CallHeard, stretch: Stretch) -> float | None:
        """When the first own sound of a player comes within a call; None if there is none."""
        owner = int(_caller(call).removeprefix("ch"))
        for at_s in np.arange(call.time_s, call.time_s + ONE_WORD_S, 0.01):
            if self._shares(at_s, at_s + 0.05, stretch)[owner] > SURELY:
                return float(at_s)
        return None

    def _doubtful(self, call: CallHeard, stretch: Stretch) -> bool:
        """Whether a player's share of the sound leaves open if it is but another's call that strays in."""
        owner, span_s = int(_caller(call).removeprefix("ch")), (call.time_s - 0.03, call.time_s + WORD_S)
        share = self._shares(*span_s, stretch)[owner]
        return share < SURELY and (share >= self.ACTIVE) != self._leads(owner, *span_s, stretch)

    def _leads(self, channel: int, from_s: float, to_s: float, stretch: Stretch) -> bool:
        """Whether some sound clearly comes to this microphone before it comes to each other one."""
        span = stretch.span_at(from_s, to_s, SPLIT_RATE)
        return all(
            steer.lead(span[channel], other, SPLIT_RATE) >= LEADS for i, other in enumerate(span) if i != channel
        )

    def split(self, samples: Floats) -> Sequence[Floats]:
        """Each microphone less what is louder at another."""
        return list(self._dampener.feed(samples))

    def rest(self) -> Sequence[Floats]:
        """The last samples of each microphone."""
        return list(self._dampener.finish())

    def heard(self, from_s: float, to_s: float, stretch: Stretch) -> list[float]:
        """Each channel's share of own sound; where that is small, it is enough if the sound comes to it first."""
        shares = self._shares(from_s, to_s, stretch)
        for i, share in enumerate(shares):
            if LEAST_SHARE <= share < self.ACTIVE and self._leads(i, from_s, to_s, stretch):
                shares[i] = SURELY
        return shares

    def _shares(self, from_s: float, to_s: float, stretch: Stretch) -> list[float]:
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

    def energies(self, windows: Floats, owner: int) -> tuple[Floats, Floats]:
        """The owner's channel, and the loudest of the others in each band."""
        return strongest_other(np.array([onset.energies(row) for row in windows]), owner)


def strongest_other(db: Floats, owner: int) -> tuple[Floats, Floats]:
    """Of energies of channels x frames x bands those of the owner's channel, and the largest of the others'."""
    return db[owner], np.delete(db, owner, axis=0).max(axis=0)
