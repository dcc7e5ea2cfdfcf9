"""Who called: from sides of the sound (`ch0`, `ch1`, ...) to seats of the table.

The ear does not see the table. It gives each call to a *side*: `chN` is the player at channel N (a microphone a
player), or the player on channel N's side of a stereo pair. Which seat that is depends on who sits where, which the
picture tells: `seat_calls` is the pure function that says it, applied when the seats are known. Nothing here depends on
when things were heard, so that verdicts repeat.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from referee.errors import UsageError
from referee.events import SEATS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.events import CallHeard, Seat

SIDE_ORDER = ("north", "west", "east", "south")
"""Of a stereo pair channel 0 is taken to be the side that comes first here: the north or the west side."""


def side(channel: int) -> str:
    """The label of the player at a channel, or on a channel's side of a stereo pair."""
    return f"ch{channel}"


def seating(channels: int, seats: Sequence[Seat], microphones: Sequence[Seat] | None = None) -> dict[str, Seat]:
    """Which seat each side is.

    Args:
        channels: of the recording.
        seats: who plays, in any order.
        microphones: the seat at each channel (for a stereo pair: on the side of each channel), if the user said so.
            By default as many channels as seats stand clockwise from north, and of two channels the first is the
            north or west side.

    Returns:
        Seat by side label; empty when it cannot be known.

    Raises:
        UsageError: `microphones` names other seats than `seats`, or not one a channel.
    """
    if microphones is not None:
        if len(microphones) != channels or (seats and not set(microphones) >= set(seats)):
            raise UsageError(
                f"microphones {','.join(microphones)}: name the seat of each of the {channels} channels "
                f"in order, among them all of {', '.join(seats)}"
            )
        return {side(i): seat for i, seat in enumerate(microphones)}
    if channels != len(seats) or channels < 2 or not set(seats) <= set(SEATS):
        return {}
    order = SIDE_ORDER if channels == 2 else SEATS
    return {side(i): seat for i, seat in enumerate(sorted(seats, key=order.index))}


def assumption(channels: int, seats: Sequence[Seat], microphones: Sequence[Seat] | None = None) -> str:
    """One sentence for the record: how sides were taken for seats; empty with one channel."""
    if channels < 2:
        return ""
    found = seating(channels, seats, microphones)
    if not found:
        return f"{channels} channels and {len(seats)} seats: say which microphone is whose to know who called"
    said = "as you said" if microphones is not None else "assumed"
    return f"channels {said}: " + ", ".join(f"{i + 1} is {seat}" for i, seat in enumerate(found.values()))


def seat_calls(
    call: CallHeard, seats: Sequence[Seat], microphones: Sequence[Seat] | None = None, channels: int | None = None
) -> CallHeard:
    """Name the seats of a call that was given to sides.

    Args:
        call: its `seats` has side labels as keys (a call without, or with seats already, is given back as it is).
        seats: who plays.
        microphones: as in `seating`.
        channels: of the recording; by default as many as the call has levels.

    Returns:
        The call with seats in place of sides; with no seats and tier `none` if the sides cannot be placed.
    """
    if not call.seats or not all(key.startswith("ch") and key[2:].isdigit() for key in call.seats):
        return call
    known = seating(len(call.levels_db) if channels is None else channels, seats, microphones)
    if not known:
        return replace(call, seats={}, tier="none")
    return replace(call, seats={known[key]: p for key, p in call.seats.items() if known.get(key) in seats})
