"""A card on one of the same face, a few pixels off: drawn tables of which all is known."""

from __future__ import annotations

import numpy as np
import pytest
from test_cards import face, frame, lay, wood

from vision.stacked import close_up, is_second, share_unmoved

WAS = frame((400, 300), 120, 20)


@pytest.mark.parametrize("name", ["rock", "paper", "scissors"])
def test_a_card_laid_almost_on_one_of_the_same_face_is_another(name):
    table = wood(600, 800)
    lay(table, face(name), WAS)
    before = close_up(table, WAS)
    now = frame((404, 298), 120, 23)
    lay(table, face(name), now)
    assert is_second(before, WAS, table, now + np.float32(1.5))
    assert is_second(before, WAS, table, now[[2, 3, 0, 1]])


@pytest.mark.parametrize("name", ["rock", "paper", "scissors"])
def test_a_card_that_was_pushed_a_little_is_the_same(name):
    table = wood(600, 800)
    lay(table, face(name), WAS)
    before = close_up(table, WAS)
    now = frame((404, 298), 120, 23)
    pushed = wood(600, 800)
    lay(pushed, face(name), now)
    assert not is_second(before, WAS, pushed, now)


def test_a_card_whose_corners_are_read_badly_is_the_same():
    table = wood(600, 800)
    lay(table, face("rock"), WAS)
    assert not is_second(close_up(table, WAS), WAS, table, WAS + np.float32(4))


def test_a_card_of_another_face_is_not_judged_by_this():
    table = wood(600, 800)
    lay(table, face("rock"), WAS)
    before = close_up(table, WAS)
    now = frame((404, 298), 120, 23)
    lay(table, face("paper"), now)
    assert not is_second(before, WAS, table, now)


@pytest.mark.parametrize("name", ["rock", "paper", "scissors"])
def test_of_a_card_that_is_half_covered_the_other_half_is_seen_where_it_lay(name):
    table = wood(600, 800)
    lay(table, face(name), WAS)
    before = close_up(table, WAS)
    assert share_unmoved(before, WAS, table) > 0.99
    lay(table, face(name), WAS + np.float32((55, 0)))
    assert 0.45 < share_unmoved(before, WAS, table) < 0.8
    assert share_unmoved(before, WAS, wood(600, 800)) < 0.1


@pytest.mark.parametrize("name", ["rock", "paper", "scissors"])
def test_of_a_card_under_one_of_the_same_face_little_is_seen_where_it_lay(name):
    table = wood(600, 800)
    lay(table, face(name), WAS)
    before = close_up(table, WAS)
    lay(table, face(name), frame((412, 292), 120, 30))
    assert share_unmoved(before, WAS, table) < 0.4
