"""Ruling again: byte for byte with the same house rules, with differences told under others; corrections appended."""

from errno import ENOSPC
from io import FileIO
from json import loads
from pathlib import Path

import pytest
from helpers_rules import P, R, S, Table, codes
from test_record import write

from referee.corrections import in_force, problem
from referee.errors import UsageError
from referee.events import CardShown, Correction, SeatChanged
from referee.record import Header, read_record
from referee.replay import correct, correction_for, replay


@pytest.fixture
def path(tmp_path):
    """A record of four rounds: north wins, silence, an unknown caller, south is wrong."""
    table = (
        Table().cards("RS").call("north", "R").cards("PP").cards("PS").call(None, "S").cards("RP").call("south", "R")
    )
    write(tmp_path / "r.jsonl", table.end().events)
    return tmp_path / "r.jsonl"


def said(kind, **more):
    return Correction(time_s=50.0, kind=kind, **more)


def test_a_replay_gives_the_same_lines_byte_for_byte(path):
    again = replay(read_record(path))
    assert again.identical
    assert again.differences == ()


def test_house_rules_that_change_nothing_make_no_difference(path):
    again = replay(read_record(path), options={"early_call": "penalty", "end_pot": "split"})
    assert (again.identical, again.differences) == (True, ())


def test_a_difference_names_round_field_and_both_values(tmp_path):
    table = Table().cards("RS").call("north", "R").call("south", "R", after=0.84).end()
    write(tmp_path / "r.jsonl", table.events)
    again = replay(read_record(tmp_path / "r.jsonl"), options={"tie_window_ms": "100"})
    assert [str(d) for d in again.differences if d.field in ("outcome", "awards", "pot")] == [
        "round 1: outcome: won -> tie",
        "round 1: awards: north 2 -> nobody",
        "round 1: pot: 0 -> 2",
    ]


def test_another_rule_set_may_rule_on_the_same_events(path):
    again = replay(read_record(path), game="de", language="de")
    assert again.rulings[0].rule == "de.2p.call.correct"
    assert again.rulings[0].verdict == "Nord rief zuerst „Stein“, die Gewinnerkarte, und nimmt 2 Karten."


def test_an_unknown_option_is_refused(path):
    with pytest.raises(UsageError, match="option 'luck' is not known"):
        replay(read_record(path), options={"luck": "1"})


