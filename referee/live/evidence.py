"""The photo finish of each ruling: the cards as the camera saw them, the sound around the calls."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from referee.events import CardShown
    from referee.media import AudioBlock
    from referee.ruling import Ruling
    from vision.decode import DecodedFrame

BEFORE_S, AFTER_S = 0.4, 0.6
"""Of the sound around the deciding call that is shown."""
BINS = 500
RECENT_S = 12.0
KEPT_ROUNDS = 40
KEPT_CARDS = 160
MARGIN = 0.15
"""Of a card's length, around it in its picture."""
LONG_PX = 220


class Evidence:
    """Pictures of cards by running number, and envelopes of sound by round."""

    def __init__(self) -> None:
        self.cards: dict[int, bytes] = {}
        """JPEG by a card's running number."""
        self.sound: dict[int, dict[str, Any]] = {}
        """By round: the envelope, and where calls begin."""
        self._recent: list[tuple[float, NDArray[np.float32], int]] = []

    def heard(self, block: AudioBlock) -> None:
        """Keep the last seconds of sound."""
        self._recent.append((block.time_s, block.samples, block.rate))
        while self._recent and self._recent[0][0] < block.time_s - RECENT_S:
            self._recent.pop(0)

    def card(self, shown: CardShown, jpeg: bytes) -> None:
        """Keep a card's picture."""
        if jpeg:
            self.cards[shown.card] = jpeg
        for old in sorted(self.cards)[:-KEPT_CARDS]:
            del self.cards[old]

    def keep(self, ruling: Ruling) -> None:
        """Keep the sound around a ruling's calls, thinned to what a screen can show."""
        claims = [heard.claim for heard in ruling.calls if heard.claim.type is not None]
        at_s = ruling.first.onset_s if ruling.first else None
        if at_s is None and claims:
            at_s = claims[0].time_s
        if at_s is None:
            return
        until_s = max([at_s, *(c.time_s for c in claims if c.time_s < at_s + 1.5)]) + AFTER_S
        envelope = self._envelope(at_s - BEFORE_S, until_s)
        if envelope is None:
            return
        self.sound[ruling.round] = {
            "from_s": at_s - BEFORE_S,
            "to_s": until_s,
            "channels": envelope,
            "calls": [
                {"onset_s": c.time_s, "sigma_ms": c.sigma_ms, "type": c.type.value if c.type else None, "seat": h.seat}
                for h in ruling.calls
                for c in [h.claim]
                if c.type is not None
            ],
        }
        for old in sorted(self.sound)[:-KEPT_ROUNDS]:
            del self.sound[old]

    def _envelope(self, from_s: float, to_s: float) -> list[list[float]] | None:
        if not self._recent:
            return None
        rate = self._recent[-1][2]
        blocks = [b for b in self._recent if b[2] == rate and b[0] < to_s and b[0] + b[1].shape[1] / rate > from_s]
        if not blocks:
            return None
        whole = np.concatenate([b[1] for b in blocks], axis=1)
        first = round((from_s - blocks[0][0]) * rate)
        part = whole[:, max(0, first) : max(0, first) + round((to_s - from_s) * rate)]
        edges = np.linspace(0, part.shape[1], BINS + 1).astype(int)
        if part.shape[1] < BINS:
            return None
        peaks = np.stack([np.abs(part[:, a:b]).max(axis=1) for a, b in itertools.pairwise(edges)], axis=1)
        return [[round(float(v), 4) for v in row] for row in peaks]


def cut(frame: DecodedFrame, shown: CardShown) -> bytes:
    """A card out of the picture in which it was read, as JPEG; empty if there is nothing to cut."""
    if not shown.corners:
        return b""
    corners = np.array(shown.corners)
    margin = MARGIN * float(np.ptp(corners, axis=0).max())
    left, top = np.maximum(corners.min(axis=0) - margin, 0).astype(int)
    right, bottom = np.minimum(corners.max(axis=0) + margin, frame.size).astype(int)
    if right - left < 8 or bottom - top < 8:
        return b""
    picture = frame.crop((int(left), int(top), int(right), int(bottom)))
    scale = min(1.0, LONG_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])[1])
