"""Who was first, how sure that is, and what is asked of people where it is not."""

import pytest
from helpers_rules import P, R, S, Table, codes

from referee.events import CallHeard, CardShown, SeenTo


def calls(ruling):
    return [(call.counted, call.reason) for call in ruling.calls]


def test_a_clear_lead_decides_and_is_stated_with_its_error():
    ruling = Table().cards("RS").call("north", "R").call("south", "R", after=0.942).only()
    assert ruling.rule == "rock.2p.call.correct"
    assert ruling.first.to_json() == {
        "seat": "north",
        "type": "rock",
        "onset_s": 5.8,
        "sigma_ms": 6.0,
        "lead_ms": 142.0,
        "lead_sigma_ms": 8.485,
        "call": 1,
    }
    assert calls(ruling) == [(True, "decides"), (False, "after the deciding call")]
    assert ruling.confidence == pytest.approx(0.99)


def test_a_lead_of_twenty_ms_measured_well_enough_is_a_lead():
    ruling = Table().cards("RS").call("north", "R").call("south", "R", after=0.82).only()
    assert (ruling.outcome, ruling.awards, ruling.review) == ("won", {"north": 2}, False)


def test_the_same_moment_is_a_tie_and_the_cards_stay():
    ruling = Table().cards("RS").call("north", "R").call("south", "R", after=0.801).only()
    assert (ruling.rule, ruling.outcome, ruling.awards, ruling.pot) == ("rock.2p.tie", "tie", {}, 2)
    assert ruling.tied == ("north", "south")
    assert calls(ruling) == [(True, "tied"), (True, "tied")]
    assert ruling.options_used == {"tie_window_ms": 10.0}
    assert not ruling.review


def test_with_more_players_each_tied_one_takes_their_own_card():
    ruling = (
        Table(4).cards("RRRS").call("north", "R").call("south", "R", after=0.8).call("west", "R", after=0.802).only()
    )
    assert (ruling.awards, ruling.pot) == ({"north": 1, "south": 1, "west": 1}, 1)
    assert ruling.tied == ("north", "south", "west")


def test_a_tie_that_may_hide_a_lead_that_people_can_tell_is_put_to_review():
    table = Table().cards("RS").call("north", "R", sigma_ms=40).call("south", "R", after=0.82, sigma_ms=40)
    ruling = table.only()
    assert (ruling.outcome, codes(ruling.reviews)) == ("tie", ["too_close"])
    assert ruling.questions == ("Too close to call: 20 ms apart, measured to 56.6 ms. Was it a tie?",)
    assert ruling.confidence < 0.6


def test_a_lead_less_than_certain_at_its_error_is_a_tie_by_the_certainty_asked_for():
    ruling = Table().cards("RS").call("north", "R").call("south", "R", after=0.815).only()
    assert (ruling.outcome, ruling.options_used) == ("tie", {"certainty": 0.99})
    less = Table(options={"certainty": 0.9}).cards("RS").call("north", "R").call("south", "R", after=0.815).only()
    assert less.outcome == "won"


def test_a_wider_tie_window_makes_a_clear_lead_a_tie():
    ruling = Table(options={"tie_window_ms": 50}).cards("RS").call("north", "R").call("south", "R", after=0.83).only()
    assert (ruling.outcome, ruling.options_used, ruling.review) == ("tie", {"tie_window_ms": 50.0}, False)


def test_a_right_and_a_wrong_call_at_once_are_contested_with_a_proposal():
    ruling = Table(3).cards("RSS").call("north", "P").call("south", "R", after=0.8).only()
    assert (ruling.outcome, ruling.rule) == ("contested", "rock.3p.contested")
    assert ruling.awards == {"east": 1, "south": 1}
    assert codes(ruling.reviews) == ["contested"]


def test_two_wrong_calls_at_once_are_contested_too():
    ruling = Table().cards("RS").call("north", "P").call("south", "S", after=0.8).only()
    assert (ruling.outcome, ruling.awards, codes(ruling.reviews)) == ("contested", {}, ["contested"])


