"""What `referee correct` tells: what was said, what asks to be looked at, what else may have happened, what changed.

All of it is in the record's language, one line each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.messages import known_language, say
from referee.messages.labels import label
from referee.messages.reasons import reason
from referee.report.changes import correction_words, undone
from referee.report.reading import newest_rulings, word_of
from referee.report.words import percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from referee.record import Record
    from referee.report.challenge import Alternative, Changes

Line = dict[str, Any]
LEAST = 0.001
"""Nothing that people may say is told of as impossible."""
_SHOWN = ("first", "outcome", "awards", "cards")
"""Fields whose change tells most."""


def language_of(record: Record) -> str:
    """The language in which people are told."""
    return known_language(record.header.language)


def overview(record: Record) -> Iterator[str]:
    """What was corrected, and which rounds ask to be looked at."""
    game, language, lines = record.header.game, language_of(record), newest_rulings(record.rulings)[0]
    taken_back = undone(record.corrections)
    for n, c in enumerate(record.corrections, 1):
        said = label("offer.correction", language, n=n, words=correction_words(c, lines, language, game=game))
        yield said + (f" ({label('taken_back', language)})" if n in taken_back else "")
    reviews = [line for line in lines if line.get("review")]
    for line in reviews:
        asked = " ".join(line.get("questions") or [str(line.get("why") or "")])
        yield label("offer.round", language, n=line["round"], words=asked)
    if not reviews:
        yield label("offer.no_review", language)
    yield label("offer.name", language)


def offer(line: Line, offered: list[Alternative], language: str, *, right: bool) -> Iterator[str]:
    """A round with its calls, what is asked about it, and what else may have happened."""
    yield label("offer.round", language, n=line["round"], words=line.get("why") or "")
    for call in line.get("calls") or ():
        yield f"  {_call(call, language)}"
    for question in line.get("questions") or ():
        yield label("offer.asked", language, words=question)
    if right:
        yield label("offer.right", language)
    yield label("offer.otherwise" if offered else "offer.nothing", language)
    for k, one in enumerate(offered, 1):
        changed = _short(one.changes, line["round"], language)
        yield f"  {k}  {one.words} ({percent(max(LEAST, one.weight), language)}): {changed}"


def _call(call: Mapping[str, Any], language: str) -> str:
    fate = label("counted" if call.get("counted") else "not_counted", language)
    if not call.get("counted"):
        fate += f": {reason(str(call.get('reason') or ''), language)}"
    who = say(call["seat"], language) if call.get("seat") else label("somebody", language)
    at = f"{call['onset_s']:.3f}"
    return label("offer.call", language, n=call.get("call"), who=who, word=word_of(call, language), at=at, fate=fate)


def _short(changes: Changes, number: int, language: str) -> str:
    """What changes in the round itself, and how many others follow."""
    here = next((what for n, what in changes if n == number), ())
    named = tuple(label(f"diff.{field}", language) for field in _SHOWN)
    shown = [w for w in here if w.startswith(named)] or list(here)
    others = sum(n != number for n, _ in changes)
    return "; ".join(shown[:3]) + (f"; {label('ask.more', language, n=others)}" if others else "")


def changed_lines(changes: Changes, language: str) -> Iterator[str]:
    """Round by round what a correction changes."""
    if not changes:
        yield label("offer.same", language)
    for number, what in changes:
        yield label("offer.round", language, n=number, words="; ".join(what))
