"""Cards that go to others than a doubtful ruling says: another reading may explain it, and people are asked."""

from __future__ import annotations

import pytest
from helpers_rules import Table, codes

from referee.events import Correction, Type

ASKED = "table_says_otherwise"
UNHEARD = "table_says_unheard"


def ruled(table):
    """The first ruling, once the next round has begun."""
    return table.cards("PP").judge()[0]


def unsure(table, seat, letter, after=0.8, probability=0.4):
    return table.call(seat, letter, after=after, accepted=False, reason="unsure", probability=probability)


def test_a_word_that_was_not_clear_was_the_call_if_its_player_takes_the_cards():
    ruling = ruled(unsure(Table().cards("RS"), "north", "R").gone("north"))
    assert (ruling.outcome, ruling.first.seat, ruling.awards) == ("won", "north", {"north": 2})
    assert (ruling.decided_by, codes(ruling.reviews)) == ("table", ["call_unsure", ASKED])
    assert [(call.counted, call.reason) for call in ruling.calls] == [(True, "decides")]


def test_it_was_a_wrong_call_if_the_other_takes_them():
    ruling = ruled(unsure(Table().cards("RS"), "north", "P").gone("south"))
    assert (ruling.outcome, ruling.first.seat, ruling.awards) == ("penalty", "north", {"south": 2})
    assert ASKED in codes(ruling.reviews)


def test_nobody_knows_whose_word_it_was_but_the_cards_tell():
    ruling = ruled(unsure(Table().cards("RS"), None, "R").gone("south"))
    assert (ruling.outcome, ruling.first.seat, ruling.awards) == ("won", "south", {"south": 2})


def test_of_two_who_were_too_close_the_taker_was_first():
    table = Table().cards("RS").call("north", "R", sigma_ms=20.0).call("south", "R", after=0.82, sigma_ms=20.0)
    ruling = ruled(table.gone("south"))
    assert (ruling.outcome, ruling.first.seat, ruling.awards) == ("won", "south", {"south": 2})
    assert ASKED in codes(ruling.reviews)


def test_an_unsure_call_was_none_if_the_second_caller_takes_the_cards():
    table = Table().cards("RS").call("north", "P", probability=0.6).call("south", "R", after=1.2)
    ruling = ruled(table.gone("south"))
    assert (ruling.outcome, ruling.awards) == ("penalty", {"south": 2})
    table = Table().cards("RS").call("north", "R", probability=0.6).call("south", "R", after=1.2)
    ruling = ruled(table.gone("south"))
    assert (ruling.outcome, ruling.first.seat) == ("won", "south")


def test_of_words_that_explain_it_alike_the_one_that_was_due_is_taken():
    table = unsure(unsure(Table().cards("RS"), "south", "P"), "north", "R", after=0.81)
    ruling = ruled(table.gone("north"))
    assert (ruling.outcome, ruling.first.seat, ruling.first.type) == ("won", "north", "rock")


def test_a_clear_ruling_stands_against_the_hands():
    ruling = ruled(unsure(Table().cards("RS").call("north", "R"), "south", "R", after=1.4).gone("south"))
    assert (ruling.awards, codes(ruling.reviews)) == ({"north": 2}, ["collected_by_other"])


def test_hands_that_no_reading_explains_are_only_told():
    ruling = ruled(unsure(Table(3).cards("RSS"), "north", "R").gone("east", cards=[1]))
    assert (ruling.outcome, ruling.awards) == ("stays", {})
    assert codes(ruling.reviews) == ["maybe_call", "collected_by_other"]


def test_readings_that_give_different_cards_explain_nothing():
    options = {"two_player_penalty_takes_pot": False}
    table = Table(options=options).cards("RR").cards("RS")
    ruling = unsure(unsure(table, "south", "P"), "north", "R", after=0.81).gone("north").cards("PP").judge()[1]
    assert (ruling.outcome, codes(ruling.reviews)[-1]) == ("stays", "collected_by_other")


