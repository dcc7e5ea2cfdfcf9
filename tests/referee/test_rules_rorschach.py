"""Rorschach (2008): tokens, winners, inkblots, variants and mistakes."""

import pytest
from helpers_rules import codes
from hypothesis import given
from hypothesis import strategies as st
from strategies import PROFILE

from referee.errors import UsageError
from referee.events import (
    BlotRemoved,
    BlotReplaced,
    DieShown,
    QuestionRead,
    RecordingEnded,
    Reshuffled,
    SeatChanged,
    SeenTo,
)
from referee.match import Match
from referee.play.setting import Waiting
from referee.rules.rorschach import gained, inkblots, tokens, winners

COLOURS = ("red", "purple", "green", "blue", "black", "white")


def answers(text):
    """`red 1 purple 1 green ?` as a mapping."""
    words = text.split()
    return {c: None if a == "?" else int(a) for c, a in zip(words[::2], words[1::2], strict=True)}


@pytest.mark.parametrize(
    ("given_answers", "expected"),
    [
        ("red 1 purple 1 green 1", {"red": "purple green", "purple": "red green", "green": "red purple"}),
        ("red 1 purple 2 green 3", {"red": "red", "purple": "purple", "green": "green"}),
        ("red 1 purple 1 green 2", {"red": "purple", "purple": "red", "green": "green"}),
        ("red 1 purple 1 green 2 blue 2", {"red": "purple", "purple": "red", "green": "blue", "blue": "green"}),
        ("red 1 purple 1 green ?", {"red": "purple", "purple": "red", "green": ""}),
        ("red 1 purple 2 green ?", {"red": "", "purple": "", "green": ""}),
        ("red ? purple ?", {"red": "", "purple": ""}),
        ("", {}),
    ],
)
def test_tokens_are_those_of_the_sheet(given_answers, expected):
    assert tokens(answers(given_answers)) == {colour: tuple(own.split()) for colour, own in expected.items()}


def test_nobody_takes_a_second_token_of_a_colour():
    held = {"red": frozenset({"purple"}), "purple": frozenset()}
    assert gained(held, {"red": ("purple",), "purple": ("red",)}) == {"red": [], "purple": ["red"]}


def test_everybody_with_one_of_every_colour_wins():
    full = frozenset({"red", "purple"})
    assert winners({"red": full, "purple": frozenset({"red"})}) == ("red",)
    assert winners({"red": full, "purple": full}) == ("red", "purple")


@pytest.mark.parametrize("players", range(2, 9))
def test_there_is_one_inkblot_fewer_than_players(players):
    assert inkblots(players) == frozenset(range(1, players))


@PROFILE
@given(st.dictionaries(st.sampled_from(COLOURS), st.integers(1, 5), min_size=2))
def test_matching_is_mutual_and_ones_own_colour_comes_only_from_being_unique(given_answers):
    earned = tokens(given_answers)
    for colour, new in earned.items():
        alone = list(given_answers.values()).count(given_answers[colour]) == 1
        assert (colour in new) == alone
        assert all(colour in earned[other] for other in new)
        assert len(new) == max(1, list(given_answers.values()).count(given_answers[colour]) - 1)


class Game:
    """Writes rounds of dice."""

    def __init__(self, seats=("red", "purple", "green"), **more):
        self.seats = seats
        self.match = Match(game="rorschach", seats=seats, **more)
        self.events = []
        self.now = 0.0

    def dice(self, *values, question=None, **more):
        self.now += 5.0
        if question is not None:
            self.events.append(QuestionRead(time_s=self.now - 1.0, text=question))
        for seat, value in zip(self.seats, values, strict=False):
            if value is not None:
                die = {"seat": seat, "value": value} if isinstance(value, int) else {"seat": seat, "value": None}
                self.events.append(DieShown(time_s=self.now, **(die | more)))
        return self

    def add(self, *events):
        self.events += events
        return self

    def judge(self):
        self.events.append(RecordingEnded(time_s=self.now + 5))
        self.events.sort(key=lambda event: event.time_s)
        self.match.feed_all(self.events)
        return self.match.in_force


def test_a_round_is_ruled_when_all_dice_are_shown():
    game = Game().dice(1, 1, 2, question="Which looks happiest?")
    (ruling,) = game.judge()
    assert (ruling.rule, ruling.outcome, ruling.decided_by) == ("rorschach.tokens", "tokens", "reveal")
    assert ruling.awards == {"red": 1, "purple": 1, "green": 1}
    assert ruling.extra["tokens"] == {"red": ["purple"], "purple": ["red"], "green": ["green"]}
    assert ruling.extra["dice"] == {"red": 1, "purple": 1, "green": 2}
    assert ruling.extra["question"] == "Which looks happiest?"
    assert ruling.extra["blots"] == [1, 2]
    assert ruling.verdict == "Red, purple and green take 3 tokens in all."


