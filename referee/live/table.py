"""One table: takes a camera's session, runs its judging in threads of its own, and tells screens what changed.

The network's side calls `greet`, `take`, `say` and `state`; everything else happens in the judging's threads. Only
plain values pass between, under one lock.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.errors import RefereeError
from referee.events import SEATS, CallHeard, Event, Moment, SeenTo
from referee.judge import LISTENS, judge
from referee.live import challenge, learnt, outlook, resuming, states, view, wire
from referee.live.evidence import Evidence
from referee.live.joining import PlayersSound
from referee.live.judging import Inlet, LiveJudging, PatientRecord, Taps
from referee.live.pace import Pace
from referee.live.players import Player, Players
from referee.live.practice import Practice
from referee.live.session import Session
from referee.live.shown import Shown
from referee.live.soundcheck import SoundCheck
from referee.pipeline import Seated
from referee.ruling import Ruling

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.events import Seat
    from referee.judge import Request
    from referee.live.naming import Names
    from referee.live.resuming import Resumed
    from referee.live.tournament import Tournament

NOTHING = "nothing"
"""The trouble of a game that ended before anybody showed a card."""


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
        self.check = SoundCheck()
        self.tournament: Tournament | None = None
        """Which players meet here, and what is told of each game's end."""
        self.phase = "waiting"
        """`waiting` for a camera, `playing`, `paused` or `ended`."""
        self.session: Session | None = None
        self.connected = False
        self.version = 0
        self.ruled = 0
        """Grows with every ruling, revisions too."""
        self.evidence = Evidence()
        self.pace = Pace()
        self.shown = Shown()
        self.challenge: dict[str, Any] | None = None
        self.again = 0
        """How often a new game was asked for: the camera page begins one when this has grown and the game has ended."""
        self.players = Players()
        self._lock = threading.Lock()
        self._judging: LiveJudging | None = None
        self._outlook = outlook.Outlook()
        self._thread: threading.Thread | None = None
        self._record: PatientRecord | None = None
        self._turn = threading.Lock()

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
            self._tell()
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
            self._tell()

    def lost(self) -> None:
        """The camera's connection is gone; the game waits for it."""
        self.connected = False
        self._tell()

    def say(self, event: Event) -> None:
        """People at the table say something: a correction, a new deal."""
        if self.session is not None:
            self.session.inlet.said.put(Moment(time_s=event.time_s))
            self.session.inlet.said.put(event)

    def pause(self, *, paused: bool) -> str:
        """Nothing is refereed while the table is paused: the camera page stops sending. Gives why not, if not."""
        if self.phase not in ("playing", "paused"):
            return "refused.now"
        self.phase = "paused" if paused else "playing"
        self._tell()
        return ""

    def new_game(self) -> str:
        """End this game and have the camera begin the next.

        That another game is wanted is known before this one has ended: a camera that was told of the end alone would
        let go of its devices.
        """
        self.again += 1
        self.finish()
        return ""

    def challenged(self, number: int | None) -> str:
        """Show the photo finish of a round (the last one by default) and what people may say instead."""
        match = self._judging.live if self._judging else None
        found = challenge.of_round(match, number)
        if found is None:
            return "refused.no_ruling"
        self.challenge = found
        self._tell()
        return ""

    def challenge_over(self) -> str:
        """The ruling stands."""
        self.challenge = None
        self._tell()
        return ""

    def answered(self, choice: int) -> str:
        """People have said what happened: the choice of that number becomes a correction."""
        match = self._judging.live if self._judging else None
        if self.challenge is None or match is None or self.session is None or self.phase == "ended":
            return "refused.now"
        said = challenge.correction(self.challenge, choice, self.session.said_s)
        if said is None:
            return "refused.now"
        self.challenge = None
        self.say(said)
        self._tell()
        return ""

    def undone(self) -> str:
        """Take back what people said last."""
        match = self._judging.live if self._judging else None
        if match is None or self.session is None or self.phase == "ended":
            return "refused.now"
        said = challenge.undo(match, self.session.said_s)
        if said is None:
            return "refused.nothing"
        self.say(said)
        return ""

    def voice(self, seat: Seat) -> str:
        """From now on this player alone says the three words (empty: anybody speaks again). Gives why not, if not."""
        judging, session = self._judging, self.session
        if judging is None or session is None or self.phase != "playing" or (seat and not self._learns):
            return "refused.now"
        if seat not in ("", *SEATS):
            return "refused.now"
        judging.voicing.turn(seat, session.newest_s)
        self._tell()
        return ""

    def forget_voices(self) -> str:
        """What was learnt of voices in this game is deleted. Gives why not, if not."""
        if self._judging is None or not self.learnt:
            return "refused.now"
        self._judging.voicing.forget()
        self._tell()
        return ""

    @property
    def learnt(self) -> bool:
        """Whether voices were learnt in the game that is open."""
        judging = self._judging
        return (
            judging is not None
            and self.phase in ("playing", "paused")
            and not self.request.voices
            and bool(judging.voicing.voices.takes)
        )

    @property
    def _learns(self) -> bool:
        """Whether voices can be learnt: one microphone, nobody's voice named, and before the first ruling."""
        session = self.session
        return (
            session is not None
            and session.greeting.channels == 1
            and not self.request.voices
            and self.shown.last is None
            and self.request.game in LISTENS
        )

    def spoke(self, seconds: float) -> None:
        """The referee's own voice is about to sound for so long: what is heard meanwhile is no call."""
        if self._judging is not None and self.session is not None:
            now = self.session.newest_s
            self._judging.spoken.append((now - 0.2, now + seconds))
            del self._judging.spoken[:-50]

    def finish(self, patience_s: float = 600.0) -> None:
        """End the game: what has come is judged, for so long at the most; the record gets its result in any case."""
        session, thread = self.session, self._thread
        if session is not None:
            session.close()
        if thread is not None:
            thread.join(patience_s)
            if thread.is_alive() and session is not None:
                session.inlet.drop()
                thread.join()
        self._thread = None
        self.phase = "ended" if self.session is not None else "waiting"
        self._tell()

    def join(self, hello: wire.Hello) -> Player | None:
        """A player's phone comes; None if another one sits there."""
        player = self.players.join(hello.seat, hello)
        self._tell()
        return player

    def left(self, player: Player) -> None:
        """A player's phone is gone, for now; the ear goes on with what is left."""
        player.connected = False
        self._tell()

    def practice(self, hello: wire.Hello, told: Callable[[dict[str, Any]], None]) -> Practice:
        """Somebody practises with the languages of this table.

        Raises:
            RefereeError: the model cannot be opened.
        """
        import models  # noqa: PLC0415  loads the recogniser

        model = models.open_call_model(self.request.spoken, self.request.model)
        return Practice(model, hello, told, self._names.folder / "practice.jsonl")

    # Judging

    def _start(self, greeting: wire.Greeting, resumed: Resumed | None) -> int:
        """Begin a game, or go on with one; gives the sequence number of the first message that is needed."""
        if resumed is None:
            record_path, media_path = self._names.next_game()
            request = replace(self.request, recording=media_path)
        else:
            record_path, media_path = resumed.record, self._names.next_part(resumed.record)
            request = replace(self.request, recording=media_path, seats=resumed.match.seats, players=None)
        inlet, self._outlook = Inlet.new(), outlook.Outlook()
        self.session = Session(greeting, inlet, media_path)
        self.shown, self.evidence, self.challenge, self.check = Shown(), Evidence(), None, SoundCheck()
        self.ruled += 1
        self.sound = PlayersSound(media_path.with_suffix(".players.mka"))
        self.players.kept = self.sound.put
        judging = LiveJudging(
            request,
            greeting,
            inlet,
            self._outlook,
            ranked=self.ranked,
            names=self.named,
            players=self.players,
            resumed=resumed,
            taps=self._taps(),
        )
        if not request.voices:
            learnt.attend(judging.voicing, record_path, self.name, resumed=resumed is not None)
        self._begin(judging, PatientRecord(record_path, None if resumed else judging.header))
        resuming.note(record_path, greeting.session)
        if resumed is None:
            return 0
        self.shown.game = view.game(resumed.match)
        early_enough = [sequence for sequence, ms in greeting.marks if ms <= 1000 * resumed.from_s]
        first = early_enough[-1] if early_enough else min((s for s, _ in greeting.marks), default=0)
        self.session.expected = first
        return first

    def _begin(self, judging: LiveJudging, record: PatientRecord) -> None:
        self._judging, self._record = judging, record
        self._outlook.changed = self._ahead
        self.phase, self.connected = "playing", True
        self._thread = threading.Thread(target=self._judge, args=(judging, record), name=f"judge-{self.name}")
        self._thread.start()
        self._tell()

    def _judge(self, judging: LiveJudging, record: PatientRecord) -> None:
        try:
            with record:
                for step in judge(judging, record):
                    self._stepped(judging, step)
        except RefereeError as error:
            self.shown.trouble = str(error) if judging.live else NOTHING
        except Exception as error:  # a fault of ours: the evening goes on, and people are told
            self.shown.trouble = f"a fault in this program ({type(error).__name__}: {error}); the record is kept"
            raise
        finally:
            if self.session is not None:
                self.session.close()
            self.sound.close(judging.request.recording)
            resuming.forget(record.path)
            with suppress(OSError):
                learnt.forget(record.path)
            self.phase = "ended"
            self._over(judging)
            self._tell()

    def _over(self, judging: LiveJudging) -> None:
        """Tell the tournament how the game ended."""
        match = judging.live
        if self.tournament is not None and match is not None:
            review = bool(self.shown.trouble) or any(one.review for one in match.in_force)
            self.tournament.ended(self.name, match.result(), review=review)

    def _stepped(self, judging: LiveJudging, step: Any) -> None:
        """The match has got something, or has ruled."""
        if isinstance(step, SeenTo):
            if judging.live is not None:  # before that, the match gets all of it when it begins
                self._outlook.passed(step)
            if self.session is not None:
                began = judging.live.open_since if judging.live else None
                self.session.passed_s = step.time_s
                self.session.final_s = step.time_s if began is None else min(began, step.time_s)
            return
        with self._turn:
            if isinstance(step, Ruling):
                self.ruled += 1
                self.shown.ruled(step)
                self.evidence.keep(step)
            elif isinstance(step, Event):
                self._outlook.passed(step)
                self.shown.happened(step)
            elif not isinstance(step, Seated):
                return
            self.shown.game = view.game(judging.live)
        self._ahead()
        self._tell()

    def _ahead(self) -> None:
        """Rule on what eye and ear have said so far, before it is final."""
        judging = self._judging
        with self._turn:
            cards = self._outlook.cards()
            fresh = [c for c in cards if c.card not in self.shown.cards]
            for one in fresh:
                self.shown.cards[one.card] = one
            found = None
            stands = False
            if judging is not None and self._outlook.calls and (match := judging.expected()) is not None:
                found = outlook.ruling_ahead(match, self._outlook.waiting, judging.place)
                stands = found is not None and judging.seated and self._outlook.stands(found)
                if found is not None and not stands and outlook.doubtful(found):
                    found = None  # not said before it is known
            told = None if found is None else view.ruling(found, early=True, stands=stands)
            noticed = [view.noticed(one) for one in self._outlook.noticed]
            if told in (None, self.shown.early) and not fresh and noticed == self.shown.noticed:
                return
            self.shown.early, self.shown.noticed = told or self.shown.early, noticed
        self._tell()

    def _taps(self) -> Taps:
        session, evidence, known = self.session, self.evidence, self._outlook
        assert session is not None  # noqa: S101  (made before)

        def taken(time_ms: int) -> None:
            session.judged_ms = time_ms
            known.looked(time_ms / 1000)

        check = self.check

        def called(calls: list[CallHeard]) -> None:
            if check.heard(calls):
                self._tell()

        return Taps(known.notice, taken, evidence.card, evidence.heard, called)

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
            self._tell()

    def _tell(self) -> None:
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
        return not (self._record is not None and self._record.behind)

    def voicing(self) -> dict[str, Any] | None:
        """Voices that are being learnt; None where that is of no use or too late."""
        return self._judging.voicing.state() if self._judging is not None and self._learns else None
