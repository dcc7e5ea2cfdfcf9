"""Power cuts, kills, full disks, folders that cannot be written, clocks set back: clear words, and nothing lost."""

import os
import random
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import report_evening as evening
import tournament

from referee import cli
from referee.bench.crash import Tally, Watch, kill_often, stand_in
from referee.errors import BusyError, UsageError
from referee.events import Correction
from referee.files import save
from referee.history.store import History
from referee.record import Header, read_record
from referee.record_writer import RecordWriter
from referee.replay import correct, replay
from referee.resume import State, find, open_record

ROOT = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(os.name == "nt", reason="needs signals and limits of POSIX")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def failing(number, words):
    def fail(*_):
        raise OSError(number, words)

    return fail


# Killed while judging. `referee bench crash` does it 200 times, eye and ear among them.


@POSIX
def test_judging_killed_at_random_moments_loses_nothing_and_goes_on(tmp_path):
    tally, rng, kills = Tally(), random.Random(7), 0
    while kills < 120 and (tally.acknowledged < 8 or not tally.finished):  # on a busy machine kills come too early
        kills += 24
        kill_often(tmp_path / f"evenings-{kills}", kills, rng, tally)
    assert tally.kills == kills
    assert tally.acknowledged >= 8
    assert tally.finished >= 1
    assert (tally.unopened, tally.lost, tally.stuck, tally.different, tally.more_records) == (0, 0, 0, 0, 0)
    # How far they are spread depends on how busy the machine is; the bench says it.
    assert len(set(tally.moments)) > 1, "not all kills came at one moment"


