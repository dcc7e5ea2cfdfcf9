"""How large a card is at each place of a table that is seen at an angle, and in which colours faces are met."""

from __future__ import annotations

import numpy as np
import pytest

from vision.card_look import CardLook
from vision.motion import Look

PICTURE = (1080, 1920)


def card(x: float, y: float, grown: float = 1.0, slope: float = 0.5) -> np.ndarray:
    """A card's corners; the root of its area grows by `slope` over the picture's height."""
    long = 130 * (1 + slope * (y / 1920 - 0.5)) ** 1.5 * grown
    half = np.array([[-0.36, -0.5], [0.36, -0.5], [0.36, 0.5], [-0.36, 0.5]], np.float32) * np.float32(long)
    return np.asarray(half + np.array([x, y], np.float32), np.float32)


def look_with(*cards: np.ndarray, colour: tuple[int, int, int] = (230, 128, 128)) -> CardLook:
    out = CardLook(PICTURE)
    for corners in cards:
        learn(out, corners, colour)
    return out


def learn(look: CardLook, corners: np.ndarray, colour: tuple[int, int, int]) -> None:
    small = np.full((480, 270, 3), colour, np.uint8)
    look.learn(corners, Look(0.0, small), np.ones((480, 270), np.bool_))


def test_the_near_end_of_a_table_has_larger_cards_and_a_few_cards_tell_how_much_larger():
    look = look_with(card(500, 700), card(700, 900), card(520, 720), card(540, 1150))
    there = look.size_at(np.array([560, 1500]))
    assert there is not None
    true = card(560, 1500)
    assert there.long_px == pytest.approx(np.linalg.norm(true[1] - true[2]), rel=0.05)
    assert look.fits(true)
    assert not look.fits(card(560, 1500, 1.25))


@pytest.mark.parametrize("slope", [-0.6, 0.0, 0.6])
def test_a_second_card_across_the_table_fits_however_the_camera_is_tilted(slope):
    assert look_with(card(500, 750, slope=slope)).fits(card(560, 1200, slope=slope))


def test_beside_a_card_that_was_read_nothing_much_larger_is_one():
    look = look_with(card(500, 750))
    assert look.fits(card(620, 760))
    assert not look.fits(card(620, 760, 1.3))
    assert not look.fits(card(620, 760, 0.75))


def test_one_card_whose_corners_were_wrong_does_not_tell_the_size():
    right = [card(500, 700), card(700, 900), card(540, 1150), card(560, 1200), card(480, 760)]
    look = look_with(*right, card(550, 1170, 0.8))
    there = look.size_at(np.array([550, 1170]))
    assert there is not None
    assert there.long_px == pytest.approx(np.linalg.norm(card(550, 1170)[1] - card(550, 1170)[2]), rel=0.05)


def test_faces_in_a_lamps_light_and_in_a_windows_are_both_known():
    look = look_with(card(500, 700), colour=(215, 113, 138))
    learn(look, card(520, 1200), (235, 128, 128))
    assert look.ground is not None
    pixels = np.array([[(210, 114, 137), (230, 128, 128), (150, 110, 160)]], np.uint8)
    assert look.ground.coloured(pixels).tolist() == [[True, True, False]]
