"""Lines of older formats, brought up to date as they are read. The file that holds them is never changed.

A new format adds its step here, and a record written by the last program of the old format to `tests/referee/kept/`.
A step must leave a line alone that is of the newer form already: corrections by a newer program are appended to an old
record in the form of the newer one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Line = dict[str, Any]

UPGRADES: Mapping[int, Callable[[Line], Line]] = {}
"""Format -> what makes a line of it one of the next format. Format 1 is the first, and the newest so far."""


def upgraded(line: Line, version: int, newest: int) -> Line:
    """A line of format `version` as one of format `newest`."""
    for step in range(version, newest):
        line = UPGRADES[step](line)
    return line
