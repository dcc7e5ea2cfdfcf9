"""Corrections by people: nothing is overwritten, what follows is ruled again, and the likeliest readings come first."""

import json
import re
from dataclasses import replace

import pytest
import report_evening as evening
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import PROFILE

from referee.cli import cli
from referee.errors import UsageError
from referee.events import CallHeard, CardsGone, CardShown, Correction, Type
from referee.match import Match
from referee.record import read_record
from referee.replay import match_for, replay
from referee.report.challenge import alternatives, preview
from referee.report.changes import all_differences, correction_words, undone
from referee.report.reading import game_of, newest_rulings


@pytest.fixture
def record(tmp_path):
    return evening.write_record(tmp_path / "evening.jsonl")


def run(*args, **more):
    """The command line, as people use it."""
    result = CliRunner().invoke(cli, [str(a) for a in args], **more)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def newest(path):
    return {line["round"]: line for line in newest_rulings(read_record(path).rulings)[0]}


# What people can say.


def test_somebody_else_called(record):
    said = run("correct", record, "--round", 1, "--caller", "north")
    assert newest(record)[1]["first"]["seat"] == "north"
    assert "round 1: first: south paper → north paper; awards: south 2 → north 2" in said


def test_a_word_that_was_hardly_a_call_is_no_likely_first(tmp_path):
    hardly = replace(evening.heard(1.9, "north", "rock", probability=0.1), accepted=False, reason="unsure")
    made = sorted([*evening.events(), hardly], key=lambda e: e.time_s)
    offered = alternatives(read_record(evening.write_record(tmp_path / "hardly.jsonl", made)), 1)
    (first,) = [one for one in offered if one.words == "north called rock first"]
    assert first.weight < 0.11


def test_a_word_that_people_name_takes_the_place_of_another_in_its_sound(tmp_path):
    taken = evening.heard(1.9, "north", "rock", probability=0.7)
    meant = replace(evening.heard(1.93, "north", "paper", probability=0.4), accepted=False, reason="unsure")
    other = evening.heard(1.95, "south", "scissors")
    made = [e for e in evening.events(calls=()) if not isinstance(e, CardsGone)]
    path = evening.write_record(tmp_path / "two.jsonl", sorted([*made, taken, meant, other], key=lambda e: e.time_s))
    assert newest(path)[1]["first"]["type"] == "rock"
    run("correct", path, "--round", 1, "--call", 2, "--caller", "north")
    now = newest(path)[1]
    assert (now["first"]["seat"], now["first"]["type"]) == ("north", "paper")
    assert (now["calls"][0]["type"], now["calls"][0]["reason"]) == ("rock", "same sound")
    assert [c["counted"] for c in now["calls"] if c["seat"] == "south"] != []


def voice_that_hands_explained(tmp_path):
    """A voice in which no word was understood, ruled a call since its player took the cards."""
    voice = replace(
        evening.heard(1.99, "north", "paper", sigma_ms=60.0, probability=0.3),
        type=None, word="", accepted=False, reason="not understood",
    )  # fmt: skip
    clear = replace(evening.heard(2.0, "south", "paper"), contested=True)
    made = [e for e in evening.events(calls=()) if not isinstance(e, CardsGone)]
    made += [voice, clear, CardsGone(time_s=4.2, cards=(1, 2), to_seat="north")]
    return evening.write_record(tmp_path / "voice.jsonl", sorted(made, key=lambda e: e.time_s))


def test_who_called_what_only_the_hands_explained_is_confirmed(tmp_path):
    """Saying so keeps it a call."""
    path = voice_that_hands_explained(tmp_path)
    told = newest(path)[1]
    assert (told["first"]["seat"], told["awards"], told["calls"][0]["heard"]) == ("north", {"north": 2}, None)
    said = run("correct", path, "--round", 1, "--caller", "north")
    now = newest(path)[1]
    assert (now["first"]["seat"], now["first"]["type"], now["awards"]) == ("north", "paper", {"north": 2}), said
    assert "nobody" not in said
    run("correct", path, "--undo")
    run("correct", path, "--round", 1, "--call", told["first"]["call"], "--caller", "north")
    assert newest(path)[1]["awards"] == {"north": 2}


