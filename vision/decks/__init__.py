"""Decks: which faces there are, and which type of the game each one is."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UsageError
from referee.events import Type
from vision import deck_store

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

KINDS = ("diamonds", "hearts", "spades", "clubs", "back", "other", "rock", "paper", "scissors")
"""What the reader tells apart, in the order of its outputs; `other` is no card, or no card of these decks."""
READER = Path(__file__).with_name("reader.onnx")
"""Weights of the reader: see docs/vision.md for how they were made."""

FINDER = Path(__file__).with_name("finder.onnx")
"""Weights of the finder."""

_POKER = {"diamonds": Type.ROCK, "hearts": Type.PAPER, "spades": Type.SCISSORS}
_PRINTED = {"rock": Type.ROCK, "paper": Type.PAPER, "scissors": Type.SCISSORS}


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck of cards as the eye needs to know it."""

    name: str
    types: Mapping[str, Type]
    """Kind of face to type of the game."""
    not_in_play: frozenset[str] = frozenset()
    """Kinds that are cards of this deck, but no type of the game."""
    examples: NDArray[np.float32] | None = None
    """An enrolled deck: features of its faces, shape (n, 64), each of length 1."""
    labels: tuple[str, ...] = field(default=())
    """An enrolled deck: the kind that each row of `examples` shows."""
    limit: float = 0.0
    """An enrolled deck: the least likeness (cosine) at which a face is taken for one of the deck's."""


POKER = Deck("poker", _POKER, frozenset({"clubs"}))
PRINTED = Deck("printed", _PRINTED)
AUTO = Deck("auto", {**_POKER, **_PRINTED}, frozenset({"clubs"}))
_BUILT_IN = {deck.name: deck for deck in (POKER, PRINTED, AUTO)}


def load_deck(name_or_dir: str | Path) -> Deck:
    """The deck of that name, or the deck enrolled in that folder.

    Args:
        name_or_dir: `printed`, `poker`, `auto` (either of them, by what is seen), the name of a deck learned by
            `referee deck enroll`, or the folder of one.

    Raises:
        UsageError: no such deck, or the folder holds none.
    """
    if str(name_or_dir) in _BUILT_IN:
        return _BUILT_IN[str(name_or_dir)]
    own = deck_store.names()
    folder = deck_store.folder_of(str(name_or_dir)) if str(name_or_dir) in own else Path(name_or_dir)
    if folder.is_dir():
        from vision.enroll import read_deck  # noqa: PLC0415 - enrolment needs the classifier, which needs this module

        return read_deck(folder)
    names = ", ".join([*_BUILT_IN, *own])
    raise UsageError(
        f"deck {str(name_or_dir)!r}: neither one of {names} nor a folder; make one with referee deck enroll"
    )
