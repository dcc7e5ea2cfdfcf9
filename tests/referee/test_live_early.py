"""What is said before it is final, what people may say against it, and what a restarted server recognises."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from audio.spotted import Spotted
from referee.events import UNSURE, CallHeard, CardsGone, CardShown, Correction, Moment, RecordingEnded, SeenTo, Type
from referee.live import challenge, outlook, resuming, view
from referee.live.early import DUE_S, GIVEN_S, LONGEST_S, PAUSE_S, RIVAL_HELD_S, EarlyEar, ago, quiet_for, voiced
from referee.live.outlook import RIVAL_S, Noticed, Outlook
from referee.live.resuming import Resumed
from referee.live.shared import SharedMatch
from referee.live.words import WORDS
from referee.media import AudioBlock
from referee.messages import LANGUAGES
from referee.record import Header
from referee.record_writer import RecordWriter


def card(number, seat, kind, time_s, confidence=0.99):
    return CardShown(time_s=time_s, seat=seat, card=number, type=kind, confidence=confidence, rest_s=time_s + 0.4)


def call(seat, kind, time_s, **more):
    base = {"sigma_ms": 3.0, "end_s": time_s + 0.4, "word": str(kind), "language": "en", "probability": 0.97}
    return CallHeard(time_s=time_s, type=kind, seats={seat: 0.99}, tier="own", **{**base, **more})


ROUND = [
    card(1, "north", Type.ROCK, 2.0),
    card(2, "south", Type.PAPER, 2.05),
    call("south", Type.PAPER, 2.8),
    call("north", Type.ROCK, 3.1),
]


def table(*events):
    match = SharedMatch(game="rock", seats=("north", "south"))
    for event in events:
        match.feed(event)
    return match


def test_the_first_impression_is_what_is_ruled_if_nothing_else_comes():
    match = table()
    ahead = outlook.ruling_ahead(match, ROUND, lambda c: c)
    final = table(*ROUND, RecordingEnded(time_s=9.0)).rulings[0]
    assert (ahead.outcome, ahead.awards, ahead.first) == (final.outcome, final.awards, final.first)


def test_asking_ahead_changes_nothing():
    match = table(ROUND[0])
    for _ in range(3):
        outlook.ruling_ahead(match, ROUND[1:], lambda c: c)
    assert match.rulings == []
    assert match.events == (ROUND[0],)
    assert match.waiting_for.seats == ("south",)
    assert [r.outcome for e in (*ROUND[1:], SeenTo(time_s=9.0)) for r in match.feed(e)] == ["won"]


def test_silence_is_never_said_ahead():
    assert outlook.ruling_ahead(table(), ROUND[:2], lambda c: c) is None


def test_a_match_can_be_asked_while_it_is_fed():
    match, faults = table(), []

    def ask():
        try:
            for _ in range(60):
                outlook.ruling_ahead(match, (), lambda c: c)
        except Exception as fault:  # noqa: BLE001  whatever it is, it is the finding
            faults.append(fault)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(200):
        start = 6.0 * n
        for event in ROUND:
            moved = {"card": event.card + 2 * n} if isinstance(event, CardShown) else {"end_s": event.end_s + start}
            match.feed(type(event)(**{**fields(event), **moved, "time_s": event.time_s + start}))
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(match.in_force) >= 28


def fields(event):
    return {name: getattr(event, name) for cls in type(event).__mro__ for name in getattr(cls, "__slots__", ())}


def test_calls_wait_for_the_eye_and_go_when_they_have_passed():
    known, told = Outlook(), []
    known.changed = lambda: told.append(len(known.waiting))
    known.heard([ROUND[2]], 0.0)
    assert not known.calls
    known.looked(3.5)
    known.seen(ROUND[0])
    assert known.calls
    assert known.waiting == (ROUND[0], ROUND[2])
    known.passed(ROUND[0])
    known.passed(call("south", Type.PAPER, 2.81))
    assert known.waiting == ()
    assert told[-1] == 2


def test_a_ruling_stands_when_all_who_spoke_are_understood_and_the_eye_has_looked_on():
    ruling, known = outlook.ruling_ahead(table(), ROUND, lambda c: c), Outlook()
    known.heard([ROUND[2]], 2.9)
    known.looked(4.0)
    assert not known.stands(ruling)  # who began 0.1 s after the call may still be heard
    known.heard([ROUND[2]], 3.0)
    assert known.stands(ruling)
    late = Outlook()
    late.heard([ROUND[2]], 3.4)
    late.looked(2.5)
    assert not late.stands(ruling)


def test_who_of_two_was_first_by_little_is_no_first_impression():
    close_by = [*ROUND[:3], call("north", Type.PAPER, 2.83)]
    assert outlook.doubtful(outlook.ruling_ahead(table(), close_by, lambda c: c))
    assert not outlook.doubtful(outlook.ruling_ahead(table(), ROUND, lambda c: c))
    assert not outlook.doubtful(outlook.ruling_ahead(table(), ROUND[:3], lambda c: c))


def test_a_call_with_another_voice_in_it_is_no_first_impression():
    over = [*ROUND[:2], call("south", Type.PAPER, 2.8, contested=True)]
    assert outlook.doubtful(outlook.ruling_ahead(table(), over, lambda c: c))
    later = [*ROUND[:3], call("north", Type.ROCK, 3.1, contested=True)]
    assert not outlook.doubtful(outlook.ruling_ahead(table(), later, lambda c: c))


def test_before_every_card_is_read_nothing_is_said():
    unread = outlook.ruling_ahead(table(), [ROUND[0], card(2, "south", None, 2.05, 0.0), ROUND[2]], lambda c: c)
    known = Outlook()
    known.heard([ROUND[2]], 9.0)
    known.looked(9.0)
    assert known.stands(outlook.ruling_ahead(table(), ROUND, lambda c: c))
    assert outlook.doubtful(unread)
    assert not known.stands(unread)


def test_whose_call_it_was_is_waited_for_where_microphones_tell_it():
    nobody = [replace(ROUND[2], seats=seats) for seats in ({"north": 0.45, "south": 0.55}, {})]
    told = [outlook.ruling_ahead(table(), [*ROUND[:2], one], lambda c: c) for one in nobody]
    assert [one.first.seat for one in told] == [None, None]
    assert [outlook.doubtful(one) for one in told] == [True, False]


def test_an_unclear_word_that_would_decide_is_ruled_on_ahead():
    """As in the record, where it decides when the round ends and nothing clearer came; people are asked."""
    unclear = call("south", Type.PAPER, 2.8, accepted=False, reason=UNSURE, probability=0.7)
    known = Outlook()
    known.heard([unclear], 3.4)
    known.looked(4.0)
    assert known.calls
    ahead = outlook.ruling_ahead(table(), [*ROUND[:2], unclear], lambda c: c)
    final = table(*ROUND[:2], unclear, RecordingEnded(time_s=9.0)).rulings[0]
    assert (ahead.outcome, ahead.awards, ahead.review) == (final.outcome, final.awards, True)
    faint = call("south", Type.PAPER, 2.8, accepted=False, reason=UNSURE, probability=0.3)
    assert outlook.ruling_ahead(table(), [*ROUND[:2], faint], lambda c: c) is None


def test_what_stands_is_shown_as_such():
    ruling = outlook.ruling_ahead(table(), ROUND, lambda c: c)
    assert [view.ruling(ruling, early=True, stands=s)["stands"] for s in (True, False)] == [True, False]
    assert view.ruling(ruling)["stands"]


def test_cards_that_are_being_read_are_told_when_they_change():
    known, told = Outlook(), []
    known.changed = lambda: told.append(known.noticed)
    one = Noticed(Type.ROCK, ((0, 0), (1, 0), (1, 1), (0, 1)))
    for cards in ([], [one], [one], []):
        known.notice(cards)
    assert told == [(one,), ()]


def test_quiet_is_counted_from_the_last_voice_at_any_microphone():
    rate, chance = 16000, np.random.default_rng(5)
    sound = 0.001 * chance.standard_normal((2, 6 * rate)).astype(np.float32)
    sound[1, 3 * rate : 4 * rate] *= 200
    assert quiet_for(voiced(sound[:, : 4 * rate], rate)) < 0.05
    assert quiet_for(voiced(sound[:, : round(4.5 * rate)], rate)) == pytest.approx(0.5, abs=0.03)
    assert quiet_for(voiced(sound[:, :100], rate)) == 0.0


def test_the_last_pause_that_began_long_enough_ago_is_found():
    voice = np.ones(75, np.bool_)
    voice[20:30] = voice[40:44] = voice[60:70] = voice[74:] = False  # 0.2, 0.08 and 0.2 s, and now
    assert ago(voice, 0.0) == pytest.approx(0.3)
    assert ago(voice, 0.31) == pytest.approx(1.1)
    assert ago(voice, 1.2) > 1e6
    assert ago(np.ones(75, np.bool_), 0.0) > 1e6
    assert ago(np.zeros(75, np.bool_), 0.0) > 1e6  # it began before all that is known


class Scripted:
    """A recogniser that gives one word at one time, and says from when it seemed due."""

    def __init__(self, given):
        self.given, self.heard_s, self.gone = given, 0.0, False

    def accept(self, samples):
        self.heard_s += len(samples) / 16000
        if self.given is None or self.gone or self.heard_s < self.given["at"]:
            return []
        self.gone = True
        return [self.given["word"]]

    def flush(self):
        return []

    @property
    def settled_s(self):
        return max(0.0, self.heard_s - 1.5)

    @property
    def due(self):
        return self.given is not None and not self.gone and self.heard_s >= self.given["due"]

    def guess(self):
        return [self.given["word"]] if self.due and self.heard_s >= self.given.get("guess", 99) else []


def word(start_s, kind=Type.ROCK):
    return Spotted(str(kind), kind, "en", start_s, start_s + 0.4, 0.97, True)


def told_by(scripts, *, loud_s=(1.0, 1.4), quiet_s=(0.0, 0.0), until_s=4.0, strays=False):
    """What an ear with these recognisers, a microphone each, says early: (time, calls, said to).

    `strays`: one voice is heard at all microphones; else everybody speaks.
    """
    rate, chance, left = 16000, np.random.default_rng(3), list(scripts)
    sound = 0.001 * chance.standard_normal((len(scripts), round(until_s * rate))).astype(np.float32)
    sound[:, round(loud_s[0] * rate) : round(loud_s[1] * rate)] *= 100
    sound[:, round(quiet_s[0] * rate) : round(quiet_s[1] * rate)] /= 100
    if strays:
        sound[1:] = 0.1 * sound[0] + sound[1:] / 1000
    out, at = [], [0.0]
    ear = EarlyEar(
        None, AudioBlock(0.0, sound[:, :1600], rate), layout="own" if len(scripts) > 1 else "one",
        recogniser=lambda *_: Scripted(left.pop(0)),
    )  # fmt: skip
    ear.told = lambda calls, said_s: out.append((round(at[0], 1), len(calls), said_s))
    for first in range(0, sound.shape[1], 1600):
        at[0] = (first + 1600) / rate
        list(ear.feed(sound[:, first : first + 1600]))
    return out


def test_a_word_is_guessed_when_it_is_due_and_said_when_all_has_been_quiet():
    told = told_by([{"word": word(1.0), "due": 1.65, "guess": 1.65, "at": 1.85}])
    assert told[0][:2] == (1.7, 1)
    assert told[0][2] < 0
    stands = next(t for t in told if t[2] > 0)
    assert stands[0] == pytest.approx(1.9, abs=0.11)
    assert 1.0 < stands[2] < stands[0]


def test_a_guess_waits_for_another_player_who_is_heard_but_not_for_long():
    first, second = word(1.0), word(1.05)
    both = [
        {"word": first, "due": 1.65, "guess": 1.65, "at": 1.85},
        {"word": second, "due": 1.65, "guess": 1.75, "at": 1.95},
    ]
    assert told_by(both)[0][:2] == (1.8, 2)
    never = [both[0], {"word": second, "due": 1.65, "at": 9.0}]
    told = told_by(never)
    assert told[0][0] == pytest.approx(1.7 + RIVAL_HELD_S, abs=0.06)
    assert all(said < 0 for at, _, said in told if at < 1.0 + RIVAL_S + DUE_S + LONGEST_S)  # it may come


def test_a_guess_does_not_wait_for_what_strays_into_another_microphone():
    strayed = [
        {"word": word(1.0), "due": 1.65, "guess": 1.65, "at": 1.85},
        {"word": word(1.0), "due": 1.65, "at": 9.0},
    ]
    assert told_by(strayed, strays=True)[0][:2] == (1.7, 1)


class Foresighted(Scripted):
    """One that also looks at sound that it was not given."""

    brewing = True

    def ahead(self, samples):
        until_s = self.heard_s + len(samples) / 16000
        return [self.given["word"]] if not self.gone and until_s >= self.given["ahead"] else []


def test_a_word_is_guessed_between_the_steps_of_the_ear():
    sound = 0.001 * np.random.default_rng(3).standard_normal((1, 3 * 16000)).astype(np.float32)
    sound[:, 16000:22400] *= 100
    for script, at_s in (({"ahead": 1.63}, 1.64), ({"ahead": 9.0}, 1.8)):
        given = {"word": word(1.0), "due": 9.0, "at": 1.8, **script}
        ear = EarlyEar(
            None, AudioBlock(0.0, sound[:, :320], 16000), layout="one", recogniser=lambda *_, g=given: Foresighted(g)
        )
        told, now = [], 0.0
        ear.told = lambda calls, _, told=told: told.append((now, len(calls)))  # noqa: B023  called within this turn
        for first in range(0, sound.shape[1], 320):
            now = (first + 320) / 16000
            list(ear.feed(sound[:, first : first + 320]))
        assert told[0] == (pytest.approx(at_s, abs=0.045), 1)


def test_where_it_is_never_quiet_a_call_stands_when_no_other_can_last_so_long():
    told = told_by([{"word": word(1.0), "due": 1.65, "guess": 1.65, "at": 1.85}], loud_s=(1.0, 4.0))
    stands = next(t for t in told if t[2] > 0)
    assert stands[0] == pytest.approx(1.0 + RIVAL_S + LONGEST_S + DUE_S, abs=0.15)
    assert stands[2] >= 1.15


def test_where_somebody_speaks_on_after_a_pause_a_call_before_it_stands_sooner():
    """Who spoke with the call had ended by then, and would have been understood."""
    later = word(1.75, Type.PAPER)
    scripts = [
        {"word": word(1.0), "due": 1.65, "guess": 1.65, "at": 1.85},
        {"word": later, "due": 1.8, "at": 9.0},
    ]
    told = told_by(scripts, loud_s=(1.0, 4.0), quiet_s=(1.4, 1.7))
    stands = next(t for t in told if t[2] > 0)
    assert stands[0] == pytest.approx(1.4 + DUE_S + GIVEN_S, abs=0.11)
    assert stands[2] == pytest.approx(1.4, abs=0.03)
    short = next(t for t in told_by(scripts, loud_s=(1.0, 4.0), quiet_s=(1.4, 1.3 + PAUSE_S)) if t[2] > 0)
    assert short[0] > stands[0] + 0.2


def ended(*events):
    return table(*events, RecordingEnded(time_s=60.0))


def test_a_challenge_offers_other_callers_no_call_and_no_round():
    shown = challenge.of_round(table(*ROUND, SeenTo(time_s=9.0)), None)
    kinds = [(c["kind"], c["seat"], c["type"]) for c in shown["choices"]]
    assert ("caller", "north", "paper") in kinds
    assert ("not_a_call", None, "paper") in kinds
    assert kinds[-1][0] == "void"
    assert [c["seat"] for c in shown["cards"]] == ["north", "south"]
    assert all(f"choice.{kind}" in WORDS for kind, _, _ in kinds)


@pytest.mark.parametrize(("kind", "outcome"), [("not_a_call", "penalty"), ("void", "stays")])
def test_an_answer_becomes_a_correction_that_undo_takes_back(kind, outcome):
    match = table(*ROUND, Moment(time_s=9.0))
    shown = challenge.of_round(match, 1)
    number = 1 + next(i for i, c in enumerate(shown["choices"]) if c["kind"] == kind)
    match.feed(challenge.correction(shown, number, 9.0))
    assert match.in_force[0].outcome == outcome
    match.feed(challenge.undo(match, 10.0))
    assert match.in_force[0].outcome == "won"
    assert challenge.undo(match, 11.0) is None


def test_a_ruling_in_review_can_be_said_to_be_right():
    took = CardsGone(time_s=6.0, cards=(1, 2), to_seat="north")
    match = table(*ROUND, took, card(9, "north", Type.ROCK, 20.0), Moment(time_s=21.0))
    assert match.in_force[0].reviews[0].code == "review.collected_by_other"
    shown = challenge.of_round(match, 1)
    assert shown["choices"][0]["kind"] == "as_ruled"
    match.feed(challenge.correction(shown, 1, 21.0))
    assert (match.in_force[0].reviews, match.in_force[0].awards) == ((), {"south": 2})
    assert challenge.of_round(match, 1)["choices"][0]["kind"] != "as_ruled"


def test_where_nobody_was_heard_somebodys_call_can_be_said():
    match = table(*ROUND[:2], card(9, "north", Type.ROCK, 20.0), Moment(time_s=21.0))
    assert match.in_force[0].outcome == "stays"
    shown = challenge.of_round(match, 1)
    said = [(c["kind"], c["seat"], c["type"]) for c in shown["choices"]]
    assert said[:2] == [("call", "north", "paper"), ("call", "south", "paper")]
    match.feed(challenge.correction(shown, 2, 21.0))
    assert (match.in_force[0].outcome, match.in_force[0].awards) == ("won", {"south": 2})


@pytest.mark.parametrize("choice", [0, -1, 99])
def test_an_answer_that_was_not_offered_is_none(choice):
    shown = challenge.of_round(table(*ROUND, SeenTo(time_s=9.0)), 1)
    assert challenge.correction(shown, choice, 9.0) is None


def test_there_is_nothing_to_challenge_before_the_first_ruling():
    assert challenge.of_round(table(), None) is None
    assert challenge.of_round(None, 1) is None


def test_a_ruling_is_shown_in_every_language_and_spoken_without_types():
    shown = view.ruling(ended(*ROUND).in_force[0])
    assert set(shown["says"]) == set(shown["spoken"]) == set(LANGUAGES)
    assert shown["spoken"]["en"] == "South, 2."
    assert shown["first"]["seat"] == "south"
    assert shown["first"]["lead_ms"] == pytest.approx(300)


def test_a_ruling_as_the_cards_were_taken_is_asked_aloud_and_not_said_to_be_unknown():
    doubtful = call("north", Type.PAPER, 2.8, probability=0.4, accepted=False, reason=UNSURE)
    match = ended(*ROUND[:2], doubtful, CardsGone(time_s=4.5, cards=(1, 2), to_seat="north"))
    revised = match.in_force[0]
    assert (revised.revision, revised.decided_by, revised.review) == (1, "table", True)
    shown = view.ruling(revised)
    assert shown["spoken"] == {
        "en": "Ruled as the cards were taken: North. Is that right?",
        "de": "Gewertet, wie die Karten genommen wurden: Nord. Stimmt das?",
        "es": "Decidido según quién recogió las cartas: Norte. ¿Es correcto?",
    }
    assert all("?" in shown["asks"][language][-1] for language in LANGUAGES)
    before = view.ruling(match.rulings[0])
    assert before["spoken"]["en"].startswith("I cannot tell")


def test_cards_that_somebody_else_took_are_told_of_and_the_clear_ruling_is_not_said_to_be_unknown():
    match = ended(*ROUND[:2], call("south", Type.PAPER, 2.8), CardsGone(time_s=4.5, cards=(1, 2), to_seat="north"))
    revised = match.in_force[0]
    assert (revised.revision, revised.outcome, revised.review) == (1, "won", True)
    assert view.ruling(revised)["spoken"] == {
        "en": "North took cards that the ruling did not give. Is the ruling right?",
        "de": "Nord nahm Karten, die der Entscheid nicht zusprach. Stimmt er so?",
        "es": "Norte recogió cartas que la decisión no daba. ¿Es correcta?",
    }


@pytest.fixture
def killed(tmp_path):
    """The record of a game that was killed when one card of the second round had been recorded."""
    path = tmp_path / "a.record.jsonl"
    events = [*ROUND, CardsGone(time_s=4.5, cards=(1, 2), to_seat="south"), card(3, "north", Type.PAPER, 8.0)]
    match = SharedMatch(game="rock", seats=("north", "south"))
    with RecordWriter(path, Header(game="rock", seats=("north", "south"))) as record:
        for event in events:
            record.event(event)
            for ruling in match.feed(event):
                record.ruling(ruling)
    return path


def test_a_killed_game_goes_on_where_its_record_ends(killed):
    found = resuming.of_record(killed)
    assert (found.last_s, found.first_card, found.from_s) == (8.0, 3, 6.5)
    assert [r.outcome for r in found.match.in_force] == ["won"]


def test_what_is_seen_again_keeps_its_number_and_what_is_new_gets_one(killed):
    found = resuming.of_record(killed)
    assert found.seen(card(1, "north", Type.PAPER, 8.02)) is None
    new = found.seen(card(2, "south", Type.ROCK, 8.3))
    assert new.card == 5
    assert found.seen(CardsGone(time_s=12.0, cards=(1, 2), to_seat="north")).cards == (3, 5)
    assert found.seen(SeenTo(time_s=7.0)).time_s == 8.0
    assert found.heard(call("south", Type.PAPER, 7.0)) is None
    assert found.heard(call("south", Type.PAPER, 9.0)) is not None


def test_a_card_that_comes_too_late_for_its_time_says_so_in_its_error(killed):
    late = resuming.of_record(killed).seen(card(2, "south", Type.ROCK, 7.2))
    assert late.time_s == 8.0
    assert late.sigma_ms > 800


def test_a_finished_game_or_one_without_players_does_not_go_on(tmp_path, killed):
    assert isinstance(resuming.of_record(killed), Resumed)
    with RecordWriter(killed) as record:
        record.result({"piles": {}})
    assert resuming.of_record(killed) is None
    path = tmp_path / "empty.record.jsonl"
    RecordWriter(path, Header(game="rock")).close()
    assert resuming.of_record(path) is None
    assert resuming.of_record(tmp_path / "nothing") is None


def test_undo_counts_only_what_holds():
    match = table(*ROUND, Moment(time_s=9.0))
    match.feed(Correction(time_s=9.0, kind="caller", call=1, seat="north"))
    undo = challenge.undo(match, 9.5)
    assert undo.target == 1


def test_a_correction_in_mid_game_is_replayed_to_the_same_lines(tmp_path):
    from referee.record import read_record
    from referee.replay import replay

    path, match = tmp_path / "a.record.jsonl", SharedMatch(game="rock", seats=("north", "south"))
    said = Correction(time_s=5.0, kind="not_a_call", call=1)
    later = [card(3, "north", Type.PAPER, 8.0), card(4, "south", Type.ROCK, 8.1), call("north", Type.PAPER, 8.9)]
    live = [
        *ROUND,
        SeenTo(time_s=4.9),
        Moment(time_s=5.0),
        said,
        SeenTo(time_s=5.2),
        *later,
        SeenTo(time_s=11.0),
        RecordingEnded(time_s=12.0),
    ]
    with RecordWriter(path, Header(game="rock", seats=("north", "south"))) as record:
        for event in live:
            record.event(event)
            for ruling in match.feed(event):
                record.ruling(ruling)
    again = replay(read_record(path))
    assert [(r.round, r.revision, r.outcome) for r in match.rulings] == [
        (1, 0, "won"),
        (1, 1, "penalty"),
        (2, 0, "won"),
    ]
    assert again.identical
