"""`referee serve`: a table now, with a phone above it."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.errors import UsageError
from referee.live.settings import game_options, needs, private_folder, request_of
from referee.live.tournament import Tournament

if TYPE_CHECKING:
    from referee.judge import Request
    from referee.live.certificates import Identity

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command("serve")
@game_options
@click.option("--table", "tables", multiple=True, metavar="NAME", help="A table's name; several for a tournament.")
@click.option("--ranked", is_flag=True, help="Ranked games: phones whose browser alters the sound are refused.")
@click.option(
    "--entrant",
    "entrants",
    multiple=True,
    metavar="NAME",
    help="A player of a tournament, once for each; Swiss rounds are started on the overview page.",
)
@click.option("--entrants", "entrants_file", type=_FILE, help="The same as a text file, one name a line.")
@click.option("--port", type=click.IntRange(1, 65535), default=8443, show_default=True, help="Of HTTPS.")
@click.option(
    "--plain-port",
    type=click.IntRange(1, 65535),
    default=8080,
    show_default=True,
    help="Of the page that hands out the certificate.",
)
@click.option(
    "--host", metavar="ADDRESS", help="The address that phones use; by default this computer's in its network."
)
@click.option("--listen", default="", metavar="ADDRESS", help="Listen on this interface alone.")
@click.option(
    "--keep-gb",
    type=click.FloatRange(min=0.1),
    help="Delete each table's oldest recordings beyond this much before a game; records stay. By default none.",
)
@click.option(
    "--long-side",
    type=click.IntRange(320, 1920),
    help="Pixels of the camera's longer side; by default 960 on two cores, 1280 on more.",
)
@click.option("--certificate", type=_FILE, help="A certificate of your own (PEM), with --key.")
@click.option("--key", type=_FILE, help="Its private key (PEM).")
@click.option(
    "--new-keys", is_flag=True, help="Make new keys: QR codes and visitors of before are refused from now on."
)
def command(*, tables: tuple[str, ...], new_keys: bool, out: Path, **asked: Any) -> int:
    """Referee a table now: prints an address with its QR code; a phone above the table opens it and streams.

    Everything stays on this computer and in this network. Ctrl-C ends the games; their records are complete.
    """
    needs("server", "aiohttp", "cryptography", "segno")
    names = tuple(dict.fromkeys(tables)) or ("table",)
    for name in names:
        if not re.fullmatch(r"[a-z0-9-]{1,20}", name):
            raise UsageError(f"--table {name!r}: a name has up to 20 small letters, digits and hyphens")
    how = {
        name: asked.pop(name)
        for name in ("port", "plain_port", "host", "listen", "certificate", "key", "long_side", "keep_gb", "ranked")
    }
    entered = (*asked.pop("entrants"), *_names_of(asked.pop("entrants_file")))
    request = request_of(out, **asked)
    tournament = Tournament(out / "tournament.json", entered, names, size=request.players or 2) if entered else None
    asyncio.run(_serve(request, out, names, new_keys=new_keys, tournament=tournament, **how))
    return 0


def _names_of(path: Path | None) -> list[str]:
    """One name a line.

    Raises:
        UsageError: the file is no text.
    """
    try:
        return [] if path is None else path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError):
        raise UsageError(f"{path} cannot be read as text: one name a line") from None


async def _serve(
    request: Request,
    out: Path,
    tables: tuple[str, ...],
    *,
    new_keys: bool,
    tournament: Tournament | None,
    ranked: bool,
    port: int,
    plain_port: int,
    host: str | None,
    listen: str,
    certificate: Path | None,
    key: Path | None,
    long_side: int | None,
    keep_gb: float | None,
) -> None:
    from referee.live import addresses, serving  # noqa: PLC0415  only when serving
    from referee.live.codes import Address  # noqa: PLC0415  the same
    from referee.live.hub import Hub  # noqa: PLC0415  the same
    from referee.live.keys import Keys  # noqa: PLC0415  the same
    from referee.live.server import Site  # noqa: PLC0415  the same

    names = [*([host] if host else []), *addresses.names()]
    identity = _identity(names, certificate, key)
    first = f"http://{names[0]}:{plain_port}/" if identity.authority else ""
    address = Address("https", names[0], port, first)
    keys = Keys.load(private_folder() / "keys.json")
    for table in tables:
        if new_keys:
            keys.renew(table)
        keys.table(table)
    site = Site(
        Hub(request, out, tables, None if keep_gb is None else round(keep_gb * 1e9), ranked, tournament),
        keys,
        address,
        frozenset(n.lower() for n in names),
    )
    site.long_side = long_side or (1280 if (os.cpu_count() or 1) > 2 else 960)
    plain = None
    if identity.authority:
        authority = identity.authority

        def plain() -> Any:
            return serving.certificate_site(authority, site.files, site.hosts)

    await serving.run_until_stopped(
        lambda: serving.start(site, listen, identity=identity, plain=plain, plain_port=plain_port),
        lambda: _welcome(address, keys, tables, identity, overview=tournament is not None or len(tables) > 1),
    )
    click.echo(f"ended; records and recordings are in {out}")


def _identity(names: list[str], certificate: Path | None, key: Path | None) -> Identity:
    from referee.live.certificates import Identity, identity  # noqa: PLC0415  only when serving

    if (certificate is None) != (key is None):
        raise UsageError("--certificate and --key belong together")
    if certificate is not None and key is not None:
        return Identity(certificate, key, None)
    return identity(private_folder(), names)


def _welcome(address: Any, keys: Any, tables: tuple[str, ...], identity: Identity, *, overview: bool) -> None:
    """Addresses and the camera's QR code."""
    import ssl  # noqa: PLC0415  only when serving

    from referee.live.codes import terminal  # noqa: PLC0415  the same
    from referee.live.serving import fingerprint_of  # noqa: PLC0415  the same

    for table in tables:
        held = keys.table(table)
        title = f" of {table}" if len(tables) > 1 else ""
        click.echo(f"\nScan this with the phone above the table{title}:\n")
        click.echo(terminal(address.link(held["camera"])))
        click.echo(f"camera{title}:  {address.link(held['camera'])}")
        click.echo(f"screen{title}:  {address.link(held['screen'])}")
        click.echo(f"scorer{title}:  {address.link(held['scorer'])}   (screen with buttons, and all QR codes)")
    if overview:
        click.echo(f"\nAll tables: {address.root}scorer/overview, once a scorer's address was opened in that browser")
    if identity.authority:
        der = ssl.PEM_cert_to_DER_cert(identity.authority.read_text())
        click.echo(f"\nThe first time, a phone needs this computer's certificate: {address.first_time}")
        click.echo(f"its SHA-256 fingerprint: {fingerprint_of(der)}")
    click.echo("\nPicture and sound stay on this computer. Ctrl-C ends the games.")
