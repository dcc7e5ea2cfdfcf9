"""What makes a reading count, and what is not read again."""

from __future__ import annotations

import itertools

import cv2
import numpy as np

from vision.memory import LONGEST_S, PAUSE_S, Sights
from vision.motion import Look
from vision.table import Table

PLACE = (slice(20, 60), slice(20, 60))
PIECE = np.ones((40, 40), bool)


def look(time_s, level=80):
    return Look(time_s, np.full((120, 160, 3), level, np.uint8))


def test_the_same_sight_is_read_after_ever_longer_pauses():
    sights = Sights((120, 160))
    read = [k / 30 for k in range(300) if sights.due(PLACE, PIECE, look(k / 30))]
    gaps = np.diff(read)
    assert read[0] == 0
    assert PAUSE_S <= gaps[0] < PAUSE_S + 0.04
    assert all(b > 1.5 * a for a, b in itertools.pairwise(gaps[:4]))
    assert LONGEST_S <= gaps[-1] < LONGEST_S + 0.04


def test_another_sight_is_read_at_once():
    sights = Sights((120, 160))
    assert sights.due(PLACE, PIECE, look(0))
    assert not sights.due(PLACE, PIECE, look(0.1))
    assert sights.due(PLACE, PIECE, look(0.1, level=160))


def test_a_place_that_is_forgotten_is_read_at_once():
    sights = Sights((120, 160))
    assert sights.due(PLACE, PIECE, look(0))
    sights.forget()
    assert sights.due(PLACE, PIECE, look(0.05))


def card(seed):
    """A white card with marks, in a small picture of a dark table."""
    picture = np.full((120, 160, 3), 128, np.uint8)
    picture[:, :, 0] = 60
    picture[40:82, 60:90, 0] = 230
    for y, x in np.random.default_rng(seed).integers((44, 64), (76, 84), (5, 2)):
        picture[y : y + 5, x : x + 5, 0] = 30
    return picture


CORNERS = np.array([[60, 40], [90, 40], [90, 82], [60, 82]], np.float32)


def test_a_card_is_known_again_in_shade_and_another_is_not():
    table = Table(np.full((120, 160, 3), 60, np.uint8), 1.0)
    lying = table.put(1, CORNERS, card(1))
    shaded = (card(1) * np.array([0.7, 1, 1])).astype(np.uint8)
    assert table.shows(lying, CORNERS, shaded)
    assert not table.shows(lying, CORNERS, card(2))


def test_what_lay_on_a_card_that_is_read_again_is_gone():
    table = Table(np.full((120, 160, 3), 60, np.uint8), 1.0)
    lower = table.put(1, CORNERS, card(1))
    table.put(2, CORNERS + np.float32(3), card(2))
    resting = np.ones((120, 160), bool)
    assert table.gone(card(2), resting) == []
    table.bared(lower)
    assert [k.card for k in table.gone(card(2), resting)] == [2]


def test_a_card_bared_by_one_that_is_taken_is_known_again_though_its_corners_are_read_badly():
    table = Table(np.full((120, 160, 3), 60, np.uint8), 1.0)
    table.put(1, CORNERS, card(1))
    askew = CORNERS + np.array([[-4, 3], [4, -3], [-3, 2], [3, -4]], np.float32)
    assert not table.again(askew, card(1)), "nothing hid it"
    table.put(2, CORNERS + np.float32(3), card(2))
    assert table.again(askew, card(1))
    assert not table.again(askew, card(7))


def test_a_card_that_only_the_light_has_changed_is_unmoved_and_another_on_it_is_not():
    table = Table(np.full((120, 160, 3), 60, np.uint8), 1.0)
    lying = table.put(1, CORNERS, card(1))
    shaded = card(1)
    shaded[:, :, 0] = (shaded[:, :, 0] * np.linspace(0.6, 0.9, 160)).astype(np.uint8)
    part = lying.mask.copy()
    part[:60] = False
    assert table.unmoved(part, shaded) is lying
    assert table.unmoved(part, card(7)) is None
    beside = np.zeros_like(part)
    beside[:30, :30] = True
    assert table.unmoved(beside, shaded) is None


def test_the_number_of_a_look_at_the_same_sight_is_told():
    sights = Sights((120, 160))
    looks = [n for k in range(60) if (n := sights.due(PLACE, PIECE, look(k / 30)))]
    assert looks == list(range(1, len(looks) + 1))
    assert len(looks) >= 3
    assert sights.due(PLACE, PIECE, look(2.1, level=160)) == 1


def test_a_card_peeps_out_from_under_one_that_is_laid_askew_on_it_and_not_once_it_was_pushed():
    bare = np.full((120, 160, 3), 128, np.uint8)
    bare[:, :, 0] = 60
    table = Table(bare, 1.0)
    lying = table.put(1, CORNERS, card(1))
    there = CORNERS + np.float32(14)
    on_it = card(1)
    cv2.fillConvexPoly(on_it, there.astype(np.int32), (200, 128, 128))
    assert table.peeps(lying, there, on_it)
    pushed = bare.copy()
    cv2.fillConvexPoly(pushed, there.astype(np.int32), (200, 128, 128))
    assert not table.peeps(lying, there, pushed)
    assert not table.peeps(lying, CORNERS, on_it)  # nothing of it could be seen beside
