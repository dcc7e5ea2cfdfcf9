"""Mistakes and surprises at the table: each is noticed, ruled on or asked about, and said in a sentence."""

from dataclasses import replace

import pytest
from helpers_rules import P, R, S, Table, codes

from referee.errors import InputError, UsageError
from referee.events import (
    CallHeard,
    CardsGone,
    CardShown,
    Dealt,
    RecordingEnded,
    Reshuffled,
    SeatChanged,
    SeenTo,
    TableNotice,
    Type,
)
from referee.match import Match
from referee.play.setting import Waiting


def shown(at, seat, card, kind, **more):
    return CardShown(time_s=at, seat=seat, card=card, type=kind, **more)


class TestFlipping:
    def test_two_cards_at_once_are_asked_about_and_the_first_counts(self):
        table = Table().cards("RS")
        ruling = table.show("north", "P", at=5.3).call("south", "R").only()
        assert (ruling.cards["north"], ruling.awards) == (R, {"south": 3})
        assert codes(ruling.reviews) == ["double_flip"]
        assert ruling.questions == ("North turned two cards; the first one counts.",)

    def test_the_second_card_is_the_next_round_if_it_comes_later(self):
        first, second = Table().cards("RS").cards("PP", at=6.2).judge()
        assert (first.cards, second.cards) == ({"north": R, "south": S}, {"north": P, "south": P})
        assert codes(first.reviews) == ["cut_short"]

    def test_a_late_flip_is_noted_and_the_round_goes_on(self):
        table = Table().cards("R.")
        ruling = table.show("south", "S", at=8.5).call("north", "R").only()
        assert (codes(ruling.notes), ruling.awards, ruling.review) == (["late_flip"], {"north": 2}, False)

    def test_a_call_before_a_late_flip_is_early(self):
        table = Table().cards("R.").call("north", "R", after=1.0)
        ruling = table.show("south", "S", at=7.0).only()
        assert codes(ruling.notes) == ["early_call"]

    def test_a_card_that_was_never_seen_is_asked_about_and_the_next_round_stands_by_itself(self):
        table = Table().cards("R.").call("north", "R").cards("PS").call("south", "S")
        first, second = table.judge()
        assert (first.outcome, first.cards) == ("open", {"north": R, "south": None})
        assert codes(first.reviews) == ["card_missing"]
        assert second.cards == {"north": P, "south": S}
        assert codes(second.reviews) == []
        assert (second.awards, second.depends_on) == ({"south": 2}, (1,))

    def test_a_missing_card_in_silence_makes_the_pot_unsure(self):
        table = Table().cards("R.").cards("PS").call("south", "S")
        first, second = table.judge()
        assert (first.outcome, first.pot, codes(first.reviews)) == ("stays", 2, ["card_missing"])
        assert codes(second.reviews) == ["pot_depends"]

    def test_a_missed_card_is_told_from_a_late_one_by_the_next_round(self):
        """South's first card was not seen; south's second comes before north's second."""
        events = [shown(5.0, "north", 1, R), shown(10.0, "south", 2, S), shown(10.1, "north", 3, P)]
        match = Match(seats=("north", "south"))
        match.feed_all([*events, RecordingEnded(time_s=20.0)])
        first, second = match.rulings
        assert (first.cards, codes(first.reviews)) == ({"north": R, "south": None}, ["card_missing"])
        assert second.cards == {"north": P, "south": S}

    def test_a_card_taken_back_must_be_played_again(self):
        table = Table().cards("R.").gone("north", after=0.5)
        table.show("north", "P", at=6.0)
        table.show("south", "S", at=6.1)
        ruling = table.call("north", "S").only()
        assert (ruling.cards, codes(ruling.reviews)) == ({"north": P, "south": S}, ["taken_back"])
        assert ruling.awards == {"north": 2}

    def test_cards_that_go_after_a_call_are_collected_even_if_one_was_never_seen(self):
        table = Table(3).cards("RS.").call("north", "R").gone("north", cards=[1, 2]).cards("PPP")
        first, second = table.judge()
        assert (codes(first.reviews), first.outcome) == (["card_missing"], "open")
        assert second.cards == {"north": P, "east": P, "south": P}

    def test_all_cards_that_go_after_silence_are_no_card_taken_back(self):
        first, second = Table(3).cards("RS.").gone(None, cards=[1, 2]).cards("PPP").judge()
        assert (codes(first.reviews), second.round) == (["card_missing"], 2)

    @pytest.mark.parametrize("players", [2, 3])
    def test_a_lone_thing_that_nobody_can_read_is_no_round(self, players):
        letters = "?" + "." * (players - 1)
        first, second = Table(players).cards("R" * players).cards(letters).cards("P" * players).judge()
        assert (second.round, second.pot, codes(second.notes)) == (2, 2 * players, ["ghost"])
        assert not first.review

    def test_hands_go_on_collecting_around_a_thing_that_nobody_can_read(self):
        table = Table(3).cards("RS.", at=5.0).show("south", "S", at=5.1).call(None, "R")
        table.add(shown(8.0, "east", 77, None)).add(CardsGone(time_s=8.5, cards=(1, 2, 3), to_seat="south"))
        first, second = table.cards("PPP", at=14.0).judge()
        assert (first.awards, codes(first.reviews)) == ({"south": 3}, ["table_says"])
        assert (second.round, codes(second.notes)) == (2, ["ghost"])

    def test_a_lone_unread_card_with_a_call_is_a_round_of_two_players(self):
        _, second = Table().cards("RR").cards("?.").call("north", "R").judge()
        assert codes(second.reviews) == ["card_missing", "card_unread"]

    def test_a_round_that_nobody_can_read_is_a_round(self):
        _, second = Table().cards("RR").cards("??").judge()
        assert (second.outcome, codes(second.reviews)) == ("stays", ["card_unread", "card_unread"])

    def test_a_card_seen_twice_under_one_number_is_one_card(self):
        table = Table().cards("RS")
        ruling = table.add(shown(5.4, "north", 1, R)).call("north", "R").only()
        assert (ruling.awards, ruling.review) == ({"north": 2}, False)

    def test_the_only_card_left_belongs_to_the_only_player_left(self):
        table = Table().cards("R.").add(shown(5.2, None, 9, S)).call("north", "R")
        ruling = table.only()
        assert (ruling.cards, codes(ruling.notes)) == ({"north": R, "south": S}, ["seat_inferred"])
        assert not ruling.review

    def test_cards_of_nobody_known_still_say_what_is_due(self):
        table = Table().add(shown(5.0, None, 1, R), shown(5.1, None, 2, S)).call("north", "R")
        ruling = table.only()
        assert (ruling.due, ruling.awards, codes(ruling.reviews)) == (R, {"north": 2}, ["seats_of_cards"])

    def test_a_card_where_nobody_plays_is_asked_about(self):
        table = Table().cards("R.").add(shown(5.2, "west", 9, S)).call("north", "R")
        assert codes(table.only().reviews) == ["not_playing"]

    def test_a_third_card_of_nobody_is_one_too_many(self):
        ruling = Table().cards("RS").add(shown(5.5, None, 9, P)).call("north", "R").only()
        assert (codes(ruling.reviews), ruling.awards) == (["extra_card"], {"north": 3})


