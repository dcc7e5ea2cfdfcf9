"""Hours of play as fast as the machine allows: a short piece of it, and what is made of what was read."""

import asyncio
import json

import pytest
from click.testing import CliRunner
from live_helpers import GAME, lines

from referee.bench import soak
from referee.bench.games import read_game
from referee.bench.phone import Phone, staged
from referee.commands.bench import command
from referee.errors import UsageError


def test_a_stream_that_waits_for_no_clock_is_judged_to_its_end(monkeypatch):
    if not GAME.exists():
        pytest.skip("the staged games are not here")
    monkeypatch.setattr(soak, "SAMPLED_S", 0.2)
    played = soak.Soak([read_game(GAME)], 11.0)
    phone = Phone(staged(GAME, until_s=5.6, rate=soak.PICTURES, size=soak.SIZE), 50.0, -50.0, block=soak.SAMPLES)
    asyncio.run(played.play(phone))
    (record,) = played.records()
    assert lines(record, "result")
    assert [(r["outcome"], r["awards"]) for r in lines(record, "ruling")][:1] == [("won", {"north": 2})]
    assert 10.9 < played.at_s < 11.5
    assert played.held
    assert all(0 <= at <= 11.5 and server > 0 and eye > 0 for at, server, eye in played.held)


def test_growth_is_told_of_what_follows_the_beginning():
    held = [(t, 500.0 if t < 900 else 200.0 + t / 3600 * 7, 100.0) for t in range(0, 3600, 60)]
    assert soak.growth(held) == {"server_mb_an_hour": 7.0, "eye_mb_an_hour": 0.0}
    assert soak.growth([]) == soak.growth(held[:3]) == {}


def test_repetitions_that_are_ruled_otherwise_are_counted_and_told_of(tmp_path, monkeypatch):
    each = [
        {"round": turn + 1, "time_s": 10.0 * turn + 4, "outcome": "won", "awards": {"north": 2}, "revision": 0}
        for turn in range(5)
    ]
    each[2] |= {"outcome": "open", "reviews": ["card_unread", "beyond_deal"]}
    each[1] |= {"awards": {"south": 2}, "reviews": ["beyond_deal"]}
    monkeypatch.setattr(soak, "read_record", lambda _: type("Record", (), {"rulings": each}))
    phone = type("Phone", (), {"begins_s": lambda _, n: 10.0 * n, "game": type("Game", (), {"lasts_s": 10.0})})()
    found = soak.alike(tmp_path, phone, 50.0)
    assert found.figures == {"turns": 5, "rulings": 5, "turns_ruled_otherwise": 2, "turns_otherwise_unasked": 1}
    assert found.notes[1] == "repetition 2, round 3: open, asked: card_unread, beyond_deal"
    each.pop(4)
    assert soak.alike(tmp_path, phone, 50.0).notes[2] == "repetition 4, round 0: no ruling, asked: "


def test_hours_belong_to_the_live_bench():
    done = CliRunner().invoke(command, ["rules", "--hours", "1"], standalone_mode=False)
    assert isinstance(done.exception, UsageError)
    assert "belongs to the bench live" in json.dumps(str(done.exception))
