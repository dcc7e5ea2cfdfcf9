"""What the facts may be: who may have been first, and what may have been due."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from referee.events import Type
from referee.rules.claims import possible_callers
from referee.rules.types import due_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.events import Seat
    from referee.options import Options
    from referee.rules.claims import Claim
    from referee.rules.facts import Facts

Callers = tuple[tuple["Seat", Type], ...]
"""Who called what, first and at the same time."""

MOST_DOUBTFUL = 3
"""More rivals whose seat is in doubt are not told apart: people are asked in any case, and readings stay few."""


def possible_groups(first: Claim, rivals: Sequence[Claim], facts: Facts, options: Options) -> list[Callers]:
    """Every likely set of first callers. A seat that calls twice counts once: nobody ties with themselves."""
    claims, seats = [first], [possible_callers(first, facts.players, options.seat_certainty)]
    if not rivals and first.type is not None:
        return [((seat, first.type),) for seat in seats[0]]
    doubtful = 0
    for rival in rivals:
        who = possible_callers(rival, facts.players, options.seat_certainty)
        doubtful += len(who) > 1
        if len(who) == 1 or doubtful <= MOST_DOUBTFUL:
            claims.append(rival)
            seats.append(who)
    return list(dict.fromkeys(_group(one, claims) for one in product(*seats)))


def _group(seats: Sequence[Seat], claims: Sequence[Claim]) -> Callers:
    group: dict[Seat, Type] = {}
    for seat, claim in zip(seats, claims, strict=True):
        if claim.type is not None:
            group.setdefault(seat, claim.type)
    return tuple(group.items())


def possible_dues(facts: Facts) -> list[Type | None]:
    """What may be due, given the cards that could not be read; silence where there are too few or too many cards."""
    return list(_possible_dues(tuple(facts.cards.values()))) if 2 <= len(facts.cards) <= 4 else [None]


@lru_cache(maxsize=1024)
def _possible_dues(cards: tuple[Type | None, ...]) -> tuple[Type | None, ...]:
    """The same for 2 to 4 cards, of which there are few."""
    known = [card for card in cards if card is not None]
    guesses = product(Type, repeat=len(cards) - len(known))
    return tuple(dict.fromkeys(due_type([*known, *guess]) for guess in guesses))
