"""When a live table knows, on the clock of the stream itself: staged games fed as a phone would send them.

Eye and ear are fed frame by frame and block by block; what they say is noted with how far the stream had come. Merge,
match and outlook then get it in that order. So a delay is what listening, looking and the rules ask for by themselves,
the same on every machine; the time that the machine takes is given beside it, as processor time.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.bench import BenchResult
from referee.bench.games import read_game, recordings
from referee.bench.phone import BLOCK
from referee.bench.seen import SETTLES_S
from referee.events import SEATS, CallHeard, CardShown, Event, RecordingEnded, SeenTo
from referee.live.outlook import WATCHED, Outlook, doubtful, ruling_ahead
from referee.live.shared import SharedMatch
from referee.merge import Merger
from referee.pipeline import Seated, rule
from referee.ruling import Ruling

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.bench.games import Game

Timed = list[tuple[float, Any]]


@dataclass(slots=True)
class Captured:
    """What eye and ear say of one game, each item with the stream's time when it was said."""

    eye: Timed = field(default_factory=list)
    """Events, promises, and lists of the types that are being read."""
    ear: Timed = field(default_factory=list)
    """Events, promises, and early calls as (calls, said_s)."""
    cpu_s: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Told:
    """Something shown: at this time of the stream."""

    at_s: float
    round: int
    what: tuple[Any, ...]


@dataclass(slots=True)
class Shown:
    """Everything that screens were told of one game."""

    first: list[Told] = field(default_factory=list)
    stands: list[Told] = field(default_factory=list)
    ruled: list[tuple[float, Ruling]] = field(default_factory=list)
    cards: list[tuple[float, CardShown]] = field(default_factory=list)


def capture(game: Game) -> Captured:
    """Feed a game to eye and ear as its stream would come."""
    import cv2  # noqa: PLC0415  heavy

    import models  # noqa: PLC0415  the same
    import vision  # noqa: PLC0415  the same
    import vision.decks  # noqa: PLC0415  the same
    from audio import decode  # noqa: PLC0415  the same
    from vision import decode as pictures  # noqa: PLC0415  the same

    cv2.setNumThreads(1)
    out, at = Captured(seconds=game.seconds), [0.0]
    touch = game.header.get("game") == "tournament"

    def frames() -> Iterator[Any]:
        for frame in pictures.frames(game.path):
            at[0] = frame.time_s
            yield frame

    began = time.process_time()
    deck = vision.decks.load_deck("auto")
    noticed = [()]

    def notice(cards: Any) -> None:
        now = tuple(found.type for found, _ in cards)
        if now != noticed[0]:
            noticed[0] = now
            out.eye.append((at[0], list(now)))

    for item in vision.watch(frames(), deck, touch=touch, noticed=notice):
        out.eye.append((at[0], item))
    out.cpu_s["eye"] = time.process_time() - began
    languages = tuple(sorted({v["language"] for v in game.header.get("voices", {}).values()} or {"en"}))
    model = models.open_call_model(languages)
    began = time.process_time()
    _listen(decode.blocks(game.path), model, _layout(game), out)
    out.cpu_s["ear"] = time.process_time() - began
    return out


def _layout(game: Game) -> str | None:
    mode = game.header.get("audio", {}).get("mode")
    return "own" if mode in ("mics", "own") else mode if mode in ("stereo", "one") else None


def _listen(blocks: Any, model: Any, layout: str | None, out: Captured) -> None:
    from referee.live.early import EarlyEar  # noqa: PLC0415  heavy
    from referee.media import AudioBlock  # noqa: PLC0415  the same

    ear, now = None, [0.0]

    def told(calls: list[CallHeard], said_s: float) -> None:
        out.ear.append((now[0], (calls, said_s)))

    for block in blocks:
        for first in range(0, block.samples.shape[1], BLOCK):
            samples = block.samples[:, first : first + BLOCK]
            if ear is None:
                ear = EarlyEar(model, AudioBlock(block.time_s, samples, block.rate), layout=layout)
                ear.told = told
            now[0] = block.time_s + (first + samples.shape[1]) / block.rate
            out.ear += [(now[0], item) for item in ear.feed(samples)]
    if ear is not None:
        out.ear += [(now[0], item) for item in ear.finish()]