def test_the_house_may_ignore_collecting_hands():
    ruling = ruled(unsure(Table(options={"collection": "ignore"}).cards("RS"), "north", "R").gone("north"))
    assert (ruling.outcome, codes(ruling.reviews)) == ("stays", ["maybe_call"])


def test_who_takes_but_the_own_card_did_not_win():
    table = unsure(unsure(Table(4).cards("RPSP"), "west", "S"), "north", "P", after=0.9)
    table.gone(None, cards=[2, 3]).gone("north", cards=[1])
    ruling, after = table.cards("RSSP").call("north", "R").cards("PPPP").judge()[:2]
    assert (ruling.outcome, ruling.first.seat) == ("penalty", "west")
    assert ruling.awards == {"north": 1, "east": 1, "south": 1}
    assert "pot_depends" in codes(after.reviews)


def doubted_pot():
    """A round that may have been a call, and after it one whose winner takes what lay there."""
    table = unsure(Table().cards("RS"), "north", "R", after=1.2)
    return table.cards("RS").call("north", "R")


def test_cards_that_are_counted_as_they_are_taken_answer_how_many_lay_there():
    _, ruling = doubted_pot().gone("north", cards=[1, 2, 3, 4]).cards("PP").judge()[:2]
    assert (ruling.awards, ruling.review, codes(ruling.notes)) == ({"north": 4}, False, ["pot_counted"])


def test_fewer_cards_or_some_that_went_to_nobody_known_answer_nothing():
    _, fewer = doubted_pot().gone("north", cards=[3, 4]).cards("PP").judge()[:2]
    _, unknown = doubted_pot().gone("north", cards=[1, 2, 3]).gone(None, cards=[4]).cards("PP").judge()[:2]
    assert codes(fewer.reviews) == codes(unknown.reviews) == ["pot_depends"]


def test_a_word_hardly_like_a_call_was_one_if_its_player_takes_the_cards():
    ruling = ruled(unsure(Table().cards("RS"), "north", "R", probability=0.09).gone("north"))
    assert (ruling.outcome, ruling.first.seat, codes(ruling.reviews)) == ("won", "north", ["call_unsure", ASKED])
    kept = ruled(unsure(Table().cards("RS"), "north", "R", probability=0.09).gone(None))
    assert (kept.outcome, kept.review) == ("stays", False)


def test_a_word_hardly_like_a_call_is_nobodys_if_it_is_not_known_whose():
    ruling = ruled(unsure(Table().cards("RS"), None, "R", probability=0.09).gone("north"))
    assert (ruling.outcome, codes(ruling.reviews)) == ("won", [UNHEARD])
    assert (ruling.first.seat, ruling.first.type, ruling.first.onset_s) == ("north", "rock", None)  # whoever takes all


def test_a_word_somewhat_like_a_call_may_be_anybodys_if_the_cards_say_so():
    table = unsure(Table(4).cards("RRSS").call(None, "R", after=1.3), None, "S", probability=0.2)
    ruling = ruled(table.gone("north", cards=[1]).gone("south", cards=[3]).gone("west", cards=[4]))
    assert (ruling.outcome, ruling.first.seat, ruling.first.type) == ("penalty", "east", "scissors")
    assert codes(ruling.reviews) == ["call_unsure", ASKED]


def test_two_of_four_who_take_their_own_cards_and_were_not_heard_said_it_at_once():
    table = Table(4).cards("SPSP").gone("south", cards=[3]).gone("north", cards=[1])
    ruling = ruled(table)
    assert (ruling.outcome, ruling.tied, ruling.awards) == ("tie", ("north", "south"), {"north": 1, "south": 1})
    assert (ruling.first.type, ruling.first.onset_s, codes(ruling.reviews)) == ("scissors", None, [UNHEARD])


def test_a_misheard_word_at_once_with_a_clear_call_makes_a_tie_if_both_take_their_own():
    table = Table(3).cards("RRS").call("south", "R")
    unsure(table, "north", "P", after=0.802, probability=0.12).gone("north", cards=[1]).gone("south", cards=[3])
    ruling = ruled(table)
    assert (ruling.outcome, ruling.awards) == ("tie", {"north": 1, "south": 1})
    assert ASKED in codes(ruling.reviews)
    lines = [call.to_json() for call in ruling.calls]
    assert [(line["type"], line.get("heard", "as it is")) for line in lines] == [
        ("rock", "as it is"),
        ("rock", "paper"),
    ]