def test_the_first_with_every_colour_wins_and_the_game_is_over():
    game = Game().dice(1, 1, 1).dice(1, 2, 2).dice(1, 1, 1)
    rulings = game.judge()
    assert [ruling.outcome for ruling in rulings] == ["tokens", "won"]
    assert rulings[-1].verdict == "Red holds a token of every colour and wins the game."
    assert game.match.result()["winner"] == "red"


def test_several_at_once_all_win():
    game = Game(("red", "purple"), options={"two_players": "yes"})
    # with one inkblot two players always match, so they win only with a second one; three players can finish together
    assert game.dice(1, 1).judge()[0].outcome == "tokens"
    three = Game().dice(1, 1, 1).dice(1, 2, None).dice(1, 2, 3)
    assert three.judge()[-1].outcome in ("none", "tokens", "won")
    four = Game(("a", "b", "c", "d")).dice(1, 1, 1, 1).dice(1, 2, 3, 3)
    last = four.judge()[-1]
    assert (last.outcome, last.extra["winners"]) == ("won", ["a", "b"])
    assert last.verdict == "A and b hold a token of every colour and win the game."
    assert (four.match.result()["winner"], four.match.result()["winners"]) == (None, ["a", "b"])


def test_two_players_need_the_house_rule():
    with pytest.raises(UsageError, match="3 to 8"):
        Match(game="rorschach", seats=("a", "b"))
    assert Match(game="rorschach", seats=("a", "b"), options={"two_players": True}).seats == ("a", "b")


class TestMistakes:
    def test_a_number_that_names_no_inkblot_counts_for_nothing(self):
        (ruling,) = Game(COLOURS).dice(8, 8, 1, 1, 2, 2).judge()
        assert codes(ruling.reviews) == ["no_such_blot", "no_such_blot"]
        assert ruling.questions[0] == ("Red chose 8, but there are only 5 inkblots: that answer counts for nothing.")
        assert "red" not in ruling.awards
        assert "purple" not in ruling.awards

    def test_two_players_with_the_same_colour_are_asked_to_change(self):
        game = Game(("anna", "ben", "cleo"))
        game.add(*(DieShown(time_s=5.0, seat=s, value=1, colour=c) for s, c in zip(game.seats, "rrg", strict=True)))
        game.now = 5.0
        (ruling,) = game.judge()
        assert codes(ruling.reviews) == ["same_colour"]
        assert ruling.extra["tokens"] == {"anna": ["cleo"], "cleo": ["anna"]}

    def test_another_colour_in_a_later_round_is_asked_about(self):
        game = Game().dice(1, 1, 2, colour="")
        game.add(DieShown(time_s=10.0, seat="red", value=1, colour="pink"))
        game.now = 10.0
        assert codes(game.judge()[1].reviews)[0] == "colour_changed"

    def test_a_die_turned_after_the_reveal_counts_as_first_seen(self):
        game = Game().dice(1, 1, 2).add(DieShown(time_s=5.4, seat="green", value=1))
        (ruling,) = game.judge()
        assert (codes(ruling.reviews), ruling.extra["dice"]["green"]) == (["die_turned"], 2)

    def test_the_same_die_seen_again_is_nothing(self):
        (ruling,) = Game().dice(1, 1, 2).add(DieShown(time_s=5.4, seat="green", value=2)).judge()
        assert not ruling.review

    @pytest.mark.parametrize(("third", "code"), [("?", "die_unread"), (None, "die_missing")])
    def test_an_unknown_answer_leaves_others_what_is_certain(self, third, code):
        (ruling,) = Game().dice(1, 1, third).judge()
        assert (codes(ruling.reviews), ruling.awards) == ([code], {"red": 1, "purple": 1})

    def test_a_doubtful_die_is_asked_about(self):
        (ruling,) = Game().dice(1, 1, 2, confidence=0.5).judge()
        assert codes(ruling.reviews) == ["die_unsure"] * 3

    def test_a_die_of_nobody_known_belongs_to_the_only_player_left(self):
        (ruling,) = Game().dice(1, 1).add(DieShown(time_s=5.2, seat=None, value=2)).judge()
        assert (codes(ruling.notes), ruling.extra["dice"]["green"]) == (["seat_inferred"], 2)

    def test_dice_of_nobody_known_or_of_strangers_are_asked_about(self):
        game = Game().dice(1).add(DieShown(time_s=5.2, seat=None, value=2), DieShown(time_s=5.3, seat="moon", value=2))
        assert codes(game.judge()[0].reviews)[:2] == ["die_of_nobody", "not_playing"]


SPEED = {"speed_rounds": "yes"}


