"""Typed games: pleasant to type, checked line by line, and the example of the documentation is a test."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from helpers_rules import P, R, S, codes
from hypothesis import given
from hypothesis import strategies as st
from strategies import PROFILE

from referee import cli
from referee.errors import RecordError
from referee.events import CallHeard, CardShown, RecordingEnded
from referee.lines import read_lines
from referee.record import read_record
from referee.replay import is_record, judge_typed, read_game, replay
from referee.typed import parse_typed, read_typed

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "record.md"


def examples():
    """The JSON examples of the documentation with the text that follows each."""
    return re.findall(r"```jsonl\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_the_example_of_the_documentation_is_ruled_as_it_says():
    text = DOCUMENT.read_text(encoding="utf-8")
    game = parse_typed(examples()[0])
    match = judge_typed(game)
    told = re.search(r"```text\n(.*?)```", text, flags=re.DOTALL)
    assert told is not None
    assert [ruling.why for ruling in match.in_force] == told[1].strip().splitlines()
    assert match.result()["piles"] == {"anna": 8, "ben": 0}


@pytest.mark.parametrize("number", range(1, 4))
def test_the_other_examples_of_the_documentation_can_be_ruled(number):
    match = judge_typed(parse_typed(examples()[number]))
    assert match.in_force
    assert not any(ruling.review for ruling in match.in_force)


def test_times_may_be_left_out():
    game = parse_typed('{"cards": {"a": "rock", "b": "paper"}}\n{"call": "paper", "by": "b"}\n')
    assert [event.time_s for event in game.events] == [5.0, 5.0, 5.8, 10.8]
    assert game.events[-1] == RecordingEnded(time_s=10.8)


def test_times_may_be_given_absolutely_or_after_the_line_before():
    text = '{"t": 2, "cards": {"a": "rock", "b": "paper"}}\n{"call": "rock", "by": "b", "after_ms": 250}\n'
    text += '{"t": 9, "end": true}'
    assert [event.time_s for event in parse_typed(text).events] == [2.0, 2.0, 2.25, 9.0]


@pytest.mark.parametrize("word", ["rock", "Stein", "PIEDRA", "bawi", "¡Piedra!", " rock... ", "„Stein“"])
def test_words_of_every_language_name_a_type(word):
    assert parse_typed(f'{{"call": "{word}"}}').events[0].type is R


def test_a_word_that_is_no_type_is_kept_and_is_no_call():
    match = judge_typed(
        parse_typed('{"cards": {"a": "r", "b": "r"}}'.replace('"r"', '"rock"') + '\n{"call": "rocket"}')
    )
    assert match.in_force[0].outcome == "stays"
    assert match.in_force[0].calls[0].reason == "no type"


def test_nobody_knows_who_called_if_it_is_left_out():
    for by in ("", ', "by": "?"'):
        match = judge_typed(parse_typed('{"cards": {"a": "rock", "b": "paper"}}\n{"call": "paper"' + by + "}"))
        assert codes(match.in_force[0].reviews) == ["who_called"]


def test_cards_that_nobody_could_read_are_typed_as_question_marks():
    game = parse_typed('{"cards": {"a": "?", "b": "paper"}}')
    assert [event.type for event in game.events if isinstance(event, CardShown)] == [None, P]


def test_comments_blank_lines_and_a_byte_order_mark_are_fine():
    text = '\ufeff# our evening\n\n  # players\n{"players": ["a", "b"]}\n\n{"cards": {"a": "rock", "b": "scissors"}}\n'
    game = parse_typed(text)
    assert game.header.seats == ("a", "b")
    assert [event.type for event in game.events[:2]] == [R, S]


def test_events_of_a_record_may_be_pasted():
    line = '{"type": "event", "event": "call_heard", "time_s": 6.0, "sigma_ms": 5.0, "end_s": 6.4, "names": "paper", '
    line += '"word": "paper", "probability": 0.9, "seats": {"b": 1.0}}'
    game = parse_typed('{"cards": {"a": "rock", "b": "paper"}}\n' + line)
    assert isinstance(game.events[2], CallHeard)
    assert judge_typed(game).in_force[0].awards == {"b": 2}


def test_corrections_may_be_typed():
    text = '{"cards": {"a": "rock", "b": "paper"}}\n{"call": "paper", "by": "b"}\n'
    text += '{"event": "correction", "time_s": 60, "kind": "caller", "call": 1, "seat": "a"}'
    assert judge_typed(parse_typed(text)).in_force[0].awards == {"a": 2}


def test_settings_may_stand_on_several_lines_in_any_order():
    text = '{"options": {"hand_cards": 18}}\n{"players": 2}\n{"game": "hands"}\n{"cards": {"a": "rock", "b": "paper"}}'
    header = parse_typed(text).header
    assert (header.game, header.seats, header.players, header.options) == ("hands", None, 2, {"hand_cards": 18})


def test_who_moves_plays_at_the_new_place():
    text = '{"players": ["a", "b"]}\n{"moves": "a", "to": "c"}\n{"cards": {"c": "rock", "b": "paper"}}'
    assert judge_typed(parse_typed(text)).seats == ("c", "b")


def test_corrections_may_follow_the_end():
    text = '{"cards": {"a": "rock", "b": "paper"}}\n{"call": "paper", "by": "b"}\n{"end": true}\n'
    text += '{"event": "correction", "time_s": 60, "kind": "not_a_call", "call": 1}'
    assert judge_typed(parse_typed(text)).in_force[0].outcome == "stays"


def test_house_rules_and_language_may_be_typed():
    text = '{"game": "es", "language": "es", "options": {"two_player_penalty_takes_pot": "no"}}\n'
    text += (
        '{"cards": {"a": "rock", "b": "rock"}}\n{"cards": {"a": "rock", "b": "rock"}}\n{"call": "piedra", "by": "a"}'
    )
    last = judge_typed(parse_typed(text)).in_force[-1]
    assert (last.awards, last.pot) == ({"b": 2}, 2)
    assert last.why == (
        "A dijo «piedra», pero había que callar: b se lleva 2 cartas "
        "(regla es.2p.call.in_silence, regla de la casa two_player_penalty_takes_pot = no)."
    )


BAD = {
    "nothing": ("", "has no events"),
    "comments alone": ("# x\n", "has no events"),
    "no kind of line": ('{"hello": 1}', "line 1: needs one of cards, call"),
    "two kinds in a line": ('{"call": "rock", "cards": {"a": "rock"}}', "are two lines"),
    "a key that does not belong": ('{"call": "rock", "loud": true}', "'loud' does not go with 'call'"),
    "cards as a list": ('{"cards": ["rock"]}', "object of one to eight players"),
    "no cards": ('{"cards": {}}', "object of one to eight players"),
    "a card of no type": ('{"cards": {"a": "lizard"}}', "no type of card"),
    "a card that is a number": ('{"cards": {"a": 4}}', "no type of card"),
    "a call without a word": ('{"call": ""}', "not a word"),
    "a caller who is a number": ('{"call": "rock", "by": 4}', "not a player"),
    "two times": ('{"call": "rock", "t": 1, "after_ms": 4}', "not both"),
    "a time that is a word": ('{"call": "rock", "t": "noon"}', "t: 'noon' is not a time"),
    "a time before the game": ('{"call": "rock", "t": -1}', "not a time"),
    "a touch of what does not lie there": (
        '{"game": "tournament"}\n{"touch": "rock", "by": "a"}',
        "no card of type rock",
    ),
    "a die that is a word": ('{"game": "rorschach"}\n{"dice": {"a": "six"}}', "not a number on a die"),
    "an inkblot that is none": ('{"game": "rorschach"}\n{"removed": 9}', "not an inkblot"),
    "a question that is a number": ('{"game": "rorschach"}\n{"question": 7}', "not a text"),
    "a deal that is none": ('{"deal": {"a": "many"}}', "number of cards"),
    "a move to nowhere": ('{"moves": "a"}', "not a player"),
    "settings too late": ('{"call": "rock"}\n{"game": "de"}', "line 2: game, players, options and language must come"),
    "settings with a call": ('{"game": "de", "call": "rock"}', "does not go with game"),
    "a game that is a number": ('{"game": 4}', "game: 4"),
    "players that are a word": ('{"players": "two"}', "players: 'two'"),
    "no players": ('{"players": []}', "neither a number nor a list of names"),
    "a game that is not known": ('{"game": "poker"}\n{"call": "rock"}', "line 1: game 'poker' is not known"),
    "a language that is not known": ('# x\n{"language": "fr"}\n{"call": "rock"}', "line 2: language 'fr' is not known"),
    "a house rule of another game": (
        '{"game": "hands"}\n{"options": {"missed": "own"}}\n{"cards": {"a": "rock"}}',
        "line 2: option 'missed' is not known for game hands",
    ),
    "too many players": ('{"game": "de"}\n{"players": ["a", "b", "c"]}\n{"call": "rock"}', "line 2: game de is for 2"),
    "a player twice": ('{"players": ["a", "a"]}\n{"call": "rock"}', "line 1: a seat is named twice: a, a"),
    "somebody who showed no card": (
        '{"cards": {"a": "rock", "b": "paper"}}\n{"taken": "all", "by": "c"}',
        "line 2: by: 'c' has shown no card, a, b have; give players if there are more",
    ),
    "somebody who does not play": (
        '{"players": ["a", "b"]}\n{"call": "rock", "by": "c"}',
        "line 2: 'c' does not play; the players are a, b",
    ),
    "dice in a game of cards": ('{"game": "es"}\n{"dice": {"a": 1}}', "line 2: 'dice' does not go with game es"),
    "a touch where calls count": ('{"game": "rock"}\n{"touch": "rock"}', "line 2: 'touch' does not go with game rock"),
    "dice where no game is named": (
        '{"dice": {"a": 1, "b": 2}}',
        'line 1: \'dice\' does not go with game rock; name another in a first line: {"game": "rorschach"}',
    ),
    "more players than are said": (
        '{"game": "rorschach", "players": 3}\n{"dice": {"a": 1, "b": 2, "c": 1, "d": 2}}',
        "line 2: a, b, c, d are more than the 3 players",
    ),
    "somebody new where all have shown themselves": (
        '{"players": 2}\n{"cards": {"a": "rock", "b": "paper"}}\n{"cards": {"a": "rock", "c": "paper"}}',
        "line 3: 'c' is one too many; the 2 players are a, b",
    ),
    "a die too few": (
        '{"game": "rorschach", "players": 4}\n{"dice": {"a": 1, "b": 2, "c": 1}}',
        'line 2: dice: 3 of 4 players; write "\\?" for a die that nobody could read',
    ),
    "fewer players than are said": (
        '# x\n{"players": 3}\n{"cards": {"a": "rock", "b": "paper"}}',
        "line 2: 3 players, but only a, b showed anything",
    ),
    "a name that would colour the screen": ('{"call": "rock", "by": "\\u001b[31ma"}', "is not a player"),
    "half a character": ('{"call": "\\ud83d"}', "line 1: holds half a character"),
    "an end that is none": ('{"end": false}', "end: False is not true"),
    "something after the end": (
        '{"end": true}\n{"call": "rock"}',
        "line 2: something comes after the end",
    ),
    "an end before a call": (
        '{"call": "rock"}\n{"t": 0.5, "end": true}',
        "line 2: something comes after the end",
    ),
    "a bad event": ('{"event": "earthquake"}', "event 'earthquake' is not known"),
    "no JSON": ('{"call": "rock"}\n{call: rock}', "line 2: is not JSON"),
    "a line cut off": ('{"call": "rock"}\n{"call": "ro', "line 2: is not JSON"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_line_is_refused_with_its_number(what):
    text, said = BAD[what]
    with pytest.raises(RecordError, match=said) as caught:
        parse_typed(text, "typed.jsonl")
    assert caught.value.exit_status == 2
    assert str(caught.value).startswith("typed.jsonl")


@PROFILE
@given(st.binary(max_size=120))
def test_arbitrary_bytes_are_refused_or_read_and_never_crash(content):
    try:
        parse_typed(content)
    except RecordError as error:
        assert "events" in str(error)  # noqa: PT017  (some contents are fine)


def test_game_and_language_may_be_said_on_the_command_line(tmp_path):
    path = tmp_path / "g.jsonl"
    text = '{"options": {"early_call": "penalty"}}\n{"cards": {"a": "rock", "b": "paper"}}\n'
    path.write_text(text + '{"touch": "paper", "by": "b"}\n')
    given = ["judge", str(path), "--quiet", "--out", str(tmp_path)]
    assert cli.run([*given, "--game", "tournament", "--language", "de"]) == 0
    again = replay(read_record(tmp_path / "g.record.jsonl"))
    assert again.identical
    assert again.match.rulings[0].verdict == "B berührte zuerst „Papier“, die Gewinnerkarte, und nimmt 2 Karten."


def test_what_is_for_eye_and_ear_is_refused_with_a_typed_game(tmp_path):
    path = tmp_path / "g.jsonl"
    path.write_text('{"cards": {"a": "rock", "b": "paper"}}\n')
    for option, value in (("--languages", "de"), ("--deck", "poker"), ("--players", "2")):
        result = CliRunner().invoke(cli.cli, ["judge", str(path), option, value, "--out", str(tmp_path)])
        assert str(result.exception).startswith(f"{option} says nothing of a typed game")
    assert not (tmp_path / "g.record.jsonl").exists()


def test_several_files_are_not_ruled_otherwise_than_a_typed_one_says(tmp_path):
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text('{"cards": {"a": "rock", "b": "paper"}}\n')
    given = ["judge", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"), "--out", str(tmp_path), "--jobs", "1"]
    result = CliRunner().invoke(cli.cli, [*given, "--game", "tournament"])
    assert "--game does not go with several files of which" in str(result.exception)
    assert CliRunner().invoke(cli.cli, given).exit_code == 0


def test_a_player_who_moves_is_none_too_many():
    text = '{"players": 2}\n{"cards": {"a": "rock", "b": "paper"}}\n{"moves": "a", "to": "c"}\n'
    assert judge_typed(parse_typed(text + '{"cards": {"c": "rock", "b": "paper"}}')).seats == ("c", "b")


def test_a_record_is_told_from_a_typed_file():
    record = b'{"type": "header", "format": 1, "game": "de", "seats": ["a", "b"]}\n'
    assert is_record(record)
    assert not is_record(b'# typed\n{"game": "de"}\n')
    assert read_game(record, "x").header.game == "de"
    assert read_game(b'{"game": "de"}\n{"call": "stein"}\n', "x").header.game == "de"


def test_a_typed_file_is_read_from_disk(tmp_path):
    (tmp_path / "g.jsonl").write_text('{"call": "rock"}\n')
    assert len(read_typed(tmp_path / "g.jsonl").events) == 2
    with pytest.raises(RecordError, match="cannot be read"):
        read_typed(tmp_path / "none.jsonl")


def test_lines_are_counted_with_blank_ones():
    assert [line.number for line in read_lines(b'\n{}\n\n{"a": 1}\n', "x")] == [2, 4]


def test_an_event_may_say_its_language_after_others():
    text = '{"cards": {"north": "rock", "south": "scissors"}}\n'
    text += '{"event": "call_heard", "time_s": 6.0, "sigma_ms": 5.0, "end_s": 6.4, "names": "rock", '
    text += '"word": "rock", "language": "en", "probability": 0.9, "seats": {"north": 1.0}}'
    (_, _, call, _) = parse_typed(text).events
    assert call.language == "en"
