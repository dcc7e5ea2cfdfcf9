"""Rule again from what was recorded, and say what differs; append corrections.

With the record's own house rules a replay gives the same ruling lines, byte for byte.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.confirming import confirmation
from referee.corrections import problem, ruled_as
from referee.errors import InputError, UsageError
from referee.event_json import FieldError, from_object
from referee.events import Correction, Event
from referee.lines import read_lines
from referee.match import Match
from referee.options import CALLED, resolve
from referee.record import Record, dump, entry_to_json, parse_record, read_record
from referee.record_writer import RecordWriter
from referee.resume import open_record
from referee.typed import TypedGame, parse_typed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from referee.events import Seat
    from referee.options import Options
    from referee.record import Header
    from referee.ruling import Ruling


@dataclass(frozen=True, slots=True)
class Difference:
    """One field of one round that is ruled otherwise now."""

    round: int
    field: str
    before: Any
    """As recorded; None for a round that the record does not have."""
    after: Any
    """As ruled now; None for a round that is gone."""

    def __str__(self) -> str:
        return f"round {self.round}: {self.field}: {_text(self.before)} -> {_text(self.after)}"


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay gave."""

    match: Match
    differences: tuple[Difference, ...]
    identical: bool
    """Whether every ruling line is the recorded one, byte for byte."""

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings now in force."""
        return self.match.in_force


def replay(
    record: Record,
    *,
    game: str | None = None,
    options: Mapping[str, object] | None = None,
    language: str | None = None,
) -> Replay:
    """Rule again on a record's events and corrections.

    Args:
        record: as read.
        game: another rule set; None for the record's.
        options: house rules that replace the record's, by name.
        language: of the sentences; None for the record's.

    Raises:
        UsageError: a game, option or language that does not exist.
    """
    match = match_for(record, game=game, options=options, language=language, beside=True)
    for entry in record.entries:
        if isinstance(entry, Event):
            match.feed(entry)
    recorded = [dump(line) for line in record.rulings]
    now = [dump(ruling.to_json()) for ruling in match.rulings]
    before = {line["round"]: line for line in record.rulings if line.get("outcome") != "withdrawn"}
    after = {ruling.round: ruling.to_json() for ruling in match.in_force}
    return Replay(match, tuple(_differences(before, after)), recorded == now)


def match_for(
    record: Record | TypedGame,
    *,
    game: str | None = None,
    options: Mapping[str, object] | None = None,
    language: str | None = None,
    beside: bool = False,
) -> Match:
    """An empty match as the record's header says; house rules that another game does not have are left out.

    `beside`: the house rules are others than the table played by, so that the hands are read by those of the record.
    """
    header = record.header
    kept = dict(header.options) if game in (None, header.game) else {}
    asked = {**kept, **(options or {})}
    return Match(
        game=game or header.game,
        options=asked,
        seats=header.seats,
        players=header.players,
        language=language or header.language,
        played=_played(header, game or header.game, asked) if beside else None,
    )


def _played(header: Header, game: str, options: Mapping[str, object]) -> Options | None:
    """The house rules that a record's table played by, if others are asked for and the play is of the same kind."""
    played = resolve(header.game, header.options)
    alike = game == header.game or {game, header.game} <= set(CALLED)
    return played if alike and resolve(game, options) != played else None


_COMPARED = (
    "cards",
    "due",
    "decided_by",
    "first",
    "outcome",
    "awards",
    "pot",
    "piles",
    "tied",
    "held",
    "review",
    "rule",
    "reveals",
    "dice",
    "tokens",
    "decks",
)


def _differences(before: Mapping[int, Mapping[str, Any]], after: Mapping[int, Mapping[str, Any]]) -> list[Difference]:
    out = []
    for number in sorted({*before, *after}):
        old, new = before.get(number), after.get(number)
        if old is None or new is None:
            out.append(Difference(number, "round", old and old.get("rule"), new and new.get("rule")))
            continue
        changed = [name for name in _COMPARED if old.get(name) != new.get(name)]
        out.extend(Difference(number, name, old.get(name), new.get(name)) for name in changed)
    return out


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(item)}" for key, item in value.items()) or "nobody"
    return "none" if value is None else str(value)


def judge_typed(typed: TypedGame, **changes: Any) -> Match:
    """Rule on a typed game: `game`, `options` and `language` as for `replay`."""
    match = match_for(typed, **changes)
    for event in (*typed.events, *typed.corrections):
        match.feed(event)
    return match


