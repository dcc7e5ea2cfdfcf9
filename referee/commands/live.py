"""`referee live`: a table now, with this computer's camera and microphones."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import click

from referee.live.settings import game_options, needs, private_folder, request_of

if TYPE_CHECKING:
    from pathlib import Path

    from referee.judge import Request
    from referee.live.local import Chosen

NAME = "table"


def number_or_name(_: click.Context, __: click.Parameter, value: str | None) -> int | str | None:
    """A device's number, or its name."""
    return int(value) if value is not None and value.isdecimal() else value


@click.command("live")
@game_options
@click.option("--list", "list_devices", is_flag=True, help="List cameras and microphones, and end.")
@click.option(
    "--device", callback=number_or_name, metavar="N|NAME", help="The microphone, by number or part of its name."
)
@click.option("--camera", callback=number_or_name, default="0", show_default=True, metavar="N|PATH", help="The camera.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8444, show_default=True, help="Of the screen on this computer."
)
def command(
    *, list_devices: bool, device: int | str | None, camera: int | str, port: int, out: Path, **asked: Any
) -> int:
    """Referee a table with this computer's camera and microphones; the screen is a page on this computer alone.

    Ctrl-C ends the game; its record is complete.
    """
    needs("live", "sounddevice")
    needs("server", "aiohttp", "segno")
    from referee.live import local  # noqa: PLC0415  only when live

    if list_devices:
        for line in local.devices():
            click.echo(line)
        return 0
    request = request_of(out, **asked)
    asyncio.run(_live(request, out, local.Chosen(camera, device), port))
    return 0


async def _live(request: Request, out: Path, chosen: Chosen, port: int) -> None:
    from referee.live import serving  # noqa: PLC0415  only when live
    from referee.live.codes import Address  # noqa: PLC0415  the same
    from referee.live.hub import Hub  # noqa: PLC0415  the same
    from referee.live.keys import Keys  # noqa: PLC0415  the same
    from referee.live.local import Local  # noqa: PLC0415  the same
    from referee.live.server import Site  # noqa: PLC0415  the same

    devices = await asyncio.to_thread(Local, chosen, lambda text: click.echo(f"referee: {text}", err=True))
    keys = Keys.load(private_folder() / "live-keys.json")
    address = Address("http", "localhost", port)
    site = Site(Hub(request, out, (NAME,)), keys, address, frozenset({"localhost", "127.0.0.1"}))
    link = address.link(keys.table(NAME)["scorer"])
    try:
        await serving.run_until_stopped(
            lambda: serving.start(site, "127.0.0.1"),
            lambda: _begin(devices, site, link),
        )
    finally:
        await asyncio.to_thread(devices.stop)
    click.echo(f"ended; record and recording are in {out}")


def _begin(devices: Any, site: Any, link: str) -> None:
    """Stream, and say where the screen is."""
    table = site.hub.tables[NAME]
    devices.start(table)
    click.echo(
        f"camera {devices.size[0]} x {devices.size[1]}, {devices.channels} microphone channels at {devices.rate} Hz"
    )
    if devices.channels == 1:
        click.echo("one microphone only: nobody can tell who called; a stereo microphone or players' phones can")
    click.echo(f"\nThe screen: {link}\n\nEverything stays on this computer. Ctrl-C ends the game.")
