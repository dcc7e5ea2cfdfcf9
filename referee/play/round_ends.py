"""When one round of ROCK! ends and the next one begins, by the cards that come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.events import CardsGone, CardShown, Seat
    from referee.options import Options
    from referee.play.round import OpenRound


def begins_next(current: OpenRound, seat: Seat | None, event: CardShown, options: Options) -> bool:
    """Whether a card is the first of the next round, and not one of this round."""
    since_last = event.time_s - current.last_s
    if seat in current.returned:
        return since_last > options.gap_s
    if current.complete:
        return since_last > options.double_flip_s or _is_old(current, seat, event, options)
    if seat in current.cards:
        return current.cards[seat].time_s < event.time_s - options.gap_s or bool(current.counted)
    stale = event.time_s - current.first_s > options.gap_s
    return stale and bool(current.gone or current.counted or current.ghost)


def parting(current: OpenRound, seat: Seat | None, event: CardShown, options: Options) -> dict[Seat, CardShown]:
    """Cards that were shown just now, after a card of this seat that is long past: they belong to the next round."""
    if seat is None or current.first_claim is not None or not _is_old(current, seat, event, options):
        return {}
    if event.time_s - current.last_s > options.double_flip_s:
        return {}
    cut_s = event.time_s - options.gap_s
    return {s: card for s, card in current.cards.items() if card.time_s >= cut_s and s != seat}


def ends_by_going(current: OpenRound, event: CardsGone, ids: set[int], options: Options) -> bool:
    """Whether cards that go are collected; cards of an incomplete round may be taken back instead."""
    since_last = event.time_s - current.last_s
    silent, all_of_them = since_last >= options.silence_s, current.ids <= ids
    if current.complete:
        return silent or all_of_them
    called = any(claim.time_s >= current.last_s for claim in current.counted)
    return (silent and all_of_them) or (called and since_last > options.double_flip_s)


def _is_old(current: OpenRound, seat: Seat | None, event: CardShown, options: Options) -> bool:
    return seat in current.cards and event.time_s - current.cards[seat].time_s > options.gap_s