def keep_typed(
    path: Path, out: Path, options: Mapping[str, object], *, game: str | None = None, language: str | None = None
) -> tuple[Path, Match]:
    """Rule on a file that was typed, or on a record's events, and keep a record. A malformed file writes nothing.

    Args:
        path: the file.
        out: folder of the record.
        options: house rules that replace those that the file names.
        game: to rule by, where it is not the file's own.
        language: of the sentences, where it is not the file's own.

    Returns:
        The record's path, and the match.

    Raises:
        InputError: the file cannot be read.
        RecordError: it is malformed.
        UsageError: a house rule does not exist, or the folder cannot be written.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    typed = read_game(content, str(path), game=game)
    match = judge_typed(typed, options=options, game=game, language=language)
    own = typed.header.options if game in (None, typed.header.game) else {}
    header = dataclasses.replace(
        typed.header,
        options={**own, **options},
        game=game or typed.header.game,
        language=language or typed.header.language,
    )
    with open_record(out, path.name.removesuffix(".jsonl").removesuffix(".record"), header) as record:
        for event in (*typed.events, *typed.corrections):
            record.event(event)
        for ruling in match.rulings:
            record.ruling(ruling)
        record.result(match.result())
    return record.path, match


def is_record(content: bytes, name: str = "file") -> bool:
    """Whether a file's content is a record (it begins with a header line) and not a typed game.

    Raises:
        RecordError: its first line cannot be read.
    """
    first = next(read_lines(content, name, comments=True), None)
    return first is not None and (first.value or {}).get("type") == "header"


def read_game(content: bytes, name: str, *, game: str | None = None) -> TypedGame:
    """Events to rule on, from a record or from a typed file. `game`: to rule by, where it is not the file's own.

    Raises:
        RecordError: it cannot be read; the message names file and line.
    """
    if not is_record(content, name):
        return parse_typed(content, name, game=game)

    record = parse_record(content, name)
    return TypedGame(header=record.header, events=record.events, corrections=record.corrections)


def correct(path: Path | str, correction: Correction) -> list[Ruling]:
    """Append a correction to a record, with the rulings and the result that it changes. Gives those rulings.

    Raises:
        RecordError: the file is no record.
        UsageError: the correction names nothing in it, or the file cannot be written.
    """
    with RecordWriter(path) as writer:  # whoever else corrects this record waits, and rules on what is said here too
        record = read_record(path)
        known = record.header.seats
        wrong = problem(record.events, record.corrections, correction, seats=known) or _unreadable(correction)
        if wrong:
            raise UsageError(f"{path}: {wrong}")
        match = match_for(record)
        for entry in record.entries:
            if isinstance(entry, Event):
                match.feed(entry)
        changed = match.feed(correction)
        writer.corrected(correction, changed, match.result())
    return changed


def _unreadable(correction: Correction) -> str:
    """Why a record that holds this correction could not be read again; empty if it could."""
    try:
        from_object(entry_to_json(correction))
    except FieldError as why:
        return str(why)
    return ""


def die_correction(line: Mapping[str, Any], seat: Seat, value: int, *, said_s: float) -> Correction:
    """The correction that says: this player's die had this number on top in this round, also if none was seen.

    Raises:
        UsageError: the round was not played with dice.
    """
    if "dice" not in line:
        raise UsageError(f"round {line.get('round')} was not played with dice")
    shown_s = (line.get("evidence") or {}).get("reveal_s") or {}
    return Correction(time_s=said_s, kind="die", seat=seat, value=value, at_s=shown_s.get(seat, line["time_s"]))


def correction_for(
    record: Record,
    round_number: int,
    *,
    caller: str | None = None,
    no_call: bool = False,
    card: Mapping[str, Any] | None = None,
    die: Mapping[str, Any] | None = None,
    void: bool = False,
    as_ruled: bool = False,
) -> Correction:
    """The correction that people mean when they speak of a round: its deciding call, a seat's card, or all of it.

    Args:
        record: as read.
        round_number: as in the ruling line.
        caller: who called.
        no_call: the deciding call was none.
        card: `{"seat": ..., "type": ...}`: that seat's card was of this type.
        die: `{"seat": ..., "value": ...}`: that seat's die had this number on top.
        void: the round counts for nothing.
        as_ruled: the ruling is right as it is.

    Raises:
        UsageError: the round, its call or that card does not exist.
    """
    lines = {line["round"]: line for line in record.rulings}
    if round_number not in lines:
        raise UsageError(f"there is no round {round_number}")
    line = lines[round_number]
    now_s = max((event.time_s for event in record.events), default=0.0)
    if as_ruled:
        return confirmation(line, now_s)
    cards = (line.get("evidence") or {}).get("cards") or {}
    last = cards[-1] if isinstance(cards, list) and cards else cards
    if caller or no_call:
        call = (line.get("first") or {}).get("call")
        if call is None:
            raise UsageError(f"round {round_number} has no deciding call that was heard; say who called what, and when")
        if no_call:
            return Correction(time_s=now_s, kind="not_a_call", call=call)
        return Correction(time_s=now_s, kind="caller", call=call, seat=caller, type=ruled_as(line, call))
    if card is not None:
        if card["seat"] not in last:
            raise UsageError(f"round {round_number} has no card of {card['seat']}")
        return Correction(time_s=now_s, kind="card", card=last[card["seat"]], type=card["type"])
    if die is not None:
        return die_correction(line, die["seat"], die["value"], said_s=now_s)
    if void and last:
        return Correction(time_s=now_s, kind="void", card=next(iter(last.values())))
    raise UsageError(f"round {round_number}: say what to correct: caller, no call, a card, a die or the whole round")