class TestCollecting:
    def test_cards_taken_by_another_are_said(self):
        table = Table().cards("RS").call("north", "R").gone("south").cards("PP")
        first, _ = table.judge()
        assert (first.revision, codes(first.reviews)) == (1, ["collected_by_other"])
        assert first.questions == ("South took cards that the ruling did not give. Is the ruling right?",)
        assert first.awards == {"north": 2}

    def test_cards_taken_by_their_winner_change_nothing(self):
        first, _ = Table().cards("RS").call("north", "R").gone("north").cards("PP").judge()
        assert (first.revision, first.review) == (0, False)

    def test_cards_taken_by_nobody_known_change_nothing(self):
        first, _ = Table().cards("RS").call("north", "R").gone(None).cards("PP").judge()
        assert first.revision == 0

    def test_cards_left_lying_are_asked_about_once_collecting_was_seen(self):
        table = Table().cards("RS").call("north", "R").gone("north").cards("PS").call("south", "S").cards("PP")
        rulings = table.judge()
        assert [codes(ruling.reviews) for ruling in rulings] == [[], ["not_collected"], []]
        assert (rulings[1].awards, rulings[1].revision) == ({"south": 2}, 1)
        assert rulings[1].questions == ("South did not take the cards that the ruling gave. Is the ruling right?",)

    @pytest.mark.parametrize(("until_s", "asked"), [(1.0, []), (2.8, []), (4.0, ["not_collected"])])
    def test_at_the_end_cards_were_left_lying_after_longer_than_this_table_ever_took(self, until_s, asked):
        table = Table().cards("RS").call("north", "R").gone("north", after=4.0).cards("PS").call("south", "S")
        assert codes(table.end(after=until_s).judge()[-1].reviews) == asked

    def test_where_nobody_was_ever_seen_to_collect_an_end_without_it_says_nothing(self):
        rulings = Table().cards("RS").call("north", "R").cards("PS").call("south", "S").judge()
        assert [codes(ruling.reviews) for ruling in rulings] == [[], []]

    def test_taking_cards_that_should_stay_is_ruled_as_a_call_that_nobody_heard(self):
        first, second = Table().cards("RR").gone("north").cards("PP").judge()
        assert (first.outcome, first.awards, first.first) == ("penalty", {"north": 2}, None)
        assert (first.decided_by, codes(first.reviews)) == ("table", ["table_says_unheard"])
        assert first.verdict == "No call was understood, but north took 2 cards."
        assert second.pot == 2

    def test_taking_one_card_that_should_stay_is_said(self):
        first, _ = Table().cards("RR").gone("north", cards=[1]).cards("PP").judge()
        assert (first.outcome, codes(first.reviews)) == ("stays", ["collected_by_other"])

    def test_nobody_heard_and_all_cards_taken_by_one_of_three_was_a_right_call(self):
        first, second = Table(3).cards("RSS").gone("east").cards("RSS").call("north", "R").end(1.0).judge()
        assert (first.outcome, first.awards) == ("won", {"east": 3})
        assert (second.awards, codes(second.reviews)) == ({"north": 3}, ["pot_depends"])

    def test_taking_cards_at_once_cuts_the_round_short(self):
        first, _ = Table().cards("RS").gone(None, after=0.5).cards("PP").judge()
        assert (first.outcome, codes(first.reviews)) == ("stays", ["cut_short"])

    def test_moving_one_card_before_the_call_is_asked_about(self):
        ruling = Table().cards("RS").gone("north", cards=[1], after=0.5).call("north", "R").only()
        assert (codes(ruling.reviews), ruling.awards) == (["moved_early"], {"north": 2})

    def test_who_collected_answers_who_called(self):
        table = Table().cards("RS").call(None, "R").gone("south").cards("PS").call("north", "S")
        first, second = table.judge()
        assert (first.decided_by, first.first.seat, first.awards) == ("table", "south", {"south": 2})
        assert codes(first.reviews) == ["table_says"]
        assert (first.options_used, first.revision) == ({"collection": "propose"}, 1)
        assert (second.depends_on, second.piles) == ((), {"north": 2, "south": 2})

    def test_who_collected_may_be_accepted_or_ignored(self):
        for mode, review in (("accept", []), ("ignore", ["who_called"])):
            table = Table(options={"collection": mode}).cards("RS").call(None, "R").gone("south").cards("PP")
            assert codes(table.judge()[0].reviews) == review

    def test_after_a_wrong_call_the_one_who_collects_nothing_called(self):
        table = Table(3).cards("RSS").call(None, "P")
        table.gone("north", cards=[1]).gone("south", cards=[3])
        first, _ = table.cards("PPP").judge()
        assert (first.first.seat, first.awards, first.pot) == ("east", {"north": 1, "south": 1}, 1)

    def test_the_tied_are_those_who_collect(self):
        table = Table(4).cards("RRRS").call(None, "R").call(None, "R", after=0.801)
        table.gone("east", cards=[2]).gone("west", cards=[4])
        first, _ = table.cards("PPPP").judge()
        assert (first.outcome, first.tied, first.awards) == ("tie", ("east", "west"), {"east": 1, "west": 1})

    def test_the_hands_contradicting_every_possibility_answer_nothing(self):
        table = Table(3).cards("RSS").call(None, "P").gone("north")
        first, _ = table.cards("PPP").judge()
        assert (first.first.seat, codes(first.reviews)) == (None, ["who_called"])


