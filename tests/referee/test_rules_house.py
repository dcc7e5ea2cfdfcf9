"""House rules about doubt and time: each changes what it says, at a match, and nothing else."""

import pytest
from helpers_rules import Table, codes

from referee.events import DieShown, SeenTo
from referee.match import Match


def reviews(table):
    return [codes(ruling.reviews) for ruling in table.judge()]


def a_call(**more):
    return lambda options: Table(options=options).cards("RS").call("north", "R", **more)


def an_unsure_touch(options):
    table = Table(2, "tournament", options=options).cards("RS")
    return table.touch("north", table.last["north"], confidence=0.85)


def a_doubtful_word(options):
    return Table(options=options).cards("RS").call("south", "P", after=0.4, accepted=False, probability=0.4)


def unsure_cards(game):
    return lambda options: Table(2, game, options=options).cards("RS", confidence=0.85)


@pytest.mark.parametrize(
    ("option", "value", "play", "code"),
    [
        ("call_certainty", 0.5, a_call(probability=0.7), "call_unsure"),
        ("touch_certainty", 0.8, an_unsure_touch, "touch_unsure"),
        ("doubt", 0.5, a_doubtful_word, "maybe_call"),
        ("card_certainty", 0.8, unsure_cards("rock"), "card_unsure"),
        ("card_certainty", 0.8, unsure_cards("hands"), "card_unsure"),
    ],
)
def test_what_is_sure_enough_is_for_the_house_to_say(option, value, play, code):
    assert code in reviews(play({}))[0]
    assert code not in reviews(play({option: value}))[0]


def test_a_die_that_is_sure_enough_is_for_the_house_to_say():
    seats = ("red", "green", "blue")
    for certainty, asked in ((0.9, ["die_unsure"]), (0.8, [])):
        match = Match(game="rorschach", seats=seats, options={"card_certainty": certainty})
        match.feed_all(
            DieShown(time_s=1.0, seat=seat, value=1, confidence=0.85 if seat == "red" else 1.0) for seat in seats
        )
        (ruling,) = match.feed(SeenTo(time_s=9.0))
        assert codes(ruling.reviews) == asked


@pytest.mark.parametrize(("settle_s", "ruled"), [(1.0, False), (0.5, True)])
def test_how_long_the_referee_listens_on_is_for_the_house_to_say(settle_s, ruled):
    table = Table(options={"settle_s": settle_s}).cards("RS").call("north", "R")
    assert bool(table.match.feed_all([*table.events, SeenTo(time_s=6.5)])) is ruled


@pytest.mark.parametrize("game", ["rock", "hands"])
def test_what_one_flip_too_many_is_and_what_the_next_round_is_for_the_house_to_say(game):
    def rounds(**options):
        return len(Table(2, game, options=options).cards("RS").show("north", "P", at=5.7).show("south", "S").judge())

    assert (rounds(), rounds(double_flip_s=0.5)) == (1, 2)


@pytest.mark.parametrize("game", ["rock", "hands"])
def test_how_late_a_card_still_belongs_to_its_round_is_for_the_house_to_say(game):
    """North shows a second card 3 s after the first, south none: another round, or a flip too many."""

    def rounds(**options):
        return reviews(
            Table(2, game, options=options).cards("R.").show("north", "P", at=8.0).show("south", "S", at=8.1)
        )

    assert [asked[0] for asked in rounds()[:1]] == ["card_missing"]
    assert rounds(gap_s=5) == [["double_flip"]]
