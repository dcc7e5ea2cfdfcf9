"""An open round: the cards, calls and oddities that were seen since its first card."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.events import CardsGone, CardShown, Seat
    from referee.messages import Message
    from referee.rules.claims import Claim


@dataclass(slots=True)
class OpenRound:
    """What is known of the round on the table."""

    number: int
    expected: tuple[Seat, ...]
    """Seats that still have a card to play."""
    cards: dict[Seat, CardShown] = field(default_factory=dict)
    unplaced: list[CardShown] = field(default_factory=list)
    """Cards whose seat nobody can tell."""
    extras: list[CardShown] = field(default_factory=list)
    """Second cards of a seat."""
    returned: set[Seat] = field(default_factory=set)
    """Seats that took their card back."""
    replaced: list[CardShown] = field(default_factory=list)
    """Cards that were taken back and played again."""
    claims: list[Claim] = field(default_factory=list)
    gone: list[CardsGone] = field(default_factory=list)
    reviews: list[Message] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)
    first_claim: Claim | None = None
    """The claim that decides, once there is one."""
    first_s: float = inf
    """When the first of the cards that count could be seen."""
    last_s: float = -inf
    """When the last of them could be seen: with it the round is complete."""
    last_sigma_ms: float = 0.0

    @property
    def absent(self) -> tuple[Seat, ...]:
        """Seats whose card is not on the table."""
        return tuple(seat for seat in self.expected if seat not in self.cards or seat in self.returned)

    @property
    def complete(self) -> bool:
        """Whether every expected seat has a card on the table, as far as can be told."""
        spare = len(self.unplaced)
        if self.returned or len(self.cards) + spare < len(self.expected):
            return False
        cards = self.cards
        for seat in self.expected:
            if seat not in cards:
                if not spare:
                    return False
                spare -= 1
        return True

    @property
    def counted(self) -> list[Claim]:
        """Claims that name a type and were taken for claims."""
        return [claim for claim in self.claims if claim.accepted and claim.type is not None]

    @property
    def ghost(self) -> bool:
        """Whether all that was seen is too few cards that nobody could read: rather a passing hand than a round."""
        shown, expected = len(self.cards) + len(self.unplaced), len(self.expected)
        if shown >= expected or (2 * shown >= expected and self.counted):
            return False
        cards = (*self.cards.values(), *self.unplaced, *self.extras, *self.replaced)
        return all(card.type is None for card in cards)

    @property
    def ids(self) -> set[int]:
        """The running numbers of the round's cards."""
        return {card.card for card in (*self.cards.values(), *self.unplaced, *self.extras)}

    def count(self, card: CardShown) -> None:
        """Take note of the time of a card that counts."""
        self.first_s = min(self.first_s, card.time_s)
        if card.time_s >= self.last_s:
            self.last_s, self.last_sigma_ms = card.time_s, card.sigma_ms

    def recount(self) -> None:
        """Take the times again, after cards were taken out."""
        self.first_s, self.last_s, self.last_sigma_ms = inf, -inf, 0.0
        for card in (*self.cards.values(), *self.unplaced):
            self.count(card)

    def review(self, message: Message) -> None:
        """Ask people about this, once."""
        if message not in self.reviews:
            self.reviews.append(message)

    def note(self, message: Message) -> None:
        """Say this, once."""
        if message not in self.notes:
            self.notes.append(message)
