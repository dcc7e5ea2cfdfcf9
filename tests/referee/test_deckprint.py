"""The printed deck: faces that stay apart in grey and for every colour vision, and a PDF that prints 60 cards."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest

from referee.deckprint import FACE_NAMES, FACES, write_pdf
from referee.deckprint.art import BLEED, COLOUR, HEIGHT, WIDTH, clipped, face
from referee.deckprint.raster import render
from referee.errors import UsageError

TYPES = ("rock", "paper", "scissors")


@pytest.mark.parametrize("name", FACE_NAMES)
def test_committed_faces_are_what_the_code_draws(name):
    drawn, kept = render(name), cv2.imread(str(FACES / f"{name}.png"))
    assert kept.shape == (704, 504, 3)
    assert np.abs(drawn.astype(int) - kept).mean() < 0.5


def lightness(name):
    bgr = np.float32([[COLOUR[name].hue[::-1]]]) / 255
    return cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)[0, 0, 0]


def test_borders_differ_in_lightness_so_that_they_read_in_grey():
    levels = sorted(lightness(name) for name in TYPES)
    assert min(np.diff(levels)) > 15


def dichromat(rgb, kind):
    """Vienot, Brettel and Mollon 1999: what a protanope or deuteranope sees, linear light."""
    linear = (np.array(rgb) / 255) ** 2.2
    to_lms = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
    missing = np.eye(3)
    if kind == "protan":
        missing[0] = (0, 2.02344, -2.52581)
    else:
        missing[1] = (0.494207, 0, 1.24827)
    seen = np.linalg.inv(to_lms) @ missing @ to_lms @ linear
    bgr = np.float32([[np.clip(seen, 0, 1)[::-1] ** (1 / 2.2)]])
    return cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)[0, 0]


@pytest.mark.parametrize("kind", ["protan", "deutan"])
def test_borders_stay_far_apart_for_the_colour_blind(kind):
    seen = [dichromat(COLOUR[name].hue, kind) for name in TYPES]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert np.linalg.norm(seen[a] - seen[b]) > 25


def middle(name, turn, *, mono=False):
    grey = cv2.cvtColor(render(name, 4, mono=mono), cv2.COLOR_BGR2GRAY)[80:272, 40:212]
    spin = cv2.getRotationMatrix2D((86, 96), turn, 1)
    return cv2.warpAffine(grey, spin, (172, 192), borderValue=255).astype(float)


@pytest.mark.parametrize("mono", [False, True])
def test_symbols_differ_at_every_angle_in_grey(mono):
    for a, b in (("rock", "paper"), ("rock", "scissors"), ("paper", "scissors")):
        alike = [
            np.corrcoef(middle(a, 0, mono=mono).ravel(), middle(b, t, mono=mono).ravel())[0, 1]
            for t in range(0, 360, 15)
        ]
        assert max(alike) < 0.6, (a, b, max(alike))


@pytest.mark.parametrize("name", FACE_NAMES)
@pytest.mark.parametrize("mono", [False, True])
def test_nothing_is_drawn_beyond_the_bleed(name, mono):
    for shape in clipped(face(name, mono=mono)):
        assert shape.points.min() >= -BLEED - 1e-9
        assert shape.points[:, 0].max() <= WIDTH + BLEED + 1e-9
        assert shape.points[:, 1].max() <= HEIGHT + BLEED + 1e-9


def test_a_back_turned_by_half_is_the_same_back():
    back = cv2.blur(render("back", 4), (9, 9)).astype(int)
    assert np.abs(back - back[::-1, ::-1]).mean() < 2.0


@pytest.mark.parametrize(("paper", "box"), [("a4", "595.28 841.89"), ("letter", "612.00 792.00")])
@pytest.mark.parametrize("mono", [False, True])
def test_pdf_has_seven_sheets_of_two_sides(tmp_path, paper, box, mono):
    write_pdf(tmp_path / "a.pdf", paper, mono=mono)
    data = (tmp_path / "a.pdf").read_bytes()
    assert len(re.findall(rb"/Type /Page\b(?!s)", data)) == 14
    assert box.split()[0].encode()[:5] in data


def test_the_same_deck_gives_the_same_bytes(tmp_path):
    for name in "ab":
        write_pdf(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_unknown_paper_and_missing_folder_are_told_in_one_line(tmp_path):
    with pytest.raises(UsageError, match="paper must be one of a4, letter"):
        write_pdf(tmp_path / "x.pdf", "a3")
    with pytest.raises(UsageError, match="cannot write"):
        write_pdf(tmp_path / "no" / "x.pdf")
