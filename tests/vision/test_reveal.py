"""When a card's face could be seen first, from its flight as it was followed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.pose import Face, Pose
from vision.reveal import HIDDEN_MS, LANDS_S, LOST_MS, RESTS_S, Step, reveal

RATE = 30
TIMES = [k / RATE for k in range(30)]
RESTED = TIMES[20]
FLAT = np.array([[85, 39], [115, 39], [115, 81], [85, 81]], np.float32)


def face(quad=FLAT):
    return Face(np.zeros((120, 200, 3), np.uint8), quad)


def steps(shares, fit=0.6):
    """A flight whose face was seen so, frame after frame, until it rests."""
    count, out = len(shares), []
    for k, share in enumerate(shares):
        away = 6.0 * (count - 1 - k)
        out.append(Step(TIMES[20 - count + 1 + k], Pose(100 - away, 60, 0, share, 1), fit))
    return out


TURNING = (0.25, 0.42, 0.62, 0.85, 0.97, 1, 1, 1, 1, 1)


def test_half_of_the_face_tells_the_reveal():
    seen = steps(TURNING)
    shown = reveal(seen, RESTED, TIMES, face())
    assert shown.time_s == seen[2].time_s
    assert shown.sigma_ms <= 20


def test_a_card_that_is_not_seen_straight_on_at_rest_has_to_show_more_of_it():
    leaning = (FLAT - 60) * (1, math.cos(math.radians(35))) + 60
    wide = face(leaning.astype(np.float32))
    assert wide.seen == pytest.approx(math.cos(math.radians(35)), abs=0.04)
    seen = steps((0.3, 0.55, 0.75, 0.9, 1, 1, 1, 1, 1, 1))
    assert reveal(seen, RESTED, TIMES, wide).time_s == seen[2].time_s
    assert reveal(seen, RESTED, TIMES, face()).time_s == seen[1].time_s


def test_what_is_lost_whole_was_seen_a_frame_before():
    seen = steps((1.0, 1, 1, 1, 1, 1, 1, 1))
    shown = reveal(seen, RESTED, TIMES, face())
    assert shown.time_s == pytest.approx(seen[0].time_s - 1 / RATE)


def test_what_is_hardly_seen_before_it_is_lost_was_half_turned():
    first, *others = steps((0.9, 1, 1, 1, 1, 1, 1, 1))
    seen = [Step(first.time_s, first.pose, 0.2), *others]
    shown = reveal(seen, RESTED, TIMES, face())
    assert shown.time_s == first.time_s
    assert shown.sigma_ms >= LOST_MS


def test_a_face_seen_late_was_hidden_by_a_hand():
    seen = steps((0.6, 0.9, 1, 1))
    shown = reveal(seen, RESTED, TIMES, face())
    assert shown.time_s == pytest.approx(RESTED - RESTS_S)
    assert shown.sigma_ms == LOST_MS


def test_a_flight_that_was_not_seen_is_told_from_the_landing():
    shown = reveal(steps((1.0,)), RESTED, TIMES, face())
    assert shown.time_s == pytest.approx(RESTED - LANDS_S)
    assert shown.sigma_ms == HIDDEN_MS


def test_a_whole_face_that_is_faint_when_it_is_lost_tells_less_exactly():
    first, *others = steps((1.0, 1, 1, 1, 1, 1, 1, 1))
    shown = reveal([Step(first.time_s, first.pose, 0.26), *others], RESTED, TIMES, face())
    assert shown.sigma_ms >= LOST_MS
