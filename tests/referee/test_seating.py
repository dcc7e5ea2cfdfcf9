"""Who plays is seen in the first round, and a wrong number of players is said."""

import pytest

from referee.errors import InputError
from referee.events import CardsGone, CardShown, RecordingEnded, Type
from referee.seating import who_plays


def card(t, seat, n=0):
    return CardShown(time_s=t, seat=seat, card=n, type=Type.ROCK)


def seats(*events, players=None):
    return who_plays(iter(events), players)[0]


def test_seats_come_clockwise_from_the_north_whatever_the_order_of_cards():
    assert seats(card(1, "west"), card(1.1, "north"), card(1.3, "south"), card(9, "west")) == ("north", "south", "west")


def test_a_second_card_of_a_seat_ends_the_first_round():
    events = [card(1, "east"), card(1.2, "west"), card(2.9, "east"), card(3.0, "north")]
    assert seats(*events) == ("east", "west")


def test_collected_cards_end_the_first_round():
    assert seats(card(1, "east"), card(1.2, "west"), CardsGone(time_s=2, cards=(0,)), card(2.5, "north")) == (
        "east",
        "west",
    )


def test_one_card_alone_is_no_round():
    assert seats(card(1, "east"), card(8, "west"), card(8.2, "east"), card(15, "east")) == ("east", "west")


def test_the_number_of_players_waits_for_a_card_that_was_missed():
    events = [
        card(1, "east"),
        card(1.2, "west"),
        card(6, "east"),
        card(6.1, "west"),
        card(6.2, "south"),
        card(12, "east"),
    ]
    assert seats(*events, players=3) == ("east", "south", "west")


@pytest.mark.parametrize("players", [1, 3, 4])
def test_a_wrong_number_of_players_is_said_with_the_seats_seen(players):
    events = [e for t in range(1, 40, 5) for e in (card(t, "north"), card(t + 0.1, "south"))]
    with pytest.raises(InputError, match=rf"2 seats \(north, south\), but --players {players}"):
        seats(*events, players=players)


def test_nobody_is_seated_at_an_empty_table():
    assert seats(RecordingEnded(time_s=30)) == ()


def test_what_was_read_is_given_back_whole():
    events = [card(1, "east"), card(1.2, "west"), card(6, "east"), card(7, "west")]
    stream = iter(events)
    _, taken = who_plays(stream, None)
    assert taken + list(stream) == events
