"""Decks by name, decks in folders, and decks learned from pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.errors import UsageError
from referee.events import Type
from vision import enroll
from vision.cards import read_card
from vision.decks import KINDS, load_deck


def picture_of(draw, light: float = 1.0, seed: int = 0):
    """A card 200 pixels long, turned, on a green table: `draw` paints its white face of 180 x 250."""
    rng = np.random.default_rng(seed)
    face = np.full((250, 180, 3), 250, np.uint8)
    draw(face)
    turn = rng.uniform(0, 2 * np.pi)
    half = np.array([[-72, -100], [72, -100], [72, 100], [-72, 100]])
    rotate = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = (half @ rotate + [320, 240]).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [180, 0], [180, 250], [0, 250]], np.float32), corners)
    table = np.full((480, 640, 3), (60, 110, 50), np.float32) + rng.normal(0, 4, (480, 640, 3))
    mask = cv2.warpPerspective(np.full((250, 180), 255, np.uint8), matrix, (640, 480)) > 127
    table[mask] = cv2.warpPerspective(face, matrix, (640, 480))[mask]
    return np.clip(table * light, 0, 255).astype(np.uint8), corners


def sun(face):
    cv2.circle(face, (90, 125), 60, (0, 190, 250), -1)


def tree(face):
    cv2.rectangle(face, (80, 120), (100, 220), (30, 60, 90), -1)
    cv2.fillPoly(face, [np.array([[90, 20], [30, 150], [150, 150]])], (40, 140, 30))


def wave(face):
    for y in range(40, 230, 40):
        cv2.line(face, (15, y), (165, y + 15), (190, 60, 20), 14)


DRAWN = {Type.ROCK: sun, Type.PAPER: tree, Type.SCISSORS: wave}


def examples(drawn=DRAWN, count: int = 3):
    return {
        kind: [picture_of(draw, 0.8 + 0.1 * i, seed=10 * i)[0] for i in range(count)] for kind, draw in drawn.items()
    }


def test_decks_are_known_by_name():
    assert load_deck("poker").types == {"diamonds": Type.ROCK, "hearts": Type.PAPER, "spades": Type.SCISSORS}
    assert load_deck("poker").not_in_play == {"clubs"}
    assert set(load_deck("printed").types) == {"rock", "paper", "scissors"}
    assert set(load_deck("auto").types) == set(load_deck("poker").types) | set(load_deck("printed").types)
    assert all(kind in KINDS for kind in load_deck("auto").types)


@pytest.mark.parametrize("name", ["tarot", "", "Poker", "/no/such/folder"])
def test_an_unknown_deck_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="deck"):
        load_deck(name or "  ")


def test_an_enrolled_deck_is_kept_and_read_in_other_light(tmp_path):
    learned = enroll.learn(examples(), "mine")
    assert learned.confused is None
    enroll.write_deck(learned, tmp_path / "mine")
    deck = load_deck(tmp_path / "mine")
    assert deck.name == "mine"
    for seed, (kind, draw) in enumerate(DRAWN.items()):
        for light in (0.55, 1.0):
            picture, corners = picture_of(draw, light, seed=77 + seed)
            sighting = read_card(picture, corners, deck)
            assert (sighting.type, sighting.reason) == (kind, "")


def test_what_is_not_of_the_enrolled_deck_gets_no_type():
    deck = enroll.learn(examples(), "mine").deck
    picture, corners = picture_of(lambda face: cv2.putText(face, "Q", (30, 190), 0, 5, (0, 0, 0), 12), seed=5)
    assert read_card(picture, corners, deck).type is None


def test_two_types_that_look_alike_are_named():
    alike = {**DRAWN, Type.SCISSORS: lambda face: cv2.circle(face, (90, 125), 58, (0, 190, 250), -1)}
    assert enroll.learn(examples(alike), "twins").confused == ("rock", "scissors")


def test_a_type_without_pictures_or_a_picture_without_a_card_is_named():
    with pytest.raises(UsageError, match="no picture of scissors"):
        enroll.learn({**examples(), Type.SCISSORS: []}, "mine")
    bare = {**examples(), Type.PAPER: [np.full((480, 640, 3), 90, np.uint8)]}
    with pytest.raises(UsageError, match="paper, picture 1: no card seen"):
        enroll.learn(bare, "mine")


def test_a_folder_without_a_deck_or_with_a_damaged_one_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"no deck\.npz"):
        load_deck(tmp_path)
    (tmp_path / "deck.npz").write_bytes(b"PK\x03\x04 not a deck")
    with pytest.raises(UsageError, match="damaged"):
        load_deck(tmp_path)
