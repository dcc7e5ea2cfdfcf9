"""The eye on single pictures: drawn tables whose truth is known, and pictures that are none."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.errors import UsageError
from referee.events import Type
from vision import quads
from vision.cards import CardFinder, Sighting, check_picture, find_cards, read_card
from vision.decks import load_deck
from vision.rectify import long_side, order_corners, rectify

FACES = Path(__file__).parents[2] / "referee" / "deckprint" / "faces"
SHARED = Path(__file__).parents[2] / "../shared"


def face(name: str):
    image = cv2.imread(str(FACES / f"{name}.png"))
    if image is None:
        pytest.skip("the printed deck's faces are not there")
    return image


def frame(centre, long_px: float, turn_deg: float, squeeze: float = 1.0):
    half = np.array([[-0.358, -0.5], [0.358, -0.5], [0.358, 0.5], [-0.358, 0.5]]) * long_px
    turn = np.deg2rad(turn_deg)
    turned = half @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return (turned * [1.0, squeeze] + np.asarray(centre)).astype(np.float32)


def lay(table, picture, corners):
    scale = long_side(corners) * 1.6 / picture.shape[0]
    small = cv2.resize(picture, None, fx=min(1, scale), fy=min(1, scale), interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners)
    size = (table.shape[1], table.shape[0])
    warped = cv2.warpPerspective(small, matrix, size)
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, size)
    table[mask > 127] = warped[mask > 127]


def wood(height: int = 720, width: int = 1280):
    rng = np.random.default_rng(4)
    rows = cv2.resize(rng.uniform(60, 110, (40, 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    table = np.dstack([rows * 0.6, rows * 0.9, rows * 1.3]) + rng.normal(0, 4, (height, width, 3))
    return np.clip(table, 0, 255).astype(np.uint8)


def near(sightings: list[Sighting], corners) -> Sighting:
    centre = corners.mean(axis=0)
    close = [s for s in sightings if np.linalg.norm(s.corners.mean(axis=0) - centre) < 8]
    assert len(close) == 1, f"{len(close)} sightings at {centre}"
    return close[0]


def test_each_printed_face_is_found_and_read_at_any_angle():
    deck = load_deck("printed")
    for turn in (0, 35, 90, 160, 250):
        table = wood()
        places = {kind: frame((280 + 360 * i, 360), 190, turn + 20 * i, squeeze=0.9) for i, kind in enumerate(Type)}
        for kind, corners in places.items():
            lay(table, face(kind.value), corners)
        seen = find_cards(table, deck)
        assert len(seen) == 3
        for kind, corners in places.items():
            sighting = near(seen, corners)
            assert (sighting.type, sighting.face, sighting.reason) == (kind, f"printed:{kind.value}", "")
            assert np.abs(order_corners(corners).mean(axis=0) - sighting.corners.mean(axis=0)).max() < 3


def test_printed_faces_are_read_without_colour():
    deck = load_deck("printed")
    for kind in Type:
        table = wood()
        corners = frame((640, 360), 200, 25)
        lay(table, face(kind.value), corners)
        grey = cv2.cvtColor(table, cv2.COLOR_BGR2GRAY)
        assert [s.type for s in find_cards(grey, deck)] == [kind]


def test_a_face_in_the_glare_of_a_lamp_is_read():
    deck = load_deck("printed")
    for name in ("rock", "paper", "scissors"):
        table = wood()
        corners = frame((640, 360), 190, 20)
        lay(table, face(name), corners)
        veil = np.zeros(table.shape[:2], np.float32)
        cv2.fillConvexPoly(veil, corners.round().astype(np.int32), 1)
        glare = np.clip(table + (255 - table) * 0.75 * veil[..., None], 0, 255).astype(np.uint8)
        assert read_card(glare, corners, deck).type == name


def test_a_back_is_no_face_and_is_given_only_when_asked_for():
    table, corners, deck = wood(), frame((640, 360), 200, 70), load_deck("auto")
    lay(table, face("back"), corners)
    assert find_cards(table, deck) == []
    backs = find_cards(table, deck, backs=True)
    assert [(s.kind, s.type, s.reason) for s in backs] == [("back", None, "face down")]


def test_a_printed_card_is_no_card_of_the_poker_deck():
    table, corners = wood(), frame((640, 360), 200, 10)
    lay(table, face("rock"), corners)
    assert read_card(table, corners, load_deck("poker")).type is None
    assert read_card(table, corners, load_deck("auto")).type is Type.ROCK


def test_an_empty_table_a_mug_and_a_phone_are_no_cards():
    table = wood()
    assert find_cards(table, load_deck("auto")) == []
    cv2.circle(table, (300, 300), 90, (230, 230, 235), -1, cv2.LINE_AA)
    cv2.circle(table, (300, 300), 70, (30, 40, 60), -1, cv2.LINE_AA)
    cv2.rectangle(table, (700, 200), (830, 470), (25, 25, 25), -1)
    cv2.rectangle(table, (708, 215), (822, 455), (140, 90, 60), -1)
    assert find_cards(table, load_deck("auto")) == []


def test_a_region_limits_where_cards_are_looked_for():
    table, deck = wood(), load_deck("printed")
    left, right = frame((320, 360), 200, 15), frame((940, 360), 200, 100)
    lay(table, face("rock"), left)
    lay(table, face("paper"), right)
    box = find_cards(table, deck, region=(640, 0, 1280, 720))
    assert [s.type for s in box] == [Type.PAPER]
    near(box, right)
    mask = np.zeros(table.shape[:2], np.uint8)
    mask[:, :640] = 1
    assert [s.type for s in find_cards(table, deck, region=mask)] == [Type.ROCK]
    assert find_cards(table, deck, region=(0, 0, 3, 3)) == []


def test_a_size_that_does_not_fit_is_left_out():
    table, deck = wood(), load_deck("printed")
    lay(table, face("rock"), frame((640, 360), 200, 15))
    assert [s.type for s in find_cards(table, deck, expected_size_px=200)] == [Type.ROCK]
    assert find_cards(table, deck, expected_size_px=80) == []


def test_a_card_too_small_to_read_is_said_to_be_far():
    table = wood()
    corners = frame((640, 360), 40, 15)
    lay(table, face("rock"), corners)
    sighting = read_card(table, corners, load_deck("printed"))
    assert sighting.type is None
    assert sighting.reason in ("far", "no card")


def test_of_a_pile_the_top_card_is_read():
    table, deck = wood(), load_deck("printed")
    under, over = frame((600, 350), 200, 10), frame((640, 370), 200, 40)
    lay(table, face("rock"), under)
    lay(table, face("scissors"), over)
    assert near(find_cards(table, deck), over).type is Type.SCISSORS


def test_the_watchers_finder_gives_the_same_sightings():
    table, deck = wood(), load_deck("printed")
    lay(table, face("paper"), frame((640, 360), 200, 15))
    assert [s.type for s in CardFinder(deck)(table, None)] == [Type.PAPER]


@pytest.mark.parametrize(
    "shape", [(1, 1, 3), (1, 1), (2, 900, 3), (900, 3, 3), (7, 7, 3), (64, 64, 1), (240, 320, 4), (33, 65, 3)]
)
def test_odd_sizes_and_channels_are_searched_without_a_fault(shape):
    noise = np.random.default_rng(1).integers(0, 256, shape).astype(np.uint8)
    assert all(s.type is None or s.confidence >= 0.9 for s in find_cards(noise, load_deck("auto")))


def test_a_picture_of_8k_is_searched():
    assert find_cards(np.full((4320, 7680, 3), 90, np.uint8), load_deck("auto")) == []


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (np.zeros((0, 10, 3), np.uint8), "at least one pixel"),
        (np.zeros((10, 10, 3), np.uint16), "uint16"),
        (np.zeros((10, 10, 3), np.float32), "float32"),
        (np.zeros((10, 10, 2), np.uint8), "2 channels"),
        (np.zeros(10, np.uint8), r"shape \(10,\)"),
        (None, "shape None"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_line(image, message):
    with pytest.raises(UsageError, match=message) as error:
        check_picture(image)
    assert "\n" not in str(error.value)


def test_corners_come_clockwise_with_a_short_side_first():
    corners = frame((300, 200), 100, 77)
    for shift in range(4):
        for each in (np.roll(corners, shift, axis=0), corners[::-1]):
            ordered = order_corners(each)
            sides = np.linalg.norm(ordered - np.roll(ordered, -1, axis=0), axis=1)
            assert sides[0] < sides[1]
            area = np.cross(np.append(ordered[1] - ordered[0], 0), np.append(ordered[2] - ordered[1], 0))[2]
            assert area > 0


def test_refining_finds_the_edge_from_some_pixels_away():
    table, corners = wood(), frame((640, 360), 220, 33)
    lay(table, np.full((140, 100, 3), 245, np.uint8), corners)
    rough = corners + np.array([[4, -3], [-4, 3], [3, 4], [-3, -4]], np.float32)
    assert np.abs(quads.refine(table, rough) - corners).max() < 2
    assert quads.edge_support(table, corners) > 0.95


def test_a_flat_card_is_upright_and_whole():
    table, corners = wood(), frame((640, 360), 220, 33)
    picture = np.full((140, 100, 3), 245, np.uint8)
    picture[:70] = (0, 0, 200)
    lay(table, picture, corners)
    flat = rectify(table, corners, margin=0.0).astype(int)
    assert flat.shape == (128, 96, 3)
    assert np.abs(flat[10:55, 10:86] - (0, 0, 200)).max() < 40
    assert np.abs(flat[75:118, 10:86] - 245).max() < 40
