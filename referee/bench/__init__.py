"""Benches: each module measures one thing and returns one `BenchResult`; `referee bench NAME` prints it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class BenchResult:
    """What a bench measured. `figures` has fixed names (docs/benches.md); `table` is for people: header row first."""

    bench: str
    material: str
    """`staged`, `real` or `both`."""
    cases: int
    figures: dict[str, Any]
    table: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Sentences that belong to the figures: what was left out, which sources, which pictures were written."""
