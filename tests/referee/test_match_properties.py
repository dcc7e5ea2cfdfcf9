"""What holds for every match, whatever the events: cards are conserved, rulings repeat, waiting changes nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import PROFILE, any_events, corrections, plausible_rounds

from referee.bench.rules import conserved
from referee.errors import RefereeError
from referee.events import CallHeard, CardShown, Correction, Dealt, DieShown, RecordingEnded, Reshuffled, SeenTo, Type
from referee.match import Match
from referee.options import GAMES
from referee.record import Header, Record, RulingLine, dump, parse_record
from referee.replay import replay

SEATED = {
    "rock": ("north", "east", "south"),
    "tournament": ("north", "south"),
    "de": ("north", "south"),
    "es": ("east", "west"),
    "hands": ("north", "south"),
    "rorschach": ("north", "east", "south", "west"),
}
games = st.sampled_from(GAMES)


def lines(match):
    return [dump(ruling.to_json()) for ruling in match.rulings]


def judged(game, events, **more):
    match = Match(game=game, **({"seats": SEATED[game]} | more))
    match.feed_all(events)
    return match


@PROFILE
@given(games, any_events, st.booleans())
def test_cards_are_conserved_after_every_event_whatever_comes(game, events, in_order):
    if in_order:
        events = sorted(events, key=lambda event: event.time_s)
    match = Match(game=game, seats=SEATED[game])
    for event in [*events, RecordingEnded(time_s=2e6)]:
        if isinstance(event, Dealt):
            continue  # a new deal says how many cards there are
        for ruling in match.feed(event):
            json.loads(dump(ruling.to_json()))
            assert ruling.why
            assert all(pile >= 0 for pile in ruling.piles.values())
            assert ruling.pot >= 0
        assert conserved(match)
    result = match.result()
    json.loads(dump(result))


@PROFILE
@given(games, any_events)
def test_events_that_come_twice_make_and_lose_no_cards(game, events):
    doubled = [event for event in events for _ in range(2) if not isinstance(event, Dealt)]
    assert conserved(judged(game, [*doubled, RecordingEnded(time_s=2e6)]))


@PROFILE
@given(games, any_events)
def test_the_same_events_give_the_same_lines(game, events):
    assert lines(judged(game, events)) == lines(judged(game, events))


@PROFILE
@given(games, any_events, st.data())
def test_promises_make_rulings_come_sooner_and_never_different(game, events, data):
    events = sorted(events, key=lambda event: event.time_s)
    plain = judged(game, events)
    patient = Match(game=game, seats=SEATED[game])
    for event in events:
        for back in sorted(data.draw(st.lists(st.floats(0, 3), max_size=2)), reverse=True):
            patient.feed(SeenTo(time_s=max(0.0, event.time_s - back)))
        patient.feed(event)
    assert lines(patient)[: len(plain.rulings)] == lines(plain)
    plain.feed(RecordingEnded(time_s=2e6))
    patient.feed(RecordingEnded(time_s=2e6))
    assert lines(patient) == lines(plain)


@PROFILE
@given(games, any_events, st.sampled_from([None, 3]))
def test_players_are_learnt_from_events_alone(game, events, players):
    events = [*sorted(events, key=lambda event: event.time_s), RecordingEnded(time_s=2e6)]
    players = players if game in ("rock", "rorschach") else None
    try:
        one = judged(game, events, seats=None, players=players)
    except RefereeError as error:
        assert "players" in str(error)  # noqa: PT017  (only some of the matches fail)
        return
    promised = Match(game=game, players=players)
    for event in events:
        promised.feed(SeenTo(time_s=event.time_s))
        promised.feed(event)
    assert lines(one) == lines(promised)


@PROFILE
@given(plausible_rounds(), st.lists(corrections, max_size=4), st.data())
def test_corrections_at_any_time_equal_judging_the_corrected_events_from_the_start(events, said, data):
    early = Match(seats=("north", "south"))
    early.feed_all([*said, *events])
    late = Match(seats=("north", "south"))
    late.feed_all([*events, *said])
    mixed = Match(seats=("north", "south"))
    queue = list(said)
    for event in events:
        while queue and data.draw(st.booleans()):
            mixed.feed(queue.pop(0))
        mixed.feed(event)
    mixed.feed_all(queue)

    def in_force(match):
        return [dump(ruling.to_json() | {"revision": 0}) for ruling in match.in_force]

    assert in_force(early) == in_force(late) == in_force(mixed)
    assert early.result() == late.result() == mixed.result()


@PROFILE
@given(plausible_rounds(), st.lists(corrections.filter(lambda c: c.kind != "undo"), min_size=1, max_size=3))
def test_undoing_every_correction_brings_the_first_rulings_back(events, said):
    plain = Match(seats=("north", "south"))
    plain.feed_all(events)
    undone = Match(seats=("north", "south"))
    undone.feed_all([*events, *said])
    undone.feed_all(Correction(time_s=100.0, kind="undo", target=n + 1) for n in range(len(said)))
    first = [dump(r.to_json() | {"revision": 0}) for r in plain.in_force]
    assert [dump(r.to_json() | {"revision": 0}) for r in undone.in_force] == first


@PROFILE
@given(games, any_events, st.lists(corrections, max_size=2))
def test_a_record_reads_back_as_it_was_written_and_replays_byte_for_byte(game, events, said):
    match = Match(game=game, seats=SEATED[game])
    entries = []
    for event in [*events, RecordingEnded(time_s=2e6), *said]:
        entries.append(event)
        entries += [RulingLine(json.loads(dump(r.to_json()))) for r in match.feed(event)]
    record = Record(header=Header(game=game, seats=SEATED[game]), entries=tuple(entries))
    text = record.to_text()
    again = parse_record(text)
    assert again == record
    assert again.to_text() == text
    assert replay(again).identical


@PROFILE
@given(games, any_events)
def test_screens_always_get_an_answer(game, events):
    match = Match(game=game, seats=SEATED[game])
    for event in events:
        match.feed(event)
        assert match.waiting_for.kind
        assert isinstance(match.legal, tuple)
        assert len(match.standings) == len(SEATED[game])
        assert [s.place for s in match.standings] == sorted(s.place for s in match.standings)


@PROFILE
@given(plausible_rounds())
def test_every_card_that_could_be_read_is_in_exactly_one_ruling(events):
    match = Match(seats=("north", "south"))
    match.feed_all(events)
    assert [ruling.round for ruling in match.in_force] == list(range(1, match.result()["rounds"] + 1))
    proofs = [ruling.evidence for ruling in match.in_force]
    ruled = [
        card.card
        for proof in proofs
        for card in (*dict(proof.cards).values(), *proof.unplaced, *proof.extras, *proof.taken_back)
    ]
    readable = {event.card for event in events if isinstance(event, CardShown) and event.type is not None}
    assert readable <= set(ruled)
    assert len(ruled) == len(set(ruled))


@pytest.mark.parametrize("game", GAMES)
def test_a_new_deal_begins_a_new_count(game):
    match = Match(game=game, seats=SEATED[game])
    dice = [DieShown(time_s=1.0, seat=seat, value=1) for seat in SEATED[game]]
    shown = [CardShown(time_s=1.0, seat=seat, card=n, type=None) for n, seat in enumerate(SEATED[game])]
    first = dice if game == "rorschach" else shown
    match.feed_all([*first, Reshuffled(time_s=9.0), RecordingEnded(time_s=10.0)])
    assert len(match.result()["games"]) == 1
    assert sum(match.result()["piles"].values()) == (42 if game == "hands" else 0)


def test_a_call_that_people_add_at_the_very_moment_of_another_comes_after_it_whenever_they_say_so():
    cards = [CardShown(time_s=5.0, seat=seat, card=n, type=Type.ROCK) for n, seat in enumerate(SEATED["rock"])]
    heard = CallHeard(
        time_s=6.0, sigma_ms=1.0, end_s=6.2, type=Type.PAPER, word="", probability=1.0, seats={"north": 1}
    )
    said = Correction(time_s=5.5, kind="call", seat="south", type=Type.ROCK, at_s=6.0)
    early, late = Match(seats=SEATED["rock"]), Match(seats=SEATED["rock"])
    early.feed_all([*cards, said, heard, RecordingEnded(time_s=9.0)])
    late.feed_all([*cards, heard, RecordingEnded(time_s=9.0), said])
    assert [r.first for r in early.in_force] == [r.first for r in late.in_force]


def test_a_promise_before_the_end_does_not_change_who_plays():
    shown = [(0.0, "north", Type.ROCK), (0.1, "south", Type.PAPER), (0.2, "east", None), (3.0, "north", Type.ROCK)]
    events = [CardShown(time_s=at, seat=seat, card=n, type=kind) for n, (at, seat, kind) in enumerate(shown)]
    ended = RecordingEnded(time_s=9.0)
    plain, promised = Match(), Match()
    plain.feed_all([*events, ended])
    promised.feed_all([*events, SeenTo(time_s=9.0), ended])
    assert plain.seats == promised.seats == ("north", "south")
    assert lines(plain) == lines(promised)
