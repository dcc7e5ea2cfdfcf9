"""Doubt in small steps: order as a measurement, who may have called, which readings there are, what is asked."""

import math

import pytest
from helpers_rules import P, R, S, codes
from hypothesis import given
from hypothesis import strategies as st
from strategies import PROFILE

from referee.events import CallHeard, CardTouched
from referee.options import resolve
from referee.rules.claims import Claim, from_call, from_touch, possible_callers
from referee.rules.facts import Facts, Timing, after_reveal, first_countable, is_countable, is_early
from referee.rules.hearing import Heard, hear
from referee.rules.judgement import decide
from referee.rules.order import is_ordered, lead_sigma_s, probability_first, probability_perceptible
from referee.rules.readings import possible_dues, possible_groups

OPTIONS = resolve("rock", {})
FOUR = ("north", "east", "south", "west")


def claim(number, time_s=1.0, kind=R, seat="north", **more):
    given_values = {
        "number": number,
        "time_s": time_s,
        "sigma_ms": 6.0,
        "end_s": time_s + 0.4,
        "type": kind,
        "seats": {seat: 1.0} if isinstance(seat, str) else (seat or {}),
        "probability": 1.0,
        "accepted": True,
    }
    return Claim(**(given_values | more))


def facts(*claims, cards=(R, S), players=None, touch=False, complete_s=0.0, beneath=0):
    seats = players or FOUR[: len(cards)] if len(cards) != 2 else players or ("north", "south")
    return Facts(
        players=seats,
        cards=dict(zip(seats, cards, strict=False)),
        beneath=beneath,
        timing=Timing(complete_s, 17.0, touch),
        claims=claims,
    )


def heard(one):
    return Heard(one, possible_callers(one, FOUR, OPTIONS.seat_certainty), True, "")


def rivals(round_facts):
    return [one.claim for one in hear(round_facts, OPTIONS).rivals]


def fates(decision):
    return {one.claim.number: (one.counted, one.reason) for one in decision.calls}


class TestOrder:
    @pytest.mark.parametrize(
        ("lead", "sigma", "probability"),
        [(0.0, 0.01, 0.5), (0.01, 0.01, 0.8413), (-0.01, 0.01, 0.1587), (0.02326, 0.01, 0.99), (1.0, 0.01, 1.0)],
    )
    def test_a_lead_is_as_certain_as_the_normal_distribution_says(self, lead, sigma, probability):
        assert probability_first(lead, sigma) == pytest.approx(probability, abs=1e-4)

    @pytest.mark.parametrize(("lead", "probability"), [(0.0, 0.5), (1e-9, 1.0), (-1e-9, 0.0)])
    def test_without_any_error_the_sign_decides(self, lead, probability):
        assert probability_first(lead, 0.0) == probability

    def test_errors_add_as_squares_and_become_seconds(self):
        assert lead_sigma_s(3.0, 4.0) == pytest.approx(0.005)

    @pytest.mark.parametrize(
        ("lead", "window", "ordered"),
        [(0.0233, 0.0, True), (0.0232, 0.0, False), (0.03, 0.03, True), (0.03, 0.0301, False), (-0.03, 0.0, False)],
    )
    def test_a_lead_counts_if_it_is_certain_and_outside_the_tie_window(self, lead, window, ordered):
        assert is_ordered(lead, 0.01, certainty=0.99, window_s=window) is ordered

    def test_exactly_as_certain_as_asked_for_is_certain_enough(self):
        assert is_ordered(0.0, 0.01, certainty=0.5, window_s=0.0)

    def test_a_perceptible_lead_may_go_either_way(self):
        assert probability_perceptible(0.0, 0.01, 0.01) == pytest.approx(2 * 0.1587, abs=1e-3)
        assert probability_perceptible(0.02, 0.01, 0.02) == pytest.approx(0.5, abs=1e-3)
        assert probability_perceptible(0.0, 0.001, 0.02) == pytest.approx(0.0, abs=1e-9)


@PROFILE
@given(st.floats(-1, 1), st.floats(1e-6, 1))
def test_first_and_second_share_all_probability(lead, sigma):
    assert probability_first(lead, sigma) + probability_first(-lead, sigma) == pytest.approx(1.0)


