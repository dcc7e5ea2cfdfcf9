"""`referee replay RECORD`: rule again from the record, and show what differs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.commands.judge import pairs
from referee.options import GAMES

if TYPE_CHECKING:
    from referee.replay import Difference, Replay


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
    """The rounds as they are ruled now, then every difference to the record, in the language of the sentences."""
    from rich.console import Console  # noqa: PLC0415  only when replaying

    from referee import console  # noqa: PLC0415  the same
    from referee.messages.labels import label  # noqa: PLC0415  the same

    language = again.match.language
    console.show([ruling.to_json() for ruling in again.rulings], again.match.result(), Console(), language=language)
    if again.identical:
        click.echo(label("again.same", language))
    elif not again.differences:
        click.echo(label("again.words", language))
    else:
        click.echo(label("again.differs", language))
        for difference in again.differences:
            click.echo(f"  {_told(difference, language)}")


def _told(one: Difference, language: str) -> str:
    """One difference in words; where words hide it, the values as the record has them."""
    from referee.messages.labels import label  # noqa: PLC0415  only when replaying
    from referee.report.changes import value_words  # noqa: PLC0415  the same

    old, new = (value_words(one.field, value, language) for value in (one.before, one.after))
    if old == new:
        old, new = str(one.before), str(one.after)
    return label("again.one", language, n=one.round, what=label(f"diff.{one.field}", language), old=old, new=new)
