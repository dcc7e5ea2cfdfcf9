"""`referee judge`: a recording goes in, rulings come out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.commands import typed
from referee.errors import DamagedError, InputError
from referee.options import GAMES, OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.judge import Request
    from referee.option_spec import OptionSpec
    from referee.ruling import Ruling

Line = dict[str, Any]


def split(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Words separated by commas."""
    return tuple(word.strip().lower() for word in value.split(",") if word.strip()) if value else ()


def names(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Names separated by commas, as they are written."""
    return tuple(word.strip() for word in value.split(",") if word.strip()) if value else ()


def pairs(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Options written as name=value."""
    out = {}
    for value in values:
        name, equals, setting = value.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"{value!r} is not name=value")
        out[name.strip()] = setting.strip()
    return out


def seated(_: click.Context, __: click.Parameter, value: str | None) -> dict[str, str]:
    """Who sits where, written as seat=name with commas between."""
    out: dict[str, str] = {}
    for text in (value or "").split(","):
        seat, equals, name = (part.strip() for part in text.partition("="))
        if not (text.strip() or equals):
            continue
        if not (seat and name) or seat.lower() in out:
            raise click.BadParameter(f"{text.strip()!r} is not SEAT=NAME, each seat once")
        out[seat.lower()] = name
    return out


