"""Conformance: every combination of cards for two, three and four players, against a table read off the rule sheet."""

from itertools import product

import pytest
from helpers_rules import LETTERS
from oracle import ORACLE

from referee.events import Type
from referee.rules.types import beats, due_type


def test_the_table_by_hand_is_complete():
    assert {n: sum(len(cards) == n for cards in ORACLE) for n in (2, 3, 4)} == {2: 9, 3: 27, 4: 81}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_combination_of_cards_has_the_winning_type_of_the_sheet(players):
    for cards in product("RPS", repeat=players):
        assert due_type([LETTERS[c] for c in cards]) is LETTERS[ORACLE["".join(cards)]], cards


@pytest.mark.parametrize("cards", [[], [Type.ROCK], [Type.ROCK] * 5])
def test_other_numbers_of_cards_are_no_round(cards):
    with pytest.raises(ValueError, match=f"not {len(cards)}"):
        due_type(cards)


def test_each_type_beats_exactly_one():
    assert {(a.value, b.value) for a in Type for b in Type if beats(a, b)} == {
        ("rock", "scissors"),
        ("scissors", "paper"),
        ("paper", "rock"),
    }
