"""`referee bench rules`: a tournament of simulated games of every rule set. Do they end, are cards conserved, how fast?

Events are drawn at random as people play: mostly right calls, some wrong, early, doubled, late and tied ones, now and
then an unread card. Processor time is measured around `Match.feed` alone, so drawing the events does not count; another
figure includes writing the ruling lines with their sentences.
"""

from __future__ import annotations

import platform
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.bench import BenchResult
from referee.events import SEATS, CallHeard, CardsGone, CardShown, CardTouched, DieShown, Event, RecordingEnded, Type
from referee.match import Match
from referee.record import dump

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from referee.events import Seat

GAMES = 10_000
TYPES = tuple(Type)
RULE_SETS: tuple[tuple[str, int], ...] = (
    ("rock", 2),
    ("rock", 3),
    ("rock", 4),
    ("tournament", 2),
    ("tournament", 3),
    ("tournament", 4),
    ("de", 2),
    ("es", 2),
    ("hands", 2),
    ("rorschach", 4),
)


@dataclass(slots=True)
class _Tally:
    """What was counted over all games of one rule set."""

    games: int = 0
    rulings: int = 0
    reviews: int = 0
    feed_s: float = 0.0
    write_s: float = 0.0
    unfinished: int = 0
    broken: int = 0
    """Games in which a card was made or lost."""


def run(*, data: Path | None = None, count: int | None = None, seed: int = 0) -> BenchResult:
    """Play `count` games (10,000 unless told), spread over all rule sets."""
    del data
    games = count or GAMES
    rng = random.Random(seed)
    tallies = {rule_set: _Tally() for rule_set in RULE_SETS}
    for number in range(games):
        rule_set = RULE_SETS[number % len(RULE_SETS)]
        _play(*rule_set, rng, tallies[rule_set])
    return _result(games, tallies)


def _play(game: str, players: int, rng: random.Random, tally: _Tally) -> None:
    seats = SEATS[:players] if players != 2 else ("north", "south")
    events = list(_SIMULATORS.get(game, _rock)(game, seats, rng))
    match = Match(game=game, seats=seats)
    start_s = time.process_time()
    rulings = match.feed_all(events)
    fed_s = time.process_time()
    for ruling in rulings:
        dump(ruling.to_json())
    tally.write_s += time.process_time() - fed_s
    tally.feed_s += fed_s - start_s
    tally.games += 1
    tally.rulings += len(rulings)
    tally.reviews += sum(ruling.review for ruling in rulings)
    tally.unfinished += not match.result()["finished"]
    tally.broken += not conserved(match)


def conserved(match: Match) -> bool:
    """Whether every card that was dealt is where the result says: draw piles, piles, centre, held, set aside."""
    result = match.result()
    if match.game == "rorschach":
        return all(count <= len(match.seats) for count in result["piles"].values())
    if match.game == "hands":
        mine = match.options.hand_cards // 2
        places = ((result["piles"][s], result["discarded"][s], result["in_hand"][s]) for s in match.seats)
        return all(sum(place) == mine for place in places)
    lying = sum(result["piles"].values()) + sum(result["draw"].values())
    return bool(lying + result["pot"] + result["held"] + result["aside"] - result["surplus"] == match.options.cards)


def _rock(game: str, seats: tuple[Seat, ...], rng: random.Random) -> Iterator[Event]:
    deck = [kind for kind in TYPES for _ in range(20)]
    rng.shuffle(deck)
    now_s, card = 1.0, 0
    for index in range(len(deck) // len(seats)):
        shown = deck[index * len(seats) : (index + 1) * len(seats)]
        round_events, card, now_s = _rock_round(game, seats, shown, card=card, now_s=now_s, rng=rng)
        yield from round_events
    yield RecordingEnded(time_s=now_s + 5)


def _rock_round(
    game: str, seats: tuple[Seat, ...], shown: list[Type], *, card: int, now_s: float, rng: random.Random
) -> tuple[list[Event], int, float]:
    events: list[Event] = []
    ids = {}
    for seat, kind in zip(seats, shown, strict=True):
        card += 1
        ids[seat] = card
        unread = rng.random() < 0.01
        events.append(CardShown(time_s=now_s + 0.3 * rng.random(), seat=seat, card=card, type=None if unread else kind))
    claim = _touch if game == "tournament" else _call
    early = rng.random() < 0.02
    at_s = now_s + (0.05 if early else 0.7 + 0.8 * rng.random())
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3))):
        events.append(claim(at_s, seats, shown, ids, rng))
        at_s += rng.choice((0.0, 0.004, 0.02, 0.06, 0.15, 0.5))
    if rng.random() < 0.7:
        events.append(CardsGone(time_s=at_s + 1.5, cards=tuple(ids.values()), to_seat=rng.choice(seats)))
    return sorted(events, key=lambda event: event.time_s), card, now_s + 4.0 + rng.random()


