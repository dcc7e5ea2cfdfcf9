"""What screens and the end of a record need to know of a game of ROCK!: counts, what is waited for, what is legal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.play.setting import Waiting

if TYPE_CHECKING:
    from referee.options import Options
    from referee.play.collecting import Collecting
    from referee.play.ledger import Ledger
    from referee.play.round import OpenRound
    from referee.play.setting import Setting


def counts(ledger: Ledger, options: Options, rounds: int) -> dict[str, Any]:
    """The result line: everybody's cards, and the winner if the game was played to its end and nothing is open."""
    finished = all(count == 0 for count in ledger.draw.values())
    piles = dict(ledger.piles)
    if finished and options.end_pot == "split":
        piles = {seat: pile + ledger.pot // len(piles) for seat, pile in piles.items()}
    best = max(piles.values())
    leaders = [seat for seat, pile in piles.items() if pile == best]
    certain = not ledger.held and not ledger.pot_unsure
    return {
        "type": "result",
        "piles": piles,
        "pot": ledger.pot - sum(piles.values()) + sum(ledger.piles.values()),
        "rounds": rounds,
        "finished": finished,
        "winner": leaders[0] if finished and certain and len(leaders) == 1 else None,
        "leaders": leaders,
        "held": ledger.held,
        "draw": dict(ledger.draw),
        "aside": ledger.aside,
        "surplus": ledger.surplus,
    }


def waiting_for(setting: Setting, current: OpenRound | None, collecting: Collecting | None, ledger: Ledger) -> Waiting:
    """What should happen next: more cards, a call, the ruling, collecting, or shuffling."""
    if current is not None:
        if current.first_claim is not None:
            return Waiting("ruling")
        if current.complete:
            return Waiting("touch" if setting.touch else "call")
        return Waiting("reveal", current.absent)
    owed = collecting.owed(setting) if collecting is not None else ()
    if owed:
        return Waiting("collect", owed)
    with_cards = tuple(seat for seat, count in ledger.draw.items() if count)
    return Waiting("reveal", with_cards) if with_cards else Waiting("reshuffle")


def legal(setting: Setting, kind: str) -> tuple[str, ...]:
    """What may be done while `kind` is waited for."""
    claim = "touch" if setting.touch else "call"
    by_kind = {"reveal": ("flip",), "call": (claim, "flip"), "touch": (claim, "flip"), "ruling": ("challenge",)}
    by_kind |= {
        "collect": ("collect", "flip", "challenge"),
        "reshuffle": ("deal", "challenge"),
        "deal": ("deal", "flip"),
    }
    return by_kind[kind]
