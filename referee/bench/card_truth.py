"""What lies on the photographs that cards are measured on, read from their INDEX.tsv and SEATS.tsv."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_SUITS = {"d": "diamonds", "h": "hearts", "s": "spades", "c": "clubs"}
_CARD = re.compile(r"\b(?:10|[2-9AJQK])([cdhs])\b(\([^)]*\))?")
_ALL_OF = re.compile(r"all 13 (clubs|diamonds|hearts|spades)")
_OPTIONAL = ("under", "cut", "cable")
_SEATS = {"P1": "south", "P2": "east", "P3": "north", "P4": "west"}


@dataclass(frozen=True, slots=True)
class Photo:
    """One picture and the suits on it."""

    path: Path
    kind: str
    """`seats`, `plain` or `piles`."""
    must: Counter[str] = field(default_factory=Counter)
    """Suits of the cards that lie open, with their number."""
    may: Counter[str] = field(default_factory=Counter)
    """Suits of cards that are cut, or covered in part: reading them is right, leaving them is no fault."""
    strangers: int = 0
    """Bits of cards at the edges of which nobody wrote down what they are: seeing them is no fault."""
    seats: dict[str, str] = field(default_factory=dict)
    """Seat to suit, where that is known."""
    source: str = ""
    """The repository that the picture is from: pictures of one source share deck, table and light."""


def read_truth(folder: Path) -> list[Photo]:
    """All photographs that the folder's tables describe and that are there.

    Raises:
        InputError: neither INDEX.tsv nor SEATS.tsv is in the folder.
    """
    if not any((folder / name).is_file() for name in ("INDEX.tsv", "SEATS.tsv")):
        raise InputError(f"{folder}: no INDEX.tsv or SEATS.tsv; give the folder of the photographs with --data")
    photos: list[Photo] = []
    for row in _rows(folder / "SEATS.tsv"):
        seats = {_SEATS[key]: _SUITS[row[key][-1].lower()] for key in _SEATS}
        photos.append(Photo(folder / row["file"], "seats", Counter(seats.values()), seats=seats, source=_source(row)))
    by_name: dict[str, Photo] = {}
    for row in _rows(folder / "INDEX.tsv"):
        photo = _indexed(folder, row, by_name)
        by_name[photo.path.stem] = photo
        photos.append(photo)
    return [photo for photo in photos if photo.path.is_file()]


def _source(row: dict[str, str]) -> str:
    return row.get("repository", "").split("/")[0]


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _indexed(folder: Path, row: dict[str, str], earlier: dict[str, Photo]) -> Photo:
    text = row["face_up_cards"]
    kind = "piles" if row["overlap"] == "1" else "plain"
    path = folder / row["file"]
    same = re.match(r"same \d+ cards as (\w+)", text)
    if same and same[1] in earlier:
        like = earlier[same[1]]
        return Photo(path, kind, like.must, like.may, like.strangers, source=_source(row))
    if text.startswith("52 cards"):
        return Photo(path, kind, Counter(dict.fromkeys(_SUITS.values(), 13)), strangers=3, source=_source(row))
    whole = _ALL_OF.search(text)
    if whole:
        return Photo(path, kind, Counter({whole[1]: 13}), source=_source(row))
    must: Counter[str] = Counter()
    may: Counter[str] = Counter()
    first, _, rest = text.partition(";")
    for suit, note in _CARD.findall(first):
        optional = any(word in note for word in _OPTIONAL)
        (may if optional else must)[_SUITS[suit]] += 1
    for suit, _note in _CARD.findall(rest):
        may[_SUITS[suit]] += 1
    strangers = 4 if ("unknown" in rest or "bits of" in rest or "one heart" in rest) else 0
    return Photo(path, kind, must, may, strangers, source=_source(row))