class TestCorrecting:
    def test_who_called_is_appended_and_everything_after_it_is_ruled_again(self, path):
        before = path.read_text()
        changed = correct(path, said("caller", call=2, seat="south"))
        assert [(r.round, r.revision) for r in changed] == [(3, 1), (4, 1)]
        assert (changed[0].awards, changed[0].review) == ({"south": 4}, False)
        assert path.read_text().startswith(before)
        record = read_record(path)
        assert record.result["piles"] == {"north": 4, "south": 4}
        assert replay(record).identical

    def test_what_a_card_was(self, path):
        changed = correct(path, said("card", card=2, type=P))
        assert (changed[0].round, changed[0].outcome, changed[0].awards) == (1, "penalty", {"south": 2})

    def test_whose_a_card_was(self, tmp_path):
        table = Table().cards("RS").cards("P.").show("north", "S", at=10.2).call("south", "S").end()
        write(tmp_path / "r.jsonl", table.events)
        assert read_record(tmp_path / "r.jsonl").rulings[1]["reviews"] == ["double_flip", "card_missing"]
        (changed,) = correct(tmp_path / "r.jsonl", said("card", card=4, seat="south"))
        assert (changed.cards, changed.awards) == ({"north": P, "south": S}, {"south": 4})
        assert not changed.review

    def test_that_it_was_no_call(self, path):
        changed = correct(path, said("not_a_call", call=1))
        assert (changed[0].outcome, changed[0].pot) == ("stays", 2)
        assert changed[0].calls[0].reason == "people said that it was no call"
        assert not changed[0].review
        assert changed[1].pot == 4

    def test_a_call_that_was_not_heard(self, path):
        changed = correct(path, said("call", seat="south", type=P, at_s=11.0))
        assert (changed[0].round, changed[0].outcome, changed[0].awards) == (2, "penalty", {"north": 2})
        assert changed[0].calls[0].claim.number == -1

    def test_that_the_round_is_void(self, path):
        changed = correct(path, said("void", card=1))
        assert (changed[0].rule, changed[0].outcome, changed[0].pot) == ("rock.2p.void", "stays", 2)
        assert changed[0].decided_by == "table"

    def test_undoing_brings_the_first_rulings_back(self, path):
        first = [dict(line) for line in read_record(path).rulings]
        correct(path, said("void", card=1))
        correct(path, said("undo", target=1))
        latest = {line["round"]: line for line in read_record(path).rulings}
        assert [latest[n + 1] | {"revision": 0} for n in range(4)] == first
        assert replay(read_record(path)).identical

    def test_an_undo_may_be_undone(self):
        void, undo, redo = said("void", card=1), said("undo", target=1), said("undo", target=2)
        assert in_force([void]) == [(1, void)]
        assert in_force([void, undo]) == []
        assert in_force([void, undo, redo]) == [(1, void)]
        assert in_force([said("undo", target=1)]) == []

    def test_a_correction_may_make_two_rounds_one(self, tmp_path):
        """South's late card was taken for a new one of north's: as corrected there are two rounds, not three."""
        table = Table().cards("RS").cards("P.").show("north", "S", at=13.0).end()
        write(tmp_path / "r.jsonl", table.events)
        second, third = correct(tmp_path / "r.jsonl", said("card", card=4, seat="south"))
        assert (second.round, second.cards) == (2, {"north": P, "south": S})
        assert (third.round, third.outcome) == (3, "withdrawn")
        assert third.verdict == "As corrected, round 3 was no round of its own."
        record = read_record(tmp_path / "r.jsonl")
        assert replay(record).identical
        assert [ruling.round for ruling in replay(record).rulings] == [1, 2]

    @pytest.mark.parametrize(
        ("wrong", "why"),
        [
            (said("caller", call=99, seat="north"), "no call number 99"),
            (said("caller", call=1), "needs a seat"),
            (said("not_a_call", call=-1), "no call number -1"),
            (said("card", card=99, type=R), "no card number 99"),
            (said("card", card=1), "needs its type or its seat"),
            (said("void"), "no card number None"),
            (said("call", seat="north", type=S), "needs seat, type and time"),
            (said("undo", target=1), "no correction number 1"),
            (said("undo"), "no correction number None"),
            (said("call", seat="north", type=S, at_s=-5.0), "second -5 is outside the game, which lasts from 0 to "),
            (said("call", seat="north", type=S, at_s=1e6), "outside the game"),
            (said("call", seat="north", type=S, at_s=float("nan")), "outside the game"),
            (said("call", seat="nowhere", type=S, at_s=11.0), "no seat nowhere; the seats are north"),
            (said("caller", call=1, seat="nobody"), "no seat nobody"),
            (said("card", card=1, seat=""), "needs its type or its seat"),
            (said("card", card=1, seat="middle"), "no seat middle"),
            (Correction(time_s=-1.0, kind="caller", call=1, seat="south"), "time_s: "),
        ],
    )
    def test_a_correction_that_names_nothing_is_refused_and_nothing_is_written(self, path, wrong, why):
        before = path.read_text()
        with pytest.raises(UsageError, match=why):
            correct(path, wrong)
        assert path.read_text() == before

    def test_seats_are_those_of_the_game(self):
        moved = SeatChanged(time_s=2.0, seat="anna", to_seat="carla")
        events = [CardShown(time_s=1.0, seat="anna", card=1, type=R), moved]
        seat = lambda name, seats: problem(events, [], said("card", card=1, seat=name), seats=seats)  # noqa: E731
        assert [seat(name, None) for name in ("anna", "carla")] == ["", ""]
        assert seat("north", None) == "there is no seat north; the seats are anna, carla"
        assert [seat(name, ("anna", "berta")) for name in ("berta", "carla")] == ["", ""]
        assert seat("dora", ("anna", "berta")) == "there is no seat dora; the seats are anna, berta, carla"

    def test_a_record_whose_seats_were_learnt_takes_every_side_of_the_table(self):
        events = [CardShown(time_s=1.0, seat="east", card=1, type=R)]
        assert problem(events, [], said("card", card=1, seat="west")) == ""

    def test_a_correction_and_its_rulings_reach_the_file_in_one_write(self, path, monkeypatch):
        writes = []

        class Spy(FileIO):
            def write(self, data):
                writes.append(bytes(data))
                return super().write(data)

        before = path.read_bytes()
        monkeypatch.setattr(Path, "open", lambda self, mode, **_: Spy(self, mode))
        correct(path, said("void", card=1))
        monkeypatch.undo()
        assert len(writes) == 1
        assert path.read_bytes() == before + writes[0]
        assert [loads(line)["type"] for line in writes[0].splitlines()][:2] == ["correction", "ruling"]

    def test_when_room_runs_out_nothing_of_a_correction_stays(self, path, monkeypatch):
        class Full(FileIO):
            def write(self, data):
                if len(data) < 300:
                    raise OSError(ENOSPC, "No space left on device")
                return super().write(data[:-200])

        before = path.read_bytes()
        monkeypatch.setattr(Path, "open", lambda self, mode, **_: Full(self, mode))
        monkeypatch.setattr(Path, "read_bytes", lambda _: before)
        with pytest.raises(UsageError, match="No space left"):
            correct(path, said("void", card=1))
        monkeypatch.undo()
        assert path.read_bytes() == before

    def test_a_call_that_was_added_may_be_corrected_in_turn(self, path):
        added = said("call", seat="south", type=P, at_s=11.0)
        assert problem(read_record(path).events, [added], said("caller", call=-1, seat="north")) == ""
        correct(path, added)
        changed = correct(path, said("caller", call=-1, seat="north"))
        assert changed[0].awards == {"south": 2}

    def test_people_speak_of_rounds(self, path):
        record = read_record(path)
        assert correction_for(record, 3, caller="south").call == 2
        assert correction_for(record, 1, no_call=True).kind == "not_a_call"
        card = correction_for(record, 1, card={"seat": "south", "type": P})
        assert (card.card, card.type) == (2, P)
        assert correction_for(record, 2, void=True).card == 3

    @pytest.mark.parametrize(
        ("number", "what", "why"),
        [
            (9, {"void": True}, "no round 9"),
            (2, {"no_call": True}, "no deciding call"),
            (1, {"card": {"seat": "west", "type": P}}, "no card of west"),
            (1, {}, "say what to correct"),
        ],
    )
    def test_what_a_round_does_not_have_cannot_be_corrected(self, path, number, what, why):
        with pytest.raises(UsageError, match=why):
            correction_for(read_record(path), number, **what)


def test_corrections_work_for_touches(tmp_path):
    table = Table(2, "tournament").cards("RS")
    table.touch(None, 1).end()
    write(tmp_path / "r.jsonl", table.events, "tournament", Header(game="tournament"))
    (changed,) = correct(tmp_path / "r.jsonl", said("caller", call=1, seat="south"))
    assert (changed.awards, codes(changed.reviews)) == ({"south": 2}, [])
    (undone,) = correct(tmp_path / "r.jsonl", said("not_a_call", call=1))
    assert undone.outcome == "stays"
