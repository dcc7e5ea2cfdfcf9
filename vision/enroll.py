"""Learns the user's own deck from a few pictures of each type, and says which types it would confuse.

A face is described by what the reader's net makes of it and by a small thumbnail in colours relative to the card's
white. A card is read as the type whose examples it is most like, if it is like enough and clearly more like them than
like any other type's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import cv2
import numpy as np

from referee.errors import UsageError
from referee.events import Type
from vision import classify, quads
from vision.decks import Deck
from vision.rectify import long_side, rectify, relative

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.classify import Reading

    Picture = NDArray[np.uint8]
    Rows = NDArray[np.float32]

_FILE = "deck.npz"
_THUMB = (9, 12)
_VARIATIONS = 6
_SLOPE = 40.0  # of the logistic that turns a lead in likeness into a probability: 0.05 of lead is 88 %


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A new deck and what is to be said about it."""

    deck: Deck
    likeness: Mapping[tuple[str, str], float]
    """For each two types, how like their most similar faces are (1: the same)."""
    confused: tuple[str, str] | None
    """The two types that would be confused, or None."""


def describe(flats: Sequence[Picture]) -> Rows:
    """Descriptions of flat cards, upright and turned by half: shape (n, 2, d), each of length 1."""
    _, features = classify.look(flats)
    return np.stack([_join(f, flat) for f, flat in zip(features, flats, strict=True)])


def _join(features: Rows, flat: Picture) -> Rows:
    views = []
    for feature, view in zip(features, (flat, flat[::-1, ::-1]), strict=True):
        planes = relative(np.ascontiguousarray(view)).transpose(1, 2, 0)
        thumb = cv2.resize(planes, _THUMB, interpolation=cv2.INTER_AREA).ravel() - np.float32(0.8)
        parts = [part / max(float(np.linalg.norm(part)), 1e-6) for part in (feature, thumb)]
        views.append(np.concatenate(parts) / np.sqrt(2))
    return np.asarray(views, np.float32)


def card_frame(picture: Picture) -> NDArray[np.float32]:
    """The one card of a picture taken to enrol it: the largest card-like frame whose edge is seen.

    Raises:
        UsageError: no card is seen.
    """
    best: tuple[float, NDArray[np.float32]] | None = None
    for rough in quads.outlines(picture):
        corners = quads.refine(picture, rough)
        ratio = long_side(corners) ** 2 / max(abs(cv2.contourArea(corners)), 1.0)
        inside = corners.min() >= 1 and (corners.max(axis=0) < np.array(picture.shape[1::-1]) - 1).all()
        support = quads.edge_support(picture, corners)
        score = long_side(corners) * support
        if inside and support > 0.75 and 1.0 < ratio < 2.2 and (best is None or score > best[0]):
            best = (score, corners)
    if best is None:
        raise UsageError("no card seen in this picture; lay one card alone on a plain table, all of it in the picture")
    return best[1]


def learn(pictures: Mapping[Type, Sequence[Picture]], name: str) -> Enrolled:
    """Learn a deck.

    Args:
        pictures: For each of the three types some pictures of one card each (two or more; different light is good).
        name: What the deck is called.

    Raises:
        UsageError: a type without pictures, or a picture without a card.
    """
    missing = [kind.value for kind in Type if not pictures.get(kind)]
    if missing:
        raise UsageError(f"deck {name!r}: no picture of {', '.join(missing)}; give two or more of each type")
    rows: list[Rows] = []
    labels: list[str] = []
    for kind in Type:
        for number, picture in enumerate(pictures[kind]):
            try:
                corners = card_frame(picture)
            except UsageError as error:
                raise UsageError(f"{kind.value}, picture {number + 1}: {error}") from error
            for flat in _variations(picture, corners):
                rows.append(describe([flat])[0])
                labels += [kind.value] * 2
    examples = np.concatenate(rows)
    return _judged(examples, tuple(labels), name)


def _variations(picture: Picture, corners: NDArray[np.float32]) -> list[Picture]:
    rng = np.random.default_rng(0)
    flats = [rectify(picture, corners)]
    for _ in range(_VARIATIONS):
        moved = corners + rng.normal(0, 0.012 * long_side(corners), (4, 2)).astype(np.float32)
        flat = rectify(picture, moved)
        flats.append(np.asarray(cv2.GaussianBlur(flat, (0, 0), rng.uniform(0.3, 1.2)), np.uint8))
    return flats


def _judged(examples: Rows, labels: tuple[str, ...], name: str) -> Enrolled:
    like = examples @ examples.T
    names = np.array(labels)
    kinds = [kind.value for kind in Type]
    pairs = {(a, b): float(like[names == a][:, names == b].max()) for i, a in enumerate(kinds) for b in kinds[i + 1 :]}
    own = min(float(np.median(like[names == kind][:, names == kind].max(axis=1, initial=0))) for kind in kinds)
    closest = max(pairs, key=lambda pair: pairs[pair])
    limit = max(0.72, min(0.9, own - 0.18))
    deck = Deck(name, {kind.value: kind for kind in Type}, examples=examples, labels=labels, limit=limit)
    return Enrolled(deck, pairs, closest if pairs[closest] > 0.93 else None)


def write_deck(enrolled: Enrolled, folder: Path) -> None:
    """Keep a deck in a folder (made if need be)."""
    folder.mkdir(parents=True, exist_ok=True)
    deck = enrolled.deck
    facts = json.dumps({"format": 1, "name": deck.name, "labels": deck.labels, "limit": deck.limit})
    np.savez_compressed(folder / _FILE, examples=np.asarray(deck.examples, np.float16), facts=np.array(facts))


def read_deck(folder: Path) -> Deck:
    """The deck kept in a folder.

    Raises:
        UsageError: there is none, or it is damaged.
    """
    path = folder / _FILE
    try:
        with np.load(path, allow_pickle=False) as data:
            facts = json.loads(str(data["facts"]))
            examples = np.asarray(data["examples"], np.float32)
        labels = tuple(str(label) for label in facts["labels"])
        types = {kind.value: kind for kind in Type}
        return Deck(str(facts["name"]), types, examples=examples, labels=labels, limit=float(facts["limit"]))
    except FileNotFoundError as error:
        raise UsageError(f"{folder}: no {_FILE} in this folder; make the deck with referee deck enroll") from error
    except (OSError, ValueError, KeyError, TypeError, BadZipFile) as error:
        raise UsageError(f"{path}: damaged ({error}); enrol the deck again") from error


def read_enrolled(flats: Sequence[Picture], deck: Deck) -> list[Reading]:
    """Read flat cards as cards of an enrolled deck; what is not like enough to any is `other`."""
    assert deck.examples is not None  # noqa: S101 - the caller asks only for enrolled decks
    names = np.array(deck.labels)
    readings = []
    for views in describe(flats):
        like = views @ deck.examples.T
        best = {kind: float(like[:, names == kind].max()) for kind in deck.types}
        order = sorted(best, key=lambda kind: -best[kind])
        top, second = best[order[0]], best[order[1]]
        sure = 1 / (1 + np.exp(-_SLOPE * (top - second)))
        if top < deck.limit:
            readings.append(classify.Reading("other", 1 - top, order[0], top / 2, agreed=True))
        else:
            readings.append(classify.Reading(order[0], float(sure), order[1], top, agreed=True))
    return readings
