"""The history: made from kept records, the same however often it is made, and empty of whoever asks to be forgotten."""

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
import report_evening as evening
from click.testing import CliRunner

from audio.voices import Voices
from referee.cli import cli
from referee.errors import RecordError, UsageError
from referee.history import queries
from referee.history.forget import forget
from referee.history.library import check_name, default_folder, identity
from referee.history.store import History
from referee.history.transfer import export, take_in
from referee.record import read_record
from referee.replay import correct, correction_for
from referee.report.challenge import alternatives

PAPER_ROCK = {"north": "rock", "south": "paper"}


def game(folder, name, winner, *, reaction=0.8, rounds=2):
    """A record in which one seat wins every round, `reaction` seconds after the last card."""
    times = [1.2 + 5 * k for k in range(rounds)]
    calls = [(t + reaction, winner, "paper") for t in times]
    events = evening.events(calls=calls, rounds=[(t, PAPER_ROCK) for t in times])
    return evening.write_record(folder / f"{name}.jsonl", events)


@pytest.fixture
def history(tmp_path):
    """Anna and Ben: two games for Anna, one for Ben, one more for Anna; one with nobody named."""
    made = History(tmp_path / "history")
    records = tmp_path / "records"
    records.mkdir()
    evenings = (("one", "north", 0.8), ("two", "north", 0.5), ("three", "south", 0.4), ("four", "north", 0.05))
    for day, (name, winner, reaction) in enumerate(evenings, 1):
        made.add(
            game(records, name, winner, reaction=reaction, rounds=1 + day % 3),
            players={"north": "Anna", "south": "Ben"},
            played=datetime(2026, 11, day),  # noqa: DTZ001  local dates, as people date evenings
        )
    made.add(game(records, "strangers", "south", rounds=3), played=datetime(2025, 1, 1))  # noqa: DTZ001
    return made


def dump(history):
    """All rows of the database, in order; the numbers given to players are nobody's business."""
    with history.reading() as db:
        tables = ("game", "sat", "round", "said")
        return {t: sorted(map(repr, (dict(row) for row in db.execute(f"SELECT * FROM {t}")))) for t in tables}  # noqa: S608


# What it answers.


def test_a_player_is_counted_over_all_games(history):
    with history.reading() as db:
        anna, ben = queries.player(db, "Anna"), queries.player(db, "Ben")
    assert (anna.games, anna.won, anna.streak, anna.best_streak) == (4, 3, 1, 2)
    assert (ben.games, ben.won, ben.streak, ben.best_streak) == (4, 1, 0, 1)
    assert ben.cards == 2
    assert anna.accuracy == ben.accuracy == 1.0


def test_names_are_found_in_any_case(history):
    with history.reading() as db:
        assert queries.known(db, "aNNA") == "Anna"


def test_two_people_against_each_other(history):
    with history.reading() as db:
        duel = queries.versus(db, "Anna", "Ben")
    assert (duel.games, duel.first_ahead, duel.second_ahead, duel.level) == (4, 3, 1, 0)
    assert (duel.first_calls, duel.second_calls) == (2 + 3 + 2, 1)


def test_the_fastest_fair_call_is_no_guess(history):
    with history.reading() as db:
        best = {one.what: one for one in queries.records(db)}
    fastest = best["fastest fair call"]
    assert (fastest.who, fastest.value, fastest.game) == ("Ben", "400 ms", "three")
    assert best["most games won in a row"].value == "2 games"
    assert best["most cards in one game"].who == "Anna"


def test_games_are_listed_newest_first_and_searched(history):
    with history.reading() as db:
        everything = [g.name for g in queries.games(db)]
        of_ben = [g.name for g in queries.games(db, player="ben")]
        november_second = [g.name for g in queries.games(db, text="2026-11-02")]
        by_ruling = queries.games(db, text="no such words")
    assert everything == ["four", "three", "two", "one", "strangers"]
    assert of_ben == ["four", "three", "two", "one"]
    assert november_second == ["two"]
    assert by_ruling == []


