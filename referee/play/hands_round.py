"""One round of three-card hands, and the ruling on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.messages import Message
from referee.rules.hands import HAND, Holding, can_hold, discard_hand, keep_hand, winner_of
from referee.ruling import Ruling

if TYPE_CHECKING:
    from collections.abc import Mapping

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

    @property
    def complete(self) -> bool:
        """Whether both players have shown a card."""
        return len(self.pair) + len(self.unplaced) >= 2

    @property
    def last_s(self) -> float:
        """When the last card of the pair could be seen."""
        return max([card.time_s for card in (*self.pair.values(), *self.unplaced)])

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
        elif seat is None:
            self.unplaced.append(card)
        else:
            self.pair[seat] = card
        self._infer()

    def _infer(self) -> None:
        """A card of nobody known belongs to the only player without one."""
        absent = [seat for seat in self.seats if seat not in self.pair]
        if len(absent) == 1 and len(self.unplaced) == 1:
            self.pair[absent[0]] = self.unplaced.pop()
            self.notes.append(Message("note.seat_inferred", {"seat": absent[0]}))

    def types(self, seat: Seat) -> list[Type]:
        """What a player revealed in this round, as far as it could be read."""
        pairs = (*self.earlier, self.pair)
        return [pair[seat].type for pair in pairs if seat in pair and pair[seat].type is not None]  # type: ignore[misc]

    def goes_on(self) -> bool:
        """Whether the complete pair is a tie with another one to come; then it is put behind."""
        types = [card.type for card in self.pair.values()]
        tie = len(types) == 2 and types[0] is not None and types[0] is types[1]
        if not tie or len(self.earlier) + 1 >= HAND:
            return False
        self.earlier.append(self.pair)
        self.pair = {}
        return True


@dataclass(frozen=True, slots=True)
class Outcome:
    """A ruling and what the players hold after it."""

    ruling: Ruling
    holdings: dict[Seat, Holding]
    must_draw: tuple[Seat, ...]


def conclude(
    setting: Setting, current: HandsRound, holdings: Mapping[Seat, Holding], end_s: float, doubts: tuple[int, ...]
) -> Outcome:
    """Rule on a round that ended."""
    _doubts(setting, current, holdings)
    known = {seat: current.pair[seat].type for seat in setting.seats if seat in current.pair}
    cards: dict[Seat, Type | None] = {seat: known.get(seat) for seat in setting.seats}
    one, other = (cards[seat] for seat in setting.seats)
    ids = {card.card for pair in (*current.earlier, current.pair) for card in pair.values()}
    if ids & setting.voided:
        return _written(setting, current, dict(holdings), "void", cards=cards, end_s=end_s, doubts=doubts)
    if one is None or other is None:
        return _written(setting, current, dict(holdings), "open", cards=cards, end_s=end_s, doubts=doubts)
    index = winner_of(one, other)
    after = dict(holdings)
    for number, seat in enumerate(setting.seats):
        change = keep_hand if number == index else discard_hand
        after[seat] = change(holdings[seat], current.types(seat))
    tail = "three_ties" if index is None else "won"
    winner = None if index is None else setting.seats[index]
    return _written(setting, current, after, tail, cards=cards, end_s=end_s, doubts=doubts, winner=winner)


def _doubts(setting: Setting, current: HandsRound, holdings: Mapping[Seat, Holding]) -> None:
    for seat in setting.seats:
        card = current.pair.get(seat)
        if card is None:
            current.review(Message("review.card_missing", {"seat": seat}))
        elif card.type is None:
            current.review(Message("review.card_unread", {"seat": seat, "reason": card.reason}))
        if not can_hold(holdings[seat], current.types(seat)):
            current.review(Message("review.impossible_card", {"seat": seat, "type": current.types(seat)[-1]}))
    for pair in (*current.earlier, current.pair):
        for seat, card in pair.items():
            if card.type is not None and card.confidence < setting.options.card_certainty:
                current.review(Message("review.card_unsure", {"seat": seat, "type": card.type}))


def _written(
    setting: Setting,
    current: HandsRound,
    after: dict[Seat, Holding],
    tail: str,
    *,
    cards: Mapping[Seat, Type | None],
    end_s: float,
    doubts: tuple[int, ...],
    winner: Seat | None = None,
) -> Outcome:
    out = tuple(seat for seat in setting.seats if after[seat].out)
    drew = () if tail in ("open", "void") else tuple(s for s in setting.seats if s != winner and s not in out)
    loser = next((seat for seat in setting.seats if seat != winner), None)
    values: dict[str, Any] = {
        "seat": winner,
        "other": loser,
        "type": cards.get(winner) if winner else None,
        "lost": cards.get(loser) if loser and winner else None,
        "out": out,
        "left": tuple(seat for seat in setting.seats if seat not in out),
        "n": after[loser].hands_left if loser else 0,
    }
    ending = f".out{len(out)}" if out else ""
    reviews = () if tail == "void" else tuple(current.reviews)
    notes = [*current.notes, *([Message("note.piles_depend", {"rounds": doubts})] if doubts else [])]
    ruling = Ruling(
        round=current.number,
        time_s=current.last_s if current.pair or current.unplaced else end_s,
        cards=cards,
        due=None,
        decided_by="table" if tail == "void" else "reveal",
        first=None,
        calls=(),
        outcome={"won": "won", "three_ties": "tie", "void": "stays"}.get(tail, "open"),
        awards={},
        pot=0,
        piles={seat: holding.deck for seat, holding in after.items()},
        rule=f"{setting.game}.{tail}{ending}",
        message=Message("void", {}) if tail == "void" else Message(f"hands.{tail}{ending}", values),
        reviews=reviews,
        notes=tuple(notes),
        depends_on=doubts,
        language=setting.language,
        evidence=_evidence(current, end_s),
        extra=_extra(setting, current, after, drew=drew, out=out, winner=winner),
    )
    return Outcome(ruling, after, drew)


def _evidence(current: HandsRound, end_s: float) -> dict[str, Any]:
    pairs = [*current.earlier, *([current.pair] if current.pair else [])]
    return {
        "cards": [{seat: card.card for seat, card in pair.items()} for pair in pairs],
        "reveal_s": [{seat: round(card.time_s, 6) for seat, card in pair.items()} for pair in pairs],
        "end_s": round(end_s, 6),
    }


def _extra(
    setting: Setting,
    current: HandsRound,
    after: Mapping[Seat, Holding],
    *,
    drew: tuple[Seat, ...],
    out: tuple[Seat, ...],
    winner: Seat | None,
) -> dict[str, Any]:
    pairs = [*current.earlier, *([current.pair] if current.pair else [])]
    return {
        "winner": winner,
        "reveals": [{s: (c.type.value if c.type else None) for s, c in pair.items()} for pair in pairs],
        "decks": {seat: after[seat].deck for seat in setting.seats},
        "discarded": {seat: after[seat].discarded for seat in setting.seats},
        "hands_left": {seat: after[seat].hands_left for seat in setting.seats},
        "must_draw": list(drew),
        "out": list(out),
    }