class TestCallsBetweenRounds:
    def told(self, after, seat="south", **more):
        table = Table(**more).cards("RS").call("north", "R").call(seat, "S", after=after).cards("PP", at=15.0)
        first, second = table.judge()
        return len(first.calls), len(second.calls), [n["text"] for n in second.to_json()["notes"]]

    def test_a_call_after_the_ruling_changes_nothing_and_is_said(self):
        assert self.told(1.9) == (1, 0, ["South called scissors between the rounds: that changes nothing."])
        assert self.told(1.9, language="de")[2] == ["Süd rief „Schere“ zwischen den Runden: Das ändert nichts."]
        assert self.told(1.9, language="es")[2] == ["Sur dijo «tijera» entre dos rondas: no cambia nada."]
        assert self.told(1.9, seat=None)[2] == ["Scissors was called between the rounds: that changes nothing."]

    def test_a_call_just_before_the_next_cards_is_a_false_start(self):
        texts = ["Warning to south: scissors was called before all cards could be seen and does not count."]
        assert self.told(9.5) == (1, 1, texts)
        assert self.told(9.0) == (1, 1, texts)
        assert self.told(8.9)[1] == 0

    def test_words_that_are_no_calls_are_not_worth_a_note(self):
        table = Table().cards("RS").call("north", "R").call("south", "-", after=3.0).call("south", "S", after=3.0)
        table.events[-1] = replace(table.events[-1], accepted=False)
        assert table.cards("PP", at=15.0).judge()[1].notes == ()

    def test_talk_before_the_first_round_is_not_worth_a_note(self):
        talk = CallHeard(time_s=1.0, sigma_ms=6, end_s=1.4, type=R, word="rock", probability=1.0, seats={"north": 1.0})
        assert Table().add(talk).cards("RS").only().notes == ()

    def test_calls_between_the_rounds_of_a_tournament_are_not_worth_a_note(self):
        assert (
            Table(2, "tournament")
            .cards("RR")
            .gone(None)
            .call("south", "S", after=3.0)
            .cards("PP", at=15.0)
            .judge()[1]
            .notes
            == ()
        )


