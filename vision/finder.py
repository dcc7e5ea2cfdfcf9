"""What the watcher asks of whatever finds and reads cards in one picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from referee.events import Type


class Found(Protocol):
    """A face-up card in a picture."""

    @property
    def corners(self) -> NDArray[np.float32]:
        """Shape (4, 2), pixels of that picture, clockwise."""

    @property
    def type(self) -> Type | None:
        """None if it cannot be read or is no type of the game."""

    @property
    def confidence(self) -> float:
        """Calibrated probability that the type is right."""

    @property
    def reason(self) -> str:
        """Why there is no type."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a card of this table is in the full picture, about."""

    long_px: float
    """Length of the longer side."""
    area_px: float
    """Area: turned on a table seen at an angle, a card gets shorter or narrower, its area stays."""
    within: float = 1.4
    """The factor by which the area may be off, perspective included."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A part of a picture at first sight."""

    seen: Sequence[Found]
    """Cards that were made out at once."""
    hopes: Sequence[tuple[NDArray[np.float32], float]]
    """Where a card may be, made out or not, as corners, and how likely it is there."""


Finder = Callable[["NDArray[np.uint8]", "Size | None"], "Sequence[Found]"]
"""Finds and reads face-up cards in a part of a frame.

Takes a picture of shape (h, w, 3), blue, green, red, and the size of a card where known.
"""
