"""One game at a table: its judging runs in threads of its own, and what screens are to show follows it."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.errors import RefereeError
from referee.events import CallHeard, Event, Moment, SeenTo
from referee.judge import LISTENS, judge
from referee.live import learnt, resuming, view
from referee.live.evidence import Evidence
from referee.live.joining import PlayersSound
from referee.live.judging import Inlet, LiveJudging, PatientRecord, Taps
from referee.live.outlook import Outlook, doubtful, ruling_ahead
from referee.live.session import Session
from referee.live.shown import Shown
from referee.live.soundcheck import SoundCheck
from referee.pipeline import Seated
from referee.ruling import Ruling

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from referee.events import Seat
    from referee.judge import Request
    from referee.live.players import Players
    from referee.live.resuming import Resumed
    from referee.live.shared import SharedMatch
    from referee.live.wire import Greeting

NOTHING = "nothing"
"""The trouble of a game that ended before anybody showed a card."""


@dataclass(frozen=True, slots=True)
class Told:
    """Who is told of what happens in a game, in the threads of its judging."""

    changed: Callable[[], None]
    """What screens show has changed."""
    ruled: Callable[[], None]
    """There is a ruling."""
    over: Callable[[Game], None]
    """The game has ended, whatever the reason."""


class Game:
    """One game that a camera's session is of."""

    def __init__(
        self,
        request: Request,
        greeting: Greeting,
        told: Told,
        *,
        ranked: bool,
        names: Mapping[Seat, str],
        players: Players,
        resumed: Resumed | None,
    ) -> None:
        """Open deck and model; nothing is judged before `start`.

        Args:
            request: as for a recording; `recording` is where the raw streams are kept.
            greeting: what the camera page said of itself.
            told: who is told of what happens.
            ranked: whether the games of this table are ranked.
            names: who sits where, if that was said.
            players: whose phones are microphones.
            resumed: the game that goes on, if the server was started again.

        Raises:
            RefereeError: the deck or the model cannot be used.
        """
        self.request, self._told = request, told
        self.shown, self.evidence, self.check = Shown(), Evidence(), SoundCheck()
        self._inlet, self._outlook = Inlet.new(), Outlook()
        self.session = Session(greeting, self._inlet, request.recording)
        self.sound = PlayersSound(request.recording.with_suffix(".players.mka"))
        players.kept = self.sound.put
        self.judging = LiveJudging(
            request,
            greeting,
            self._inlet,
            self._outlook,
            ranked=ranked,
            names=names,
            players=players,
            resumed=resumed,
            taps=self._taps(),
        )
        if resumed is not None:
            self.shown.game = view.game(resumed.match)
        self._resumed = resumed is not None
        self._record: PatientRecord | None = None
        self._thread: threading.Thread | None = None
        self._turn = threading.Lock()

    def start(self, path: Path, table: str) -> None:
        """Begin to judge, into this record."""
        if not self.request.voices:
            learnt.attend(self.judging.voicing, path, table, resumed=self._resumed)
        self._record = PatientRecord(path, None if self._resumed else self.judging.header)
        resuming.note(path, self.session.greeting.session)
        self._outlook.changed = self._ahead
        self._thread = threading.Thread(target=self._judge, args=(self._record,), name=f"judge-{table}")
        self._thread.start()
        self._told.changed()

    def finish(self, patience_s: float) -> None:
        """End the game: what has come is judged, for so long at the most; the record gets its result in any case."""
        self.session.close()
        if self._thread is None:
            return
        self._thread.join(patience_s)
        if self._thread.is_alive():
            self._inlet.drop()
            self._thread.join()
        self._thread = None

    @property
    def match(self) -> SharedMatch | None:
        """The match, as soon as it is known who plays."""
        return self.judging.live

    @property
    def written(self) -> bool:
        """Whether every ruling is on the disk."""
        return self._record is None or not self._record.behind

    # What people do

    def say(self, event: Event) -> None:
        """People at the table say something: a correction, a new deal."""
        self._inlet.said.put(Moment(time_s=event.time_s))
        self._inlet.said.put(event)

    def spoke(self, seconds: float) -> None:
        """The referee's own voice is about to sound for so long: what is heard meanwhile is no call."""
        now = self.session.newest_s
        self.judging.spoken.append((now - 0.2, now + seconds))
        del self.judging.spoken[:-50]

    @property
    def learns(self) -> bool:
        """Whether voices can be learnt: one microphone, nobody's voice named, and before the first ruling."""
        return (
            self.session.greeting.channels == 1
            and not self.request.voices
            and self.shown.last is None
            and self.request.game in LISTENS
        )

    @property
    def learnt(self) -> bool:
        """Whether voices were learnt."""
        return not self.request.voices and bool(self.judging.voicing.voices.takes)

    # Judging, in threads of its own

    def _judge(self, record: PatientRecord) -> None:
        judging = self.judging
        try:
            with record:
                for step in judge(judging, record):
                    self._stepped(step)
        except RefereeError as error:
            self.shown.trouble = str(error) if judging.live else NOTHING
        except Exception as error:  # a fault of ours: the evening goes on, and people are told
            self.shown.trouble = f"a fault in this program ({type(error).__name__}: {error}); the record is kept"
            raise
        finally:
            self.session.close()
            self.sound.close(self.request.recording)
            resuming.forget(record.path)
            with suppress(OSError):
                learnt.forget(record.path)
            self._told.over(self)
            self._told.changed()

    def _stepped(self, step: Any) -> None:
        """The match has got something, or has ruled."""
        live = self.judging.live
        if isinstance(step, SeenTo):
            if live is not None:  # before that, the match gets all of it when it begins
                self._outlook.passed(step)
            began = live.open_since if live else None
            self.session.passed_s = step.time_s
            self.session.final_s = step.time_s if began is None else min(began, step.time_s)
            return
        with self._turn:
            if isinstance(step, Ruling):
                self._told.ruled()
                self.shown.ruled(step)
                self.evidence.keep(step)
            elif isinstance(step, Event):
                self._outlook.passed(step)
                self.shown.happened(step)
            elif not isinstance(step, Seated):
                return
            self.shown.game = view.game(live)
        self._ahead()
        self._told.changed()

    def _ahead(self) -> None:
        """Rule on what eye and ear have said so far, before it is final."""
        judging = self.judging
        with self._turn:
            fresh = [c for c in self._outlook.cards() if c.card not in self.shown.cards]
            for one in fresh:
                self.shown.cards[one.card] = one
            told = None
            if self._outlook.calls and (match := judging.expected()) is not None:
                found = ruling_ahead(match, self._outlook.waiting, judging.place)
                stands = found is not None and judging.seated and self._outlook.stands(found)
                if found is not None and (stands or not doubtful(found)):
                    told = view.ruling(found, early=True, stands=stands)
            noticed = [view.noticed(one) for one in self._outlook.noticed]
            if told in (None, self.shown.early) and not fresh and noticed == self.shown.noticed:
                return
            self.shown.early, self.shown.noticed = told or self.shown.early, noticed
        self._told.changed()

    def _taps(self) -> Taps:
        session, known, check, told = self.session, self._outlook, self.check, self._told

        def taken(time_ms: int) -> None:
            session.judged_ms = time_ms
            known.looked(time_ms / 1000)

        def called(calls: list[CallHeard]) -> None:
            if check.heard(calls):
                told.changed()

        return Taps(known.notice, taken, self.evidence.card, self.evidence.heard, called)
