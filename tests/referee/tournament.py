"""Stand-ins for judging that tests run in other processes; at the top of a module, so that these find them."""

import os
import signal
import time
from pathlib import Path

from referee.many.work import Fate, Job, Outcome
from referee.replay import keep_typed

GAME = """{"game": "rock", "players": ["anna", "ben"]}
{"cards": {"anna": "rock", "ben": "scissors"}, "t": BEGIN}
{"call": "rock", "by": "anna"}
{"cards": {"anna": "paper", "ben": "paper"}}
"""


def typed(folder, number):
    """So many games typed by hand; each begins at another time."""
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    for k in range(number):
        path = folder / f"table-{k:03d}.jsonl"
        path.write_text(GAME.replace("BEGIN", str(5 + k / 10)), encoding="utf-8")
        out.append(path)
    return out


def jobs(paths, out):
    from referee.judge import Request

    return [Job(Request(recording=path), out) for path in paths]


def ruled(job, tell=None):
    """Judge a typed game, slowly enough to be killed; notes in a file of its own that it did."""
    recording = job.request.recording
    time.sleep(0.02)
    if tell is not None:
        tell(0.5)
    record, _ = keep_typed(recording, job.out, {})
    with (job.out / "judged.txt").open("a", encoding="utf-8") as notes:
        notes.write(f"{recording.stem} {os.getpid()}\n")
    return Outcome(recording, Fate.JUDGED, record, rounds=2)


def slowly(job):
    """The same, with time to be killed in, for workers of a cluster; skips what is judged."""
    done = job.out / f"{job.request.recording.stem}.record.jsonl"
    assert not done.exists(), f"{done.name} is judged a second time"
    with (job.out / "begun.txt").open("a", encoding="utf-8") as notes:
        notes.write(f"{job.request.recording.stem} {os.getpid()}\n")
    time.sleep(0.2)
    return ruled(job)


def dying(job, tell):
    """The process dies on a recording named so, as a decoder may on a bad file; once only, on another."""
    name = job.request.recording.name
    once = job.out / "died-once"
    if name == "table-003.jsonl" or (name == "table-005.jsonl" and not once.exists()):
        job.out.mkdir(exist_ok=True)
        if name == "table-005.jsonl":
            once.touch()
        os.kill(os.getpid(), signal.SIGSEGV)
    return ruled(job, tell)


def remembers(path):
    return [line.split()[0] for line in Path(path).read_text(encoding="utf-8").splitlines()]