NOT_FOLLOWED = """\
{"game": "rock", "players": ["anna", "ben"]}
{"cards": {"anna": "rock", "ben": "scissors"}}
{"call": "rock", "by": "anna"}
{"taken": "all", "by": "ben"}
{"cards": {"anna": "paper", "ben": "scissors"}}
{"call": "scissors", "by": "ben"}
{"cards": {"anna": "paper", "ben": "rock"}}
"""


def judged(tmp_path, text, *args):
    """The record of a game that was typed."""
    typed = tmp_path / "typed.jsonl"
    typed.write_text(text)
    run("judge", typed, "--out", tmp_path, *args)
    return tmp_path / "typed.record.jsonl"


OWN_BACK = """\
{"game": "rock", "players": ["anna", "ben"], "options": {"missed": "own"}}
{"cards": {"anna": "rock", "ben": "scissors"}}
{"call": "rock", "by": "anna"}
{"taken": "all", "by": "anna"}
{"cards": {"anna": "paper", "ben": "scissors"}}
{"cards": {"anna": "paper", "ben": "rock"}}
"""
TOUCHED = """\
{"game": "tournament", "players": ["anna", "ben"]}
{"cards": {"anna": "rock", "ben": "scissors"}}
{"touch": "rock", "by": "anna"}
{"taken": "all", "by": "ben"}
{"cards": {"anna": "paper", "ben": "rock"}}
"""
UNREAD_HAND = """\
{"game": "hands", "players": ["anna", "ben"]}
{"event": "card_shown", "time_s": 5, "seat": "anna", "card": 1, "face": "rock", "confidence": 0.7}
{"event": "card_shown", "time_s": 5, "seat": "ben", "card": 2, "face": "paper", "confidence": 0.99}
"""


@pytest.mark.parametrize(
    ("text", "number", "code"),
    [
        (NOT_FOLLOWED, 1, "collected_by_other"),
        (NOT_FOLLOWED, 2, "not_collected"),
        (OWN_BACK, 2, "not_collected"),
        (TOUCHED, 1, "collected_by_other"),
        (UNREAD_HAND, 1, "card_unsure"),
    ],
)
def test_a_ruling_is_confirmed_whoever_decided(tmp_path, text, number, code):
    """What was asked is answered, the ruling stays, and both can be taken back."""
    path = judged(tmp_path, text)
    before = newest(path)[number]
    assert before["reviews"] == [code]
    said = run("correct", path, "--round", number, "--as-ruled")
    now = newest(path)[number]
    assert (now["reviews"], now["awards"], now["first"]) == ([], before["awards"], before["first"]), said
    assert f"Round {number} is right as it was ruled." in said
    assert replay(read_record(path)).differences == ()
    run("correct", path, "--undo")
    assert newest(path)[number]["reviews"] == [code]


def test_what_was_ruled_as_the_hands_say_is_confirmed_too(tmp_path):
    nobody_heard = '{"game": "rock", "players": ["anna", "ben"]}\n{"cards": {"anna": "rock", "ben": "scissors"}}\n'
    path = judged(tmp_path, nobody_heard + '{"taken": "all", "by": "ben"}\n')
    before = newest(path)[1]
    assert (before["reviews"], before["awards"]) == (["table_says_unheard"], {"ben": 2})
    run("correct", path, "--round", 1, "--as-ruled")
    assert (newest(path)[1]["reviews"], newest(path)[1]["awards"]) == ([], {"ben": 2})


