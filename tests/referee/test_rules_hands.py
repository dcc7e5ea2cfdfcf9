"""Three-card hands: reveals, ties, draws, and cards that cannot be."""

from itertools import product

import pytest
from helpers_rules import LETTERS, P, R, S, Table, codes
from hypothesis import given
from hypothesis import strategies as st
from strategies import PROFILE

from referee.errors import UsageError
from referee.events import CardsGone, CardShown, HandDrawn, Reshuffled, SeatChanged, SeenTo, Type
from referee.match import Match
from referee.play.setting import Waiting
from referee.rules.hands import Holding, can_hold, dealt, discard_hand, impossible_card, keep_hand, winner_of

WINNERS = {"RS": 0, "SP": 0, "PR": 0, "SR": 1, "PS": 1, "RP": 1, "RR": None, "PP": None, "SS": None}


@pytest.mark.parametrize("pair", ["".join(p) for p in product("RPS", repeat=2)])
def test_every_pair_of_cards_has_the_winner_of_the_sheet(pair):
    assert winner_of(LETTERS[pair[0]], LETTERS[pair[1]]) == WINNERS[pair]


def game(*rounds, **more):
    """A game from pairs of letters, one reveal each three seconds."""
    table = Table(2, "hands", **more)
    for pair in rounds:
        table.cards(pair)
    return table


def test_the_winner_keeps_the_hand_and_the_loser_draws_three():
    (ruling,) = game("RS").judge()
    assert (ruling.rule, ruling.outcome, ruling.decided_by, ruling.extra["winner"]) == (
        "hands.won",
        "won",
        "reveal",
        "north",
    )
    assert ruling.extra["decks"] == {"north": 21, "south": 18}
    assert ruling.extra["discarded"] == {"north": 0, "south": 3}
    assert ruling.extra["hands_left"] == {"north": 7, "south": 6}
    assert ruling.extra["must_draw"] == ["south"]
    assert ruling.awards == {}


def test_a_tie_goes_on_with_another_card_and_is_one_round():
    (ruling,) = game("RR", "PS").judge()
    assert (ruling.round, ruling.cards, ruling.extra["winner"]) == (1, {"north": P, "south": S}, "south")
    assert ruling.extra["reveals"] == [{"north": "rock", "south": "rock"}, {"north": "paper", "south": "scissors"}]


def test_three_ties_make_both_discard_and_draw():
    (ruling,) = game("RR", "PP", "SS").judge()
    assert (ruling.rule, ruling.outcome) == ("hands.three_ties", "tie")
    assert ruling.extra["must_draw"] == ["north", "south"]
    assert ruling.extra["decks"] == {"north": 18, "south": 18}


def test_who_cannot_draw_three_is_out_and_the_other_wins():
    table = game("RS", "PR", "PR", options={"hand_cards": 18})
    last = table.judge()[-1]
    assert (last.rule, last.extra["out"], last.extra["must_draw"]) == ("hands.won.out1", ["south"], [])
    assert table.match.result()["winner"] == "north"
    assert last.verdict == "North's paper beats rock, and south cannot draw three cards: north wins the game."


def test_both_out_at_once_is_a_draw_to_be_played_again():
    table = game(*(["RR", "PP", "SS"] * 3), options={"hand_cards": 18})
    last = table.judge()[-1]
    assert (last.rule, last.extra["out"]) == ("hands.three_ties.out2", ["north", "south"])
    result = table.match.result()
    assert (result["finished"], result["winner"]) == (True, None)


def test_one_out_after_three_ties_loses():
    table = game("RS", "PR", "RR", "PP", "SS", options={"hand_cards": 18})
    last = table.judge()[-1]
    assert (last.rule, last.extra["out"]) == ("hands.three_ties.out1", ["south"])
    assert last.verdict == "Three ties, and south cannot draw three cards: north wins the game."
    assert table.match.result()["winner"] == "north"


def test_cards_after_the_end_are_no_round():
    assert len(game("RS", "PR", "PR", "RS", options={"hand_cards": 18}).judge()) == 3


def test_a_reveal_that_the_hand_cannot_hold_is_asked_about():
    """North wins with rock, paper, scissors, which is the whole hand, then shows two rocks in one round."""
    table = game("RS", "PR", "SP", "RR", "RS")
    last = table.judge()[-1]
    assert codes(last.reviews) == ["impossible_card"]
    assert last.questions == ("North cannot hold rock any more: is the card read rightly?",)
    assert [r.review for r in table.match.in_force[:-1]] == [False, False, False]


