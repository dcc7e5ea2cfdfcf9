"""Decks that people have shown to the referee, one folder each in the user's data folder."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from referee.errors import UsageError
from referee.places import data_folder, file_name

if TYPE_CHECKING:
    from pathlib import Path

BUILT_IN = ("auto", "poker", "printed")
"""Names that a deck of one's own cannot have."""


def folder_of(name: str) -> Path:
    """Where the deck of that name lies, whether it is there or not.

    Raises:
        UsageError: no deck can be called so.
    """
    name = file_name(name, "deck")
    if name.casefold() in BUILT_IN:
        raise UsageError(f"deck {name!r}: that name is the referee's own; choose another")
    return data_folder("decks") / name


def names() -> list[str]:
    """The decks that are there, sorted by name."""
    try:
        found = [path.name for path in data_folder("decks").iterdir() if (path / "deck.npz").is_file()]
    except OSError:
        return []
    return sorted((name for name in found if not name.startswith(".")), key=str.casefold)


def remove(name: str) -> None:
    """Forget a deck.

    Raises:
        UsageError: there is none of that name, or it cannot be deleted.
    """
    place = folder_of(name)
    if not (place / "deck.npz").is_file():
        raise UsageError(f"no deck is called {name!r}; there are: {', '.join(names()) or 'none'}")
    try:
        shutil.rmtree(place)
    except OSError as error:
        raise UsageError(f"{place} cannot be deleted ({error.strerror})") from None
