"""Listen: blocks of samples in, calls with onset, error and side out, in a stream.

    blocks -> fixed steps -> [a recogniser for each real or virtual microphone] -> words that overlap are one *group*
           -> a closed group is resolved (audio.gather): whose word it was, its onset -> CallHeard, SeenTo

A group is closed when no recogniser can still give a word that overlaps it. Everything is cut at fixed sample counts,
so that the same sound gives the same events however it arrives.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from audio import gather, who
from audio.alone import Alone
from audio.gather import SPOT_RATE, Front, Heard, Stretch
from audio.own import OwnFront
from audio.resample import Resampler
from audio.stereo import StereoFront
from referee.events import CallHeard, SeenTo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from audio.spotted import Spotted
    from audio.voices import Voices
    from models import CallModel
    from referee.events import Seat
    from referee.media import AudioBlock

    Floats = NDArray[np.float32]

STEP_S = 0.1
HISTORY_S = 30.0
"""Sound that is kept for measuring onsets: longer than the longest utterance of a recogniser (20 s)."""
LEAP_S = 0.05
"""Blocks that do not follow each other within this begin a new stretch of sound."""
MARGIN_S = 0.3
"""An onset may lie this much before the recogniser's rough start."""


class Recogniser(Protocol):
    """What listening needs of `audio.recogniser.Spotter`."""

    @property
    def settled_s(self) -> float:
        """No word given later starts before this time."""

    def accept(self, samples: NDArray[np.float32], /) -> list[Spotted]:
        """Take samples, give words."""

    def flush(self) -> list[Spotted]:
        """Give what remains."""


def listen(
    blocks: Iterable[AudioBlock],
    model: CallModel,
    *,
    seats: Sequence[Seat] | None = None,
    microphones: Sequence[Seat] | None = None,
    layout: str | None = None,
    voices: Voices | None = None,
    recogniser: Callable[[CallModel, int], Recogniser] | None = None,
) -> Iterator[CallHeard | SeenTo]:
    """Hear the calls of a recording or of live sound.

    Args:
        blocks: sound in time order; a leap in time ends what was being said.
        model: the opened call model, shared by one recogniser for each real or virtual microphone.
        seats: who plays. With None, calls carry side labels (`ch0`, ...) in place of seats, to be named by
            `audio.who.seat_calls` once the picture has told who sits where: a pure function, so that nothing
            depends on whether eye or ear was faster.
        microphones: the seat at each channel, or on each channel's side of a stereo pair.
        layout: `one`, `stereo` (two microphones of one device) or `own` (a microphone a player); by default by the
            number of channels.
        voices: enrolled voices, which tell who called when there is one microphone.
        recogniser: stands in for `audio.recogniser.Spotter` in tests.

    Yields:
        `CallHeard` in the order in which they settle (also words that are no call, with `accepted` false), and after
        every step of a tenth of a second `SeenTo`: no later event will be earlier than that.

    Raises:
        UsageError: seats and microphones do not fit each other.
        DamagedError: from `blocks`, after every call before the damage was given.
    """
    ear: Ear | None = None
    broken: Exception | None = None
    try:
        for block in blocks:
            if ear is not None and not ear.continues(block):
                yield from _named(ear.finish(), seats, microphones)
                ear = None
            if ear is None:
                ear = Ear(model, block, layout=layout, voices=voices, recogniser=recogniser)
            yield from _named(ear.feed(block.samples), seats, microphones)
    except Exception as error:  # noqa: BLE001  damage and the plain end are alike: what was heard is given first
        broken = error
    rest = list(ear.finish()) if ear is not None else []
    yield from _named(rest, seats, microphones)
    if broken is not None:
        raise broken


def _named(
    events: Iterable[CallHeard | SeenTo], seats: Sequence[Seat] | None, microphones: Sequence[Seat] | None
) -> Iterator[CallHeard | SeenTo]:
    for event in events:
        if isinstance(event, CallHeard) and seats is not None:
            yield who.seat_calls(event, seats, microphones)
        else:
            yield event


def front(layout: str, channels: int, voices: Voices | None = None) -> Front:
    """How a recording of this layout is heard: `one` (with voices if enrolled), `stereo` or `own`."""
    if layout == "own" and channels > 1:
        return OwnFront(channels)
    return StereoFront(channels) if layout == "stereo" and channels == 2 else Front(channels, voices)


