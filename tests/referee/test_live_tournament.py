"""Swiss pairing and the tournament over several tables: who meets whom, and what is never guessed."""

import asyncio
from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from live_helpers import Visitor, free_port, serve, until

from referee.errors import UsageError
from referee.live import swiss
from referee.live.tournament import Tournament

NAMES = [f"player {n}" for n in range(1, 13)]


def meetings(results):
    return Counter(frozenset(two) for r in results for two in combinations(r.places, 2))


def play(count, size, rounds, chance):
    """A whole tournament with results by chance; gives results and byes, and checks each round."""
    players, results, byes = NAMES[:count], [], []
    for _ in range(rounds):
        tables, bye = swiss.pair(players, results, byes, size=size)
        sat = [name for table in tables for name in table] + ([bye] if bye else [])
        assert sorted(sat) == sorted(players)
        assert all(2 <= len(table) <= size for table in tables)
        assert bye is None or (size == 2 and count % 2)
        if bye:
            assert byes.count(bye) == min(byes.count(name) for name in players)
            byes.append(bye)
        results += [swiss.Result({name: chance(n) for n, name in enumerate(table)}) for table in tables]
    return results, byes


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 12), st.integers(2, 4), st.integers(1, 6), st.randoms(use_true_random=False))
def test_every_round_seats_everybody_once_and_byes_go_round(count, size, rounds, random):
    play(count, size, rounds, lambda _: random.randint(1, 2))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([4, 6, 8, 10]), st.randoms(use_true_random=False))
