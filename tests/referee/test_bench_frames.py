"""What a frame costs the eye is told apart by whether anything moves in it."""

from __future__ import annotations

import av
import numpy as np

from referee.bench.frames import FrameCost, frame_costs, medians

STILL, FRAMES = 8, 16


def made(path):
    """A grey table on which, after a while, a bright block slides."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        for k in range(FRAMES):
            picture = np.full((240, 320, 3), 90, np.uint8)
            x = 20 + 12 * max(0, k - STILL)
            picture[80:140, x : x + 40] = 200
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "bgr24")))
        container.mux(stream.encode(None))


def test_frames_in_which_something_moves_are_told_from_still_ones(tmp_path):
    made(tmp_path / "slides.mp4")
    costs = frame_costs(tmp_path / "slides.mp4")
    assert [k.moves for k in costs] == [k > STILL for k in range(1, FRAMES)]
    assert all(k.cpu_ms > 0 for k in costs)
    assert set(medians(costs)) == {"frame_ms_still", "frame_ms_moving"}


def test_the_medians_are_of_each_kind_and_of_those_there_are():
    costs = [FrameCost(2.0, moves=False), FrameCost(3.04, moves=False), FrameCost(9.0, moves=False)]
    assert medians(costs) == {"frame_ms_still": 3.0}
    assert medians([*costs, FrameCost(7.0, moves=True)])["frame_ms_moving"] == 7.0
    assert medians([]) == {}
