"""A microphone a player: a recogniser each, and who is heard by the levels.

How clearly a player is heard is the share of a channel's energy during the word that lies where (in time and frequency)
this channel is the loudest by 3 dB: nearly all for the speaker's own, a tenth or more for each of several at once, and
a few hundredths for what strays in.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from audio import beside, onset, steer, who
from audio.fronts import LEAST_TOGETHER, SAME_WORD_S, TOGETHER_S, WORD_S, ManyFront, caller_of
from audio.gather import ONE_WORD_S, SPOT_RATE
from referee.events import SAME_SOUND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audio.gather import Heard, Stretch
    from audio.spotted import Spotted
    from referee.events import CallHeard

    Floats = NDArray[np.float32]

LEAST_SHARE, SURELY, LEADS, NEAR_S = 0.03, 0.15, 0.35, 0.05
"""The share below which a player did not speak and from which he surely did; how clearly sound must come to his
microphone first where it is between; calls so near may have been at once. Of 258 simulated callers 237 have a share of
`ACTIVE` or more, of 180 others 5; share and lead disagree for 12 callers and 7 others, who are left to people."""
LEADS_S, MOSTLY = 0.1, 0.5
"""A word's rough start may lie so much before another's call; the share of what comes just before a call that is a
player's own."""
PERHAPS_STRAY = "perhaps another's call"
AS_ONE_S, NOTHING, BEGINS_MS = 0.025, 0.02, 15.0
"""Two players' same words that seem to begin so near may be one; the share of own sound that is none; how well it is
known where own sound begins by shares of 50 ms."""


