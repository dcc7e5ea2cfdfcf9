"""Frames of real files, made here with the same library that phones' files are read with."""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest

from referee.errors import DamagedError, InputError
from vision.decode import frames, probe


def write(path, times_ms, size=(64, 48), shade=lambda k: 10 * k % 100 + 20):
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        for k, time_ms in enumerate(times_ms):
            picture = np.full((size[1], size[0], 3), shade(k), np.uint8)
            picture[: size[1] // 2] = 255 - shade(k)
            frame = av.VideoFrame.from_ndarray(picture, "bgr24")
            frame.pts, frame.time_base = time_ms, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def test_times_are_those_of_presentation_even_where_the_rate_varies(tmp_path):
    times = [0, 33, 67, 167, 400, 433, 500]
    write(tmp_path / "uneven.mkv", times)
    assert [round(f.time_s * 1000) for f in frames(tmp_path / "uneven.mkv")] == times


def test_luma_image_small_and_crop_show_the_same_picture(tmp_path):
    write(tmp_path / "a.mp4", range(0, 300, 33))
    frame = next(iter(frames(tmp_path / "a.mp4")))
    assert frame.size == (64, 48)
    assert frame.luma().shape == (48, 64)
    assert frame.image().shape == (48, 64, 3)
    assert frame.small(32).shape == (24, 32, 3)
    assert frame.luma()[0, 0] > 150
    assert frame.luma()[-1, 0] < 60
    box = (5, 7, 38, 40)
    part = frame.image()[7:40, 5:38].astype(int)
    assert np.abs(frame.crop(box).astype(int) - part).max() <= 6


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_part_of_a_turned_picture_is_that_part_of_the_upright_one(tmp_path, turns):
    write(tmp_path / "a.mp4", range(0, 100, 33), size=(64, 48))
    frame = next(iter(frames(tmp_path / "a.mp4")))
    frame._turns = turns
    wide, high = frame.size
    assert frame.image().shape == (high, wide, 3)
    for left, top, right, bottom in ((5, 7, 38, 40), (0, 0, wide, high), (wide - 9, high - 6, wide, high)):
        part = frame.image()[top:bottom, left:right].astype(int)
        assert np.abs(frame.crop((left, top, right, bottom)).astype(int) - part).max() <= 6


def test_probe_tells_size_and_rate(tmp_path):
    write(tmp_path / "a.mp4", [round(1000 * k / 30) for k in range(30)])
    told = probe(tmp_path / "a.mp4")
    assert told.size == (64, 48)
    assert told.rate == pytest.approx(30, abs=0.5)
    assert told.duration_s == pytest.approx(1.0, abs=0.1)


def test_a_cut_recording_gives_its_frames_and_then_says_so(tmp_path):
    noise = np.random.default_rng(0).integers(0, 255, 200)
    write(tmp_path / "whole.mkv", range(0, 6000, 33), size=(320, 240), shade=lambda k: int(noise[k]))
    whole = (tmp_path / "whole.mkv").read_bytes()
    (tmp_path / "cut.mkv").write_bytes(whole[: len(whole) // 2])
    seen = []

    def drain():
        for frame in frames(tmp_path / "cut.mkv"):
            seen.append(frame.time_s)  # noqa: PERF401  a list made at once would be lost with the error

    with pytest.raises(DamagedError, match=r"breaks off|damaged") as raised:
        drain()
    assert seen
    assert raised.value.at_s == seen[-1]


@pytest.mark.parametrize("content", [b"", b"this is no film" * 100], ids=["empty", "text"])
def test_what_is_no_recording_is_refused_in_one_line(tmp_path, content):
    (tmp_path / "no.mp4").write_bytes(content)
    with pytest.raises(InputError) as raised:
        next(iter(frames(tmp_path / "no.mp4")))
    assert "no.mp4" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        probe(tmp_path / "none.mp4")


def test_sound_without_picture_is_said(tmp_path):
    with av.open(str(tmp_path / "sound.wav"), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), format="s16", layout="mono")
        frame.sample_rate = 8000
        container.mux(stream.encode(frame))
    with pytest.raises(InputError, match="no picture"):
        next(iter(frames(tmp_path / "sound.wav")))
