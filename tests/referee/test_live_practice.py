"""Practice: what is told after a deal, by a real call through the real ear, and by silence."""

import asyncio
import json

import numpy as np
import pytest
from live_helpers import GAME, PATIENCE_S, Visitor, free_port, pack, serve

from audio.decode import blocks
from referee.events import Type
from referee.live import wire
from referee.live.practice import Trial

HELLO = {"session": "ee" * 16, "seat": "south", "rate": 48000, "channels": 1, "sound": {}}
ONSET_S = 3.581
"""Of "scissors" in the staged game, by its truth file (at the microphone it reaches first)."""


def test_a_trial_knows_what_is_due():
    assert Trial((Type.PAPER, Type.SCISSORS)).due is Type.SCISSORS
    assert Trial((Type.ROCK, Type.ROCK)).due is None


@pytest.fixture(scope="module")
def speech():
    if not GAME.exists():
        pytest.skip("the staged games are not here")
    samples = np.concatenate([b.samples for b in blocks(GAME)], axis=1)[0]
    return np.clip(np.round(samples * 32768), -32768, 32767).astype("<i2")


def practise(folder, monkeypatch, cards, sound, shown_s):
    """One deal of these cards, shown at a time of this sound; gives the result and what was kept."""
    chosen = iter(cards)
    monkeypatch.setattr("random.SystemRandom.choice", lambda *_: next(chosen))

    async def run():
        port = free_port()
        async with serve(folder, port) as site, Visitor(port) as guest:
            await guest.enter(site.keys.table("table")["player"])
            assert (await guest.get("/player/practice"))[0] == 200
            async with guest.socket("player/practice") as socket:
                await socket.send_json(HELLO)
                assert (await socket.receive_json())["type"] == "ready"
                await socket.send_json({"do": "deal"})
                assert (await socket.receive_json()) == {"type": "dealt", "cards": [c.value for c in cards]}
                await socket.send_json({"do": "shown", "time_s": shown_s})
                for number, first in enumerate(range(0, len(sound), 4800)):
                    await socket.send_bytes(pack(wire.SOUND, number, first, sound[first : first + 4800].tobytes()))
                async with asyncio.timeout(PATIENCE_S):
                    async for message in socket:
                        if (given := json.loads(message.data))["type"] == "result":
                            return given
        raise AssertionError("nothing was told")

    return asyncio.run(run()), json.loads((folder / "out" / "practice.jsonl").read_text())


def test_a_right_call_is_timed(tmp_path, monkeypatch, speech):
    result, kept = practise(tmp_path, monkeypatch, (Type.PAPER, Type.SCISSORS), speech[3 * 48000 : 5 * 48000], 0.1)
    assert (result["called"], result["right"]) == ("scissors", True)
    assert abs(result["reaction_ms"] - 1000 * (ONSET_S - 3.1)) < 60
    assert {k: v for k, v in result.items() if k != "type"} == {k: v for k, v in kept.items() if k != "when"}


def test_silence_is_right_when_the_cards_are_alike(tmp_path, monkeypatch):
    result, _ = practise(tmp_path, monkeypatch, (Type.ROCK, Type.ROCK), np.zeros(round(4.3 * 48000), "<i2"), 0.5)
    assert (result["called"], result["due"], result["right"], result["reaction_ms"]) == (None, None, True, None)


def test_practice_needs_the_players_key(tmp_path):
    async def run():
        port = free_port()
        async with serve(tmp_path, port) as site, Visitor(port) as guest:
            await guest.enter(site.keys.table("table")["screen"])
            assert (await guest.get("/player/practice"))[0] == 401
            assert (await guest.get("/player/practice/socket", headers=guest.origin))[0] == 401

    asyncio.run(run())
