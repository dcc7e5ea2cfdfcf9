"""Two microphones of one device between two players: a recogniser for each side.

Who is heard is told by the clearness of direction on each side (`audio.steer.sides`): of one voice alone the other side
has less than a third. A third recogniser for both together was tried: of two who say the same word at once it heard no
more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from audio import onset, steer
from audio.fronts import ManyFront
from audio.gather import SPOT_RATE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audio.gather import Heard, Stretch
    from audio.spotted import Spotted
    from referee.events import CallHeard

    Floats = NDArray[np.float32]

LEAST_CLEAR = 0.08
"""Of the clearer side; below it no direction is heard."""
APART_S, LIKELY = 0.07, 0.3
"""Another word that begins so much later within a word, and is so likely one, may be another player's."""
RECENT_S, STEADY = 0.32, 0.12
"""Sound that tells the lags of the moment, and the clearness from which they count."""


class StereoFront(ManyFront):
    """Two microphones of one device between two players."""

    tier = "stereo"
    ACTIVE, DOUBT, SPREAD = 0.33, 0.25, 0.04
    """Clearness of a side relative to the clearer one, from which its player is heard, and from which that may be: of
    simulated pairs of calls within 80 ms some 85 % are above the latter, of single calls some 15 %, over talk most."""
    FAINT, EARLY = 0.12, 0.25
    """A side may also be heard from less on if it is so clear in the first tenth of a second: that of 2 of 60 simulated
    single calls, and of all 5 first callers who were not understood, 10 to 20 ms before one who was."""
    CLEAR = 0.3
    """Clearness of a single voice from which its lag is learnt."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self._splitter = steer.Splitter(SPOT_RATE, (0.00025, -0.00025))
        self._recent: Floats = np.zeros((2, round(RECENT_S * SPOT_RATE)), np.float32)
        self._learnt: tuple[list[float], list[float]] = ([], [])

    @property
    def streams(self) -> int:
        """One a side."""
        return 2

    @property
    def known(self) -> list[float] | None:
        """Lags of both players, the median of their last nine clear calls; None until each has called."""
        return [float(np.median(lags)) for lags in self._learnt] if all(self._learnt) else None

    def span(self, word: Spotted, group: Sequence[Heard], /) -> tuple[float, float]:
        """The word, or its beginning if another one begins within it: a later voice is heard on the side of its own."""
        later = [
            h.word.start_s
            for h in group
            if h.word.start_s > word.start_s + APART_S and h.word.type is not word.type and h.word.probability > LIKELY
        ]
        return word.start_s - 0.03, min([word.end_s, *later])

    def split(self, samples: Floats) -> Sequence[Floats]:
        """Each side by itself; the lags are those of the last third of a second, where it has clear ones."""
        self._recent = np.concatenate([self._recent, samples], axis=1)[:, -self._recent.shape[1] :]
        strength, lags = steer.sides(self._recent, SPOT_RATE, self.known)
        for voice, usual_s in enumerate(self.known or self._splitter.lags_s):
            self._splitter.lags_s[voice] = lags[voice] if strength[voice] > STEADY else usual_s
        return list(self._splitter.feed(samples))

    def rest(self) -> Sequence[Floats]:
        """The last samples of each side."""
        return list(self._splitter.finish())

    def heard(self, from_s: float, to_s: float, stretch: Stretch) -> list[float]:
        """How clearly the voice comes from each side, relative to the clearer one; nothing from a doubled channel."""
        span = stretch.span(from_s, to_s)
        if _same(span):
            return [0.0, 0.0]
        levels, strength, lags = self._clearness(span, stretch.rate)
        top = max(strength)
        if top > self.CLEAR and min(strength) < 0.3 * top:
            self._learn(int(np.argmax(strength)), lags)
        return levels

    def _clearness(self, span: Floats, rate: int) -> tuple[list[float], list[float], list[float]]:
        """How clear each side is, relative to the clearer one (nothing if neither is), and in itself; and the lags."""
        strength, lags = (list(found) for found in steer.sides(span, rate, self.known))
        top = max(*strength, 1e-6)
        return [0.0, 0.0] if top < LEAST_CLEAR else [s / top for s in strength], strength, lags

    def strange(self, call: CallHeard, stretch: Stretch) -> list[bool]:
        """Also a side that is clear where the call begins, and faint or even drowned on the whole: who began first."""
        levels, begins = self.heard(*self.beginning(call), stretch), call.time_s - 0.03
        early, strength, _ = self._clearness(stretch.span(begins, begins + 0.1), stretch.rate)
        alone = [s > self.CLEAR and min(strength) < 0.3 * s for s in strength]
        return [
            v > self.DOUBT or (v > self.FAINT and e > self.EARLY) or only
            for v, e, only in zip(levels, early, alone, strict=True)
        ]

    def _learn(self, voice: int, lags: Sequence[float]) -> None:
        self._learnt[voice].append(lags[voice])
        del self._learnt[voice][:-9]

    def energies(self, windows: Floats, owner: int) -> tuple[Floats, Floats]:
        """What comes from the owner's side at the nearer microphone, and what comes from the other."""
        return both_sides(windows, owner, self.known)

    def call(
        self, word: Spotted, owner: int, levels: Sequence[float], stretch: Stretch, *, among: bool = False
    ) -> CallHeard:
        """The event of a word; without seats if no direction is heard."""
        call = super().call(word, owner, levels, stretch, among=among)
        return call if max(levels) > 0 else replace(call, seats={}, tier="none")


def both_sides(windows: Floats, owner: int, known_s: Sequence[float] | None) -> tuple[Floats, Floats]:
    """Energies of the owner's microphone that come from the owner's side and from the other, frames x bands, dB."""
    spectra = [onset.spectra(row) for row in windows]
    _, lags_s = steer.sides(windows, onset.RATE, known_s)
    mine = steer.fits(spectra[0], spectra[1], onset.hertz(), lags_s)
    shares = (mine, 1 - mine) if owner == 0 else (1 - mine, mine)
    power = np.abs(spectra[owner]) ** 2
    own, other = (onset.banded(power * np.maximum(share, steer.REST) ** 2) for share in shares)
    return own, other


def _same(pair: Floats) -> bool:
    """Whether both channels are one microphone's, as many phones write it."""
    difference = float(((pair[0] - pair[1]) ** 2).sum())
    return difference <= 1e-4 * float((pair**2).sum())