def test_a_confirmation_lapses_where_a_later_correction_rules_otherwise(tmp_path):
    path = judged(tmp_path, NOT_FOLLOWED)
    run("correct", path, "--round", 1, "--as-ruled")
    run("correct", path, "--round", 1, "--card", "ben=paper")
    now = newest(path)[1]
    assert (now["outcome"], now["first"]["type"]) == ("penalty", "rock")
    run("correct", path, "--undo")
    assert newest(path)[1]["reviews"] == []


def test_a_confirmed_round_is_no_reason_to_doubt_the_pot(tmp_path):
    path = judged(tmp_path, NOT_FOLLOWED + '{"call": "paper", "by": "anna"}\n{"end": true, "after_ms": 1200}\n')
    assert newest(path)[3]["reviews"] == ["pot_depends"]
    with pytest.raises(UsageError, match="round 3 hangs on earlier rounds"):
        run("correct", path, "--round", 3, "--as-ruled")
    run("correct", path, "--round", 2, "--as-ruled")
    assert newest(path)[3]["reviews"] == []


def test_only_what_is_asked_can_be_confirmed(record):
    with pytest.raises(UsageError, match="round 1 is not in review: there is nothing to confirm"):
        run("correct", record, "--round", 1, "--as-ruled")
    with pytest.raises(UsageError, match="--as-ruled needs the round that is meant: --round N"):
        run("correct", record, "--as-ruled")


def test_what_nobody_can_tell_is_not_confirmed(tmp_path):
    who = '{"game": "rock", "players": ["anna", "ben"]}\n{"cards": {"anna": "rock", "ben": "scissors"}}\n'
    path = judged(tmp_path, who + '{"call": "rock"}\n')
    assert newest(path)[1]["reviews"] == ["who_called"]
    with pytest.raises(UsageError, match="round 1 is not decided: say what happened"):
        run("correct", path, "--round", 1, "--as-ruled")


def test_the_ruling_itself_is_no_alternative_to_it(tmp_path):
    path = judged(tmp_path, NOT_FOLLOWED)
    said = run("correct", path, "--round", 1)
    assert "if the ruling is right as it is, say so: --as-ruled" in said
    assert all("anna" not in one.words for one in alternatives(read_record(path), 1) if "call by" in one.words)


def test_everything_that_is_said_of_a_record_is_in_its_language(tmp_path):
    path = judged(tmp_path, NOT_FOLLOWED.replace('"players"', '"language": "de", "players"'))
    said = run("correct", path) + run("correct", path, "--round", 1) + run("correct", path, "--round", 1, "--void")
    said += run("correct", path, "--undo") + run("correct", path)
    for word in ("Ruf 1: anna", "Ist der Entscheid", "ist der Entscheid richtig", "Korrektur 1", "ben führt"):
        assert word.lower() in said.lower()
    english = ("round", "call", "correction", "first", "awards", "none", "otherwise", "leads", "counted", "taken")
    assert not [word for word in english if re.search(rf"(?<![.-])\b{word}\b", said)], said


def test_a_voice_that_was_not_understood_is_said_to_be_so(tmp_path):
    path = voice_that_hands_explained(tmp_path)
    assert "call 1: north, not understood, 1.990 s (counted)" in run("correct", path, "--round", 1)
    game = game_of(read_record(path), name="voice")
    assert [(c.word, c.type) for c in game.rounds[0].calls] == [("not understood", "paper"), ("paper", "paper")]


def test_a_terminal_asks_whether_the_ruling_is_right(tmp_path, monkeypatch):
    path = judged(tmp_path, NOT_FOLLOWED)
    monkeypatch.setattr("referee.commands.correct._asks", lambda: True)
    run("correct", path, "--round", 1, input="y\n")
    assert newest(path)[1]["reviews"] == []


def test_hands_that_followed_the_rules_of_their_table_are_not_asked_about_under_others(tmp_path):
    """Nobody called, the cards stayed, as the table plays; ruled again by `own`, nobody left anything lying."""
    path = judged(tmp_path, OWN_BACK.replace('"own"', '"stay"'))
    again = replay(read_record(path), options={"missed": "own"})
    assert (again.rulings[1].awards, again.rulings[1].reviews) == ({"anna": 1, "ben": 1}, ())
    assert replay(read_record(path), options={"missed": "stay"}).identical


