"""Judging what streams in: `referee.judge` with endless sources, and with what people at the table say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from referee.errors import DamagedError, UsageError
from referee.events import SEATS, CallHeard, CardShown, Event, SeenTo
from referee.judge import LISTENS, Judging, check, voices_at
from referee.live import early, eyes, feed, outlook
from referee.live.feed import Picture, Sound, Stream
from referee.live.players import Players
from referee.live.shared import SharedMatch
from referee.live.voicing import Voicing
from referee.merge import merge
from referee.record_writer import RecordWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from referee.events import Seat
    from referee.judge import Request
    from referee.live.outlook import Noticed, Outlook
    from referee.live.resuming import Resumed
    from referee.live.wire import Greeting
    from referee.match import Match
    from referee.media import AudioBlock
    from referee.record import Header

T = TypeVar("T", bound="Event | SeenTo")
MASKED = "referee speaks"
"""Reason of a word that was heard while the referee itself spoke: it is no call."""
ENDLESS = float("inf")


@dataclass(slots=True)
class Inlet:
    """Where a session's packets and what people say go in."""

    pictures: Stream[Picture]
    sound: Stream[Sound]
    said: Stream[Event]

    @classmethod
    def new(cls) -> Inlet:
        """An inlet with nothing in it."""
        return cls(Stream(), Stream(), Stream())

    def close(self) -> None:
        """The game ends here: what came before is still judged."""
        for stream in (self.pictures, self.sound, self.said):
            stream.close()

    @property
    def dropped(self) -> bool:
        """Whether not all that came was judged."""
        return self.pictures.dropped or self.sound.dropped

    def drop(self) -> None:
        """Stop at once."""
        for stream in (self.pictures, self.sound, self.said):
            stream.drop()


@dataclass(frozen=True, slots=True)
class Taps:
    """Who else sees and hears what passes, in the threads of eye and ear."""

    noticed: Callable[[tuple[Noticed, ...]], None] = lambda _: None
    """The eye is reading these cards."""
    taken: Callable[[int], None] = lambda _: None
    """The eye has taken the picture of this time in ms."""
    cut: Callable[[CardShown, bytes], None] = lambda *_: None
    """The eye has read a card; its picture."""
    heard: Callable[[AudioBlock], None] = lambda _: None
    called: Callable[[list[CallHeard]], None] = lambda _: None
    """The ear has understood these words; some may have been told before."""


