"""When a card's face could be seen first: from its flight as it was followed back, or from when it landed.

The reveal is the first frame in which the face is seen at less than 60 degrees from straight on, which is half of its
area. A card at rest is seldom seen straight on itself: its proportions tell how much of it is seen there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.pose import Face, Pose

HALF = 0.5
"""Share of the face's area at the reveal: cos 60 degrees."""
LANDS_S = 0.18
"""A card lands about this long after its reveal; where its flight was not seen that tells the reveal."""
RESTS_S = 0.235
"""After its reveal it is first seen to look as at rest, about: the median of 800 staged flights that were followed from
before the reveal, nine in ten of them within 0.06 s (`referee bench cards --seed 4008 --count 60`)."""
LATE_S = 0.2
"""Lost from sight going back later than this before it rests, it was fingers that hid it, which may be for long."""
LEAST_FLIGHT_S = 0.15
"""No card that was followed so took less than this: what is seen of the face later was hidden by a hand before."""
SLIDES_S = 0.1
"""A card slides for no longer than this."""
HIDDEN_MS = 100.0
"""Uncertainty of a reveal whose flight was hidden."""
LOST_MS = 80.0
"""The same where a part of the flight was hidden: in fresh staged games 1 in 100 is farther off than twice that."""
PLAIN_FIT = 0.4
"""Below this a face that is lost from sight next was hardly seen any more: it was half turned away, or half hidden."""
WHOLE = 0.95
"""From this share of the face on it is seen whole."""
AT_REST = 1.0
"""So near to its place, in pixels of the small picture, a card lies in it."""
HIDDEN = 0.2
"""A card that was lost from sight this near to its place, in card lengths, was not seen to fly."""

FLIES_S = 0.42
"""From its reveal to its landing a card takes less than this. What was followed for longer and not seen to turn was
something else at first, as a pack in the hand it came from."""
TURNS_LEAST = 0.2
"""Radians by which a card that turns over does so from one frame to the next at least: half of what is usual."""
TURNS_S = 0.08
"""A card that turns over shows between a third and a half of its face for less than this."""


@dataclass(frozen=True, slots=True)
class Step:
    """The face in one frame of its flight."""

    time_s: float
    pose: Pose
    fit: float
    """How much better the face explains its place than the table does, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """The first frame in which half of the face was seen."""

    time_s: float
    sigma_ms: float
    landed_s: float


def reveal(steps: Sequence[Step], rested: float, times: Sequence[float], face: Face) -> Reveal:
    """The first step from which on half of the face is seen; its uncertainty is about a frame.

    Args:
        steps: the face as it was followed, in order of time.
        rested: when it looked as it does at rest first.
        times: of all frames that were looked at.
        face: the card.
    """
    first, rest = len(steps) - 1, steps[-1].pose
    while first > 0 and steps[first - 1].pose.share * face.seen >= HALF:
        first -= 1
    frame_ms = 1000 * float(np.median(np.diff(times))) if len(times) > 1 else 33.0
    # A finger may rest on a card that has landed.
    rested = min(rested, *(s.time_s for s in steps if s.pose.apart(rest) < AT_REST))
    partly = rested - steps[0].time_s < FLIES_S and _partly(steps[:first])
    turned = steps[first].time_s
    first = 0 if partly else first
    if steps[first].pose.apart(rest) < (AT_REST if first else HIDDEN * face.high):
        # Its flight was hidden: it landed between when it was seen near its place first and when it rested.
        landed = min(rested, steps[0].time_s + min(rested - steps[0].time_s, SLIDES_S) / 2)
        return Reveal(max(times[0], landed - LANDS_S), HIDDEN_MS, landed)
    usual = min(steps[0].time_s, max(times[0], rested - RESTS_S))
    if rested - steps[first].time_s < LEAST_FLIGHT_S:
        return Reveal(usual, LOST_MS, rested)
    if first == 0 and (partly or not _turns(steps)) and steps[0].time_s > times[0]:
        reveal, sigma_ms = _lost(steps, rested, times, turned)
        return Reveal(reveal, sigma_ms, rested)
    if not first and rested - steps[0].time_s > FLIES_S:
        return Reveal(usual, round(max(LOST_MS, 500 * (usual - steps[first].time_s)), 1), rested)
    gap_ms = 1000 * (steps[first].time_s - steps[first - 1].time_s) if first else 2 * frame_ms
    if first and not _turns(steps[first - 1 :]):
        gap_ms = max(gap_ms, 100.0)  # it grows more slowly than a card that turns does: a hand was in front of it
    if not first and steps[0].fit < PLAIN_FIT:
        gap_ms = max(gap_ms, 100.0)
    return Reveal(steps[first].time_s, round(max(0.5 * frame_ms, 0.6 * gap_ms), 1), rested)


def _lost(steps: Sequence[Step], rested: float, times: Sequence[float], turned: float) -> tuple[float, float]:
    """The reveal of a card that was lost from sight before it was seen to turn, seconds, and its uncertainty, ms.

    A card turns by 25 degrees in a frame, so it was a frame or two, if it is not fingers that hid it.
    """
    frame_ms = 1000 * float(np.median(np.diff(times)))
    usual = min(steps[0].time_s, max(times[0], rested - RESTS_S))
    earlier = max(t for t in times if t < steps[0].time_s)
    if earlier > rested - LATE_S:
        return usual, LOST_MS
    # Hardly seen it was half turned away; plainly seen it was that a frame before.
    faint = steps[0].fit < PLAIN_FIT and steps[0].pose.share < WHOLE
    reveal = steps[0].time_s if faint else earlier
    # Followed for longer than cards fly it may be something else that was followed, before it turned.
    plain = steps[0].fit >= PLAIN_FIT and steps[0].pose.share > 0.8
    least_ms = 1.2 * frame_ms if plain else LOST_MS
    sigma_ms = max(least_ms, 500 * (usual - earlier), 500 * (turned - earlier) + 0.5 * frame_ms)
    return reveal, round(sigma_ms, 1)


def _turns(steps: Sequence[Step]) -> bool:
    """Is the face seen to turn towards the camera when it is seen first? What a hand half hides grows more slowly."""
    if steps[0].pose.share > 0.8 or len(steps) < 2:
        return False
    before, after = (math.acos(min(1.0, k.pose.share)) for k in steps[:2])
    return before - after > TURNS_LEAST


def _partly(steps: Sequence[Step]) -> bool:
    """Was half of the face hidden for longer than by turning, and no less in the end? A hand did that."""
    if not steps or steps[-1].time_s - steps[0].time_s < TURNS_S:
        return False
    return steps[-1].pose.share < steps[0].pose.share + 0.1