def test_that_card_was_paper(record):
    run("correct", record, "--round", 2, "--card", "south=paper")
    assert newest(record)[2]["cards"] == {"north": "rock", "south": "paper"}
    assert newest(record)[2]["due"] == "paper"


def test_a_type_may_be_named_in_the_language_of_the_table(record):
    run("correct", record, "--round", 1, "--card", "south=Stein")
    assert newest(record)[1]["cards"]["south"] == "rock"


def test_that_was_no_call(record):
    run("correct", record, "--round", 2, "--no-call")
    assert newest(record)[2]["outcome"] == "stays"
    assert newest(record)[3]["pot"] == 4


def test_another_call_of_the_round_was_none(record):
    run("correct", record, "--round", 3, "--no-call", "--call", 4)
    line = newest(record)[3]
    assert (line["outcome"], line["first"]["seat"]) == ("won", "north")


def test_a_call_that_was_not_heard(record):
    run("correct", record, "--heard", "north=paper@0:01.9")
    assert newest(record)[1]["first"]["seat"] == "north"


def test_a_call_that_was_not_heard_needs_no_time_where_the_round_is_named(record):
    run("correct", record, "--round", 1, "--heard", "north=paper")
    line = newest(record)[1]
    assert (line["first"]["seat"], line["outcome"], line["review"]) == ("north", "won", False)
    assert line["first"]["onset_s"] < 2.0


MISSED = """\
{"game": "rock", "players": ["anna", "ben"]}
{"cards": {"anna": "rock", "ben": "scissors"}}
{"cards": {"anna": "paper", "ben": "paper"}}
"""


@pytest.mark.parametrize(
    ("game", "words"),
    [("rock", "ben called rock, and it was not heard"), ("tournament", "ben touched rock, and it was not seen")],
)
def test_where_nobody_was_heard_somebodys_call_is_offered(tmp_path, game, words):
    path = judged(tmp_path, MISSED.replace('"rock", "players"', f'"{game}", "players"'))
    (one,) = [k for k, one in enumerate(alternatives(read_record(path), 1), 1) if one.words == words]
    run("correct", path, "--round", 1, "--choose", one)
    line = newest(path)[1]
    assert (line["first"]["seat"], line["awards"], line["review"]) == ("ben", {"ben": 2}, False)
    touched = game == "tournament"
    assert line["decided_by"] == ("touch" if touched else "call")
    assert f"Ben {'touched' if touched else 'called'} rock at" in run("correct", path)


DICE = """\
{"game": "rorschach", "players": ["red", "green", "blue", "white"]}
{"question": "Who?"}
{"dice": {"red": 1, "green": 1, "blue": "?", "white": 3}}
{"question": "When?"}
{"event": "die_shown", "time_s": 20, "seat": "red", "value": 2}
{"event": "die_shown", "time_s": 20, "seat": "blue", "value": 2}
{"event": "die_shown", "time_s": 20.4, "seat": "white", "value": 1, "confidence": 0.4}
"""


def test_a_die_is_corrected_whether_it_was_seen_or_not(tmp_path):
    path = judged(tmp_path, DICE)
    assert [newest(path)[n]["reviews"] for n in (1, 2)] == [["die_unread"], ["die_missing", "die_unsure"]]
    said = run("correct", path, "--round", 1, "--die", "blue=3")
    assert "Round 1: the die of blue showed 3" in said
    line = newest(path)[1]
    assert (line["dice"], line["review"]) == ({"red": 1, "green": 1, "blue": 3, "white": 3}, False)
    assert line["tokens"] == {"red": ["green"], "green": ["red"], "blue": ["white"], "white": ["blue"]}
    run("correct", path, "--round", 2, "--die", "white=1")
    assert newest(path)[2]["reviews"] == ["die_missing"]
    assert "Round 2: the die of green showed 1" in run("correct", path, "--round", 2, "--die", "green=1")
    line = newest(path)[2]
    assert (line["dice"], line["review"]) == ({"red": 2, "green": 1, "blue": 2, "white": 1}, False)
    assert sorted(newest(path)) == [1, 2]
    assert replay(read_record(path)).identical
    run("correct", path, "--undo")
    assert newest(path)[2]["reviews"] == ["die_missing"]


