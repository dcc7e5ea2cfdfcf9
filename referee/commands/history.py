"""`referee history`: the evenings so far, who beats whom, and the records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from referee.history.queries import PlayerLine
    from referee.history.rating import Rating
    from referee.history.store import History

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_DATE = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"])


@click.group("history")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the history lies; by default REFEREE_HISTORY, or your data folder.",
)
@click.pass_context
def command(context: click.Context, folder: Path | None) -> None:
    """Keep games, and see players, ratings, streaks and records. Everything stays on this computer."""
    context.obj = folder


def _history(context: click.Context) -> History:
    from referee.history.library import default_folder  # noqa: PLC0415  each command loads what it needs
    from referee.history.store import History  # noqa: PLC0415

    return History(context.obj or default_folder())


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]], empty: str) -> None:
    """Print a table; heads that begin with > are right-aligned."""
    from rich import box  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    if not rows:
        click.echo(empty)
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in heads:
        table.add_column(head.lstrip(">"), justify="right" if head.startswith(">") else "left")
    for row in rows:
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    Console().print(table)


@command.command("add")
@click.argument("records", nargs=-1, required=True, type=_FILE)
@click.option("--player", "players", multiple=True, metavar="SEAT=NAME", help="Who sat where; once for each.")
@click.option("--date", type=_DATE, help="When it was played; by default as the record says, or its file.")
@click.pass_context
def add(context: click.Context, records: tuple[Path, ...], players: tuple[str, ...], date: datetime | None) -> None:
    """Keep RECORDS. A game that is kept already is brought up to date, after corrections for example."""
    seated = _seated(players)
    history = _history(context)
    for record in records:
        kept = history.add(record, players=seated, played=date)
        who = (
            ", ".join(f"{seat} {name}" for seat, name in kept.players.items()) or "nobody named: use --player SEAT=NAME"
        )
        click.echo(f"{kept.name}, {kept.played[:10]}: {who}")


def _seated(given: Sequence[str]) -> dict[str, str]:
    seated: dict[str, str] = {}
    for text in given:
        seat, equals, name = text.partition("=")
        if not equals or not seat.strip() or seat.strip() in seated:
            raise UsageError(f"--player {text!r} must be written SEAT=NAME, each seat once")
        seated[seat.strip()] = name
    return seated


@command.command("games")
@click.option("--player", help="Only the games of this person.")
@click.option("--search", "text", help="Only games with this text in name, date, people or rulings.")
@click.pass_context
def games(context: click.Context, player: str | None, text: str | None) -> None:
    """List the games, the newest first."""
    from referee.history.queries import games as ask  # noqa: PLC0415

    with _history(context).reading() as db:
        lines = ask(db, player=player, text=text)
    rows = [(g.played[:16].replace("T", " "), g.name, g.kind, g.rounds, g.reviews or "", g.result) for g in lines]
    _table(("played", "name", "game", ">rounds", ">to review", "result"), rows, "no games")


@command.command("players")
@click.pass_context
def players(context: click.Context) -> None:
    """List the players with their ratings, the highest first."""
    from referee.history.queries import players as ask  # noqa: PLC0415
    from referee.history.rating import ratings  # noqa: PLC0415

    with _history(context).reading() as db:
        lines = ask(db)
        rated, note = {}, ""
        try:
            rated = ratings(db)
        except UsageError as error:
            note = str(error)
    lines.sort(key=lambda p: (-(rated[p.name].shown if p.name in rated else -1e9), p.name))
    rows = [_player_row(p, rated.get(p.name)) for p in lines]
    heads = (
        "player",
        ">rating",
        ">games",
        ">won",
        ">in a row",
        ">best",
        ">cards",
        ">right",
        ">false",
        ">in silence",
        ">reacts",
    )
    _table(heads, rows, "no players: name them with `referee history add RECORD --player SEAT=NAME`")
    if note:
        click.echo(f"note: {note}", err=True)


def _player_row(p: PlayerLine, rating: Rating | None) -> tuple[object, ...]:
    return (
        p.name,
        f"{rating.shown:.1f}" if rating else "",
        p.games,
        p.won,
        p.streak,
        p.best_streak,
        p.cards,
        f"{p.accuracy:.0%}" if p.accuracy is not None else "",
        p.false_calls,
        p.silences_broken,
        f"{p.typical_s:.2f} s" if p.typical_s is not None else "",
    )


@command.command("versus")
@click.argument("first")
@click.argument("second")
@click.pass_context
def versus(context: click.Context, first: str, second: str) -> None:
    """Two people against each other."""
    from referee.history.queries import versus as ask  # noqa: PLC0415

    with _history(context).reading() as db:
        duel = ask(db, first, second)
    click.echo(f"{duel.games} game{'' if duel.games == 1 else 's'} together")
    click.echo(f"more cards: {first} {duel.first_ahead}, {second} {duel.second_ahead}, level {duel.level}")
    click.echo(f"rounds won: {first} {duel.first_calls}, {second} {duel.second_calls}")


@command.command("records")
@click.pass_context
def records(context: click.Context) -> None:
    """The records: fastest fair call, closest finish, and the like."""
    from referee.history.queries import records as ask  # noqa: PLC0415

    with _history(context).reading() as db:
        lines = ask(db)
    rows = [(b.what, b.value, b.who, b.played[:10], b.game, b.round) for b in lines]
    _table(
        ("record", ">value", "by", "on", "game", ">round"), rows, "no records yet: name the players of your games first"
    )


@command.command("export")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_context
def export(context: click.Context, file: Path) -> None:
    """Write all games to FILE, a zip of their records."""
    from referee.history.transfer import export as write  # noqa: PLC0415

    number = write(_history(context), file)
    click.echo(f"{file}: {number} game{'' if number == 1 else 's'}")


@command.command("import")
@click.argument("file", type=_FILE)
@click.pass_context
def take_in(context: click.Context, file: Path) -> int:
    """Add the games of FILE, an export."""
    from referee.history.transfer import take_in as read  # noqa: PLC0415

    number, problems = read(_history(context), file)
    for problem in problems:
        click.echo(f"left out: {problem}", err=True)
    click.echo(f"{number} game{'' if number == 1 else 's'} added")
    return 1 if problems else 0


@command.command("rebuild")
@click.pass_context
def rebuild(context: click.Context) -> int:
    """Make the database anew from the kept records."""
    number, problems = _history(context).rebuild()
    for problem in problems:
        click.echo(f"left out: {problem}", err=True)
    click.echo(f"{number} game{'' if number == 1 else 's'}")
    return 1 if problems else 0


@command.command("delete-player")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--voices",
    type=click.Path(path_type=Path, exists=True),
    help="A file or folder of voices elsewhere; what `referee voices` keeps is deleted in any case.",
)
@click.option("--enrolled-as", metavar="SEAT", help="Under which seat the voice was enrolled, if not under NAME.")
@click.pass_context
def delete_player(
    context: click.Context, *, name: str, yes: bool, voices: Path | None, enrolled_as: str | None
) -> None:
    """Delete NAME and their voice from this history for good. The games stay, with a nameless seat."""
    from audio import voice_store  # noqa: PLC0415
    from referee.history.forget import forget  # noqa: PLC0415

    if not yes:
        click.confirm(f"Delete {name} for good? This cannot be taken back", abort=True, err=True)
    who, changed, files = forget(_history(context), name, voices=voices, enrolled_as=enrolled_as)
    files += voice_store.delete(enrolled_as or who)
    gone = f"{files} voice{'' if files == 1 else 's'}"
    click.echo(f"{who} is deleted: from {changed} game{'' if changed == 1 else 's'}, and {gone}")
    click.echo("records, recordings, reports and exports that lie elsewhere are not touched")
