"""What one line of a typed game may say, and the events that it becomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.event_json import FieldError, from_object
from referee.events import (
    BlotRemoved,
    BlotReplaced,
    CallHeard,
    CardsGone,
    CardShown,
    CardTouched,
    Correction,
    Dealt,
    DieShown,
    Event,
    HandDrawn,
    QuestionRead,
    RecordingEnded,
    Reshuffled,
    SeatChanged,
    Type,
)
from referee.options import GAMES, ROCK_LIKE

if TYPE_CHECKING:
    from referee.events import Seat

WORDS: dict[str, Type] = {
    **dict.fromkeys(("rock", "stein", "piedra", "bawi"), Type.ROCK),
    **dict.fromkeys(("paper", "papier", "papel", "bo"), Type.PAPER),
    **dict.fromkeys(("scissors", "schere", "tijera", "tijeras", "gawi"), Type.SCISSORS),
}
"""Words that name a type when typed, in lower case."""

AROUND_WORDS = " \t!¡?¿.,…\"'“”„«»"
"""What people type around a word that was called."""

ROUND_S = 5.0
"""Time from one line to the next round's cards when none is given: silence in between is long enough to be one."""
CALL_S = 0.8
"""Time from cards to the call on the next line when none is given."""
OTHER_S = 2.0
"""Time from one line to what else happens when none is given."""
SIGMA_MS = 1.0
"""Error of a typed time: what people type is meant."""


@dataclass(slots=True)
class Typing:
    """What was read so far."""

    game: str = "rock"
    is_game_said: bool = False
    """Whether the file, or who asks, says which game it is."""
    players: set[Seat] | None = None
    """Who plays; None if the file does not say."""
    count: int | None = None
    """How many play, if the file gives their number; who they are the first cards or dice show."""
    now_s: float = 0.0
    end_s: float | None = None
    last_s: float = 0.0
    """Time of the last event so far."""
    cards: int = 0
    lying: dict[int, tuple[Seat | None, Type | None]] = field(default_factory=dict)
    shown: set[Seat] = field(default_factory=set)
    """Who showed a card, or moved here."""
    events: list[Event] = field(default_factory=list)

    def at(self, line: dict[str, Any], default_s: float) -> float:
        """The line's time, and the clock put to it."""
        if "t" in line and "after_ms" in line:
            raise FieldError("give t or after_ms, not both")
        if "t" in line:
            self.now_s = _number(line.pop("t"), "t", most=1e9)
        elif "after_ms" in line:
            self.now_s = round(self.now_s + _number(line.pop("after_ms"), "after_ms", most=1e9) / 1000, 6)
        else:
            self.now_s = round(self.now_s + default_s, 6)
        return self.now_s

    def player(self, value: Any) -> Seat:
        """A player's name, one of those who play."""
        name = seat_name(value)
        if self.players is not None and name not in self.players:
            raise FieldError(f"{show(name)} does not play; the players are {', '.join(sorted(self.players))}")
        if self.count is not None and name not in self.shown and len(self.shown) >= self.count:
            raise FieldError(
                f"{show(name)} is one too many; the {self.count} players are {', '.join(sorted(self.shown))}"
            )
        return name

    def by_player(self, value: Any) -> dict[Seat, Any]:
        """What a line gives for each of one to eight players."""
        if not isinstance(value, dict) or not value or len(value) > 8:
            raise FieldError(f"{show(value)} is not an object of one to eight players")
        given = {self.player(name): item for name, item in value.items()}
        if self.count is not None and len(self.shown | set(given)) > self.count:
            raise FieldError(f"{', '.join(sorted(self.shown | set(given)))} are more than the {self.count} players")
        return given

    def add(self, events: Sequence[Event]) -> None:
        """Take what a line became. Nothing happens after the end."""
        self.events += events
        for event in events:
            if isinstance(event, Correction):
                continue
            self.last_s = max(self.last_s, event.time_s)
            if isinstance(event, RecordingEnded):
                self.end_s = event.time_s
        if self.end_s is not None and self.last_s > self.end_s:
            raise FieldError(f"something comes after the end of the game at {self.end_s:g} s")