def test_a_die_that_is_corrected_in_mid_game_leaves_later_rounds_alone(tmp_path):
    record = read_record(judged(tmp_path, DICE))
    for at_s, seat in ((7.0, "blue"), (6.0, "white")):  # one that was seen then, and one that was not
        said = Correction(time_s=8.0, kind="die", seat=seat, value=2, at_s=at_s)
        early, late = match_for(record), match_for(record)
        early.feed_all([*(e for e in record.events if e.time_s <= 8.0), said])
        early.feed_all(e for e in record.events if e.time_s > 8.0)
        late.feed_all([*record.events, said])
        lines = [[r.to_json() | {"revision": 0} for r in match.in_force] for match in (early, late)]
        assert lines[0] == lines[1]


def test_dice_that_nobody_read_are_offered_first(tmp_path):
    path = judged(tmp_path, DICE)
    offered = alternatives(read_record(path), 1, "de")
    assert [one.words for one in offered[:3]] == [f"der Würfel von blue zeigte {n}" for n in (1, 2, 3)]
    run("correct", path, "--round", 1, "--choose", 3)
    assert newest(path)[1]["dice"]["blue"] == 3


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--die", "blue=9"], "from 1 to 8"),
        (["--die", "blue"], "SEAT=NUMBER"),
        (["--die", "moon=1"], "nobody sits moon"),
        (["--as-ruled"], "played with dice: say what those asked about showed"),
        (["--void"], "say what to correct"),
    ],
)
def test_a_die_that_cannot_be_meant_is_said_in_one_line(tmp_path, args, message):
    path = judged(tmp_path, DICE)
    with pytest.raises(UsageError, match=message):
        run("correct", path, "--round", 1, *args)


def test_where_cards_are_played_there_are_no_dice(record):
    with pytest.raises(UsageError, match="round 1 was not played with dice"):
        run("correct", record, "--round", 1, "--die", "north=1")


def test_the_round_is_void(record):
    run("correct", record, "--round", 1, "--void")
    line = newest(record)[1]
    assert (line["awards"], line["pot"]) == ({}, 2)


def test_a_correction_is_taken_back(record):
    before = newest(record)
    run("correct", record, "--round", 1, "--caller", "north")
    run("correct", record, "--undo")
    after = newest(record)
    assert {n: line["awards"] for n, line in after.items()} == {n: line["awards"] for n, line in before.items()}
    assert read_record(record).result["piles"] == {"north": 0, "south": 4}


def test_taking_back_can_be_taken_back(record):
    run("correct", record, "--round", 1, "--caller", "north")
    run("correct", record, "--undo", 1)
    run("correct", record, "--undo", 2)
    assert newest(record)[1]["first"]["seat"] == "north"
    assert undone(read_record(record).corrections) == {2}


def test_who_said_so_is_kept(record):
    run("correct", record, "--round", 1, "--void", "--by", "Grandma")
    (correction,) = read_record(record).corrections
    assert correction.by == "Grandma"
    assert "(said Grandma)" in run("correct", record)


def test_nothing_is_overwritten(record):
    before = record.read_bytes()
    for said in (["--caller", "north"], ["--card", "north=scissors"], ["--void"]):
        run("correct", record, "--round", 1, *said)
        now = record.read_bytes()
        assert now.startswith(before)
        assert len(now) > len(before)
        before = now


