"""A typed game on the command line of `referee judge`: it is neither seen nor heard, and says itself what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from referee.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from referee.judge import Request
    from referee.match import Match

OF_RECORDINGS = ("players", "seats", "deck", "languages", "microphones", "layout", "model", "words", "voices")
"""Options that tell eye and ear something; a typed game's own lines say who plays."""
OF_GAMES = ("game", "language")
"""Options that go before what a typed game says of itself."""


def _asked_for(names: tuple[str, ...]) -> list[str]:
    """Which of these options are on the command line."""
    source = click.get_current_context().get_parameter_source
    return [name for name in names if source(name) is ParameterSource.COMMANDLINE]


def check(paths: list[Path]) -> None:
    """Several files are judged alike, but a typed game is ruled as it says itself.

    Raises:
        UsageError: one of them is typed, and the command line says something else.
    """
    typed = [path for path in paths if path.suffix == ".jsonl"]
    if typed and (said := _asked_for(OF_GAMES)):
        raise UsageError(
            f"--{said[0]} does not go with several files of which {typed[0]} is a typed game: rule it by itself"
        )


def rule(request: Request, out: Path) -> tuple[Path, Match]:
    """Rule a game that was typed, and keep its record. Gives the record's path, and the match.

    Raises:
        UsageError: an option was given that is for eye and ear.
    """
    from referee.replay import keep_typed  # noqa: PLC0415  only when judging

    if useless := ", ".join(f"--{name}" for name in _asked_for(OF_RECORDINGS)):
        says = "say" if ", " in useless else "says"
        raise UsageError(f"{useless} {says} nothing of a typed game: it is neither seen nor heard; leave that out")
    said = {name: getattr(request, name) for name in _asked_for(OF_GAMES)}
    return keep_typed(request.recording, out, request.options, **said)
