"""Several microphones: a call for each voice, on the microphone or the side that is its own.

A word spoken at one microphone is heard at all, and two may call at once. So first, for each word, which players
*are heard* during it; then each player's word is looked for in the stream that is the player's own. How a player is
heard: `audio.own` with a microphone a player, `audio.stereo` with a pair between two.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from audio import onset, who
from audio.gather import Front, Heard, Stretch, call_of, place, without_repeats
from referee.events import NOT_UNDERSTOOD, ONE_SOUND_S, SAME_SOUND, UNSURE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audio.spotted import Spotted
    from referee.events import CallHeard

    Floats = NDArray[np.float32]

TOGETHER_S, LEAST_TOGETHER, TOGETHER = 0.4, 0.25, 0.7
"""A word that was unsure is a call, so likely, if it began this near to another player's accepted call: in 88
staged games 5 of 14 such words with 0.05 to 0.25 were said, all 8 with more."""
PERHAPS, STRANGER, STRANGER_MS = 0.3, 0.97, 60.0
"""How likely a voice that was not understood called; that it is the player's on whose side it is heard, if so; and how
well it is known when it began, which is looked for where the other call did."""
WORD_S = 0.4
"""Of a call, from its onset: later comes its dying sound, which is everywhere."""
LOOKS_S = (-0.0111, 0.0, 0.0113)
"""Where several speak the sound is cut in so many ways, none a whole number of frames from another."""
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
        calls += self.hidden(calls, group, stretch)
        heard, out = one_word_each(together(sorted(calls, key=lambda c: (c.time_s, c.word)))), []
        for c in heard:
            strangers = self.strangers(c, heard, stretch)
            told = {caller_of(o) for o in heard if abs(o.time_s - c.time_s) < TOGETHER_S}
            out += [self._not_understood(c, i, stretch) for i in strangers if who.side(i) not in told]
            out.append(replace(c, contested=True) if strangers else c)
        return sorted(out, key=lambda c: (c.time_s, c.word))

    def hidden(self, _calls: Sequence[CallHeard], _group: Sequence[Heard], _stretch: Stretch) -> list[CallHeard]:
        """Calls of players who are heard by other signs only."""
        return []

    def _not_understood(self, call: CallHeard, owner: int, stretch: Stretch) -> CallHeard:
        """The event of a voice that began with a call and in which no word was recognised."""
        found = self._among(call.time_s, "", owner, stretch)
        return replace(
            call,
            time_s=found.time_s,
            sigma_ms=round(max(STRANGER_MS, found.sigma_ms), 2),
            end_s=max(call.end_s, found.time_s),
            type=None,
            word="",
            probability=PERHAPS,
            seats={who.side(owner): STRANGER},
            accepted=False,
            reason=NOT_UNDERSTOOD,
        )

    def strangers(self, call: CallHeard, calls: Sequence[CallHeard], stretch: Stretch) -> list[int]:
        """The other players who began to speak with this call and were not understood, so that order is in doubt."""
        if not call.accepted or call.type is None or not call.seats:
            return []
        mates = {caller_of(c) for c in calls if c.accepted and abs(c.time_s - call.time_s) < TOGETHER_S}
        voices = enumerate(self.strange(call, stretch))
        strange = [i for i, there in voices if there and who.side(i) not in {*mates, caller_of(call)}]
        # Who spoke already before the call does not begin with it: that is talk.
        before, during = (
            (stretch.span(call.time_s + a, call.time_s + b) ** 2).mean(axis=1) for a, b in ((-0.4, -0.1), (0.0, 0.3))
        )
        return [i for i in strange if before[i] < 0.03 * during[i]]

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
        found = self._among(word.start_s, word.word, owner, stretch) if among else self._single(word, owner, stretch)
        return call_of(word, found, stretch, self.seats(owner, levels), self.tier)

    @staticmethod
    def _single(word: Spotted, owner: int, stretch: Stretch) -> onset.Onset:
        """The onset of a word of the only one who speaks."""
        windows, first_s = stretch.windows(word.start_s)
        return place(onset.energies(windows[owner]), first_s, word.word)

    def _among(self, rough_s: float, word: str, owner: int, stretch: Stretch) -> onset.Onset:
        """The onset of the owner's word where others speak too."""
        net, looks = onset.network(self.tier), []
        for shift_s in LOOKS_S:
            windows, first_s = stretch.windows(rough_s + shift_s)
            own, others = (db[: onset.FRAMES] for db in self.energies(windows, owner))
            looks.append((first_s, net.run(onset.assemble(own, onset.kind_of(word), others))))
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
        near = [o for o in sure if abs(o.time_s - c.time_s) < TOGETHER_S and caller_of(o) != caller_of(c)]
        if near and c.type is not None and c.reason == UNSURE and c.probability >= LEAST_TOGETHER and _sure_who(c):
            out.append(replace(c, accepted=True, reason="", probability=max(c.probability, TOGETHER)))
        else:
            out.append(c)
    return out


def one_word_each(calls: Sequence[CallHeard]) -> list[CallHeard]:
    """Of two calls in one sound of one player only one: nobody says two words at once.

    A word that another player calls at that moment has strayed in; else the likelier stays, less sure by the other.
    """
    out = list(calls)
    for i, j in combinations(range(len(out)), 2):
        one, other = out[i], out[j]
        if not (one.accepted and other.accepted and one.type and other.type) or one.type is other.type:
            continue
        if caller_of(one) != caller_of(other) or abs(one.time_s - other.time_s) > ONE_SOUND_S:
            continue
        strays = [_is_called_by_another(c, calls) for c in (one, other)]
        if strays[0] != strays[1]:
            stray = i if strays[0] else j
            out[stray] = replace(out[stray], accepted=False, reason=SAME_SOUND)
            continue
        (kept, better), (left, worse) = sorted(((i, one), (j, other)), key=lambda k: -k[1].probability)
        both = better.probability + worse.probability
        out[kept] = replace(better, probability=better.probability / both)
        out[left] = replace(worse, probability=worse.probability / both, accepted=False, reason=SAME_SOUND)
    return out


def _is_called_by_another(call: CallHeard, calls: Sequence[CallHeard]) -> bool:
    """Whether another player calls the same at about the same time, or until the same moment.

    Of a word that strayed in while its hearer spoke the beginning is taken for theirs, the end is the caller's.
    """
    return any(
        c.accepted
        and c.type is call.type
        and caller_of(c) != caller_of(call)
        and (abs(c.time_s - call.time_s) <= ONE_SOUND_S or abs(c.end_s - call.end_s) <= ONE_SOUND_S)
        for c in calls
    )


def caller_of(call: CallHeard) -> str:
    """The likeliest side of a call; empty if nobody can tell."""
    return max(call.seats, key=lambda s: call.seats[s]) if call.seats else ""


def _sure_who(call: CallHeard) -> bool:
    return bool(call.seats) and max(call.seats.values()) > 0.9


def _overlap(a: Heard, b: Heard) -> bool:
    near = abs(a.word.start_s - b.word.start_s) < SAME_WORD_S
    return near or min(a.word.end_s, b.word.end_s) - max(a.word.start_s, b.word.start_s) > 0.1
