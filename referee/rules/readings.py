"""What the facts may be: who may have been first, and what may have been due."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from referee.events import Type
from referee.rules.types import due_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.events import Seat
    from referee.rules.claims import Claim
    from referee.rules.facts import Facts
    from referee.rules.hearing import Heard

Callers = tuple[tuple["Seat", Type], ...]
"""Who called what, first and at the same time."""

MOST_DOUBTFUL = 3
"""More rivals whose seat is in doubt are not told apart: people are asked in any case, and readings stay few."""


def possible_groups(first: Heard, rivals: Sequence[Heard]) -> list[Callers]:
    """Every likely set of first callers. A seat that calls twice counts once: nobody ties with themselves.

    Two words of which one was begun in the other are two people's: nobody says two at once.
    """
    if not rivals:
        return [_group((seat,), (first.claim,)) for seat in first.who]
    read, doubtful = [first], 0
    for rival in rivals:
        doubtful += rival.seat is None
        if rival.seat is not None or doubtful <= MOST_DOUBTFUL:
            read.append(rival)
    claims = [one.claim for one in read]
    assigned = list(product(*[one.who for one in read]))
    possible = [seats for seats in assigned if not _two_at_once(seats, claims)] or assigned
    return list(dict.fromkeys(_group(seats, claims) for seats in possible))


def _two_at_once(seats: Sequence[Seat], claims: Sequence[Claim]) -> bool:
    """Whether somebody would have said two words of different types at once."""
    return any(
        one == other and a.type is not b.type and ((a.contested and b.contested) or _overlap(a, b))
        for (one, a), (other, b) in combinations(zip(seats, claims, strict=True), 2)
    )


def _overlap(a: Claim, b: Claim) -> bool:
    """Whether one word began before half of the other was said; touches last no time."""
    first, second = (a, b) if a.time_s <= b.time_s else (b, a)
    return second.time_s - first.time_s < (first.end_s - first.time_s) / 2


def _group(seats: Sequence[Seat], claims: Sequence[Claim]) -> Callers:
    group: dict[Seat, Type] = {}
    for seat, claim in zip(seats, claims, strict=True):
        if claim.type is not None:
            group.setdefault(seat, claim.type)
    return tuple(group.items())


def possible_dues(facts: Facts) -> tuple[Type | None, ...]:
    """What may be due, given the cards that could not be read; silence where there are too few or too many cards."""
    return _possible_dues(tuple(facts.cards.values())) if 2 <= len(facts.cards) <= 4 else (None,)


@lru_cache(maxsize=1024)
def _possible_dues(cards: tuple[Type | None, ...]) -> tuple[Type | None, ...]:
    """The same for 2 to 4 cards, of which there are few."""
    known = [card for card in cards if card is not None]
    guesses = product(Type, repeat=len(cards) - len(known))
    return tuple(dict.fromkeys(due_type([*known, *guess]) for guess in guesses))