def test_a_call_whose_time_was_doubted_keeps_the_error_that_was_measured():
    table = Table(3).cards("RRS").call("south", "R", probability=0.7, sigma_ms=1.5)
    table.call("north", "R", after=0.81, sigma_ms=1.5).gone("north", cards=[1]).gone("south", cards=[3])
    ruling = ruled(table)
    assert (ruling.outcome, ASKED in codes(ruling.reviews)) == ("tie", True)
    assert [call.to_json()["sigma_ms"] for call in ruling.calls] == [1.5, 1.5]


def test_words_are_taken_as_they_were_heard_if_that_explains_it():
    ruling = ruled(unsure(Table().cards("RS"), None, "P").gone("south"))
    assert (ruling.outcome, ruling.first.seat, ruling.first.type) == ("penalty", "north", "paper")


def voice(table, seat, after, **more):
    given = {"accepted": False, "reason": "not understood", "probability": 0.3, "sigma_ms": 60.0, "word": ""}
    return table.call(seat, "?", after=after, **(given | more))


def test_a_voice_that_was_not_understood_was_first_if_its_player_takes_the_cards():
    table = Table().cards("RS").call("south", "R", contested=True)
    ruling = ruled(voice(table, "north", 0.82).gone("north"))
    assert (ruling.outcome, ruling.first.seat, ruling.awards) == ("won", "north", {"north": 2})
    assert ASKED in codes(ruling.reviews)
    clear = ruled(voice(Table().cards("RS").call("south", "R"), "north", 1.4).gone("north"))
    assert (clear.first.seat, codes(clear.reviews)) == ("south", ["collected_by_other"])


def heard_as_one(table):
    """A round in which a word of nobody known is heard, after one whose cards were seen to be collected."""
    return table.cards("RS").call("north", "R").gone("north").cards("PS").call(None, "S")


def test_two_who_said_the_same_at_once_were_heard_as_one_if_nobody_takes_the_cards():
    _, ruling, after = heard_as_one(Table()).cards("RS").call("north", "R").gone("north").cards("PP").judge()[:3]
    assert (ruling.outcome, ruling.tied, ruling.awards) == ("tie", ("north", "south"), {})
    assert (ruling.pot, codes(ruling.reviews)) == (2, ["table_says_nobody"])
    assert (after.awards, codes(after.reviews)) == ({"north": 4}, ["pot_depends"])


def test_a_call_in_whose_sound_another_word_was_heard_was_that_word_if_the_hands_say_so():
    def played(taker):
        table = unsure(Table().cards("SP"), "north", "P").call("north", "S", probability=0.86)
        return ruled(table.call("south", "S", after=0.95).gone(taker))

    told = played("south")
    assert (told.outcome, told.first.type, told.awards) == ("penalty", Type.PAPER, {"south": 2})
    assert codes(told.reviews) == ["maybe_call", "table_says_otherwise"]
    assert (played("north").outcome, codes(played("north").reviews)) == ("won", ["maybe_call"])


@pytest.mark.parametrize(("probability", "outcome"), [(0.4, "penalty"), (0.1, "tie")])
def test_that_two_were_heard_as_one_is_less_likely_than_an_unclear_wrong_call_before(probability, outcome):
    table = unsure(Table(3).cards("RSR"), "south", "P", after=0.7, probability=probability).call(None, "R", sigma_ms=60)
    ruling = ruled(table.gone("north", cards=[1]).gone("east", cards=[2]))
    assert ruling.outcome == outcome


