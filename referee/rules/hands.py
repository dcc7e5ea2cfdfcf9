"""Three-card hands: who wins a reveal, what each player still has, and which reveal is impossible.

Each player has a deck of equal thirds and a hand of three. The winner of a round keeps the hand, the loser discards it
and draws three; after three ties both do. Whoever cannot draw three is out (rule sheet, "How to Play").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.quick import quick
from referee.rules.types import beats

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.events import Type

HAND = 3
"""Cards in a hand, and the most reveals in a round."""


@quick
@dataclass(frozen=True, slots=True)
class Holding:
    """What one player has, as far as the reveals tell. Deck, hand and discard pile together never change."""

    deck: int
    """Cards left to draw."""
    each: int
    """How many cards of each type the player began with."""
    hand: int = HAND
    discarded: int = 0
    known: Mapping[Type, int] = field(default_factory=dict)
    """For each type: how many the present hand must hold at least."""
    gone: Mapping[Type, int] = field(default_factory=dict)
    """For each type: how many the discarded hands must have held at least."""

    @property
    def total(self) -> int:
        """All cards of this player."""
        return self.deck + self.hand + self.discarded

    @property
    def hands_left(self) -> int:
        """How many hands can still be drawn."""
        return self.deck // HAND

    @property
    def out(self) -> bool:
        """Whether the player had to draw and could not."""
        return self.hand < HAND


def dealt(cards: int) -> Holding:
    """A player's holding at the start, with the first hand drawn.

    Args:
        cards: of both players together, a multiple of 6 of at least 18.
    """
    mine = cards // 2
    return Holding(deck=mine - HAND, each=mine // 3)


def winner_of(one: Type, other: Type) -> int | None:
    """0 if the first card wins, 1 if the second does, None for a tie."""
    if one is other:
        return None
    return 0 if beats(one, other) else 1


def can_hold(holding: Holding, revealed: Sequence[Type]) -> bool:
    """Whether a player can have revealed these cards, one after the other, in one round."""
    hand = _at_least(holding, revealed)
    for kind, count in hand.items():
        if count + holding.gone.get(kind, 0) > holding.each:
            return False
    return sum(hand.values()) <= HAND


def impossible_card(holding: Holding, revealed: Sequence[Type]) -> Type | None:
    """The first of the revealed cards that the player cannot have held, or None if all are possible."""
    if can_hold(holding, revealed):
        return None
    return next(kind for number, kind in enumerate(revealed, 1) if not can_hold(holding, revealed[:number]))


def keep_hand(holding: Holding, revealed: Sequence[Type]) -> Holding:
    """The winner takes the revealed cards back into hand."""
    return Holding(
        holding.deck, holding.each, holding.hand, holding.discarded, _at_least(holding, revealed), holding.gone
    )


def discard_hand(holding: Holding, revealed: Sequence[Type]) -> Holding:
    """Discard all three and draw three, or be out."""
    gone = dict(holding.gone)
    for kind, count in _at_least(holding, revealed).items():
        gone[kind] = gone.get(kind, 0) + count
    drawn = HAND if holding.deck >= HAND else 0
    return Holding(
        deck=holding.deck - drawn,
        each=holding.each,
        hand=drawn,
        discarded=holding.discarded + holding.hand,
        gone=gone,
    )


def _at_least(holding: Holding, revealed: Sequence[Type]) -> dict[Type, int]:
    """The hand's least contents, given what was known of it and what was revealed in this round."""
    hand = dict(holding.known)
    for kind in revealed:
        hand[kind] = max(hand.get(kind, 0), revealed.count(kind))
    return hand
