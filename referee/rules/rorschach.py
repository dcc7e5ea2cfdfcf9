"""Rorschach (2008): who gets which tokens, and who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Colour = str


def tokens(answers: Mapping[Colour, int | None]) -> dict[Colour, tuple[Colour, ...]]:
    """The tokens that each player earns, before what they already hold is taken into account.

    Players with the same answer each earn one token of every other matching player's colour; a unique answer earns
    one's own colour. An unknown answer (None) earns nothing, and nobody is unique while one is unknown.

    Args:
        answers: each player's inkblot, by the player's colour; players whose answer does not count are left out.
    """
    unknown = any(answer is None for answer in answers.values())
    earned: dict[Colour, tuple[Colour, ...]] = {}
    for colour, answer in answers.items():
        matching = tuple(c for c, a in answers.items() if a == answer and c != colour)
        if answer is None:
            earned[colour] = ()
        elif matching:
            earned[colour] = matching
        else:
            earned[colour] = () if unknown else (colour,)
    return earned


def gained(
    held: Mapping[Colour, frozenset[Colour]], earned: Mapping[Colour, Iterable[Colour]]
) -> dict[Colour, list[Colour]]:
    """What is really taken: nobody gets a second token of a colour."""
    return {colour: [token for token in new if token not in held[colour]] for colour, new in earned.items()}


def winners(held: Mapping[Colour, frozenset[Colour]]) -> tuple[Colour, ...]:
    """Everybody who holds one of every colour in play."""
    return tuple(colour for colour, own in held.items() if own >= set(held))


def inkblots(players: int) -> frozenset[int]:
    """The numbers on the table at the start: one inkblot fewer than players."""
    return frozenset(range(1, players))
