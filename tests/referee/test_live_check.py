"""Can everybody be heard, and may this phone take part in a ranked game?"""

import asyncio
import json

import pytest
from live_helpers import PATIENCE_S, Visitor, free_port, greeting, lines, serve

from referee.events import CallHeard, Type
from referee.live.soundcheck import SoundCheck

OFF = {"echoCancellation": False, "noiseSuppression": False, "autoGainControl": False}


def call(kind, seats, *, accepted=True):
    return CallHeard(
        time_s=1.0,
        sigma_ms=3.0,
        end_s=1.4,
        type=kind,
        word=str(kind),
        language="en",
        probability=0.97,
        seats=seats,
        tier="own",
        accepted=accepted,
    )


def test_each_voice_is_shown_with_the_words_that_were_understood():
    check = SoundCheck()
    assert check.heard([call(Type.ROCK, {"south": 0.99}), call(Type.PAPER, {"ch0": 0.98, "ch1": 0.02})])
    assert not check.heard([call(Type.ROCK, {"south": 0.99})])
    assert check.heard([call(Type.SCISSORS, {"south": 0.99}), call(Type.ROCK, {})])
    assert check.state() == [
        {"who": "south", "words": ["rock", "scissors"]},
        {"who": "", "words": ["rock"]},
        {"who": "ch0", "words": ["paper"]},
    ]


def test_what_was_not_accepted_or_is_nobodys_for_sure_is_not_a_players():
    check = SoundCheck()
    assert not check.heard([call(Type.ROCK, {"south": 0.99}, accepted=False), call(None, {"south": 0.99})])
    check.heard([call(Type.ROCK, {"south": 0.6, "north": 0.4})])
    assert check.state() == [{"who": "", "words": ["rock"]}]


def test_who_was_not_heard_is_named_only_where_voices_can_be_told_apart():
    check = SoundCheck()
    check.heard([call(Type.ROCK, {})])
    assert check.unheard(["north", "south"]) == []
    check.heard([call(Type.ROCK, {"south": 0.99})])
    assert check.unheard(["north", "south"]) == ["north"]


async def first_of(socket, *kinds):
    async with asyncio.timeout(PATIENCE_S):
        async for message in socket:
            if (given := json.loads(message.data))["type"] in kinds:
                return given
    return {"type": "closed"}


@pytest.mark.parametrize("kept_on", sorted(OFF))
def test_a_ranked_table_refuses_altered_sound_and_a_friendly_game_goes_on(tmp_path, kept_on):
    altered = {**OFF, kept_on: True}

    async def visit():
        port = free_port()
        async with serve(tmp_path, port, ranked=True, game="tournament") as site, Visitor(port) as guest:
            for role in ("camera", "player"):
                await guest.enter(site.keys.table("table")[role])
            async with guest.socket("camera") as camera:
                await camera.send_json(greeting(sound=altered))
                assert await first_of(camera, "ready", "unranked") == {"type": "unranked", "altered": [kept_on]}
            assert site.hub.tables["table"].session is None
            async with guest.socket("camera") as camera:
                await camera.send_json(greeting(sound=altered, friendly=True))
                assert (await first_of(camera, "ready", "unranked"))["type"] == "ready"
                assert site.hub.tables["table"].state()["ranked"] is False
                async with guest.socket("player") as player:  # nothing is ranked here: it may join
                    await player.send_json(
                        {"session": "ab" * 16, "seat": "south", "rate": 48000, "channels": 1, "sound": altered}
                    )
                    assert (await first_of(player, "ready", "unranked"))["type"] == "ready"

    asyncio.run(visit())
    header = lines(next((tmp_path / "out").glob("*.record.jsonl")), "header")[0]
    assert (header["ranked"], header["altered"]) == (False, [kept_on])
    assert kept_on in header["unranked"]


def test_in_a_ranked_game_a_players_phone_with_altered_sound_is_refused(tmp_path):
    async def visit():
        port = free_port()
        async with serve(tmp_path, port, ranked=True, game="tournament") as site, Visitor(port) as guest:
            for role in ("camera", "player"):
                await guest.enter(site.keys.table("table")[role])
            async with guest.socket("camera") as camera, guest.socket("player") as player:
                await camera.send_json(greeting())
                assert (await first_of(camera, "ready", "unranked"))["type"] == "ready"
                hello = {
                    "session": "ab" * 16,
                    "seat": "south",
                    "rate": 48000,
                    "channels": 1,
                    "sound": {**OFF, "autoGainControl": True},
                }
                await player.send_json(hello)
                assert (await first_of(player, "ready", "unranked"))["type"] == "unranked"
            assert site.hub.tables["table"].state()["ranked"] is True

    asyncio.run(visit())
    header = lines(next((tmp_path / "out").glob("*.record.jsonl")), "header")[0]
    assert header["ranked"] is True
    assert "unranked" not in header