class TestVariants:
    def dry(self, rounds, **more):
        """Everybody holds what 1-1-1 gives; the same again gives nothing."""
        game = Game(**more).dice(1, 1, 1)
        for _ in range(rounds):
            game.dice(1, 1, 1)
        return game

    def test_after_two_rounds_without_a_token_an_inkblot_goes(self):
        rulings = self.dry(2, options=SPEED).judge()
        assert [ruling.extra["removed_blot"] for ruling in rulings] == [None, None, 2]
        assert (rulings[-1].extra["blots"], rulings[-1].options_used) == ([1], {"speed_after": 2})
        assert rulings[-1].verdict == "Nobody takes a token once more: inkblot 2 goes, 1 inkblot stays."

    def test_it_never_goes_below_one_inkblot(self):
        rulings = self.dry(8, options=SPEED).judge()
        assert rulings[-1].extra["blots"] == [1]
        assert sum(ruling.extra["removed_blot"] is not None for ruling in rulings) == 1

    def test_without_the_variant_nothing_goes(self):
        assert self.dry(4).judge()[-1].extra["blots"] == [1, 2]

    def test_the_number_of_rounds_is_a_house_rule(self):
        rulings = self.dry(1, options=SPEED | {"speed_after": "1"}).judge()
        assert rulings[-1].extra["removed_blot"] == 2

    def test_people_may_take_another_inkblot_than_the_highest(self):
        game = self.dry(2, options=SPEED).add(BlotRemoved(time_s=18.0, blot=1)).dice(2, 2, 2)
        last = game.judge()[-1]
        assert (last.extra["blots"], last.review) == ([2], False)

    def test_an_inkblot_taken_without_any_rule_is_noted(self):
        game = Game().add(BlotRemoved(time_s=1.0, blot=2)).dice(1, 1, 2)
        (ruling,) = game.judge()
        assert codes(ruling.notes) == ["blot_removed_unasked"]
        assert codes(ruling.reviews) == ["no_such_blot"]

    def test_the_last_inkblot_cannot_go(self):
        game = Game().add(BlotRemoved(time_s=1.0, blot=2), BlotRemoved(time_s=2.0, blot=1)).dice(1, 1, 1)
        (ruling,) = game.judge()
        assert codes(ruling.notes) == ["blot_removed_unasked", "no_such_blot"]
        assert ruling.extra["blots"] == [1]

    def test_rotating_inkblots_are_waited_for(self):
        game = Game(options={"rotating_blots": "yes"}).dice(1, 1, 2)
        game.match.feed_all([*game.events, SeenTo(time_s=7.0)])
        assert game.match.waiting_for == Waiting("replace_blot")
        game.match.feed(BlotReplaced(time_s=8.0, blot=1))
        assert (game.match.waiting_for, game.match.legal[0]) == (Waiting("question"), "ask")

    def test_replacing_without_the_variant_is_noted(self):
        game = (
            Game().dice(1, 1, 2).add(BlotReplaced(time_s=7.0, blot=1), BlotReplaced(time_s=7.5, blot=9)).dice(1, 1, 2)
        )
        assert codes(game.judge()[1].notes) == ["blot_replaced_unasked", "no_such_blot"]


def test_the_match_says_what_it_waits_for():
    game = Game(options={"speed_rounds": "yes", "speed_after": "1"}).dice(1, 1, 1).dice(1, 1, 1)
    kinds = [game.match.waiting_for.kind]
    game.match.feed(QuestionRead(time_s=1.0))
    kinds.append(game.match.waiting_for.kind)
    for event in [*game.events[:3], SeenTo(time_s=7.0), *game.events[3:], SeenTo(time_s=12.0)]:
        game.match.feed(event)
        kinds.append(game.match.waiting_for.kind)
    assert kinds == ["question", *["answers"] * 3, "ruling", "question", *["answers"] * 2, "ruling", "remove_blot"]
    assert game.match.legal[0] == "remove_blot"
    assert [standing.score for standing in game.match.standings] == [2, 2, 2]


def test_a_question_without_answers_is_no_round():
    game = Game().add(QuestionRead(time_s=1.0)).dice(1, 1, 2, question="Which looks saddest?")
    (ruling,) = game.judge()
    assert (ruling.round, ruling.extra["question"]) == (1, "Which looks saddest?")


def test_a_new_question_ends_the_round_before():
    game = Game().dice(1, 1, None).dice(1, 1, 2, question="next")
    first, second = game.judge()
    assert (codes(first.reviews), second.review) == (["die_missing"], False)


def test_a_player_who_moves_keeps_colour_and_tokens():
    game = Game().dice(1, 1, 2).add(SeatChanged(time_s=7.0, seat="red", to_seat="pink"))
    game.judge()
    held = game.match.result()["held_tokens"]
    assert held == {"pink": ["purple"], "purple": ["pink"], "green": ["green"]}


def test_shuffling_begins_a_new_game_after_a_win():
    game = Game().dice(1, 1, 1).dice(1, 2, 2).add(Reshuffled(time_s=12.0)).dice(1, 1, 2)
    assert game.match.waiting_for.kind == "question"
    rulings = game.judge()
    assert rulings[-1].piles == {"red": 1, "purple": 1, "green": 1}
    assert game.match.result()["games"][0]["winners"] == ["red"]