def test_showing_writes_nothing(record):
    before = record.read_bytes()
    run("correct", record, "--round", 1, "--show")
    assert "round 1" in run("correct", record, "--round", 1, "--void", "--show")
    run("correct", record)
    assert record.read_bytes() == before


def test_later_rulings_follow_and_are_listed(record):
    said = run("correct", record, "--round", 1, "--void")
    assert "round 2" in said
    assert newest(record)[2]["piles"] == {"north": 0, "south": 4}
    assert said.rstrip().endswith("south leads: north 0, south 4 (pot 2).")


def test_json_gives_the_changed_lines_alone(record):
    lines = [json.loads(line) for line in run("correct", record, "--round", 1, "--void", "--json").splitlines()]
    assert {line["type"] for line in lines} == {"ruling"}
    assert lines[0]["round"] == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--round", 9, "--void"], "there is no round 9"),
        (["--round", 1, "--card", "north"], "SEAT=TYPE"),
        (["--round", 1, "--card", "north=stone"], "'stone' is no type"),
        (["--round", 1, "--card", "west=rock"], "no card of west"),
        (["--round", 1, "--void", "--no-call"], "one correction at a time"),
        (["--heard", "north:rock"], "SEAT=TYPE@TIME"),
        (["--heard", "north=rock"], "say when .* or in which round"),
        (["--heard", "moon=rock", "--round", 1], "nobody sits moon"),
        (["--heard", "north=rock@99"], "99 s is not within this game"),
        (["--heard", "moon=rock@1.5"], "nobody sits moon; the seats of this game are north, south"),
        (["--round", 1, "--caller", "moon"], "nobody sits moon"),
        (["--heard", "north=rock@1:2:3"], "no time"),
        (["--undo"], "no correction to take back"),
        (["--choose", 1], "--choose needs the round"),
        (["--call", 3], "--call needs the round"),
        (["--undo", 7], "no correction number 7"),
        (["--round", 1, "--choose", 99], "alternatives are offered"),
        (["--round", 2, "--no-call", "--call", 77], "no call number 77"),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_line_and_writes_nothing(record, args, message):
    before = record.read_bytes()
    with pytest.raises(UsageError, match=message) as error:
        run("correct", record, *args)
    assert "\n" not in str(error.value)
    assert record.read_bytes() == before


# What is offered.


def test_the_likeliest_readings_of_a_tie_are_the_two_orders(record):
    words = [one.words for one in alternatives(read_record(record), 3)[:2]]
    assert words == ["south called rock first", "north called rock first"]


def test_a_doubtful_card_comes_before_a_sure_one(tmp_path):
    doubtful = [
        replace(e, confidence=0.6) if isinstance(e, CardShown) and e.card == 2 else e for e in evening.events(calls=())
    ]
    record = read_record(evening.write_record(tmp_path / "doubt.jsonl", doubtful))
    offered = alternatives(record, 1)
    assert {one.words for one in offered[:2]} == {"south's card was rock", "south's card was scissors"}
    assert offered[0].weight == pytest.approx(0.2)


def test_who_is_in_doubt_is_asked_first(tmp_path):
    torn = [
        replace(e, seats={"north": 0.55, "south": 0.45}) if isinstance(e, CallHeard) and e.time_s == 7.0 else e
        for e in evening.events()
    ]
    record = read_record(evening.write_record(tmp_path / "torn.jsonl", torn))
    offered = alternatives(record, 2)
    assert [one.correction.seat for one in offered[:2]] == ["north", "south"]
    assert [one.weight for one in offered[:2]] == pytest.approx([0.55, 0.45])


def test_what_would_change_nothing_is_not_offered(record):
    everything = alternatives(read_record(record), 1)
    assert everything
    assert all(one.changes for one in everything)


def test_a_preview_is_what_happens(record):
    offered = alternatives(read_record(record), 3)[0]
    before = newest_rulings(read_record(record).rulings)[0]
    run("correct", record, "--round", 3, "--choose", 1)
    after = newest_rulings(read_record(record).rulings)[0]
    assert all_differences(before, after) == offered.changes


