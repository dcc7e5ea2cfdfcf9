"""The ruling on a round of three-card hands, as it is written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.confirming import stands
from referee.messages import Message
from referee.quick import quick
from referee.ruling import Ruling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.events import CardShown, Seat
    from referee.play.hands_round import Conclusion, HandsRound
    from referee.play.setting import Setting

OUTCOMES = {"won": "won", "three_ties": "tie", "void": "stays", "open": "open"}


@quick
@dataclass(frozen=True, slots=True)
class Reveals:
    """What a ruling on hands rests on."""

    pairs: tuple[Mapping[Seat, CardShown], ...]
    end_s: float
    """When the round ended."""

    def to_json(self) -> dict[str, Any]:
        """The `evidence` object of a ruling line."""
        return {
            "cards": [{seat: card.card for seat, card in pair.items()} for pair in self.pairs],
            "reveal_s": [{seat: round(card.time_s, 6) for seat, card in pair.items()} for pair in self.pairs],
            "end_s": round(self.end_s, 6),
        }


def write(setting: Setting, current: HandsRound, made: Conclusion, end_s: float, doubts: tuple[int, ...]) -> Ruling:
    """The ruling on a round that ended at `end_s`; `doubts` are the earlier rounds on which the counts depend."""
    out, after = made.out, made.holdings
    if doubts:
        current.notes.append(Message("note.piles_depend", {"rounds": doubts}))
    ending = f".out{len(out)}" if out else ""
    void = made.tail == "void"
    shown = {card.card for pair in current.pairs for card in pair.values()}
    confirmed = stands(setting.confirmed, shown, OUTCOMES[made.tail], made.winner, None)
    return Ruling(
        round=current.number,
        time_s=current.last_s if current.pair or current.unplaced else end_s,
        cards=made.cards,
        due=None,
        decided_by="table" if void else "reveal",
        first=None,
        calls=(),
        outcome=OUTCOMES[made.tail],
        awards={},
        pot=0,
        piles={seat: holding.deck for seat, holding in after.items()},
        rule=f"{setting.game}.{made.tail}{ending}",
        message=Message("void") if void else Message(f"hands.{made.tail}{ending}", _values(setting, made, out)),
        reviews=() if void or confirmed else tuple(current.reviews),
        notes=tuple(current.notes),
        depends_on=doubts,
        language=setting.language,
        evidence=Reveals(tuple(current.pairs), end_s),
        extra=_extra(setting, current, made, out),
    )


def must_draw(setting: Setting, made: Conclusion, out: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Who discarded a hand and draws another."""
    if made.tail not in ("won", "three_ties"):
        return ()
    return tuple([seat for seat in setting.seats if seat != made.winner and seat not in out])


def _values(setting: Setting, made: Conclusion, out: tuple[Seat, ...]) -> dict[str, Any]:
    loser = next(seat for seat in setting.seats if seat != made.winner)
    return {
        "seat": made.winner,
        "other": loser,
        "type": made.cards[made.winner] if made.winner else None,
        "lost": made.cards[loser] if made.winner else None,
        "out": out,
        "left": tuple([seat for seat in setting.seats if seat not in out]) if out else setting.seats,
        "n": made.holdings[loser].hands_left,
    }


def _extra(setting: Setting, current: HandsRound, made: Conclusion, out: tuple[Seat, ...]) -> dict[str, Any]:
    after = made.holdings
    return {
        "winner": made.winner,
        "reveals": [
            {seat: (card.type.value if card.type else None) for seat, card in pair.items()} for pair in current.pairs
        ],
        "decks": {seat: holding.deck for seat, holding in after.items()},
        "discarded": {seat: holding.discarded for seat, holding in after.items()},
        "hands_left": {seat: holding.hands_left for seat, holding in after.items()},
        "must_draw": list(must_draw(setting, made, out)),
        "out": list(out),
    }