class TestCounting:
    def test_the_game_ends_when_the_draw_piles_are_empty(self):
        table = Table(options={"cards": 4}).cards("RS").call("north", "R").cards("PP")
        table.judge()
        result = table.match.result()
        assert (result["finished"], result["winner"], result["pot"]) == (True, "north", 2)

    def test_the_pot_at_the_end_may_be_split(self):
        table = Table(options={"cards": 4, "end_pot": "split"}).cards("RS").call("north", "R").cards("PP")
        table.judge()
        assert (table.match.result()["piles"], table.match.result()["pot"]) == ({"north": 3, "south": 1}, 0)

    def test_equal_piles_are_nobodys_win(self):
        table = Table(options={"cards": 4}).cards("RS").call("north", "R").cards("PS").call("south", "S")
        table.judge()
        result = table.match.result()
        assert (result["winner"], result["leaders"]) == (None, ["north", "south"])

    def test_an_unfinished_game_has_leaders_but_no_winner(self):
        table = Table().cards("RS").call("north", "R")
        table.judge()
        result = table.match.result()
        assert (result["finished"], result["winner"], result["leaders"]) == (False, None, ["north"])

    def test_an_open_review_leaves_the_winner_open(self):
        table = Table(options={"cards": 2}).cards("RS").call(None, "R")
        table.judge()
        assert (table.match.result()["finished"], table.match.result()["winner"]) == (True, None)

    def test_a_card_beyond_the_deal_is_asked_about(self):
        rulings = Table(options={"cards": 2}).cards("RS").call("north", "R").cards("PS").call("south", "S").judge()
        assert codes(rulings[1].reviews) == ["beyond_deal", "beyond_deal"]

    def test_only_cards_that_were_seen_can_be_too_many(self):
        rulings = Table(options={"cards": 2}).cards("RR").cards("P.").call("north", "P").judge()
        assert [r.values["seat"] for r in rulings[1].reviews if r.code == "review.beyond_deal"] == ["north"]

    def test_cards_that_do_not_divide_are_set_aside(self):
        table = Table(3, options={"cards": 61})
        table.cards("RRR").judge()
        assert table.match.result()["aside"] == 1

    def test_who_has_no_cards_left_is_not_waited_for(self):
        table = Table().add(Dealt(time_s=1.0, cards={"north": 1, "south": 2})).cards("RS").cards(".P")
        first, second = table.judge()
        assert codes(first.notes) == ["uneven_deal"]
        assert (second.cards, second.due, second.outcome) == ({"south": P}, None, "stays")
        assert codes(second.reviews) == ["too_few_cards"]

    def test_a_deal_counts_the_cards_that_were_dealt(self):
        table = Table().add(Dealt(time_s=1.0, cards={"north": 3, "south": 3})).cards("RS")
        table.judge()
        assert table.match.result()["draw"] == {"north": 2, "south": 2}

    def test_shuffling_again_begins_a_new_game(self):
        table = (
            Table().cards("RS").call("north", "R").add(Reshuffled(time_s=9.0)).cards("PS", at=12.0).call("south", "S")
        )
        table.judge()
        result = table.match.result()
        assert (result["piles"], result["rounds"]) == ({"north": 0, "south": 2}, 1)
        assert (result["games"][0]["piles"], result["games"][0]["rounds"]) == ({"north": 2, "south": 0}, 1)