def test_a_second_call_by_the_same_player_changes_nothing():
    ruling = Table().cards("RS").call("north", "P").call("north", "R", after=0.805).only()
    assert (ruling.outcome, ruling.awards, ruling.tied) == ("penalty", {"south": 2}, ())
    assert calls(ruling) == [(True, "decides"), (False, "the same player again")]
    assert not ruling.review


def test_calls_after_the_ruling_are_events_and_nothing_more():
    table = Table().cards("RS").call("north", "R").call("south", "R", after=2.5).cards("PP", at=15.0)
    first, second = table.judge()
    assert len(first.calls) == 1
    assert second.calls == ()


def test_nobody_can_tell_who_called_so_people_are_asked_and_the_match_goes_on():
    table = Table().cards("RS").call(None, "R").cards("PS").call("north", "S")
    first, second = table.judge()
    assert (first.outcome, first.awards, first.first.seat, first.first.type) == ("won", {}, None, R)
    assert (first.rule, codes(first.reviews)) == ("rock.2p.call.correct", ["who_called"])
    assert first.questions == ("Who called rock?",)
    assert (first.pot, first.held) == (0, 2)
    assert second.awards == {"north": 2}
    assert second.depends_on == (1,)
    assert codes(second.notes) == ["piles_depend"]
    result = table.match.result()
    assert (result["held"], result["piles"]) == (2, {"north": 2, "south": 0})


def test_an_uncertain_seat_is_not_taken_for_a_certain_one():
    doubtful = Table().cards("RS").call(None, "R", seats={"north": 0.9, "south": 0.1}).only()
    assert codes(doubtful.reviews) == ["who_called"]
    certain = Table().cards("RS").call(None, "R", seats={"north": 0.96, "south": 0.04}).only()
    assert certain.awards == {"north": 2}
    bold = Table(options={"seat_certainty": 0.85}).cards("RS").call(None, "R", seats={"north": 0.9}).only()
    assert bold.awards == {"north": 2}


def test_a_seat_that_does_not_matter_is_not_asked_about():
    both = {"north": 0.5, "south": 0.5}
    table = Table(options={"tie_window_ms": 300, "perceptible_ms": 0}).cards("RS")
    table.call(None, "R", seats={"north": 1.0}).call(None, "R", after=0.81, seats={"south": 1.0})
    assert table.only().outcome == "tie"
    wrong = Table(3).cards("RSS").call(None, "P", seats=both | {"north": 0.4}).only()
    assert codes(wrong.reviews) == ["who_called"]
    assert (wrong.pot, wrong.held) == (1, 2)


def test_two_unknown_voices_at_once_may_be_one():
    ruling = Table().cards("RS").call(None, "R").call(None, "R", after=0.805).only()
    assert ruling.outcome == "open"
    assert set(codes(ruling.reviews)) >= {"same_voice"}
    assert ruling.awards == {}


def test_a_voice_inside_a_word_is_put_to_review():
    ruling = Table().cards("RS").call("north", "R", contested=True).only()
    assert (ruling.awards, codes(ruling.reviews)) == ({"north": 2}, ["two_voices"])


def test_a_call_that_may_be_none_is_put_to_review():
    ruling = Table().cards("RS").call("north", "R", probability=0.6).only()
    assert codes(ruling.reviews) == ["call_unsure"]


@pytest.mark.parametrize(("probability", "asked"), [(0.29, []), (0.3, ["maybe_call"])])
def test_a_rejected_word_that_would_have_decided_is_asked_about(probability, asked):
    silent = Table().cards("RS").call("north", "R", accepted=False, probability=probability, reason="too quiet")
    ruling = silent.only()
    assert (ruling.outcome, codes(ruling.reviews)) == ("stays", asked)
    assert calls(ruling) == [(False, "too quiet")]


def test_a_rejected_word_after_the_deciding_call_is_not_asked_about():
    table = Table().cards("RS").call("north", "R").call("south", "R", after=1.2, accepted=False, probability=0.5)
    assert not table.only().review