class TestClaims:
    @pytest.mark.parametrize(
        ("seats", "who"),
        [
            ({"north": 1.0}, ("north",)),
            ({"north": 0.95}, ("north",)),
            ({"north": 0.95, "east": 0.05}, ("north",)),
            ({"north": 0.949}, FOUR),
            ({}, FOUR),
            ({"north": 0.6, "east": 0.35}, ("north", "east")),
            ({"north": 0.6, "east": 0.34}, FOUR),
            ({"north": 0.6, "east": 0.38, "south": 0.02}, ("north", "east", "south")),
            ({"north": 0.6, "east": 0.39, "south": 0.01}, ("north", "east")),
            ({"moon": 1.0}, FOUR),
            ({"moon": 0.5, "north": 0.5}, FOUR),
            ({"west": 0.97, "north": 0.03}, ("west",)),
        ],
    )
    def test_who_may_have_called(self, seats, who):
        assert possible_callers(claim(1, seat=seats), FOUR, 0.95) == who

    def test_a_call_becomes_a_claim_with_all_that_was_heard(self):
        call = CallHeard(
            time_s=2.0, sigma_ms=5.0, end_s=1.0, type=S, word="schere", language="de", probability=0.9, tier="own",
            seats={"north": 1.0}, accepted=False, contested=True, reason="quiet",
        )  # fmt: skip
        assert from_call(7, call) == Claim(
            number=7, time_s=2.0, sigma_ms=5.0, end_s=2.0, type=S, seats={"north": 1.0}, probability=0.9,
            accepted=False, reason="quiet", contested=True, shown={"word": "schere", "language": "de", "tier": "own"},
        )  # fmt: skip

    def test_a_touch_becomes_a_claim_of_the_type_of_its_card(self):
        touch = CardTouched(time_s=2.0, sigma_ms=9.0, seat="north", card=4, confidence=0.8)
        assert from_touch(3, touch, P, in_centre=True) == Claim(
            number=3, time_s=2.0, sigma_ms=9.0, end_s=2.0, type=P, seats={"north": 1.0}, probability=0.8, accepted=True,
            reason="", shown={"card": 4},
        )  # fmt: skip
        nobody = from_touch(3, CardTouched(time_s=2.0, seat=None, card=4), None, in_centre=False)
        assert (nobody.seats, nobody.accepted, nobody.reason) == ({}, False, "not a card in the centre")

    def test_what_was_heard_is_written_with_all_its_numbers(self):
        call = CallHeard(
            time_s=2.00000049, sigma_ms=5.00049, end_s=2.40000049, type=S, word="schere", language="de",
            probability=0.900049, tier="own", seats={"north": 0.999949}, contested=True,
        )  # fmt: skip
        assert Heard(from_call(7, call), ("north",), True, "decides").to_json() == {
            "call": 7, "seat": "north", "seats": {"north": 0.9999}, "type": "scissors", "word": "schere",
            "language": "de", "tier": "own", "onset_s": 2.0, "sigma_ms": 5.0, "end_s": 2.4, "probability": 0.9,
            "contested": True, "counted": True, "reason": "decides",
        }  # fmt: skip
        touch = CardTouched(time_s=0.1234567, sigma_ms=1.23456, seat=None, card=4, confidence=0.123456)
        assert Heard(from_touch(3, touch, None, in_centre=True), ("north", "east"), False, "no type").to_json() == {
            "call": 3, "seat": None, "seats": {}, "type": None, "card": 4, "onset_s": 0.123457, "sigma_ms": 1.235,
            "end_s": 0.123457, "probability": 0.1235, "contested": False, "counted": False, "reason": "no type",
        }  # fmt: skip
        other = claim(1, seat={"north": 0.123456}, end_s=0.1234567)
        assert Heard(other, (), False, "").to_json() | {"seats": {"north": 0.1235}, "end_s": 0.123457} == (
            Heard(other, (), False, "").to_json()
        )


