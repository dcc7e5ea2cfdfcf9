"""The eye on whole staged games, without the ear: what it told of, beside what was played.

The eye is told neither the deck nor who sits where. Each card is paired with what was told at its place during its
round. A round is seen exactly when as many cards were told of as were played, each at its place and for its seat, and
as many were gone as were taken; whether they were read, and whether it was told who took them, is counted apart.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.events import CardsGone, CardShown
from vision.rectify import long_side, order_corners

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from referee.bench.frames import Seen
    from referee.events import Event

    Line = dict[str, Any]

NEAR = 0.4
"""Share of its length by which a card that was told of may lie beside the true one."""


@dataclass
class Watched:
    """Counts over games."""

    games: int = 0
    rounds: int = 0
    rounds_exact: int = 0
    cards: int = 0
    right: int = 0
    wrong: int = 0
    unread: int = 0
    missed: int = 0
    extra: int = 0
    seats_wrong: int = 0
    """Given to another seat than played it; nobody's are `seats_unsaid`."""
    seats_unsaid: int = 0
    reveals: int = 0
    reveals_in_frame: int = 0
    reveals_in_sigma: int = 0
    """Within a frame, or within twice the uncertainty that was said."""
    sweeps: int = 0
    """Rounds in which cards were taken."""
    sweeps_right: int = 0
    """Told how many each seat took."""
    sweeps_wrong: int = 0
    """Another seat than truly, or more, was told of; the rest leave open who took a card."""
    faults: list[str] = field(default_factory=list)
    """What was not as played: game, round, seat and time."""

    def add(self, other: Watched) -> None:
        """Add another game's counts."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def compare_seen(truth: Path, seen: Seen) -> Watched:
    """Compare what was seen of a staged game with its truth file."""
    lines = [json.loads(line) for line in truth.read_text(encoding="utf-8").splitlines() if line.strip()]
    rounds = [line for line in lines if line["type"] == "ruling"]
    return compared(truth.name.removesuffix(".truth.jsonl"), rounds, seen.told, seen.times)


def compared(name: str, rounds: Sequence[Line], told: Iterable[object], times: Sequence[float]) -> Watched:
    """What was told beside what was played.

    Args:
        name: the game's, for the faults.
        rounds: the truth's ruling lines.
        told: what `vision.watch` gave.
        times: of all frames, seconds.
    """
    out = Watched(games=1)
    events = [e for e in told if isinstance(e, CardShown | CardsGone)]
    for line in rounds:
        mine = [e for e in events if line["start_s"] <= e.time_s < line["end_s"]]
        out.add(_round(f"{name} round {line['round']}", line, mine, times))
    return out


def _round(name: str, line: Line, events: Sequence[Event], times: Sequence[float]) -> Watched:
    out = Watched(rounds=1, cards=len(line["cards"]))
    shown = [e for e in events if isinstance(e, CardShown)]
    pairs = _paired(line, shown)
    for seat in line["cards"]:
        if seat in pairs:
            _card(out, name, (line, seat), pairs[seat], times)
        else:
            out.missed += 1
            out.faults.append(f"{name} {seat} at {line['reveal_s'][seat]:.2f} s: {line['cards'][seat]} missed")
    taken = {e.card for e in pairs.values()}
    for event in shown:
        if event.card not in taken:
            out.extra += 1
            out.faults.append(f"{name} at {event.time_s:.2f} s: {event.type or 'no type'} told of that was not played")
    as_played = not (out.missed or out.extra or out.seats_wrong or out.seats_unsaid)
    out.rounds_exact = int(_sweep(out, name, line, events) and as_played)
    return out


def _sweep(out: Watched, name: str, line: Line, events: Sequence[Event]) -> bool:
    """Count who took cards; returns whether as many were gone as were taken."""
    gone: Counter[str | None] = Counter()
    for event in events:
        if isinstance(event, CardsGone):
            gone[event.to_seat] += len(event.cards)
    won: Counter[str | None] = Counter({seat: count for seat, count in line["awards"].items() if count})
    if gone != won:
        out.faults.append(f"{name} until {line['end_s']:.2f} s: taken {_counts(gone)}, truly {_counts(won)}")
    said = gone.copy()
    del said[None]
    out.sweeps += bool(won)
    out.sweeps_right += bool(won) and gone == won
    out.sweeps_wrong += not said <= won
    return gone.total() == won.total()


def _card(out: Watched, name: str, played: tuple[Line, str], event: CardShown, times: Sequence[float]) -> None:
    """Count a card that was told of; `played` is its round and the seat that played it."""
    line, seat = played
    true, reveal_s = line["cards"][seat], line["reveal_s"][seat]
    at = f"{name} {seat} at {reveal_s:.2f} s"
    if event.type is None:
        out.unread += 1
        out.faults.append(f"{at}: {true} not read ({event.reason})")
    elif event.type == true:
        out.right += 1
    else:
        out.wrong += 1
        out.faults.append(f"{at}: {true} read as {event.type}, sure {event.confidence:.3f}")
    if event.seat != seat:
        out.seats_wrong += event.seat is not None
        out.seats_unsaid += event.seat is None
        out.faults.append(f"{at}: given to {event.seat or 'nobody'}")
    late_s = event.time_s - reveal_s
    frames = abs(_frame(event.time_s, times) - _frame(reveal_s, times))
    honest = frames <= 1 or abs(late_s) <= 2e-3 * event.sigma_ms
    out.reveals += 1
    out.reveals_in_frame += frames <= 1
    out.reveals_in_sigma += honest
    if frames > 1:
        said = f"said to be within {event.sigma_ms:.0f} ms"
        out.faults.append(f"{at}: reveal {1000 * late_s:+.0f} ms off, {frames} frames, {said}")


def _paired(line: Line, shown: Sequence[CardShown]) -> dict[str, CardShown]:
    """Which card each seat's is: the nearest by place, none twice."""
    ways = []
    for seat, event in product(line["cards"], shown):
        corners = order_corners(np.asarray(line["corners_px"][seat], np.float32))
        centre = np.asarray(event.corners, np.float32).mean(axis=0)
        apart = float(np.linalg.norm(centre - corners.mean(axis=0))) / long_side(corners)
        if apart < NEAR:
            ways.append((apart, seat, event))
    pairs: dict[str, CardShown] = {}
    for _, seat, event in sorted(ways, key=lambda way: way[0]):
        if seat not in pairs and all(event.card != other.card for other in pairs.values()):
            pairs[seat] = event
    return pairs


