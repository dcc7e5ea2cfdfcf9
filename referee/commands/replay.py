"""`referee replay RECORD`: rule again from the record, and show what differs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.commands.judge import pairs
from referee.options import GAMES

if TYPE_CHECKING:
    from referee.replay import Replay


@click.command("replay")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--game", type=click.Choice(GAMES), help="Another rule sheet than the record's.")
@click.option(
    "--option", "options", multiple=True, callback=pairs, metavar="NAME=VALUE", help="A house rule to change."
)
@click.option("--language", help="Of the sentences: en, de or es; by default the record's.")
@click.option("--json", "as_json", is_flag=True, help="Ruling lines on standard output, nothing else there.")
def command(record: Path, game: str | None, options: dict[str, str], language: str | None, as_json: bool) -> int:
    """Rule a record again, with its own house rules or others, and show what differs round by round."""
    from referee.record import read_record  # noqa: PLC0415  only when replaying
    from referee.replay import replay  # noqa: PLC0415  the same

    again = replay(read_record(record), game=game, options=options, language=language)
    if as_json:
        for ruling in again.rulings:
            click.echo(json.dumps(ruling.to_json(), ensure_ascii=False))
    else:
        _show(again)
    return 1 if any(ruling.review for ruling in again.rulings) else 0


def _show(again: Replay) -> None:
    """The rounds as they are ruled now, then every difference to the record."""
    from rich.console import Console  # noqa: PLC0415  only when replaying

    from referee import console  # noqa: PLC0415  the same

    console.show([ruling.to_json() for ruling in again.rulings], again.match.result(), Console())
    if again.identical:
        click.echo("The same rulings as in the record, byte for byte.")
    elif not again.differences:
        click.echo("The same rulings as in the record, in other words.")
    else:
        click.echo("What differs from the record:")
        for difference in again.differences:
            click.echo(f"  {difference}")