def test_ratings_follow_the_results(history):
    pytest.importorskip("openskill", reason="the extra `history` is not installed")
    from referee.history.rating import ratings

    with history.reading() as db:
        rated = ratings(db)
    assert set(rated) == {"Anna", "Ben"}
    assert rated["Anna"].mu > 25 > rated["Ben"].mu
    assert rated["Anna"].games == 4
    assert rated["Anna"].sigma < 25 / 3


def test_a_game_that_had_to_be_played_unranked_is_kept_and_not_rated(history, tmp_path):
    pytest.importorskip("openskill", reason="the extra `history` is not installed")
    from referee.history.rating import ratings

    path = game(tmp_path, "friendly", "south")
    head, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps({**json.loads(head), "ranked": False}), *rest]) + "\n")
    history.add(path, players={"north": "Anna", "south": "Ben"}, played=datetime(2026, 11, 9))  # noqa: DTZ001
    with history.reading() as db:
        assert ratings(db)["Anna"].games == 4
        assert len(queries.games(db, player="ben")) == 5


def test_a_missing_extra_is_said_in_one_line(history, monkeypatch):
    from referee.history.rating import ratings

    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with history.reading() as db, pytest.raises(UsageError, match=r"pip install 'referee\[history\]'"):
        ratings(db)


def test_nobody_unknown_is_answered_for(history):
    with history.reading() as db:
        with pytest.raises(UsageError, match=r"nobody is called 'Zoe'; known are Anna, Ben"):
            queries.player(db, "Zoe")
        with pytest.raises(UsageError, match="does not play against"):
            queries.versus(db, "Anna", "anna")


# It is made from the records, and from nothing else.


def test_the_same_game_is_kept_once(history, tmp_path):
    before = dump(history)
    history.add(tmp_path / "records" / "one.jsonl")
    assert dump(history) == before


def test_a_correction_brings_the_game_up_to_date(history, tmp_path):
    path = tmp_path / "records" / "three.jsonl"
    correct(path, correction_for(read_record(path), 1, caller="north"))
    history.add(path)
    with history.reading() as db:
        assert queries.versus(db, "Anna", "Ben").second_ahead == 0
        assert queries.player(db, "Anna").games == 4


def test_a_time_that_people_said_is_no_record(tmp_path):
    path = evening.write_record(tmp_path / "tie.jsonl")
    offered = alternatives(read_record(path), 3)
    (ahead,) = [one for one in offered if one.words == "north called rock first"]
    (ruling,) = correct(path, ahead.correction)
    assert (ruling.first.seat, ruling.review) == ("north", False)
    kept = History(tmp_path / "history")
    kept.add(path, players={"north": "Anna", "south": "Ben"})
    with kept.reading() as db:
        told = queries.records(db)
    assert [(one.value, one.who) for one in told if one.what == "closest finish"] == [("50 ms", "Ben")]
    assert {one.who for one in told if one.value.endswith(" ms")} == {"Ben"}


def test_a_rebuilt_database_is_the_same(history):
    before = dump(history)
    history.path.unlink()
    assert dump(history) == before
    assert history.rebuild() == (5, [])
    assert dump(history) == before


def test_a_damaged_database_is_made_anew(history):
    before = dump(history)
    history.path.write_bytes(b"this is no database at all, but as long as one" * 100)
    assert dump(history) == before


def test_a_damaged_record_is_named_and_the_others_stay(history):
    number = history.library.ids()[0]
    (history.library.records / f"{number}.jsonl").write_bytes(b"nonsense\n")
    entered, problems = history.rebuild()
    assert entered == 4
    assert len(problems) == 1
    assert number in problems[0]


