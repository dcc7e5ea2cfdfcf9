"""Face-up cards in one picture: where they lie and what they show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from referee.errors import UsageError
from vision import classify, lines, locate, piles, quads, sweep
from vision.finder import Glimpse
from vision.rectify import long_side, order_corners, rectify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from referee.events import Type
    from vision.classify import Reading
    from vision.decks import Deck
    from vision.finder import Size

    Picture = NDArray[np.uint8]
    Corners = NDArray[np.float32]
    Region = NDArray[np.uint8] | NDArray[np.bool_] | tuple[int, int, int, int]

SMALLEST_PX = 45.0
"""A card whose long side is shorter than this many pixels is reported as `far`, not read."""
_SAME = 0.035  # frames whose corners are this close, as a share of the length, are the same
_APART = 0.30  # two cards of which neither is the other may share this much of the smaller one
_EDGE_SEEN = 0.4  # share of a frame's sides that must show an edge before it is read at all
_FIELD_MARGINS = (0.115, 0.079)  # border of the printed deck, shares of its white field's width and length
_MOST = 120  # frames that are read in one picture
_RIVAL = 0.08  # a frame whose seen edge is this much less than the best one's can still be the card
_FEW, _ON = 2, 0.7  # frames read fully of those that share this much of the smaller one and look the same
_NET_REACH = 0.09  # share of a card's length by which the net's corners may be off
_LARGEST_PICTURE = 8192 * 8192


@dataclass(frozen=True, slots=True)
class Sighting:
    """A card in a picture."""

    corners: Corners
    """Shape (4, 2), pixels of the whole picture, clockwise; the first side is a short one."""
    type: Type | None
    """None when it cannot be read or is no type of this game: see `reason`."""
    confidence: float
    """Calibrated probability that `type` (or, without a type, `face`) is right."""
    reason: str
    """Why there is no type: `not in play`, `unsure`, `far`, `face down`, `no card`."""
    face: str
    """What was seen: `diamonds`, `hearts`, `spades`, `clubs`, `printed:rock`, ..., `back`, `other`."""
    visible: float
    """Share of the card's edge that was seen: near 1 for a card on which nothing lies."""

    @property
    def kind(self) -> str:
        """`face`, `back`, or `other` for what is no card."""
        return self.face if self.face in ("back", "other") else "face"


def check_picture(image: NDArray[np.uint8]) -> Picture:
    """The picture as the eye works on it: three channels of eight bits.

    Grey pictures and pictures with alpha are converted.

    Raises:
        UsageError: not a picture: no pixels, other than eight bits, or larger than 8192 x 8192.
    """
    if not isinstance(image, np.ndarray) or image.ndim not in (2, 3) or image.size == 0:
        shape = getattr(image, "shape", None)
        raise UsageError(f"picture of shape {shape}: expected height x width x 3 with at least one pixel")
    if image.dtype != np.uint8:
        raise UsageError(f"picture of {image.dtype} values: expected 8 bits a channel; convert it first")
    if image.shape[0] * image.shape[1] > _LARGEST_PICTURE:
        raise UsageError(
            f"picture of {image.shape[1]} x {image.shape[0]}: larger than 8192 x 8192; scale it down first"
        )
    if image.ndim == 2 or image.shape[2] == 1:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if image.shape[2] == 4:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2BGR), np.uint8)
    if image.shape[2] != 3:
        raise UsageError(f"picture with {image.shape[2]} channels: expected blue, green, red")
    return image


