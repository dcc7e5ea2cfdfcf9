"""Whose hand it was: arms joined to edges, directions, and when nobody can tell."""

from __future__ import annotations

import numpy as np
import pytest

from vision.seats import Arms, decide, of_place


def arm(*parts, shape=(90, 160)):
    changed = np.zeros(shape, bool)
    for rows, columns in parts:
        changed[rows, columns] = True
    return changed


PLACE = arm((slice(40, 50), slice(75, 85)))


@pytest.mark.parametrize(
    ("part", "seat"),
    [
        ((slice(0, 45), slice(70, 90)), "north"),
        ((slice(45, 90), slice(70, 90)), "south"),
        ((slice(40, 50), slice(80, 160)), "east"),
        ((slice(40, 50), slice(0, 80)), "west"),
    ],
)
def test_an_arm_over_the_place_tells_its_edge(part, seat):
    assert set(Arms(arm(part)).reach(PLACE)) == {seat}


def test_an_arm_elsewhere_tells_nothing():
    assert Arms(arm((slice(0, 30), slice(10, 30)))).reach(PLACE) == {}


def test_a_hand_that_touches_no_edge_tells_nothing():
    assert Arms(arm((slice(30, 60), slice(60, 90)))).reach(PLACE) == {}


def test_a_card_north_of_the_centre_is_north_s():
    votes = of_place((52, 10), (50, 50), ("north", "east", "south", "west"))
    assert max(votes, key=votes.get) == "north"


def test_agreeing_evidence_decides():
    assert decide([(0.5, {"north": 30.0}), (0.3, {"north": 1.0})], ("north", "south")) == "north"


def test_disagreeing_evidence_of_like_weight_decides_nothing():
    assert decide([(0.5, {"north": 30.0}), (0.5, {"south": 1.0})], ("north", "south")) is None


def test_votes_for_empty_chairs_do_not_count():
    assert decide([(0.5, {"east": 30.0}), (0.2, {"south": 1.0})], ("north", "south")) == "south"


def test_no_evidence_is_nobody():
    assert decide([(1.0, {})], ("north", "south")) is None
