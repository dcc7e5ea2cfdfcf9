"""Voices are learned from what is said, kept a person a file, used with one microphone, and forgotten for good."""

import json
from pathlib import Path

import numpy as np
import pytest
from test_taught import RATE, blocks, said, spoken, write_wav

from audio import listen, voice_store
from audio.voices import Voices
from models import open_call_model
from referee import cli
from referee.errors import UsageError
from referee.event_json import to_object
from referee.events import CallHeard, Type
from referee.judge import Request, voices_at

WORDS = ("rock", "paper", "scissors")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("voices")
    patch.setenv("REFEREE_DATA", str(folder))
    yield folder
    patch.undo()


@pytest.fixture(scope="module")
def enrolled(home):
    """Susan and Walter, each from a recording of their three words."""
    for name in ("Susan", "Walter"):
        file = write_wav(home / f"{name}.wav", said(*(spoken(name.lower(), word) for word in WORDS)))
        assert cli.run(["voices", "enroll", name, str(file)]) == 0
    return home


def callers(voices):
    """Who was heard where Susan and Walter say their words again, otherwise than when they enrolled."""
    sound = said(*(spoken(who, word, 1) for word in WORDS for who in ("susan", "walter")))
    heard = listen(blocks(sound), open_call_model(("en",)), layout="one", voices=voices)
    calls = [e for e in heard if isinstance(e, CallHeard) and e.accepted]
    return [max(c.seats, key=c.seats.get) if c.seats else None for c in calls]


@pytest.mark.usefixtures("enrolled")
def test_enrolled_voices_are_told_apart_by_another_take_of_the_same_words():
    voices = voice_store.seated({"north": "susan", "south": "Walter"})
    found = callers(voices)
    assert len(found) == 6
    assert all(who in (right, None) for who, right in zip(found, ["north", "south"] * 3, strict=True))
    assert found.count(None) <= 1


def test_what_is_kept_is_one_small_file_without_sound(enrolled):
    assert voice_store.names() == ["Susan", "Walter"]
    with np.load(enrolled / "voices" / "Susan.npz") as stored:
        assert {stored[name].shape[1] for name in stored.files} == {13}
        assert sum(stored[name].size for name in stored.files) < 3 * 100 * 13


def test_more_takes_are_added_and_anew_forgets_the_old(enrolled, capsys):
    file = str(write_wav(enrolled / "again.wav", said(*(spoken("susan", word, 1) for word in WORDS))))
    assert cli.run(["voices", "enroll", "susan", file]) == 0
    assert {w: len(t) for w, t in voice_store.load("Susan").takes["Susan"].items()} == dict.fromkeys(WORDS, 2)
    assert cli.run(["voices", "enroll", "Susan", file, "--anew"]) == 0
    assert "once only" in capsys.readouterr().err
    assert {w: len(t) for w, t in voice_store.load("Susan").takes["Susan"].items()} == dict.fromkeys(WORDS, 1)


@pytest.mark.parametrize(("second", "told"), [("molly", False), ("walter", True)])
def test_it_is_said_if_what_one_person_said_sounds_like_two_people(home, capsys, second, told):
    words = [spoken(who, word, take) for take, who in enumerate(("molly", second)) for word in WORDS]
    assert cli.run(["voices", "enroll", "Molly", str(write_wav(home / "both.wav", said(*words)))]) == 0
    assert ("differ as much as two people's" in capsys.readouterr().err) == told
    assert voice_store.delete("Molly")


def test_a_missing_word_is_said(home, capsys):
    file = write_wav(home / "one.wav", said(spoken("molly", "rock"), spoken("molly", "paper")))
    assert cli.run(["voices", "enroll", "Molly", str(file)]) == 1
    assert "still missing is a word for scissors" in capsys.readouterr().err
    assert voice_store.delete("Molly")


def test_a_voice_is_deleted_for_good(home, capsys):
    voice_store.save(Voices({"Ben": {"rock": [np.ones((20, 13), np.float32)]}}))
    assert cli.run(["voices", "delete", "ben", "--yes"]) == 0
    assert not list((home / "voices").glob("*en.npz*"))
    assert cli.run(["voices", "delete", "Ben", "--yes"]) == 2
    assert "no voice of Ben is kept" in capsys.readouterr().err


