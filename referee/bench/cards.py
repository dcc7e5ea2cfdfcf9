"""Measures the eye: on photographs with written truth, on still moments of staged games, and on whole staged games.

`referee bench cards [--data DIR]` prints it; with `--seed N --count N` so many fresh games are staged and watched.
Photographs are only measured on: the reader and the finder learned from drawn cards (docs/vision.md). Of most
photographs only the suits that lie on them are known, not where: a reading that no card accounts for is wrong, and a
card too many is false.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from referee.bench import BenchResult
from referee.bench.card_truth import Photo, read_truth
from referee.bench.cards_watched import Watched, compare_seen, figures_of
from referee.bench.frames import LARGE_PX, medians, see
from vision.cards import find_cards
from vision.decks import load_deck
from vision.rectify import long_side, order_corners

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from referee.bench.frames import FrameCost
    from vision.cards import Sighting
    from vision.decks import Deck

    Picture = NDArray[np.uint8]

KINDS = ("seats", "plain", "piles", "staged", "regions")
_DEFINITE = ("", "not in play")
_AT_REST_S = 0.12  # after the last card of a round has landed


@dataclass
class Tally:
    """Counts over the pictures of one kind."""

    pictures: int = 0
    cards: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0
    abstained: int = 0
    false: int = 0
    perfect: int = 0
    """Pictures on which every card was read rightly and nothing else was seen."""
    times_ms: list[float] = field(default_factory=list)
    readings: list[tuple[float, str, str]] = field(default_factory=list)
    """(confidence, true face or `?`, face read) of every definite reading."""
    failed: list[str] = field(default_factory=list)


def run(*, data: Path | None = None, count: int | None = None, seed: int = 0, out: Path | None = None) -> BenchResult:
    """Measure.

    Args:
        data: A folder with INDEX.tsv and SEATS.tsv (default: the photographs beside the project, if they are there),
            or with staged games (`*.truth.jsonl`).
        count: With `data`: at most so many photographs of each kind. Without: so many games are staged and watched.
        seed: With `data`: chooses which. Without: of the first game; the next ones count up.
        out: Writes calibration.png, confusion.png and marked pictures of the failures there.
    """
    root = Path(__file__).parents[2]
    folders = [data] if data else [root / "../shared/cards/photos", root / "../shared/games", root / "fixtures/games"]
    tallies = {kind: Tally() for kind in KINDS}
    costs: list[FrameCost] = []
    watched = Watched()
    if data is None and count:
        for number in range(seed, seed + count):
            _fresh(number, watched, costs)
        folders = []
    for folder in folders:
        if folder and any((folder / name).is_file() for name in ("INDEX.tsv", "SEATS.tsv")):
            _photos(_some(read_truth(folder), count, seed), tallies, out)
        for truth in sorted(folder.glob("*.truth.jsonl")) if folder else []:
            _game(truth, tallies, out)
            _watched(truth, watched, costs)
    return _result(tallies, out, medians(costs), watched)


def _fresh(seed: int, watched: Watched, costs: list[FrameCost]) -> None:
    """Stage a game, watch it and let it go; the studio is not part of the installed product."""
    from fixtures.studio import stage  # noqa: PLC0415  see above

    with tempfile.TemporaryDirectory() as folder:
        video = Path(stage(seed, Path(folder)))
        _watched(video.with_name(f"{video.stem}.truth.jsonl"), watched, costs)


def _watched(truth: Path, watched: Watched, costs: list[FrameCost]) -> None:
    """Watch a staged game; what its frames cost counts if it is as large as phones record."""
    header = json.loads(truth.read_text(encoding="utf-8").splitlines()[0])
    video = _recording(truth)
    if video is None:
        return
    seen = see(video, touch=header.get("game") == "tournament")
    watched.add(compare_seen(truth, seen))
    if max(header["width"], header["height"]) == LARGE_PX:
        costs += seen.costs


def _recording(truth: Path) -> Path | None:
    stem = truth.name.removesuffix(".truth.jsonl")
    return next((p for p in sorted(truth.parent.glob(f"{stem}.*")) if p.suffix in (".mp4", ".mkv", ".mov")), None)


def _some(photos: list[Photo], count: int | None, seed: int) -> list[Photo]:
    if count is None:
        return photos
    order = np.random.default_rng(seed).permutation(len(photos))
    taken: Counter[str] = Counter()
    chosen = []
    for index in order:
        if taken[photos[index].kind] < count:
            taken[photos[index].kind] += 1
            chosen.append(photos[index])
    return chosen


def _timed(picture: Picture, deck: Deck, tally: Tally) -> list[Sighting]:
    start = time.process_time()
    seen = find_cards(picture, deck)
    tally.times_ms.append((time.process_time() - start) * 1000)
    return seen


def _photos(photos: Sequence[Photo], tallies: dict[str, Tally], out: Path | None) -> None:
    deck = load_deck("poker")
    for photo in photos:
        picture = np.asarray(cv2.imread(str(photo.path)), np.uint8)
        tally = tallies[photo.kind]
        seen = _timed(picture, deck, tally)
        if photo.seats:
            truth = [(seat, suit) for seat, suit in photo.seats.items()]
            pairs = [(s, photo.seats.get(_seat(s, picture), "")) for s in seen]
            fault = _known(tally, pairs, len(truth))
        else:
            fault = _counted(tally, photo, seen)
        if fault:
            tally.failed.append(photo.path.name)
            _mark(picture, seen, out, photo.path.stem)


def _seat(sighting: Sighting, picture: Picture) -> str:
    x, y = sighting.corners.mean(axis=0) / np.array(picture.shape[1::-1]) - 0.5
    if abs(x) > abs(y):
        return "east" if x > 0 else "west"
    return "south" if y > 0 else "north"


def _known(tally: Tally, pairs: Sequence[tuple[Sighting, str]], cards: int) -> bool:
    """Count a picture on which it is known what each card is (`` for no card); returns whether anything is amiss."""
    real = [(s, face) for s, face in pairs if face]
    right = sum(s.face == face for s, face in real if s.reason in _DEFINITE)
    definite = sum(s.reason in _DEFINITE for s, _ in real)
    false = len(pairs) - len(real) + max(0, len(real) - cards)
    tally.pictures += 1
    tally.cards += cards
    tally.found += min(cards, len(real))
    tally.right += right
    tally.wrong += definite - right
    tally.abstained += len(real) - definite
    tally.false += false
    tally.readings += [(s.confidence, face, s.face) for s, face in real if s.reason in _DEFINITE]
    perfect = right == cards and not false
    tally.perfect += perfect
    return not perfect


def _counted(tally: Tally, photo: Photo, seen: Sequence[Sighting]) -> bool:
    """Count a picture on which only the suits are known; returns whether anything is amiss."""
    definite = [s for s in seen if s.reason in _DEFINITE]
    faces = Counter(s.face for s in definite)
    cards = sum(photo.must.values())
    right = sum((faces & photo.must).values())
    surplus = faces - photo.must - photo.may
    over = max(0, len(seen) - cards - sum(photo.may.values()) - photo.strangers)
    wrong = min(max(0, sum(surplus.values()) - photo.strangers), cards - right)
    abstained = min(cards - right - wrong, len(seen) - len(definite))
    tally.pictures += 1
    tally.cards += cards
    tally.found += right + wrong + abstained
    tally.right += right
    tally.wrong += wrong
    tally.abstained += abstained
    tally.false += over
    for face in set(faces):
        ranked = sorted((s.confidence for s in definite if s.face == face), reverse=True)
        good = len(ranked) - surplus[face]
        tally.readings += [(c, face if i < good else "?", face) for i, c in enumerate(ranked)]
    perfect = right == cards and not over and not wrong
    tally.perfect += perfect
    return not perfect


def _game(truth: Path, tallies: dict[str, Tally], out: Path | None) -> None:
    """Still moments of a staged game: each round's cards after the last has landed.

    `staged` is a search of the whole picture; `regions` one where a card has just come to lie, its size known, as the
    watcher searches.
    """
    tally = tallies["staged"]
    with truth.open(encoding="utf-8") as file:
        lines = [json.loads(line) for line in file if line.strip()]
    deck = load_deck("printed" if lines[0].get("deck") == "printed" else "poker")
    rounds = [line for line in lines if line["type"] == "ruling" and line.get("corners_px")]
    for number, (picture, line) in enumerate(_moments(truth, rounds)):
        _regions(picture, line, deck, tallies["regions"])
        centres = {seat: np.mean(corners, axis=0) for seat, corners in line["corners_px"].items()}
        seen = _timed(picture, deck, tally)
        pairs = []
        for seat, centre in centres.items():
            near = [s for s in seen if np.linalg.norm(s.corners.mean(axis=0) - centre) < _reach(line, seat)]
            pairs += [(s, _face(line["faces"][seat])) for s in near[:1]]
        matched = {id(s) for s, _ in pairs}
        far = [s for s in seen if id(s) not in matched and not _in_pile(s, centres, line)]
        if _known(tally, [*pairs, *[(s, "") for s in far]], len(centres)):
            tally.failed.append(f"{truth.name.split('.')[0]} round {line['round']}")
            _mark(picture, seen, out, f"{truth.name.split('.')[0]}-{number}")


def _regions(picture: Picture, line: dict[str, Any], deck: Deck, tally: Tally) -> None:
    for seat, corners in line["corners_px"].items():
        size = long_side(order_corners(np.asarray(corners, np.float32)))
        centre = np.mean(corners, axis=0)
        box = tuple(int(v) for v in (*(centre - 0.9 * size), *(centre + 0.9 * size)))
        start = time.process_time()
        seen = find_cards(picture, deck, region=(box[0], box[1], box[2], box[3]), expected_size_px=size)
        tally.times_ms.append((time.process_time() - start) * 1000)
        near = [s for s in seen if np.linalg.norm(s.corners.mean(axis=0) - centre) < _reach(line, seat)]
        _known(tally, [(s, _face(line["faces"][seat])) for s in near[:1]], 1)


def _reach(line: dict[str, Any], seat: str) -> float:
    corners = np.asarray(line["corners_px"][seat])
    return float(np.linalg.norm(corners[0] - corners[2])) * 0.15


def _in_pile(sighting: Sighting, centres: dict[str, Any], line: dict[str, Any]) -> bool:
    """Whether it is an older card under one of this round's, which is no false card."""
    centre = sighting.corners.mean(axis=0)
    return any(np.linalg.norm(centre - at) < _reach(line, seat) * 7 for seat, at in centres.items())


