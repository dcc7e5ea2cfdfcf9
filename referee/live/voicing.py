"""Voices that are learnt at the table, before the first round: with one microphone they alone tell who called.

The scorer taps a seat; what is understood while it is on are that player's takes. Nothing is guessed: a word counts for
a seat only if it lies wholly within the seat's turn, and who called is told by voice only if everybody who plays has
been learnt. The voices of one game are kept while it is open (`learnt.py`), and are gone with it.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from audio.voices import Voices
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from referee.events import CallHeard, Seat
    from referee.media import AudioBlock

KEPT_S = 8.0
"""A word is given two seconds after it was said."""
BEFORE_S, LEAST_S = 0.02, 0.2
"""A take begins so long before its onset, and lasts at least so long after it."""
TURN_S = 20.0
"""A turn ends by itself: three words, twice, take half of that."""
MOST_TAKES = 4
"""Of one word; more would not be compared sooner."""


class Voicing:
    """Learns voices, and takes away from a call what voices may not tell."""

    def __init__(self, voices: Voices | None = None) -> None:
        self.voices = voices or Voices()
        self.changed: Callable[[Voices], None] = lambda _: None
        """Is given the voices when they have got a take more, or were forgotten."""
        self.seat: Seat = ""
        """Whose turn it is to speak; empty for nobody's."""
        self._turns: list[tuple[float, Seat]] = []
        self._blocks: deque[AudioBlock] = deque()
        self._lock, self._learning = threading.Lock(), threading.Lock()

    def turn(self, seat: Seat, now_s: float) -> None:
        """From now on this player alone speaks; empty: anybody again."""
        with self._lock:
            self.seat = seat
            self._turns.append((now_s, seat))

    def listen(self, block: AudioBlock) -> None:
        """The sound that the ear hears."""
        self._blocks.append(block)
        while self._blocks[0].time_s < block.time_s - KEPT_S:
            self._blocks.popleft()

    def heard(self, call: CallHeard, looked_s: float) -> Seat:
        """A word was understood, for good; gives whose take it became, empty if nobody's.

        Args:
            call: the word.
            looked_s: up to here the eye has seen no card: with the first one the game has begun.
        """
        seat = self._whose(call) if call.end_s <= looked_s else ""
        if not seat or not call.accepted or call.type is None:
            return ""
        if len(self.voices.takes.get(seat, {}).get(call.word, ())) >= MOST_TAKES:
            return seat
        rate = self._blocks[-1].rate if self._blocks else 0
        with self._learning:
            try:
                self.voices.enroll(seat, call.word, self._sound(call), rate)
            except UsageError:  # too short or too quiet: said again, it will do
                return ""
            self.changed(self.voices)
        return seat

    def forget(self) -> None:
        """All that was learnt is forgotten, and it is nobody's turn; who called is no longer told by voice."""
        with self._lock:
            self.seat = ""
            self._turns.clear()
        with self._learning:
            self.voices.takes = {}  # another one, never changed: the ear may be reading it
            self.changed(self.voices)

    def checked(self, call: CallHeard, seats: Sequence[Seat]) -> CallHeard:
        """The call; without seats if it was told by voice and somebody plays whose voice is not known."""
        if call.tier != "voice" or (seats and set(seats) <= set(self.voices.takes)):
            return call
        return replace(call, seats={}, tier="none")

    def state(self) -> dict[str, Any]:
        """For screens: whose turn it is, and how many words of each player are known."""
        known = {seat: len(words) for seat, words in list(self.voices.takes.items())}
        return {"seat": self.seat, "known": known}

    def _whose(self, call: CallHeard) -> Seat:
        """Whose turn it was during all of the word."""
        with self._lock:
            turns = [(s, who) for s, who in self._turns if s < call.end_s]
        if not turns or not turns[-1][0] <= call.time_s < call.end_s <= turns[-1][0] + TURN_S:
            return ""
        return turns[-1][1]

    def _sound(self, call: CallHeard) -> Any:
        """The word, one channel."""
        first = self._blocks[0]
        whole = np.concatenate([b.samples for b in self._blocks], axis=1).mean(axis=0)
        from_s, to_s = call.time_s - BEFORE_S, max(call.end_s, call.time_s + LEAST_S)
        a, b = (max(0, round((t - first.time_s) * first.rate)) for t in (from_s, to_s))
        return whole[a:b].astype(np.float32)
