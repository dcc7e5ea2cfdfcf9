"""What people read: nothing cut off at 80 columns, reviews with reason and time."""

import io
import re

import pytest
from click.testing import CliRunner
from rich.console import Console

from referee import console
from referee.cli import cli


def line(n, **fields):
    base = {
        "type": "ruling",
        "round": n,
        "time_s": 61.25,
        "cards": {"south": "scissors", "north": "paper"},
        "due": "scissors",
        "first": {"seat": "south", "type": "scissors", "onset_s": 60.9, "lead_ms": 142.4},
        "outcome": "won",
        "awards": {"south": 2},
        "pot": 0,
        "piles": {"north": 0, "south": 2},
        "review": False,
    }
    return base | fields


def shown(rulings, result=None, width=80):
    out = io.StringIO()
    console.show(rulings, result, Console(file=out, width=width))
    return out.getvalue()


def test_a_round_stands_in_one_row_with_its_seats_in_order():
    text = shown([line(1)], width=120)
    assert text.index("north") < text.index("south")
    assert "1:01.25" in text
    assert "south: scissors, by 142 ms" in text
    assert "south leads: north 0, south 2." in text


@pytest.mark.parametrize("width", range(30, 100, 3))
def test_where_the_terminal_is_too_narrow_for_the_table_its_sentences_stand_alone(width):
    text = shown([line(1, why="South was first.", review=True, questions=["Is that right?"])], width=width)
    rows = text.splitlines()
    assert "1. South was first." in rows
    head = next((row.split() for row in rows if "outcome" in row), None)
    assert head is not None or width < 80
    assert head is None or width > 60
    if head is not None:  # no word is cut
        assert {"round", "time", "due", "first", "outcome", "pot"} <= set(head)
        assert all(word in text.split() for word in ("1:01.25", "scissors", "(review)"))


def test_each_round_says_why():
    text = shown([line(1, why="South was first (rule rock.2p.call.correct).")])
    assert "1. South was first (rule rock.2p.call.correct)." in text


def test_hands_and_dice_have_no_due_type():
    hands = shown([line(1, due=None, first=None, decided_by="reveal", winner="south", awards={})], width=120)
    assert "silence" not in hands
    assert hands.splitlines()[3].split()[4:6] == ["-", "south"]
    dice = line(1, due=None, first=None, decided_by="reveal", cards={}, dice={"north": 1, "south": None})
    row = shown([dice], width=120).splitlines()[3].split()
    assert row[2:5] == ["1", "?", "-"]


def test_card_names_are_never_cut_at_80_columns():
    four = dict.fromkeys(("north", "east", "south", "west"), "scissors")
    text = shown([line(1, cards=four)])
    assert text.count("scissors") >= 5
    assert "…" not in text


def test_silence_and_unread_cards_are_told_apart():
    silent = shown([line(1, due=None, first=None, outcome="stays", awards={})])
    unread = shown([line(1, due=None, first=None, cards={"north": None, "south": "rock"})])
    assert "silence" in silent
    assert "silence" not in unread
    assert "?" in unread


def test_reviews_come_with_their_questions_and_times():
    text = shown([line(1), line(2, review=True, questions=["Who called?"])])
    assert "1 round needs your eyes" in text
    assert "round 2 at 1:01.25: Who called?" in text


def test_a_tie_names_everyone():
    text = shown([line(1, tied=["north", "south"], outcome="tie")], width=120)
    assert "north, south: scissors" in text


def test_a_level_score_is_called_level():
    assert (
        console.score_words({"north": 4, "south": 4}, 2) == "Level between north and south: north 4, south 4 (pot 2)."
    )


def test_no_round_at_all_is_said():
    assert "No round was ruled." in shown([])


def test_many_rounds_that_only_hands_explain_suggest_another_language():
    by_hands = {"first": None, "reviews": ["table_says_unheard"]}
    guessed = {"first": {"type": "rock"}, "reviews": ["table_says_otherwise", "call_unsure"]}
    clear = {"first": {"type": "rock"}, "reviews": []}
    assert "--languages de" in console.language_hint([by_hands, guessed, clear], ["en"])
    assert not console.language_hint([by_hands, guessed, clear, clear], ["en"])
    assert not console.language_hint([by_hands, {"first": None, "reviews": []}], ["en"])
    assert not console.language_hint([], ["en"])


def test_the_language_suggested_is_another_one_and_a_typed_game_was_not_listened_to():
    rounds = [{"first": None, "reviews": ["table_says_unheard"]}] * 3
    assert "--languages en" in console.language_hint(rounds, ["de"])
    assert "--languages es" in console.language_hint(rounds, ["de", "en"])
    assert not console.language_hint(rounds, ["de", "en", "es", "ko"])
    assert not console.language_hint(rounds, [])


def test_everything_on_the_terminal_is_in_one_language():
    rounds = [
        line(1, why="Süd war zuerst."),
        line(2, due=None, first=None, cards={"north": "rock", "south": "rock"}, outcome="stays", awards={}, pot=2),
        line(3, review=True, questions=["Wer hat gerufen?"], tied=["north", "south"], outcome="tie"),
    ]
    out = io.StringIO()
    console.show(rounds, {"piles": {"north": 2, "south": 2}, "pot": 2}, Console(file=out, width=130), language="de")
    text = out.getvalue()
    for word in ("Nord", "Schere", "Schweigen", "Süd: Schere, 142 ms voraus", "Nord, Süd: Schere", "Karten an"):
        assert word in text
    assert "Gleichstand zwischen Nord und Süd: Nord 2, Süd 2 (Mitte 2)." in text
    assert "1 Runde braucht eure Augen:\n  Runde 3 bei 1:01.25: Wer hat gerufen?" in text
    english = ("north", "south", "scissors", "silence", "round", "pot", "first", "won", "stays", "needs")
    assert not [word for word in english if re.search(rf"\b{word}\b", text)]


@pytest.mark.parametrize(("language", "said"), [("de", "Regel: "), ("es", "regla: "), ("en", "rule: ")])
def test_a_replay_speaks_one_language(tmp_path, language, said):
    typed = tmp_path / "typed.jsonl"
    typed.write_text(
        '{"game": "rock", "players": ["anna", "ben"]}\n'
        '{"cards": {"anna": "rock", "ben": "scissors"}}\n{"cards": {"anna": "rock", "ben": "scissors"}}\n'
    )
    CliRunner().invoke(cli, ["judge", str(typed), "--out", str(tmp_path), "--quiet"])
    asked = ["replay", str(tmp_path / "typed.record.jsonl"), "--language", language]
    same = CliRunner().invoke(cli, asked).output
    text = CliRunner().invoke(cli, [*asked, "--game", "tournament", "--option", "missed=own"]).output
    assert said in text
    if language != "en":
        english = ("round", "awards", "pot", "piles", "same", "record", "differs", "stays", "due", "none")
        assert not [word for word in english if re.search(rf"(?<!\.)\b{word}\b", same + text)]
