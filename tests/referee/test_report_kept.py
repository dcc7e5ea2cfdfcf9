"""Records kept from every version of the format still open, replay to the same outcome, and can be shown and corrected.

A new format adds files to `kept/`, `format-N.record.jsonl` and one a game, written by the version that made them; none
is ever changed. `judged` and `cut` come from recordings: judged, corrected and taken back; killed while it was written.
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

FOLDER = Path(__file__).parent / "kept"
KEPT = sorted(FOLDER.glob("format-?.record.jsonl"))
ALL = sorted(FOLDER.glob("format-*.record.jsonl"))
RULED_ALIKE = [p for p in ALL if not p.name.endswith(("judged.record.jsonl", "cut.record.jsonl"))]
"""Rulings in doubt may be told better by a later program; games typed by hand leave no doubt."""
OUTCOMES = ("cards", "due", "first", "outcome", "awards", "pot", "piles")


def test_there_is_a_kept_record_of_every_format():
    assert [p.name for p in KEPT] == [f"format-{n}.record.jsonl" for n in range(1, FORMAT + 1)]


@pytest.mark.parametrize("path", RULED_ALIKE, ids=lambda p: p.name)
def test_a_kept_record_replays_to_the_same_outcome(path):
    record = read_record(path)
    changed = [d for d in replay(record).differences if d.field in OUTCOMES]
    assert changed == []
    assert len(record.rulings) >= 2


@pytest.mark.parametrize("path", ALL, ids=lambda p: p.name)
def test_every_kept_record_can_be_replayed_shown_corrected_and_entered(path, tmp_path):
    record = read_record(path)
    assert record.truncated == ("cut" in path.name)
    assert len(replay(record).rulings) >= 2
    game = game_of(record, name="kept")
    assert webvtt(game).count("-->") >= len(game.rounds) >= 2
    assert rounds_csv(game).count("\r\n") == 1 + len(game.rounds)
    mine = tmp_path / path.name
    shutil.copy(path, mine)
    kept = History(tmp_path / "history").add(mine)
    assert len(kept.record.rulings) == len(record.rulings)
    if record.header.game == "rorschach":
        return  # it has no cards that could be corrected
    correct(mine, correction_for(read_record(mine), 2, void=True))
    assert len(read_record(mine).corrections) == len(record.corrections) + 1


def test_an_older_format_is_brought_up_to_date_as_it_is_read(monkeypatch, tmp_path):
    """As a second format might be: calls named otherwise. The file keeps its lines; what is appended is of the new."""
    old = KEPT[0].read_text().replace('"names": ', '"says": ')
    path = tmp_path / "old.record.jsonl"
    path.write_text(old)

    def step(line):
        return {("names" if key == "says" else key): value for key, value in line.items()}

    monkeypatch.setattr("referee.record.FORMAT", 2)
    monkeypatch.setattr("referee.upgrades.UPGRADES", {1: step})
    assert read_record(path).entries == read_record(KEPT[0]).entries
    correct(path, correction_for(read_record(path), 1, void=True))
    assert path.read_text().startswith(old)
    assert read_record(path).corrections[-1].kind == "void"
    assert replay(read_record(path)).differences == ()


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
