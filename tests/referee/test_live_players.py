"""Players' own phones: clocks that differ by seconds and run apart, phones that leave, seats that are taken."""

import asyncio
from types import SimpleNamespace

import numpy as np
import pytest
from live_helpers import ROOT, Visitor, free_port, pack, serve, until

from audio.decode import blocks
from referee.live import wire
from referee.live.aligning import Aligner, Lag, Ring
from referee.live.players import Player, Players, between
from referee.media import AudioBlock

FELT = ROOT / "fixtures" / "games" / "four-on-felt.mkv"
RATE = 48000


@pytest.fixture(scope="module")
def voices():
    """A staged game with a microphone a player."""
    if not FELT.exists():
        pytest.skip("the staged games are not here")
    return np.concatenate([b.samples for b in blocks(FELT)], axis=1)[:, : 24 * RATE]


def phone(own, offset_s, ppm):
    """What a phone records whose clock is ahead by an offset and runs fast: first sample's number, samples."""
    first, last = int((offset_s + 0.2) * RATE), int((offset_s + own.shape[0] / RATE - 0.2) * RATE)
    numbers = np.arange(first, last)
    return first, between([(0, own)], (numbers / RATE - offset_s) / (1 + ppm * 1e-6) * RATE)


@pytest.mark.parametrize(("channel", "offset_s", "ppm"), [(0, 3.7, 50), (1, 121.3, -50), (3, 0.9, 0)])
def test_clocks_are_aligned_within_two_milliseconds(voices, channel, offset_s, ppm):
    noise = np.random.default_rng(5).normal(0, 2e-4, voices.shape[1]).astype(np.float32)
    table, theirs, aligner = Ring(RATE), Ring(RATE), Aligner()
    first, samples = phone(voices[channel], offset_s, ppm)
    errors = []
    for start in range(0, voices.shape[1] - RATE, RATE // 2):
        table.put(start, (voices.mean(axis=0) + noise)[start : start + RATE // 2])
        now = (start + RATE // 2) / RATE
        a = max(0, start - RATE // 2)
        theirs.put(first + a, samples[a:start])
        aligner.measure(table, theirs, offset_s + 0.4)
        if aligner.known:
            errors.append(1000 * (aligner.lag(now) - offset_s - now * ppm * 1e-6))
    assert len(errors) > 15
    assert max(abs(e) for e in errors) < 2.0
    assert aligner.error_ms < 2.0


@pytest.mark.parametrize("lost_ms", [6, 20, 120])
def test_a_device_that_loses_some_sound_is_aligned_anew(voices, lost_ms):
    """It goes on counting as if nothing had been lost, so that all it hears afterwards seems earlier."""
    table, theirs, aligner = Ring(RATE), Ring(RATE), Aligner()
    lost, ours, other = round(lost_ms * RATE / 1000), voices.mean(axis=0), voices[1]
    ours, other = (np.concatenate([one, one]) for one in (ours, other))
    broken = np.concatenate([other[: 12 * RATE], other[12 * RATE + lost :]])
    late = []
    for start in range(0, len(broken) - RATE, RATE // 2):
        table.put(start, ours[start : start + RATE // 2])
        theirs.put(start, broken[start : start + RATE // 2])
        aligner.measure(table, theirs, 0.0)
        assert aligner.error_ms is None or np.isfinite(aligner.error_ms)
        if aligner.known:
            now = (start + RATE // 2) / RATE
            late.append((now, 1000 * aligner.lag(now) + (lost_ms if now > 12 else 0.0)))
    assert max(abs(error) for now, error in late if now < 12) < 2.0
    assert max(abs(error) for now, error in late if now > 32) < 2.0


def test_lags_that_disagree_by_halves_are_no_clock():
    aligner = Aligner()
    for n, lag_s in enumerate((0.0, 0.001, 0.03, 0.03, 0.0, 0.03, 0.03, 0.03)):
        aligner._take(Lag(float(n), lag_s))
        assert aligner.error_ms is None or np.isfinite(aligner.error_ms)
        assert np.isfinite(aligner.lag(float(n)))


def test_sound_that_has_nothing_in_common_aligns_nothing():
    random, table, theirs, aligner = np.random.default_rng(6), Ring(RATE), Ring(RATE), Aligner()
    for start in range(0, 20 * RATE, RATE // 2):
        for ring in (table, theirs):
            ring.put(start, random.normal(0, 0.01, RATE // 2).astype(np.float32))
        aligner.measure(table, theirs, 0.0)
    assert not aligner.known


def hello(seat, session="ab" * 16, channels=1):
    return wire.Hello(session, seat, RATE, channels, ())


def aligned(players, seat, lag_s=0.0, session=None):
    player = players.join(seat, hello(seat, session or seat.encode().hex().ljust(16, "0")))
    player.aligner = SimpleNamespace(
        error_ms=1.0, lag=lambda _: lag_s, reset=lambda: None, measure=lambda *_: None, known=True
    )
    return player


def speak(player, seconds, value, first=0):
    raw = np.full(round(seconds * RATE), value, "<i2").tobytes()
    for number, start in enumerate(range(0, len(raw), 9600)):
        player.take(wire.parse(pack(wire.SOUND, player.expected, first + start // 2, raw[start : start + 9600])))
        assert number < 1000


def camera(seconds):
    size = RATE // 10
    for k in range(round(10 * seconds)):
        yield AudioBlock(k / 10, np.zeros((2, size), np.float32), RATE)


def test_with_every_seat_there_the_ear_hears_a_microphone_a_player():
    players = Players()
    for seat, value in (("south", 2000), ("north", 1000)):
        speak(aligned(players, seat, lag_s=0.5), 3.0, value)
    heard = list(players.mixed(camera(1.0), lambda: ("north", "south")))
    assert {(h.layout, h.seats) for h in heard[5:]} == {("own", ("north", "south"))}
    assert np.allclose(heard[5].block.samples[0] * 32768, 1000, atol=1)
    assert np.allclose(heard[5].block.samples[1] * 32768, 2000, atol=1)
    assert [h.block.time_s for h in heard] == [k / 10 for k in range(10)]


def test_a_phone_that_leaves_takes_its_microphone_and_nothing_else():
    players = Players()
    for seat in ("north", "south"):
        speak(aligned(players, seat, lag_s=0.5), 3.0, 500)
    heard = []
    for k, one in enumerate(players.mixed(camera(2.0), lambda: 2)):
        heard.append(one.layout)
        if k == 9:
            players.by_seat["north"].connected = False
    assert heard == [None] * 5 + ["own"] * 5 + [None] * 10


def test_one_phone_of_two_is_not_enough():
    players = Players()
    speak(aligned(players, "north"), 3.0, 500)
    assert {h.layout for h in players.mixed(camera(0.3), lambda: ("north", "south"))} == {None}


def test_a_seat_is_taken_once_and_its_own_phone_comes_back():
    players = Players()
    first = players.join("north", hello("north", "aa" * 16))
    assert players.join("north", hello("north", "bb" * 16)) is None
    first.connected = False
    assert players.join("north", hello("north", "aa" * 16)) is first
    moved = players.join("south", hello("south", "aa" * 16))
    assert (set(players.by_seat), moved.seat) == ({"south"}, "south")


def test_a_phone_that_slept_is_aligned_anew():
    player = Player("north", hello("north"))
    speak(player, 1.0, 100)
    player.aligner.error_ms = 1.0
    speak(player, 0.2, 100, first=5 * RATE)
    assert player.aligner.error_ms is None


def test_fractional_positions_follow_a_tone():
    at = np.arange(100, 40_000) * (1 + 50e-6) + 0.37
    tone = np.sin(2 * np.pi * 1000 * np.arange(48_000) / RATE).astype(np.float32)
    error = between([(0, tone[:20_000]), (20_000, tone[20_000:])], at) - np.sin(2 * np.pi * 1000 * at / RATE)
    assert float(np.abs(error).max()) < 1e-3


def test_a_player_joins_by_its_own_key_and_can_send_nothing_but_sound(tmp_path):
    async def visit():
        port = free_port()
        async with serve(tmp_path, port) as site, Visitor(port) as guest:
            keys = site.keys.table("table")
            await guest.enter(keys["player"])
            await guest.enter(keys["screen"])
            said = {"session": "cd" * 16, "seat": "east", "rate": RATE, "channels": 1, "sound": {}}
            async with guest.socket("player") as player, guest.socket("screen") as screen:
                await player.send_json(said)
                assert (await player.receive_json())["type"] == "ready"
                await player.send_bytes(pack(wire.SOUND, 0, 0, b"\0\1" * 2000))
                state = await until(screen, lambda m: m.get("players") and m["players"][0]["level_db"] > -100)
                assert (state["players"][0]["seat"], state["players"][0]["aligned"]) == ("east", False)
                await player.send_bytes(pack(wire.PICTURE, 1, 0, b"x", alone=True))
                state = await until(screen, lambda m: m.get("players") and not m["players"][0]["connected"])
            async with guest.socket("player") as wrong:
                await wrong.send_json({**said, "seat": "throne"})
                assert (await wrong.receive()).data == 1008

    asyncio.run(visit())