UNCLEAR = {"accepted": False, "probability": 0.7, "reason": "unsure"}


def test_an_unclear_word_that_names_what_is_due_decides_in_review():
    ruling = Table().cards("RS").call("north", "R", **UNCLEAR).only()
    assert (ruling.outcome, ruling.awards, codes(ruling.reviews)) == ("won", {"north": 2}, ["call_unsure"])
    assert ruling.confidence == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("cards", "letter", "more"),
    [
        ("RS", "P", {}),  # another type than is due would cost cards
        ("RR", "R", {}),  # nothing is due: it would break the silence
        ("R?", "R", {}),  # who knows what is due
        ("RS", "R", {"probability": 0.59}),
        ("RS", "R", {"reason": "too quiet"}),
        ("RS", "R", {"after": -1.0}),
    ],
)
def test_an_unclear_word_decides_nothing_else(cards, letter, more):
    ruling = Table().cards(cards).call("north", letter, **(UNCLEAR | more)).only()
    assert (ruling.first, ruling.awards) == (None, {})


def test_an_unclear_word_after_a_clear_call_changes_nothing():
    ruling = Table().cards("RS").call("south", "R").call("north", "R", after=1.0, **UNCLEAR).only()
    assert (ruling.awards, ruling.reviews) == ({"south": 2}, ())


@pytest.mark.parametrize(
    ("letter", "probability", "asked"), [("R", 0.85, []), ("P", 0.5, []), ("P", 0.7, ["maybe_call"])]
)
def test_what_lies_in_the_sound_of_a_call_is_asked_about_only_if_it_is_likely_another_word(letter, probability, asked):
    again = {"accepted": False, "probability": probability, "reason": "same sound"}
    ruling = Table().cards("RS").call("north", letter, after=0.79, **again).call("north", "R").only()
    assert (ruling.awards, codes(ruling.reviews)) == ({"north": 2}, asked)


def test_a_pot_after_a_doubtful_round_is_said_to_hang_on_it_until_it_was_collected():
    table = Table().cards("RS").call("north", "R", **UNCLEAR).cards("PP").cards("SP").call("south", "S")
    rulings = table.cards("RS").call("south", "R").judge()
    assert [codes(r.reviews) for r in rulings] == [["call_unsure"], [], ["pot_depends"], []]
    assert [r.awards for r in rulings] == [{"north": 2}, {}, {"south": 4}, {"south": 2}]


def test_a_word_that_is_no_type_is_no_call():
    ruling = Table().cards("RR").call("north", "-", word="rocket", probability=0.0).only()
    assert (ruling.outcome, ruling.first) == ("stays", None)
    assert calls(ruling) == [(False, "no type")]
    assert ruling.calls[0].claim.shown["word"] == "rocket"


class TestBeforeTheCardsCanBeSeen:
    def test_an_early_call_is_a_warning(self):
        ruling = Table().cards("RS", spread=0.4).call("north", "R", after=-0.3).only()
        assert (ruling.outcome, ruling.first, ruling.awards) == ("stays", None, {})
        assert calls(ruling) == [(False, "before all cards could be seen")]
        assert codes(ruling.notes) == ["early_call"]
        assert ruling.options_used["early_call"] == "warn"

    def test_an_early_call_is_a_penalty_if_the_house_says_so(self):
        table = Table(options={"early_call": "penalty"}).cards("RS", spread=0.4).call("north", "R", after=-0.3)
        ruling = table.call("south", "R", after=0.5).only()
        assert (ruling.rule, ruling.awards) == ("rock.2p.call.early", {"south": 2})
        assert calls(ruling) == [(True, "decides"), (False, "after the deciding call")]

    def test_a_call_before_the_first_card_belongs_to_the_round_that_follows(self):
        table = Table(options={"early_call": "penalty"}).cards("RS").call("north", "R", after=-0.6)
        assert table.only().rule == "rock.2p.call.early"

    def test_a_call_long_before_the_first_card_belongs_to_no_round(self):
        ruling = Table(options={"early_call": "penalty"}).cards("RS").call("north", "R", after=-1.2).only()
        assert ruling.calls == ()

    def test_early_or_not_is_asked_where_it_cannot_be_told(self):
        ruling = Table().cards("RS").call("north", "R", after=0.02).only()
        assert (ruling.outcome, codes(ruling.reviews)) == ("won", ["early_or_not"])

    def test_the_call_after_a_warning_counts(self):
        table = Table().cards("RS", spread=0.4).call("north", "P", after=-0.3).call("north", "R", after=0.5)
        ruling = table.only()
        assert (ruling.outcome, ruling.awards) == ("won", {"north": 2})

    def test_an_early_caller_whom_nobody_can_tell_warns_everybody(self):
        ruling = Table().cards("RS", spread=0.4).call(None, "R", after=-0.3).only()
        assert codes(ruling.notes) == ["early_call.unknown"]