def test_the_watch_sees_what_is_lost(tmp_path):
    """The measure itself: a record that begins anew after each kill is seen as a loss."""
    stand_in(tmp_path, 1, 0.0, lambda _: None)
    path = tmp_path / "evening.record.jsonl"
    whole = path.read_bytes()
    tally = Tally()
    watch = Watch(path, whole, tally)
    path.write_bytes(whole[: len(whole) // 2])
    watch.after({line["round"] for line in read_record(path).rulings}, killed=True)
    assert (tally.lost, tally.unopened) == (0, 0)
    path.write_bytes(whole[: len(whole) // 4])
    watch.after(set(), killed=True)
    assert tally.lost > 1
    path.write_bytes(b"nothing of a record\nand more\n")
    watch.after(set(), killed=True)
    assert tally.unopened == 1


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.999, 1.0])
def test_judging_goes_on_where_it_was_cut(tmp_path, share):
    stand_in(tmp_path / "whole", 3, 0.0, lambda _: None)
    whole = (tmp_path / "whole" / "evening.record.jsonl").read_bytes()
    (tmp_path / "cut").mkdir()
    path = tmp_path / "cut" / "evening.record.jsonl"
    head = whole.index(b"\n") + 1
    path.write_bytes(whole[: head + int(share * (len(whole) - head))])
    stand_in(tmp_path / "cut", 3, 0.0, lambda _: None)
    assert path.read_bytes() == whole
    assert names(tmp_path / "cut") == ["evening.record.jsonl"]


def test_a_record_that_says_otherwise_is_left_alone_and_a_new_one_takes_over(tmp_path):
    stand_in(tmp_path, 3, 0.0, lambda _: None)
    path = tmp_path / "evening.record.jsonl"
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    odd = lines[5].replace(b'"time_s": ', b'"time_s": 1')
    assert odd != lines[5]
    path.write_bytes(b"".join([*lines[:5], odd, *lines[6:8]]))
    before = path.read_bytes()
    stand_in(tmp_path, 3, 0.0, lambda _: None)
    assert path.read_bytes() == before
    assert (tmp_path / "evening-2.record.jsonl").read_bytes() == whole
    stand_in(tmp_path, 3, 0.0, lambda _: None)
    assert len(names(tmp_path)) == 2


def test_what_people_corrected_is_never_written_over(tmp_path):
    stand_in(tmp_path, 3, 0.0, lambda _: None)
    path = tmp_path / "evening.record.jsonl"
    correct(path, Correction(time_s=60.0, kind="void", card=1))
    before = path.read_bytes()
    stand_in(tmp_path, 3, 0.0, lambda _: None)
    assert path.read_bytes() == before
    assert names(tmp_path) == ["evening.record.jsonl"]


def test_two_recordings_of_one_name_have_two_records(tmp_path):
    for seed in (3, 4, 3):
        stand_in(tmp_path, seed, 0.0, lambda _: None)
    assert names(tmp_path) == ["evening-2.record.jsonl", "evening.record.jsonl"]


# Two programs at once.


def test_only_one_program_writes_a_record(tmp_path, monkeypatch):
    monkeypatch.setattr("referee.record_writer.WAIT_S", 0.05)
    header = Header(game="rock", recording={"sha256": "0" * 64})
    with open_record(tmp_path, "evening", header) as writer:
        with pytest.raises(BusyError, match="is being written by another program"):
            open_record(tmp_path, "evening", header)
        with pytest.raises(BusyError):
            RecordWriter(writer.path, header)
        assert find(tmp_path, "evening", header).state is State.UNFINISHED
    with open_record(tmp_path, "evening", header) as writer:
        writer.result({"piles": {}})
    assert find(tmp_path, "evening", header).state is State.FINISHED


def test_corrections_of_two_programs_are_all_kept_and_ruled_together(tmp_path):
    path = evening.write_record(tmp_path / "evening.record.jsonl")
    script = (
        "import sys; from referee.replay import correct; from referee.events import Correction, Type\n"
        "for card in map(int, sys.argv[2:]):\n"
        "    correct(sys.argv[1], Correction(time_s=16.0, kind='card', card=card, type=Type.PAPER))\n"
        "    correct(sys.argv[1], Correction(time_s=16.0, kind='void', card=card))"
    )
    words = [sys.executable, "-c", script, str(path)]
    both = [subprocess.Popen([*words, *cards], cwd=ROOT) for cards in (("1", "3", "5"), ("2", "4", "6"))]
    assert [process.wait(60) for process in both] == [0, 0]
    record = read_record(path)
    assert len(record.corrections) == 12
    assert replay(record).identical


# No room, no permission.


@POSIX
def test_a_full_disk_while_judging_is_one_line_and_the_next_run_goes_on(tmp_path):
    """The limit on a file's size stands for a full disk: a write takes what fits and the next one fails."""
    stand_in(tmp_path / "whole", 5, 0.0, lambda _: None)
    whole = (tmp_path / "whole" / "evening.record.jsonl").read_bytes()
    for room in (len(whole) // 3, len(whole) // 2, len(whole) - 30):
        child = os.fork()
        if not child:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
            code = 0
            try:
                stand_in(tmp_path / "full", 5, 0.0, lambda _: None)
            except UsageError as error:
                code = 2 if "make room" in str(error) else 3
            os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
        record = read_record(tmp_path / "full" / "evening.record.jsonl")
        assert not record.truncated
        assert 0 < len(record.entries) < whole.count(b"\n")
    stand_in(tmp_path / "full", 5, 0.0, lambda _: None)
    assert (tmp_path / "full" / "evening.record.jsonl").read_bytes() == whole


@POSIX
@pytest.mark.parametrize("size", [0, 300])
def test_a_full_disk_on_the_command_line(tmp_path, size):
    (path,) = tournament.typed(tmp_path / "in", 1)
    words = f"ulimit -f 0; trap '' XFSZ; exec {sys.executable} -m referee judge {path} --out {tmp_path / 'out'}"
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "other").write_bytes(b"x" * size)
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("referee: cannot write ")
    assert "make room" in line
    assert names(tmp_path / "out") == ["other"]


@pytest.mark.parametrize("command", ["judge", "report", "history"])
def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, command, capsys):
    """A file in the way of the folder stands for one without permission, which a superuser would not notice."""
    (tmp_path / "file").touch()
    (game,) = tournament.typed(tmp_path / "in", 1)
    record = str(evening.write_record(tmp_path / "evening.record.jsonl"))
    place = str(tmp_path / "file" / "out")
    words = {
        "judge": ["judge", str(game), "--out", place],
        "report": ["report", record, "--out", place],
        "history": ["history", "--folder", place, "add", record],
    }
    assert cli.run(words[command]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("referee: cannot write into ")


def test_a_file_is_saved_whole_or_not_at_all(tmp_path, monkeypatch):
    place = tmp_path / "a.txt"
    save(place, b"first")
    with pytest.raises(FileExistsError):
        save(place, b"second", exclusive=True)
    monkeypatch.setattr(
        "referee.files.os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    with pytest.raises(OSError, match="No space"):
        save(place, b"third")
    assert place.read_bytes() == b"first"
    assert names(tmp_path) == ["a.txt"]


def test_a_name_is_taken_once_by_whoever_is_first_with_links_and_without(tmp_path, monkeypatch):
    for links in (True, False):
        if not links:
            monkeypatch.setattr("referee.files.os.link", failing(1, "not permitted"))
        won = []

        def race(k, won=won, links=links):
            try:
                save(tmp_path / f"one-{links}", str(k).encode(), exclusive=True)
                won.append(k)
            except FileExistsError:
                pass

        threads = [threading.Thread(target=race, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(won) == 1
        assert (tmp_path / f"one-{links}").read_bytes() == str(won[0]).encode()


# The clock.


def test_a_clock_set_back_changes_nothing(tmp_path, monkeypatch):
    """Nothing in a record comes from the wall clock, and a history orders games by when they were played."""
    import time

    stand_in(tmp_path / "now", 6, 0.0, lambda _: None)
    whole = (tmp_path / "now" / "evening.record.jsonl").read_bytes()
    (tmp_path / "then").mkdir()
    path = tmp_path / "then" / "evening.record.jsonl"
    path.write_bytes(whole[: len(whole) // 2])
    os.utime(path, (4e9, 4e9))  # written, it seems, in 2096
    monkeypatch.setattr(time, "time", lambda: 1e9)  # it is 2001
    stand_in(tmp_path / "then", 6, 0.0, lambda _: None)
    assert path.read_bytes() == whole
    history = History(tmp_path / "history")
    os.utime(path, (4e9, 4e9))
    history.add(path, players={"north": "Anna"})
    os.utime(path, (0, 0))
    history.add(path)
    with history.reading() as db:
        assert db.execute("SELECT count(*), min(played) FROM game").fetchone()[:] == (1, "2096-10-02T07:06:40")
    assert history.rebuild() == (1, [])
