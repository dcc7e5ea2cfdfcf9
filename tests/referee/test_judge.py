"""Whole recordings through the real recogniser and the real detector, compared with their truth."""

from pathlib import Path

import pytest

from referee import cli
from referee.bench.games import game_options, judge_and_compare, read_game
from referee.record import read_record
from referee.replay import replay

ROOT = Path(__file__).parents[2]
GAMES = sorted(p for p in (ROOT / "fixtures" / "games").glob("*") if p.with_suffix(".truth.jsonl").exists())
SHARED = ROOT.parent / "shared" / "games"


@pytest.fixture(scope="session")
def judged():
    """Each game is judged once for all tests that look at it."""
    cache = {}

    def once(path):
        if path not in cache:
            cache[path] = judge_and_compare(read_game(path))
        return cache[path]

    return once


def test_there_are_staged_games_to_judge():
    assert len(GAMES) >= 6
    assert GAMES[0].parent.joinpath("two-friends.mp4") in GAMES


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_a_committed_game_is_judged_as_its_truth_says(judged, path):
    game = judged(path)
    one_microphone = read_game(path).header["audio"]["mode"] == "mono"
    for one in game.rounds:
        if one_microphone and one.truth["first"] is not None:
            assert one.in_review, "with one microphone nobody can tell who called"
            assert one.ruling["first"]["seat"] is None
            assert set(one.differences) <= {"first", "outcome", "awards"}
        else:
            assert one.differences == (), f"round {one.truth['round']}"
    assert game.extra == []


@pytest.mark.parametrize("name", ["kitchen-2p", "club-4p", "felt-3p", "stube-2p"])
def test_a_strangers_game_is_never_ruled_wrongly_with_a_straight_face(judged, name):
    path = SHARED / f"{name}.mp4"
    if not path.exists():
        pytest.skip(f"{path.name} is not beside this checkout")
    game = judged(path)
    wrong = [(r.truth["round"], r.differences) for r in game.rounds if r.differences and not r.in_review]
    assert wrong == []
    assert [x for x in game.extra if not x["review"]] == []


def test_the_record_replays_to_the_same_rulings_byte_for_byte(tmp_path):
    path = ROOT / "fixtures" / "games" / "two-friends.mp4"
    out = [tmp_path / "one", tmp_path / "two"]
    for folder in out:
        assert cli.run(["judge", str(path), "--quiet", "--out", str(folder), *game_options(read_game(path))]) in (0, 1)
    one, two = ((folder / "two-friends.record.jsonl").read_bytes() for folder in out)
    assert one == two, "two runs over one recording differ"
    again = replay(read_record(out[0] / "two-friends.record.jsonl"))
    assert again.identical
    assert again.rulings