class TestWhenARulingComes:
    def test_it_comes_when_nothing_can_change_it_any_more(self):
        table = Table().cards("RS").call("north", "R")
        assert table.match.feed_all(table.events) == []
        assert table.match.feed(SeenTo(time_s=6.8)) == []
        (ruling,) = table.match.feed(SeenTo(time_s=6.81))
        assert (ruling.time_s, ruling.evidence.end_s) == (6.2, 6.8)

    def test_a_later_word_may_still_be_listed(self):
        table = Table().cards("RS").call("north", "R").call("south", "P", after=1.79)
        assert len(table.only().calls) == 2

    def test_silence_is_ruled_on_when_the_next_card_is_shown(self):
        table = Table().cards("RR")
        table.match.feed_all([*table.events, SeenTo(time_s=60.0)])
        assert table.match.rulings == []
        (ruling,) = table.match.feed(CardShown(time_s=61.0, seat="north", card=9, type=P))
        assert (ruling.outcome, ruling.time_s) == ("stays", 6.5)

    def test_silence_that_was_cut_short_is_put_to_review(self):
        ruling = Table().cards("RS").end(after=1.2).only()
        assert codes(ruling.reviews) == ["cut_short"]
        assert not Table().cards("RS").end(after=1.6).only().review

    def test_a_shorter_silence_may_do(self):
        assert not Table(options={"silence_s": 1.0}).cards("RS").end(after=1.2).only().review


def test_calls_are_numbered_through_the_match():
    table = Table().cards("RS").call("north", "R").call("south", "R", after=1.0).cards("PP").call("north", "P")
    first, second = table.judge()
    assert [call.claim.number for call in first.calls + second.calls] == [1, 2, 3]


def test_the_pot_goes_to_the_next_winner():
    rulings = Table().cards("RR").cards("PP").cards("RS").call("south", "R").judge()
    assert [ruling.pot for ruling in rulings] == [2, 4, 0]
    assert rulings[-1].awards == {"south": 6}


def test_the_message_of_an_unknown_caller_in_silence_says_what_was_due():
    ruling = Table(3).cards("RPS").call(None, "S").only()
    assert ruling.verdict == "Scissors was called, but silence was due; nobody can tell by whom."


def test_touches_are_no_calls_and_calls_no_touches():
    called = Table(2, "tournament").cards("RS").call("north", "R").only()
    assert (called.outcome, called.calls[0].reason) == ("stays", "only touches count")
    touched = Table(2).cards("RS")
    assert touched.touch("north", touched.last["north"]).only().outcome == "stays"


