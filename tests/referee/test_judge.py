"""Whole recordings through the real recogniser and the real detector, compared with their truth."""

from pathlib import Path

import pytest

from referee import cli
from referee.bench.games import game_options, judge_and_compare, read_game
from referee.judge import Judging, Request
from referee.record import read_record
from referee.replay import replay

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "fixtures" / "games"
SHARED = ROOT.parent / "shared" / "games"
REACHED = {
    GAMES / "two-friends.mp4": 6,
    GAMES / "close-call.mp4": 5,
    GAMES / "four-on-felt.mkv": 5,
    SHARED / "kitchen-2p.mp4": 6,
}
"""Rounds that are exact so far; the aim is all, and the numbers may only rise. `referee bench games` has the rest.

Of kitchen-2p all seven were exact while sigma was too small where two speak: the two calls of the sixth lie 20 ms apart
on a stereo pair, and are too close to call at what that measurement is worth (12 ms each).
"""


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
    assert len([p for p in GAMES.iterdir() if p.with_suffix(".truth.jsonl").exists()]) >= 6


@pytest.mark.parametrize("path", REACHED, ids=lambda p: p.stem)
def test_a_game_is_never_ruled_wrongly_with_a_straight_face(judged, path):
    if not path.exists():
        pytest.skip(f"{path.name} is not beside this checkout")
    game = judged(path)
    assert [(r.truth["round"], r.differences) for r in game.rounds if r.differences and not r.in_review] == []
    assert [line for line in game.extra if not line["review"]] == []


@pytest.mark.parametrize("path", REACHED, ids=lambda p: p.stem)
def test_as_many_rounds_are_exact_as_were_reached_before(judged, path):
    if not path.exists():
        pytest.skip(f"{path.name} is not beside this checkout")
    assert sum(not r.differences for r in judged(path).rounds) >= REACHED[path]


def test_the_record_replays_to_the_same_rulings_byte_for_byte(tmp_path):
    path = GAMES / "two-friends.mp4"
    out = [tmp_path / "one", tmp_path / "two"]
    for folder in out:
        assert cli.run(["judge", str(path), "--quiet", "--out", str(folder), *game_options(read_game(path))]) in (0, 1)
    one, two = ((folder / "two-friends.record.jsonl").read_bytes() for folder in out)
    assert one == two, "two runs over one recording differ"
    again = replay(read_record(out[0] / "two-friends.record.jsonl"))
    assert again.identical
    assert again.rulings


def test_whose_microphones_they_are_does_not_matter_where_nobody_listens():
    """A touch game is seen alone: as many seats as its sound has channels need not be named."""
    if not (GAMES / "first-touch.mp4").exists():
        pytest.skip("the staged games are not here")
    request = Request(recording=GAMES / "first-touch.mp4", game="tournament", microphones=("north", "east"))
    judging = Judging(request, threads=False)
    try:
        assert judging._begin(("north", "south")).seats == ("north", "south")
    finally:
        judging.close()