def test_a_game_is_told_by_its_recording(tmp_path):
    recording = tmp_path / "a.mp4"
    recording.write_bytes(b"picture and sound")
    first = evening.write_record(tmp_path / "a.jsonl", recording=recording)
    again = evening.write_record(tmp_path / "b.jsonl", evening.events(calls=()), recording=recording)
    typed = evening.write_record(tmp_path / "c.jsonl")
    other = evening.write_record(tmp_path / "d.jsonl", evening.events(calls=()))
    names = [identity(read_record(p)) for p in (first, again, typed, other)]
    assert names[0] == names[1]
    assert len(set(names)) == 3


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "Anna\x00", "An\nna\x1b[31m"])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(UsageError, match="is no name"):
        check_name(name)


def test_a_seat_that_nobody_had_is_refused(history, tmp_path):
    with pytest.raises(UsageError, match="nobody sat west; the seats of this game are north, south"):
        history.add(tmp_path / "records" / "one.jsonl", players={"west": "Zoe"})
    with pytest.raises(UsageError, match="one person cannot sit on two seats"):
        history.add(tmp_path / "records" / "one.jsonl", players={"north": "Zoe", "south": "Zoe"})


def test_what_is_no_record_is_refused(history, tmp_path):
    (tmp_path / "x.jsonl").write_text("{}\n")
    with pytest.raises(RecordError):
        history.add(tmp_path / "x.jsonl")


# Export, import, forgetting.


def test_an_export_brings_everything_back(history, tmp_path):
    assert export(history, tmp_path / "all.zip") == 5
    other = History(tmp_path / "other")
    assert take_in(other, tmp_path / "all.zip") == (5, [])
    assert dump(other) == dump(history)


def test_a_hostile_import_writes_nothing_outside(history, tmp_path):
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as out:
        out.writestr("../../evil.jsonl", "x")
        out.writestr("records/../../evil.jsonl", "x")
        out.writestr("records/" + "a" * 24 + ".jsonl", "no record")
        out.writestr("records/" + "a" * 24 + ".json", '{"name": "x", "played": "2026-01-01", "players": {}}')
    before = dump(history)
    taken, problems = take_in(history, tmp_path / "evil.zip")
    assert (taken, len(problems)) == (0, 1)
    assert dump(history) == before
    assert not list(tmp_path.rglob("evil.jsonl"))


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 cut"])
def test_what_is_no_export_is_refused(history, tmp_path, content):
    (tmp_path / "x.zip").write_bytes(content)
    with pytest.raises(UsageError, match="no export of a history"):
        take_in(history, tmp_path / "x.zip")


def enrolled(path, *names):
    """A file of enrolled voices."""
    voices = Voices({name: {"rock": [np.ones((20, 13), np.float32)]} for name in names})
    voices.save(path)


def test_a_file_that_holds_no_other_voice_goes_too(history, tmp_path):
    folder = tmp_path / "voices"
    folder.mkdir()
    enrolled(folder / "friday.npz", "north")
    enrolled(folder / "saturday.npz", "south")
    assert forget(history, "Ben", voices=folder, enrolled_as="north") == ("Ben", 4, 1)
    assert [p.name for p in folder.iterdir()] == ["saturday.npz"]


def test_a_forgotten_player_is_nowhere(history, tmp_path):
    path = evening.write_record(tmp_path / "named.jsonl", extra={"names": {"north": "Benedikta", "south": "Cleo"}})
    correct(path, correction_for(read_record(path), 1, void=True))
    said = read_record(path).corrections[0]
    text = path.read_text().replace('"kind": "void"', '"by": "Benedikta", "kind": "void"')
    assert said.by == ""
    path.write_text(text)
    history.add(path)
    voices = tmp_path / "voices.npz"
    enrolled(voices, "Benedikta", "Cleo")
    assert b"Benedikta" in history.path.read_bytes()
    name, games, files = forget(history, "benedikta", voices=voices)
    assert (name, games, files) == ("Benedikta", 1, 1)
    for file in history.library.folder.rglob("*"):
        assert not file.is_file() or b"benedikta" not in file.read_bytes().lower(), file
    assert set(Voices.load(voices).takes) == {"Cleo"}
    assert b"benedikta" not in voices.read_bytes().lower()
    with history.reading() as db:
        assert [p.name for p in queries.players(db)] == ["Anna", "Ben", "Cleo"]
        assert "north" in queries.games(db, player="Cleo")[0].result


