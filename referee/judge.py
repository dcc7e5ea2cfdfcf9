"""Judge a recording: open its picture and sound, run eye and ear side by side, rule, keep the record."""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from referee.apart import Apart
from referee.errors import DamagedError, InputError, UsageError
from referee.events import CallHeard, CardShown, Event, RecordingEnded, Seat, SeenTo, TableNotice
from referee.match import PLAYERS, Match
from referee.merge import merge
from referee.options import resolve
from referee.pipeline import Seated, Step, rule
from referee.record import Header
from referee.ruling import Ruling
from referee.seeing import Opened, eye
from referee.turns import by_turns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from audio.voices import Voices
    from models import CallModel
    from referee.record_writer import RecordWriter

LANGUAGE_OF = {"rock": "en", "de": "de", "es": "es"}
"""The language in which each game's sheet has players call; tournament touches, hands show."""
LISTENS = frozenset(LANGUAGE_OF)
WATCHES = frozenset({"rock", "tournament", "de", "es", "hands"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What people ask for; every field but the recording has a default that suits most tables."""

    recording: Path
    game: str = "rock"
    players: int | None = None
    seats: tuple[Seat, ...] | None = None
    deck: str = "auto"
    languages: tuple[str, ...] = ()
    """Languages of the calls; empty: the game's own."""
    model: Path | None = None
    """A Vosk model of the user's own."""
    microphones: tuple[Seat, ...] | None = None
    """The seat at each channel, or on each channel's side of a stereo pair."""
    layout: str | None = None
    """What the microphones are: `one`, `stereo` or `own` (a microphone a player); by default by their number, and for
    two by how they sound."""
    words: tuple[str, ...] = ()
    """Words that people have taught and that count as calls; `all` for every one."""
    voices: Mapping[Seat, str] = field(default_factory=dict)
    """Whose enrolled voice sits where: tells who called where one microphone hears all."""
    options: Mapping[str, object] = field(default_factory=dict)
    language: str = "en"
    """Of the sentences."""

    @property
    def spoken(self) -> tuple[str, ...]:
        """The languages listened for."""
        return self.languages or (LANGUAGE_OF.get(self.game, "en"),)


class Judging:
    """One recording being judged: made ready by `__init__`, run once by `steps`."""

    _eye: Iterator[Opened | Event | SeenTo] = iter(())
    """What is seen, where it is not streamed in."""

    def __init__(
        self, request: Request, *, threads: bool = True, opening: Callable[[Request], CallModel] | None = None
    ) -> None:
        """Look at the recording and open what is needed, so that what cannot be judged is said at once.

        Args:
            request: what people ask for.
            threads: whether eye and ear work side by side, the eye in a process of its own; else by turns, on one
                core. What is judged is the same.
            opening: gives the call model, where it is not to be opened anew for every recording.

        Raises:
            UsageError: an option that cannot be used.
            InputError: the recording or a model cannot be used.
        """
        self.request = request
        self.match: Match | None = None
        self._merge = merge if threads else by_turns
        self._opening = opening or call_model
        self._model: CallModel | None = None
        self.channels = 0
        check(request)
        # The eye begins while the rest is still being opened.
        self._eye = Apart(eye, *self._view) if threads else eye(*self._view, alone=True)
        try:
            self._open(self._eye)
        except BaseException:
            self.close()
            raise

    def _open(self, watching: Iterator[Opened | Event | SeenTo]) -> None:
        """Open what the ear needs; what is wrong with the picture is said first, whoever was faster."""
        self.duration_s = 0.0
        try:
            self._open_ear(self.request)
        finally:
            opened = next(watching)
        if isinstance(opened, Opened):
            self.duration_s = max(self.duration_s, opened.duration_s or 0.0)

    def _open_ear(self, request: Request) -> None:
        from audio import decode as sound  # noqa: PLC0415  loads FFmpeg

        if request.game in LISTENS:
            heard = sound.probe(request.recording)
            self.channels = heard.channels
            self.duration_s = heard.duration_s or 0.0
            self._model = self._opening(request)
        self._voices = voices_at(request)

    @property
    def _view(self) -> tuple[Path, str, tuple[Seat, ...] | None, bool]:
        """What the eye is told."""
        request = self.request
        return request.recording, request.deck, request.seats, request.game == "tournament"

    def close(self) -> None:
        """Let go of the eye, whether or not it has seen everything."""
        close = getattr(self._eye, "close", None)
        if close is not None:
            close()

    @cached_property
    def header(self) -> Header:
        """The record's first line."""
        request = self.request
        extra: dict[str, Any] = {
            "deck": request.deck,
            "languages": list(request.spoken),
            "duration_s": round(self.duration_s, 3),
        }
        if request.microphones:
            extra["audio"] = {"channels": list(request.microphones)}
        if self._model and self._model.taught:
            extra["words"] = [word.facts for word in self._model.taught]
        if request.voices:
            extra |= {"names": dict(request.voices), "voices": sorted(request.voices)}
        return Header(
            game=request.game,
            options=dict(request.options),
            seats=request.seats or self._own_microphones,
            players=request.players,
            language=request.language,
            recording=self._recording,
            models=_checksums(self._model.identity) if self._model else {},
            extra=extra,
        )

    @property
    def _recording(self) -> dict[str, Any]:
        path = self.request.recording
        return {"name": path.name, "path": str(path.resolve()), "sha256": sha256(path)}

    def steps(self) -> Iterator[Step | Ruling]:
        """Judge: events as they pass, rulings as they become final, promises for progress.

        Raises:
            InputError: the recording cannot be judged; `DamagedError` if it broke off, after all rulings before that.
        """
        request = self.request
        seen_card, notices = False, set[str]()
        with closing(self), closing(self._merge(*self._sources())) as stream:
            for step in rule(
                _noting(_ended(stream), notices),
                seats=request.seats or self._own_microphones,
                players=request.players,
                begin=self._begin,
                place=self._place,
            ):
                seen_card = seen_card or isinstance(step, CardShown)
                yield step
        if self.match is None:
            raise InputError(_nobody(request, seen_card, unsteady="unsteady" in notices))

    @cached_property
    def _layout(self) -> str | None:
        """What the microphones are: as said, or by their number, or for two by how they sound."""
        from audio import decode, layout  # noqa: PLC0415  heavy

        if self.request.layout is not None or self.channels != 2:
            return self.request.layout or {0: None, 1: "one"}.get(self.channels, "own")
        try:
            return layout.guess(decode.blocks(self.request.recording))
        except DamagedError:  # so short a beginning: it will be heard, and said, when the sound is judged
            return None

    @property
    def _own_microphones(self) -> tuple[Seat, ...] | None:
        """Who plays, where the user named more microphones than a stereo pair has: one a player."""
        named = self.request.microphones or ()
        return named if len(named) > 1 and self._layout == "own" else None

    def _sources(self) -> list[Iterable[Event | SeenTo]]:
        import audio  # noqa: PLC0415  heavy
        from audio import decode as sound  # noqa: PLC0415  heavy

        path = self.request.recording
        sources: list[Iterable[Event | SeenTo]] = [cast("Iterator[Event | SeenTo]", self._eye)]
        if self._model is not None:
            sources.append(audio.listen(sound.blocks(path), self._model, layout=self._layout, voices=self._voices))
        return sources

    def _begin(self, seats: tuple[Seat, ...]) -> Match:
        from audio.who import seating  # noqa: PLC0415  heavy

        request = self.request
        if request.microphones and self._model is not None:
            seating(self.channels, seats, request.microphones)
        strangers = sorted(set(seats) - set(request.voices)) if request.voices else []
        if strangers:
            raise UsageError(f"--voices names nobody at {', '.join(strangers)}, but cards are played there: name all")
        self.match = Match(game=request.game, options=request.options, seats=seats, language=request.language)
        return self.match

    def _place(self, call: CallHeard, seats: tuple[Seat, ...]) -> CallHeard:
        from audio.who import seat_calls  # noqa: PLC0415  heavy

        return seat_calls(call, seats, self.request.microphones, self.channels)


def call_model(request: Request) -> CallModel:
    """The model that hears what is listened for.

    Raises:
        UsageError: a word that was not taught.
        ModelError: it cannot be used.
    """
    import models  # noqa: PLC0415  loads the recogniser

    return models.open_call_model(request.spoken, request.model, taught=request.words)


def voices_at(request: Request) -> Voices | None:
    """The enrolled voices of who sits at the table, if they were named.

    Raises:
        UsageError: somebody's voice is not kept, or there are fewer than two.
    """
    if not request.voices:
        return None
    if len(request.voices) < 2:
        raise UsageError("--voices: name everybody at the table, as in north=Anna,south=Ben; one voice tells nothing")
    from audio import voice_store  # noqa: PLC0415  heavy

    return voice_store.seated(request.voices)


def check(request: Request, *, there: bool = True) -> None:
    """Refuse what cannot be used before anything is opened; `there` is whether the recording must exist already."""
    resolve(request.game, request.options)
    if request.game not in WATCHES:
        raise UsageError(
            f"game {request.game} is not read from a picture: type its events into a file (docs/record.md)"
        )
    fewest, most = PLAYERS[request.game]
    count = request.players or (len(request.seats) if request.seats else None)
    if count is not None and not fewest <= count <= most:
        allowed = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise UsageError(f"game {request.game} is for {allowed} players, not {count}")
    if not there:
        return
    if not request.recording.exists():
        raise InputError(f"{request.recording} is not there: check the path")
    if not request.recording.is_file():
        raise InputError(f"{request.recording} is not a file")


def _ended(stream: Iterable[Event | SeenTo]) -> Iterator[Event | SeenTo]:
    """Close a stream with `RecordingEnded`, also one that breaks off, before its damage is raised."""
    last, happened, damage = 0.0, 0.0, None
    try:
        for item in stream:
            last = max(last, item.time_s)
            happened = max(happened, item.time_s if isinstance(item, Event) else 0.0)
            yield item
    except DamagedError as error:
        damage = error
        last = max(happened, error.at_s)  # how far the other source had come by then is chance
    yield RecordingEnded(time_s=last, reason=str(damage or ""))
    if damage is not None:
        raise damage


def _noting(stream: Iterable[Event | SeenTo], codes: set[str]) -> Iterator[Event | SeenTo]:
    """The stream as it is; the codes of its notices are added to `codes`, also of those before anybody is seated."""
    for item in stream:
        if isinstance(item, TableNotice):
            codes.add(item.code)
        yield item


def _nobody(request: Request, seen_card: bool, *, unsteady: bool) -> str:
    """Why there was nothing to judge."""
    name = request.recording.name
    if unsteady:
        seen = "too few face-up cards" if seen_card else "no face-up cards"
        return f"{name}: the camera moves all the time, so that {seen} were seen: put it on a stand"
    if seen_card:
        return f"{name}: cards were seen from one seat only, so no round was played: show the cards of all players"
    deck = "" if request.deck == "auto" else f" of the deck {request.deck}"
    todo = "put the camera above the table, closer, in more light, or name another deck with --deck"
    return f"{name}: no face-up cards{deck} were seen: {todo}"


def _checksums(identity: Mapping[str, Any]) -> dict[str, str]:
    """A model's identity, flat: name -> checksum or version."""
    return {str(name): str(value) for name, value in identity.items()}


def sha256(path: Path) -> str:
    """Checksum of a file, hexadecimal.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def judge(judging: Judging, record: RecordWriter) -> Iterator[Step | Ruling]:
    """Run a judging and keep all of it in a record, line by line; the result line is written even after damage."""
    try:
        for step in judging.steps():
            if isinstance(step, Ruling):
                record.ruling(step)
            elif isinstance(step, Event):
                record.event(step)
            yield step
    except DamagedError:
        if judging.match is not None:
            record.result(judging.match.result())
        raise
    if judging.match is not None:
        record.result(judging.match.result())


__all__ = ["Judging", "Request", "Seated", "call_model", "check", "judge", "sha256"]
