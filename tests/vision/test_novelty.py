"""Known or new: twins on a pile, what is bared when the upper card is taken, and cards that something passes over."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from referee.events import Type
from vision.arrivals import AGAIN_AND_AGAIN_S, Arrivals, Waiting
from vision.card_look import CardLook
from vision.motion import Look, Motion, difference
from vision.novelty import Novelty
from vision.table import CHANGED, Table

SIZE = (160, 120)
LOWER = np.array([[60, 40], [90, 40], [90, 82], [60, 82]], np.float32)
UPPER = cv2.transform(LOWER[None] - LOWER.mean(axis=0), np.array([[0.94, -0.34], [0.34, 0.94]]))[0] + LOWER.mean(axis=0)
"""The same place, turned by 20 degrees."""


@dataclass(frozen=True)
class Read:
    """A card as a finder gives it."""

    type: Type | None = Type.PAPER
    confidence: float = 0.99
    visible: float = 0.9
    reason: str = ""


def bare():
    picture = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    picture[:, :, 0] = 60
    return picture


def laid(picture, corners, seed):
    """A white card with marks on what lies there."""
    flat = np.full((84, 60), 230, np.uint8)
    for y, x in np.random.default_rng(seed).integers((8, 8), (68, 44), (5, 2)):
        flat[y : y + 10, x : x + 10] = 30
    source = np.array([[0, 0], [60, 0], [60, 84], [0, 84]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    out, mask = picture.copy(), np.full(flat.shape, 255, np.uint8)
    drawn, there = (cv2.warpPerspective(one, matrix, SIZE, flags=cv2.INTER_AREA) for one in (flat, mask))
    out[:, :, 0][there > 127] = drawn[there > 127]
    return out


@pytest.fixture
def pile():
    """A table with an upper card askew on a lower one of its type, and the two pictures."""
    one = laid(bare(), LOWER, 4)
    both = laid(one, UPPER, 2)
    table = Table(bare(), 1.0)
    table.put(1, LOWER, one, Type.PAPER)
    table.put(2, UPPER.astype(np.float32), both, Type.PAPER)
    return table, one, both


def is_new(table, corners, picture):
    novelty = Novelty(table, Motion(Look(0.0, bare())), CardLook(SIZE), SIZE)
    changed = difference(picture, table.still) > CHANGED
    return novelty.is_new(Read(), corners, table.mask_of(corners), Look(1.0, picture), changed, fits=True)


def test_a_twin_of_the_lower_card_is_new_while_the_upper_one_is_still_seen_under_it(pile):
    table, one, both = pile
    assert is_new(table, LOWER, laid(both, LOWER, 4))
    assert not any(lying.left for lying in table.cards.values())
    assert not is_new(table, LOWER, one)  # bared: what lay on it is gone
    assert [lying.card for lying in table.cards.values() if lying.left] == [2]


def test_a_lower_card_that_is_bared_is_not_the_upper_one_pushed_there(pile):
    table, one, _ = pile
    badly_read = LOWER + np.array([[0, 9], [0, 9], [0, -8], [0, 2]], np.float32)
    assert not is_new(table, badly_read, one)
    assert np.array_equal(table.cards[2].corners, UPPER.astype(np.float32))


def test_a_card_that_something_passed_over_is_awaited_until_it_can_have_been_read_again():
    table = Table(bare(), 1.0)
    arrivals = Arrivals(table, Motion(Look(0.0, bare())), None, SIZE)
    picture = laid(bare(), LOWER, 1)
    mask = table.mask_of(LOWER)
    arrivals._waiting.append(Waiting.of(Read(), LOWER, mask, Look(1.0, picture)))
    nothing = np.zeros_like(mask)
    assert arrivals._confirm(None, Look(1.05, bare()), nothing, nothing) is None
    assert not arrivals.waiting().any()
    assert np.array_equal(arrivals.awaited(Look(1.1, picture)), mask)
    assert not arrivals.awaited(Look(1.06 + AGAIN_AND_AGAIN_S, picture)).any()