def test_forgetting_one_leaves_the_others_as_they_were(history):
    with history.reading() as db:
        before = queries.player(db, "Anna")
    forget(history, "Ben")
    with history.reading() as db:
        assert queries.player(db, "Anna") == before


# Several programs at once, and programs that die.


def _add(folder, records):
    for record in records:
        History(folder).add(record, players={"north": f"N {record.stem}", "south": "Everybody's"})


def test_two_programs_at_once_lose_nothing(tmp_path):
    records = [game(tmp_path, f"game{k}", "north", reaction=0.3 + k / 100) for k in range(16)]
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_add, args=(tmp_path / "h", records[k::2])) for k in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    history = History(tmp_path / "h")
    with history.reading() as db:
        assert len(queries.games(db)) == 16
        assert queries.player(db, "Everybody's").games == 16
    before = dump(history)
    history.rebuild()
    assert dump(history) == before


def test_a_killed_program_leaves_a_history_that_opens(tmp_path):
    records = [game(tmp_path, f"game{k}", "north", reaction=0.3 + k / 100) for k in range(30)]
    folder = tmp_path / "h"
    script = (
        "import sys; from pathlib import Path; from referee.history.store import History\n"
        "for path in sys.argv[2:]:\n"
        "    History(Path(sys.argv[1])).add(Path(path), players={'north': 'Anna'})\n"
        "    print(path, flush=True)"
    )
    random_times = random.Random(3)
    for _ in range(4):
        child = subprocess.Popen(
            [sys.executable, "-c", script, folder, *records], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
        )
        assert child.stdout.readline()
        time.sleep(random_times.uniform(0, 0.3))
        os.kill(child.pid, signal.SIGKILL)
        done = 1 + len(child.stdout.read().splitlines())
        child.wait()
        with History(folder).reading() as db:
            assert len(queries.games(db)) >= done
        assert History(folder).rebuild()[1] == []
    _add(folder, records[:1])


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot write into"):
        History(tmp_path / "file" / "h").add(game(tmp_path, "a", "north"))


# The command line.


def run(folder, *args):
    result = CliRunner().invoke(cli, ["history", "--folder", str(folder), *map(str, args)], env={"COLUMNS": "120"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_the_commands_tell_the_story(tmp_path):
    folder = tmp_path / "h"
    record = game(tmp_path, "friday", "north")
    said = run(folder, "add", record, "--player", "north=Anna", "--player", "south=Ben", "--date", "2026-11-06")
    assert said == "friday, 2026-11-06: north Anna, south Ben\n"
    assert "Anna 4, Ben 0" in run(folder, "games")
    assert "Anna" in run(folder, "players")
    assert "more cards: Anna 1, Ben 0, level 0" in run(folder, "versus", "Anna", "Ben")
    assert "fastest fair call" in run(folder, "records")
    assert "1 game" in run(folder, "export", tmp_path / "all.zip")
    assert "Ben is deleted: from 1 game" in run(folder, "delete-player", "Ben", "--yes")
    assert run(folder, "rebuild") == "1 game\n"
    assert "Anna 4, south 0" in run(folder, "games")
    assert "1 game added" in run(folder, "import", tmp_path / "all.zip")
    assert "Anna 4, Ben 0" in run(folder, "games")


def test_an_empty_history_says_what_to_do(tmp_path):
    assert "referee history add" in run(tmp_path / "h", "players")
    assert run(tmp_path / "h", "games") == "no games\n"


@pytest.mark.parametrize("given", ["north", "=Anna"])
def test_a_player_is_written_seat_and_name(tmp_path, given):
    with pytest.raises(UsageError, match="SEAT=NAME"):
        run(tmp_path / "h", "add", game(tmp_path, "a", "north"), "--player", given)


def test_the_folder_can_be_named_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("REFEREE_HISTORY", str(tmp_path))
    assert default_folder() == tmp_path
