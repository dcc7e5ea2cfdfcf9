"""The net that says where face-up cards lie: on dotted cloth too, but no backs and no bare table."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.errors import ModelError
from vision import locate

FACES = Path(__file__).parents[2] / "referee" / "deckprint" / "faces"
SIZE = (960, 540)


def dotted():
    """White cloth with blue dots, a little noisy."""
    ys, xs = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    dots = ((xs % 60 - 30) ** 2 + (ys % 60 - 30) ** 2 < 12**2)[..., None]
    cloth = np.where(dots, np.array([150, 90, 40]), np.array([222, 224, 226]))
    return np.clip(cloth + np.random.default_rng(2).normal(0, 2, cloth.shape), 0, 255).astype(np.uint8)


def laid(name, at, turn_deg, long_px=96.0):
    """A card of the printed deck on the cloth."""
    face = cv2.imread(str(FACES / f"{name}.png"))[:, :, :3]
    scale = long_px / face.shape[0]
    small = cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    matrix = cv2.getRotationMatrix2D((small.shape[1] / 2, small.shape[0] / 2), turn_deg, 1.0)
    matrix[:, 2] += np.array(at) - (small.shape[1] / 2, small.shape[0] / 2)
    picture = dotted()
    mask = cv2.warpAffine(np.full(small.shape[:2], 255, np.uint8), matrix, SIZE)
    warped = cv2.warpAffine(small, matrix, SIZE)
    picture[mask > 127] = warped[mask > 127]
    return picture


@pytest.mark.parametrize("name", ["rock", "paper", "scissors"])
@pytest.mark.parametrize("turn_deg", [0, 35, 110])
def test_a_card_on_dotted_cloth_is_likeliest_where_it_lies(name, turn_deg):
    picture = laid(name, (430, 260), turn_deg)
    for expected in (96.0, None):
        corners, likely = locate.locate(picture, expected)[0]
        assert np.abs(corners.mean(axis=0) - (430, 260)).max() < 12
        assert likely > 0.5
        assert 0.75 < np.linalg.norm(corners[1] - corners[2]) / 96 < 1.3


def test_a_back_and_the_bare_cloth_are_not_likely():
    assert max((likely for _, likely in locate.locate(dotted(), 96.0, 0.01)), default=0.0) < 0.2
    back = locate.locate(laid("back", (430, 260), 20), 96.0, 0.01)
    assert max((likely for _, likely in back), default=0.0) < 0.5


def test_missing_weights_are_said(monkeypatch, tmp_path):
    monkeypatch.setattr(locate, "FINDER", tmp_path / "finder.onnx")
    locate._session.cache_clear()
    with pytest.raises(ModelError, match=r"finder\.onnx: the card finder's weights are missing"):
        locate.locate(dotted(), 96.0)
