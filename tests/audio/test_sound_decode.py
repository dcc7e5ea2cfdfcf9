"""Sound of files: true times, any layout, and damage said in one line."""

from fractions import Fraction

import av
import numpy as np
import pytest

from audio.decode import blocks, probe
from audio.resample import Resampler
from referee.errors import DamagedError, InputError

CLICK_S = 1.25


def clicks(rate, channels=1, seconds=3.0, at=(CLICK_S,)):
    """A short 1 kHz burst with a Gaussian envelope centred at each time, one channel after the other 10 ms later."""
    t = np.arange(round(seconds * rate)) / rate
    out = np.zeros((channels, len(t)), np.float32)
    for c in range(channels):
        for s in at:
            d = t - s - 0.01 * c
            out[c] += (np.exp(-((d / 0.004) ** 2)) * np.cos(2 * np.pi * 1000 * d)).astype(np.float32) * 0.5
    return out


def write(path, samples, rate, codec, *, offset_s=0.0, streams=1, gap=None, layout=None):
    """Write channels x samples; `gap` = (after_s, length_s) leaves a hole in the presentation times."""
    with av.open(str(path), "w") as out:
        made = []
        for _ in range(streams):
            s = out.add_stream(codec, rate=rate)
            s.layout = layout or {1: "mono", 2: "stereo", 4: "4.0"}[samples.shape[0] // streams]
            made.append(s)
        size = 1024
        base = Fraction(1, rate)
        for k, s in enumerate(made):
            rows = samples[k * samples.shape[0] // streams : (k + 1) * samples.shape[0] // streams]
            for i in range(0, rows.shape[1] - size + 1, size):
                shift = gap[1] if gap and i / rate >= gap[0] else 0.0
                f = av.AudioFrame.from_ndarray(np.ascontiguousarray(rows[:, i : i + size]), "fltp", s.layout.name)
                f.sample_rate, f.time_base, f.pts = rate, base, i + round((offset_s + shift) * rate)
                for p in s.encode(f):
                    out.mux(p)
            for p in s.encode(None):
                out.mux(p)


def whole(path, rate=None):
    """All samples on one time axis, and that axis."""
    got = list(blocks(path, rate=rate))
    times = np.concatenate([b.time_s + np.arange(b.samples.shape[1]) / b.rate for b in got])
    return times, np.concatenate([b.samples for b in got], axis=1)


def centre(times, row):
    energy = row.astype(np.float64) ** 2
    return float((times * energy).sum() / energy.sum())


@pytest.mark.parametrize(
    ("name", "codec", "rate"),
    [
        ("a.wav", "pcm_s16le", 8000),
        ("a.mp4", "aac", 48000),
        ("a.mp4", "aac", 44100),
        ("a.mov", "aac", 16000),
        ("a.mkv", "libopus", 48000),
        ("a.webm", "libopus", 48000),
        ("a.flac", "flac", 48000),
        ("a.mkv", "libmp3lame", 44100),
        ("a.3gp", "aac", 22050),
    ],
)
def test_a_click_is_where_it_was_recorded(tmp_path, name, codec, rate):
    path = tmp_path / name
    write(path, clicks(rate), rate, codec)
    times, samples = whole(path)
    assert probe(path).rate == rate
    assert abs(centre(times, samples[0]) - CLICK_S) < 0.001


@pytest.mark.parametrize("to_rate", [8000, 16000, 48000])
def test_resampling_shifts_no_time(tmp_path, to_rate):
    path = tmp_path / "a.flac"
    write(path, clicks(44100), 44100, "flac")
    times, samples = whole(path, rate=to_rate)
    assert abs(centre(times, samples[0]) - CLICK_S) < 0.00002


def test_an_offset_start_is_kept_on_the_containers_clock(tmp_path):
    path = tmp_path / "a.mkv"
    write(path, clicks(48000), 48000, "flac", offset_s=0.4)
    times, samples = whole(path)
    assert abs(times[0] - 0.4) < 0.002
    assert abs(centre(times, samples[0]) - CLICK_S - 0.4) < 0.002


def test_a_short_gap_becomes_silence_and_a_long_one_a_leap(tmp_path):
    for hole in (0.5, 600.0):
        path = tmp_path / f"gap{hole}.mkv"
        write(path, clicks(48000, at=(0.5, 2.0)), 48000, "flac", gap=(1.0, hole))
        times, samples = whole(path)
        late = times > 1.5
        assert abs(centre(times[~late], samples[0][~late]) - 0.5) < 0.002
        assert abs(centre(times[late], samples[0][late]) - 2.0 - hole) < 0.003
        assert len(times) < 5 * 48000


def test_channels_keep_their_order(tmp_path):
    path = tmp_path / "four.mp4"
    write(path, clicks(48000, 4), 48000, "aac")
    times, samples = whole(path)
    assert samples.shape[0] == 4
    for c in range(4):
        assert abs(centre(times, samples[c]) - CLICK_S - 0.01 * c) < 0.001


def test_a_track_a_microphone_becomes_channels(tmp_path):
    path = tmp_path / "tracks.mkv"
    write(path, clicks(48000, 2), 48000, "flac", streams=2)
    assert probe(path).channels == 2
    times, samples = whole(path)
    assert samples.shape[0] == 2
    for c in range(2):
        assert abs(centre(times, samples[c]) - CLICK_S - 0.01 * c) < 0.002


def test_a_truncated_recording_gives_what_it_has_and_then_says_where_it_broke(tmp_path):
    whole_file, cut = tmp_path / "a.flac", tmp_path / "cut.flac"
    rng = np.random.default_rng(1)
    write(whole_file, rng.normal(0, 0.1, (1, 3 * 48000)).astype(np.float32), 48000, "flac")
    cut.write_bytes(whole_file.read_bytes()[: whole_file.stat().st_size // 2])
    got = []
    with pytest.raises(DamagedError, match=r"damaged from 1\.\d s") as error:
        got.extend(blocks(cut))
    assert 1.0 < got[-1].time_s < error.value.at_s < 2.0


@pytest.mark.parametrize("content", [b"", b"not a recording at all" * 100])
def test_what_is_no_recording_is_said_in_one_line(tmp_path, content):
    path = tmp_path / "bad.mp4"
    path.write_bytes(content)
    for action in (probe, lambda p: list(blocks(p))):
        with pytest.raises(InputError, match=r"bad\.mp4: this is not a recording that can be read") as error:
            action(path)
        assert "\n" not in str(error.value)


def test_a_missing_file_and_a_silent_film_are_said_in_one_line(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        probe(tmp_path / "nowhere.mp4")
    film = tmp_path / "film.mp4"
    with av.open(str(film), "w") as out:
        s = out.add_stream("mpeg4", rate=10)
        s.width = s.height = 32
        s.pix_fmt = "yuv420p"
        for i in range(5):
            f = av.VideoFrame.from_ndarray(np.full((32, 32, 3), i, np.uint8))
            for p in s.encode(f):
                out.mux(p)
        for p in s.encode(None):
            out.mux(p)
    with pytest.raises(InputError, match="has no sound"):
        list(blocks(film))


@pytest.mark.parametrize(("a", "b"), [(48000, 16000), (44100, 16000), (8000, 16000), (11025, 16000), (16000, 16000)])
def test_a_streaming_resampler_equals_itself_at_any_block_size_and_keeps_an_impulse_in_place(a, b):
    x = np.zeros((1, a), np.float32)
    x[0, a // 2] = 1.0
    rng = np.random.default_rng(0)
    once = Resampler(a, b)
    whole_out = np.concatenate([once.feed(x), once.finish()], axis=1) if a != b else x
    bits, cut = Resampler(a, b), 0
    parts = []
    while cut < a:
        n = int(rng.integers(1, 3000))
        parts.append(bits.feed(x[:, cut : cut + n]))
        cut += n
    parts.append(bits.finish())
    out = np.concatenate(parts, axis=1)
    assert np.allclose(out, whole_out, atol=1e-6)
    assert out.shape[1] == b
    assert int(np.argmax(np.abs(out[0]))) == round((a // 2) * b / a)