def test_the_card_that_cannot_be_is_named_even_if_it_was_not_the_last():
    """North's hand is two rocks and a scissors; a paper in a tie is what cannot be."""
    table = game("RR", "RS", "SP", "PP", "RS")
    assert table.judge()[-1].questions == ("North cannot hold paper any more: is the card read rightly?",)
    assert impossible_card(Holding(deck=9, each=8, known={R: 2, S: 1}), [P, R]) is P
    assert impossible_card(Holding(deck=9, each=8, known={R: 2, S: 1}), [R, P]) is P
    assert impossible_card(Holding(deck=9, each=8, known={R: 2, S: 1}), [R, S, R]) is None


def test_more_cards_of_a_type_than_the_deck_had_are_asked_about():
    rulings = game("RP", "RP", "RP", "RP", options={"hand_cards": 18}).judge()
    assert [r.review for r in rulings] == [False, False, False]
    rulings = game("RP", "RP", "RP", "RP", options={"hand_cards": 24}).judge()
    assert [r.review for r in rulings] == [False] * 4
    nine = game(*["RP"] * 5, options={"hand_cards": 30}).judge()
    assert not any(r.review for r in nine)


def test_a_card_that_cannot_be_read_leaves_the_round_and_the_counts_open():
    first, second = game("R?", "RS").judge()
    assert (first.outcome, first.extra["winner"], codes(first.reviews)) == ("open", None, ["card_unread"])
    assert first.extra["decks"] == {"north": 21, "south": 21}
    assert codes(second.notes) == ["piles_depend"]
    assert second.depends_on == (1,)


def test_an_open_round_leaves_the_winner_of_the_game_open():
    table = game("R?", "RS", "PR", "PR", options={"hand_cards": 18})
    table.judge()
    assert (table.match.result()["finished"], table.match.result()["winner"]) == (True, None)


def test_a_card_that_was_never_seen_is_asked_about():
    first, second = game("R.", "PS").judge()
    assert (first.outcome, codes(first.reviews)) == ("open", ["card_missing"])
    assert second.extra["winner"] == "south"


def test_two_cards_at_once_are_asked_about():
    table = game("R.")
    table.show("north", "P", at=5.2).show("south", "S", at=5.3)
    (ruling,) = table.judge()
    assert (ruling.cards["north"], codes(ruling.reviews)) == (R, ["double_flip"])


def test_a_card_taken_back_must_be_played_again():
    table = game("R.").add(CardsGone(time_s=5.6, cards=(1,), to_seat="north"))
    table.show("north", "P", at=6.5).show("south", "R", at=6.6)
    (ruling,) = table.judge()
    assert (ruling.cards, ruling.extra["winner"]) == ({"north": P, "south": R}, "north")
    assert codes(ruling.reviews) == ["taken_back"]
    assert ruling.extra["reveals"] == [{"north": "paper", "south": "rock"}]


def test_a_card_that_goes_long_after_it_was_shown_is_not_taken_back():
    first, second = game("R.").add(CardsGone(time_s=7.6, cards=(1,))).cards("RS").judge()
    assert (codes(first.reviews), second.cards) == (["card_missing"], {"north": R, "south": S})


def test_cards_that_go_after_both_were_shown_end_the_round():
    table = game("RS").add(CardsGone(time_s=5.5, cards=(1, 2)), CardsGone(time_s=5.6, cards=(1,)))
    table.match.feed_all(table.events)
    assert [r.outcome for r in table.match.rulings] == ["won"]


def test_a_third_card_at_once_is_one_too_many():
    table = game("RS").add(CardShown(time_s=5.5, seat=None, card=9, type=P))
    assert codes(table.judge()[0].reviews) == ["extra_card"]


def test_a_card_of_nobody_known_belongs_to_the_only_player_left():
    table = game("R.").add(CardShown(time_s=5.2, seat="moon", card=9, type=S))
    (ruling,) = table.judge()
    assert (ruling.cards, codes(ruling.notes)) == ({"north": R, "south": S}, ["seat_inferred"])
    assert codes(ruling.reviews) == ["not_playing"]


def test_two_cards_of_nobody_known_leave_the_round_open():
    table = game().add(*(CardShown(time_s=5.0, seat=None, card=n, type=k) for n, k in ((1, R), (2, S))))
    (ruling,) = table.judge()
    assert (ruling.outcome, codes(ruling.reviews)) == ("open", ["card_missing", "card_missing"])


def test_doubtful_cards_of_a_tie_are_asked_about_too():
    table = game()
    table.cards("RR", confidence=0.5).cards("PS")
    assert codes(table.judge()[0].reviews) == ["card_unsure", "card_unsure"]


def test_who_must_draw_is_waited_for_until_they_drew():
    table = game("RS")
    table.match.feed_all([*table.events, SeenTo(time_s=6.5)])
    assert (table.match.waiting_for, table.match.legal) == (Waiting("draw", ("south",)), ("draw", "flip", "challenge"))
    table.match.feed(HandDrawn(time_s=7.0, seat="south"))
    assert table.match.waiting_for == Waiting("reveal", ("north", "south"))
    assert [(s.seat, s.score) for s in table.match.standings] == [("north", 8), ("south", 7)]