class TestWhichClaimsCount:
    TIMING = Timing(1.0, 8.0)

    @pytest.mark.parametrize(
        ("time_s", "early"), [(0.9, True), (0.976, True), (0.9768, False), (1.0, False), (2.0, False)]
    )
    def test_a_claim_is_early_if_that_is_certain(self, time_s, early):
        assert is_early(claim(1, time_s), self.TIMING, OPTIONS) is early

    def test_a_call_at_the_very_moment_of_the_reveal_is_not_early(self):
        assert not is_early(claim(1, 1.0), self.TIMING, resolve("rock", {"certainty": 0.5}))

    def test_the_error_of_reveal_and_onset_count_both(self):
        assert after_reveal(claim(1, 1.01), self.TIMING) == pytest.approx(0.8413, abs=1e-3)

    @pytest.mark.parametrize(
        ("more", "counts"),
        [({}, True), ({"accepted": False}, False), ({"kind": None}, False), ({"time_s": 0.5}, False)],
    )
    def test_only_accepted_claims_of_a_type_after_the_reveal_count(self, more, counts):
        assert is_countable(claim(1, **({"time_s": 1.5} | more)), self.TIMING, OPTIONS) is counts

    def test_early_claims_count_where_they_are_a_penalty_and_touches_never(self):
        strict = resolve("rock", {"early_call": "penalty"})
        assert is_countable(claim(1, 0.5), self.TIMING, strict)
        assert not is_countable(claim(1, 0.5), Timing(1.0, 8.0, touch=True), strict)

    def test_the_first_that_counts_decides(self):
        one, two, three = claim(1, 1.2, accepted=False), claim(2, 1.3), claim(3, 1.4)
        assert first_countable(self.TIMING, (one, two, three), OPTIONS) is two
        assert first_countable(self.TIMING, (one,), OPTIONS) is None


class TestReadings:
    def test_rivals_are_those_whose_order_is_not_certain(self):
        first, near, nearer, far = claim(1, 1.0), claim(2, 1.005), claim(3, 1.0195), claim(4, 1.0205)
        void = claim(5, 1.001, accepted=False)
        assert rivals(facts(first, void, near, nearer, far)) == [near, nearer]

    def test_the_tie_window_is_exact(self):
        first, inside, outside = (claim(n, t, sigma_ms=0.1) for n, t in ((1, 1.0), (2, 1.009995), (3, 1.010005)))
        assert rivals(facts(first, inside, outside)) == [inside]

    def test_rivals_around_the_reveal_count_as_the_first_does(self):
        first, rival = claim(1, 0.99), claim(2, 0.995)
        assert rivals(facts(first, rival, complete_s=1.0)) == [rival]

    def test_what_came_before_the_first_is_no_rival(self):
        early, first = claim(1, -0.5), claim(2, 1.0)
        assert rivals(facts(early, first)) == []

    def test_every_likely_set_of_callers_is_read(self):
        first = claim(1, seat={"north": 0.5, "east": 0.5})
        rival = claim(2, 1.3, kind=P, seat="north")
        groups = possible_groups(heard(first), [heard(rival)])
        assert groups == [(("north", R),), (("east", R), ("north", P))]

    def test_nobody_says_two_words_at_once_however_they_were_heard(self):
        first = claim(1, seat={"north": 0.5, "east": 0.5}, end_s=1.4)
        for at_s, groups in ((1.19, 1), (1.21, 2)):
            rival = claim(2, at_s, kind=P, seat="north")
            assert len(possible_groups(heard(first), [heard(rival)])) == groups
        both_hands = claim(2, 1.01, kind=P, seat="north")
        touched = claim(1, seat={"north": 0.5, "east": 0.5}, end_s=1.0)
        assert len(possible_groups(heard(touched), [heard(both_hands)])) == 2

    def test_readings_stay_few_however_many_call_at_once(self):
        claims = [claim(n, seat=None) for n in range(1, 30)]
        groups = possible_groups(heard(claims[0]), [heard(one) for one in claims[1:]])
        assert len(groups) <= 4**4
        assert max(map(len, groups)) == 4

    @pytest.mark.parametrize(("doubtful", "read"), [(2, True), (3, False)])
    def test_three_rivals_whose_seat_is_in_doubt_are_read(self, doubtful, read):
        """Certain ones do not count; the last one alone may be west's."""
        rivals = [claim(n, seat="north") for n in range(2, 6)]
        rivals += [claim(n, seat={"east": 0.5, "south": 0.5}) for n in range(6, 6 + doubtful)]
        rivals.append(claim(20, seat={"south": 0.5, "west": 0.5}))
        groups = possible_groups(heard(claim(1)), [heard(one) for one in rivals])
        assert any("west" in dict(group) for group in groups) is read

    def test_rivals_whose_seat_is_certain_are_all_read(self):
        claims = [claim(1, seat="north"), *(claim(n, seat=None) for n in range(2, 8)), claim(9, seat="west")]
        groups = possible_groups(heard(claims[0]), [heard(one) for one in claims[1:]])
        assert all(group[0] == ("north", R) and ("west", R) in group for group in groups)

    @pytest.mark.parametrize(
        ("cards", "dues"),
        [
            ((R, S), {R}),
            ((R, None), {None, P, R}),
            ((R, R, None), {None, P, R}),
            ((R, P, S, None), {R, P, S}),
            ((R, R, P, None), {P, R}),
            ((None, None), {None, R, P, S}),
            ((R,), {None}),
            ((), {None}),
            ((R, R, R, R, S), {None}),
        ],
    )
    def test_what_may_be_due(self, cards, dues):
        players = tuple("abcde")
        read = possible_dues(facts(cards=cards, players=players))
        assert set(read) == dues
        assert len(read) == len(dues)


