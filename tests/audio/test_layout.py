"""Two channels told apart: one device's pair, or a device for each player."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from audio import decode
from audio.layout import guess
from referee.media import AudioBlock

GAMES = Path(__file__).parents[2] / "fixtures/games"


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("close-call.mp4", "own"),
        ("two-friends.mp4", "stereo"),
        ("mesa.mp4", "stereo"),
        ("three-one-phone.mp4", "one"),
        ("three-tongues.mp4", "own"),
    ],
)
def test_staged_recordings(name, layout):
    assert guess(decode.blocks(GAMES / name)) == layout


def test_too_little_sound_is_taken_for_one_device():
    assert guess([AudioBlock(0.0, np.zeros((2, 4000), np.float32), 48000)]) == "stereo"
    assert guess([]) == "stereo"