def find_cards(
    image: Picture,
    deck: Deck,
    *,
    region: Region | None = None,
    expected_size_px: float | None = None,
    areas_px: tuple[float, float] | None = None,
    backs: bool = False,
) -> list[Sighting]:
    """Find and read the face-up cards of a picture.

    Args:
        image: Shape (h, w, 3), blue green red.
        deck: See `vision.decks.load_deck`.
        region: Where to look: a box (left, top, right, bottom) or a mask of the picture's size. A card counts if its
            centre lies in the region.
        expected_size_px: Length of a card's long side where it is known; others are then left out.
        areas_px: Least and most area of a card, where known.
        backs: Also give face-down cards (`kind` is `back`, no type).

    Returns:
        Cards in no particular order; of a pile, those of which enough is seen.

    Raises:
        UsageError: `image` is not a picture.
    """
    image = check_picture(image)
    box, mask = _box(image, region)
    part = image[box[1] : box[3], box[0] : box[2]]
    if min(part.shape[:2]) < 8:
        return []
    frames = _frames(part, _rough(part, deck, expected_size_px), expected_size_px)
    if areas_px:
        frames = [k for k in frames if areas_px[0] < cv2.contourArea(k) < areas_px[1]]
    seen = _read_all(part, frames, deck, few=bool(expected_size_px))
    if not expected_size_px:
        kept = [s for s in _best(seen) if s.confidence > 0]
        size = float(np.median([long_side(s.corners) for s in kept])) if len(kept) > 1 else None
        rough = [(corners, 0.05) for corners in piles.leftovers(part, [s.corners for s in kept], size)]
        seen += _read_all(part, _frames(part, rough, size), deck)
    kept = _best(seen, float(np.sqrt(areas_px[0] * areas_px[1])) if areas_px else None)
    if mask is not None:
        inside = mask[box[1] : box[3], box[0] : box[2]] > 0
        kept = [s for s in kept if _in_mask(inside, s.corners)]
    offset = np.array(box[:2], np.float32)
    return [replace(s, corners=s.corners + offset) for s in kept if s.kind == "face" or (backs and s.kind == "back")]


def read_card(image: Picture, corners: Corners, deck: Deck, *, refine: bool = False) -> Sighting:
    """Read the card whose corners are known.

    Args:
        image: Shape (h, w, 3), blue green red.
        corners: Shape (4, 2), pixels, in any order.
        deck: See `vision.decks.load_deck`.
        refine: First move the corners to the card's edges.

    Returns:
        What lies there; its `kind` is `other` if that is no card.
    """
    corners = order_corners(corners)
    if refine:
        corners = quads.refine(image, corners)
    reading = classify.read([rectify(image, corners)], deck)[0]
    return _sighting(corners, reading, deck, quads.edge_support(image, corners))


class CardFinder:
    """What `vision.watch` asks about pictures and parts of them.

    Args:
        deck: See `vision.decks.load_deck`.
    """

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def __call__(self, picture: Picture, size: Size | None) -> Sequence[Sighting]:
        """All face-up cards of a picture."""
        if size is None:
            return find_cards(picture, self._deck)
        areas = (size.area_px / size.within, size.area_px * size.within)
        return find_cards(picture, self._deck, expected_size_px=size.long_px, areas_px=areas)

    def glimpse(self, picture: Picture, size: Size | None) -> Glimpse:
        """Cards where the net sees one: in a tenth of the time, but some are overlooked."""
        expected = size.long_px if size else None
        located = locate.locate(picture, expected, locate.HOPE)
        rough = [(corners, _NET_REACH) for corners, likely in located if likely > locate.LIKELY]
        frames = _frames(picture, rough, None)
        if "rock" in self._deck.types:  # edges are drawn to the white field of a printed card
            around = [(_around_field(corners), 0.06) for corners in frames]
            frames += [k for k in _frames(picture, around, expected) if not any(_same(k, other) for other in frames)]
        frames = _sized([k for k in frames if _is_long(k, expected)], size)
        seen = _best(_read_all(picture, frames, self._deck, few=size is not None), size.area_px if size else None)
        return Glimpse([k for k in seen if k.kind == "face"], located)

    def sweep(self, picture: Picture, size: Size, new: NDArray[np.bool_]) -> Sequence[Sighting]:
        """Cards sought at every place and turn; `new` tells where the picture changed."""
        rough = [(k, 0.08) for k in sweep.sweep(picture, size.long_px, size.area_px / size.long_px, new)]
        frames = _sized(_frames(picture, rough, size.long_px), size)
        return [k for k in _best(_read_all(picture, frames, self._deck), size.area_px) if k.kind == "face"]

    def read(self, picture: Picture, corners: Corners) -> Sighting:
        """The card near these corners."""
        return read_card(picture, corners, self._deck, refine=True)