class TestSeats:
    def test_a_player_who_moves_takes_their_cards_along(self):
        table = Table().cards("RS").call("north", "R").add(SeatChanged(time_s=9.0, seat="north", to_seat="east"))
        table.add(shown(12.0, "east", 11, P), shown(12.0, "south", 12, P))
        _, second = table.judge()
        assert second.piles == {"east": 2, "south": 0}
        assert codes(second.notes) == ["seat_changed"]

    def test_two_players_may_change_places(self):
        table = Table().cards("RS").call("north", "R").add(SeatChanged(time_s=9.0, seat="north", to_seat="south"))
        assert table.cards("PP", at=12.0).judge()[1].piles == {"south": 2, "north": 0}

    def test_who_does_not_play_cannot_move(self):
        table = Table().add(SeatChanged(time_s=1.0, seat="west", to_seat="south")).cards("RS").call("north", "R")
        assert table.only().piles == {"north": 2, "south": 0}

    def test_players_are_those_who_show_a_card_in_the_first_round(self):
        match = Match()
        match.feed_all([shown(5.0, "south", 1, R), shown(5.3, "east", 2, S)])
        assert match.seats == ()
        match.feed(SeenTo(time_s=7.4))
        assert match.seats == ("east", "south")

    def test_a_second_card_of_a_seat_or_cards_that_go_end_the_first_round(self):
        for event in (shown(6.5, "south", 3, R), CardsGone(time_s=6.5, cards=(1, 2))):
            match = Match()
            match.feed_all([shown(5.0, "south", 1, R), shown(5.3, "east", 2, S), event])
            assert match.seats == ("east", "south")

    def test_who_comes_within_two_seconds_still_plays(self):
        match = Match()
        match.feed_all([shown(5.0, "south", 1, R), shown(6.9, "east", 2, S), shown(8.8, "north", 3, S)])
        match.feed(SeenTo(time_s=11.0))
        assert match.seats == ("north", "east", "south")

    def test_a_passing_hand_in_the_first_round_is_no_player(self):
        match = Match()
        match.feed_all([shown(5.0, "south", 1, R), shown(5.2, "east", 2, S), shown(5.4, "west", 3, None)])
        match.feed_all([SeenTo(time_s=9.0), shown(10.0, "south", 4, R), shown(10.2, "east", 5, S)])
        assert match.seats == ()
        match.feed(SeenTo(time_s=12.1))
        assert match.seats == ("east", "south")

    def test_who_shows_a_card_that_cannot_be_read_joins_with_the_next_one(self):
        match = Match()
        match.feed_all([shown(5.0, "south", 1, R), shown(5.2, "east", 2, S), shown(5.4, "west", 3, None)])
        match.feed_all([shown(10.0, "south", 4, R), shown(10.2, "west", 5, S), shown(10.3, "east", 6, S)])
        assert match.seats == ("east", "south", "west")
        match.feed(RecordingEnded(time_s=20.0))
        assert [dict(ruling.cards)["west"] for ruling in match.in_force] == [None, S]

    def test_players_whose_cards_cannot_be_read_at_all_still_play(self):
        match = Match()
        match.feed_all([shown(5.0, "south", 1, R), shown(5.2, "east", 2, None), RecordingEnded(time_s=20.0)])
        assert match.seats == ("east", "south")

    def test_a_known_number_of_players_is_waited_for(self):
        match = Match(players=3)
        match.feed_all([shown(5.0, "south", 1, R), shown(5.1, "east", 2, S), shown(9.0, "south", 3, R)])
        assert match.seats == ()
        match.feed(shown(9.1, "north", 4, P))
        assert match.seats == ("north", "east", "south")

    @pytest.mark.parametrize(
        ("game", "seats", "said"),
        [
            ("de", ("north", "east", "south"), "game de is for 2 players, not 3"),
            ("rock", ("north",), "game rock is for 2 to 4 players, not 1"),
            ("rock", tuple("abcde"), "not 5"),
            ("rorschach", ("a", "b"), "3 to 8 players"),
            ("rock", ("a", "a"), "named twice"),
        ],
    )
    def test_a_wrong_number_of_players_is_said_in_one_line(self, game, seats, said):
        with pytest.raises(UsageError, match=said):
            Match(game=game, seats=seats)

    def test_a_recording_with_a_wrong_number_of_players_cannot_be_judged(self):
        match = Match(game="de")
        with pytest.raises(InputError, match="for 2 players, not 3"):
            match.feed_all(
                [*(shown(5.0, s, n, R) for n, s in enumerate(("north", "east", "south"))), SeenTo(time_s=9.0)]
            )

    def test_nothing_happened_is_no_game(self):
        match = Match()
        assert match.feed(RecordingEnded(time_s=10.0)) == []
        assert (match.result()["rounds"], match.result()["winner"]) == (0, None)


