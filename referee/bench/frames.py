"""What a frame costs the eye: processor time while nothing moves on the table, and while hands do."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision import decode, watch
from vision.decks import load_deck

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from referee.events import Event, SeenTo
    from vision.decode import DecodedFrame

LARGE_PX = 1920
"""Long side of the recordings that are measured."""
_SMALL_PX = 240
_MOVED_LEVELS = 10
_MOVED_SHARE = 0.001
"""Of a picture `_SMALL_PX` long a hand takes a hundredth or more, a finger a thousandth; noise changes none of it."""


@dataclass(frozen=True, slots=True)
class FrameCost:
    """One frame."""

    cpu_ms: float
    """Processor time of decoding it and of looking at it, all threads together."""
    moves: bool
    """Does it differ from the frame before?"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the eye told of a recording, and what that cost."""

    told: list[Event | SeenTo]
    times: list[float]
    """Of all frames, seconds."""
    costs: list[FrameCost]
    """Of each frame but the first: with it everything is loaded."""


def see(recording: Path, deck: str = "auto", *, touch: bool = False) -> Seen:
    """Watch a recording on one core, knowing neither who sits where nor, by default, the deck."""
    clock = _Clock(decode.frames(recording))
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        told = list(watch(clock, load_deck(deck), touch=touch))
    finally:
        cv2.setNumThreads(threads)
    return Seen(told, clock.times, clock.costs)


def frame_costs(recording: Path, deck: str = "auto") -> list[FrameCost]:
    """What each frame of a recording costs, but for the first."""
    return see(recording, deck).costs


def medians(costs: Sequence[FrameCost]) -> dict[str, float]:
    """The figures, of those kinds of frames that there are."""
    kinds = {"frame_ms_still": False, "frame_ms_moving": True}
    taken = {name: [k.cpu_ms for k in costs if k.moves is moves] for name, moves in kinds.items()}
    return {name: round(float(np.median(times)), 1) for name, times in taken.items() if times}


class _Clock:
    """Frames as they are asked for: between one and the next the eye looks at the one."""

    def __init__(self, frames: Iterator[DecodedFrame]) -> None:
        self._frames = frames
        self.costs: list[FrameCost] = []
        self.times: list[float] = []

    def __iter__(self) -> Iterator[DecodedFrame]:
        before: NDArray[np.uint8] | None = None
        while True:
            start = time.process_time()
            frame = next(self._frames, None)
            decoded_ms = 1000 * (time.process_time() - start)
            if frame is None:
                return
            self.times.append(frame.time_s)
            luma = frame.small(_SMALL_PX)[:, :, 0]
            start = time.process_time()
            yield frame
            if before is not None:
                cost_ms = decoded_ms + 1000 * (time.process_time() - start)
                self.costs.append(FrameCost(cost_ms, _moves(before, luma)))
            before = luma


def _moves(before: NDArray[np.uint8], now: NDArray[np.uint8]) -> bool:
    return float(np.mean(cv2.absdiff(before, now) > _MOVED_LEVELS)) > _MOVED_SHARE