def typed_line(line: dict[str, Any], typing: Typing) -> None:
    """Turn one line into its events."""
    if "event" in line:
        event = from_object(line)
        typing.now_s = max(typing.now_s, event.time_s) if not isinstance(event, Correction) else typing.now_s
        typing.add([event])
        if isinstance(event, CardShown):
            typing.cards = max(typing.cards, event.card)
            typing.lying[event.card] = (event.seat, event.type)
        if isinstance(event, CardShown | DieShown):
            typing.shown.update([event.seat] if event.seat else [])
        return
    kinds = [key for key in _LINES if key in line]
    if len(kinds) != 1:
        known = ", ".join(_LINES)
        raise FieldError(f"needs one of {known}" if not kinds else f"{kinds[0]!r} and {kinds[1]!r} are two lines")
    make, games = _LINES[kinds[0]]
    if typing.game not in games:
        unsaid = "" if typing.is_game_said else f'; name another in a first line: {{"game": "{min(games)}"}}'
        raise FieldError(f"{kinds[0]!r} does not go with game {typing.game}{unsaid}")
    value = line.pop(kinds[0])
    events = make(value, line, typing)
    if line:
        raise FieldError(f"{next(iter(line))!r} does not go with {kinds[0]!r}")
    typing.add(events)


def _cards(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    time_s = typing.at(line, ROUND_S)
    events: list[Event] = []
    for seat, face in typing.by_player(value).items():
        typing.cards += 1
        kind = None if face in ("?", None) else _type(face)
        events.append(
            CardShown(
                time_s=time_s,
                sigma_ms=SIGMA_MS,
                seat=seat,
                card=typing.cards,
                type=kind,
                confidence=1.0 if kind else 0.0,
                reason="" if kind else "unsure",
            )
        )
        typing.lying[typing.cards] = (seat, kind)
        typing.shown.add(seat)
    return events


def _call(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    time_s = typing.at(line, CALL_S)
    if not isinstance(value, str) or not value.strip():
        raise FieldError(f"call: {show(value)} is not a word")
    kind = WORDS.get(value.strip(AROUND_WORDS).lower())
    return [
        CallHeard(
            time_s=time_s,
            sigma_ms=SIGMA_MS,
            end_s=time_s,
            type=kind,
            word=value[:100],
            probability=1.0 if kind else 0.0,
            seats=_by(line, typing),
            tier="people",
            reason="" if kind else "no type",
        )
    ]


def _by(line: dict[str, Any], typing: Typing) -> dict[Seat, float]:
    """Who did it; nobody knows if it is left out."""
    name = line.pop("by", "?")
    if name == "?":
        return {}
    who = typing.player(name)
    if typing.players is None and typing.shown and who not in typing.shown:
        known = ", ".join(sorted(typing.shown))
        raise FieldError(f"by: {show(name)} has shown no card, {known} have; give players if there are more")
    return {who: 1.0}


def _touch(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    kind = _type(value)
    time_s = typing.at(line, CALL_S)
    cards = [card for card, (_, lies) in typing.lying.items() if lies is kind]
    if not cards:
        raise FieldError(f"touch: no card of type {kind} lies in the centre")
    seat = next(iter(_by(line, typing)), None)
    return [CardTouched(time_s=time_s, sigma_ms=SIGMA_MS, seat=seat, card=cards[-1])]


def _taken(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    """`all`, or whose cards, taken by somebody."""
    time_s = typing.at(line, OTHER_S)
    if value == "all":
        cards = tuple(typing.lying)
    else:
        owners = {typing.player(seat) for seat in (value if isinstance(value, list) else [value])}
        cards = tuple(card for card, (seat, _) in typing.lying.items() if seat in owners)
    for card in cards:
        del typing.lying[card]
    return [CardsGone(time_s=time_s, sigma_ms=SIGMA_MS, cards=cards, to_seat=next(iter(_by(line, typing)), None))]


def _dice(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    time_s = typing.at(line, ROUND_S)
    events: list[Event] = []
    given = typing.by_player(value)
    if typing.count is not None and len(given) < typing.count:
        raise FieldError(f'dice: {len(given)} of {typing.count} players; write "?" for a die that nobody could read')
    typing.shown.update(given)
    for seat, number in given.items():
        if number is not None and number != "?" and (isinstance(number, bool) or not isinstance(number, int)):
            raise FieldError(f"dice: {show(number)} is not a number on a die")
        known = None if number in ("?", None) else number
        sure = float(known is not None)
        events.append(DieShown(time_s=time_s, sigma_ms=SIGMA_MS, seat=seat, value=known, confidence=sure))
    return events


def _question(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    if not isinstance(value, str):
        raise FieldError(f"question: {show(value)} is not a text")
    return [QuestionRead(time_s=typing.at(line, ROUND_S), text=value[:1000])]


def _deal(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    time_s = typing.at(line, ROUND_S)
    typing.lying.clear()
    if value is True:
        return [Reshuffled(time_s=time_s)]
    counts = typing.by_player(value)
    if not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= 1000 for n in counts.values()):
        raise FieldError(f"deal: {show(value)} does not give a number of cards for each player")
    return [Dealt(time_s=time_s, cards=counts)]


def _moves(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    seat, to_seat = typing.player(value), seat_name(line.pop("to", None))
    if typing.players is not None:
        typing.players.add(to_seat)
    elif typing.count is not None and to_seat not in typing.shown:
        typing.count += 1
    typing.shown.add(to_seat)
    return [SeatChanged(time_s=typing.at(line, ROUND_S), seat=seat, to_seat=to_seat)]


def _blot(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 8:
        raise FieldError(f"{show(value)} is not an inkblot's number")
    return value


def _end(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    if value is not True:
        raise FieldError(f"end: {show(value)} is not true")
    return [RecordingEnded(time_s=typing.at(line, ROUND_S))]


def _draws(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    return [HandDrawn(time_s=typing.at(line, OTHER_S), seat=typing.player(value))]


def _removed(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    return [BlotRemoved(time_s=typing.at(line, OTHER_S), blot=_blot(value))]


def _replaced(value: Any, line: dict[str, Any], typing: Typing) -> list[Event]:
    return [BlotReplaced(time_s=typing.at(line, OTHER_S), blot=_blot(value))]


_Maker = Callable[[Any, "dict[str, Any]", Typing], "list[Event]"]
_WITH_CARDS = frozenset({*ROCK_LIKE, "hands"})
_LINES: dict[str, tuple[_Maker, frozenset[str]]] = {
    "cards": (_cards, _WITH_CARDS),
    "call": (_call, frozenset(ROCK_LIKE)),
    "touch": (_touch, frozenset({"tournament"})),
    "taken": (_taken, _WITH_CARDS),
    "dice": (_dice, frozenset({"rorschach"})),
    "question": (_question, frozenset({"rorschach"})),
    "deal": (_deal, frozenset(GAMES)),
    "moves": (_moves, frozenset(GAMES)),
    "draws": (_draws, frozenset({"hands"})),
    "removed": (_removed, frozenset({"rorschach"})),
    "replaced": (_replaced, frozenset({"rorschach"})),
    "end": (_end, frozenset(GAMES)),
}
"""Every kind of line with the games that have it."""


def show(value: object) -> str:
    """A value as an error quotes it."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _number(value: Any, key: str, *, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise FieldError(f"{key}: {show(value)} is not a time")
    return float(value)


def seat_name(value: Any) -> Seat:
    """A name that a player, or a side of the table, may have."""
    if not isinstance(value, str) or not value.strip() or len(value) > 60 or not value.isprintable():
        raise FieldError(f"{show(value)} is not a player")
    return value.strip()


def _type(value: Any) -> Type:
    kind = WORDS.get(value.strip().lower()) if isinstance(value, str) else None
    if kind is None:
        raise FieldError(f"{show(value)} is no type of card; use rock, paper, scissors or ?")
    return kind