class Play:
    """Merges, rules and looks ahead as a live table does."""

    def __init__(self, game: Game, captured: Captured) -> None:
        self._game, self._captured = game, captured
        self.shown, self.now_s, self._outlook = Shown(), 0.0, Outlook()
        self._match: SharedMatch | None = None
        self._microphones = _microphones(game)

    def run(self) -> Shown:
        """Play to the end."""
        self._outlook.changed = self._ahead
        players = len(self._game.header["seats"])
        for step in rule(_stream(self), seats=None, players=players, begin=self._begin, place=self._place):
            if isinstance(step, Ruling):
                self.shown.ruled.append((self.now_s, step))
            elif self._match is not None and not isinstance(step, Seated):
                self._outlook.passed(step)
                self._ahead()
        return self.shown

    def take(self, at_s: float, side: int, item: Any) -> bool:
        """Something was said; gives whether the merge gets it."""
        self.now_s = at_s
        if isinstance(item, tuple):
            self._outlook.heard(*item)
        elif side == 0 and not isinstance(item, list):
            self._outlook.looked(at_s)
            if isinstance(item, CardShown):
                self.shown.cards.append((at_s, item))
            if isinstance(item, WATCHED):
                self._outlook.seen(item)
        return not isinstance(item, tuple | list)

    @property
    def said(self) -> list[tuple[float, int, Any]]:
        """Everything that eye (0) and ear (1) said, in order."""
        captured = self._captured
        items = [(at, 0, item) for at, item in captured.eye] + [(at, 1, item) for at, item in captured.ear]
        return sorted(items, key=lambda one: one[0])

    def _begin(self, seats: tuple[str, ...]) -> SharedMatch:
        self._match = SharedMatch(game=self._game.header.get("game", "rock"), seats=seats)
        return self._match

    def _place(self, call: CallHeard, seats: Sequence[str]) -> CallHeard:
        from audio.who import seat_calls  # noqa: PLC0415  heavy

        return seat_calls(call, tuple(seats), self._microphones, len(call.levels_db))

    def _ahead(self) -> None:
        expected = self._match or _expected(self._game, self._outlook)
        if not self._outlook.calls or expected is None:
            return
        found = ruling_ahead(expected, self._outlook.waiting, lambda c: self._place(c, expected.seats))
        if found is not None:
            stands = self._outlook.stands(found)
            if stands or not doubtful(found):
                self.shown.first.append(Told(self.now_s, found.round, essence(found)[:-1]))
            if stands:
                self.shown.stands.append(Told(self.now_s, found.round, essence(found)))


def _expected(game: Game, outlook: Outlook) -> SharedMatch | None:
    """Before the first round has shown who plays: those who have shown a card, if they are as many as was said."""
    shown = {card.seat for card in outlook.cards()}
    seats = [seat for seat in SEATS if seat in shown]
    return (
        SharedMatch(game=game.header.get("game", "rock"), seats=seats)
        if len(seats) >= len(game.header["seats"])
        else None
    )


def _microphones(game: Game) -> tuple[str, ...] | None:
    from referee.bench.games import game_options  # noqa: PLC0415  beside its user

    options = game_options(game)
    return tuple(options[options.index("--microphones") + 1].split(",")) if "--microphones" in options else None


def essence(ruling: Ruling) -> tuple[Any, ...]:
    """What a screen says large: a ruling that differs in nothing else has not changed."""
    first = ruling.first
    return (
        ruling.outcome,
        tuple(sorted(ruling.awards.items())),
        first and (first.seat, first.type),
        tuple(sorted(ruling.cards.items())),
        ruling.review,
    )


def _stream(play: Play) -> Iterator[Event | SeenTo]:
    """What merging gives, in the order in which eye and ear said it."""
    merger, promised = Merger(2), float("-inf")
    for at_s, side, item in play.said:
        if not play.take(at_s, side, item):
            continue
        merger.give(side, item)
        yield from merger.ready()
        if promised < merger.seen_to < float("inf"):
            promised = merger.seen_to
            yield SeenTo(time_s=promised)
    merger.end(0)
    merger.end(1)
    yield from merger.ready()
    yield RecordingEnded(time_s=max(play.now_s, merger.furthest))


@dataclass(slots=True)
class Delays:
    """Seconds, over all games."""

    impression: list[float] = field(default_factory=list)
    stands: list[float] = field(default_factory=list)
    ruled: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)
    noticed: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)
    """When all cards of a round were shown, after the last of them rested."""
    wrong: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    rounds: int = 0
    notes: list[str] = field(default_factory=list)


def measure(game: Game, captured: Captured, delays: Delays) -> None:
    """Compare what was shown with the truth's times: the end of the deciding call, a card's rest."""
    shown = Play(game, captured).run()
    for truth in game.truth:
        _cards(truth, captured, shown, delays)
        first = truth["first"]
        if truth["decided_by"] != "call" or first is None:
            continue
        end_s = _word_end(truth)
        mine = [
            (at, r)
            for at, r in shown.ruled
            if not r.revision and r.first is not None and r.first.onset_s is not None
            if truth["start_s"] <= r.first.onset_s < truth["end_s"]
        ]
        if not mine:
            continue
        delays.rounds += 1
        at_s, final = mine[0]
        delays.ruled.append(at_s - end_s)
        for name, kept, told in (
            ("impression", delays.impression, shown.first),
            ("stands", delays.stands, shown.stands),
        ):
            said = [t for t in told if t.round == final.round and t.at_s <= at_s]
            kept.append((said[0].at_s if said else at_s) - end_s)
            wrong = bool(said) and said[0].what != essence(final)[: len(said[0].what)]
            delays.wrong[name] += wrong
            delays.wrong[f"{name}.none"] += not said
            if wrong:
                delays.notes.append(f"{game.path.stem} {final.round} {name}: {said[0].what} then {essence(final)}")


