"""`referee models`: fetch an official recognition model, see which are here, delete one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.errors import ModelError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from models.official import Official

    Told = Callable[[int, int | None], None]


@click.group("models")
def command() -> None:
    """Official Vosk models for `judge --model NAME`. The referee works without any of them.

    Only `referee models download` uses the network; what it fetches stays on this computer.
    """


@command.command("list")
def list_models() -> None:
    """Show the models that can be downloaded, and those that are here."""
    from models import official, store  # noqa: PLC0415  only here

    here = store.installed()
    for model in official.models():
        state = "here" if model.name in here else "      "
        click.echo(f"{state:6} {model.tag:6} {model.size / 1e6:5.0f} MB  {model.title:15} {model.name}")
    for name in here:
        if name not in {model.name for model in official.models()}:
            click.echo(f"here   {name}")
    click.echo(f"They lie in {store.folder()}; use one with: referee judge RECORDING --model NAME")


@command.command("download")
@click.argument("name")
@click.option("--from", "source", metavar="URL|FILE", help="Another server with the same zip, or the zip itself.")
@click.option("--again", is_flag=True, help="Also if it is here already.")
def download(name: str, source: str | None, *, again: bool) -> None:
    """Download the model NAME (en-us, de, es, ko, or its full name), check it, and unpack it.

    A download that was interrupted goes on where it stopped when the same command is given again.
    """
    from models import official, store  # noqa: PLC0415  only here
    from models.unpack import unpack  # noqa: PLC0415  the same
    from referee.places import made  # noqa: PLC0415  the same

    model = official.find(name)
    if model.name in store.installed() and not again:
        click.echo(f"{model.name} is here already: use it with --model {model.tag}, or fetch it --again")
        return
    folder = made(store.folder())
    archive = folder / f"{model.name}.zip"
    sha256 = _fetched(model, source, archive)
    try:
        unpack(archive, folder / model.name)
        store.remember(model.name, sha256)
    except OSError as error:
        raise ModelError(f"{folder} cannot be written ({error.strerror})") from None
    finally:
        archive.unlink(missing_ok=True)
    if model.sha256 is None:
        click.echo(f"note: nobody has published its sha256; it is {sha256}, and must be the same from now on", err=True)
    click.echo(f"{model.name} is here and checked: referee judge RECORDING --model {model.tag}")


def _fetched(model: Official, source: str | None, archive: Path) -> str:
    """Get the zip, from the makers' site or from elsewhere, and give its sha256."""
    from models import store  # noqa: PLC0415  only here
    from models.fetch import Wanted, fetch  # noqa: PLC0415  the same
    from models.official import SITE  # noqa: PLC0415  the same

    expected = model.sha256 or store.remembered().get(model.name)
    url = _address(source, model) if source else f"{SITE}/{model.name}.zip"
    wanted = Wanted(url, model.size, expected, model.md5)
    bar = _bar(model.name)
    told = next(bar)
    try:
        return fetch(wanted, archive, told=told)
    except KeyboardInterrupt:
        part = archive.with_name(archive.name + ".part")
        have = part.stat().st_size / 1e6 if part.exists() else 0.0
        click.echo(f"referee: {have:.1f} MB of {model.size / 1e6:.1f} are kept; the same command goes on", err=True)
        raise
    finally:
        bar.close()


def _address(source: str, model: Official) -> str:
    """A folder on another server, or a zip on this computer, as an address."""
    path = Path(source)
    if path.is_dir():
        path = path / f"{model.name}.zip"
    if path.is_file():
        return path.resolve().as_uri()
    if not source.startswith(("https://", "http://")):
        raise UsageError(f"--from {source}: neither a file that is here nor an address that begins with https://")
    return source if source.endswith(".zip") else f"{source.rstrip('/')}/{model.name}.zip"


def _bar(title: str) -> Generator[Told]:
    """A progress bar on standard error, if that is a terminal: gives what is to be called, once."""
    from rich.console import Console  # noqa: PLC0415  only here
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(title, total=None)
        yield lambda have, total: progress.update(task, completed=have, total=total)


@command.command("remove")
@click.argument("name")
def remove(name: str) -> None:
    """Delete the downloaded model NAME."""
    from models import store  # noqa: PLC0415  only here

    click.echo(f"deleted {store.remove(name)}")