def test_cards_that_went_unseen_or_lie_at_an_end_soon_after_say_nothing():
    _, ruling = heard_as_one(Table()).gone(None).cards("PP").judge()[:2]
    assert (ruling.outcome, ruling.tied, codes(ruling.reviews)) == ("won", (), ["who_called"])
    _, last = heard_as_one(Table()).end(after=1.0).judge()
    assert codes(last.reviews) == ["who_called"]
    _, last = heard_as_one(Table()).end(after=4.0).judge()
    assert (last.outcome, codes(last.reviews)) == ("tie", ["table_says_nobody"])
    never = Table().cards("PS").call(None, "S").cards("PP").judge()[0]
    assert codes(never.reviews) == ["who_called"]


def test_of_three_those_who_take_their_own_cards_said_it_at_once():
    table = Table(3).cards("RRS").call(None, "R").gone("north", cards=[1]).gone("east", cards=[2])
    ruling = ruled(table)
    assert (ruling.outcome, ruling.tied, ruling.awards) == ("tie", ("north", "east"), {"north": 1, "east": 1})
    assert codes(ruling.reviews) == ["table_says"]


def after_collecting():
    return Table().cards("RS").call("north", "R").gone("north").cards("PS")


def test_of_a_doubtful_ruling_also_cards_that_nobody_takes_tell():
    table = unsure(after_collecting().call("north", "S", contested=True), "south", "S", after=0.801)
    _, ruling = table.cards("PP").judge()[:2]
    assert (ruling.outcome, ruling.tied, ruling.awards) == ("tie", ("north", "south"), {})
    assert "table_says_left" in codes(ruling.reviews)


def test_of_a_clear_ruling_cards_that_nobody_takes_change_nothing_but_are_asked_about():
    table = unsure(after_collecting().call("north", "S"), "south", "S", after=1.4, probability=0.2)
    _, ruling = table.cards("PP").judge()[:2]
    assert (ruling.awards, ruling.outcome, codes(ruling.reviews)) == ({"north": 2}, "won", ["not_collected"])


def test_cards_that_nobody_takes_after_a_clear_call_are_a_tie_with_one_that_was_heard_at_its_side():
    more = {"accepted": False, "reason": "perhaps another's call", "probability": 0.5, "sigma_ms": 45.0}
    table = after_collecting().call("north", "S").call("south", "S", after=0.865, **more)
    _, ruling = table.cards("PP").judge()[:2]
    assert (ruling.outcome, ruling.tied) == ("tie", ("north", "south"))
    assert codes(ruling.reviews) == ["too_close", "table_says_left"]


def test_two_words_in_one_sound_are_two_players_and_who_collects_was_right():
    for letters, first in (("RP", "north"), ("PR", "south")):
        table = Table().cards("RS").call(None, letters[0], contested=True, sigma_ms=20.0)
        table.call(None, letters[1], after=0.802, contested=True, sigma_ms=20.0, probability=0.2)
        ruling = ruled(table.gone("north"))
        assert (ruling.outcome, ruling.awards, ruling.first.seat) == ("contested", {"north": 2}, first)
        assert codes(ruling.reviews) == ["two_voices", "table_says"]


def test_a_stray_card_in_another_hand_is_no_share_of_two_players():
    table = Table().cards("RR").cards("RS").call(None, "R").gone("south", cards=[1]).gone("north", cards=[2, 3, 4])
    ruling = table.cards("PP").judge()[1]
    assert (ruling.outcome, ruling.awards, codes(ruling.reviews)) == ("won", {"north": 4}, ["table_says"])


CORNERS = ((10.0, 10.0), (60.0, 10.0), (60.0, 90.0), (10.0, 90.0))


def test_in_the_first_round_an_eye_that_sees_no_card_go_is_believed():
    table = Table().cards("PS", corners=CORNERS).call(None, "S").cards("RS", corners=CORNERS).call(None, "R")
    first, second = table.cards("PP", corners=CORNERS).judge()[:2]
    assert (first.outcome, codes(first.reviews)) == ("tie", ["table_says_nobody"])
    assert "who_called" in codes(second.reviews)  # by then it ought to have seen some


def test_three_of_four_are_not_taken_to_have_spoken_at_once():
    table = Table(4).cards("PPRP").call(None, "P")
    for seat, card in (("north", 1), ("south", 3), ("west", 4)):
        table.gone(seat, cards=[card])
    assert codes(ruled(table).reviews) == ["who_called"]


