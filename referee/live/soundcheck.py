"""Can everybody be heard? Before the first cards each player says the three words; here is what was understood.

Words before the first card count for nothing in the game, so this asks for no tap and no mode: the game begins with its
first cards, whether all have been heard or not, and who has not been heard yet is named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.events import SEATS, Type

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.events import CallHeard, Seat

SURE = 0.8
"""A word belongs to a voice from this probability on."""


class SoundCheck:
    """What each voice has said so far."""

    def __init__(self) -> None:
        self._heard: dict[str, set[Type]] = {}

    def heard(self, calls: Iterable[CallHeard]) -> bool:
        """Words that were understood, as often as they are told; gives whether something is new."""
        new = False
        for call in calls:
            if not call.accepted or call.type is None:
                continue
            words = self._heard.setdefault(_whose(call), set())
            new = new or call.type not in words
            words.add(call.type)
        return new

    def state(self) -> list[dict[str, Any]]:
        """Each voice, seats first; a microphone that tells nothing of who is the voice ``""``."""
        order = [*SEATS, *sorted(set(self._heard) - set(SEATS))]
        return [
            {"who": who, "words": [kind.value for kind in Type if kind in self._heard[who]]}
            for who in order
            if who in self._heard
        ]

    def unheard(self, seats: Sequence[Seat]) -> list[Seat]:
        """Seats of which no word was understood yet; none where voices cannot be told apart."""
        named = set(self._heard) & set(seats)
        return [seat for seat in seats if seat not in named] if named else []


def _whose(call: CallHeard) -> str:
    if not call.seats:
        return ""
    who = max(call.seats, key=lambda seat: call.seats[seat])
    return who if call.seats[who] >= SURE else ""