def _sized(frames: list[Corners], size: Size | None) -> list[Corners]:
    """The frames that have about a card's area."""
    if size is None:
        return frames
    return [k for k in frames if 1 / size.within < cv2.contourArea(k) / size.area_px < size.within]


def _box(image: Picture, region: Region | None) -> tuple[tuple[int, int, int, int], NDArray[np.uint8] | None]:
    height, width = image.shape[:2]
    if region is None:
        return (0, 0, width, height), None
    if isinstance(region, tuple):
        left, top, right, bottom = (round(v) for v in region)
        return (max(0, left), max(0, top), min(width, right), min(height, bottom)), None
    mask = np.asarray(region, np.uint8)
    left, top, wide, high = cv2.boundingRect(mask)
    pad = 12  # so that the edges of a card at the mask's border can still be found
    return (max(0, left - pad), max(0, top - pad), min(width, left + wide + pad), min(height, top + high + pad)), mask


def _in_mask(inside: NDArray[np.bool_], corners: Corners) -> bool:
    x, y = corners.mean(axis=0).round().astype(int)
    return 0 <= y < inside.shape[0] and 0 <= x < inside.shape[1] and bool(inside[y, x])


def _rough(part: Picture, deck: Deck, expected: float | None) -> list[tuple[Corners, float]]:
    """Where cards might lie, and how far off the edges may be as a share of the length: the net's frames first."""
    rough = [(corners, _NET_REACH) for corners, _ in locate.locate(part, expected)]
    if expected:
        rough += [(corners, 0.05) for corners in lines.from_lines(part, expected)]
    outlines = quads.outlines(part, expected)
    rough += [(corners, 0.05) for corners in outlines]
    if "rock" in deck.types:  # the white field of a printed card stands out more than its border in dim or grey light
        rough += [(_around_field(corners), 0.06) for corners in outlines]
    return rough


def _around_field(field: Corners) -> Corners:
    """The printed card whose white field has these corners."""
    inner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    side, end = _FIELD_MARGINS
    outer = np.array([[-side, -end], [1 + side, -end], [1 + side, 1 + end], [-side, 1 + end]], np.float32)
    matrix = cv2.getPerspectiveTransform(inner, field.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(outer[None], matrix)[0], np.float32)


def _frames(part: Picture, rough: list[tuple[Corners, float]], expected: float | None) -> list[Corners]:
    """Distinct quadrilaterals that might be cards, refined."""
    frames: list[Corners] = []
    for corners, reach in rough:
        if not _is_long(corners, expected):
            continue
        if len(frames) >= _MOST or any(_same(corners, other) for other in frames):
            continue
        refined = quads.refine(part, corners, reach)
        if reach > 0.05:
            refined = quads.refine(part, refined, 0.04)
        refined = order_corners(refined)
        if not quads.plausible(refined, max(part.shape[:2]) * 1.2):
            continue
        if not any(_same(refined, other) for other in frames):
            frames.append(refined)
    return frames


def _is_long(corners: Corners, expected: float | None) -> bool:
    """Whether a frame is about as long as a card, where that is known."""
    return not expected or 0.78 < long_side(corners) / expected < 1.28


def _same(first: Corners, second: Corners) -> bool:
    """Whether two ordered frames lie on each other, perhaps turned by half."""
    near = _SAME * long_side(first)
    if abs(float(first[0, 0] + first[2, 0] - second[0, 0] - second[2, 0])) > 2 * near:
        return False  # corners within `near` have sums within twice that
    return bool(np.abs(first - second).max() < near or np.abs(first - second[[2, 3, 0, 1]]).max() < near)


