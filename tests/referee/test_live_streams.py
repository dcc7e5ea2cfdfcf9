"""From messages to pictures and sound: the wire, the order, what is kept, the pace."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_helpers import GAME, greeting, pack, staged

from audio.decode import blocks
from referee.live import feed, wire
from referee.live.feed import Picture, Sound
from referee.live.judging import Inlet, PatientRecord
from referee.live.keeping import MediaFile
from referee.live.naming import Names
from referee.live.pace import STEPS, Pace
from referee.live.session import MOST_WAITING_S, Session
from referee.record import Header
from vision.decode import frames

HELLO = wire.greeting(greeting())


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_refused(data):
    try:
        message = wire.parse(data)
    except wire.WireError:
        return
    assert pack(message.kind, message.sequence, message.stamp, message.payload, alone=message.alone) == data


@given(
    st.dictionaries(
        st.sampled_from([*greeting()]), st.one_of(st.none(), st.integers(), st.text(), st.lists(st.integers()))
    )
)
def test_any_greeting_is_understood_or_refused(changes):
    try:
        hello = wire.greeting({**greeting(), **changes})
    except wire.WireError:
        return
    assert 8000 <= hello.rate <= 192_000


def test_what_the_browser_still_does_to_the_sound_is_known():
    sound = {"echoCancellation": True, "noiseSuppression": False, "autoGainControl": None}
    assert wire.greeting(greeting(sound=sound)).altered == ("echoCancellation",)


def session(folder):
    return Session(HELLO, Inlet.new(), folder / "kept.mkv")


def sound_message(number, first=0):
    return wire.parse(pack(wire.SOUND, number, first, np.full(200, number, "<i2").tobytes()))


def test_doubled_and_late_messages_are_dropped(tmp_path):
    table = session(tmp_path)
    for number in (0, 1, 1, 0, 2):
        table.take(sound_message(number, 100 * number))
    assert (table.expected, table.lost, len(table.inlet.sound)) == (3, 0, 3)


def test_a_phone_is_held_back_for_a_slow_ear_as_for_a_slow_eye(tmp_path):
    table = session(tmp_path)
    rate = table.greeting.rate
    for number in range(35):
        table.take(sound_message(number, number * rate))
        assert table.full == (number > MOST_WAITING_S)
    reading = iter(table.inlet.sound)
    for _ in range(10):
        next(reading)
    assert table.waiting_s == 24.0
    assert not table.full


def test_after_a_gap_pictures_wait_for_one_that_stands_alone(tmp_path):
    table = session(tmp_path)
    for number, alone in ((0, True), (1, False), (4, False), (5, False), (6, True), (7, False)):
        table.take(wire.parse(pack(wire.PICTURE, number, 1000 * (1 + 40 * number), b"x", alone=alone)))
    assert table.lost == 2
    table.inlet.close()
    assert [p.time_ms for p in table.inlet.pictures] == [1, 41, 241, 281]


def test_time_never_runs_backwards(tmp_path):
    table = session(tmp_path)
    for number, ms in enumerate((10, 50, 50, 20, 90)):
        table.take(wire.parse(pack(wire.PICTURE, number, 1000 * ms, b"x", alone=True)))
    table.inlet.close()
    assert [p.time_ms for p in table.inlet.pictures] == [10, 50, 90]


def test_what_may_be_needed_again_is_not_let_go(tmp_path):
    table = session(tmp_path)
    for second in range(60):
        table.take(wire.parse(pack(wire.PICTURE, second, 1_000_000 * second, b"x", alone=True)))
    assert table.safe == 0
    table.final_s = 40.0
    assert table.safe == 32


def test_the_kept_file_is_decoded_to_what_eye_and_ear_got(tmp_path):
    if not GAME.exists():
        pytest.skip("the staged games are not here")
    messages, hello, _ = staged(until_s=1.0)
    table = Session(wire.greeting(hello), Inlet.new(), tmp_path / "kept.mkv")
    for _, data in messages:
        table.take(wire.parse(data))
    table.close()
    live = [(f.time_s, f.luma().copy()) for f in feed.pictures(table.inlet.pictures, "h264")]
    kept = [(f.time_s, f.luma().copy()) for f in frames(tmp_path / "kept.mkv")]
    assert len(live) == len(kept) > 8
    assert all(a[0] == b[0] and (a[1] == b[1]).all() for a, b in zip(live, kept, strict=True))
    heard = list(feed.sound(table.inlet.sound, 48000))
    again = list(blocks(tmp_path / "kept.mkv"))
    assert heard[0].time_s == again[0].time_s == 0.0
    whole, other = (np.concatenate([b.samples for b in bs], axis=1) for bs in (heard, again))
    assert (whole == other).all()


@pytest.mark.parametrize("gap_ms", [5, 300, 5000])
def test_gaps_in_sound_are_treated_as_in_the_kept_file(tmp_path, gap_ms):
    table = session(tmp_path)
    table.take(wire.parse(pack(wire.PICTURE, 0, 0, vp8(), alone=True)))
    noise = np.random.default_rng(3).integers(-9000, 9000, (40, 2 * 480)).astype("<i2")
    for number, block in enumerate(noise):
        first = 480 * number + (48 * gap_ms if number >= 20 else 0)
        table.take(wire.parse(pack(wire.SOUND, number + 1, first, block.tobytes())))
    table.close()
    live, kept = list(feed.sound(table.inlet.sound, 48000)), list(blocks(tmp_path / "kept.mkv"))
    assert np.array_equal(joined(live), joined(kept))
    assert {b.time_s for b in kept} & {live[0].time_s, 5.2} == ({0.0, 5.2} if gap_ms == 5000 else {0.0})


def joined(pieces):
    return np.concatenate([b.samples for b in pieces], axis=1)


def vp8():
    """One picture, so that the file can begin."""
    messages, _, _ = staged(until_s=0.05)
    return next(wire.parse(data).payload for _, data in messages if data[0] == wire.PICTURE)


def test_a_full_disk_stops_keeping_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr("referee.live.keeping.shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    kept = MediaFile(tmp_path / "kept.mkv", HELLO)
    kept.picture(Picture(0, True, vp8()))
    kept.sound(Sound(0, np.zeros((2, 480), np.float32)))
    kept.close()
    assert kept.trouble == "full"


def test_a_folder_that_is_gone_stops_keeping_and_nothing_else(tmp_path):
    kept = MediaFile(tmp_path / "nowhere" / "kept.mkv", HELLO)
    kept.picture(Picture(0, True, vp8()))
    kept.close()
    assert kept.trouble == "error"


def test_rulings_wait_for_room_on_the_disk_and_come_in_order(tmp_path, monkeypatch):
    record = PatientRecord(tmp_path / "a.record.jsonl", Header(game="rock"))
    write = record._write
    monkeypatch.setattr(record, "_write", lambda *_, **__: (_ for _ in ()).throw(OSError(28, "No space left")))
    record.result({"rounds": 1})
    record.result({"rounds": 2})
    assert record.behind
    monkeypatch.setattr(record, "_write", write)
    record.result({"rounds": 3})
    record.close()
    assert not record.behind
    said = (tmp_path / "a.record.jsonl").read_text().splitlines()[1:]
    assert [line.split('"rounds": ')[1][0] for line in said] == ["1", "2", "3"]


def test_games_of_one_evening_get_names_of_their_own(tmp_path):
    names = Names(tmp_path / "out", "kitchen")
    first = names.next_game()
    first[0].touch()
    assert names.next_game()[0] != first[0]
    assert "kitchen" in first[1].name


def test_old_recordings_make_room_and_nothing_else_does(tmp_path):
    names = ["2026-01-01-table-1.mkv", "2026-01-02-table-1-part2.mkv", "2026-01-03-table-1.mkv"]
    others = ["holiday.mkv", "2026-01-01-kitchen-1.mkv", "2026-01-04-table-9.mkv"]  # not ours, another's, no record
    for age, name in enumerate([*names, *others]):
        (tmp_path / name).write_bytes(b"x" * 100)
        os.utime(tmp_path / name, (1e9 + age, 1e9 + age))
    for name in ("2026-01-01-table-1", "2026-01-02-table-1", "2026-01-03-table-1", "2026-01-01-kitchen-1"):
        (tmp_path / f"{name}.record.jsonl").write_text("{}")
    assert [p.name for p in Names(tmp_path, "table", 150).make_room()] == names[:2]
    assert Names(tmp_path, "table").make_room() == []
    assert all((tmp_path / name).exists() for name in (*others, "2026-01-01-table-1.record.jsonl"))


def test_the_pace_falls_while_the_eye_is_behind_and_rises_when_it_has_caught_up():
    pace, seen = Pace(), []
    for _ in range(400):
        pace.saw(2.0)
        seen.append(pace.rate)
    assert seen[-1] == STEPS[-1]
    assert sorted(seen, reverse=True) == seen
    for _ in range(40_000):
        pace.saw(0.0)
    assert pace.rate == pace.most


def test_the_pace_does_not_swing():
    pace, changes = Pace(), 0
    for _ in range(20_000):  # an eye that can just follow twenty pictures a second
        changes += pace.saw(0.05 if pace.rate <= 20 else 1.0)
    assert pace.rate in STEPS
    assert changes < 30


def test_a_microphone_that_runs_fast_is_followed():
    from referee.live.local import SoundClock

    clock, rng = SoundClock(48000), np.random.default_rng(1)
    for second in range(3600):  # 50 millionths fast, delays of up to 30 ms
        clock.arrived(round(48000 * (second + 1) * (1 + 50e-6)), 100.0 + second + 1 + rng.uniform(0.005, 0.035))
    late = clock.zero + 3600 * (1 + 50e-6) - (100.0 + 3600)
    assert abs(late) < 0.04


def test_a_stream_that_was_dropped_says_so():
    whole, cut = feed.Stream(), feed.Stream()
    for stream in (whole, cut):
        stream.put(1)
    whole.close()
    assert list(whole) == [1]
    whole.drop()
    cut.drop()
    assert (whole.dropped, cut.dropped, list(cut)) == (False, True, [])


def test_sound_that_stops_is_missed(tmp_path):
    table = session(tmp_path)
    for number in range(60):
        table.take(wire.parse(pack(wire.PICTURE, number, 100_000 * number, b"x", alone=True)))
    assert table.missing == "sound"
    table.take(sound_message(60, 48 * 5500))
    assert table.missing == ""