class Ear:
    """Listening to one unbroken stretch of sound."""

    def __init__(
        self,
        model: CallModel,
        first: AudioBlock,
        *,
        layout: str | None = None,
        voices: Voices | None = None,
        recogniser: Callable[[CallModel, int], Recogniser] | None = None,
    ) -> None:
        channels = first.samples.shape[0]
        self.layout = layout or {1: "one", 2: "stereo"}.get(channels, "own")
        self._start_s, self._rate = first.time_s, first.rate
        self._step = round(STEP_S * first.rate)
        self._waiting: Floats = np.zeros((channels, 0), np.float32)
        self._kept: Floats = np.zeros((channels, round(2 * HISTORY_S * first.rate)), np.float32)
        self._kept_from = self._kept_count = 0
        self._taken = 0
        self._down = Resampler(first.rate, SPOT_RATE)
        self._front = front(self.layout, channels, voices)
        if recogniser is None:
            from audio.taught import spotter  # noqa: PLC0415 - loads Vosk

            recogniser = spotter
        self._spotters = [recogniser(model, SPOT_RATE) for _ in range(self._front.streams)]
        self._alone = Alone()
        self._words: list[Heard] = []

    def continues(self, block: AudioBlock) -> bool:
        """Whether this block follows what was heard, without a leap and in the same form."""
        next_s = self._start_s + (self._taken + self._waiting.shape[1]) / self._rate
        same = block.rate == self._rate and block.samples.shape[0] == self._kept.shape[0]
        return same and abs(block.time_s - next_s) < LEAP_S

    def feed(self, samples: Floats) -> Iterator[CallHeard | SeenTo]:
        """Take more samples, shape (channels, n)."""
        self._waiting = np.concatenate([self._waiting, samples], axis=1)
        while self._waiting.shape[1] >= self._step:
            step, self._waiting = self._waiting[:, : self._step], self._waiting[:, self._step :]
            yield from self._take(step)

    def finish(self) -> Iterator[CallHeard | SeenTo]:
        """The sound ends here: settle everything."""
        if self._waiting.shape[1]:
            self._keep(self._waiting)
            self._spot(self._down.feed(self._waiting))
            self._waiting = self._waiting[:, :0]
        if self._rate != SPOT_RATE:
            self._spot(self._down.finish())
        self._hear(self._front.rest())
        for stream, spotter in enumerate(self._spotters):
            self._words += [Heard(stream, word) for word in spotter.flush()]
        yield from self._resolve(float("inf"))
        yield SeenTo(time_s=self._start_s + self._taken / self._rate)

    def _take(self, step: Floats) -> Iterator[CallHeard | SeenTo]:
        self._keep(step)
        self._spot(self._down.feed(step))
        settled_s = min(s.settled_s for s in self._spotters)
        yield from self._resolve(settled_s)
        open_s = min([settled_s, *(h.word.start_s for h in self._words)])
        yield SeenTo(time_s=self._start_s + max(0.0, open_s - MARGIN_S))

    def _keep(self, samples: Floats) -> None:
        self._taken += samples.shape[1]
        if self._kept_count + samples.shape[1] > self._kept.shape[1]:  # full: the younger half moves to the front
            history = round(HISTORY_S * self._rate)
            self._kept[:, :history] = self._kept[:, self._kept_count - history : self._kept_count].copy()
            self._kept_from += self._kept_count - history
            self._kept_count = history
        self._kept[:, self._kept_count : self._kept_count + samples.shape[1]] = samples
        self._kept_count += samples.shape[1]

    def _spot(self, samples: Floats) -> None:
        if samples.shape[1]:
            self._hear(self._front.split(samples))

    def _hear(self, streams: Sequence[Floats]) -> None:
        for stream, samples in enumerate(streams):
            self._words += [Heard(stream, word) for word in self._spotters[stream].accept(samples)]

    def _resolve(self, settled_s: float) -> Iterator[CallHeard]:
        closed, self._words = gather.groups(self._words, settled_s)
        stretch = Stretch(self._kept[:, : self._kept_count], self._rate, self._kept_from / self._rate)
        for group in closed:
            for call in self._alone.look(self._front.resolve(group, stretch), stretch):
                # What was being said when the recording begins began with it, as far as anybody can tell.
                time_s, end_s = (max(0.0, at_s + self._start_s) for at_s in (call.time_s, call.end_s))
                yield replace(call, time_s=time_s, end_s=end_s)