def _word_end(truth: dict[str, Any]) -> float:
    first = truth["first"]
    call = min(truth["calls"], key=lambda c: abs(c["onset_s"] - first["onset_s"]))
    return float(call["onset_s"] + call["speech_s"])


def _cards(truth: dict[str, Any], captured: Captured, shown: Shown, delays: Delays) -> None:
    kinds, seen_s = set(truth["cards"].values()), []
    told = [item for at, item in captured.eye if isinstance(item, list) and truth["start_s"] <= at < truth["end_s"]]
    delays.wrong["noticed"] += any(kind.value not in kinds for item in told for kind in item)
    for seat, land_s in truth["land_s"].items():
        rest_s = land_s + SETTLES_S
        mine = [
            at for at, c in shown.cards if c.seat == seat and c.type and truth["start_s"] <= c.time_s < truth["end_s"]
        ]
        if mine:
            delays.read.append(mine[0] - rest_s)
            kind = truth["cards"][seat]
            early = [
                at
                for at, item in captured.eye
                if isinstance(item, list) and rest_s - 0.3 < at <= mine[0] and kind in [t.value for t in item]
            ]
            seen_s.append(early[0] if early else mine[0])
            delays.noticed.append(seen_s[-1] - rest_s)
    if truth["land_s"] and len(seen_s) == len(truth["land_s"]):
        delays.last.append(max(seen_s) - max(truth["land_s"].values()) - SETTLES_S)


def run(
    *,
    data: Path | None = None,
    count: int | None = None,
    seed: int = 0,
    minutes: float | None = None,
    tables: int | None = None,
    speed: float = 1.0,
    hours: float | None = None,
) -> BenchResult:
    """Measure the games of a folder, by default the committed ones.

    Args:
        data: the folder.
        count: that many of its games.
        seed: not used.
        minutes: stream to a server for so long, in real time, instead (`referee.bench.evening`): by default
            `two-friends` at every table.
        tables: at so many tables at once, the same.
        speed: of that stream, against real time.
        hours: stream so much as fast as the machine takes it instead, for `minutes` of its time at the most.
    """
    del seed
    folder = data or Path(__file__).parents[2] / "fixtures" / "games"
    if hours is not None:
        from referee.bench import soak  # noqa: PLC0415  only for this

        played = recordings(data)[:count] if data else [read_game(folder / "two-friends.mp4")]
        return soak.run(played, hours=hours, minutes=minutes)
    if minutes is not None or tables is not None:
        from referee.bench import evening  # noqa: PLC0415  only for this

        played = recordings(data)[:count] if data else [read_game(folder / "two-friends.mp4")]
        return evening.run(played, tables=tables or 1, minutes=minutes or 1.0, speed=speed)
    delays, seconds = Delays(), 0.0
    cpu: dict[str, float] = defaultdict(float)
    games = recordings(folder)[:count]
    for game in games:
        captured = capture(game)
        measure(game, captured, delays)
        seconds += captured.seconds
        for name, used in captured.cpu_s.items():
            cpu[name] += used
    return result(delays, len(games), {f"cpu_{name}_share": used / seconds for name, used in cpu.items()})


def result(delays: Delays, cases: int, more: dict[str, Any]) -> BenchResult:
    """The figures: medians and 95th percentiles."""
    import numpy as np  # noqa: PLC0415  only here

    figures: dict[str, Any] = {"rounds": delays.rounds}
    rows = [["seconds after", "median", "95 %", "largest"]]
    for name, what, values in (
        ("noticed", "a card at rest: noticed", delays.noticed),
        ("last_noticed", "the last card of a round at rest: all noticed", delays.last),
        ("read", "a card at rest: read", delays.read),
        ("impression", "the deciding word: first impression", delays.impression),
        ("stands", "the deciding word: ruling that stands", delays.stands),
        ("ruled", "the deciding word: recorded", delays.ruled),
    ):
        if values:
            middle, most, largest = (float(np.percentile(values, p)) for p in (50, 95, 100))
            figures |= {f"{name}_median_s": round(middle, 3), f"{name}_p95_s": round(most, 3)}
            rows.append([what, f"{middle:.2f}", f"{most:.2f}", f"{largest:.2f}"])
    figures |= {f"{name}_changed": n for name, n in delays.wrong.items()} | {k: round(v, 3) for k, v in more.items()}
    return BenchResult("live", "staged", cases, figures, rows, notes=delays.notes)
