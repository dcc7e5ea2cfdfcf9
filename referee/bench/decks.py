"""Decks of people's own: three cards learned from photographs of some games, read in photographs of others.

Three cards of three suits of an ordinary deck stand for a deck of three types (`--data`: a folder with SEATS.tsv, files
named GAME_rROUND). Each is learned from two photographs, cut around the card as somebody would take them, and
read in photographs of games in which none of them was taken. Cards of the fourth suit are strangers: no type is right.
The photographs are of one table and one camera: a deck shown at home and played with elsewhere is not measured.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from referee.bench import BenchResult
from referee.errors import UsageError
from referee.events import Type
from vision import enroll
from vision.cards import find_cards, read_card
from vision.decks import load_deck
from vision.rectify import long_side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

SEATS = {"P1": "south", "P2": "east", "P3": "north", "P4": "west"}
LONGEST_PX = 1600
MARGIN = 0.35
"""Table left around a card, as a share of its length."""
DECKS = 25
STRANGERS = 6


@dataclass(frozen=True, slots=True)
class Shown:
    """A card cut out of a photograph."""

    picture: Picture
    corners: NDArray[np.float32]


def run(*, data: Path | None = None, count: int | None = None, seed: int = 0, out: Path | None = None) -> BenchResult:  # noqa: ARG001 - as every bench
    """Measure.

    Args:
        data: a folder with SEATS.tsv; by default the photographs beside the project.
        count: how many decks (default 25).
        seed: chooses them.
        out: not used.

    Raises:
        UsageError: no photographs there, or no card in four games.
    """
    folder = data or Path(__file__).parents[2] / "../shared/cards/photos"
    if not (folder / "SEATS.tsv").is_file():
        raise UsageError(f"{folder}: no SEATS.tsv here; give a folder of four-seat photographs with --data")
    cards = _cards(folder)
    by_suit: dict[str, list[str]] = defaultdict(list)
    for card, games in sorted(cards.items()):
        if len(games) >= 4:
            by_suit[card[-1]].append(card)
    if len(by_suit) < 4:
        raise UsageError(f"{folder}: no card of every suit in four games")
    rng = np.random.default_rng(seed)
    tally: Counter[str] = Counter()
    for _ in range(count or DECKS):
        suits = rng.permutation(sorted(by_suit)).tolist()
        chosen = {kind: str(rng.choice(by_suit[suit])) for kind, suit in zip(Type, suits[:3], strict=True)}
        strangers = rng.choice(by_suit[suits[3]], STRANGERS, replace=False).tolist()
        tally += _measured(cards, chosen, strangers, rng)
    return _result(tally, count or DECKS, len(cards))


def _cards(folder: Path) -> dict[str, dict[str, Shown]]:
    """Every card that the truth names, by game, where it was found at its seat."""
    poker = load_deck("poker")
    found: dict[str, dict[str, Shown]] = defaultdict(dict)
    with (folder / "SEATS.tsv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            picture = _fitting(np.asarray(cv2.imread(str(folder / row["file"])), np.uint8))
            seen = find_cards(picture, poker)
            for player, seat in SEATS.items():
                here = [one for one in seen if _seat(one.corners, picture) == seat]
                if here:
                    shown = _cut(picture, max(here, key=lambda one: one.visible).corners)
                    found[row[player]][row["file"].rpartition("_r")[0]] = shown
    return found


def _fitting(picture: Picture) -> Picture:
    scale = LONGEST_PX / max(picture.shape[:2])
    if scale >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _seat(corners: NDArray[np.float32], picture: Picture) -> str:
    x, y = corners.mean(axis=0) / np.array(picture.shape[1::-1]) - 0.5
    if abs(x) > abs(y):
        return "east" if x > 0 else "west"
    return "south" if y > 0 else "north"


def _cut(picture: Picture, corners: NDArray[np.float32]) -> Shown:
    around = MARGIN * long_side(corners)
    left, top = np.maximum(corners.min(axis=0) - around, 0).astype(int)
    right, bottom = (corners.max(axis=0) + around).astype(int)
    offset = np.array([left, top], np.float32)
    return Shown(np.ascontiguousarray(picture[top:bottom, left:right]), corners - offset)


def _measured(
    cards: dict[str, dict[str, Shown]], chosen: dict[Type, str], strangers: list[str], rng: np.random.Generator
) -> Counter[str]:
    games = rng.permutation(sorted(set.intersection(*(set(cards[card]) for card in chosen.values())))).tolist()
    taught, played = games[:2], games[2:]
    tally: Counter[str] = Counter()
    try:
        learned = enroll.learn({kind: [cards[c][g].picture for g in taught] for kind, c in chosen.items()}, "bench")
    except UsageError:
        return Counter(refused=1)
    tally["confused"] += learned.confused is not None
    for game in played:
        for kind, card in chosen.items():
            shown = cards[card][game]
            read = read_card(shown.picture, shown.corners, learned.deck).type
            tally["cards"] += 1
            tally["right" if read is kind else "abstained" if read is None else "wrong"] += 1
        for card in strangers:
            if game in cards[card]:
                shown = cards[card][game]
                tally["strangers"] += 1
                tally["strangers_read"] += read_card(shown.picture, shown.corners, learned.deck).type is not None
    return tally


def _result(tally: Counter[str], decks: int, cards: int) -> BenchResult:
    head = ["decks", "refused", "said to be confused", "cards read", "right", "wrong", "unsure", "strangers", "taken"]
    names = ("refused", "confused", "cards", "right", "wrong", "abstained", "strangers", "strangers_read")
    figures = {name: tally[name] for name in names} | {"decks": decks}
    row = [str(decks), *(str(tally[name]) for name in names)]
    notes = ["Learned from two photographs of each card, read in other games; one table, one camera."]
    return BenchResult("decks", "real", cards, figures, [head, row], notes)
