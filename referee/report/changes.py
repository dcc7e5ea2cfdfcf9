"""What a correction said and what it changed, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.messages import say
from referee.messages.labels import label
from referee.report.words import begun, clock, outcome_words, type_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from referee.events import Correction

Line = dict[str, Any]


def undone(corrections: Sequence[Correction]) -> set[int]:
    """Numbers, from 1, of the corrections that do not hold: taken back by an `undo` that itself holds."""
    out: set[int] = set()
    for number in range(len(corrections), 0, -1):  # later ones first: an undo may itself be undone
        c = corrections[number - 1]
        if c.kind == "undo" and number not in out and c.target is not None and 0 < c.target < number:
            out.add(c.target)
    return out


def correction_words(
    c: Correction, rulings: Sequence[Mapping[str, Any]], language: str = "en", *, game: str = "rock"
) -> str:
    """One correction as a sentence, naming round and seat where the rulings tell them; in some games people touch."""
    words = _words(c, rulings, language, touched=game == "tournament")
    return begun(f"{label('corr.by', language, words=words, by=c.by) if c.by else words}.")


def _words(c: Correction, rulings: Sequence[Mapping[str, Any]], language: str, *, touched: bool) -> str:
    if c.kind == "undo":
        return label("corr.undo", language, n=c.target)
    seat = say(c.seat, language) if c.seat else label("corr.somebody", language)
    kind = say(c.type, language) if c.type else "?"
    if c.kind == "call":
        key = "corr.touch" if touched else "corr.call"
        return label(key, language, seat=seat, kind=kind, at=clock(c.at_s or 0.0, 3))
    if c.kind in ("caller", "not_a_call"):
        key = "corr.caller" if c.kind == "caller" else "corr.no_touch" if touched else "corr.no_call"
        return label(key, language, place=_call_place(c, rulings, language, touched=touched), seat=seat)
    if c.kind == "die":
        return label("corr.die", language, place=_die_place(c, rulings, language), seat=seat, n=c.value)
    place = _card_place(c, rulings, language)
    if c.kind in ("void", "as_ruled"):
        return label("corr.void" if c.kind == "void" else "corr.as_ruled", language, place=place)
    parts = [label("corr.was", language, kind=kind)] if c.type else []
    parts += [label("corr.played", language, seat=seat)] if c.seat else []
    what = label("corr.both", language, one=parts[0], other=parts[1]) if len(parts) == 2 else "".join(parts)
    return label("corr.card", language, place=place, card=c.card, what=what or label("corr.some", language))


def _call_place(c: Correction, rulings: Sequence[Mapping[str, Any]], language: str, *, touched: bool) -> str:
    for line in rulings:
        for call in line.get("calls") or ():
            if call.get("call") == c.call:
                word, at = call.get("word") or type_words(call.get("type"), language) or "?", clock(call["onset_s"], 3)
                key = "corr.touch_place" if touched else "corr.place"
                return label(key, language, round=line["round"], word=word, at=at)
    return label("corr.touch_n" if touched else "corr.call_n", language, n=c.call)


def _card_place(c: Correction, rulings: Sequence[Mapping[str, Any]], language: str) -> str:
    for line in rulings:
        given = (line.get("evidence") or {}).get("cards") or {}
        groups = given if isinstance(given, list) else [given]
        if any(c.card in group.values() for group in groups):
            return label("corr.round", language, round=line["round"])
    return label("corr.a_round", language)


def _die_place(c: Correction, rulings: Sequence[Mapping[str, Any]], language: str) -> str:
    """The round whose dice were shown then: the first that had not ended."""
    for line in rulings:
        if (c.at_s or 0.0) <= ((line.get("evidence") or {}).get("end_s") or 0.0):
            return label("corr.round", language, round=line["round"])
    return label("corr.a_round", language)


WATCHED = ("cards", "dice", "due", "first", "outcome", "awards", "pot", "piles", "review")
"""Fields of a ruling line whose change people care about."""


def changed_fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The names of the watched fields in which two rulings on the same round differ, as people would be told."""
    return [f for f in WATCHED if value_words(f, before.get(f), "en") != value_words(f, after.get(f), "en")]


def differences(before: Mapping[str, Any], after: Mapping[str, Any], language: str = "en") -> tuple[str, ...]:
    """What changed between two rulings on the same round, one line a field."""
    told = [
        (field, value_words(field, before.get(field), language), value_words(field, after.get(field), language))
        for field in WATCHED
    ]
    return tuple(f"{label(f'diff.{field}', language)}: {old} → {new}" for field, old, new in told if old != new)


def all_differences(
    before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]], language: str = "en"
) -> list[tuple[int, tuple[str, ...]]]:
    """Round by round what differs between two judgements; rounds that only one of them has are told too."""
    old, new = {line["round"]: line for line in before}, {line["round"]: line for line in after}
    out: list[tuple[int, tuple[str, ...]]] = []
    for number in sorted(old | new):
        if number not in new:
            out.append((number, (label("diff.gone", language),)))
        elif number not in old:
            outcome = value_words("outcome", new[number].get("outcome"), language)
            out.append((number, (label("diff.new", language, outcome=outcome),)))
        elif changed := differences(old[number], new[number], language):
            out.append((number, changed))
    return out


def value_words(field: str, value: Any, language: str) -> str:
    """The value of a ruling's field in words."""
    if field == "first":
        if not isinstance(value, dict):
            return label("diff.nobody", language)
        who = say(value["seat"], language) if value.get("seat") else label("diff.somebody", language)
        return f"{who} {type_words(value.get('type'), language)}"
    if field == "due":
        return type_words(value, language) if value is not None else label("diff.open", language)
    if field == "outcome":
        return outcome_words(value, language)
    if field == "decided_by" and value is not None:
        return label(f"by.{value}", language)
    return label("diff.none", language) if value is None else _plain_words(value, language)


def _plain_words(value: Any, language: str) -> str:
    """A value without regard to its field; what a seat has may be a type, a count, or a card that was not read."""
    if isinstance(value, dict):
        each = [f"{say(k, language)} {_value(v, language)}" for k, v in value.items()]
        return ", ".join(each) or label("diff.none", language)
    if isinstance(value, list):
        return "; ".join(_plain_words(one, language) for one in value) or label("diff.none", language)
    return say(value, language) if isinstance(value, bool | str) else str(value)


def _value(value: Any, language: str) -> str:
    if value is None:
        return label("diff.unread", language)
    return type_words(value, language) if isinstance(value, str) else _plain_words(value, language)