@pytest.mark.usefixtures("enrolled")
@pytest.mark.parametrize(
    ("voices", "complaint"),
    [
        ({"north": "Susan"}, "name everybody"),
        ({"north": "Susan", "south": "susan"}, "two seats"),
        ({"north": "Susan", "south": "Nobody"}, "no voice of Nobody is kept"),
    ],
)
def test_voices_that_cannot_be_used_are_refused(voices, complaint, tmp_path):
    with pytest.raises(UsageError, match=complaint):
        voices_at(Request(recording=tmp_path / "x.mp4", voices=voices))


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["enroll", "Eve"], "give recordings"),
        (["enroll", "a/b", "x.wav"], "use letters"),
        (["enroll", "Eve", "silence.wav"], "no sound in it"),
        (["enroll", "Eve", "talk.wav"], "no call was heard"),
        (["delete", "Eve", "--yes"], "no voice of Eve"),
    ],
)
def test_what_cannot_be_done_is_one_line(words, complaint, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_wav(tmp_path / "silence.wav", np.zeros(RATE, np.float32))
    write_wav(tmp_path / "talk.wav", said(spoken("molly", "papa")))
    assert cli.run(["voices", *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert complaint in lines[0]


def judged(home, *, tier="own", review=False):
    """A record of two rounds over a recording in which Susan and Walter call."""
    path = write_wav(home / "game.wav", said(spoken("susan", "rock"), spoken("walter", "paper"), pause=1.5))
    said_ = ((1.5, Type.ROCK, "north"), (3.4, Type.PAPER, "south"))
    sure = {"sigma_ms": 2.0, "probability": 0.95, "tier": tier}
    calls = [
        CallHeard(time_s=t, end_s=t + 0.4, type=kind, word=kind.value, seats={seat: 0.99}, **sure)
        for t, kind, seat in said_
    ]
    record = home / "game.record.jsonl"
    lines = [{"type": "header", "format": 1, "game": "rock", "recording": {"name": path.name, "path": str(path)}}]
    for number, call in enumerate(calls, 1):
        about = {"onset_s": call.time_s, "seat": max(call.seats), "seats": dict(call.seats), "word": call.word}
        about |= {"tier": tier, "probability": 0.95, "counted": True, "contested": False}
        lines += [
            {"type": "event", **to_object(call)},
            {"type": "ruling", "round": number, "time_s": call.end_s, "calls": [about], "review": review},
        ]
    record.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return record


def test_voices_are_learned_from_a_game_in_which_the_callers_are_known(home, capsys):
    assert cli.run(["voices", "learn", str(judged(home)), "--players", "north=Nora,south=Sam"]) == 0
    assert "Nora: learned rock 1 time" in capsys.readouterr().out
    assert list(voice_store.load("Sam").takes["Sam"]) == ["paper"]
    assert voice_store.delete("Nora")
    assert voice_store.delete("Sam")


@pytest.mark.parametrize(("tier", "review"), [("none", False), ("voice", False), ("own", True)])
def test_nothing_is_learned_from_calls_that_are_disputed_or_of_nobody(home, capsys, tier, review):
    record = judged(home, tier=tier, review=review)
    assert cli.run(["voices", "learn", str(record), "--players", "north=Nora,south=Sam"]) == 2
    assert "no undisputed call" in capsys.readouterr().err
    assert cli.run(["voices", "learn", str(record)]) == 2
    assert "does not say who played" in capsys.readouterr().err


@pytest.mark.usefixtures("home")
def test_deleting_a_player_from_the_history_deletes_the_voice(capsys, tmp_path):
    record = Path(__file__).parents[1] / "referee" / "kept" / "format-1-judged.record.jsonl"
    voice_store.save(Voices({"Nora": {"rock": [np.ones((20, 13), np.float32)]}}))
    folder = ["history", "--folder", str(tmp_path / "history")]
    assert cli.run([*folder, "add", str(record), "--player", "north=Nora"]) == 0
    assert cli.run([*folder, "delete-player", "nora", "--yes"]) == 0
    assert "and 1 voice" in capsys.readouterr().out
    assert "Nora" not in voice_store.names()


def test_a_damaged_voice_is_named(home, capsys):
    (home / "voices").mkdir(exist_ok=True)
    (home / "voices" / "Bad.npz").write_bytes(b"PK no")
    assert cli.run(["voices", "list"]) == 0
    assert "Bad.npz: no file of voices" in capsys.readouterr().out
    voice_store.delete("Bad")
