"""A camera that is held in the hand is noticed, and its frames are laid onto the still table."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from scenes import DrawnCard, DrawnHand, find, frames, table

from referee.events import CardShown, TableNotice, Type
from vision import motion, watch
from vision.steady import LaidFrame, Marks


def sway(time_s):
    """A hand's tremor and drift, pixels."""
    return 2.5 * math.sin(3.3 * time_s) + math.sin(13 * time_s), 2 * math.cos(2.7 * time_s)


def told(seconds, things, shift=None):
    return [k for k in watch(frames(seconds, things, shift=shift), find) if isinstance(k, CardShown | TableNotice)]


def moved(picture, dx, dy):
    size = (picture.shape[1], picture.shape[0])
    return cv2.warpAffine(picture, np.float32([[1, 0, dx], [0, 1, dy]]), size, borderMode=cv2.BORDER_REPLICATE)


def look(picture):
    (frame,) = frames(1 / 30, [], background=picture)
    return frame, motion.look(frame)


@pytest.mark.parametrize("away", [(0, 0), (3, -2), (9.4, 5.5)])
def test_the_table_is_found_again(away):
    first, later = look(table())[1], look(moved(table(), *away))[1]
    matrix = Marks(first.yuv).moved(later.yuv)
    assert np.abs(2 * matrix[:, 2] - away).max() < 0.2  # the small picture is half as large


def test_a_frame_is_laid_where_the_table_was():
    first, frame = look(table())[1], look(moved(table(), 6, -4))[0]
    later = motion.look(frame)
    laid = LaidFrame(frame, later, Marks(first.yuv).moved(later.yuv))
    inside = slice(20, -20), slice(20, -20)
    assert np.abs(laid.averaged(2)[inside].astype(int) - first.yuv[inside]).mean() < 1.5
    assert np.abs(laid.image()[inside].astype(int) - table()[inside]).mean() < 4


def test_a_plain_table_has_nothing_to_find_again():
    plain = look(np.full((540, 960, 3), 90, np.uint8))[1]
    assert Marks(cv2.GaussianBlur(plain.yuv, (0, 0), 5)).moved(plain.yuv) is None


def test_cards_are_read_by_a_camera_that_sways():
    card = DrawnCard(at=(480, 190), start=(480, 60), turn_s=3.0, land_s=3.4)
    seen = told(5.0, [card, DrawnHand(2.7, 3.7, (480, 0), (480, 110))], sway)
    assert [k.code for k in seen if isinstance(k, TableNotice) and k.code != "moved"] == ["unsteady"]
    shown = [k for k in seen if isinstance(k, CardShown)]
    assert [k.type for k in shown] == [Type.ROCK]
    assert abs(shown[0].time_s - card.reveal_s()) < max(0.1, 2e-3 * shown[0].sigma_ms)


def test_hands_and_a_push_do_not_make_a_camera_unsteady():
    hands = [DrawnHand(1.0 + k, 1.7 + k, (480, 0), (480, 300)) for k in range(3)]
    seen = told(5.0, hands, lambda t: (0, 0) if t < 2.5 else (14, -9))
    assert [k.code for k in seen if isinstance(k, TableNotice)] in (["moved"], [])
