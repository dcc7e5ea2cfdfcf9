"""ROCK! for two, three and four players: what a round's cards and its first callers mean.

Rulebook, "Playing the Game", step 3; the German and Spanish sheets are the two-player case; Tournament ROCK! puts a
touch in the place of a call. This table is exact: doubt about cards, callers or order is weighed in `judgement`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.quick import quick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.events import Seat, Type
    from referee.options import Options


@quick
@dataclass(frozen=True, slots=True)
class Centre:
    """What lies in the centre when a round is decided."""

    players: tuple[Seat, ...]
    played: tuple[Seat, ...]
    """Seats with a card in this round: all players, unless somebody had none left."""
    beneath: int = 0
    """Cards of earlier rounds that stayed, and cards without an owner."""

    @property
    def total(self) -> int:
        """All cards in the centre."""
        return len(self.played) + self.beneath


@quick
@dataclass(frozen=True, slots=True)
class Verdict:
    """What happens with the cards, and by which line of the sheet."""

    tail: str
    """The rule's name after game and players, e.g. `call.correct`."""
    outcome: str
    awards: Mapping[Seat, int]
    used: tuple[str, ...] = field(default=())
    """House rules that this verdict rests on."""


def verdict(
    centre: Centre, due: Type | None, callers: tuple[tuple[Seat, Type], ...], options: Options, *, early: bool = False
) -> Verdict:
    """Rule on a round.

    Args:
        centre: the cards.
        due: the winning type, None for silence.
        callers: who called what, first and at exactly the same time; empty when nobody called.
        options: house rules.
        early: the single caller called before the cards could be seen, and that is a penalty.
    """
    if not callers:
        return _silence(centre, due, options)
    if len(callers) > 1:
        right = tuple(seat for seat, kind in callers if kind is due and not early)
        wrong = tuple(seat for seat, kind in callers if kind is not due or early)
        return _at_once(centre, right, wrong, options)
    caller, kind = callers[0]
    if kind is due and not early:
        return Verdict("call.correct", "won", {caller: centre.total})
    tail = "call.early" if early else "call.in_silence" if due is None else "call.wrong"
    awards, used = _penalty(centre, (caller,), options)
    return Verdict(tail, "penalty", awards, ("early_call", *used) if early else used)


def _silence(centre: Centre, due: Type | None, options: Options) -> Verdict:
    if due is None:
        return Verdict("silence.kept", "stays", {})
    awards = dict.fromkeys(centre.played, 1) if options.missed == "own" else {}
    return Verdict("silence.missed", "stays", awards, ("missed",))


def _at_once(centre: Centre, right: tuple[Seat, ...], wrong: tuple[Seat, ...], options: Options) -> Verdict:
    """Several callers at exactly the same time: a tie if all are right; else people must look at it."""
    if not wrong:
        own = {seat: 1 for seat in right if seat in centre.played} if len(centre.players) > 2 else {}
        return Verdict("tie", "tie", own)
    awards, used = _penalty(centre, wrong, options)
    return Verdict("contested" if right else "contested.wrong", "contested", awards, used)


def _penalty(centre: Centre, wrong: tuple[Seat, ...], options: Options) -> tuple[dict[Seat, int], tuple[str, ...]]:
    """Who collects what after a wrong call."""
    others = [seat for seat in centre.players if seat not in wrong]
    if len(centre.players) > 2:
        return {seat: 1 for seat in others if seat in centre.played}, ()
    if not others:
        return {}, ()
    used = ("two_player_penalty_takes_pot",) if centre.beneath else ()
    taken = centre.total if options.two_player_penalty_takes_pot else len(centre.played)
    return {others[0]: taken}, used
