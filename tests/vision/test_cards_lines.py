"""Cards that no outline shows: one on another, white on white."""

from __future__ import annotations

import cv2
import numpy as np

from vision import lines, piles


def white_cards(frames, table=(225, 228, 230)):
    picture = np.full((360, 480, 3), table, np.float32)
    for corners in frames:
        shade = np.zeros(picture.shape[:2], np.float32)
        cv2.fillConvexPoly(shade, (corners + 2).round().astype(np.int32), 1.0, cv2.LINE_AA)
        picture *= 1 - 0.18 * cv2.GaussianBlur(shade, (0, 0), 2)[..., None]
        cv2.fillConvexPoly(picture, corners.round().astype(np.int32), (244, 246, 246), cv2.LINE_AA)
        middle = corners.mean(axis=0).round().astype(int)
        cv2.circle(picture, middle.tolist(), 16, (30, 30, 190), -1, cv2.LINE_AA)
    noise = np.random.default_rng(3).normal(0, 1.2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def frame(x, y, turn_deg, long_px=150.0):
    half = np.array([[-0.357, -0.5], [0.357, -0.5], [0.357, 0.5], [-0.357, 0.5]]) * long_px
    turn = np.deg2rad(turn_deg)
    return (half @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + [x, y]).astype(np.float32)


def nearest(found, corners):
    gaps = [np.abs(np.roll(f, shift, axis=0) - corners).max() for f in found for shift in range(4)]
    return min(gaps, default=np.inf)


def test_a_white_card_on_a_white_table_is_seen_by_its_edges():
    corners = frame(230, 180, 25)
    assert nearest(lines.from_lines(white_cards([corners]), 150), corners) < 6


def test_the_top_card_of_a_white_pile_is_among_the_frames():
    under, over = frame(220, 175, 10), frame(240, 185, 38)
    assert nearest(lines.from_lines(white_cards([under, over]), 150), over) < 7


def test_nothing_straight_gives_no_frame():
    picture = np.full((200, 300, 3), 120, np.uint8)
    assert lines.from_lines(picture, 120) == []
    cv2.circle(picture, (150, 100), 60, (240, 240, 240), -1, cv2.LINE_AA)
    assert lines.from_lines(picture, 120) == []


def test_a_size_that_no_line_pair_has_gives_no_frame():
    corners = frame(230, 180, 25)
    picture = white_cards([corners], table=(60, 80, 60))
    assert nearest(lines.from_lines(picture, 150), corners) < 6
    assert nearest(lines.from_lines(picture, 260), corners) > 20


def test_a_pile_that_no_card_accounts_for_is_looked_at_again():
    under, over = frame(220, 175, 10), frame(245, 190, 40)
    picture = white_cards([under, over], table=(50, 90, 40))
    assert nearest(piles.leftovers(picture, [], None), over) < 8
    assert piles.leftovers(picture, [under, over], 150.0) == []