def _frame(time_s: float, times: Sequence[float]) -> int:
    """The number of the frame that is nearest in time."""
    return int(np.abs(np.asarray(times) - time_s).argmin())


def _counts(counts: Counter[Any]) -> str:
    return ", ".join(f"{seat or 'nobody'} {count}" for seat, count in sorted(counts.items(), key=str)) or "none"


def figures_of(watched: Watched) -> dict[str, Any]:
    """The figures: shares of all cards, of the cards told of, of the rounds, of rounds in which cards were taken."""
    told = watched.reveals
    if not watched.games:
        return {}

    def share(part: int, whole: int) -> float | None:
        return round(part / whole, 5) if whole else None

    return {
        "games_watched": watched.games,
        "rounds_watched": watched.rounds,
        "rounds_exact_watched": share(watched.rounds_exact, watched.rounds),
        "cards_watched": watched.cards,
        "read_right_watched": share(watched.right, watched.cards),
        "read_wrong_watched": share(watched.wrong, watched.cards),
        "abstained_watched": share(watched.unread, watched.cards),
        "missed_watched": share(watched.missed, watched.cards),
        "extra_cards_watched": watched.extra,
        "seats_wrong_watched": share(watched.seats_wrong, watched.cards),
        "seats_unsaid_watched": share(watched.seats_unsaid, watched.cards),
        "sweeps_right_watched": share(watched.sweeps_right, watched.sweeps),
        "sweeps_wrong_watched": share(watched.sweeps_wrong, watched.sweeps),
        "reveal_in_frame_watched": share(watched.reveals_in_frame, told),
        "reveal_in_sigma_watched": share(watched.reveals_in_sigma, told),
    }
