"""One table: takes a camera's session, has its games judged one after the other, and tells screens what changed.

The network's side calls `greet`, `take`, `say` and `state`; games are judged in threads of their own (`game.py`). Only
plain values pass between, under one lock.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.events import SEATS
from referee.live import resuming, states
from referee.live.evidence import Evidence
from referee.live.game import Game, Told
from referee.live.pace import Pace
from referee.live.players import Player, Players
from referee.live.practice import Practice
from referee.live.shown import Shown
from referee.live.soundcheck import SoundCheck

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.events import Event, Seat
    from referee.judge import Request
    from referee.live import wire
    from referee.live.naming import Names
    from referee.live.resuming import Resumed
    from referee.live.session import Session
    from referee.live.tournament import Tournament


class Table:
    """A table that people play at."""

    def __init__(
        self, name: str, request: Request, names: Names, changed: Callable[[], None], *, ranked: bool = False
    ) -> None:
        """Set up an empty table.

        Args:
            name: in addresses and file names.
            request: game, house rules, languages; the recording is named anew for every game.
            names: gives the files of the next game.
            changed: is called from any thread whenever `state` would give something new.
            ranked: whether games are ranked: then sound that a browser alters is refused.
        """
        self.name, self.request, self._names, self._changed = name, request, names, changed
        self.ranked = ranked
        self.tournament: Tournament | None = None
        """Which players meet here, and what is told of each game's end."""
        self.phase = "waiting"
        """`waiting` for a camera, `playing`, `paused` or `ended`."""
        self.game: Game | None = None
        """The last game, over or not."""
        self.shown, self.evidence, self.check = Shown(), Evidence(), SoundCheck()
        """What of it is shown."""
        self.connected = False
        self.version = 0
        self.ruled = 0
        """Grows with every ruling, revisions too."""
        self.pace = Pace()
        self.challenge: dict[str, Any] | None = None
        """The round that people look at again, and what they may say of it."""
        self.again = 0
        """How often a new game was asked for: the camera page begins one when this has grown and the game has ended."""
        self.players = Players()
        self._lock = threading.Lock()

    @property
    def session(self) -> Session | None:
        """The camera's stream of the last game."""
        return self.game.session if self.game is not None else None

    # From the network

    def refuses(self, altered: tuple[str, ...], *, friendly: bool = False) -> bool:
        """Whether a phone may not take part because its browser alters the sound, and the game is ranked."""
        playing = self.session.greeting if self.session is not None and self.phase in ("playing", "paused") else None
        return (
            self.ranked and bool(altered) and not friendly and not (playing is not None and self.is_friendly(playing))
        )

    def is_friendly(self, greeting: wire.Greeting) -> bool:
        """Whether a game that begins so is not ranked, wherever it is played."""
        return greeting.friendly or bool(greeting.altered)

    def greet(self, greeting: wire.Greeting) -> int:
        """A camera begins, or comes back after its connection was lost.

        Returns:
            The sequence number of the message that is expected next.
        """
        if self.session is not None and self.session.greeting.session == greeting.session and self.phase != "ended":
            self.connected = True
            self.tell()
            return self.session.expected
        self.finish()
        unfinished = self._names.unfinished(greeting.session)
        resumed = resuming.of_record(unfinished) if unfinished else None
        return self._start(greeting, resumed)

    def take(self, message: wire.Message) -> None:
        """One message of the camera, in the order of its sequence."""
        session = self.session
        if session is None or self.phase == "ended":
            return
        session.take(message)
        if self.pace.saw(session.waiting_s):
            self.tell()

    def lost(self) -> None:
        """The camera's connection is gone; the game waits for it."""
        self.connected = False
        self.tell()

    def say(self, event: Event) -> None:
        """People at the table say something: a correction, a new deal."""
        if self.game is not None:
            self.game.say(event)

    def pause(self, *, paused: bool) -> str:
        """Nothing is refereed while the table is paused: the camera page stops sending. Gives why not, if not."""
        if self.phase not in ("playing", "paused"):
            return "refused.now"
        self.phase = "paused" if paused else "playing"
        self.tell()
        return ""

    def new_game(self) -> str:
        """End this game and have the camera begin the next.

        That another game is wanted is known before this one has ended: a camera that was told of the end alone would
        let go of its devices.
        """
        self.again += 1
        self.finish()
        return ""

    def voice(self, seat: Seat) -> str:
        """From now on this player alone says the three words (empty: anybody speaks again). Gives why not, if not."""
        game = self.game
        if game is None or self.phase != "playing" or (seat and not game.learns) or seat not in ("", *SEATS):
            return "refused.now"
        game.judging.voicing.turn(seat, game.session.newest_s)
        self.tell()
        return ""

    def forget_voices(self) -> str:
        """What was learnt of voices in this game is deleted. Gives why not, if not."""
        if self.game is None or not self.learnt:
            return "refused.now"
        self.game.judging.voicing.forget()
        self.tell()
        return ""

    @property
    def learnt(self) -> bool:
        """Whether voices were learnt in the game that is open."""
        return self.game is not None and self.phase in ("playing", "paused") and self.game.learnt

    def spoke(self, seconds: float) -> None:
        """The referee's own voice is about to sound for so long: what is heard meanwhile is no call."""
        if self.game is not None:
            self.game.spoke(seconds)

    def finish(self, patience_s: float = 600.0) -> None:
        """End the game: what has come is judged, for so long at the most; the record gets its result in any case."""
        if self.game is not None:
            self.game.finish(patience_s)
        self.phase = "ended" if self.game is not None else "waiting"
        self.tell()

    def join(self, hello: wire.Hello) -> Player | None:
        """A player's phone comes; None if another one sits there."""
        player = self.players.join(hello.seat, hello)
        self.tell()
        return player

    def left(self, player: Player) -> None:
        """A player's phone is gone, for now; the ear goes on with what is left."""
        player.connected = False
        self.tell()

    def practice(self, hello: wire.Hello, told: Callable[[dict[str, Any]], None]) -> Practice:
        """Somebody practises with the languages of this table.

        Raises:
            RefereeError: the model cannot be opened.
        """
        import models  # noqa: PLC0415  loads the recogniser

        model = models.open_call_model(self.request.spoken, self.request.model)
        return Practice(model, hello, told, self._names.folder / "practice.jsonl")

    # Games

    def _start(self, greeting: wire.Greeting, resumed: Resumed | None) -> int:
        """Begin a game, or go on with one; gives the sequence number of the first message that is needed."""
        if resumed is None:
            record_path, media_path = self._names.next_game()
            request = replace(self.request, recording=media_path)
        else:
            record_path, media_path = resumed.record, self._names.next_part(resumed.record)
            request = replace(self.request, recording=media_path, seats=resumed.match.seats, players=None)
        game = Game(
            request,
            greeting,
            Told(self.tell, self._has_ruled, self._over),
            ranked=self.ranked,
            names=self.named,
            players=self.players,
            resumed=resumed,
        )
        self.game, self.shown, self.evidence, self.check = game, game.shown, game.evidence, game.check
        self.challenge = None
        self.ruled += 1
        self.phase, self.connected = "playing", True
        game.start(record_path, self.name)
        if resumed is None:
            return 0
        early_enough = [sequence for sequence, ms in greeting.marks if ms <= 1000 * resumed.from_s]
        first = early_enough[-1] if early_enough else min((s for s, _ in greeting.marks), default=0)
        game.session.expected = first
        return first

    def _has_ruled(self) -> None:
        self.ruled += 1

    def _over(self, game: Game) -> None:
        """The game has ended; the tournament is told how."""
        self.phase = "ended"
        match = game.match
        if self.tournament is not None and match is not None:
            review = bool(game.shown.trouble) or any(one.review for one in match.in_force)
            self.tournament.ended(self.name, match.result(), review=review)

    @property
    def full(self) -> bool:
        """Whether the camera must hold back what it has."""
        return self.session is not None and self.session.full and self.phase != "ended"

    # For screens

    @property
    def named(self) -> dict[Seat, str]:
        """Who sits where, in a tournament."""
        pairing = self.tournament.at(self.name) if self.tournament is not None else None
        return pairing.seats if pairing is not None else {}

    def beat(self, *, always: bool = False) -> None:
        """Loudness and delay may have changed."""
        if (
            always
            or (self.connected and self.phase == "playing")
            or any(p.connected for p in self.players.by_seat.values())
        ):
            self.tell()

    def tell(self) -> None:
        """What screens show has changed."""
        with self._lock:
            self.version += 1
        self._changed()

    def state(self) -> dict[str, Any]:
        """Everything that a screen shows, JSON-ready."""
        return states.state(self)

    def summary(self) -> dict[str, Any]:
        """One line of an overview of all tables."""
        return states.summary(self)

    def history(self) -> list[dict[str, Any]]:
        """The rulings in force, oldest first."""
        rounds: list[dict[str, Any]] = self.shown.game["history"]
        return rounds

    @property
    def written(self) -> bool:
        """Whether every ruling is on the disk."""
        return self.game is None or self.game.written

    def voicing(self) -> dict[str, Any] | None:
        """Voices that are being learnt; None where that is of no use or too late."""
        return self.game.judging.voicing.state() if self.game is not None and self.game.learns else None
