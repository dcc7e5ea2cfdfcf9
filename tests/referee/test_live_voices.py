"""Voices that are learnt at a table with one microphone, before the first round."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest
from live_helpers import ROOT, Visitor, free_port, greeting, serve, until

import models
from audio.decode import blocks
from referee.bench.games import read_game
from referee.errors import UsageError
from referee.events import CallHeard, Type
from referee.live import learnt
from referee.live.early import listen
from referee.live.players import Heard
from referee.live.settings import request_of
from referee.live.voicing import MOST_TAKES, TURN_S, Voicing
from referee.media import AudioBlock

RATE = 16000
ONE_PHONE = ROOT / "fixtures" / "games" / "three-one-phone.mp4"


def word(time_s, kind=Type.ROCK, **more):
    base = {"sigma_ms": 3.0, "end_s": time_s + 0.4, "word": str(kind), "language": "en", "probability": 0.97}
    return CallHeard(time_s=time_s, type=kind, **{**base, **more})


def listening(seconds=40.0):
    """Voicing that has heard a hum of noise."""
    made, rng = Voicing(), np.random.default_rng(2)
    for second in np.arange(0, seconds, 0.5):
        made.listen(AudioBlock(float(second), 0.1 * rng.standard_normal((1, RATE // 2)).astype(np.float32), RATE))
    return made


def test_a_word_is_the_take_of_whose_turn_it_wholly_was():
    made = listening()
    made.turn("north", 33.0)
    made.turn("south", 36.0)
    assert made.heard(word(32.5), 99) == ""  # begun before anybody's turn
    assert made.heard(word(34.0), 99) == "north"
    assert made.heard(word(35.8), 99) == ""  # on the border of two turns
    assert made.heard(word(37.0, Type.PAPER), 99) == "south"
    assert made.heard(word(37.5, accepted=False, reason="unsure"), 99) == ""
    assert made.state() == {"seat": "south", "known": {"north": 1, "south": 1}}


def test_the_first_card_ends_the_turn_and_so_does_time():
    made = listening()
    made.turn("north", 33.0)
    assert made.heard(word(34.0), 34.2) == ""  # a card may have been shown by then: the eye is not there yet
    made.turn("", 35.0)
    assert made.heard(word(36.0), 99) == ""
    made.turn("north", 36.0 - TURN_S)
    assert made.heard(word(36.0), 99) == ""
    assert made.voices.takes == {}


def test_no_more_takes_are_kept_than_are_of_use():
    made = listening()
    made.turn("north", 33.0)
    assert {made.heard(word(34.0 + n / 10), 99) for n in range(2 * MOST_TAKES)} == {"north"}
    assert len(made.voices.takes["north"]["rock"]) == MOST_TAKES


def test_who_called_is_told_by_voice_only_if_everybody_is_known():
    made = listening()
    for seat, at_s in (("north", 33.0), ("south", 36.0)):
        made.turn(seat, at_s)
        made.heard(word(at_s + 1), 99)
    told = word(38.0, seats={"north": 0.9, "south": 0.08}, tier="voice")
    assert made.checked(told, ("north", "south")) == told
    assert made.checked(told, ("north", "east", "south")).seats == {}
    assert made.checked(told, ()).tier == "none"
    own = word(38.0, seats={"ch0": 0.9}, tier="own")
    assert made.checked(own, ("north", "east")) == own


@pytest.mark.parametrize(("channels", "role", "why"), [(1, "scorer", None), (2, "scorer", "refused.now"),
                                                       (1, "screen", "refused.role")])  # fmt: skip
def test_the_scorer_says_whose_turn_it_is_where_one_microphone_listens(tmp_path, channels, role, why):
    async def visit():
        port = free_port()
        async with serve(tmp_path, port) as site, Visitor(port) as guest:
            for who in ("camera", role):
                await guest.enter(site.keys.table("table")[who])
            async with guest.socket("camera") as camera, guest.socket(role) as screen:
                await camera.send_json(greeting(channels=channels))
                await until(camera, lambda m: m["type"] == "ready")
                await screen.send_json({"do": "voice", "seat": "east"})
                if why:
                    assert (await until(screen, lambda m: m["type"] == "refused"))["why"] == why
                else:
                    await until(screen, lambda m: (m.get("voicing") or {}).get("seat") == "east")
                    await screen.send_json({"do": "forget"})  # nothing was learnt yet
                    assert (await until(screen, lambda m: m["type"] == "refused"))["why"] == "refused.now"
                    await screen.send_json({"do": "voice", "seat": "the door"})
                    assert (await until(screen, lambda m: m["type"] == "refused"))["why"] == "refused.now"
                await camera.send_json({"do": "end"})
                await until(camera, lambda m: m.get("phase") == "ended")

    asyncio.run(visit())


def test_a_voice_that_is_not_kept_is_said_at_the_start(tmp_path):
    with pytest.raises(UsageError, match="no voice of Nobody is kept"):
        request_of(tmp_path, seats=(), voices={"north": "Nobody", "south": "Anna"})


def test_a_learnt_voice_tells_who_called_while_people_play():
    """The ear of a live table, one microphone; one voice is the caller's own, the other one speaks another way."""
    if not ONE_PHONE.exists():
        pytest.skip("the staged games are not here")
    game = read_game(ONE_PHONE)
    first = next(t for t in game.truth if t["decided_by"] == "call")
    called = first["calls"][0]
    heard = [block for block in blocks(ONE_PHONE) if block.time_s < called["onset_s"] + 4]
    model = models.open_call_model((called["language"],))
    made = Voicing()
    for block in heard:
        made.listen(block)
    made.turn(called["seat"], called["onset_s"] - 1)
    said = word(called["onset_s"], Type(called["type"]), word=called["word"])
    assert made.heard(replace(said, end_s=called["onset_s"] + called["speech_s"]), 99) == called["seat"]
    hum = 0.1 * np.sin(np.arange(heard[0].rate // 2) * 0.2).astype(np.float32)
    made.voices.enroll("elsewhere", called["word"], hum, heard[0].rate)
    told = [
        item
        for item in listen((Heard(block, None) for block in heard), model, lambda *_: None, made.voices)
        if isinstance(item, CallHeard) and item.accepted and abs(item.time_s - called["onset_s"]) < 0.2
    ]
    assert [(max(c.seats, key=c.seats.get), c.tier) for c in told] == [(called["seat"], "voice")]


def test_learnt_voices_are_kept_until_they_are_forgotten(tmp_path):
    record = tmp_path / "2026-01-01-table-3.record.jsonl"
    made = listening()
    made.changed = lambda voices: learnt.keep(record, voices)
    made.turn("north", 33.0)
    made.heard(word(34.0), 99)
    again = learnt.known(record)
    assert set(again.takes) == {"north"}
    assert np.array_equal(again.takes["north"]["rock"][0], made.voices.takes["north"]["rock"][0])
    made.forget()
    assert list(tmp_path.iterdir()) == []
    assert learnt.known(record).takes == {}
    assert made.heard(word(34.5), 99) == ""  # and it is nobody's turn any more
    learnt.path_of(record).write_bytes(b"no voices")
    assert learnt.known(record).takes == {}


def test_voices_of_games_that_were_never_finished_go_when_another_one_begins(tmp_path):
    mine = [tmp_path / f"2026-01-0{n}-table-{n}.record.voices.npz" for n in (1, 2)]
    others = [tmp_path / f"2026-01-01-{name}-1.record.voices.npz" for name in ("other", "table-b")]
    for path in [*mine, *others]:
        path.write_bytes(b"kept")
    learnt.forget_all(tmp_path, "table")
    assert sorted(tmp_path.iterdir()) == sorted(others)
