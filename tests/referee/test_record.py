"""The record: written line by line, read with suspicion, never edited."""

import json
import os
import stat

import pytest
from helpers_rules import Table
from hypothesis import given
from hypothesis import strategies as st
from strategies import PROFILE, anything, corrections

from referee.errors import RecordError, UsageError
from referee.event_json import NAMES, FieldError, from_object, to_object
from referee.events import CallHeard, CardShown, Correction, RecordingEnded, SeenTo, Type
from referee.match import Match
from referee.record import FORMAT, Header, Record, dump, parse_record, read_record
from referee.record_writer import RecordWriter

HEADER = '{"type": "header", "format": 1, "game": "rock"}\n'


def write(path, events, game="rock", header=None):
    match = Match(game=game)
    with RecordWriter(path, header or Header(game=game, recording={"name": "x.mp4", "sha256": "0" * 64})) as writer:
        for event in events:
            writer.event(event)
            for ruling in match.feed(event):
                writer.ruling(ruling)
        writer.result(match.result())
    return match


def a_game():
    return Table().cards("RS").call("north", "R").gone("north").cards("PP").end().events


def test_a_record_holds_header_events_rulings_and_result(tmp_path):
    match = write(tmp_path / "r.jsonl", a_game())
    record = read_record(tmp_path / "r.jsonl")
    assert record.header.recording["name"] == "x.mp4"
    assert list(record.events) == a_game()
    assert list(record.rulings) == [json.loads(dump(ruling.to_json())) for ruling in match.rulings]
    assert record.result["piles"] == {"north": 2, "south": 0}
    assert not record.truncated
    kinds = [json.loads(line)["type"] for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert kinds[0] == "header"
    assert kinds[-1] == "result"
    assert kinds.count("ruling") == 2


def test_the_ruling_line_has_the_fields_that_were_agreed(tmp_path):
    write(tmp_path / "r.jsonl", a_game())
    line = read_record(tmp_path / "r.jsonl").rulings[0]
    agreed = ["type", "round", "time_s", "cards", "due", "decided_by", "first", "calls", "outcome", "awards", "pot"]
    agreed += ["piles", "review", "rule", "why"]
    assert list(line)[: len(agreed)] == agreed
    assert (line["cards"], line["due"]) == ({"north": "rock", "south": "scissors"}, "rock")
    assert set(line["first"]) >= {"seat", "type", "onset_s", "sigma_ms", "lead_ms"}
    assert line["why"] == (
        "North was first to call rock, the winning type, and takes 2 cards (rule rock.2p.call.correct)."
    )


def test_promises_are_not_recorded(tmp_path):
    write(tmp_path / "r.jsonl", [SeenTo(time_s=1.0), RecordingEnded(time_s=2.0)])
    assert read_record(tmp_path / "r.jsonl").events == (RecordingEnded(time_s=2.0),)


def test_every_line_is_on_its_way_to_the_disk_at_once(tmp_path):
    writer = RecordWriter(tmp_path / "r.jsonl", Header(game="rock"))
    writer.event(a_game()[0])
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 2
    writer.close()
    writer.close()


def test_a_record_cut_anywhere_in_its_last_line_opens_and_says_so(tmp_path):
    write(tmp_path / "r.jsonl", a_game())
    content = (tmp_path / "r.jsonl").read_bytes()
    start = content.rstrip(b"\n").rfind(b"\n") + 1
    whole = parse_record(content)
    for end in range(start + 1, len(content) - 1):
        cut = parse_record(content[:end])
        assert (cut.truncated, cut.entries) == (True, whole.entries[:-1])
    assert parse_record(content[:start]).truncated is False
    assert parse_record(content[:-1]) == whole


@pytest.mark.parametrize("missing", [0, 1, 30])
def test_writing_goes_on_after_a_crash(tmp_path, missing):
    path = tmp_path / "r.jsonl"
    write(path, a_game())
    content = path.read_bytes()
    path.write_bytes(content[: len(content) - missing])
    with RecordWriter(path) as writer:
        writer.result({"piles": {}})
    record = read_record(path)
    assert record.result == {"type": "result", "piles": {}}
    assert not record.truncated


def test_going_on_needs_a_record(tmp_path):
    (tmp_path / "r.jsonl").write_text("hello\n")
    with pytest.raises(RecordError, match="line 1"):
        RecordWriter(tmp_path / "r.jsonl")
    assert (tmp_path / "r.jsonl").read_text() == "hello\n"


def test_a_folder_that_cannot_be_written_is_said_in_one_line(tmp_path):
    with pytest.raises(UsageError, match=r"cannot write .*choose another folder"):
        RecordWriter(tmp_path / "nowhere" / "r.jsonl", Header(game="rock"))


@pytest.mark.skipif(os.name == "nt" or not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_a_full_disk_is_said_in_one_line():
    with pytest.raises(UsageError, match="No space left"):
        RecordWriter("/dev/full", Header(game="rock"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs permissions that bind")
def test_a_read_only_record_is_said_in_one_line(tmp_path):
    write(tmp_path / "r.jsonl", a_game())
    (tmp_path / "r.jsonl").chmod(stat.S_IRUSR)
    with pytest.raises(UsageError, match="cannot write"):
        RecordWriter(tmp_path / "r.jsonl")


@PROFILE
@given(st.one_of(anything, corrections))
def test_every_event_reads_back_as_it_was_written(event):
    text = dump(to_object(event))
    assert from_object(json.loads(text)) == event
    assert dump(to_object(from_object(json.loads(text)))) == text


def test_every_kind_of_event_has_a_name_and_every_name_a_kind():
    from referee import events

    kinds = {k for k in vars(events).values() if isinstance(k, type) and issubclass(k, events.Event)}
    assert set(NAMES.values()) == kinds - {events.Event}


header_values = st.dictionaries(st.text(max_size=5), st.one_of(st.integers(-5, 5), st.text(max_size=5)), max_size=3)


@PROFILE
@given(
    st.builds(
        Header,
        game=st.sampled_from(["rock", "hands"]),
        options=header_values,
        seats=st.one_of(st.none(), st.just(("north", "south"))),
        players=st.one_of(st.none(), st.integers(1, 8)),
        recording=header_values,
        models=st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2),
        extra=st.just({"deck": "poker"}),
    )
)
def test_every_header_reads_back_as_it_was_written(header):
    record = Record(header=header)
    assert parse_record(record.to_text()) == record


GOOD = '{"type": "event", "event": "card_shown", "time_s": 1.0, "seat": "north", "card": 1, "face": "rock"}'
BAD_LINES = {
    "not json": "hello",
    "a list": "[1, 2]",
    "a number": "12",
    "an unknown type of line": '{"type": "surprise"}',
    "no type of line": "{}",
    "an unknown event": '{"type": "event", "event": "earthquake", "time_s": 1}',
    "no event": '{"type": "event", "time_s": 1}',
    "an event of an odd kind": '{"type": "event", "event": ["x"], "time_s": 1}',
    "an unknown field": GOOD.replace('"card": 1', '"card": 1, "colour": "red"'),
    "the inner name of a field": GOOD.replace('"face"', '"type"'),
    "a missing field": GOOD.replace('"card": 1, ', ""),
    "an unknown type of card": GOOD.replace('"rock"', '"lizard"'),
    "a type of card that is a list": GOOD.replace('"rock"', '["rock"]'),
    "a word for a time": GOOD.replace("1.0", '"noon"'),
    "a yes for a time": GOOD.replace("1.0", "true"),
    "no number": GOOD.replace("1.0", "NaN"),
    "an infinite number": GOOD.replace("1.0", "Infinity"),
    "an infinite number in disguise": GOOD.replace("1.0", "1e999"),
    "a huge number": GOOD.replace("1.0", "1e300"),
    "a number of a million digits": GOOD.replace("1.0", "9" * 900_000),
    "a time before the recording": GOOD.replace("1.0", "-1"),
    "a negative error": GOOD.replace('"card": 1', '"card": 1, "sigma_ms": -1'),
    "a card that is half": GOOD.replace('"card": 1', '"card": 1.5'),
    "a seat that is a number": GOOD.replace('"north"', "7"),
    "a seat without a name": GOOD.replace('"north"', '" "'),
    "a seat with a very long name": GOOD.replace("north", "n" * 61),
    "a probability above one": GOOD.replace('"card": 1', '"card": 1, "confidence": 1.1'),
    "corners that are no points": GOOD.replace('"card": 1', '"card": 1, "corners": [[1, 2, 3]]'),
    "endless corners": GOOD.replace('"card": 1', '"card": 1, "corners": [' + "[1, 2]," * 1000 + "[1]]"),
    "a reason that is a book": GOOD.replace('"card": 1', '"card": 1, "reason": "' + "x" * 2001 + '"'),
    "a doubled key": GOOD.replace('"card": 1', '"card": 1, "card": 2'),
    "deep nesting": GOOD.replace("1.0", "[" * 100_000 + "]" * 100_000),
    "a very long line": GOOD.replace("north", "n" * 1_000_001),
    "not UTF-8": b'{"type": "event", "event": "\xff"}',
    "a null byte": GOOD.replace("north", "nor\x00th"),
    "shares above one": '{"type": "event", "event": "call_heard", "time_s": 1, "sigma_ms": 5, "end_s": 2,'
    ' "names": null, "word": "x", "probability": 1, "seats": {"north": 0.9, "south": 0.9}}',
    "shares that are a list": '{"type": "event", "event": "call_heard", "time_s": 1, "sigma_ms": 5, "end_s": 2,'
    ' "names": null, "word": "x", "probability": 1, "seats": ["north"]}',
    "a yes that is a number": '{"type": "event", "event": "call_heard", "time_s": 1, "sigma_ms": 5, "end_s": 2,'
    ' "names": null, "word": "x", "probability": 1, "accepted": 1}',
    "a deal of too many cards": '{"type": "event", "event": "dealt", "time_s": 1, "cards": {"north": 1001}}',
    "an unknown correction": '{"type": "correction", "event": "correction", "time_s": 1, "kind": "bribe"}',
    "a correction as an event": '{"type": "event", "event": "correction", "time_s": 1, "kind": "undo", "target": 1}',
    "an event as a correction": GOOD.replace('"event",', '"correction",', 1),
    "a ruling without a round": '{"type": "ruling"}',
    "a ruling on round nought": '{"type": "ruling", "round": 0}',
    "a second header": HEADER.strip(),
}


@pytest.mark.parametrize("what", BAD_LINES)
def test_a_bad_line_is_refused_with_its_number(what):
    line = BAD_LINES[what]
    raw = line if isinstance(line, bytes) else line.encode()
    content = HEADER.encode() + GOOD.encode() + b"\n" + raw + b"\n" + GOOD.encode() + b"\n"
    with pytest.raises(RecordError, match=r"^bad\.jsonl, line 3: ") as caught:
        parse_record(content, "bad.jsonl")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    assert caught.value.exit_status == 2


BAD_HEADERS = {
    "an empty file": ("", "is empty"),
    "only blank lines": ("\n\n", "is empty"),
    "no header": (GOOD + "\n", "line 1: is not a record's header line"),
    "no format": ('{"type": "header", "game": "rock"}\n', "format None"),
    "a format that is a word": ('{"type": "header", "format": "1", "game": "rock"}\n', "format '1'"),
    "a format that is a yes": ('{"type": "header", "format": true, "game": "rock"}\n', "format True"),
    "a later format": ('{"type": "header", "format": 2, "game": "rock"}\n', "newer than this program"),
    "no game": ('{"type": "header", "format": 1}\n', "needs the field 'game'"),
    "a game that is a number": ('{"type": "header", "format": 1, "game": 4}\n', "game: 4"),
    "options that are a list": ('{"type": "header", "format": 1, "game": "rock", "options": []}\n', "options"),
    "seats that are a word": ('{"type": "header", "format": 1, "game": "rock", "seats": "north"}\n', "seats"),
    "seats that are numbers": ('{"type": "header", "format": 1, "game": "rock", "seats": [1]}\n', "seats"),
    "players that are a word": ('{"type": "header", "format": 1, "game": "rock", "players": "two"}\n', "players"),
    "no players": ('{"type": "header", "format": 1, "game": "rock", "players": 0}\n', "players"),
    "a header cut off": ('{"type": "hea', "line 1"),
}


@pytest.mark.parametrize("what", BAD_HEADERS)
def test_a_bad_header_is_refused(what):
    content, said = BAD_HEADERS[what]
    with pytest.raises(RecordError, match=said):
        parse_record(content)


def test_fields_that_a_later_program_added_to_the_header_are_kept():
    record = parse_record('{"type": "header", "format": 1, "game": "rock", "mood": "good"}\n')
    assert record.header.extra == {"mood": "good"}
    assert FORMAT == 1


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        read_record(tmp_path / "none.jsonl")


@PROFILE
@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_refused_or_read_and_never_crash(content):
    for start in (b"", HEADER.encode()):
        try:
            parse_record(start + content)
        except RecordError as error:
            assert "record" in str(error)  # noqa: PT017  (some contents are fine)


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)


@PROFILE
@given(st.sampled_from(sorted(NAMES)), st.data())
def test_arbitrary_values_in_events_are_refused_or_read_and_never_crash(name, data):
    import dataclasses

    fields = [field.name for field in dataclasses.fields(NAMES[name])]
    keys = st.sampled_from([*fields, "face", "names", "odd"])
    try:
        from_object({"event": name, **data.draw(st.dictionaries(keys, json_values, max_size=8))})
    except FieldError as error:
        assert str(error)  # noqa: PT017  (some values are fine)


def test_corrections_are_lines_of_their_own():
    correction = Correction(time_s=9.0, kind="card", card=1, type=Type.PAPER, by="anna")
    record = Record(header=Header(game="rock"), entries=(correction,))
    line = json.loads(record.to_text().splitlines()[1])
    assert line == {
        "type": "correction",
        "event": "correction",
        "time_s": 9.0,
        "kind": "card",
        "card": 1,
        "names": "paper",
        "by": "anna",
    }
    assert parse_record(record.to_text()).corrections == (correction,)


def test_whole_numbers_in_an_event_are_written_as_they_read_back():
    card = CardShown(time_s=3, seat="north", card=1, type=Type.ROCK)
    call = CallHeard(time_s=3, sigma_ms=6, end_s=4, type=None, word="", probability=1)
    for event in (card, call):
        assert dump(to_object(from_object(to_object(event)))) == dump(to_object(event))
