"""From a record to the game that is shown: the newest ruling of each round, joined with the events it rests on."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from referee.events import NOT_UNDERSTOOD, CallHeard, CardsGone, CardShown
from referee.messages import known_language
from referee.messages.labels import label
from referee.options import resolve
from referee.report.changes import correction_words, differences, undone
from referee.report.game import Call, Card, Correction, Game, Round
from referee.report.words import type_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from referee.record import Record

Line = dict[str, Any]


def game_of(record: Record, *, name: str, recording: Path | None = None) -> Game:
    """The game of a record.

    Args:
        record: as read.
        name: what the game is called, for headings and file names.
        recording: the file that was judged, or None when it is not at hand.
    """
    newest, first = newest_rulings(record.rulings)
    language = known_language(record.header.language)
    shown = {e.card: e for e in record.events if isinstance(e, CardShown)}
    gone = [e for e in record.events if isinstance(e, CardsGone)]
    sigmas = NormalDist().inv_cdf(resolve(record.header.game, record.header.options).certainty)
    rounds = []
    for line in newest:
        changed = differences(first[line["round"]], line, language) if record.corrections else ()
        rounds.append(_round(line, shown, gone, sigmas, changed=changed, language=language))
    taken_back = undone(record.corrections)
    said = tuple(
        Correction(n, correction_words(c, newest, language, game=record.header.game), n in taken_back)
        for n, c in enumerate(record.corrections, 1)
    )
    header = {**record.header.to_json(), "seats": _seats(record, newest)}
    return Game(
        header=header,
        rounds=tuple(rounds),
        result=dict(record.result or {}),
        corrections=said,
        stray=_stray(record.events, rounds),
        recording=recording,
        name=name,
        players=_names(record.header.extra.get("names")),
    )


def newest_rulings(lines: Sequence[Mapping[str, Any]]) -> tuple[list[Line], dict[int, Line]]:
    """The last ruling on each round that still exists, in order, and the first one by round."""
    newest: dict[int, Line] = {}
    first: dict[int, Line] = {}
    for line in lines:
        if line.get("outcome") == "withdrawn":
            newest.pop(line["round"], None)
            continue
        newest[line["round"]] = dict(line)
        first.setdefault(line["round"], dict(line))
    return [newest[n] for n in sorted(newest)], first


def cards_of(line: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Seat and running number of every card that a ruling rests on; hands show several a seat."""
    given = (line.get("evidence") or {}).get("cards") or {}
    groups = given if isinstance(given, list) else [given]
    return [(str(seat), int(card)) for group in groups for seat, card in group.items()]


def _seats(record: Record, lines: Iterable[Line]) -> list[str]:
    if record.header.seats is not None:
        return list(record.header.seats)
    return list(dict.fromkeys(seat for line in lines for seat in (line.get("piles") or {})))


def _names(given: object) -> dict[str, str]:
    return {str(k): str(v) for k, v in given.items()} if isinstance(given, dict) else {}


def _round(
    line: Line,
    shown: Mapping[int, CardShown],
    gone: Sequence[CardsGone],
    sigmas: float,
    *,
    changed: tuple[str, ...],
    language: str,
) -> Round:
    evidence = line.get("evidence") or {}
    ids = dict(cards_of(line))  # of several cards a seat the last, which decided
    cards = [_card(seat, kind, shown.get(ids.get(seat, -1))) for seat, kind in (line.get("cards") or {}).items()]
    cards += _dice(line)
    unplaced = list(evidence.get("unplaced") or ())
    cards += [_card(None, _type(shown[n]), shown[n]) for n in unplaced if n in shown]
    mine = {*ids.values(), *unplaced}
    left = [e.time_s for e in gone if mine & set(e.cards)]
    calls = sorted((_call(c, line.get("first"), language) for c in line.get("calls") or ()), key=lambda c: c.onset_s)
    return Round(
        line=line,
        cards=tuple(cards),
        calls=tuple(calls),
        gone_s=min(left, default=None),
        changed=changed,
        certain_sigmas=sigmas,
    )


def _dice(line: Line) -> list[Card]:
    """Rorschach's dice, shown in the place of cards."""
    shown = (line.get("evidence") or {}).get("reveal_s") or {}
    dice = (line.get("dice") or {}).items()
    return [Card(seat, None if n is None else f"answer {n}", reveal_s=shown.get(seat)) for seat, n in dice]


def _card(seat: str | None, kind: str | None, event: CardShown | None) -> Card:
    """What the ruling says lay there, with the evidence of the event that showed it."""
    if event is None:
        return Card(seat, kind)
    return Card(
        seat=seat,
        type=kind,
        card=event.card,
        confidence=event.confidence if kind is not None and kind == _type(event) else None,
        corners=event.corners,
        reveal_s=event.time_s,
        reveal_sigma_ms=event.sigma_ms,
        rest_s=event.rest_s,
        reason=event.reason,
    )


def _type(event: CardShown) -> str | None:
    return event.type.value if event.type is not None else None


def word_of(call: Mapping[str, Any], language: str) -> str:
    """The word of a call in a ruling line as people said it, or what stands in its place."""
    if call.get("word"):
        return str(call["word"])
    if "card" in call:
        return label("word.touch", language)
    if call.get("reason") == NOT_UNDERSTOOD or ("heard" in call and call["heard"] is None):
        return label("word.unheard", language)
    return type_words(call.get("type"), language) or "?"


def _call(line: Mapping[str, Any], first: object, language: str) -> Call:
    """A call or a touch out of a ruling line; the deciding one is whose the ruling says, as where the hands told it."""
    kind = line.get("type")
    ruled = first if isinstance(first, dict) and line.get("call") is not None else {}
    decides = bool(ruled) and ruled.get("call") == line.get("call")
    return Call(
        seat=line.get("seat") or (ruled.get("seat") if decides else None),
        type=kind,
        word=word_of(line, language),
        onset_s=float(line.get("onset_s") or 0.0),
        sigma_ms=line.get("sigma_ms"),
        counted=bool(line.get("counted")),
        reason=str(line.get("reason") or ""),
        number=line.get("call"),
        language=str(line.get("language") or ""),
        probability=line.get("probability"),
        tier=str(line.get("tier") or ""),
        seats=tuple((str(k), float(v)) for k, v in (line.get("seats") or {}).items()),
        contested=bool(line.get("contested")),
    )


def _stray(events: Iterable[object], rounds: Iterable[Round]) -> tuple[Call, ...]:
    """Words that no round lists."""
    listed = {round(c.onset_s, 5) for r in rounds for c in r.calls}
    return tuple(
        Call(
            seat=None,
            type=e.type.value if e.type else None,
            word=e.word,
            onset_s=e.time_s,
            sigma_ms=e.sigma_ms,
            counted=False,
            reason=e.reason,
            language=e.language,
            probability=e.probability,
            tier=e.tier,
            contested=e.contested,
        )
        for e in events
        if isinstance(e, CallHeard) and round(e.time_s, 5) not in listed
    )
