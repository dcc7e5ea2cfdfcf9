"""Stillness, differences and the colour of faces on small pictures."""

from __future__ import annotations

import numpy as np

from vision.camera import complaints, push
from vision.motion import Ground, Look, Motion, difference, gain_between, unshaded


def grey(level=90, shape=(90, 160)):
    return np.dstack([np.full(shape, v, np.uint8) for v in (level, 128, 128)])


def test_a_place_rests_a_while_after_it_moved():
    motion = Motion(Look(0.0, grey()))
    picture = grey()
    picture[20:40, 20:40, 0] = 200
    motion.feed(Look(0.033, picture))
    assert not motion.resting(0.06)[30, 30]
    assert motion.resting(0.06)[80, 80]
    for k in range(2, 12):
        motion.feed(Look(0.033 * k, picture))
    assert motion.resting(0.4)[30, 30]


def test_noise_is_no_motion():
    random = np.random.default_rng(0)
    motion = Motion(Look(0.0, grey()))
    for k in range(1, 20):
        noisy = grey().astype(int)
        noisy[:, :, 0] += np.round(random.normal(0, 1, (90, 160))).astype(int)
        assert motion.feed(Look(k / 30, noisy.astype(np.uint8))).mean() < 0.001


def test_colour_counts_double():
    a, b = grey(), grey()
    b[:, :, 2] += 10
    assert difference(a, b).max() == 20


def test_a_change_of_exposure_is_measured_beside_what_changed():
    a = grey(100)
    b = grey(110)
    ignore = np.zeros((90, 160), bool)
    ignore[:, :60] = True
    b[:, :60, 0] = 20
    assert abs(gain_between(b, a, ignore) - 1.1) < 0.01


def test_a_shadow_on_a_white_table_is_no_face_and_a_card_on_wood_is():
    ground = Ground(((220.0, 128.0, 128.0),))
    assert not ground.new(grey(150), grey(215)).any()
    wood = grey(140)
    wood[:, :, 2] = 150
    assert ground.new(grey(220), wood).all()


def test_a_push_is_measured_and_stillness_is_none():
    random = np.random.default_rng(3)
    texture = random.integers(60, 190, (30, 52)).astype(np.uint8)
    big = np.kron(texture, np.ones((4, 4), np.uint8))
    here, there = (np.dstack([big[k : k + 90, k : k + 160], grey()[:, :, 1], grey()[:, :, 2]]) for k in (0, 6))
    assert push(here, here) is None
    matrix = push(here, there)
    assert matrix is not None
    assert np.allclose(matrix[:, 2], -6, atol=0.7)


def test_dark_and_dazzled_pictures_are_complained_about():
    assert complaints(grey(10)) == {"dark"}
    assert complaints(grey(254)) == {"glare"}
    assert complaints(grey(120)) == set()


def test_a_soft_shadow_is_nothing_new_and_a_pip_of_the_same_darkness_is():
    table = grey(200)
    shaded = table.copy()
    ramp = np.clip(np.abs(np.arange(160) - 80) / 40, 0, 1)
    shaded[:, :, 0] = (200 * (0.6 + 0.4 * ramp)).astype(np.uint8)
    assert unshaded(shaded, table).mean() == 0
    pip = table.copy()
    pip[40:46, 80:86, 0] = 120
    assert unshaded(pip, table)[40:46, 80:86].mean() > 0.5
    assert not unshaded(pip, table, marks=False).any()
    skin = table.copy()
    skin[40:46, 80:86] = (120, 110, 150)
    assert unshaded(skin, table, marks=False)[40:46, 80:86].all()