def _call(
    at_s: float, seats: tuple[Seat, ...], shown: list[Type], ids: dict[Seat, int], rng: random.Random
) -> CallHeard:
    del ids, shown
    seat = rng.choice(seats)
    heard = {seat: 1.0} if rng.random() < 0.95 else {s: 1 / len(seats) for s in seats}
    kind = rng.choice((*TYPES, *TYPES, None))
    return CallHeard(
        time_s=at_s, sigma_ms=6.0, end_s=at_s + 0.4, type=kind, word=kind or "rocket", probability=0.97, seats=heard
    )


def _touch(
    at_s: float, seats: tuple[Seat, ...], shown: list[Type], ids: dict[Seat, int], rng: random.Random
) -> CardTouched:
    del shown
    return CardTouched(time_s=at_s, seat=rng.choice(seats), card=rng.choice(tuple(ids.values())), confidence=0.97)


def _hands(game: str, seats: tuple[Seat, ...], rng: random.Random) -> Iterator[Event]:
    """Both players play honestly from shuffled decks of 24 until one cannot draw."""
    del game
    decks = {seat: rng.sample([kind for kind in TYPES for _ in range(8)], 24) for seat in seats}
    hands = {seat: [decks[seat].pop() for _ in range(3)] for seat in seats}
    now_s, card = 1.0, 0
    while True:
        played: dict[Seat, list[Type]] = {seat: [] for seat in seats}
        while len(played[seats[0]]) < 3 and (not played[seats[0]] or played[seats[0]][-1] is played[seats[1]][-1]):
            for seat in seats:
                card += 1
                played[seat].append(hands[seat].pop(rng.randrange(len(hands[seat]))))
                yield CardShown(time_s=now_s, seat=seat, card=card, type=played[seat][-1])
                now_s += 0.1
            now_s += 3.0
        one, other = (played[seat][-1] for seat in seats)
        losers = seats if one is other else (seats[1],) if _wins(one, other) else (seats[0],)
        if any(len(decks[seat]) < 3 for seat in losers):
            break
        for seat in seats:
            hands[seat] = [decks[seat].pop() for _ in range(3)] if seat in losers else hands[seat] + played[seat]
    yield RecordingEnded(time_s=now_s)


def _wins(one: Type, other: Type) -> bool:
    return (one, other) in ((Type.ROCK, Type.SCISSORS), (Type.PAPER, Type.ROCK), (Type.SCISSORS, Type.PAPER))


def _rorschach(game: str, seats: tuple[Seat, ...], rng: random.Random) -> Iterator[Event]:
    """Random answers until somebody holds every colour."""
    del game
    held: dict[Seat, set[Seat]] = {seat: set() for seat in seats}
    now_s = 0.0
    while not any(len(own) == len(seats) for own in held.values()):
        now_s += 5.0
        answers = {seat: rng.randint(1, len(seats) - 1) for seat in seats}
        for seat, answer in answers.items():
            yield DieShown(time_s=now_s, seat=seat, value=answer)
            same = [other for other in seats if answers[other] == answer]
            held[seat] |= set(same) - {seat} if len(same) > 1 else {seat}
    yield RecordingEnded(time_s=now_s + 5)


_SIMULATORS: dict[str, Callable[[str, tuple[Seat, ...], random.Random], Iterator[Event]]] = {
    "hands": _hands,
    "rorschach": _rorschach,
}


def _result(games: int, tallies: dict[tuple[str, int], _Tally]) -> BenchResult:
    table = [
        ["game", "players", "games", "rulings", "in review", "unfinished", "cards lost", "rulings/s", "with lines/s"]
    ]
    for (game, players), tally in tallies.items():
        rates = (_rate(tally.rulings, tally.feed_s), _rate(tally.rulings, tally.feed_s + tally.write_s))
        counts = (tally.games, tally.rulings, tally.reviews, tally.unfinished, tally.broken)
        table.append([game, str(players), *map(str, counts), *(f"{rate:.0f}" for rate in rates)])
    rulings = sum(tally.rulings for tally in tallies.values())
    feed_s = sum(tally.feed_s for tally in tallies.values())
    write_s = sum(tally.write_s for tally in tallies.values())
    figures = {
        "games": games,
        "rulings": rulings,
        "unfinished": sum(tally.unfinished for tally in tallies.values()),
        "cards_made_or_lost": sum(tally.broken for tally in tallies.values()),
        "rulings_per_s": round(_rate(rulings, feed_s)),
        "rulings_per_s_with_lines": round(_rate(rulings, feed_s + write_s)),
    }
    notes = [f"Python {platform.python_version()}, one core; simulated events, no recordings"]
    return BenchResult("rules", "staged", games, figures, table, notes)


def _rate(count: int, seconds: float) -> float:
    return count / seconds if seconds else 0.0
