"""A game whose server died goes on: from its record, and from what the phone still holds.

The eye begins anew, a little before the open round, with a table that it learns afresh. What it sees a second time is
known by seat and time and is not told again; everything that was recorded stands.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from referee.errors import RefereeError
from referee.events import CallHeard, CardsGone, CardShown, CardTouched, Event, SeenTo
from referee.live.shared import SharedMatch
from referee.record import read_record

if TYPE_CHECKING:
    from pathlib import Path

BEFORE_S = 1.5
"""The eye looks again from this long before the open round's first card."""
SAME_S = 0.6
"""A card of the same seat that is seen within this of a recorded one is that one."""


@dataclass(slots=True)
class Resumed:
    """What is known of a game that goes on."""

    record: Path
    match: SharedMatch
    last_s: float
    """Everything before this is recorded."""
    first_card: int
    """The highest running number of a card so far."""
    _known: list[CardShown] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)

    @property
    def from_s(self) -> float:
        """From when on pictures and sound are needed again."""
        began = self.match.open_since
        return max(0.0, (self.last_s if began is None else min(began, self.last_s)) - BEFORE_S)

    def seen(self, item: Event | SeenTo) -> Event | SeenTo | None:
        """The eye's event with the numbers of before; None if it is recorded already."""
        if isinstance(item, SeenTo):
            return SeenTo(time_s=max(item.time_s, self.last_s))
        if isinstance(item, CardShown):
            return self._shown(item)
        if item.time_s <= self.last_s:
            return None
        if isinstance(item, CardsGone):
            return replace(item, cards=tuple(self._number(c) for c in item.cards))
        return replace(item, card=self._number(item.card)) if isinstance(item, CardTouched) else item

    def heard(self, item: CallHeard | SeenTo) -> CallHeard | SeenTo | None:
        """The ear's event; None if it is recorded already."""
        if isinstance(item, SeenTo):
            return SeenTo(time_s=max(item.time_s, self.last_s))
        return item if item.time_s > self.last_s else None

    def _shown(self, item: CardShown) -> CardShown | None:
        for known in self._known:
            if known.seat == item.seat and abs(known.time_s - item.time_s) < SAME_S:
                self._known.remove(known)
                self._numbers[item.card] = known.card
                return None
        late = max(0.0, self.last_s - item.time_s)
        return replace(
            item, card=self._number(item.card), time_s=item.time_s + late, sigma_ms=item.sigma_ms + 1000 * late
        )

    def _number(self, card: int) -> int:
        return self._numbers.setdefault(card, self.first_card + card)


def of_record(path: Path) -> Resumed | None:
    """What can go on from a record; None if it was finished, or nobody had sat down yet."""
    try:
        record = read_record(path)
    except RefereeError:
        return None
    header = record.header
    match = SharedMatch(
        game=header.game, options=header.options, seats=header.seats, players=header.players, language=header.language
    )
    for entry in record.entries:
        if isinstance(entry, Event):
            match.feed(entry)
    if record.result is not None or not match.seats:
        return None
    shown = [event for event in record.events if isinstance(event, CardShown)]
    return Resumed(
        path,
        match,
        last_s=max((event.time_s for event in record.events), default=0.0),
        first_card=max((card.card for card in shown), default=0),
        _known=shown,
    )


def note(path: Path, session: str) -> None:
    """Keep beside a record which session it belongs to."""
    path.with_suffix(".live.json").write_text(json.dumps({"session": session}), encoding="utf-8")


def forget(path: Path) -> None:
    """The game was finished: there is nothing to go on with."""
    path.with_suffix(".live.json").unlink(missing_ok=True)


def session_of(path: Path) -> str:
    """The session that an unfinished record belongs to; empty if that is not known."""
    try:
        return str(json.loads(path.with_suffix(".live.json").read_text(encoding="utf-8"))["session"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
