"""The face in flight: of many poses tried at once, the one in which it is drawn explains the picture best."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision import flight
from vision.pose import Face, Pose, Scene, array_of

SIZE = (240, 160)
QUAD = np.array([[100, 60], [130, 60], [130, 102], [100, 102]], np.float32)


def table():
    picture = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    picture[:, :, 0] = 70
    return picture


def drawn(quad):
    """A white card with a dark and a coloured mark at these corners."""
    face = np.full((84, 60, 3), 128, np.uint8)
    face[:, :, 0] = 220
    face[10:34, 8:30] = (40, 128, 128)
    face[50:70, 30:50] = (90, 100, 190)
    flat = np.array([[0, 0], [60, 0], [60, 84], [0, 84]], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, quad)
    seen = cv2.warpPerspective(face, matrix, SIZE, flags=cv2.INTER_AREA)
    cover = cv2.warpPerspective(np.full((84, 60), 255, np.uint8), matrix, SIZE)
    picture = table()
    picture[cover > 127] = seen[cover > 127]
    return picture


def posed(pose):
    """The corners of the card in a pose."""
    half = np.array([[-15, -21], [15, -21], [15, 21], [-15, 21]]) * (pose.short, pose.long)
    cos, sin = math.cos(pose.turn), math.sin(pose.turn)
    return (half @ np.array([[cos, sin], [-sin, cos]]) + (pose.x, pose.y)).astype(np.float32)


POSES = [
    Pose(115, 81, 0.0, 1.0, 1.0),
    Pose(124, 75, 0.0, 1.0, 1.0),
    Pose(108, 84, 0.3, 1.0, 1.0),
    Pose(115, 81, 0.0, 0.6, 1.0),
    Pose(115, 81, 0.0, 1.0, 0.6),
]


@pytest.mark.parametrize("true", POSES)
def test_the_true_pose_gains_most(true):
    face = Face(drawn(QUAD), QUAD)
    scene = Scene(drawn(posed(true)), table(), face.rest(), 80)
    gains = scene.gains(face, array_of(POSES))
    assert POSES[int(gains.argmax())] == true
    gain, possible = scene.fit(face, true)
    assert gain > 0.7 * possible


def test_where_no_card_is_nothing_is_gained():
    face = Face(drawn(QUAD), QUAD)
    scene = Scene(table(), table(), face.rest(), 80)
    assert scene.gains(face, array_of(POSES)).max() < 0


def test_a_face_that_leaves_the_picture_counts_as_far_as_it_is_seen():
    face = Face(drawn(QUAD), QUAD)
    edge, outside = Pose(0, 81, 0.0, 1.0, 1.0), Pose(-300, -300, 0.0, 1.0, 1.0)
    picture = drawn(posed(edge))
    scene = Scene(picture, table(), edge, 80)
    gain, possible = scene.fit(face, edge)
    assert gain > 0.6 * possible
    assert 0 < possible < 0.7 * Scene(drawn(QUAD), table(), face.rest(), 80).fit(face, face.rest())[1]
    assert Scene(picture, table(), outside, 80).gains(face, array_of([outside]))[0] == 0


def test_no_pose_is_tried_in_which_the_card_is_small_both_ways():
    turning = Pose(115, 81, 0.0, 0.5, 1.0)
    tried = list(flight._coarse(turning, 42, 1))
    assert len(tried) > 9
    assert all(max(k.short, k.long) > 0.88 for k in tried)


def test_what_is_unlike_face_and_table_takes_nothing_from_a_face_behind_it():
    whole = Pose(115, 81, 0.0, 1.0, 1.0)
    face = Face(drawn(QUAD), QUAD)
    picture = drawn(QUAD)
    picture[70:102, 100:130] = (90, 100, 180)
    scene, poses = Scene(picture, table(), whole, 80), array_of([whole])
    assert scene.gains(face, poses, held=True)[0] > 1.05 * scene.gains(face, poses)[0]
    bare = Scene(table(), table(), whole, 80)
    assert bare.gains(face, poses, held=True)[0] == pytest.approx(bare.gains(face, poses)[0], rel=0.01)
