"""Which type wins: the heart of every rule sheet, for 2, 3 and 4 cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.events import Type

if TYPE_CHECKING:
    from collections.abc import Sequence

BEATEN_BY: dict[Type, Type] = {Type.ROCK: Type.PAPER, Type.PAPER: Type.SCISSORS, Type.SCISSORS: Type.ROCK}
"""Paper wraps rock, scissors cut paper, rock blunts scissors ("Traditional Rock, Paper, Scissors Rules")."""


def beats(one: Type, other: Type) -> bool:
    """Whether `one` beats `other`."""
    return BEATEN_BY[other] is one


def due_type(cards: Sequence[Type]) -> Type | None:
    """The winning type of a round, or None when silence is due. Who played what never matters.

    Two types: the one that beats the other, whatever the counts. One type: silence. Three types: silence among three
    cards; among four, the type with two cards.

    Raises:
        ValueError: for fewer than 2 or more than 4 cards: the sheet has no such game.
    """
    if not 2 <= len(cards) <= 4:
        raise ValueError(f"a round has 2 to 4 cards, not {len(cards)}")
    kinds = set(cards)
    if len(kinds) == 2:
        one, other = kinds
        return one if beats(one, other) else other
    if len(kinds) == 3 and len(cards) == 4:
        return next(kind for kind in cards if cards.count(kind) == 2)
    return None
