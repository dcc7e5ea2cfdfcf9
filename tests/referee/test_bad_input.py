"""Whatever is put in, people get one clear line and the right exit status, and nothing judged is lost."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import recordings

from referee import cli
from referee.judge import Request, _nobody
from referee.messages import LANGUAGES
from referee.messages.failures import FAILURES, failure
from referee.record import read_record

ROOT = Path(__file__).parents[2]
GAME = ROOT / "fixtures" / "games" / "two-friends.mp4"


@pytest.fixture
def run(tmp_path, capsys):
    """Run the command line; gives status, standard output and the lines of standard error."""

    def judged(*words, out=None):
        status = cli.run(["judge", *map(str, words), "--out", str(out or tmp_path / "out")])
        said = capsys.readouterr()
        return status, said.out, said.err.splitlines()

    return judged


def one_line(errors, *parts):
    assert len(errors) == 1, errors
    assert errors[0].startswith("referee: ")
    for part in parts:
        assert part in errors[0]


def test_a_recording_that_is_not_there(run):
    status, _, errors = run("nowhere.mp4")
    assert status == 3
    one_line(errors, "nowhere.mp4", "not there")


@pytest.mark.parametrize("content", [b"", b"this is no recording\n" * 50, bytes(range(256)) * 400])
def test_a_file_that_is_no_recording(run, tmp_path, content):
    path = tmp_path / "file.mp4"
    path.write_bytes(content)
    status, _, errors = run(path)
    assert status == 3
    one_line(errors, "file.mp4")


def test_a_folder_without_recordings(run, tmp_path):
    status, _, errors = run(tmp_path)
    assert status in (2, 3)
    one_line(errors, str(tmp_path))


def test_no_sound(run, tmp_path):
    status, _, errors = run(recordings.write(tmp_path / "mute.mp4", sound=False))
    assert status == 3
    one_line(errors, "mute.mp4", "sound")


def test_no_picture(run, tmp_path):
    status, _, errors = run(recordings.write(tmp_path / "dark.m4a", picture=False))
    assert status == 3
    one_line(errors, "dark.m4a", "picture")


@pytest.mark.parametrize("rate", [8000, 48000])
def test_no_cards_at_all(run, tmp_path, rate):
    status, out, errors = run(recordings.write(tmp_path / "empty.mkv", rate=rate), "--json")
    assert status == 3
    assert out == ""
    one_line(errors, "empty.mkv", "no face-up cards", "--deck")


def test_a_camera_held_in_the_hand(run, tmp_path):
    grain = np.random.default_rng(3).uniform(60, 160, (16, 21, 3)).astype(np.uint8)
    cloth = np.kron(grain, np.ones((16, 16, 1), np.uint8))

    def held(time_s):
        x, y = round(8 + 6 * np.sin(3 * time_s)), round(8 + 6 * np.cos(3 * time_s))
        return np.ascontiguousarray(cloth[y : y + 240, x : x + 320])

    status, _, errors = run(recordings.write(tmp_path / "held.mkv", seconds=4, frame=held))
    assert status == 3
    one_line(errors, "held.mkv", "camera moves all the time", "stand")


def test_a_ten_minute_gap_is_crossed(run, tmp_path):
    times = np.concatenate([np.arange(0, 1, 1 / 30), np.arange(601, 602, 1 / 30)])
    status, _, errors = run(recordings.write(tmp_path / "gap.mkv", times=times))
    assert status == 3
    one_line(errors, "gap.mkv", "no face-up cards")


def test_frames_at_uneven_times(run, tmp_path):
    times = np.cumsum(np.random.default_rng(2).uniform(0.01, 0.2, 40))
    status, _, errors = run(recordings.write(tmp_path / "vfr.mp4", times=times))
    assert status == 3
    one_line(errors, "vfr.mp4", "no face-up cards")


def test_an_unknown_option(run, tmp_path):
    status, _, errors = run(recordings.write(tmp_path / "a.mp4"), "--option", "tie_windov=3")
    assert status == 2
    one_line(errors, "tie_windov", "tie_window_ms")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--languages", "fr"], "fr"),
        (["--players", "7"], "2 to 4 players"),
        (["--game", "de", "--players", "3"], "for 2 players"),
        (["--deck", "tarot"], "tarot"),
        (["--language", "fr"], "fr"),
        (["--option", "certainty=high"], "certainty"),
        (["--microphones", "north,south"], "microphones"),
    ],
)
def test_words_that_cannot_be_used(run, tmp_path, words, part):
    status, _, errors = run(recordings.write(tmp_path / "a.mp4"), "--seats", "north,south", *words)
    assert status == 2
    assert part in errors[-1]


@pytest.mark.parametrize(
    ("make", "words", "parts"),
    [
        (lambda path: path, [], ("gibt es nicht", "no existe")),
        (lambda path: recordings.write(path, sound=False), [], ("hat keinen Ton", "no tiene sonido")),
        (lambda path: recordings.write(path, sound=True, picture=False), [], ("hat kein Bild", "no tiene imagen")),
        (recordings.write, ["--deck", "poker"], ("keine offenen Karten von poker", "carta descubierta de poker")),
        (recordings.write, ["--players", "7"], ("für 2 bis 4 Spieler, nicht für 7", "para 2 a 4 jugadores, no para 7")),
        (recordings.write, ["--game", "de", "--players", "3"], ("für 2 Spieler", "para 2 jugadores")),
        (lambda path: path.write_text("no recording") and path, [], ("keine Aufnahme", "no es una grabación")),
        (lambda path: path.mkdir() or path, [], ("enthält keine Aufnahme", "no contiene ninguna grabación")),
    ],
)
def test_what_is_wrong_is_said_in_the_language_that_was_asked_for(run, tmp_path, make, words, parts):
    path = make(tmp_path / "ein spiel.mkv")
    for asked, part in zip((["--language", "de"], ["--language=es"]), parts, strict=True):
        one_line(run(path, *words, *asked)[2], part)


@pytest.mark.parametrize("language", ["de", "es"])
@pytest.mark.parametrize("unsteady", [True, False])
@pytest.mark.parametrize("seen_card", [True, False])
@pytest.mark.parametrize("deck", ["auto", "poker"])
def test_that_nobody_played_is_said_in_every_language(tmp_path, deck, seen_card, unsteady, language):
    said = _nobody(Request(recording=tmp_path / "a.mp4", deck=deck), seen_card, unsteady=unsteady)
    told = failure(said, language)
    assert told.startswith("a.mp4: ")
    assert told != said


def test_damage_and_what_was_judged_before_it_are_one_sentence_in_every_language():
    damage = "a.mp4: the picture is damaged after 3.1 s (no more); 2 rounds judged before that are in out/a.jsonl"
    german = (
        "a.mp4: das Bild ist nach 3.1 s beschädigt (no more); die 2 davor entschiedenen Runden stehen in out/a.jsonl"
    )
    assert (failure(damage, "de"), failure(damage, "en"), failure(damage, "xx")) == (german, damage, damage)
    assert failure("something else", "de") == "something else"


@pytest.mark.parametrize("said", FAILURES, ids=lambda said: said[0][:40])
def test_each_sentence_is_found_again_and_loses_nothing(said):
    fields = set(re.findall(r"{(\w+)}", said[0]))
    assert all(set(re.findall(r"{(\w+)}", one)) == fields for one in said)
    values = {name: f"<{name}>" for name in fields}
    for language, template in zip(LANGUAGES, said, strict=True):
        assert failure(said[0].format(**values), language) == template.format(**values)


def test_an_output_folder_that_cannot_be_written(run, tmp_path):
    (tmp_path / "file").write_text("in the way")
    status, _, errors = run(recordings.write(tmp_path / "a.mp4"), out=tmp_path / "file" / "out")
    assert status == 2
    one_line(errors, "out", "--out")


def test_a_model_that_is_missing(run, tmp_path):
    status, _, errors = run(recordings.write(tmp_path / "a.mp4"), "--model", tmp_path / "no-model")
    assert status == 3
    one_line(errors, "no-model")


def test_a_model_that_is_damaged(run, tmp_path):
    model = tmp_path / "model"
    (model / "am").mkdir(parents=True)
    (model / "am" / "final.mdl").write_bytes(b"\0" * 100)
    status, _, errors = run(recordings.write(tmp_path / "a.mp4"), "--model", model)
    assert status == 3
    one_line(errors, "model")


@pytest.fixture(scope="session")
def game():
    if not GAME.exists():
        pytest.skip("the staged game two-friends.mp4 is not in this checkout")
    return GAME


def test_a_truncated_recording_keeps_what_was_judged_before(run, tmp_path, game):
    cut = tmp_path / "cut.mkv"
    whole = remuxed(game, tmp_path / "whole.mkv").read_bytes()
    cut.write_bytes(whole[: len(whole) * 6 // 10])
    status, out, errors = run(cut, "--json")
    assert status == 3
    one_line(errors, "cut.mkv", "judged before that")
    record = read_record(tmp_path / "out" / "cut.record.jsonl")
    assert [json.loads(line) for line in out.splitlines()] == [dict(line) for line in record.rulings]
    assert record.rulings
    assert record.result is not None


def remuxed(source, path):
    """The same streams in a container that can be read without its end."""
    import av

    with av.open(str(source)) as old, av.open(str(path), "w") as new:
        streams = {s.index: new.add_stream_from_template(s) for s in old.streams if s.type in ("audio", "video")}
        for packet in old.demux():
            if packet.dts is not None and packet.stream.index in streams:
                packet.stream = streams[packet.stream.index]
                new.mux(packet)
    return path


def test_a_wrong_number_of_players_is_said(run, game):
    status, _, errors = run(game, "--players", "3")
    assert status == 3
    one_line(errors, "2 seats", "--players 3")


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent another way on Windows")
def test_ctrl_c_leaves_a_valid_record(tmp_path, game):
    words = [sys.executable, "-m", "referee", "judge", str(game), "--json", "--out", str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in errors
    assert "Traceback" not in errors
    record = read_record(tmp_path / f"{game.stem}.record.jsonl")
    printed = [json.loads(line) for line in [first, *rest.splitlines()]]
    assert [dict(line) for line in record.rulings][: len(printed)] == printed