class TestDecisions:
    def test_where_all_readings_agree_it_does_not_matter_who_it_was(self):
        """Neither south nor west has a card in this round: whoever of them was wrong, the same cards go back."""
        wrong = claim(1, kind=P, seat={"south": 0.5, "west": 0.5})
        decision = decide(facts(wrong, cards=(R, S), players=FOUR), OPTIONS)
        assert decision.verdict.awards == {"north": 1, "east": 1}
        assert decision.seat is None
        assert codes(decision.notes) == ["seat_does_not_matter"]
        assert decision.reviews == ()

    def test_a_silence_with_unread_cards_needs_no_note(self):
        decision = decide(facts(cards=(R, None)), OPTIONS)
        assert (decision.verdict.outcome, decision.notes, decision.due_known) == ("stays", (), False)
        assert {v.tail for v in decision.alternatives} == {"silence.kept", "silence.missed"}

    def test_a_silence_in_which_a_type_was_due_names_its_house_rule(self):
        assert decide(facts(), OPTIONS).used == ("missed",)
        assert decide(facts(cards=(R, R)), OPTIONS).used == ()

    def test_two_possible_dues_are_one_too_many(self):
        silent = decide(facts(cards=(R, R, P, None)), OPTIONS)
        assert (silent.due, silent.due_known) == (None, False)
        wrong = decide(facts(claim(1, kind=S), cards=(R, R, P, None)), OPTIONS)
        assert (wrong.verdict.outcome, codes(wrong.notes)) == ("penalty", ["card_does_not_matter"])
        assert wrong.alternatives == (wrong.verdict,)

    def test_an_unread_card_matters_in_silence_where_all_may_take_their_own_back(self):
        decision = decide(facts(cards=(R, None)), resolve("rock", {"missed": "own"}))
        assert (decision.verdict, len(decision.alternatives)) == (None, 2)

    def test_contested_is_asked_even_where_it_does_not_matter_who_was_wrong(self):
        """Neither south nor west has a card in this round: whoever of them was wrong, the same cards would go back."""
        claims = (claim(1), claim(2, 1.001, kind=P, seat={"south": 0.5, "west": 0.5}))
        decision = decide(facts(*claims, cards=(R, S), players=FOUR), OPTIONS)
        assert (decision.verdict.outcome, codes(decision.reviews)) == ("contested", ["contested"])

    def test_a_sure_early_call_after_an_unsure_one_is_warned(self):
        """The first may have come after the cards, being heard badly; the second certainly came before them."""
        claims = (claim(1, 0.955, sigma_ms=60.0), claim(2, 0.957, sigma_ms=1.0, kind=P, seat="south"))
        decision = decide(facts(*claims, complete_s=1.0), OPTIONS)
        assert [message.values for message in decision.notes] == [{"seat": "south", "type": P}]
        assert fates(decision) == {1: (True, "decides"), 2: (False, "after the deciding call")}
        touches = decide(facts(*claims, complete_s=1.0, touch=True), OPTIONS)
        assert (touches.notes, len(touches.calls)) == ((), 2)

    def test_who_was_first_may_be_certain_while_who_tied_is_not(self):
        first, second = claim(1, seat="north"), claim(2, 1.001, seat=None)
        decision = decide(facts(first, second, cards=(R, S, S)), OPTIONS)
        assert (decision.verdict, decision.seat, decision.tied) == (None, "north", ())
        assert codes(decision.reviews) == ["same_voice", "who_tied"]
        assert fates(decision) == {1: (True, "decides"), 2: (False, "nobody can tell who it was")}

    def test_two_ties_of_unknown_players_are_asked_about(self):
        first, second = claim(1, seat={"north": 0.5, "east": 0.5}), claim(2, 1.001, seat="south")
        decision = decide(facts(first, second, cards=(R, S, S)), OPTIONS)
        assert codes(decision.reviews) == ["who_tied"]
        assert {v.outcome for v in decision.alternatives} == {"tie"}

    def test_three_at_once_of_whom_one_calls_twice(self):
        claims = (claim(1), claim(2, 1.001, seat="east"), claim(3, 1.002), claim(4, 1.003, seat="east"))
        decision = decide(facts(*claims, cards=(R, S, S)), OPTIONS)
        assert decision.tied == ("north", "east")
        again = (False, "the same player again")
        assert fates(decision) == {1: (True, "tied"), 2: (True, "tied"), 3: again, 4: again}

    def test_claims_that_do_not_count_have_their_reason(self):
        claims = (
            claim(1, -0.5),
            claim(2, 0.5, kind=None),
            claim(3, 0.5, kind=None, reason="rocket"),
            claim(4, 0.6, accepted=False, probability=0.0),
            claim(5, 0.6, accepted=False, probability=0.0, reason="far away"),
            claim(6, 0.8),
            claim(7, 1.5),
        )
        assert fates(decide(facts(*claims), OPTIONS)) == {
            1: (False, "before all cards could be seen"),
            2: (False, "no type"),
            3: (False, "rocket"),
            4: (False, "not a call"),
            5: (False, "far away"),
            6: (True, "decides"),
            7: (False, "after the deciding call"),
        }

    def test_the_lead_is_to_the_next_word_that_is_a_call(self):
        claims = (claim(1, 1.0), claim(2, 1.1, kind=None), claim(3, 1.2, accepted=False), claim(4, 1.3, sigma_ms=8.0))
        decision = decide(facts(*claims), OPTIONS)
        assert (decision.lead_s, decision.lead_sigma_s) == (pytest.approx(0.3), pytest.approx(0.01))
        alone = decide(facts(claim(1, 1.0)), OPTIONS)
        assert (alone.lead_s, alone.lead_sigma_s) == (None, None)

    def test_an_early_call_before_the_first_is_not_its_lead(self):
        decision = decide(facts(claim(1, -0.5), claim(2, 1.0)), OPTIONS)
        assert (decision.lead_s, codes(decision.notes), decision.used) == (None, ["early_call"], ("early_call",))

    def test_a_penalty_for_an_early_call_warns_nobody_and_has_no_rivals(self):
        strict = resolve("rock", {"early_call": "penalty"})
        decision = decide(facts(claim(1, -0.5), claim(2, -0.499, seat="south")), strict)
        assert (decision.verdict.tail, decision.seat, decision.notes) == ("call.early", "north", ())
        assert fates(decision)[2] == (False, "after the deciding call")

    def test_a_warning_names_player_and_word(self):
        (message,) = decide(facts(claim(1, -0.5, kind=P, seat="south")), OPTIONS).notes
        assert (message.code, message.values) == ("note.early_call", {"seat": "south", "type": P})
        (message,) = decide(facts(claim(1, -0.5, kind=P, seat=None)), OPTIONS).notes
        assert (message.code, message.values) == ("note.early_call.unknown", {"type": P})

    def test_what_is_asked_names_the_word(self):
        def asked(*claims, **more):
            return [(m.code.removeprefix("review."), m.values) for m in decide(facts(*claims, **more), OPTIONS).reviews]

        assert asked(claim(1, probability=0.5, contested=True)) == [
            ("call_unsure", {"type": R}),
            ("two_voices", {"type": R}),
        ]
        assert asked(claim(1, 0.02)) == [("early_or_not", {"type": R})]
        assert asked(claim(1, probability=0.5), touch=True) == [("touch_unsure", {"type": R})]
        assert asked(claim(1, seat=None)) == [("who_called", {"type": R})]
        assert asked(claim(1, seat=None), claim(2, 1.001, seat=None)) == [("same_voice", {}), ("who_tied", {"type": R})]

    def test_house_rules_are_named_in_the_order_they_were_used(self):
        claims = (claim(1, -0.5), claim(2, 1.0), claim(3, 1.018, seat="south"))
        decision = decide(facts(*claims), OPTIONS)
        assert decision.used == ("early_call", "certainty")

    @pytest.mark.parametrize(
        ("gap_s", "used"), [(0.0078, "tie_window_ms"), (0.00781, "tie_window_ms"), (0.0078125, "certainty")]
    )
    def test_the_house_rule_of_a_tie_is_the_window_inside_of_it_and_else_the_certainty(self, gap_s, used):
        decision = decide(
            facts(claim(1), claim(2, 1 + gap_s, seat="south")), resolve("rock", {"tie_window_ms": 7.8125})
        )
        assert (decision.tied, decision.used) == (("north", "south"), (used,))

    @pytest.mark.parametrize(
        ("time_s", "asked"),
        [(0.02, ["early_or_not"]), (0.041, ["early_or_not"]), (0.043, []), (-0.041, ["early_or_not"])],
    )
    def test_early_or_not_is_asked_within_the_error(self, time_s, asked):
        assert codes(decide(facts(claim(1, time_s)), OPTIONS).reviews) == asked

    @pytest.mark.parametrize(("probability", "asked"), [(0.8, []), (0.79, ["call_unsure"])])
    def test_a_call_must_be_probable_enough(self, probability, asked):
        assert codes(decide(facts(claim(1, probability=probability)), OPTIONS).reviews) == asked

    @pytest.mark.parametrize(("probability", "asked"), [(0.9, []), (0.89, ["touch_unsure"])])
    def test_a_touch_must_be_probable_enough(self, probability, asked):
        assert codes(decide(facts(claim(1, probability=probability), touch=True), OPTIONS).reviews) == asked

    def test_doubtful_words_are_asked_about_up_to_the_first_call_and_the_tie_window(self):
        def asked(time_s, **more):
            word = claim(9, time_s, accepted=False, probability=0.5, **more)
            both = sorted((claim(1, 1.0), word), key=lambda c: c.time_s)
            return codes(decide(facts(*both), OPTIONS).reviews)

        assert asked(0.9) == asked(1.01) == ["maybe_call"]
        assert asked(1.011) == asked(-0.5) == asked(0.9, kind=None) == []
        word = claim(9, 0.5, accepted=False, probability=0.5)
        assert codes(decide(facts(word, touch=True), OPTIONS).reviews) == []
        late = claim(9, 0.126789, accepted=False, probability=0.5)
        assert decide(facts(late), OPTIONS).reviews[0].values["time"] == 0.13
        (message,) = decide(facts(word), OPTIONS).reviews
        assert message.values == {"type": R, "time": 0.5}

    def test_confidence_is_that_of_word_seat_order_and_missed_words(self):
        assert decide(facts(), OPTIONS).confidence == 1.0
        assert decide(facts(claim(1, probability=0.9)), OPTIONS).confidence == pytest.approx(0.9)
        assert decide(facts(claim(1, seat={"north": 0.96})), OPTIONS).confidence == pytest.approx(0.96)
        unknown = decide(facts(claim(1, seat=None)), OPTIONS)
        assert unknown.confidence == pytest.approx(1.0)
        word = claim(1, 0.5, accepted=False, probability=0.4)
        assert decide(facts(word), OPTIONS).confidence == pytest.approx(0.6)
        assert decide(facts(word, claim(2, probability=0.9)), OPTIONS).confidence == pytest.approx(0.54)
        another = claim(3, 1.0, accepted=False, probability=0.5)
        assert decide(facts(word, another), OPTIONS).confidence == pytest.approx(0.3)
        assert decide(facts(claim(2), another), OPTIONS).confidence == pytest.approx(0.5)
        led = decide(facts(claim(1), claim(2, 1.0 + 0.02, seat="south")), OPTIONS)
        assert led.confidence == pytest.approx(0.5 * (1 + math.erf(0.02 / math.hypot(0.006, 0.006) / math.sqrt(2))))
        tie = decide(facts(claim(1), claim(2, 1.0, seat="south")), OPTIONS)
        assert tie.confidence == pytest.approx(1 - probability_perceptible(0.0, math.hypot(0.006, 0.006), 0.02))

    @pytest.mark.parametrize(("gap", "sigma", "asked"), [(0.0, 6.0, []), (0.005, 6.0, []), (0.007, 6.0, ["too_close"])])
    def test_a_tie_is_too_close_to_call_if_it_may_hide_a_perceptible_lead(self, gap, sigma, asked):
        second = claim(2, 1.0 + gap, seat="south", sigma_ms=sigma)
        assert codes(decide(facts(claim(1), second), OPTIONS).reviews) == asked

    def test_too_close_is_said_once_with_the_first_doubtful_gap(self):
        claims = (claim(1), claim(2, 1.012, seat="east"), claim(3, 1.015, seat="south"))
        (message,) = decide(facts(*claims, cards=(R, S, S)), OPTIONS).reviews
        assert message.values == {"gap": 12.0, "error": 8.5}

    def test_gap_and_error_are_said_in_tenths_of_a_millisecond(self):
        second = claim(2, 1.012345, seat="south", sigma_ms=6.044)
        (message,) = decide(facts(claim(1, sigma_ms=6.044), second), OPTIONS).reviews
        assert message.values == {"gap": 12.3, "error": 8.5}

    def test_a_contested_round_is_asked_about_even_where_all_readings_agree(self):
        decision = decide(facts(claim(1), claim(2, 1.0, kind=P, seat="south")), OPTIONS)
        assert codes(decision.reviews) == ["contested"]
        assert decision.callers == (("north", R), ("south", P))

    def test_a_wrong_call_is_wrong_whatever_the_unread_card_is(self):
        decision = decide(facts(claim(1, kind=S), cards=(R, None)), OPTIONS)
        assert (decision.verdict.outcome, codes(decision.notes)) == ("penalty", ["card_does_not_matter"])
        assert (decision.due, decision.due_known) == (None, False)

    def test_what_is_due_is_not_said_while_a_card_is_unread(self):
        decision = decide(facts(claim(1, kind=R), cards=(P, None)), OPTIONS)
        assert (decision.due, decision.due_known) == (None, False)

    def test_the_house_rule_of_the_verdict_is_named(self):
        assert decide(facts(claim(1, kind=P), beneath=2), OPTIONS).used == ("two_player_penalty_takes_pot",)

    def test_a_doubtful_word_after_the_first_call_takes_no_confidence(self):
        word = claim(2, 1.5, accepted=False, probability=0.4)
        assert decide(facts(claim(1), word), OPTIONS).confidence == pytest.approx(1.0)

    def test_readings_that_disagree_by_cards_alone_ask_for_the_card_and_not_for_the_caller(self):
        decision = decide(facts(claim(1), cards=(R, None)), OPTIONS)
        assert (decision.verdict, decision.reviews, decision.seat) == (None, (), "north")
