"""Many recordings: over processes, each once, whatever becomes of the others; stopped and gone on with."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import recordings
import tournament

from referee import cli
from referee.judge import Request
from referee.many import cluster
from referee.many.pool import SERVES, Pool
from referee.many.run import crashed
from referee.many.work import Fate, judge_one, kept_model
from referee.record import read_record

ROOT = Path(__file__).parents[2]


def pooled(jobs, work, processes=2, **more):
    return dict(Pool(jobs, work, crashed, processes, **more).run())


def test_every_recording_is_judged_once_over_several_processes(tmp_path):
    jobs = tournament.jobs(tournament.typed(tmp_path / "in", 12), tmp_path / "out")
    told = []
    outcomes = pooled(jobs, tournament.ruled, tell=lambda number, share: told.append((number, share)))
    assert [outcomes[k].recording for k in range(12)] == [job.request.recording for job in jobs]
    notes = (tmp_path / "out" / "judged.txt").read_text().split()
    assert sorted(notes[::2]) == [f"table-{k:03d}" for k in range(12)]
    assert len(set(notes[1::2])) == 2
    assert str(os.getpid()) not in notes
    assert {(k, 0.5) for k in range(12)} <= set(told)
    assert all(read_record(outcome.record).result for outcome in outcomes.values())


@pytest.mark.skipif(os.name == "nt", reason="signals are told otherwise on Windows")
def test_a_recording_that_crashes_its_process_takes_nothing_with_it(tmp_path):
    jobs = tournament.jobs(tournament.typed(tmp_path / "in", 8), tmp_path / "out")
    outcomes = pooled(jobs, tournament.dying)
    assert [k for k in range(8) if outcomes[k].fate is not Fate.JUDGED] == [3]
    assert outcomes[3].fate is Fate.CRASHED
    assert "SIGSEGV" in outcomes[3].message
    assert "table-003" in outcomes[3].message
    others = [f"table-{k:03d}" for k in range(8) if k != 3]
    assert sorted(tournament.remembers(tmp_path / "out" / "judged.txt")) == others


def test_processes_are_renewed_so_that_memory_stays(tmp_path):
    jobs = tournament.jobs(tournament.typed(tmp_path / "in", SERVES + 2), tmp_path / "out")
    pooled(jobs, tournament.ruled, processes=1)
    processes = (tmp_path / "out" / "judged.txt").read_text().split()[1::2]
    assert [processes.count(p) for p in dict.fromkeys(processes)] == [SERVES, 2]


def test_closing_ends_the_processes(tmp_path):
    jobs = tournament.jobs(tournament.typed(tmp_path / "in", 40), tmp_path / "out")
    pool = Pool(jobs, tournament.ruled, crashed, 2)
    running = pool.run()
    next(running)
    mine = [worker.process for worker in pool._workers]
    running.close()
    assert all(not process.is_alive() for process in mine)
    assert len(tournament.remembers(tmp_path / "out" / "judged.txt")) < 40


# One recording of many.


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """A few seconds of a staged game with one round in them."""
    from referee.bench.many import cut

    return cut(ROOT / "fixtures" / "games" / "stube.mp4", tmp_path_factory.mktemp("short") / "stube.mkv", 4.9)


@pytest.fixture(scope="module")
def judged(short, tmp_path_factory):
    """That recording and bad ones in a folder, judged by the command line over two processes."""
    folder = tmp_path_factory.mktemp("folder")
    (folder / "in").mkdir()
    (folder / "in" / "a-good.mkv").hardlink_to(short)
    (folder / "in" / "b-bad.mp4").write_bytes(b"this is no recording")
    recordings.write(folder / "in" / "c-empty.mp4", seconds=1.0)
    (folder / "in" / "notes.txt").write_text("not a recording")
    (folder / "in" / "a-good.rulings.mp4").write_bytes(b"what a report made")
    words = ["judge", str(folder / "in"), "--languages", "de", "--out", str(folder / "out")]
    line = [sys.executable, "-m", "referee", *words]
    done = subprocess.run(line, check=False, capture_output=True, text=True, cwd=ROOT)
    return folder, done


def test_a_folder_is_judged_and_summed_up_and_survives_bad_files(judged):
    folder, done = judged
    assert done.returncode == 3
    said = done.stderr.splitlines()
    assert len(said) == 2, said
    assert all(line.startswith("referee: ") for line in said)
    assert "b-bad.mp4" in said[0] + said[1]
    assert "c-empty.mp4" in said[0] + said[1]
    assert "3 recordings: 1 judged, 2 could not be judged; 1 rounds" in " ".join(done.stdout.split())
    assert read_record(folder / "out" / "a-good.record.jsonl").result["rounds"] == 1
    assert "a-good.rulings" not in done.stdout


def test_what_is_judged_is_not_judged_again(judged):
    folder, _ = judged
    record = folder / "out" / "a-good.record.jsonl"
    before = (record.read_bytes(), record.stat().st_mtime_ns)
    (job,) = tournament.jobs([folder / "in" / "a-good.mkv"], folder / "out")
    from dataclasses import replace

    outcome = judge_one(replace(job, request=replace(job.request, languages=("de",))))
    assert (outcome.fate, outcome.rounds, outcome.record) == (Fate.BEFORE, 1, record)
    assert outcome.seconds < 5
    assert (record.read_bytes(), record.stat().st_mtime_ns) == before
    assert len(list((folder / "out").glob("a-good*.jsonl"))) == 1


def test_another_question_is_another_record(judged):
    """Other house rules are another judging: its record stands beside the first, which is not touched."""
    from dataclasses import replace

    from referee.resume import State, find

    folder, _ = judged
    header = read_record(folder / "out" / "a-good.record.jsonl").header
    same = find(folder / "out", "a-good", header)
    other = find(folder / "out", "a-good", replace(header, options={"tie_window_ms": "30"}))
    assert (same.state, same.path.name) == (State.FINISHED, "a-good.record.jsonl")
    assert (other.state, other.path.name) == (State.MISSING, "a-good-2.record.jsonl")


def test_json_gives_the_ruling_lines_of_all_in_order(tmp_path, capsys):
    paths = tournament.typed(tmp_path / "in", 3)
    paths[1].write_text('{"game": "rock", "players": ["anna", "ben"]}\nnonsense\n')
    status = cli.run(["judge", *map(str, paths), "--json", "--out", str(tmp_path / "out")])
    said = capsys.readouterr()
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert status == 2
    assert [(line["type"], line["round"]) for line in lines] == [("ruling", 1), ("ruling", 2)] * 2
    assert said.err.splitlines() == [f"referee: {paths[1]}, line 2: is not JSON: Expecting value at character 1"]


def test_a_recording_named_twice_is_judged_once(tmp_path, capsys):
    (path,) = tournament.typed(tmp_path / "in", 1)
    assert cli.run(["judge", str(path), str(path), "--json", "--out", str(tmp_path / "out")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another thing on Windows")
def test_an_interrupted_tournament_says_what_is_left_and_goes_on(tmp_path):
    paths = tournament.typed(tmp_path / "in", 60)
    words = [sys.executable, "-m", "referee", "judge", *map(str, paths), "--out", str(tmp_path / "out"), "--jobs", "1"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True)
    while not list((tmp_path / "out").glob("*.record.jsonl")):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=20)[1]
    assert process.returncode == 130
    assert "are left; the same command goes on" in said
    assert "Traceback" not in said
    for record in (tmp_path / "out").glob("*.record.jsonl"):
        read_record(record)
    assert subprocess.run(words, check=False, capture_output=True, cwd=ROOT).returncode == 0
    assert len(list((tmp_path / "out").glob("*.record.jsonl"))) == 60
    assert all(read_record(r).result for r in (tmp_path / "out").glob("*.record.jsonl"))


# Over a cluster.


def test_a_missing_extra_is_said_with_its_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    (path,) = tournament.typed(tmp_path / "in", 1)
    assert cli.run(["judge", str(path), "--cluster", "tcp://localhost:1", "--out", str(tmp_path / "out")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "pip install 'referee[cluster]'" in line


@pytest.fixture
def workers(tmp_path):
    """A scheduler and two workers, each a process of its own. Gives the address and the workers' processes."""
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    file = tmp_path / "scheduler.json"
    place = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
    environment = os.environ | {"PYTHONPATH": place, "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False"}
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--host", "127.0.0.1"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment, "cwd": tmp_path}
    processes = [subprocess.Popen([*dask, "--no-dashboard", "--scheduler-file", str(file)], **quiet)]
    try:
        while not file.exists() or not file.read_text().strip():
            assert processes[0].poll() is None
            time.sleep(0.05)
        processes += [subprocess.Popen([*worker, "--scheduler-file", str(file)], **quiet) for _ in range(2)]
        yield json.loads(file.read_text())["address"], processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_cluster_judges_every_recording_once_though_a_worker_is_killed(workers, tmp_path):
    address, (first, second) = workers
    (tmp_path / "out").mkdir()
    jobs = tournament.jobs(tournament.typed(tmp_path / "in", 14), tmp_path / "out")
    outcomes, killed = {}, None
    for number, outcome in cluster.run(jobs, tournament.slowly, crashed, address):
        outcomes[number] = outcome
        if len(outcomes) == 4:  # in the middle of its next recording
            running = (tmp_path / "out" / "begun.txt").read_text().split()
            killed = first if str(first.pid) in running else second
            killed.kill()
    assert killed is not None
    assert killed.wait() == -signal.SIGKILL
    assert sorted(outcomes) == list(range(14))
    assert {outcome.fate for outcome in outcomes.values()} == {Fate.JUDGED}
    assert sorted(tournament.remembers(tmp_path / "out" / "judged.txt")) == [f"table-{k:03d}" for k in range(14)]
    records = sorted((tmp_path / "out").glob("*.record.jsonl"))
    assert len(records) == 14
    assert all([line["round"] for line in read_record(record).rulings] == [1, 2] for record in records)


def test_the_command_judges_on_a_cluster(workers, tmp_path, capsys):
    address, _ = workers
    paths = tournament.typed(tmp_path / "in", 3)
    status = cli.run(["judge", *map(str, paths), "--cluster", address, "--out", str(tmp_path / "out")])
    assert status == 0
    assert "3 recordings: 3 judged; 6 rounds, 0 to review" in " ".join(capsys.readouterr().out.split())


def test_a_process_opens_the_call_model_once_for_all_that_listen_for_the_same(monkeypatch):
    opened = []
    monkeypatch.setattr("referee.judge.call_model", lambda request: opened.append(request.spoken) or object())
    monkeypatch.setattr("referee.many.work._OPENED", {})
    kept = [kept_model(Request(recording=Path(name))) for name in ("a", "b")]
    other = kept_model(Request(recording=Path("c"), game="de"))
    assert kept[0] is kept[1] is not other
    assert opened == [("en",), ("de",)]
    kept_model(Request(recording=Path("d")))
    assert opened[2:] == [("en",)]