class LiveJudging(Judging):
    """One game that is being played."""

    def __init__(
        self,
        request: Request,
        greeting: Greeting,
        inlet: Inlet,
        outlook: Outlook,
        *,
        ranked: bool = False,
        names: Mapping[Seat, str] | None = None,
        players: Players | None = None,
        resumed: Resumed | None = None,
        taps: Taps | None = None,
    ) -> None:
        """Open deck and model.

        Args:
            request: as for a recording; `recording` is where the raw streams are kept.
            greeting: what the camera page said of itself.
            inlet: where packets come from.
            outlook: is told what eye and ear have said before it passes.
            ranked: whether the games of this table are ranked.
            names: who sits where, if that was said: for the record.
            players: whose phones are microphones.
            resumed: a game that goes on after the server was started again.
            taps: who else sees and hears what passes.
        """
        import models  # noqa: PLC0415  loads the recogniser
        import vision.decks  # noqa: PLC0415  loads OpenCV

        vision.decks.load_deck(request.deck)  # what cannot be used is said now; the eye loads it for itself
        check(request, there=False)
        self.request = request
        self.live: SharedMatch | None = resumed.match if resumed else None
        """The match, as soon as it is known who plays."""
        self.match = self.live
        self.duration_s = 0.0
        self._merge = merge
        self.channels = greeting.channels
        self._cuts: dict[int, bytes] = {}
        self.spoken: list[tuple[float, float]] = []
        """Spans of stream time in which the referee itself spoke."""
        self._greeting, self._inlet, self._outlook = greeting, inlet, outlook
        self._taps, self._resumed = taps or Taps(), resumed
        self._ranked, self._names = ranked, dict(names or {})
        self._players = players or Players()
        self._players.begin()
        listens = request.game in LISTENS
        self._model = models.open_call_model(request.spoken, request.model, taught=request.words) if listens else None
        if not listens:
            inlet.sound.close()  # nobody would read it
        self.voicing = Voicing(voices_at(request))
        """The voices of this game: named at the start, or learnt before the first round."""

    @property
    def _recording(self) -> dict[str, Any]:
        """The file that is being written; its checksum cannot be known yet."""
        path = self.request.recording
        return {"name": path.name, "path": str(path.resolve()), "live": True}

    @cached_property
    def header(self) -> Header:
        """As for a recording; what the browser does to the sound; and, at a ranked table, whether it is ranked."""
        header, hello = super().header, self._greeting
        extra: dict[str, Any] = {"altered": list(hello.altered)}
        if self._names:
            extra["names"] = self._names
        if self._ranked:
            extra["ranked"] = not hello.altered and not hello.friendly
        if self._ranked and hello.altered:
            extra["unranked"] = f"the browser alters the sound ({', '.join(hello.altered)}): a second voice may be lost"
        return replace(header, extra={**header.extra, **extra})

    @property
    def seated(self) -> bool:
        """Whether it is certain who plays."""
        return self.live is not None or self.request.players is not None

    def expected(self) -> SharedMatch | None:
        """The match, or before it begins one of those who have shown a card; None if those are too few."""
        if self.live is not None:
            return self.live
        shown = {card.seat for card in self._outlook.cards()}
        seats = tuple(seat for seat in SEATS if seat in shown)
        return self._match(seats) if len(seats) >= (self.request.players or 2) else None

    def place(self, call: CallHeard) -> CallHeard:
        """The call with its seats, as the match will get it."""
        match = self.live or self.expected()
        return self._place(call, match.seats if match else ())

    def _sources(self) -> list[Iterable[Event | SeenTo]]:
        request, hello = self.request, self._greeting
        looking = eyes.Looking(hello.codec, request.deck, request.seats, request.game == "tournament")
        taps = self._taps
        eye = eyes.watch(self._inlet.pictures, looking, noticed=taps.noticed, taken=taps.taken, cut=self._cut)
        sources: list[Iterable[Event | SeenTo]] = [self._seen(eye)]
        if self._model is not None:
            blocks = self._listened(feed.sound(self._inlet.sound, hello.rate))
            mixed = self._players.mixed(blocks, self._seated)
            sources.append(self._heard(early.listen(mixed, self._model, self._told, self.voicing.voices)))
        return [*sources, self._said()]

    def _told(self, calls: list[CallHeard], said_s: float) -> None:
        """The ear has understood words that wait."""
        self._taps.called([placed if (placed := self.place(call)).seats else call for call in calls])
        self._outlook.heard(calls, said_s)

    def _cut(self, shown: CardShown, jpeg: bytes) -> None:
        self._cuts[shown.card] = jpeg

    def _listened(self, blocks: Iterable[AudioBlock]) -> Iterator[AudioBlock]:
        for block in blocks:
            self._taps.heard(block)
            self.voicing.listen(block)
            yield block

    def _seen(self, eye: Iterable[Event | SeenTo]) -> Iterator[Event | SeenTo]:
        """The eye's events; of a game that goes on, those that are not recorded yet."""
        for item in self._ending(eye):
            told = self._resumed.seen(item) if self._resumed else item
            if told is None:
                continue
            if isinstance(told, CardShown) and self.voicing.seat:
                self.voicing.turn("", told.time_s)
            if isinstance(told, CardShown) and isinstance(item, CardShown):
                self._taps.cut(told, self._cuts.pop(item.card, b""))
            if isinstance(told, outlook.WATCHED):
                self._outlook.seen(told)
            yield told

    def _heard(self, ear: Iterable[CallHeard | SeenTo]) -> Iterator[CallHeard | SeenTo]:
        for item in self._ending(ear):
            told = self._resumed.heard(item) if self._resumed else item
            if isinstance(told, CallHeard) and (seat := self.voicing.heard(told, self._outlook.eye_s)):
                self._taps.called([replace(told, seats={seat: 1.0})])
            if told is not None:
                yield told

    def _ending(self, source: Iterable[T]) -> Iterator[T]:
        """When eye or ear ends, by itself or by a fault, the others must not wait for more."""
        last_s = 0.0
        try:
            for item in source:
                last_s = max(last_s, item.time_s)
                yield item
            if self._inlet.dropped:
                # Without this, what one of them did not hear any more would be taken for silence.
                raise DamagedError("the game was stopped before all of it was judged", last_s)
        finally:
            self._inlet.close()

    def _seated(self) -> tuple[Seat, ...] | int | None:
        """Who plays, or how many, as far as it is known now."""
        return (self.live.seats if self.live else ()) or self.request.seats or self.request.players

    def _said(self) -> Iterator[Event | SeenTo]:
        """What people say passes at once: a source that promises everything."""
        yield SeenTo(time_s=ENDLESS)
        yield from self._inlet.said

    def _begin(self, seats: tuple[Seat, ...]) -> Match:
        self.match = self.live = self.live or self._match(seats)
        return self.live

    def _match(self, seats: tuple[Seat, ...]) -> SharedMatch:
        request = self.request
        return SharedMatch(game=request.game, options=request.options, seats=seats, language=request.language)

    def _place(self, call: CallHeard, seats: tuple[Seat, ...]) -> CallHeard:
        placed = self.voicing.checked(super()._place(call, seats), seats)
        if call.accepted and any(a < call.end_s and call.time_s < b for a, b in self.spoken):
            return replace(placed, accepted=False, reason=MASKED)
        return placed


class PatientRecord(RecordWriter):
    """A record that outlives a full disk: lines that could not be written wait, in order, and are tried again."""

    def __init__(self, path: Path, header: Header | None) -> None:
        self.waiting: list[tuple[tuple[Mapping[str, Any], ...], bool]] = []
        super().__init__(path, header)

    def _append(self, *lines: Mapping[str, Any], durable: bool) -> None:
        self.waiting.append((lines, durable))
        try:
            while self.waiting:
                super()._append(*self.waiting[0][0], durable=self.waiting[0][1])
                self.waiting.pop(0)
        except UsageError:
            return

    @property
    def behind(self) -> bool:
        """Whether lines wait for room."""
        return bool(self.waiting)