def _face(name: str) -> str:
    if name in ("rock", "paper", "scissors"):
        return f"printed:{name}"
    return name.rsplit("_of_", maxsplit=1)[-1]


def _moments(truth: Path, rounds: list[dict[str, Any]]) -> Iterator[tuple[Picture, dict[str, Any]]]:
    video = _recording(truth)
    capture = cv2.VideoCapture(str(video)) if video else None
    try:
        for line in rounds:
            wanted = max(line["land_s"].values()) + _AT_REST_S
            while capture and capture.grab():
                if capture.get(cv2.CAP_PROP_POS_MSEC) / 1000 >= wanted:
                    yield np.asarray(capture.retrieve()[1], np.uint8), line
                    break
    finally:
        if capture:
            capture.release()


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _result(tallies: dict[str, Tally], out: Path | None, frames: dict[str, float], watched: Watched) -> BenchResult:
    head = ["pictures of", "pictures", "perfect", "cards", "found", "read right", "wrong", "abstained", "false/picture"]
    table, notes = [[*head, "ms"]], list[str]()
    figures: dict[str, Any] = {}
    for kind, tally in tallies.items():
        if not tally.pictures:
            continue
        named = {"found": tally.found, "read_right": tally.right, "read_wrong": tally.wrong}
        named["abstained"] = tally.abstained
        shares = {name: _share(value, tally.cards) for name, value in named.items()}
        figures |= {f"{name}_{kind}": value for name, value in shares.items()}
        figures[f"pictures_right_{kind}"] = _share(tally.perfect, tally.pictures)
        figures[f"false_cards_per_picture_{kind}"] = round(tally.false / tally.pictures, 4)
        figures[f"find_ms_{kind}"] = round(float(np.median(tally.times_ms)), 1)
        counts = [tally.cards, tally.found, tally.right, tally.wrong, tally.abstained]
        row = [kind, str(tally.pictures), str(tally.perfect), *map(str, counts)]
        table.append([*row, f"{tally.false / tally.pictures:.3f}", f"{np.median(tally.times_ms):.0f}"])
        if tally.failed:
            notes.append(f"{kind}, not perfect: {', '.join(tally.failed)}")
    readings = [reading for tally in tallies.values() for reading in tally.readings]
    sure = [true == read for confidence, true, read in readings if confidence >= 0.99]
    figures["sure_99_right"] = _share(sum(sure), len(sure))
    figures["sure_99_cards"] = len(sure)
    figures |= figures_of(watched) | frames
    notes += [f"not as played: {fault}" for fault in watched.faults]
    if frames:
        times = ", ".join(f"{name.removeprefix('frame_ms_')} {value} ms" for name, value in frames.items())
        notes.append(f"median processor time of a 1080p frame of the watched games, decoded and looked at: {times}.")
    if out:
        notes += _draw(readings, out)
    notes.append("find_ms is processor time of a whole search of one picture at its own size, on one core.")
    pictures = sum(t.pictures for t in tallies.values())
    pictures -= tallies["regions"].pictures  # parts of pictures that are counted already
    real = any(tallies[kind].pictures for kind in ("seats", "plain", "piles"))
    pictures = pictures or watched.games
    material = "both" if real and tallies["staged"].pictures else "real" if real else "staged"
    return BenchResult("cards", material, pictures, figures, table, notes)