def test_a_word_that_began_before_a_call_in_doubtful_order_was_first_if_its_player_takes_the_cards():
    table = unsure(Table().cards("RS"), "north", "R").call("south", "R", after=0.823, sigma_ms=46.0, contested=True)
    ruling = ruled(table.gone("north"))
    assert (ruling.outcome, ruling.first.seat, ruling.awards) == ("won", "north", {"north": 2})


def test_of_two_words_in_one_sound_one_was_none_if_somebody_takes_all():
    table = Table(4).cards("RSSR").call(None, "R", contested=True, sigma_ms=20.0)
    table.call(None, "P", after=0.812, contested=True, sigma_ms=20.0, probability=0.33)
    ruling = ruled(table.gone("west"))
    assert (ruling.outcome, ruling.first.seat, ruling.awards) == ("won", "west", {"west": 4})
    assert ASKED in codes(ruling.reviews)


def test_a_word_in_the_sound_of_the_players_own_call_is_but_that_call():
    table = Table().cards("RS").call("north", "R")
    unsure(table, "north", "P", after=0.801, probability=0.25)
    ruling = ruled(table.gone("south"))
    assert (ruling.outcome, codes(ruling.reviews)) == ("won", ["collected_by_other"])


def test_of_two_words_in_one_sound_the_one_that_names_nobody_is_the_others():
    table = Table().cards("RS").call(None, "R", contested=True, sigma_ms=20.0)
    table.call("south", "P", after=0.802, contested=True, sigma_ms=20.0)
    (ruling,) = table.judge()
    assert (ruling.outcome, ruling.tied) == ("contested", ("north", "south"))
    assert 0 < ruling.confidence <= 0.5


def test_hands_say_nothing_of_a_round_that_counts_for_nothing():
    for table in (Table().cards("RR"), unsure(Table().cards("RS"), "north", "R"), Table().cards("RS").call(None, "R")):
        table.gone("north").cards("PP").judge()
        table.match.feed(Correction(time_s=99.0, kind="void", card=1))
        ruling = table.match.in_force[0]
        assert (ruling.outcome, ruling.awards, ruling.review) == ("stays", {}, False)


def test_what_people_said_was_no_call_is_none_even_where_every_word_is_doubted():
    table = Table(options={"doubt": 0.0}).cards("RS").call("north", "R")
    table.judge()
    table.match.feed(Correction(time_s=99.0, kind="not_a_call", call=1))
    assert (table.match.in_force[0].outcome, table.match.in_force[0].review) == ("stays", False)


def left_and_asked(cards, *takers):
    """Two who were heard as one, and a call of nobody known for what lies there after it."""
    table = heard_as_one(Table()).cards("RS").call(None, "R")
    for seat, some in takers:
        table.gone(seat, cards=some)
    return table.cards(cards).judge()[2]


def test_what_the_table_answers_may_hang_on_a_doubtful_pot_too():
    ruling = left_and_asked("PP", ("south", [5, 6]))
    assert (ruling.awards, codes(ruling.reviews)) == ({"south": 4}, ["table_says", "pot_depends"])
    sure = left_and_asked("PP", ("south", [3, 4, 5, 6]))
    assert (sure.awards, sure.revision, codes(sure.reviews)) == ({"south": 4}, 1, ["table_says"])
    assert "pot_counted" in codes(sure.notes)


def test_every_house_rule_that_the_answer_rests_on_is_named_and_no_other():
    named = {"collection": "propose", "two_player_penalty_takes_pot": True}
    answered = Table().cards("RR").cards("RS").call(None, "P").gone("south").cards("PP").judge()[1]
    read = unsure(Table().cards("RR").cards("RS"), "north", "P").gone("south").cards("PP").judge()[1]
    assert answered.options_used == read.options_used == named
    right = Table().cards("RS").gone("north").cards("PP").judge()[0]
    assert (right.outcome, right.options_used) == ("won", {"collection": "propose"})
    wrong = Table().cards("RR").cards("PP").gone("north").cards("PP").judge()[1]
    assert (wrong.outcome, wrong.options_used) == ("penalty", named)


