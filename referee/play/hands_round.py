"""One round of three-card hands: the reveals so far, and what the rules make of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from referee.messages import Message
from referee.rules.hands import HAND, Holding, discard_hand, impossible_card, keep_hand, winner_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from referee.events import CardShown, Seat, Type
    from referee.play.setting import Setting


@dataclass(slots=True)
class HandsRound:
    """The reveals of a round so far."""

    number: int
    seats: tuple[Seat, ...]
    pair: dict[Seat, CardShown] = field(default_factory=dict)
    unplaced: list[CardShown] = field(default_factory=list)
    earlier: list[dict[Seat, CardShown]] = field(default_factory=list)
    """Tied pairs."""
    extras: list[CardShown] = field(default_factory=list)
    reviews: list[Message] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)
    last_s: float = -inf
    """When the last card of the pair could be seen."""

    @property
    def complete(self) -> bool:
        """Whether both players have shown a card."""
        return len(self.pair) + len(self.unplaced) >= 2

    @property
    def pairs(self) -> list[dict[Seat, CardShown]]:
        """All reveals, the last of them perhaps by one player only."""
        return [*self.earlier, self.pair] if self.pair else self.earlier

    def review(self, message: Message) -> None:
        """Ask people about this, once."""
        if message not in self.reviews:
            self.reviews.append(message)

    def place(self, seat: Seat | None, card: CardShown) -> None:
        """Put a card into the pair, or on the heap of those too many."""
        if seat in self.pair:
            self.extras.append(card)
            self.review(Message("review.double_flip", {"seat": seat}))
        elif self.complete:
            self.extras.append(card)
            self.review(Message("review.extra_card"))
        else:
            self.last_s = max(self.last_s, card.time_s)
            if seat is None:
                self.unplaced.append(card)
            else:
                self.pair[seat] = card
            if self.unplaced:
                self._infer()

    def take_back(self, cards: Collection[int]) -> None:
        """A player takes a card back before the other one has shown theirs, and must play again."""
        for seat in [seat for seat, card in self.pair.items() if card.card in cards]:
            self.extras.append(self.pair.pop(seat))
            self.review(Message("review.taken_back", {"seat": seat}))

    def _infer(self) -> None:
        """A card of nobody known belongs to the only player without one."""
        absent = [seat for seat in self.seats if seat not in self.pair]
        if len(absent) == 1 and len(self.unplaced) == 1:
            self.pair[absent[0]] = self.unplaced.pop()
            self.notes.append(Message("note.seat_inferred", {"seat": absent[0]}))

    def types(self, seat: Seat) -> list[Type]:
        """What a player revealed in this round, as far as it could be read."""
        shown = [pair[seat].type for pair in self.pairs if seat in pair]
        return [kind for kind in shown if kind is not None]

    def goes_on(self) -> bool:
        """Whether the complete pair is a tie with another one to come; then it is put behind."""
        if len(self.pair) < 2 or len(self.earlier) + 1 >= HAND:
            return False
        one, other = (card.type for card in self.pair.values())
        if one is None or one is not other:
            return False
        self.earlier.append(self.pair)
        self.pair, self.last_s = {}, -inf
        return True


@dataclass(slots=True)
class Conclusion:
    """What a round that ended means."""

    tail: str
    """`won`, `three_ties`, `open` while only people can tell, or `void` if they said that it counts for nothing."""
    cards: Mapping[Seat, Type | None]
    holdings: dict[Seat, Holding]
    winner: Seat | None = None

    @property
    def out(self) -> tuple[Seat, ...]:
        """Who had to draw three and could not."""
        return tuple([seat for seat, holding in self.holdings.items() if holding.out])


def conclude(setting: Setting, current: HandsRound, holdings: dict[Seat, Holding]) -> Conclusion:
    """Rule on a round that ended, and ask about what is doubtful in it."""
    revealed = {seat: current.types(seat) for seat in setting.seats}
    _doubts(setting, current, holdings, revealed)
    pair = current.pair
    cards = {seat: pair[seat].type if seat in pair else None for seat in setting.seats}
    if setting.voided and any(card.card in setting.voided for shown in current.pairs for card in shown.values()):
        return Conclusion("void", cards, holdings)
    one, other = cards.values()
    if one is None or other is None:
        return Conclusion("open", cards, holdings)
    index = winner_of(one, other)
    winner = None if index is None else setting.seats[index]
    after = {
        seat: keep_hand(holdings[seat], shown) if seat == winner else discard_hand(holdings[seat], shown)
        for seat, shown in revealed.items()
    }
    return Conclusion("three_ties" if winner is None else "won", cards, after, winner)


def _doubts(
    setting: Setting, current: HandsRound, holdings: Mapping[Seat, Holding], revealed: Mapping[Seat, list[Type]]
) -> None:
    for seat in setting.seats:
        card = current.pair.get(seat)
        if card is None:
            current.review(Message("review.card_missing", {"seat": seat}))
        elif card.type is None:
            current.review(Message("review.card_unread", {"seat": seat, "reason": card.reason}))
        impossible = impossible_card(holdings[seat], revealed[seat])
        if impossible is not None:
            current.review(Message("review.impossible_card", {"seat": seat, "type": impossible}))
    for pair in current.pairs:
        for seat, card in pair.items():
            if card.confidence < setting.options.card_certainty and card.type is not None:
                current.review(Message("review.card_unsure", {"seat": seat, "type": card.type}))
