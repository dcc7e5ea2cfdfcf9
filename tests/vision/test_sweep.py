"""A card of known size found where it stands apart from nothing: white on white cloth with dots."""

from __future__ import annotations

import cv2
import numpy as np

from vision.sweep import sweep


def cloth_with_card(turn_deg, centre):
    rng = np.random.default_rng(4)
    picture = np.full((420, 420, 3), 205, np.uint8)
    for x in range(10, 420, 48):
        for y in range(10, 420, 40):
            cv2.circle(picture, (x + y // 9 % 20, y), 11, (150, 90, 30), -1)
    before = picture.copy()
    corners = cv2.boxPoints((centre, (120, 168), turn_deg)).astype(np.float32)
    cv2.fillConvexPoly(picture, corners.round().astype(np.int32), (222, 222, 222))
    cv2.polylines(picture, [corners.round().astype(np.int32)], isClosed=True, color=(170, 170, 170), thickness=2)
    cv2.circle(picture, tuple(round(v) for v in centre), 14, (30, 30, 200), -1)
    noisy = np.clip(picture + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)
    return noisy, corners, np.abs(picture.astype(int) - before).max(axis=2) > 10


def gap(found, corners):
    return min(np.abs(found - np.roll(way, k, axis=0)).max() for way in (corners, corners[::-1]) for k in range(4))


def test_the_best_place_is_the_card_at_any_turn():
    for turn in (0, 17, 58, 131):
        picture, corners, new = cloth_with_card(turn, (200.0 + turn / 3, 215.0))
        found = sweep(picture, 168, 120, new)
        assert gap(found[0], corners) < 12, turn


def test_nothing_is_found_where_nothing_is_new():
    picture, _, new = cloth_with_card(30, (200.0, 200.0))
    assert sweep(picture, 168, 120, np.zeros_like(new)) == []
