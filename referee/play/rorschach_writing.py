"""The ruling on a round of Rorschach, as it is written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.messages import Message
from referee.quick import quick
from referee.ruling import Ruling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.events import DieShown, Seat
    from referee.play.rorschach_round import RorschachRound
    from referee.play.setting import Setting


@quick
@dataclass(frozen=True, slots=True)
class Dice:
    """What a ruling on answers rests on."""

    dice: Mapping[Seat, DieShown]
    end_s: float
    """When the round ended."""

    def to_json(self) -> dict[str, Any]:
        """The `evidence` object of a ruling line."""
        reveals = {seat: round(die.time_s, 6) for seat, die in self.dice.items()}
        return {"end_s": round(self.end_s, 6), "reveal_s": reveals}


@dataclass(slots=True)
class Counted:
    """What a round's answers gave, and what everybody holds after it."""

    new: Mapping[Seat, list[Seat]]
    """Tokens taken in this round."""
    held: Mapping[Seat, frozenset[Seat]]
    won: tuple[Seat, ...]
    blots: frozenset[int]
    """Inkblots on the table afterwards."""
    removed: int | None
    """The inkblot that speed rounds took away."""


def write(setting: Setting, current: RorschachRound, counted: Counted, end_s: float) -> Ruling:
    """The ruling on a round that ended at `end_s`."""
    won, new = counted.won, counted.new
    takers = tuple([seat for seat in setting.seats if new[seat]])
    tail = "won" if won else "tokens" if takers else "none"
    removed = counted.removed is not None
    values = {
        "others": won or takers,
        "n": sum(map(len, new.values())),
        "blot": counted.removed,
        "blots": len(counted.blots),
        "winners": len(won),
    }
    return Ruling(
        round=current.number,
        time_s=current.last_s,
        cards={},
        due=None,
        decided_by="reveal",
        first=None,
        calls=(),
        outcome=tail,
        awards={seat: len(taken) for seat, taken in new.items() if taken},
        pot=0,
        piles={seat: len(own) for seat, own in counted.held.items()},
        rule=f"rorschach.{tail}",
        message=Message(f"rorschach.{tail}.removed" if removed else f"rorschach.{tail}", values),
        reviews=tuple(current.reviews),
        notes=tuple(current.notes),
        options_used={"speed_after": setting.options.speed_after} if removed else {},
        language=setting.language,
        evidence=Dice(current.dice, end_s),
        extra=_extra(setting, current, counted),
    )


def held_tokens(setting: Setting, held: Mapping[Seat, frozenset[Seat]]) -> dict[Seat, list[Seat]]:
    """Whose tokens each player holds, in the order of the seats."""
    return {seat: [other for other in setting.seats if other in own] for seat, own in held.items()}


def _extra(setting: Setting, current: RorschachRound, counted: Counted) -> dict[str, Any]:
    dice = current.dice
    return {
        "question": current.question,
        "dice": {seat: dice[seat].value if seat in dice else None for seat in setting.seats},
        "tokens": {seat: taken for seat, taken in counted.new.items() if taken},
        "held_tokens": held_tokens(setting, counted.held),
        "blots": sorted(counted.blots),
        "removed_blot": counted.removed,
        "winners": list(counted.won),
    }
