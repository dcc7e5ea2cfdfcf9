"""That a ruling is right as it is: people have looked, and what was asked about the round is answered.

A confirmation names its round by a card, and what it confirms: outcome, who was first and with what. It holds while the
round is ruled so; a later correction that makes another ruling of it brings the questions back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.corrections import in_force
from referee.errors import UsageError
from referee.events import Correction, Type

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from referee.events import Seat

AS_RULED = "as_ruled"
"""The kind of these corrections."""
Confirmed = tuple[int, str, "Seat | None", "Type | None"]
"""Card, outcome, seat and type of what people confirmed."""

DEPENDS = "pot_depends"
"""The one question that is about other rounds: it is answered there."""
_UNRULED = ("open", "withdrawn")


def confirmed(corrections: Sequence[Correction]) -> frozenset[Confirmed]:
    """What the confirmations in force say."""
    said = [c for _, c in in_force(corrections) if c.kind == AS_RULED]
    return frozenset((c.card, c.outcome, c.seat, c.type) for c in said if c.card is not None)


def stands(
    what: Collection[Confirmed], cards: Collection[int], outcome: str, seat: Seat | None, kind: Type | None
) -> bool:
    """Whether a round of these cards, ruled so, was confirmed."""
    return any(one[0] in cards and one[1:] == (outcome, seat, kind) for one in what)


def is_confirmable(line: Mapping[str, Any]) -> bool:
    """Whether people are asked about a round, and a ruling is there that may be right."""
    asked = set(line.get("reviews") or ()) - {DEPENDS}
    ruled = line.get("outcome") not in _UNRULED and line.get("round") not in (line.get("depends_on") or ())
    return bool(asked) and ruled and _card(line) is not None


def confirmation(line: Mapping[str, Any], time_s: float) -> Correction:
    """The correction that says: this ruling line is right as it is.

    Raises:
        UsageError: nothing is asked about the round that this would answer, or it is not ruled yet.
    """
    if not is_confirmable(line):
        number = line.get("round")
        if not line.get("review"):
            raise UsageError(f"round {number} is not in review: there is nothing to confirm")
        if set(line.get("reviews") or ()) == {DEPENDS}:
            raise UsageError(f"round {number} hangs on earlier rounds: say what is right there")
        if "dice" in line:
            raise UsageError(f"round {number} was played with dice: say what those asked about showed")
        raise UsageError(f"round {number} is not decided: say what happened")
    first = line.get("first") or {}
    kind = first.get("type")
    return Correction(
        time_s=time_s,
        kind=AS_RULED,
        card=_card(line),
        seat=first.get("seat") or line.get("winner"),
        type=Type(kind) if kind else None,
        outcome=str(line["outcome"]),
    )


def _card(line: Mapping[str, Any]) -> int | None:
    """A card that names the round; None in a game without cards."""
    evidence = line.get("evidence") or {}
    given = evidence.get("cards") or {}
    groups = given if isinstance(given, list) else [given]
    numbers = [*(int(card) for group in groups for card in group.values()), *(evidence.get("unplaced") or ())]
    return numbers[0] if numbers else None