def _read_all(part: Picture, frames: list[Corners], deck: Deck, *, few: bool = False) -> list[Sighting]:
    seen = [(corners, quads.edge_support(part, corners)) for corners in frames]
    seen = [(corners, edge) for corners, edge in seen if edge > _EDGE_SEEN]

    def worth(first: NDArray[np.float32]) -> NDArray[np.bool_]:
        return _best_framed(seen, first)

    readings = classify.read([rectify(part, corners) for corners, _ in seen], deck, worth if few else None)
    return [_sighting(c, r, deck, edge) for (c, edge), r in zip(seen, readings, strict=True) if r.kind != "other"]


def _best_framed(seen: list[tuple[Corners, float]], first: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Of frames that lie on each other and show the same at first sight, the `_FEW` best; `first` as in `Worth`."""
    keep = np.zeros(len(seen), np.bool_)
    faces, sure = first.argmax(axis=1), first.max(axis=1)
    for i in sorted(range(len(seen)), key=lambda k: -(seen[k][1] + 2 * float(sure[k]))):
        like = [k for k in np.flatnonzero(keep) if faces[k] == faces[i]]
        keep[i] = sum(quads.overlap(seen[i][0], seen[k][0]) > _ON for k in like) < _FEW
    return keep


def _sighting(corners: Corners, reading: Reading, deck: Deck, visible: float) -> Sighting:
    face = f"printed:{reading.kind}" if reading.kind in ("rock", "paper", "scissors") else reading.kind
    if deck.examples is not None:
        face = reading.kind
    found = deck.types.get(reading.kind)
    if reading.kind == "other":
        return Sighting(corners, None, reading.confidence, "no card", "other", visible)
    if reading.kind == "back":
        return Sighting(corners, None, reading.confidence, "face down", "back", visible)
    if long_side(corners) < SMALLEST_PX:
        return Sighting(corners, None, 0.0, "far", face, visible)
    if reading.confidence < classify.SURE or not reading.agreed:
        return Sighting(corners, None, 0.0, "unsure", face, visible)
    if found is None:
        return Sighting(corners, None, reading.confidence, "not in play", face, visible)
    return Sighting(corners, found, reading.confidence, "", face, visible)


def _best(seen: list[Sighting], area_px: float | None = None) -> list[Sighting]:
    """Of overlapping sightings the one that is most of a card; `area_px` is a card's area, where known."""
    kept: list[Sighting] = []
    largest = max((long_side(s.corners) for s in seen), default=1.0)

    def size(corners: Corners) -> float:
        # a frame printed on the card is a card-like frame too: of two that share most, the larger is the card,
        # but two cards that lie askew have a card-like outline as well
        if area_px is None:
            return long_side(corners) / largest
        return max(0.0, 1 - 1.5 * abs(float(np.log(max(1.0, cv2.contourArea(corners)) / area_px))))

    def merit(sighting: Sighting) -> float:
        return sighting.visible + 2 * sighting.confidence + 0.35 * size(sighting.corners)

    for sighting in sorted(seen, key=merit, reverse=True):
        if all(quads.overlap(sighting.corners, other.corners) < _APART for other in kept):
            kept.append(_undisputed(sighting, seen))
    return kept


def _undisputed(sighting: Sighting, seen: list[Sighting]) -> Sighting:
    """The sighting, but unsure if a frame as good, over much of the same place, shows another face."""
    for rival in seen:
        size = long_side(rival.corners) / long_side(sighting.corners)
        other = rival.kind == "face" and rival.face != sighting.face and 0.75 < size < 1.33
        as_good = rival.confidence > 0 and rival.visible > sighting.visible - _RIVAL
        if other and as_good and quads.overlap(sighting.corners, rival.corners) > 0.5:
            return replace(sighting, type=None, confidence=0.0, reason="unsure")
    return sighting