def test_two_doubtful_calls_in_certain_order_were_at_once_if_all_but_the_wrong_one_take_their_own():
    table = Table(3).cards("RSR").call("north", "R", sigma_ms=4.0, contested=True)
    table.call("east", "S", after=0.811, sigma_ms=2.0).gone("north", cards=[1]).gone("south", cards=[3])
    ruling = ruled(table)
    assert (ruling.outcome, ruling.awards) == ("contested", {"north": 1, "south": 1})
    assert ASKED in codes(ruling.reviews)
    clear = Table(3).cards("RSR").call("north", "R", sigma_ms=4.0).call("east", "S", after=0.811, sigma_ms=2.0)
    ruling = ruled(clear.gone("north", cards=[1]).gone("south", cards=[3]))
    assert (ruling.outcome, codes(ruling.reviews)) == ("won", ["collected_by_other"])


def test_who_was_wrong_at_once_is_said_by_the_cards():
    table = Table().cards("RS").call(None, "R", contested=True, sigma_ms=20.0)
    table.call(None, "P", after=0.802, contested=True, sigma_ms=20.0, probability=0.2)
    said = ruled(table.gone("north")).verdict
    assert said == "South was wrong and north right at the same time: north would take 2 cards."
    both = Table().cards("RS").call("north", "R").gone("north").cards("PS").call(None, "R").cards("PP").judge()[1]
    assert both.verdict == "North and south were both wrong at the same time: 2 cards would stay."


def test_of_four_it_is_not_known_who_was_right_at_once():
    table = Table(4).cards("RSSR").call(None, "R", contested=True, sigma_ms=20.0)
    table.call(None, "P", after=0.802, contested=True, sigma_ms=20.0)
    for seat, card in (("north", 1), ("east", 2), ("west", 4)):
        table.gone(seat, cards=[card])
    said = ruled(table).verdict
    assert said.startswith("South was wrong and somebody else right at the same time: nobody would win")


def test_hands_that_did_nothing_are_asked_about_even_where_hands_are_believed():
    _, ruling, _ = heard_as_one(Table(options={"collection": "accept"})).cards("PP").judge()
    assert (ruling.outcome, codes(ruling.reviews)) == ("tie", ["table_says_nobody"])


def too_close(lead_ms, seats=("south", "east"), players=3, error_ms=18.0):
    """A wrong and a right call of scissors, paper and paper lying there, and all but the wrong caller collect."""
    table = Table(players).cards("SPP"[:players]).call(seats[0], "R", sigma_ms=2.0)
    table.call(seats[1], "S", after=0.8 + lead_ms / 1000, sigma_ms=error_ms)
    for seat in [seat for seat in table.seats if seat != seats[0]]:
        table.gone(seat, cards=[table.seats.index(seat) + 1] if players > 2 else None)
    return ruled(table)


def test_after_a_wrong_call_that_was_likelier_first_than_at_once_it_alone_decides():
    ruling = too_close(35)
    assert (ruling.outcome, ruling.decided_by, ruling.tied) == ("penalty", "table", ())
    assert (ruling.first.seat, round(ruling.first.lead_ms)) == ("south", 35)
    assert codes(ruling.reviews) == ["too_close", ASKED]
    assert [(call.claim.type, call.counted) for call in ruling.calls] == [("rock", True), ("scissors", False)]


def test_where_both_at_once_is_likelier_people_are_asked_who_was_wrong():
    ruling = too_close(12)
    assert (ruling.outcome, set(ruling.tied)) == ("contested", {"south", "east"})
    assert "contested" in codes(ruling.reviews)


def test_hands_of_which_not_all_were_seen_suffice_where_they_rule_the_other_call_out():
    table = Table(3).cards("SPP").call("south", "R", sigma_ms=2.0).call("east", "S", after=0.835, sigma_ms=18.0)
    own = table.seats.index("east") + 1
    ruling = ruled(table.gone("east", cards=[own]))
    assert (ruling.outcome, ruling.first.seat) == ("penalty", "south")


