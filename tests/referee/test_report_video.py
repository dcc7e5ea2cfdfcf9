"""The recording with the rulings on it: nothing is covered or lost, and the words stand there when they are said."""

import av
import numpy as np
import pytest
import report_evening as evening

from referee.errors import UsageError
from referee.record import read_record
from referee.report.reading import game_of

pytest.importorskip("jinja2", reason="the extra `report` is not installed")
pytest.importorskip("matplotlib", reason="the extra `report` is not installed")

from referee.report.burning import Painter, burn
from referee.report.writing import write_report


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    folder = tmp_path_factory.mktemp("video")
    recording = evening.write_recording(folder / "evening.mp4")
    path = evening.write_record(folder / "evening.record.jsonl", recording=recording)
    return game_of(read_record(path), name="evening", recording=recording)


@pytest.fixture(scope="module")
def burnt(game, tmp_path_factory):
    return burn(game, tmp_path_factory.mktemp("burnt") / "evening.rulings.mp4")


def pictures(path):
    with av.open(str(path)) as container:
        return [(f.time, f.to_ndarray(format="bgr24")) for f in container.decode(video=0)]


def sound(path):
    with av.open(str(path)) as container:
        return [bytes(p) for p in container.demux(container.streams.audio[0]) if p.size]


def test_every_picture_keeps_its_time_and_its_place(game, burnt):
    before, after = pictures(game.recording), pictures(burnt)
    assert [t for t, _ in after] == pytest.approx([t for t, _ in before], abs=1e-4)
    assert after[0][1].shape == (288, 320, 3)
    (_, first), (_, same) = before[10], after[10]
    assert np.abs(same[:240].astype(int) - first).mean() < 6, "nothing covers the picture"


def test_the_sound_is_the_recordings_own(game, burnt):
    assert sound(burnt) == sound(game.recording)


def test_the_banner_says_what_happens_when_it_happens(game):
    painter = Painter(game, 320, 240)
    assert painter.words(0.5) == ""
    assert painter.words(1.5) == "Round 1: north rock, south paper"
    assert painter.words(2.01) == "south: paper"
    assert "south called paper first, by 50 ms" in painter.words(game.rounds[0].time_s + 0.1)
    assert painter.score(1.0) == "north 0   south 0"
    assert painter.score(game.rounds[0].time_s) == "north 0   south 2"
    assert painter.score(15.9).startswith("north 0   south 4")


def test_banner_and_outlines_are_seen(burnt):
    at = {round(t, 2): image for t, image in pictures(burnt)}
    before, ruled, lying = at[0.6], at[4.0], at[2.0]
    assert ruled[240:260].max() > 200, "white letters"
    assert before[240:260].max() < 60
    assert before[262:].max() > 120, "the score"
    assert lying[140:220, 129:132].astype(int).std(axis=2).max() > 40, "a coloured edge"


def test_the_command_writes_it_beside_the_report(game, tmp_path):
    written = write_report(game.recording.with_name("evening.record.jsonl"), out=tmp_path, clips=False, video=True)
    assert written.others[-1] == tmp_path / "evening.rulings.mp4"
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix in (".mp4", ".part")) == [
        "evening.rulings.mp4"
    ]


def test_without_the_recording_there_is_no_video(tmp_path):
    record = evening.write_record(tmp_path / "evening.record.jsonl")
    with pytest.raises(UsageError, match="no video"):
        write_report(record, video=True)


def test_a_full_disk_leaves_nothing_behind(game, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "referee.report.burning.Path.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space"))
    )
    with pytest.raises(UsageError, match="make room"):
        burn(game, tmp_path / "evening.rulings.mp4")
    assert list(tmp_path.iterdir()) == []


def test_long_words_are_made_to_fit(game):
    painter = Painter(game, 320, 240)
    banner = painter._lettered("a very long name called something at some time\nand then some more happened here", "x")
    edge = banner[:, -4:]
    assert edge.max() == 0
