"""What `serve` and `live` have in common: the game's options, and where keys and certificates are kept."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from referee.commands.judge import names, pairs, seated, split
from referee.errors import UsageError
from referee.options import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.judge import Request

F = TypeVar("F", bound="Callable[..., Any]")


def game_options(function: F) -> F:
    """The options that say what is played."""
    for option in reversed(
        [
            click.option(
                "--game", type=click.Choice(GAMES), default="rock", show_default=True, help="Which rule sheet."
            ),
            click.option(
                "--players", type=click.IntRange(1, 8), help="How many play; by default the first round shows it."
            ),
            click.option("--seats", callback=split, metavar="NORTH,SOUTH", help="Who plays, by sides of the picture."),
            click.option(
                "--deck",
                default="auto",
                show_default=True,
                metavar="NAME|DIR",
                help="printed, poker, auto, a deck of your own, or its folder.",
            ),
            click.option("--languages", callback=split, metavar="en,de,es,ko", help="Languages of the calls."),
            click.option(
                "--model", type=click.Path(path_type=Path), metavar="NAME|DIR", help="A Vosk model, downloaded or own."
            ),
            click.option(
                "--voices",
                callback=seated,
                metavar="SEAT=NAME,...",
                help="Whose enrolled voice (referee voices) sits where, for one microphone.",
            ),
            click.option("--words", callback=names, metavar="WORD,...|all", help="Words of your own that count."),
            click.option(
                "--option", "options", multiple=True, callback=pairs, metavar="NAME=VALUE", help="A house rule."
            ),
            click.option(
                "--language", default="en", show_default=True, help="Of the record's sentences: en, de or es."
            ),
            click.option(
                "--out",
                type=click.Path(path_type=Path, file_okay=False),
                default="out",
                show_default=True,
                help="Folder for records and recordings.",
            ),
        ]
    ):
        function = option(function)
    return function


def request_of(out: Path, *, seats: tuple[str, ...], **asked: Any) -> Request:
    """The request that every game of the evening begins with.

    Raises:
        UsageError: an option that cannot be used.
    """
    from referee.judge import Request, check, voices_at  # noqa: PLC0415  only when serving

    request = Request(recording=out / "live.mkv", seats=seats or None, **asked)
    check(request, there=False)
    voices_at(request)  # a voice that is not kept is said now
    return request


def private_folder() -> Path:
    """Where keys and certificates are kept: `REFEREE_LIVE`, or the user's data folder."""
    if given := os.environ.get("REFEREE_LIVE"):
        return Path(given)
    from platformdirs import user_data_path  # noqa: PLC0415  only needed without the variable

    return user_data_path("referee") / "live"


def needs(extra: str, *modules: str) -> None:
    """Say how to install what is missing.

    Raises:
        UsageError: a module of this extra is not there.
    """
    import importlib.util  # noqa: PLC0415  light, and only here

    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(f"{', '.join(missing)} is not installed: pip install 'referee[{extra}]'")
