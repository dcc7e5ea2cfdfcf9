"""What changed on known cards and was not made out: a card for people to look at, or the rest of one that is known."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from vision.finder import Size
from vision.overlooked import Overlooked
from vision.seats import Arms
from vision.table import Table

WIDE, LONG = 40, 60
GREY, OLD, NEW, DRAWN = 90, 200, 240, 140


def quad(x, y, wide=WIDE, long=LONG):
    return np.array([[x, y], [x + wide, y], [x + wide, y + long], [x, y + long]], np.float32)


def painted(picture, corners, level):
    out = picture.copy()
    (x0, y0), (x1, y1) = corners[0].astype(int), corners[2].astype(int)
    out[y0:y1, x0:x1, 0] = level
    if level == NEW:
        for y in range(y0, y1, 8):
            out[y : y + 4, x0:x1, 0] = DRAWN
    return out


def overlooked(strip, told_after_s=0.4):
    """What is found where, of a new card on an old one, all but a strip so wide was told of at 2.0 s."""
    bare = np.full((200, 200, 3), 128, np.uint8)
    bare[:, :, 0] = GREY
    table = Table(bare, 1.0)
    with_old = painted(bare, quad(60, 60, 70, 80), OLD)
    table.put(1, quad(60, 60, 70, 80), with_old)
    with_new = painted(with_old, quad(70, 70), NEW)
    moved = np.full((200, 200), -9.0, np.float32)
    moved[70:130, 70:110] = 2.0 - told_after_s
    part = painted(with_old, quad(70, 70, WIDE - strip), NEW)
    table.put(2, quad(70, 70, WIDE - strip), part).put_s = 2.0
    card = SimpleNamespace(
        ground=SimpleNamespace(
            coloured=lambda yuv: np.ones(yuv.shape[:2], np.bool_), new=lambda yuv, still: yuv[:, :, 0] != still[:, :, 0]
        ),
        size_at=lambda _: Size(LONG, WIDE * LONG, 1.2),
    )
    arrivals = SimpleNamespace(
        card=card, pieces=SimpleNamespace(card_area=WIDE * LONG), awaited=lambda _: np.zeros((200, 200), np.bool_)
    )
    now = SimpleNamespace(time_s=4.0, yuv=with_new)
    changed = table.changed(with_new)
    found = list(Overlooked(table, SimpleNamespace(last_moved=moved), arrivals).find(now, changed, Arms(changed)))
    return [corners for corners, _ in found], table.changed(with_new).any()


@pytest.mark.parametrize("strip", [13, 17])
def test_a_strip_along_a_card_that_came_with_it_is_the_rest_of_it(strip):
    assert overlooked(strip) == ([], False)


def test_half_a_card_is_one_that_was_overlooked():
    (corners,), _ = overlooked(22)
    assert np.ptp(corners, axis=0) == pytest.approx([22, LONG], abs=4)


@pytest.mark.parametrize("told_after_s", [-0.1, 2.6])
def test_a_strip_that_came_later_or_long_before_is_no_rest(told_after_s):
    assert len(overlooked(17, told_after_s)[0]) == 1
