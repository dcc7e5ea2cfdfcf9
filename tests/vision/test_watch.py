"""The watcher on drawn tables (its logic) and on staged recordings (with the real finder)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scenes import DrawnCard, DrawnHand, find, frames

from referee.errors import DamagedError
from referee.events import CardsGone, CardShown, CardTouched, SeenTo, TableNotice, Type
from vision import watch

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "fixtures" / "games"
SHARED = ROOT / "../shared/games"


def events(seen, kind):
    return [k for k in seen if isinstance(k, kind)]


def north(**more):
    card = DrawnCard(at=(480, 190), start=(480, 60), turn_s=1.0, land_s=1.4, **more)
    return card, DrawnHand(0.7, 1.7, (480, 0), (480, 110))


def test_a_card_is_shown_once_with_its_reveal_and_its_seat():
    card, hand = north()
    shown = events(watch(frames(2.6, [card, hand]), find, seats=("north", "south")), CardShown)
    assert len(shown) == 1
    assert shown[0].seat == "north"
    assert shown[0].type is Type.ROCK
    assert abs(shown[0].time_s - card.reveal_s()) < 0.067
    assert np.abs(np.mean(shown[0].corners, axis=0) - card.at).max() < 3


def test_no_event_breaks_the_promise_and_promises_keep_up():
    card, hand = north()
    promised = -1e9
    for event in watch(frames(3.0, [card, hand]), find):
        if isinstance(event, SeenTo):
            assert event.time_s >= promised
            promised = event.time_s
        else:
            assert event.time_s >= promised
    assert promised > 2.8


def test_a_hand_that_covers_a_card_and_leaves_brings_no_new_card():
    card, hand = north()
    visit = DrawnHand(2.4, 3.2, (480, 0), (480, 200))
    seen = list(watch(frames(4.2, [card, hand, visit]), find))
    assert len(events(seen, CardShown)) == 1
    assert not events(seen, CardsGone)


def test_a_card_of_the_same_type_on_a_pile_is_a_new_card():
    card, hand = north()
    second = DrawnCard(at=(500, 165), start=(480, 60), turn_s=3.0, land_s=3.4)
    shown = events(watch(frames(5, [card, hand, second, DrawnHand(2.7, 3.7, (480, 0), (480, 110))]), find), CardShown)
    # The drawn finder sees both cards as one quad; what it cannot make out is shown all the same.
    assert len(shown) == 2
    assert shown[1].time_s > 2.5


def test_cards_swept_to_a_side_are_gone_to_that_seat():
    card, hand = north(gone_s=2.9)
    sweep = DrawnHand(2.4, 3.4, (480, 539), (480, 170))
    gone = events(watch(frames(4.5, [card, hand, sweep]), find, seats=("north", "south")), CardsGone)
    assert [k.cards for k in gone] == [(1,)]
    assert gone[0].to_seat == "south"
    assert 2.4 <= gone[0].time_s <= 3.1


def test_who_plays_takes_cards_whatever_edge_an_arm_comes_from():
    card, hand = north(gone_s=3.9)
    other = DrawnCard(at=(480, 350), start=(480, 500), turn_s=1.6, land_s=2.0)
    brings = DrawnHand(1.4, 2.3, (480, 540), (480, 430))
    sweep = DrawnHand(3.4, 4.2, (960, 60), (480, 190))
    drawn = [card, hand, other, brings, sweep]
    shown = list(watch(frames(5.2, drawn), find))
    assert {k.seat for k in events(shown, CardShown)} == {"north", "south"}
    assert [k.cards for k in events(shown, CardsGone)] == [(1,)]
    assert events(shown, CardsGone)[0].to_seat in ("north", "south", None)


def test_a_card_that_moves_with_a_hand_that_never_covers_it_is_gone_to_that_seat():
    card, hand = north(leaves_s=3.1, to=(480, 340), gone_s=3.3)
    ahead = DrawnHand(2.4, 3.4, (480, 539), (480, 330))
    gone = events(watch(frames(4.5, [card, hand, ahead]), find), CardsGone)
    assert [k.to_seat for k in gone] == ["south"]


def test_a_card_that_moves_without_a_hand_is_taken_by_nobody():
    card, hand = north(leaves_s=3.1, to=(480, 340), gone_s=3.3)
    gone = events(watch(frames(4.5, [card, hand]), find), CardsGone)
    assert [k.to_seat for k in gone] == [None]


def test_a_card_that_has_just_stopped_is_foreseen_and_nothing_else_changes():
    card, hand = north()
    second = DrawnCard(at=(300, 330), start=(300, 520), turn_s=3.0, land_s=3.4)
    scene = [card, hand, second, DrawnHand(2.7, 3.7, (300, 539), (300, 400))]
    noticed, at = [], [0.0]

    def timed():
        for frame in frames(5, scene):
            at[0] = frame.time_s
            yield frame

    told = [(at[0], k) for k in watch(timed(), find, noticed=lambda cards: noticed.append((at[0], len(cards))))]
    assert [k for _, k in told] == list(watch(frames(5, scene), find))
    read_s = [at_s for at_s, k in told if isinstance(k, CardShown)]
    foreseen_s = [at_s for at_s, count in noticed if count and at_s > read_s[0] + 0.2]
    assert foreseen_s[0] <= read_s[1] - 0.15


def test_an_empty_table_says_nothing():
    assert not [k for k in watch(frames(1.5, []), find) if not isinstance(k, SeenTo)]


def test_a_pushed_camera_is_noticed_and_the_cards_stay_known():
    card, hand = north()
    seen = list(watch(frames(4.5, [card, hand], shift=lambda t: (0, 0) if t < 2.5 else (14, -9)), find))
    assert [k.code for k in events(seen, TableNotice)] == ["moved"]
    assert len(events(seen, CardShown)) == 1
    assert not events(seen, CardsGone)


def test_a_dark_table_is_said_once():
    seen = watch(frames(1.5, [], background=np.full((540, 960, 3), 12, np.uint8)), find)
    assert [k.code for k in events(seen, TableNotice)] == ["dark"]


def test_what_was_seen_before_damage_is_told():
    card, hand = north()

    def damaged():
        yield from frames(2.4, [card, hand])
        raise DamagedError("cut", at_s=2.4)

    seen = []

    def drain():
        for event in watch(damaged(), find):
            seen.append(event)  # noqa: PERF402  a list made at once would be lost with the error

    with pytest.raises(DamagedError):
        drain()
    assert len(events(seen, CardShown)) == 1
    assert isinstance(seen[-1], SeenTo)


def test_watching_twice_gives_the_same():
    card, hand = north()
    once, again = (list(watch(frames(2.4, [card, hand]), find)) for _ in range(2))
    assert once == again


def test_a_finger_that_stops_on_a_card_is_a_touch_and_the_hand_that_laid_it_is_not():
    card, hand = north()
    finger = DrawnHand(2.5, 3.5, (480, 539), (480, 190))
    touched = events(watch(frames(4, [card, hand, finger]), find, seats=("north", "south"), touch=True), CardTouched)
    assert [(k.card, k.seat) for k in touched] == [(1, "south")]
    assert 2.5 < touched[0].time_s < 2.85
    assert 0.5 < touched[0].confidence < 0.95


@dataclass
class Flash:
    """The light around the card is warmer for a while."""

    begin_s: float
    end_s: float

    def draw(self, picture, time_s):
        if self.begin_s < time_s < self.end_s:
            picture[100:280, 380:580] = (picture[100:280, 380:580] * [0.7, 0.85, 1.0]).astype(np.uint8)


def test_light_that_changes_on_a_card_is_no_touch():
    card, hand = north()
    seen = list(watch(frames(4, [card, hand, Flash(2.5, 3.0)]), find, seats=("north", "south"), touch=True))
    assert events(seen, CardTouched) == []


def test_the_hand_that_lays_a_card_on_another_touches_none():
    card, hand = north()
    over = DrawnCard(at=(485, 185), start=(485, 500), turn_s=2.3, land_s=2.6, mark=Type.SCISSORS)
    laying = DrawnHand(2.3, 3.2, (485, 539), (485, 215))
    seen = list(watch(frames(4.5, [card, hand, over, laying]), find, seats=("north", "south"), touch=True))
    assert len(events(seen, CardShown)) == 2
    assert events(seen, CardTouched) == []


def staged(path, until_s, deck):
    from vision.decks import load_deck
    from vision.decode import frames as decoded

    def cut():
        for frame in decoded(path):
            if frame.time_s > until_s:
                return
            yield frame

    truth = [json.loads(k) for k in path.with_suffix("").with_suffix(".truth.jsonl").read_text().splitlines()]
    rounds = [k for k in truth if k["type"] == "ruling" and k["end_s"] < until_s]
    return rounds, list(watch(cut(), load_deck(deck), seats=tuple(truth[0]["seats"])))


CASES = [
    pytest.param(GAMES / "two-friends.mp4", 9.5, "printed", id="two-friends"),
    pytest.param(SHARED / "stube-2p.mp4", 14.9, "poker", id="stube"),
]


@pytest.mark.parametrize(("path", "until_s", "deck"), CASES)
def test_a_staged_game_is_seen_as_it_was_played(path, until_s, deck):
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    rounds, seen = staged(path, until_s, deck)
    assert rounds
    shown = events(seen, CardShown)
    for one in rounds:
        for seat, kind in one["cards"].items():
            near = [k for k in shown if k.seat == seat and abs(k.time_s - one["reveal_s"][seat]) < 0.2]
            assert [k.type for k in near] == [kind], (one["round"], seat)
            # Within two frames, or within what it says of itself when a hand hid the flight.
            assert abs(near[0].time_s - one["reveal_s"][seat]) < max(0.07, 2e-3 * near[0].sigma_ms)
        for seat in one["sweep_s"]:
            assert any(k.to_seat == seat and one["start_s"] < k.time_s < one["end_s"] for k in events(seen, CardsGone))
