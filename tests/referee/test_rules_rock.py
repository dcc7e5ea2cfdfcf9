"""Conformance: what each first call means, for every combination of cards, against rows read off the rule sheet."""

from itertools import combinations, product

import pytest
from helpers_rules import LETTERS, SEATS, Table, codes
from oracle import ORACLE

from referee.options import resolve
from referee.rules.rock import Centre, verdict

BENEATH = 3

# players, what is due, who called: what it is, who gets what. `caller` and `others` are seats; `all` is every card in
# the centre, `own` the card that they played, `both` the two cards of the round and what lies beneath (house rule).
ROWS = """
2   type    nobody      stays       -
2   silence nobody      stays       -
2   type    right       won         caller:all
2   type    wrong       penalty     others:all
2   silence wrong       penalty     others:all
2   type    right+right tie         -
2   type    right+wrong contested   right:all
2   type    wrong+wrong contested   -
2   silence wrong+wrong contested   -
3-4 type    nobody      stays       -
3-4 silence nobody      stays       -
3-4 type    right       won         caller:all
3-4 type    wrong       penalty     others:own
3-4 silence wrong       penalty     others:own
3-4 type    right+right tie         caller:own
3-4 type    right+wrong contested   notwrong:own
3-4 type    wrong+wrong contested   others:own
3-4 silence wrong+wrong contested   others:own
"""
MEANING = {tuple(row.split()[:3]): tuple(row.split()[3:]) for row in ROWS.strip().splitlines()}


def expected(players, due, callers):
    """Outcome and awards by the rows above."""
    seats = SEATS[players]
    right = [s for s, kind in callers if kind == due and due != "-"]
    wrong = [s for s, kind in callers if s not in right]
    kinds = "+".join(["right"] * min(len(right), 2 - bool(wrong)) + ["wrong"] * min(len(wrong), 2 - bool(right)))
    row = MEANING["2" if players == 2 else "3-4", "silence" if due == "-" else "type", kinds or "nobody"]
    outcome, gift = row
    if gift == "-":
        return outcome, {}
    who, what = gift.split(":")
    named = [s for s, _ in callers]
    groups = {
        "caller": named,
        "others": [s for s in seats if s not in named],
        "right": right,
        "notwrong": [s for s in seats if s not in wrong],
    }
    return outcome, dict.fromkeys(groups[who], players + BENEATH if what == "all" else 1)


def caller_cases(players):
    """Nobody; each seat with each type; any two or more seats at once with any types."""
    yield ()
    for many in range(1, players + 1):
        for seats in combinations(SEATS[players], many):
            for kinds in product("RPS", repeat=many):
                yield tuple(zip(seats, kinds, strict=True))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_first_call_on_every_combination_of_cards_means_what_the_sheet_says(players):
    options = resolve("rock", {})
    centre = Centre(SEATS[players], SEATS[players], BENEATH)
    checked = 0
    for cards in product("RPS", repeat=players):
        due = ORACLE["".join(cards)]
        for callers in caller_cases(players):
            said = tuple((seat, LETTERS[kind]) for seat, kind in callers)
            got = verdict(centre, LETTERS[due], said, options)
            assert (got.outcome, dict(got.awards)) == expected(players, due, callers), (cards, callers)
            checked += 1
    assert checked == {2: 9 * 16, 3: 27 * 64, 4: 81 * 256}[players]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_early_call_is_a_wrong_one_on_every_combination_where_the_house_says_so(players):
    options = resolve("rock", {"early_call": "penalty"})
    centre = Centre(SEATS[players], SEATS[players], BENEATH)
    for cards in product("RPS", repeat=players):
        due = ORACLE["".join(cards)]
        for seat, kind in product(SEATS[players], "RPS"):
            got = verdict(centre, LETTERS[due], ((seat, LETTERS[kind]),), options, early=True)
            assert (got.outcome, dict(got.awards)) == expected(players, "-", ((seat, kind),)), (cards, seat, kind)
            assert got.tail == "call.early"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_match_rules_every_combination_and_two_calls_at_once_as_the_sheet_says(players):
    options = {"tie_window_ms": 0}
    for cards in product("RPS", repeat=players):
        due = ORACLE["".join(cards)]
        for one, other in combinations(SEATS[players], 2):
            for kinds in product("RPS", repeat=2):
                table = Table(players, options=options).cards("".join(cards))
                ruling = table.call(one, kinds[0]).call(other, kinds[1]).only()
                outcome, awards = expected(players, due, ((one, kinds[0]), (other, kinds[1])))
                awards = {s: n - BENEATH if n > 1 else n for s, n in awards.items()}
                assert (ruling.outcome, dict(ruling.awards)) == (outcome, awards), (cards, one, other, kinds)
                assert ruling.tied == (one, other)
                assert ruling.review == (outcome == "contested")