def test_a_terminal_is_asked(record, monkeypatch):
    monkeypatch.setattr("referee.commands.correct._asks", lambda: True)
    run("correct", record, "--round", 3, input="2\n")
    assert newest(record)[3]["first"]["seat"] == "north"
    run("correct", record, "--round", 2, input="0\n")
    assert len(read_record(record).corrections) == 1


def test_each_kind_of_correction_reads_as_a_sentence(record):
    lines = newest_rulings(read_record(record).rulings)[0]
    said = {
        Correction(
            time_s=16, kind="caller", call=1, seat="north"
        ): "Round 1: the call “paper” at 0:02.000 was made by north.",
        Correction(time_s=16, kind="not_a_call", call=3): "Round 2: the call “rock” at 0:07.000 was no call.",
        Correction(time_s=16, kind="card", card=2, type=Type.ROCK): "Round 1: card 2 was rock.",
        Correction(time_s=16, kind="void", card=3): "Round 2 counts for nothing.",
        Correction(time_s=16, kind="undo", target=1, by="Ann"): "Correction 1 is taken back (said Ann).",
    }
    assert [correction_words(c, lines) for c in said] == list(said.values())


def test_of_a_touch_is_spoken_as_of_a_touch(tmp_path):
    path = judged(tmp_path, TOUCHED)
    run("correct", path, "--round", 1, "--call", 1, "--caller", "ben")
    run("correct", path, "--round", 1, "--call", 1, "--no-call")
    told = run("correct", path)
    assert "Round 1: the touch at 0:05.800 was made by ben." in told
    assert "Round 1: the touch at 0:05.800 was none." in told
    assert "call" not in told


# Any sequence of corrections and undos equals judging the corrected events from the start.

EVENTS = evening.events()
SEATS = st.sampled_from(("north", "south"))
TYPES = st.sampled_from(tuple(Type))
SAID = st.one_of(
    st.builds(lambda n, s: Correction(time_s=16, kind="caller", call=n, seat=s), st.integers(1, 5), SEATS),
    st.builds(lambda n: Correction(time_s=16, kind="not_a_call", call=n), st.integers(1, 5)),
    st.builds(lambda n, t: Correction(time_s=16, kind="card", card=n, type=t), st.integers(1, 6), TYPES),
    st.builds(lambda n: Correction(time_s=16, kind="undo", target=n), st.integers(1, 8)),
)


def by_hand(events, corrections):
    """The events as they would have come, by a reading of the corrections that shares nothing with the program."""
    holding = [True] * len(corrections)
    for i in reversed(range(len(corrections))):
        c = corrections[i]
        if c.kind == "undo" and holding[i] and c.target - 1 < i:
            holding[c.target - 1] = False
    out = list(events)
    added = []
    calls = [i for i, e in enumerate(events) if isinstance(e, CallHeard)]
    for c, holds in zip(corrections, holding, strict=True):
        if not holds or c.kind == "undo":
            continue
        if c.kind == "card":
            out = [
                replace(e, type=c.type, confidence=1.0) if isinstance(e, CardShown) and e.card == c.card else e
                for e in out
            ]
        elif c.kind == "call":
            heard = {"type": c.type, "seats": {c.seat: 1.0}, "tier": "people", "reason": "people said so"}
            added.append(CallHeard(time_s=c.at_s, end_s=c.at_s, sigma_ms=0.0, word="", probability=1.0, **heard))
        elif c.kind == "caller":
            i = calls[c.call - 1]
            out[i] = replace(out[i], seats={c.seat: 1.0}, tier="people", accepted=True, probability=1.0)
        else:
            i = calls[c.call - 1]
            out[i] = replace(out[i], accepted=False, probability=0.0, reason="people said that it was no call")
    told = {c.call for c, holds in zip(corrections, holding, strict=True) if holds and c.kind == "caller"}
    for number, i in enumerate(calls, 1):
        mine = [out[calls[k - 1]] for k in told if number not in told]
        same = [c for c in mine if set(c.seats) == {next(iter(out[i].seats), "")} and c.type != out[i].type]
        if out[i].accepted and any(abs(c.time_s - out[i].time_s) < 0.1 for c in same):
            out[i] = replace(out[i], accepted=False, reason="same sound")
    return sorted([*out, *added], key=lambda event: event.time_s)


