"""Who has how many cards. Cards are neither made nor lost: `total` never changes after the deal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from referee.events import Seat


@dataclass(slots=True)
class Ledger:
    """Counts of cards at every place."""

    draw: dict[Seat, int]
    piles: dict[Seat, int]
    aside: int = 0
    pot: int = 0
    held: int = 0
    """Cards that somebody collected or may have collected, until people say who."""
    surplus: int = 0
    """Cards that turned up beyond those dealt: a wrong deal, or a card seen twice."""
    pot_unsure: tuple[int, ...] = ()
    """Rounds in review on which the pot's size depends."""
    open_rounds: tuple[int, ...] = field(default=())
    """Rounds in review on which the piles depend."""

    @classmethod
    def dealt(cls, seats: tuple[Seat, ...], cards: int) -> Ledger:
        """Deal equally; what cannot be dealt equally is set aside."""
        each, aside = divmod(cards, len(seats))
        return cls(dict.fromkeys(seats, each), dict.fromkeys(seats, 0), aside)

    @property
    def total(self) -> int:
        """All cards, less those that turned up from nowhere: the number that was dealt from."""
        return sum(self.draw.values()) + sum(self.piles.values()) + self.aside + self.pot + self.held - self.surplus

    def copy(self) -> Ledger:
        """An independent copy."""
        return Ledger(
            dict(self.draw),
            dict(self.piles),
            self.aside,
            self.pot,
            self.held,
            self.surplus,
            self.pot_unsure,
            self.open_rounds,
        )

    def moved(self, swap: Mapping[Seat, Seat]) -> Ledger:
        """The counts after players changed seats."""
        after = self.copy()
        after.draw = {swap.get(seat, seat): count for seat, count in self.draw.items()}
        after.piles = {swap.get(seat, seat): count for seat, count in self.piles.items()}
        return after

    def doubt_pot(self, number: int) -> None:
        """How many cards lie in the centre hangs on this round, too."""
        if number not in self.pot_unsure:
            self.pot_unsure = (*self.pot_unsure, number)

    def play(self, seats: Iterable[Seat]) -> list[Seat]:
        """Move a card of each seat from its draw pile to the centre; gives the seats that should have had none left."""
        beyond = []
        for seat in seats:
            if self.draw.get(seat, 0) > 0:
                self.draw[seat] -= 1
            else:
                self.surplus += 1
                beyond.append(seat)
            self.pot += 1
        return beyond

    def find(self, cards: int) -> None:
        """Cards of nobody known turned up in the centre."""
        self.surplus += cards
        self.pot += cards

    def award(self, awards: Mapping[Seat, int]) -> None:
        """Move cards from the centre to those who collect them."""
        for seat, cards in awards.items():
            self.piles[seat] += cards
            self.pot -= cards

    def hold(self, cards: int) -> None:
        """Take cards from the centre whose collector is open."""
        self.held += cards
        self.pot -= cards
