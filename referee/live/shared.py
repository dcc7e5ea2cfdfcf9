"""A match that one thread feeds while others ask what would be ruled."""

from __future__ import annotations

import threading
from copy import copy, deepcopy
from math import isfinite
from typing import TYPE_CHECKING, Any

from referee.match import Match

if TYPE_CHECKING:
    from referee.events import Correction, Event, SeenTo
    from referee.ruling import Ruling


class SharedMatch(Match):
    """A match with a lock around feeding and copying."""

    def __init__(self, **given: Any) -> None:
        self._shared = threading.RLock()
        super().__init__(**given)

    def feed(self, event: Event | SeenTo) -> list[Ruling]:
        """Take one event, while nobody copies."""
        with self._shared:
            return super().feed(event)

    def fork(self) -> SharedMatch:
        """An independent copy: fed by itself it tells what would be ruled, and this match stays as it is."""
        with self._shared:
            other = copy(self)
            vars(other).update(
                _shared=threading.RLock(),
                rulings=self.rulings[:],
                _events=self._events[:],
                _corrections=self._corrections[:],
                _roster=deepcopy(self._roster),
                _play=deepcopy(self._play),
            )
            return other

    @property
    def open_since(self) -> float | None:
        """When the first card of the open round was shown; None if no round is open."""
        with self._shared:
            current = getattr(self._play, "open", None)
            first_s = getattr(current, "first_s", None)
            return first_s if isinstance(first_s, float) and isfinite(first_s) else None

    @property
    def events(self) -> tuple[Event, ...]:
        """What was seen and heard so far, as it was fed."""
        with self._shared:
            return tuple(self._events)

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """What people said so far."""
        with self._shared:
            return tuple(self._corrections)
