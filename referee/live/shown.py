"""What a table's screens show besides the match itself, and how it follows what happens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.events import CallHeard, CardsGone, CardShown, Event, TableNotice
from referee.live import view

if TYPE_CHECKING:
    from referee.ruling import Ruling

NOTICES_S = 8.0
"""A notice about the picture is shown for this long, in stream time."""


@dataclass(slots=True)
class Shown:
    """What screens show besides the match itself; guarded by the table's lock."""

    cards: dict[int, CardShown] = field(default_factory=dict)
    """Cards of the open round, as soon as the eye has read them."""
    noticed: list[dict[str, Any]] = field(default_factory=list)
    """Cards that are being read."""
    early: dict[str, Any] | None = None
    """What will be ruled if nothing else is seen or heard; whether it stands already."""
    game: dict[str, Any] = field(default_factory=lambda: view.game(None))
    last: dict[str, Any] | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    notices: dict[str, float] = field(default_factory=dict)
    trouble: str = ""
    """Why judging ended before its time, one line."""

    def ruled(self, ruling: Ruling) -> None:
        """The match has ruled: this is the last ruling now, and the cards of its round are no news any more."""
        self.last = view.ruling(ruling)
        if self.early and self.early["round"] <= ruling.round:
            self.early = None
        over = {c.card for c in self.cards.values() if c.time_s <= ruling.time_s}
        self.cards = {n: c for n, c in self.cards.items() if n not in over}

    def happened(self, event: Event) -> None:
        """The match has got an event."""
        if isinstance(event, TableNotice):
            self.notices[event.code] = event.time_s
        elif isinstance(event, CardsGone):
            self.cards = {n: c for n, c in self.cards.items() if n not in event.cards}
        elif isinstance(event, CallHeard) and event.type is not None:
            word = {"word": event.word, "type": event.type.value, "accepted": event.accepted, "reason": event.reason}
            self.calls = [*self.calls[-7:], {**word, "time_s": round(event.time_s, 3), "seats": dict(event.seats)}]

    def noticed_at(self, now_s: float) -> list[str]:
        """What is wrong with the picture, as far as it is still news."""
        return sorted(code for code, at in self.notices.items() if now_s - at < NOTICES_S)