def test_who_draws_without_need_is_noted():
    table = game("RS").add(HandDrawn(time_s=7.0, seat="north")).cards("RS", at=12.0)
    assert codes(table.judge()[1].notes) == ["drew_unasked"]


def test_seats_may_be_changed_and_decks_go_along():
    table = game("RS").add(SeatChanged(time_s=8.0, seat="north", to_seat="east"))
    table.judge()
    assert table.match.result()["piles"] == {"east": 21, "south": 18}


def test_shuffling_begins_a_new_game():
    table = game("RS").add(Reshuffled(time_s=8.0))
    table.judge()
    assert table.match.result()["games"][0]["piles"] == {"north": 21, "south": 18}
    assert table.match.result()["piles"] == {"north": 21, "south": 21}


def test_hands_cannot_be_dealt_from_a_number_that_is_no_multiple_of_six():
    with pytest.raises(UsageError, match="multiple of 6"):
        Match(game="hands", options={"hand_cards": 50})


def test_the_ruling_comes_a_moment_after_the_reveal():
    table = game("RS")
    assert table.match.feed_all([*table.events, SeenTo(time_s=6.0)]) == []
    assert len(table.match.feed(SeenTo(time_s=6.01))) == 1


kinds = st.sampled_from(Type)


@PROFILE
@given(st.lists(st.tuples(st.booleans(), st.lists(kinds, min_size=1, max_size=3)), max_size=12))
def test_a_players_cards_are_conserved_whatever_is_revealed(rounds):
    holding = dealt(48)
    for wins, revealed in rounds:
        holding = keep_hand(holding, revealed) if wins else discard_hand(holding, revealed)
        assert holding.total == 24
        assert 0 <= holding.hands_left <= 7


@PROFILE
@given(st.permutations([kind for kind in Type for _ in range(8)]), st.data())
def test_an_honest_player_is_never_suspected(deck, data):
    """A true deck, played in any order, winning and losing at random, can always hold what it shows."""
    holding, deck = dealt(48), list(deck)
    hand = [deck.pop() for _ in range(3)]
    for _ in range(20):
        order = data.draw(st.permutations(hand))
        revealed = order[: data.draw(st.integers(1, 3))]
        assert can_hold(holding, revealed)
        if data.draw(st.booleans()):
            holding = keep_hand(holding, revealed)
        elif len(deck) >= 3:
            holding, hand = discard_hand(holding, revealed), [deck.pop() for _ in range(3)]
        else:
            break


def test_cards_are_dealt_in_equal_thirds_with_a_first_hand_drawn():
    assert repr(dealt(48)) == "Holding(deck=21, each=8, hand=3, discarded=0, known={}, gone={})"
    assert repr(dealt(18)) == "Holding(deck=6, each=3, hand=3, discarded=0, known={}, gone={})"


def test_the_winner_takes_the_cards_back_and_what_is_known_of_the_hand_grows():
    won = keep_hand(Holding(deck=9, each=8, known={R: 1, P: 1}, gone={S: 2}), [R, S])
    assert won == Holding(deck=9, each=8, known={R: 1, P: 1, S: 1}, gone={S: 2})


def test_what_is_known_of_a_hand_is_not_forgotten():
    assert keep_hand(Holding(deck=9, each=8, known={R: 2}), [R]).known == {R: 2}


@pytest.mark.parametrize(("deck", "left", "hand"), [(9, 6, 3), (3, 0, 3), (2, 2, 0), (0, 0, 0)])
def test_the_loser_discards_three_and_draws_three_if_there_are_three(deck, left, hand):
    lost = discard_hand(Holding(deck=deck, each=8, discarded=6, known={R: 1, P: 1}, gone={P: 1, S: 2}), [R, R])
    assert lost == Holding(deck=left, each=8, hand=hand, discarded=9, known={}, gone={R: 2, P: 2, S: 2})
    assert lost.out == (hand == 0)
    assert lost.hands_left == left // 3


def test_the_same_type_in_two_rounds_may_be_the_same_card():
    holding = Holding(deck=21, each=8, known={R: 1, P: 1})
    assert can_hold(holding, [R])
    assert can_hold(holding, [R, P, S])
    assert can_hold(holding, [R, R])
    assert not can_hold(holding, [S, S])
    assert not can_hold(Holding(deck=21, each=8, gone={R: 8}), [R])
    assert can_hold(Holding(deck=21, each=8, gone={R: 7}), [R])
    assert can_hold(Holding(deck=21, each=1), [R])
    assert not can_hold(Holding(deck=21, each=1), [R, R])
