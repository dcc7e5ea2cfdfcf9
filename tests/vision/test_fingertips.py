"""A hand that ends on a card, and an arm that only reaches over it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.fingertips import Ends, goes_past
from vision.seats import Arms

CARD = np.zeros((240, 320), np.bool_)
CARD[100:140, 150:178] = True
HIGH = 40.0


def arm(top: int, bottom: int = 240, left: int = 158, right: int = 170) -> np.ndarray:
    """An arm from the lower edge, or from `bottom`, up to the row `top`."""
    out = np.zeros((240, 320), np.bool_)
    out[top:bottom, left:right] = True
    return out


@pytest.mark.parametrize(
    ("hands", "past"),
    [
        (arm(130), False),
        (arm(105), False),
        (arm(90), False),  # fingers of a flat hand
        (arm(40), True),
        (arm(40, left=170, right=184), True),  # beside its middle
        (arm(130) | arm(0, 20), False),  # another hand, far away
    ],
)
def test_only_what_lies_beyond_the_card_and_comes_over_it_tells_that_an_arm_goes_past(hands, past):
    assert goes_past(hands, CARD, HIGH) is past


def test_a_hand_rests_on_a_card_after_a_tenth_of_a_second_and_is_forgotten_after_one():
    ends = Ends()
    for k in range(4):
        assert ends.rests_on("south", k / 30) is None or k == 3
        ends.note("south", 7, k / 30)
    assert ends.rests_on("south", 0.11) == 7
    assert ends.rests_on("north", 0.11) is None
    assert ends.rests_on("south", 1.5) is None


def test_a_hand_that_went_to_another_card_does_not_rest_there_yet():
    ends = Ends()
    for k in range(4):
        ends.note("south", 7, k / 30)
    ends.note("south", 8, 4 / 30)
    assert ends.rests_on("south", 4 / 30) is None


def test_where_two_arms_meet_both_edges_are_told_and_one_arm_has_one():
    assert Arms(arm(0)).at(CARD) == [("north", "south")]
    assert Arms(arm(120)).at(CARD) == [("south",)]
    assert Arms(arm(110, 130)).at(CARD) == []
