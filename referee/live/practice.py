"""Practice for one: the screen deals, the microphone listens, the reaction time is told and kept.

The same ear as at a table hears the call; the time from the cards' appearance to the call's onset is measured on the
page's one clock for sound and picture. A screen shows a picture some 10 to 40 ms after it was asked to: that is part of
the time.
"""

from __future__ import annotations

import json
import random
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from referee.events import CallHeard, Type
from referee.live import early, feed
from referee.live.feed import Sound, Stream
from referee.live.players import Heard
from referee.rules.types import due_type

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from models import CallModel
    from referee.live import wire

EARLIEST_S = 0.1
"""World Athletics: who reacts faster than this to a start has guessed."""
SILENCE_S = 2.5
"""Where silence is due, nobody may have called for so long after the cards appeared."""
LONGEST_S = 60.0


@dataclass(slots=True)
class Trial:
    """One deal."""

    cards: tuple[Type, Type]
    shown_s: float | None = None
    """When the page showed it, on the sound's clock; None until it says so."""

    @property
    def due(self) -> Type | None:
        """The winning type; None for silence."""
        return due_type(self.cards)


@dataclass(slots=True)
class Practice:
    """One person's practice: `take` gets sound, `deal` and `shown` are asked for, `told` hears results."""

    model: CallModel
    hello: wire.Hello
    told: Callable[[dict[str, Any]], None]
    kept: Path | None = None
    chance: random.Random = field(default_factory=random.SystemRandom)
    trial: Trial | None = None
    _stream: Stream[Sound] = field(default_factory=Stream)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _heard_s: float = 0.0

    def start(self) -> None:
        """Listen, in a thread of its own, until `stop`."""
        threading.Thread(target=self._listen, name="practice", daemon=True).start()

    def stop(self) -> None:
        """Nothing more comes."""
        self._stream.drop()

    def take(self, time_ms: int, samples: Any) -> None:
        """Samples of the microphone."""
        self._stream.put(Sound(time_ms, samples))

    def deal(self) -> Trial:
        """Two cards; a third of the deals asks for silence, as at a table."""
        with self._lock:
            self.trial = Trial((self.chance.choice(list(Type)), self.chance.choice(list(Type))))
            return self.trial

    def shown(self, time_s: float) -> None:
        """The page has shown the cards."""
        with self._lock:
            if self.trial is not None and self.trial.shown_s is None and 0 <= time_s < self._heard_s + LONGEST_S:
                self.trial.shown_s = time_s

    def _listen(self) -> None:
        def blocks() -> Any:
            for block in feed.sound(self._stream, self.hello.rate):
                yield Heard(block, "one")
                self._passed(block.time_s)

        for item in early.listen(blocks(), self.model, self._said):
            if isinstance(item, CallHeard):  # with so much noise that it was never certain who had spoken
                self._calls([item])

    def _said(self, calls: list[CallHeard], said_s: float) -> None:
        """Words that were understood to their end; a guess is not timed."""
        self._calls([call for call in calls if call.time_s < said_s])

    def _calls(self, calls: list[CallHeard]) -> None:
        with self._lock:
            trial = self.trial
            if trial is None or trial.shown_s is None:
                return
            called = [c for c in calls if c.accepted and c.type is not None and c.time_s > trial.shown_s]
            if called:
                self._end(trial, called[0])

    def _passed(self, time_s: float) -> None:
        """Sound up to here was heard."""
        with self._lock:
            self._heard_s = time_s
            trial = self.trial
            # An early call comes up to a second after its word.
            if trial is not None and trial.shown_s is not None and time_s > trial.shown_s + SILENCE_S + 1.0:
                self._end(trial, None)

    def _end(self, trial: Trial, call: CallHeard | None) -> None:
        assert trial.shown_s is not None  # noqa: S101  (asked before)
        self.trial = None
        reaction = None if call is None else call.time_s - trial.shown_s
        kind = call.type if call is not None else None
        result = {
            "cards": [card.value for card in trial.cards],
            "due": trial.due.value if trial.due else None,
            "called": kind.value if kind else None,
            "right": kind == trial.due,
            "early": reaction is not None and reaction < EARLIEST_S,
            "reaction_ms": None if reaction is None else round(1000 * reaction, 1),
            "sigma_ms": None if call is None else call.sigma_ms,
        }
        self._keep(result)
        self.told({"type": "result", **result})

    def _keep(self, result: dict[str, Any]) -> None:
        if self.kept is None:
            return
        try:
            self.kept.parent.mkdir(parents=True, exist_ok=True)
            with self.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"when": datetime.now(UTC).isoformat(timespec="seconds"), **result}) + "\n")
        except OSError:
            self.kept = None  # a full disk ends the keeping, not the practice