def test_nobody_meets_twice_while_half_the_others_are_new(count, random):
    results, _ = play(count, 2, count // 2, lambda _: random.randint(1, 2))
    assert max(meetings(results).values()) == 1


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_second_meeting_happens_only_where_no_pairing_avoids_it(random):
    """Checked against all pairings of six players."""
    players, results = NAMES[:6], []
    for _ in range(5):
        met = meetings(results)
        least = min(sum(met[frozenset(p[n : n + 2])] > 0 for n in (0, 2, 4)) for p in permutations(players))
        tables, _ = swiss.pair(players, results)
        assert sum(met[frozenset(t)] > 0 for t in tables) == least
        results += [swiss.Result({a: 1, b: random.randint(1, 2)}) for a, b in tables]


def test_players_of_like_standing_meet():
    results = [swiss.Result({NAMES[0]: 1, NAMES[1]: 2}), swiss.Result({NAMES[2]: 1, NAMES[3]: 2})]
    tables, _ = swiss.pair(NAMES[:4], results)
    assert {frozenset(t) for t in tables} == {frozenset((NAMES[0], NAMES[2])), frozenset((NAMES[1], NAMES[3]))}


def test_standings_count_draws_half_and_break_ties_by_opposition():
    a, b, c, d = NAMES[:4]
    results = [swiss.Result({a: 1, b: 2}), swiss.Result({c: 1, d: 1}), swiss.Result({a: 1, c: 2})]
    lines = swiss.standings(NAMES[:4], results)
    assert [(x.name, x.points) for x in lines] == [(a, 2.0), (c, 0.5), (d, 0.5), (b, 0.0)]
    assert lines[1].opposition > lines[2].opposition
    assert [x.place for x in lines] == [1, 2, 3, 4]


def test_a_table_of_four_counts_the_share_of_opponents_beaten():
    lines = swiss.standings(NAMES[:4], [swiss.Result(dict(zip(NAMES, (1, 2, 2, 4), strict=False)))])
    assert [round(x.points, 2) for x in lines] == [1.0, 0.5, 0.5, 0.0]
    assert [x.place for x in lines] == [1, 2, 2, 4]


def test_two_hundred_players_are_paired_in_time():
    players = [f"{n}" for n in range(200)]
    results = []
    for _ in range(5):
        tables, _ = swiss.pair(players, results)
        assert len(tables) == 100
        results += [swiss.Result({a: 1, b: 2}) for a, b in tables]
    assert max(meetings(results).values()) == 1


@pytest.fixture
def four(tmp_path):
    made = Tournament(tmp_path / "t.json", NAMES[:4], ["one"])
    assert made.start_round() == ""
    return made


def piles(*counts, finished=True):
    return {"piles": dict(zip(("north", "south"), counts, strict=True)), "finished": finished}


def test_a_finished_game_places_its_players_and_frees_the_table(four):
    first, second = four.rounds[0].pairings
    assert (first.table, second.table) == ("one", "")
    four.ended("one", piles(12, 30), review=False)
    assert first.places == {first.players[0]: 2, first.players[1]: 1}
    assert second.table == "one"
    assert four.start_round() == "refused.round_open"
    four.ended("one", piles(20, 20), review=False)
    assert set(second.places.values()) == {1}
    assert four.start_round() == ""


@pytest.mark.parametrize(
    ("result", "review", "why"),
    [
        (piles(3, 2), True, "review"),
        (piles(3, 2, finished=False), False, "unfinished"),
        ({"piles": {"west": 3, "east": 2}, "finished": True}, False, "seats"),
        ({"piles": {}}, False, "seats"),
    ],
)
def test_what_the_rulings_leave_open_is_asked_and_not_guessed(four, result, review, why):
    four.ended("one", result, review=review)
    pairing = four.rounds[0].pairings[0]
    assert (pairing.places, pairing.open) == ({}, why)
    assert four.say(0, [[pairing.players[1]], [pairing.players[0]]]) == ""
    assert (pairing.places[pairing.players[1]], pairing.said, pairing.open) == (1, True, "")


@pytest.mark.parametrize(
    "order", [[], [["nobody"]], [["player 1"], ["player 1"]], [["player 1", "player 2"], ["player 1"]]]
)
def test_a_result_that_is_none_is_refused(four, order):
    assert four.say(0, order) == "refused.now"
    assert four.say(99, [["player 1"]]) == "refused.now"
    assert four.results == []


def test_a_tournament_goes_on_where_it_was_and_newcomers_join(four):
    four.ended("one", piles(12, 30), review=False)
    again = Tournament(four.path, [*NAMES[:4], "late"], ["one"])
    assert again.results == four.results
    assert again.rounds[0].pairings[1].table == "one"
    again.ended("one", piles(1, 2), review=False)
    assert again.start_round() == ""
    assert "late" in {again.rounds[1].bye, *(n for p in again.rounds[1].pairings for n in p.players)}


@pytest.mark.parametrize("names", [[], ["one"], ["a", "A "], ["a", "b" * 50], ["a", "b\x00"], ["x"] * 300])
def test_names_that_cannot_be_used_are_refused(tmp_path, names):
    with pytest.raises(UsageError):
        Tournament(tmp_path / "t.json", names, ["one"])


def test_a_spoilt_file_is_said_and_not_overwritten(tmp_path):
    path = tmp_path / "t.json"
    path.write_text('[{"pairings": 3}]')
    with pytest.raises(UsageError, match="no tournament"):
        Tournament(path, NAMES[:4], ["one"])
    assert path.read_text() == '[{"pairings": 3}]'


def test_a_scorer_starts_rounds_and_a_screen_looks_on(tmp_path):
    async def visit():
        port = free_port()
        held = Tournament(tmp_path / "t.json", NAMES[:4], ["one", "two"])
        async with serve(tmp_path, port, tables=("one", "two"), tournament=held) as site, Visitor(port) as guest:
            assert (await guest.get("/screen/overview"))[0] == 401
            for role in ("screen", "scorer", "player"):
                await guest.enter(site.keys.table("one")[role])
            assert [(await guest.get(f"/{r}/overview"))[0] for r in ("screen", "scorer", "player")] == [200, 200, 404]
            async with guest.socket("screen/overview") as screen, guest.socket("scorer/overview") as scorer:
                await screen.send_json({"do": "start_round"})
                assert (await until(screen, lambda m: m["type"] == "refused"))["why"] == "refused.role"
                await scorer.send_json({"do": "start_round"})
                told = await until(screen, lambda m: m["type"] == "overview" and m["tournament"]["round"] == 1)
                assert [t["name"] for t in told["tables"]] == ["one", "two"]
                assert set(told["tables"][0]["names"]) == {"north", "south"}
                await scorer.send_json({"do": "start_round"})
                assert (await until(scorer, lambda m: m["type"] == "refused"))["why"] == "refused.round_open"
                for n, pairing in enumerate(told["tournament"]["pairings"]):
                    await scorer.send_json({"do": "result", "number": n, "order": [[p] for p in pairing["players"]]})
                done = await until(screen, lambda m: m["type"] == "overview" and m["tournament"]["over"])
                assert done["tournament"]["standings"][0]["points"] == 1

    asyncio.run(visit())