def _mark(picture: Picture, seen: Sequence[Sighting], out: Path | None, name: str) -> None:
    if not out:
        return
    out.mkdir(parents=True, exist_ok=True)
    marked = picture.copy()
    for sighting in seen:
        corners = sighting.corners.round().astype(np.int32)
        cv2.polylines(marked, [corners], True, (255, 0, 255), 2, cv2.LINE_AA)
        text = f"{sighting.face} {sighting.confidence:.3f} {sighting.reason}"
        at = (int(corners[:, 0].min()), int(corners[:, 1].mean()))
        for colour, width in (((0, 0, 0), 4), ((0, 255, 255), 1)):
            cv2.putText(marked, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, width, cv2.LINE_AA)
    cv2.imwrite(str(out / f"{name}.png"), marked)


def _draw(readings: list[tuple[float, str, str]], out: Path) -> list[str]:
    """Calibration plot and confusion table as pictures."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - only drawing needs the extra `report`
    except ImportError:
        return ["no plots: install the extra `report` (matplotlib)"]
    out.mkdir(parents=True, exist_ok=True)
    figure = Figure(figsize=(6, 4))
    axes = figure.add_subplot()
    edges = [0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0001]
    for low, high in pairwise(edges):
        hits = [true == read for confidence, true, read in readings if low <= confidence < high]
        if hits:
            axes.errorbar(
                np.mean([c for c, _, _ in readings if low <= c < high]),
                np.mean(hits),
                yerr=[[min(float(np.mean(hits)), 1 / np.sqrt(len(hits)) / 2)], [0]],
                fmt="o",
                color="tab:blue",
            )
            axes.annotate(str(len(hits)), (float(low), float(np.mean(hits))), fontsize=8)
    axes.plot([0.9, 1], [0.9, 1], color="grey", linewidth=1)
    axes.set(xlabel="said to be right", ylabel="right", ylim=(0.7, 1.02), title=f"{len(readings)} readings")
    figure.savefig(out / "calibration.png", dpi=110)
    faces = sorted({face for _, true, read in readings for face in (true, read)})
    counts = Counter((true, read) for _, true, read in readings)
    grid = np.array([[counts[true, read] for read in faces] for true in faces])
    figure = Figure(figsize=(7, 6))
    axes = figure.add_subplot()
    axes.imshow(np.log1p(grid), cmap="Blues")
    axes.set_xticks(range(len(faces)), faces, rotation=60, ha="right")
    axes.set_yticks(range(len(faces)), faces)
    for y, row in enumerate(grid):
        for x, value in enumerate(row):
            axes.text(x, y, str(value), ha="center", va="center")
    axes.set(xlabel="read", ylabel="true (?: not on the picture)")
    figure.tight_layout()
    figure.savefig(out / "confusion.png", dpi=110)
    return [f"calibration.png, confusion.png and marked failures are in {out}"]