class TestTournament:
    def test_the_first_touch_of_the_winning_type_wins(self):
        table = Table(2, "tournament").cards("RS")
        table.touch("south", table.last["north"]).touch("north", table.last["north"], after=0.95)
        ruling = table.only()
        assert (ruling.rule, ruling.decided_by) == ("tournament.2p.touch.correct", "touch")
        assert ruling.first.to_json()["card"] == table.last["north"]
        assert ruling.first.lead_ms == pytest.approx(150.0)

    def test_hands_that_lay_cards_touch_nothing(self):
        table = Table(2, "tournament").cards("RS", spread=0.4)
        ruling = table.touch("north", table.last["north"], after=-0.3).only()
        assert (ruling.outcome, ruling.notes) == ("stays", ())

    def test_a_hovering_hand_is_put_to_review(self):
        table = Table(2, "tournament").cards("RS")
        ruling = table.touch("north", table.last["north"], confidence=0.7).only()
        assert codes(ruling.reviews) == ["touch_unsure"]

    def test_a_touch_by_nobody_known_is_asked_about(self):
        table = Table(2, "tournament").cards("RS")
        ruling = table.touch(None, table.last["north"]).only()
        assert ruling.verdict == "Rock, the winning type, was touched first, but nobody can tell by whom."

    @pytest.mark.parametrize(
        ("cards", "options", "said"),
        [
            ("RR", {}, "Nobody touched a card, rightly: 2 cards stay."),
            ("RS", {}, "Nobody touched a card, though rock was the winning type: 2 cards stay."),
            (
                "RS",
                {"missed": "own"},
                "Nobody touched a card, though rock was the winning type: all take back their own card.",
            ),
            ("R?", {}, "Nobody touched a card, and not every card could be read: 2 cards stay."),
        ],
    )
    def test_silence_is_said_as_what_it_was(self, cards, options, said):
        assert Table(2, "tournament", options=options).cards(cards).only().verdict == said

    def test_who_touched_is_asked_and_answered_by_who_collects(self):
        table = Table(2, "tournament").cards("RS")
        table.touch(None, table.last["north"])
        assert table.only().questions == ("Who touched rock?",)
        table = Table(2, "tournament").cards("RS")
        table.touch(None, table.last["north"]).gone("south").cards("PP")
        assert table.judge()[0].questions == ("Nobody could tell who it was; south took cards. Is that right?",)

    def test_a_card_that_is_not_there_cannot_be_touched(self):
        ruling = Table(2, "tournament").cards("RS").touch("north", 77).only()
        assert (ruling.outcome, ruling.calls[0].reason) == ("stays", "not a card in the centre")


def test_an_unread_card_leaves_the_round_open_unless_it_does_not_matter():
    unknown = Table().cards("R?").call("north", "R").only()
    assert (unknown.due, unknown.outcome, unknown.cards["south"]) == (None, "open", None)
    assert codes(unknown.reviews) == ["card_unread"]
    certain = Table().cards("R?").call("north", "S").only()
    assert (certain.due, certain.outcome, certain.awards) == (None, "penalty", {"south": 2})
    assert codes(certain.notes) == ["card_does_not_matter"]
    assert codes(certain.reviews) == ["card_unread"]
    assert certain.verdict.startswith("North called scissors, which is wrong whatever the unread card is")


def test_a_card_read_with_doubt_is_put_to_review():
    ruling = Table().cards("RS", confidence=0.7).call("north", "R").only()
    assert codes(ruling.reviews) == ["card_unsure", "card_unsure"]
    assert ruling.confidence == pytest.approx(0.99 * 0.7 * 0.7)


def test_a_later_pot_is_sure_where_an_open_round_leaves_the_same_in_every_case():
    first, second, third = Table().cards("R?").call("north", "R").cards("RS").call("north", "R").cards("PP").judge()
    assert (first.held, second.awards, second.reviews, third.pot) == (2, {"north": 2}, (), 2)


def test_a_later_pot_is_asked_about_where_an_open_round_made_it_unsure():
    first, second, third = Table(3).cards("RR?").call("north", "R").cards("RSS").call("north", "R").cards("PPP").judge()
    assert (first.outcome, first.held, first.pot) == ("open", 3, 0)
    assert (codes(second.reviews), second.depends_on) == (["pot_depends"], (1,))
    assert codes(third.notes) == ["piles_depend"]


def test_calls_in_any_language_count_alike():
    call = CallHeard(
        time_s=6.0, sigma_ms=5.0, end_s=6.4, type=S, word="schere", probability=0.95, seats={"south": 0.99}
    )
    ruling = Table().cards("PS").add(call).only()
    assert ruling.awards == {"south": 2}
