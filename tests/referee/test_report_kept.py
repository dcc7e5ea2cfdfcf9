"""Records kept from every version of the format still open, replay to the same outcome, and can be shown and corrected.

A new format adds a file to `kept/`, `format-N.record.jsonl`, written by the version that made it; none is ever changed.
"""

import shutil
from pathlib import Path

import pytest

from referee.history import queries
from referee.history.store import History
from referee.record import FORMAT, read_record
from referee.replay import correct, correction_for, replay
from referee.report.reading import game_of
from referee.report.tracks import rounds_csv, webvtt

KEPT = sorted((Path(__file__).parent / "kept").glob("format-*.record.jsonl"))
OUTCOMES = ("cards", "due", "first", "outcome", "awards", "pot", "piles")


def test_there_is_a_kept_record_of_every_format():
    assert [p.name for p in KEPT] == [f"format-{n}.record.jsonl" for n in range(1, FORMAT + 1)]


@pytest.mark.parametrize("path", KEPT, ids=lambda p: p.name)
def test_a_kept_record_replays_to_the_same_outcome(path):
    record = read_record(path)
    changed = [d for d in replay(record).differences if d.field in OUTCOMES]
    assert changed == []
    assert len(record.rulings) >= 3


@pytest.mark.parametrize("path", KEPT, ids=lambda p: p.name)
def test_a_kept_record_can_be_shown(path):
    game = game_of(read_record(path), name="kept")
    assert [r.line["outcome"] for r in game.rounds] == ["won", "penalty", "tie"]
    assert [c.undone for c in game.corrections] == [False, True, False]
    assert "Round 3: Too close to call" in webvtt(game)
    assert rounds_csv(game).count("\r\n") == 4


@pytest.mark.parametrize("path", KEPT, ids=lambda p: p.name)
def test_a_kept_record_can_be_corrected_and_entered(path, tmp_path):
    mine = tmp_path / path.name
    shutil.copy(path, mine)
    correct(mine, correction_for(read_record(mine), 1, void=True))
    assert mine.read_bytes().startswith(path.read_bytes())
    history = History(tmp_path / "history")
    history.add(mine, players={"north": "Anna", "south": "Ben"})
    with history.reading() as db:
        assert queries.player(db, "Anna").games == 1