class OwnFront(ManyFront):
    """A microphone a player: a recogniser each."""

    tier = "own"
    ACTIVE, DOUBT, SPREAD = 0.08, 0.11, 0.02
    LOUDER_DB = 3.0

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self._dampener = steer.Dampener(channels, SPOT_RATE)
        self._reach = beside.Reach()

    @property
    def streams(self) -> int:
        """One a microphone."""
        return self.channels

    def span(self, word: Spotted, _group: Sequence[Heard], /) -> tuple[float, float]:
        """From before its true beginning (rough starts are late), and not into its dying sound, which is everywhere."""
        return word.start_s - 0.1, max(word.start_s + 0.2, min(word.end_s - 0.1, word.start_s + 0.35))

    def resolve(self, group: Sequence[Heard], stretch: Stretch) -> list[CallHeard]:
        """A call for each voice; who said the same with another and has little sound of his own is left to people."""
        calls = self._strayed(super().resolve(group, stretch), stretch)
        self._learn(calls, stretch)
        for i, call in enumerate(calls):
            mates = [
                j
                for j, c in enumerate(calls)
                if c.accepted
                and c.type == call.type
                and caller_of(c) != caller_of(call)
                and abs(c.time_s - call.time_s) < SAME_WORD_S
            ]
            if not call.accepted or not call.seats or not mates or not self._doubtful(call, stretch):
                continue
            if self._shown(call, [calls[j] for j in mates], stretch):
                continue
            calls[i] = replace(call, accepted=False, reason=PERHAPS_STRAY, probability=min(call.probability, 0.5))
            for j in mates:
                if abs(calls[j].time_s - call.time_s) < NEAR_S:
                    calls[j] = replace(calls[j], contested=True)
        return calls

    def _learn(self, calls: Sequence[CallHeard], stretch: Stretch) -> None:
        """How loud a call that stood alone was at the other microphones."""
        if len({caller_of(c) for c in calls}) == 1:
            for call in calls:
                if call.accepted and call.type is not None:
                    self._reach.learn(_channel(call), call.time_s, stretch)

    def hidden(self, calls: Sequence[CallHeard], group: Sequence[Heard], stretch: Stretch) -> list[CallHeard]:
        """Words of players who show beside another's call only (`audio.beside`), as their calls."""
        out: list[CallHeard] = []
        for call in [c for c in calls if c.accepted and c.type is not None and c.seats]:
            for i in self._beside(call, stretch):
                told = any(
                    caller_of(c) == who.side(i)
                    and c.probability >= LEAST_TOGETHER
                    and call.time_s - TOGETHER_S < c.time_s < max(call.end_s, call.time_s + TOGETHER_S)
                    for c in [*calls, *out]
                )
                words = [
                    h.word
                    for h in group
                    if h.stream == i
                    and h.word.type is not None
                    and h.word.probability >= LEAST_TOGETHER
                    and call.time_s - LEADS_S < h.word.start_s < call.end_s
                ]
                if words and not told:
                    word = max(words, key=lambda w: w.probability)
                    levels = [SURELY if k == i else 0.0 for k in range(self.channels)]
                    out.append(self.call(word, i, levels, stretch, among=True))
        return out

    def _beside(self, call: CallHeard, stretch: Stretch) -> list[int]:
        """The other players who show beside a call: louder than the call makes them, or heard just before it."""
        owner = _channel(call)
        louder = [e >= beside.SECOND_DB for e in self._reach.excess(owner, call.time_s, stretch)]
        rises = beside.rises(call.time_s, stretch)
        from_s, to_s = (call.time_s + s for s in beside.JUST_BEFORE_S)
        early = self._shares(from_s, to_s, stretch)
        return [i for i in range(self.channels) if i != owner and (louder[i] or (rises[i] and early[i] >= MOSTLY))]

    def _shown(self, call: CallHeard, mates: Sequence[CallHeard], stretch: Stretch) -> bool:
        """Whether a call's player shows beside another's call."""
        return any(_channel(call) in self._beside(mate, stretch) for mate in mates)

    def strange(self, call: CallHeard, stretch: Stretch) -> list[bool]:
        """Also who shows beside the call."""
        shows = self._beside(call, stretch)
        return [there or i in shows for i, there in enumerate(super().strange(call, stretch))]

    def _strayed(self, calls: Sequence[CallHeard], stretch: Stretch) -> list[CallHeard]:
        """Without calls that are but another player's same word; those that are more have their own beginning.

        Where a word seems to begin with another player's same word, and nothing there is louder at the own microphone,
        what is heard is the other's. If its owner says another word then, it is none; if not, it begins where the
        owner's own sound does.
        """
        out = []
        for call in calls:
            owner = caller_of(call)
            near = [c for c in calls if c.accepted and caller_of(c) != owner and abs(c.time_s - call.time_s) < AS_ONE_S]
            mates = [c for c in near if c.type == call.type and self._early(c, stretch) > SURELY]
            if not call.accepted or not call.seats or not mates or self._early(call, stretch) > NOTHING:
                out.append(call)
                continue
            if self._shown(call, mates, stretch):
                out.append(call)
                continue
            own = [c for c in calls if c.accepted and caller_of(c) == owner and c.type != call.type]
            begins_s = self._begins(call, stretch)
            if begins_s is None or any(abs(c.time_s - call.time_s) < ONE_WORD_S for c in own):
                out.append(replace(call, accepted=False, reason=SAME_SOUND))
            else:
                end_s = max(call.end_s, begins_s)
                out.append(replace(call, time_s=begins_s, end_s=end_s, sigma_ms=max(call.sigma_ms, BEGINS_MS)))
        return out

    def _early(self, call: CallHeard, stretch: Stretch) -> float:
        """A player's share of own sound where a call begins."""
        return self._shares(call.time_s - 0.004, call.time_s + 0.05, stretch)[_channel(call)]

    def _begins(self, call: CallHeard, stretch: Stretch) -> float | None:
        """When the first own sound of a player comes within a call; None if there is none."""
        owner = _channel(call)
        for at_s in np.arange(call.time_s, call.time_s + ONE_WORD_S, 0.01):
            if self._shares(at_s, at_s + 0.05, stretch)[owner] > SURELY:
                return float(at_s)
        return None

    def _doubtful(self, call: CallHeard, stretch: Stretch) -> bool:
        """Whether a player's share of the sound leaves open if it is but another's call that strays in."""
        owner, span_s = _channel(call), (call.time_s - 0.03, call.time_s + WORD_S)
        share = self._shares(*span_s, stretch)[owner]
        return share < SURELY and (share >= self.ACTIVE) != self._leads(owner, *span_s, stretch)

    def _leads(self, channel: int, from_s: float, to_s: float, stretch: Stretch) -> bool:
        """Whether some sound clearly comes to this microphone before it comes to each other one."""
        span = stretch.span_at(from_s, to_s, SPOT_RATE)
        return all(steer.lead(span[channel], other, SPOT_RATE) >= LEADS for i, other in enumerate(span) if i != channel)

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
        level = smoothed(power)
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


def _channel(call: CallHeard) -> int:
    """The microphone of a call's player."""
    return int(caller_of(call).removeprefix("ch"))


def smoothed(power: Floats) -> Floats:
    """Means over five frames, shape (channels, frames, bands) as given; at the ends frames are mirrored."""
    count = power.shape[1]
    padded = np.pad(power, ((0, 0), (2, 2), (0, 0)), mode="symmetric")
    out: Floats = np.sum([padded[:, k : k + count] for k in range(5)], axis=0) / 5
    return out


def strongest_other(db: Floats, owner: int) -> tuple[Floats, Floats]:
    """Of energies of channels x frames x bands those of the owner's channel, and the largest of the others'."""
    return db[owner], np.delete(db, owner, axis=0).max(axis=0)
