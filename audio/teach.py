"""Learn a word from a few sayings of it: its phones, how like the sayings are, what it would be confused with.

The phones are decoded freely from each saying; of these candidates those are kept that fit all sayings best. The limit
of a word is set by others: the distance below which synthetic voices that talk would be taken for it once a minute, or
one in twenty-five single words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audio import matching
from audio.verify_rows import ROW_S, rows_of
from models import phone_posteriors
from models.acoustic import Stream
from models.taught import MOST, Taught, space
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audio.takes import Take
    from models.acoustic import Network
    from models.lexicon import Word
    from referee.events import Type

    Rows = NDArray[np.float32]

FEWEST = 3
SHORTEST_ROWS = 6
"""A word shorter than 0.18 s has hardly anything to be known by."""
ALIKE = 0.68
"""A saying that is farther than this from the others is of another word, or was badly recorded."""
LIMITS = (0.38, 0.62)
"""Between which a word's limit lies, whatever talk says."""
A_MINUTE, OF_WORDS = 1.0, 0.04
"""How often talk, and which share of single other words, may come nearer than the limit."""
COMMON = 0.42
"""A word whose limit would be lower than this sounds like much of ordinary talk."""
_AROUND_S = 0.6


@dataclass(frozen=True, slots=True)
class Saying:
    """One saying as the network sees it."""

    rows: Rows
    """Bottleneck, shape (n, 64)."""
    phones: Rows
    """`models.phone_posteriors`, shape (n, phones)."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A word and what is to be said about it."""

    taught: Taught
    odd: tuple[int, ...]
    """Numbers of the sayings, from 0, that are not like the others and were left out."""
    common: bool
    """Whether it sounds like much of ordinary talk, so that it will be missed more or heard where it was not."""


def sayings(network: Network, sound: Rows, takes: Sequence[Take]) -> list[Saying]:
    """What the network makes of each take of a recording.

    Args:
        network: the packaged acoustic network.
        sound: the whole recording, mono, 16 kHz.
        takes: of it (`audio.takes.utterances`), cut with 50 ms around them.
    """
    out = []
    for take in takes:
        pad = round(_AROUND_S * take.rate)
        first, last = round(take.at_s * take.rate), round(take.at_s * take.rate) + len(take.samples)
        around = np.pad(sound[max(0, first - pad) : last + pad], (max(0, pad - first), pad))
        rows = rows_of(network, np.pad(around, (0, pad)))[:, :64]
        begin, end = (_row(t) for t in (_AROUND_S + 0.05, _AROUND_S + len(take.samples) / take.rate - 0.05))
        rows = rows[begin : end + 1]
        out.append(Saying(rows, phone_posteriors.posteriors(network, rows)))
    return out


def _row(time_s: float) -> int:
    return round((time_s + Stream.LAG * 0.01) / ROW_S)


def learn(word: str, language: str, kind: Type, said: Sequence[Saying]) -> Learned:
    """Learn a word.

    Args:
        word: what it is called.
        language: of the word, for the record.
        kind: the type that it calls.
        said: three or more sayings; of many the first `MOST` that are like each other are kept.

    Raises:
        UsageError: too few sayings, or they are not alike, or too short.
    """
    long = [i for i, saying in enumerate(said) if len(saying.rows) >= SHORTEST_ROWS]
    if len(long) < FEWEST:
        raise UsageError(
            f"{word}: {len(long)} sayings of it were found, {FEWEST} or more are needed: say it alone, with a pause "
            "after each time"
        )
    odd = _odd([said[i].rows for i in long])
    kept = [i for i in long if i not in {long[k] for k in odd}]
    if len(kept) < FEWEST:
        raise UsageError(f"{word}: its sayings are not like each other: say the same word each time, as at the table")
    chosen = [said[i] for i in kept[:MOST]]
    limit, common = _limit([saying.rows for saying in chosen])
    spoken = tuple(" ".join(phones) for phones in pronunciations(chosen))
    taught = Taught(word, language, kind, spoken, limit, tuple(saying.rows for saying in chosen))
    return Learned(taught, tuple(i for i in range(len(said)) if i not in kept), common)


def apart(one: Sequence[Rows], other: Rows) -> float:
    """How far a saying is from the nearest of others, by the distance that spots it."""
    place = space().place
    padded = place(other)
    return min(float(matching.track([place(rows)], padded)[0].min()) for rows in one)


def _odd(tables: Sequence[Rows]) -> list[int]:
    """Sayings that the others do not find again."""
    placed = [space().place(rows) for rows in tables]
    others = [[rows for k, rows in enumerate(placed) if k != i] for i in range(len(placed))]
    return [i for i, rows in enumerate(placed) if float(matching.track(others[i], rows)[0].min()) > ALIKE]


def _limit(tables: Sequence[Rows]) -> tuple[float, bool]:
    """The word's limit, and whether talk is so near that it had to be very low."""
    place = space().place
    distances, _ = matching.track([place(rows) for rows in tables], space().talk)
    minutes = len(distances) * ROW_S / 60
    talk = matching.lowest(distances)
    found = talk[min(len(talk) - 1, round(A_MINUTE * minutes))][0]
    others = [float(matching.track([place(rows) for rows in tables], word)[0].min()) for word in space().words]
    found = min(found, float(np.quantile(others, OF_WORDS)))
    return float(np.clip(found, *LIMITS)), found < COMMON


def pronunciations(said: Sequence[Saying], most: int = 3) -> list[tuple[str, ...]]:
    """The phones that fit the sayings best, at most `most` ways of saying it.

    Candidates are what each saying decodes to, coarsely and finely. The first fits all sayings best on the whole; each
    further one must help some saying by a tenth of a nat a row.
    """
    candidates = {phone_posteriors.decode(s.phones, cost).phones for s in said for cost in (1.5, 2.5, 3.5)}
    ordered = sorted((c for c in candidates if c), key=lambda c: (len(c), c))
    if not ordered:
        return []
    fits = np.array([[max(phone_posteriors.fit(s.phones, c), -99.0) for s in said] for c in ordered])
    best = [int(fits.mean(axis=1).argmax())]
    while len(best) < most:
        now = fits[best].max(axis=0)
        gain = np.maximum(fits - now, 0).mean(axis=1)
        if gain.max() < 0.1:
            break
        best.append(int(gain.argmax()))
    return [ordered[i] for i in best]


def nearest_call(said: Sequence[Saying], spoken: Sequence[str], words: Sequence[Word]) -> tuple[Word, float] | None:
    """The known word whose phones fit the sayings best, and by how much worse than their own, nats a row.

    Args:
        said: the sayings.
        spoken: the phones that were found in them.
        words: calls and decoys to compare with.
    """
    if not spoken or not words:
        return None
    own = np.mean([max(phone_posteriors.fit(s.phones, one.split()) for one in spoken) for s in said])
    fits = {
        word: np.mean([max(phone_posteriors.fit(s.phones, one) for one in word.pronunciations) for s in said])
        for word in words
    }
    best = max(fits, key=lambda word: float(fits[word]))
    return best, float(own - fits[best])
