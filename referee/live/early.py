"""Calls before they are final: named as soon as their word was understood.

The ear holds a call back until no other word can overlap it, over two seconds. Here the same ear names it at once, and
says when everybody who spoke with it has been understood (`said`). What is told early is never recorded, and changes
nothing of what is final. What would be ruled on it: `referee.live.outlook`.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from audio import gather
from audio.fronts import ManyFront, caller_of
from audio.gather import Heard, Stretch
from audio.listen import Ear
from audio.verify_rows import ROW_S
from audio.who import seat_calls, side
from referee.events import CallHeard
from referee.live.outlook import RIVAL_S, SAME_S
from referee.rules.hearing import LIKELY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from audio.spotted import Spotted
    from audio.voices import Voices
    from models import CallModel
    from referee.events import Seat, SeenTo
    from referee.live.players import Heard as Sound

    Told = Callable[[list[CallHeard], float], None]

FINE_S = 0.04
"""Sound is taken in smaller steps than the ear's own where that changes nothing of what is heard: a pair's lags are
those of each step."""
RIVAL_HELD_S = 0.5
"""What was understood waits for at most so long where another player is heard with it and not understood yet: of two
who call together one is understood first, and "won" would turn into "tie". Most of what waits stands before."""
BEFORE_S, RIVAL_WORD_S, DYING_S, LEAST_S = 0.03, 0.35, 0.1, 0.1
"""Where another player is looked for: from before a call to so long after its onset, and not in its dying sound."""
KNOWN_S = 0.5
"""A call that begins this near to another one is what its caller is heard with."""
DUE_S = 0.34
"""A word is due, at the latest, when it has been quiet for so long: the verifier is taught to say so 0.22 to 0.34 s
after its end. Of 62 staged calls that nobody covered the latest was due after 0.26 s of quiet."""
LONGEST_S = 0.75
"""A call is hardly longer: of 66 staged ones the longest took 0.74 s."""
PAUSE_S, GIVEN_S = 0.18, 0.2
"""No call has a pause so long within it, so one that began before such a pause ended with it (the longest within 130
synthetic calls and 34 of people's was 0.16 s); and it is given so long after it is due, whatever is said meanwhile."""
LEVEL_S, LATELY_S, USUAL_S = 0.02, 1.5, 8.0
OVER_DB, UNDER_DB = 8.0, 20.0
"""Voice is this much above what is usual here, and at most this much below the loudest of the last `LATELY_S`."""
FAR_S = 1e9


@runtime_checkable
class Looking(Protocol):
    """A recogniser that can look at sound ahead of what it was given."""

    @property
    def brewing(self) -> bool:
        """Whether it is worth while."""

    def ahead(self, samples: NDArray[np.float32], /) -> list[Spotted]:
        """What would be understood with these samples."""


class EarlyEar(Ear):
    """An ear that also says at once what it has understood."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._guessed, self._sure_s = {}, {}
        if self.layout != "stereo":
            self._step = round(FINE_S * self._rate)

    told: Told
    whose: tuple[Seat, ...] = ()
    """The seat of each channel, with a microphone a player."""
    _guessed: dict[int, Heard]
    """By stream: a word that is due, and was told of."""
    _sure_s: dict[int, float]
    """By stream: its guess was made of sound up to here."""
    _looked: int = 0
    """The row that was begun when it was last looked for words that are due."""
    _known: frozenset[int] = frozenset()
    """Words that wait for the record, as of the last step."""
    _calls: list[CallHeard] | None = None
    """What is known and was not told of."""
    _since: int | None = None
    """The sample from which on it has waited for somebody else's word."""
    _rival: bool = False
    """Whether there is somebody else."""
    _owed: bool = False
    """Whether it was not yet said that all who spoke have been understood."""
    _said_s: float = -FAR_S
    """Up to here it was."""
    _onsets: tuple[float, ...] = ()
    """Where the calls that were told of last began, in this stretch."""

    def feed(self, samples: NDArray[np.float32]) -> Iterator[CallHeard | SeenTo]:
        """Take more samples; then peek at those that are no whole step, or no whole block of rows, yet."""
        yield from super().feed(samples)
        row = int(self._now / self._rate / ROW_S)
        if row > self._looked:
            self._looked = row
            if self._waited(more=self._peek()):
                self._tell(-FAR_S)

    def _take(self, step: NDArray[np.float32]) -> Iterator[CallHeard | SeenTo]:
        yield from super()._take(step)
        words = frozenset(id(h) for h in self._words)
        more = self._guess() or bool(words - self._known)
        self._owed = bool(words) and (self._owed or bool(words - self._known))
        self._known = words
        said_s = self._said_to() if self._owed else -FAR_S
        waited = self._waited(more=more)
        if said_s > -FAR_S:
            self._owed = not self._all_said(said_s)
            self._tell(said_s)
        elif waited:
            self._tell(-FAR_S)

    @property
    def _now(self) -> int:
        """Samples of this stretch so far."""
        return self._taken + int(self._waiting.shape[1])

    def _waited(self, *, more: bool) -> bool:
        """Whether something is to be told that need not wait for others any longer; `more`: something is new."""
        if more:
            self._calls = self._early()
            self._rival = self._with_a_rival(self._calls)
        if self._calls is None:
            return False
        self._since = self._now if self._since is None else self._since
        return not self._rival or self._now - self._since >= RIVAL_HELD_S * self._rate

    def _tell(self, said_s: float) -> None:
        calls = self._early() if self._calls is None else self._calls
        self._since = self._calls = None
        self._said_s = max(self._said_s, said_s)
        self.told([_name(call, self.whose) for call in calls], self._start_s + said_s)

    def _with_a_rival(self, calls: list[CallHeard]) -> bool:
        """Whether somebody is heard with a call of whom no call is known."""
        if not isinstance(self._front, ManyFront):
            return False
        front, stretch, called = copy.deepcopy(self._front), self._stretch, [c for c in calls if c.accepted]
        least = min(front.ACTIVE, front.DOUBT)
        for call in called:
            known = {caller_of(c) for c in called if abs(c.time_s - call.time_s) < KNOWN_S}
            from_s, end_s = call.time_s - self._start_s, call.end_s - self._start_s
            until_s = max(from_s + LEAST_S, min(end_s - DYING_S, from_s + RIVAL_WORD_S))
            levels = front.heard(from_s - BEFORE_S, until_s, stretch)
            if any(level >= least and side(i) not in known for i, level in enumerate(levels)):
                return True
        return False

    def _peek(self) -> bool:
        """Guess words that are due by the sound that is no whole block yet; gives whether there is a new one."""
        if not any(isinstance(s, Looking) and s.brewing for s in self._spotters):
            return False
        down, front = copy.deepcopy(self._down), copy.deepcopy(self._front)
        parts = front.split(down.feed(self._waiting))
        before = len(self._guessed)
        for stream, (spotter, samples) in enumerate(zip(self._spotters, parts, strict=True)):
            if stream in self._guessed or not isinstance(spotter, Looking) or not spotter.brewing:
                continue
            known = [h.word.start_s for h in self._words if h.stream == stream and h.word.accepted]
            found = [w for w in spotter.ahead(samples) if w.accepted]
            if new := [w for w in found if all(abs(w.start_s - start_s) > SAME_S for start_s in known)]:
                self._guessed[stream], self._sure_s[stream] = Heard(stream, new[0]), self._now / self._rate
        return len(self._guessed) > before

    def _guess(self) -> bool:
        """Guess words that are due; gives whether there is a new one.

        Guessing asks for a second opinion: once for each word.
        """
        before = set(self._guessed)
        for stream, spotter in enumerate(self._spotters):
            if not getattr(spotter, "due", False):
                if self._sure_s.get(stream, 0.0) <= getattr(spotter, "heard_s", 0.0):
                    self._guessed.pop(stream, None)
            elif stream not in self._guessed:
                found = [word for word in getattr(spotter, "guess", list)() if word.accepted]
                if found:
                    self._guessed[stream] = Heard(stream, found[0])
        return not set(self._guessed) <= before

    @property
    def _stretch(self) -> Stretch:
        """The sound that is kept."""
        return Stretch(self._kept[:, : self._kept_count], self._rate, self._kept_from / self._rate)

    def _early(self) -> list[CallHeard]:
        """All words that still wait, resolved by a copy of the front: the front itself learns from what it resolves."""
        front, alone = copy.deepcopy(self._front), copy.deepcopy(self._alone)
        stretch = self._stretch
        groups = gather.groups([*self._words, *self._guessed.values()], FAR_S)[0]
        found = [call for group in groups for call in alone.look(front.resolve(group, stretch), stretch)]
        self._onsets = tuple(call.time_s for call in found)
        start = self._start_s
        return [replace(call, time_s=call.time_s + start, end_s=call.end_s + start) for call in found]

    def _said_to(self) -> float:
        """Whoever began before this has been understood, seconds of this stretch; far in the past if that is not known.

        No word is due and it has been quiet for long enough; or there was a pause so long ago that who spoke before it
        has been understood; or, where it is never quiet, a word that waits began so long ago that no other that began
        with it can last until now.
        """
        heard_s = min(getattr(s, "heard_s", 0.0) for s in self._spotters)
        late_s = self._taken / self._rate - heard_s
        voice = voiced(self._kept[:, : self._kept_count], self._rate)
        if not any(getattr(s, "due", False) for s in self._spotters) and quiet_for(voice) - late_s >= DUE_S:
            return heard_s + late_s - DUE_S
        long_ago_s = max(heard_s - DUE_S - LONGEST_S, self._taken / self._rate - ago(voice, late_s + DUE_S + GIVEN_S))
        newly = any(self._said_s < start_s + RIVAL_S <= long_ago_s for start_s in self._begun())
        return long_ago_s if newly else -FAR_S

    def _all_said(self, said_s: float) -> bool:
        """Whether this covers all words that wait."""
        return all(start_s + RIVAL_S <= said_s for start_s in self._begun())

    def _begun(self) -> list[float]:
        """When the words that wait and may decide began: roughly, and by their onset."""
        words = [h.word for h in self._words if h.word.accepted or (h.word.type and h.word.probability >= LIKELY)]
        rough = [word.start_s for word in words]
        return [*rough, *(at_s for at_s in self._onsets if any(abs(at_s - one_s) < KNOWN_S for one_s in rough))]


def voiced(samples: NDArray[np.float32], rate: int) -> NDArray[np.bool_]:
    """Whether any microphone hears a voice, in frames of `LEVEL_S` at the end of `samples`, shape (channels, n)."""
    size = round(LEVEL_S * rate)
    recent = samples[:, -round(USUAL_S * rate) :]
    count = recent.shape[1] // size
    if count == 0:
        return np.ones(1, np.bool_)
    frames = recent[:, recent.shape[1] - count * size :].reshape(len(recent), count, size)
    level = 10 * np.log10((frames.astype(np.float32) ** 2).mean(axis=2) + 1e-10)
    usual = np.percentile(level, 20, axis=1, keepdims=True)
    lately = level[:, -round(LATELY_S / LEVEL_S) :]
    voice = (lately > usual + OVER_DB) & (lately > lately.max(axis=1, keepdims=True) - UNDER_DB)
    found: NDArray[np.bool_] = voice.any(axis=0)
    return found


def quiet_for(voice: NDArray[np.bool_]) -> float:
    """For how many seconds no voice has been heard, at the end of what `voiced` gives."""
    loud = np.flatnonzero(voice)
    return float(LEVEL_S * (len(voice) - 1 - loud[-1])) if len(loud) else LATELY_S


def ago(voice: NDArray[np.bool_], least_s: float) -> float:
    """How many seconds ago the last pause began that is over and began `least_s` or more ago; endless if none did.

    A pause is `PAUSE_S` or more without a voice, as `voiced` tells it, with one before and one after.
    """
    turns = np.flatnonzero(np.diff(voice.astype(np.int8))) + 1
    begins, ends = turns[int(not voice[0]) :: 2], turns[1 + int(not voice[0]) :: 2]
    paused = [first for first, last in zip(begins, ends, strict=False) if (last - first) * LEVEL_S >= PAUSE_S]
    since = [LEVEL_S * float(len(voice) - first) for first in paused]
    return min((s for s in since if s >= least_s), default=FAR_S)


def listen(
    sound: Iterable[Sound], model: CallModel, told: Told, voices: Voices | None = None
) -> Iterator[CallHeard | SeenTo]:
    """`audio.listen` with an ear that tells early; what it yields is the same.

    When microphones come or go, what was being said ends and a new ear listens.
    """
    ear: EarlyEar | None = None
    seats: tuple[Seat, ...] = ()
    try:
        for heard in sound:
            if ear is not None and not (ear.continues(heard.block) and heard.seats == seats):
                yield from _named(ear.finish(), seats)
                ear = None
            if ear is None:
                seats = heard.seats
                ear = EarlyEar(model, heard.block, layout=heard.layout, voices=voices)
                ear.told, ear.whose = told, seats
            yield from _named(ear.feed(heard.block.samples), seats)
    finally:
        yield from _named(ear.finish(), seats) if ear is not None else ()


def _named(items: Iterable[CallHeard | SeenTo], seats: tuple[Seat, ...]) -> Iterator[CallHeard | SeenTo]:
    """Channels of players' own microphones are named by their seats at once."""
    for item in items:
        yield _name(item, seats) if isinstance(item, CallHeard) else item


def _name(call: CallHeard, seats: tuple[Seat, ...]) -> CallHeard:
    return seat_calls(call, seats, seats, len(seats)) if seats else call