@pytest.mark.parametrize("code", ["moved", "dark", "glare", "far", "blurred", "covered", "aliens"])
def test_notices_about_the_picture_are_said_with_the_round(code):
    ruling = Table().cards("RS").add(TableNotice(time_s=5.2, code=code)).call("north", "R").only()
    assert ruling.notes[0].code == ("note.table.other" if code == "aliens" else f"note.table.{code}")
    assert not ruling.review


def test_the_match_says_what_it_waits_for_and_what_is_legal():
    table = Table(options={"cards": 4}).cards("RS").call("north", "R").gone("north").cards("PP")
    match = table.match
    kinds = [(match.waiting_for.kind, match.legal[0])]
    for event in [*table.events[:3], SeenTo(time_s=7.0), *table.events[3:6], SeenTo(time_s=16.0)]:
        match.feed(event)
        kinds.append((match.waiting_for.kind, match.legal[0]))
    assert kinds == [
        ("deal", "deal"),
        ("reveal", "flip"),
        ("call", "call"),
        ("ruling", "challenge"),
        ("collect", "collect"),
        ("reveal", "flip"),
        ("reveal", "flip"),
        ("call", "call"),
        ("call", "call"),
    ]
    match.feed(RecordingEnded(time_s=20.0))
    assert (match.waiting_for, match.legal) == (Waiting("end"), ())
    assert [(s.seat, s.place, s.score, s.draw) for s in match.standings] == [("north", 1, 2, 0), ("south", 2, 0, 0)]


@pytest.mark.parametrize("game", ["rock", "tournament", "hands"])
def test_before_the_first_card_the_deal_is_waited_for(game):
    seats = ("north", "south")
    match = Match(game=game, seats=seats)
    assert (match.waiting_for, match.legal) == (Waiting("deal"), ("deal", "flip"))
    match.feed(Dealt(time_s=1.0, cards=dict.fromkeys(seats, 30)))
    assert (match.waiting_for, match.legal) == (Waiting("reveal", seats), ("flip",))
    again = Match(game=game, seats=seats)
    again.feed(shown(1.0, "north", 1, R))
    assert again.waiting_for == Waiting("reveal", ("south",))


def test_before_anybody_is_known_players_are_waited_for():
    assert (Match().waiting_for, Match().legal, Match().standings) == (Waiting("players"), ("flip",), ())


def test_a_game_that_is_over_waits_for_shuffling():
    table = Table(options={"cards": 2}).cards("RR").add(SeenTo(time_s=20.0))
    table.match.feed_all([*table.events, CardsGone(time_s=21.0, cards=(1, 2))])
    assert table.match.waiting_for == Waiting("reshuffle")


def test_who_has_shown_a_card_is_not_waited_for():
    table = Table(3).cards("R..")
    table.match.feed_all(table.events)
    assert table.match.waiting_for == Waiting("reveal", ("east", "south"))


def test_after_the_end_nothing_changes():
    table = Table().cards("RS").call("north", "R")
    table.judge()
    assert table.match.feed(shown(99.0, "north", 50, R)) == []
    assert len(table.match.rulings) == 1


def test_a_card_read_after_an_unreadable_one_of_the_same_seat_is_never_lost():
    match = Match(seats=("north", "south"))
    match.feed_all(
        [
            CallHeard(time_s=0.5, sigma_ms=6, end_s=0.9, type=Type.ROCK, word="rock", probability=0.97),
            CardShown(time_s=1, seat="north", card=1, type=Type.ROCK),
            CardShown(time_s=4, seat="south", card=2, type=None),
            CardShown(time_s=6, seat="south", card=4, type=Type.ROCK),
            CardShown(time_s=9, seat="north", card=3, type=Type.ROCK),
            RecordingEnded(time_s=14),
        ]
    )
    proofs = [ruling.evidence for ruling in match.in_force]
    assert 4 in {card.card for proof in proofs for card in (*dict(proof.cards).values(), *proof.extras)}