def ruled(events, corrections=()):
    """The rulings in force, without the number of the revision."""
    match = Match(game="rock", seats=("north", "south"))
    for event in (*events, *corrections):
        match.feed(event)
    lines = [ruling.to_json() for ruling in match.in_force]
    return [{k: v for k, v in line.items() if k != "revision"} for line in lines], match.result()


def unnumbered(ruled_on):
    """Without the numbers of calls: one that people add counts backwards, so that no other call's number changes."""
    lines, result = ruled_on
    return [without_numbers(line) for line in lines], result


def without_numbers(value):
    if isinstance(value, dict):
        return {k: without_numbers(v) for k, v in value.items() if k not in ("call", "call_number")}
    return [without_numbers(v) for v in value] if isinstance(value, list) else value


VOID = st.builds(lambda n: Correction(time_s=16, kind="void", card=n), st.integers(1, 6))
HEARD = st.builds(
    lambda s, t, at: Correction(time_s=16, kind="call", seat=s, type=t, at_s=at), SEATS, TYPES, st.floats(1.3, 14.0)
)


@PROFILE
@given(st.lists(st.one_of(SAID, HEARD), max_size=8))
def test_any_corrections_and_undos_equal_judging_the_corrected_events(corrections):
    assert unnumbered(ruled(EVENTS, corrections)) == unnumbered(ruled(by_hand(EVENTS, corrections)))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(SAID, VOID, HEARD), max_size=6))
def test_taking_everything_back_gives_the_first_rulings(corrections):
    back = [Correction(time_s=16, kind="undo", target=n) for n in range(len(corrections), 0, -1)]
    first, result = ruled(EVENTS)
    again, result_again = ruled(EVENTS, [*corrections, *back])
    assert (again, result_again) == (first, result)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.one_of(SAID, VOID, HEARD), max_size=4))
def test_a_corrected_record_replays_to_itself(tmp_path_factory, corrections):
    from referee.replay import correct

    path = evening.write_record(tmp_path_factory.mktemp("r") / "evening.jsonl", EVENTS)
    for one in corrections:
        try:
            correct(path, one)
        except UsageError:
            assert one.kind == "undo"
    record = read_record(path)
    again = replay(record)
    assert again.identical
    assert record.result["piles"] == match_result(record)["piles"]


def match_result(record):
    match = match_for(record)
    for entry in (*record.events, *record.corrections):
        match.feed(entry)
    return match.result()


def test_a_correction_that_a_crash_cut_short_is_finished(record):
    from referee.report.mending import mend

    before = record.read_bytes()
    run("correct", record, "--round", 1, "--void")
    whole = record.read_bytes()
    begun = len(before) + whole[len(before) :].index(b"\n") + 1
    for cut in (*range(len(before), len(whole), 97), begun, begun + 1, len(whole) - 1):
        record.write_bytes(whole[:cut])
        finished = mend(record)
        kept = record.read_bytes()
        if cut >= begun:
            assert kept.rstrip(b"\n") == whole.rstrip(b"\n"), cut
            assert finished or cut == len(whole) - 1
        else:
            assert not finished
            run("correct", record, "--round", 1, "--void")
            assert record.read_bytes() == whole, cut
    assert not mend(record)


def test_previews_do_not_touch_the_record(record):
    given_record = read_record(record)
    before = given_record.to_text()
    preview(given_record, Correction(time_s=16, kind="void", card=1))
    alternatives(given_record, 1)
    assert given_record.to_text() == before
