"""The scorer must be able to fail: every kind of mistake is found and named."""

import pytest

from referee.bench.score import compare


def truth(n, start, **fields):
    base = {
        "type": "ruling",
        "round": n,
        "start_s": start,
        "end_s": start + 5,
        "reveal_s": {"north": start + 1, "south": start + 1.1},
        "cards": {"north": "rock", "south": "paper"},
        "due": "paper",
        "first": {"seat": "north", "type": "paper", "onset_s": start + 2},
        "calls": [{"seat": "north", "onset_s": start + 2}],
        "outcome": "won",
        "awards": {"north": 2},
        "time_s": start + 2.5,
    }
    return base | fields


def ruling(true, **fields):
    return {k: true[k] for k in ("type", "round", "time_s", "cards", "due", "first", "outcome", "awards")} | fields


ROUNDS = [truth(1, 0.0), truth(2, 5.0, first=None, outcome="stays", awards={}, calls=[])]


def test_a_perfect_record_is_exact():
    pairs, extra = compare(ROUNDS, [ruling(t) for t in ROUNDS])
    assert [p.differences for p in pairs] == [(), ()]
    assert extra == []


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("cards", {"north": "rock", "south": "rock"}, "cards"),
        ("cards", {"north": "rock"}, "cards"),
        ("cards", {"north": "rock", "south": "paper", "east": "rock"}, "cards"),
        ("due", None, "due"),
        ("first", {"seat": "south", "type": "paper", "onset_s": 2.0}, "first"),
        ("first", {"seat": "north", "type": "rock", "onset_s": 2.0}, "first"),
        ("outcome", "penalty", "outcome"),
        ("awards", {"south": 2}, "awards"),
    ],
)
def test_each_mistake_is_named(field, value, named):
    pairs, _ = compare(ROUNDS[:1], [ruling(ROUNDS[0], **{field: value})])
    assert pairs[0].differences == (named,)


def test_a_missing_ruling_is_missed_and_an_invented_one_is_extra():
    pairs, extra = compare(ROUNDS, [ruling(ROUNDS[1]), ruling(ROUNDS[0], time_s=40.0, first={"onset_s": 40.0})])
    assert pairs[0].differences == ("missed",)
    assert pairs[1].differences == ()
    assert len(extra) == 1


def test_of_two_at_once_who_called_differently_either_is_right_with_the_own_word():
    calls = [
        {"seat": seat, "type": kind, "onset_s": 2.0, "reason": "tied"}
        for seat, kind in (("north", "rock"), ("south", "paper"))
    ]
    both = truth(1, 0.0, outcome="contested", calls=calls)
    for seat, kind, wrong in (("north", "rock", ()), ("south", "paper", ()), ("north", "paper", ("first",))):
        said = ruling(both, first={"seat": seat, "type": kind, "onset_s": 2.0})
        assert compare([both], [said])[0][0].differences == wrong


def test_any_seat_of_a_tie_is_right_and_the_nearer_onset_counts():
    calls = [
        {"seat": seat, "type": "paper", "onset_s": at_s, "reason": "tied"}
        for seat, at_s in (("north", 2.0), ("south", 2.001))
    ]
    tie = truth(1, 0.0, tied=["north", "south"], calls=calls)
    said = ruling(tie, first={"seat": "south", "type": "paper", "onset_s": 2.003})
    pairs, _ = compare([tie], [said])
    assert pairs[0].differences == ()
    assert pairs[0].onset_error_ms == pytest.approx(2.0)


def test_a_call_that_was_not_heard_has_no_onset_to_be_off():
    unheard = {"seat": "north", "type": "paper", "onset_s": None, "sigma_ms": None}
    pairs, _ = compare(ROUNDS[:1], [ruling(ROUNDS[0], first=unheard)])
    assert (pairs[0].differences, pairs[0].onset_error_ms) == ((), None)