@pytest.mark.parametrize(
    ("game", "players"), [(g, n) for g in ("rock", "tournament") for n in (2, 3, 4)] + [("de", 2), ("es", 2)]
)
def test_a_match_rules_every_combination_and_single_claim_as_the_sheet_says(game, players):
    for cards in product("RPS", repeat=players):
        due = ORACLE["".join(cards)]
        for seat, kind in [(None, None), *product(SEATS[players], "RPS")]:
            if game == "tournament" and kind is not None and kind not in cards:
                continue  # no card of that type can be touched
            table = Table(players, game).cards("".join(cards))
            if seat is not None and game != "tournament":
                table.call(seat, kind)
            elif seat is not None:
                table.touch(seat, table.last[SEATS[players][cards.index(kind)]])
            ruling = table.only()
            outcome, awards = expected(players, due, ((seat, kind),) if seat else ())
            awards = {s: n - BENEATH if n > 1 else n for s, n in awards.items()}
            assert (ruling.due, ruling.outcome, dict(ruling.awards)) == (LETTERS[due], outcome, awards)
            assert ruling.pot == players - sum(awards.values())
            assert not ruling.review
            assert ruling.decided_by == (("touch" if game == "tournament" else "call") if seat else "silence")


@pytest.mark.parametrize(
    ("players", "cards", "call", "tail", "used"),
    [
        (2, "RS", "R", "call.correct", ()),
        (2, "RS", "P", "call.wrong", ("two_player_penalty_takes_pot",)),
        (2, "RR", "R", "call.in_silence", ("two_player_penalty_takes_pot",)),
        (2, "RR", "", "silence.kept", ()),
        (2, "RS", "", "silence.missed", ("missed",)),
        (3, "RSS", "P", "call.wrong", ()),
        (4, "RPSS", "R", "call.wrong", ()),
    ],
)
def test_each_verdict_names_its_line_of_the_sheet_and_the_house_rule_it_used(players, cards, call, tail, used):
    centre = Centre(SEATS[players], SEATS[players], BENEATH)
    callers = (("north", LETTERS[call]),) if call else ()
    got = verdict(centre, LETTERS[ORACLE[cards]], callers, resolve("rock", {}))
    assert (got.tail, got.used) == (tail, used)


@pytest.mark.parametrize(
    ("players", "calls", "tail", "awards", "used"),
    [
        (2, "RP", "contested", {"north": 5}, ("two_player_penalty_takes_pot",)),
        (2, "PS", "contested.wrong", {}, ()),
        (3, "RP", "contested", {"north": 1, "south": 1}, ()),
        (3, "PS", "contested.wrong", {"south": 1}, ()),
        (2, "P", "call.wrong", {"south": 5}, ("two_player_penalty_takes_pot",)),
        (2, "RR", "tie", {}, ()),
        (3, "RR", "tie", {"north": 1, "east": 1}, ()),
    ],
)
def test_calls_at_once_have_their_own_lines(players, calls, tail, awards, used):
    centre = Centre(SEATS[players], SEATS[players], 3)
    said = tuple((seat, LETTERS[kind]) for seat, kind in zip(SEATS[players], calls, strict=False))
    got = verdict(centre, LETTERS["R"], said, resolve("rock", {}))
    assert (got.tail, got.awards, got.used) == (tail, awards, used)
    assert got.outcome == {"call.wrong": "penalty", "tie": "tie"}.get(tail, "contested")


def test_a_penalty_with_two_players_leaves_the_pot_if_the_house_says_so():
    options = resolve("rock", {"two_player_penalty_takes_pot": "no"})
    got = verdict(Centre(SEATS[2], SEATS[2], 4), LETTERS["R"], (("north", LETTERS["P"]),), options)
    assert got.awards == {"south": 2}


def test_a_missed_type_gives_everybody_their_own_card_if_the_house_says_so():
    options = resolve("rock", {"missed": "own"})
    got = verdict(Centre(SEATS[3], SEATS[3], 4), LETTERS["R"], (), options)
    assert (got.awards, got.outcome) == ({"north": 1, "east": 1, "south": 1}, "stays")


def test_an_early_call_counts_as_wrong_even_with_the_winning_type():
    options = resolve("rock", {"early_call": "penalty"})
    got = verdict(Centre(SEATS[2], SEATS[2]), LETTERS["R"], (("north", LETTERS["R"]),), options, early=True)
    assert (got.tail, got.outcome, got.awards, got.used) == ("call.early", "penalty", {"south": 2}, ("early_call",))


def test_who_has_no_card_left_gets_none_back_but_may_win():
    centre = Centre(SEATS[3], ("north", "east"), 1)
    options = resolve("rock", {})
    assert verdict(centre, LETTERS["R"], (("south", LETTERS["R"]),), options).awards == {"south": 3}
    assert verdict(centre, LETTERS["R"], (("north", LETTERS["P"]),), options).awards == {"east": 1}
    tie = (("north", LETTERS["R"]), ("south", LETTERS["R"]))
    assert verdict(centre, LETTERS["R"], tie, options).awards == {"north": 1}


@pytest.mark.parametrize("game", ["de", "es"])
def test_the_german_and_spanish_sheets_are_rock_with_two_players(game):
    ruling = Table(2, game).cards("RP").call("north", "P").only()
    assert (ruling.rule, ruling.awards) == (f"{game}.2p.call.correct", {"north": 2})
    tie = Table(2, game).cards("PP").only()
    assert (tie.rule, tie.outcome, tie.pot) == (f"{game}.2p.silence.kept", "stays", 2)
    lost = Table(2, game).cards("PP").call("north", "P").only()
    assert (lost.outcome, lost.awards, codes(lost.reviews)) == ("penalty", {"south": 2}, [])
