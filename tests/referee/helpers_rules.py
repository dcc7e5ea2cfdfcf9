"""What the tests of rules share: short ways to write cards, calls and whole matches."""

from __future__ import annotations

from referee.events import CallHeard, CardsGone, CardShown, CardTouched, RecordingEnded, Type
from referee.match import Match

R, P, S = Type.ROCK, Type.PAPER, Type.SCISSORS
LETTERS = {"R": R, "P": P, "S": S, "-": None, "?": None}
SEATS = {2: ("north", "south"), 3: ("north", "east", "south"), 4: ("north", "east", "south", "west")}


class Table:
    """Writes events as people play, with a running clock and running card numbers."""

    def __init__(self, players=2, game="rock", seats=None, **more):
        self.seats = seats or SEATS[players]
        self.match = Match(game=game, seats=self.seats, **more)
        self.events = []
        self.now = 0.0
        self.card = 0
        self.last = {}

    def cards(self, letters, at=None, spread=0.0, **more):
        """One card a seat, in the order of the seats; `.` for a seat that shows none, `?` for a face unread."""
        self.now = self.now + 5.0 if at is None else at
        self.last = {}
        for index, (seat, letter) in enumerate(zip(self.seats, letters, strict=False)):
            if letter != ".":
                self.show(seat, letter, at=self.now + index * spread, **more)
        return self

    def show(self, seat, letter, at=None, **more):
        self.card += 1
        self.now = self.now if at is None else at
        self.last[seat] = self.card
        kind = LETTERS[letter]
        self.events.append(CardShown(time_s=self.now, seat=seat, card=self.card, type=kind, **more))
        return self

    def call(self, seat, letter, after=0.8, **more):
        at = max((e.time_s for e in self.events if isinstance(e, CardShown)), default=0) + after
        given = {
            "sigma_ms": 6.0,
            "end_s": at + 0.4,
            "type": LETTERS[letter],
            "word": str(LETTERS[letter]),
            "probability": 0.99,
            "seats": {seat: 1.0} if seat else {},
        }
        self.events.append(CallHeard(time_s=at, **(given | more)))
        return self

    def touch(self, seat, card, after=0.8, **more):
        at = max(e.time_s for e in self.events if isinstance(e, CardShown)) + after
        self.events.append(CardTouched(time_s=at, seat=seat, card=card, **more))
        return self

    def gone(self, to_seat, cards=None, after=2.5):
        at = max(e.time_s for e in self.events if isinstance(e, CardShown)) + after
        ids = tuple(self.last.values()) if cards is None else tuple(cards)
        self.events.append(CardsGone(time_s=at, cards=ids, to_seat=to_seat))
        return self

    def add(self, *events):
        self.events += events
        return self

    def end(self, after=5.0):
        last = max((e.time_s for e in self.events), default=0)
        self.events.append(RecordingEnded(time_s=last + after))
        return self

    def judge(self, end=True):
        """The rulings in force, after feeding everything in time order."""
        if end and not any(isinstance(e, RecordingEnded) for e in self.events):
            self.end()
        self.events.sort(key=lambda e: e.time_s)
        self.match.feed_all(self.events)
        for ruling in self.match.rulings:
            ruling.to_json()  # every sentence can be said
        return self.match.in_force

    def only(self):
        """The only ruling."""
        (ruling,) = self.judge()
        return ruling


def codes(messages):
    return [message.code.split(".", 1)[1] for message in messages]