class JudgeCommand(click.Command):
    """Adds the house rules to the help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click's signature
        """A list of every house rule: name, values, default, games, what it decides."""
        with formatter.section("House rules (--option name=value)"):
            formatter.write_dl([(f"{o.name}={o.values}", _described(o)) for o in OPTIONS], col_max=38)
        with formatter.section("Exit status"):
            formatter.write_text("0 judged; 1 judged, with rounds to review; 2 usage; 3 the input cannot be judged.")


def _described(option: OptionSpec) -> str:
    """What a house rule decides, its default, the games that have it, and the sentence of the sheet it interprets."""
    sheet = f' Sheet: "{option.sentence}"' if option.sentence else " The sheets are silent."
    return f"{option.meaning} (default {_said(option.default)}; {', '.join(option.games)}).{sheet}"


def _said(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


@click.command("judge", cls=JudgeCommand)
@click.argument("recordings", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--game", type=click.Choice(GAMES), default="rock", show_default=True, help="Which rule sheet.")
@click.option("--players", type=click.IntRange(1, 8), help="How many play; by default the first round shows it.")
@click.option("--seats", callback=split, metavar="NORTH,SOUTH", help="Who plays, by sides of the picture.")
@click.option(
    "--deck",
    default="auto",
    show_default=True,
    metavar="NAME|DIR",
    help="printed, poker, auto, a deck of your own (referee deck enroll), or its folder.",
)
@click.option(
    "--languages", callback=split, metavar="en,de,es,ko", help="Languages of the calls; by default the game's own."
)
@click.option(
    "--microphones", callback=split, metavar="SEAT,SEAT", help="The seat at each channel, in the order of the channels."
)
@click.option(
    "--layout",
    type=click.Choice(["one", "stereo", "own"]),
    help="What the microphones are: one, a stereo pair, or each player's own; by default found out.",
)
@click.option(
    "--model", type=click.Path(path_type=Path), metavar="NAME|DIR", help="A downloaded Vosk model, or one of your own."
)
@click.option("--words", callback=names, metavar="WORD,WORD|all", help="Words of your own (referee words) that count.")
@click.option(
    "--voices",
    callback=seated,
    metavar="SEAT=NAME,...",
    help="Whose enrolled voice (referee voices) sits where, for one microphone.",
)
@click.option(
    "--option", "options", multiple=True, callback=pairs, metavar="NAME=VALUE", help="A house rule; see below."
)
@click.option("--language", default="en", show_default=True, help="Of the sentences: en, de or es.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default="out",
    show_default=True,
    help="Folder for the record.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes for several recordings; by default one a core."
)
@click.option("--cluster", metavar="ADDRESS", help="Judge on a Dask cluster: its scheduler's address (docs/many.md).")
@click.option("--json", "as_json", is_flag=True, help="Ruling lines on standard output, nothing else there.")
@click.option("--quiet", is_flag=True, help="No progress and no table.")
def command(
    recordings: tuple[Path, ...],
    out: Path,
    *,
    as_json: bool,
    quiet: bool,
    jobs: int | None,
    cluster: str | None,
    **asked: Any,
) -> int:
    """Rule a recorded game, round by round: which cards lay face up, what was due, who was first, who got what.

    RECORDINGS are media files, folders of them, or event files typed by hand (.jsonl). Several are judged side by side,
    and only those whose record is not finished yet: the same command again goes on where it was stopped.
    """
    paths = expanded(recordings)
    request = _request(paths[0], **asked)
    if len(paths) > 1 or cluster or recordings[0].is_dir():
        typed.check(paths)
        return _many(request, paths, out, as_json=as_json, quiet=quiet, processes=jobs, cluster=cluster)
    if paths[0].suffix != ".jsonl":
        return _recorded(request, out, as_json, quiet)
    path, match = typed.rule(request, out)
    lines = [ruling.to_json() for ruling in match.in_force]
    for line in lines if as_json else ():
        click.echo(json.dumps(line, ensure_ascii=False))
    if not (as_json or quiet):
        _show(lines, match.result(), path, language=match.language)
    return 1 if any(line["review"] for line in lines) else 0


MEDIA = frozenset({".mp4", ".mkv", ".mov", ".m4v", ".webm", ".avi", ".3gp", ".mts", ".ts"})
"""Endings of what a folder is searched for; a file named by itself may have any."""


def expanded(paths: tuple[Path, ...]) -> list[Path]:
    """Files as they are, and the recordings in folders, sorted by name.

    Raises:
        InputError: a folder holds no recording.
    """
    out: dict[Path, Path] = {}
    for path in paths:
        inside = sorted(filter(_is_recording, path.iterdir())) if path.is_dir() else [path]
        if not inside:
            raise InputError(f"{path} holds no recording ({', '.join(sorted(MEDIA))})")
        out.update((one.resolve(), one) for one in inside if one.resolve() not in out)
    return list(out.values())


def _is_recording(path: Path) -> bool:
    """Whether a file of a folder is to be judged: not what `referee report --video` has made of a recording."""
    return path.suffix.lower() in MEDIA and not path.name.startswith(".") and not path.stem.endswith(".rulings")


def _request(recording: Path, *, seats: tuple[str, ...], microphones: tuple[str, ...], **asked: Any) -> Request:
    from referee.judge import Request  # noqa: PLC0415  only when judging

    return Request(recording=recording, seats=seats or None, microphones=microphones or None, **asked)


def _recorded(request: Request, out: Path, as_json: bool, quiet: bool) -> int:
    """Judge one recording and show it."""
    from referee.judge import Judging  # noqa: PLC0415  loads eye and ear
    from referee.resume import open_record  # noqa: PLC0415  the same

    judging = Judging(request)
    damage: DamagedError | None = None
    lines: dict[int, Line] = {}
    with open_record(out, request.recording.stem, judging.header) as record:
        try:
            for ruling in _rulings(judging, record, show=not (as_json or quiet)):
                lines[ruling.round] = ruling.to_json()
                if as_json:
                    click.echo(json.dumps(lines[ruling.round], ensure_ascii=False))
        except DamagedError as error:
            damage = error
        except KeyboardInterrupt:
            from referee.messages.labels import label  # noqa: PLC0415  only then

            click.echo(label("told.interrupted", request.language, path=str(record.path)), err=True)
            raise
    if not (as_json or quiet):
        result = judging.match.result() if judging.match else None
        _show(list(lines.values()), result, record.path, request.spoken, language=request.language)
    if damage is not None:
        raise DamagedError(f"{damage}; {len(lines)} rounds judged before that are in {record.path}", damage.at_s)
    return 1 if any(line["review"] for line in lines.values()) else 0


def _many(
    request: Request,
    paths: list[Path],
    out: Path,
    *,
    as_json: bool,
    quiet: bool,
    processes: int | None,
    cluster: str | None,
) -> int:
    """Judge several recordings side by side and sum up."""
    from referee.many.run import judge_all  # noqa: PLC0415  only for several

    outcomes, status = judge_all(
        [replace(request, recording=path) for path in paths],
        out,
        processes=processes,
        cluster=cluster,
        show=not (as_json or quiet),
    )
    if as_json:
        from referee.record import read_record  # noqa: PLC0415  only then

        for record in (read_record(one.record) for one in outcomes if one.record):
            for line in record.rulings:
                click.echo(json.dumps(line, ensure_ascii=False))
    return status


def _rulings(judging: Any, record: Any, *, show: bool) -> Iterator[Ruling]:
    """The rulings as they come; a bar on standard error if that is a terminal."""
    from rich.console import Console  # noqa: PLC0415  only when judging
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415  the same

    from referee.judge import judge  # noqa: PLC0415  the same
    from referee.ruling import Ruling  # noqa: PLC0415  the same

    console = Console(stderr=True)
    columns = (TextColumn("judging"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not (show and console.is_terminal)) as progress:
        task = progress.add_task("judging", total=judging.duration_s or None)
        for step in judge(judging, record):
            if isinstance(step, Ruling):
                yield step
            elif time_s := getattr(step, "time_s", None):
                progress.update(task, completed=time_s)


def _show(lines: list[Line], result: Line | None, path: Path, listened: tuple[str, ...] = (), *, language: str) -> None:
    from rich.console import Console  # noqa: PLC0415  only when judging

    from referee import console  # noqa: PLC0415  the same
    from referee.messages.labels import label  # noqa: PLC0415  the same

    console.show(lines, result, Console(), listened, language=language)
    click.echo(label("told.record", language, path=str(path)))
