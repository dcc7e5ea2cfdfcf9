"""What a correction said and what it changed, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.report.words import clock

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


def correction_words(c: Correction, rulings: Sequence[Mapping[str, Any]]) -> str:
    """One correction as a sentence, naming round and seat where the rulings tell them."""
    who = f" (said {c.by})" if c.by else ""
    return f"{_words(c, rulings)}{who}."


def _words(c: Correction, rulings: Sequence[Mapping[str, Any]]) -> str:
    if c.kind == "undo":
        return f"Correction {c.target} is taken back"
    if c.kind == "call":
        return f"{c.seat or 'Somebody'} called {c.type.value if c.type else '?'} at {clock(c.at_s or 0.0, 3)}"
    if c.kind == "caller":
        return f"{_call_place(c, rulings)} was made by {c.seat}"
    if c.kind == "not_a_call":
        return f"{_call_place(c, rulings)} was no call"
    place = _card_place(c, rulings)
    if c.kind == "void":
        return f"{place} counts for nothing"
    parts = [f"was {c.type.value}"] if c.type else []
    parts += [f"was played by {c.seat}"] if c.seat else []
    return f"{place}: card {c.card} {' and '.join(parts) or 'was corrected'}"


def _call_place(c: Correction, rulings: Sequence[Mapping[str, Any]]) -> str:
    for line in rulings:
        for call in line.get("calls") or ():
            if call.get("call") == c.call:
                word = call.get("word") or call.get("type")
                return f"Round {line['round']}: the call “{word}” at {clock(call['onset_s'], 3)}"
    return f"Call {c.call}"


def _card_place(c: Correction, rulings: Sequence[Mapping[str, Any]]) -> str:
    for line in rulings:
        given = (line.get("evidence") or {}).get("cards") or {}
        groups = given if isinstance(given, list) else [given]
        if any(c.card in group.values() for group in groups):
            return f"Round {line['round']}"
    return "A round"


WATCHED = ("cards", "due", "first", "outcome", "awards", "pot", "piles", "review")
"""Fields of a ruling line whose change people care about."""


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """What changed between two rulings on the same round, one line a field."""
    return tuple(
        f"{field}: {_say(field, before.get(field))} → {_say(field, after.get(field))}"
        for field in WATCHED
        if _say(field, before.get(field)) != _say(field, after.get(field))
    )


def all_differences(
    before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]]
) -> list[tuple[int, tuple[str, ...]]]:
    """Round by round what differs between two judgements; rounds that only one of them has are told too."""
    old, new = {line["round"]: line for line in before}, {line["round"]: line for line in after}
    out: list[tuple[int, tuple[str, ...]]] = []
    for number in sorted(old | new):
        if number not in new:
            out.append((number, ("there is no such round any more",)))
        elif number not in old:
            out.append((number, (f"new: {_say('outcome', new[number].get('outcome'))}",)))
        elif changed := differences(old[number], new[number]):
            out.append((number, changed))
    return out


def _say(field: str, value: Any) -> str:
    if field == "first":
        return f"{value.get('seat') or 'somebody'} {value.get('type')}" if isinstance(value, dict) else "nobody"
    if field == "due":
        return str(value) if value is not None else "silence or unknown"
    if isinstance(value, dict):
        return ", ".join(f"{k} {v if v is not None else 'unread'}" for k, v in value.items()) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