def test_a_call_that_was_not_heard_is_likelier_than_a_sound_hardly_like_one():
    ruling = ruled(unsure(Table().cards("RS"), "north", "P", probability=0.1).gone("south"))
    assert (ruling.outcome, ruling.first.seat, ruling.first.type) == ("won", "south", "rock")
    assert codes(ruling.reviews) == [UNHEARD]
    assert [call.counted for call in ruling.calls] == [False]


def test_who_called_in_vain_and_was_not_heard_is_not_named():
    table = Table(3).cards("PPS")
    for seat in table.seats[1:]:
        table.gone(seat, cards=[table.seats.index(seat) + 1])
    ruling = ruled(table)
    assert (ruling.outcome, ruling.first) == ("penalty", None)


def test_a_ruling_by_a_word_that_came_late_stands_no_earlier_than_the_word():
    table = unsure(Table().cards("RR"), "north", "R", after=2.4).gone("south", after=3.5)
    ruling = ruled(table)
    assert (ruling.outcome, ruling.first.seat, ruling.decided_by) == ("penalty", "north", "table")
    assert ruling.time_s == ruling.first.onset_s + 0.4


def test_an_unsure_call_was_the_other_word_that_was_heard_in_its_sound_if_its_player_takes_the_cards():
    table = Table().cards("RS").call("north", "P", probability=0.6)
    table.call("north", "R", after=0.801, accepted=False, reason="same sound", probability=0.3)
    ruling = ruled(table.gone("north"))
    assert (ruling.outcome, ruling.first.seat, ruling.first.type, ruling.awards) == (
        "won",
        "north",
        "rock",
        {"north": 2},
    )
    assert {"call_unsure", ASKED} <= set(codes(ruling.reviews))
    assert [call.to_json().get("heard") for call in ruling.calls] == ["paper", None]
    alone = ruled(Table().cards("RS").call("north", "P", probability=0.6).gone("north"))
    assert (alone.outcome, alone.first.type) == ("won", "rock")
    clear = ruled(Table().cards("RS").call("north", "P").gone("north"))
    assert (clear.outcome, codes(clear.reviews)) == ("penalty", ["collected_by_other"])


def test_two_unclear_words_at_once_were_both_called_if_the_hands_contradict_the_likelier():
    table = unsure(Table(3).cards("SSR"), None, "S", probability=0.61)
    table = unsure(table, None, "R", after=0.805, probability=0.63)
    ruling = ruled(table.gone("north", cards=[1]).gone("south", cards=[3]))
    assert (ruling.outcome, ruling.awards) == ("contested", {"north": 1, "south": 1})
    assert [call.claim.type for call in ruling.calls if call.claim.accepted] == [Type.SCISSORS, Type.ROCK]
    assert ASKED in codes(ruling.reviews)


@pytest.mark.parametrize(("unseen", "caller"), [(1, "west"), (4, "north")])
def test_a_card_that_went_unseen_was_to_go_and_what_stayed_is_the_wrong_callers(unseen, caller):
    table = Table(4).cards("RRRR").call(None, "S").gone("south", cards=[3]).gone("east", cards=[2])
    ruling = ruled(table.gone(None, cards=[unseen]))
    assert (ruling.outcome, ruling.first.seat) == ("penalty", caller)
    assert caller not in ruling.awards
    assert sum(ruling.awards.values()) == 3


def test_a_card_that_went_unseen_says_nothing_of_who_takes_all():
    table = Table(4).cards("RSSS").call(None, "R").gone("south", cards=[3, 2]).gone(None, cards=[1])
    assert ruled(table).first.seat == "south"


def test_two_may_have_said_an_unclear_word_at_once():
    table = unsure(Table(3).cards("SPP"), None, "S").gone("north", cards=[1]).gone("east", cards=[2])
    ruling = ruled(table)
    assert (ruling.outcome, ruling.awards, ruling.tied) == ("tie", {"north": 1, "east": 1}, ("north", "east"))
    assert codes(ruling.reviews)[-1] == ASKED
