"""Run a server until it is told to stop: HTTPS for the table, plain HTTP for the certificate alone."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import signal
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from referee.errors import UsageError
from referee.live.server import SAFE, Site, host_of
from referee.live.words import WORDS
from referee.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from referee.live.certificates import Identity

BEAT_S = 0.5
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


@dataclass(slots=True)
class Served:
    """A server that runs."""

    site: Site
    runners: list[web.AppRunner]
    beat: asyncio.Task[None]

    async def stop(self) -> None:
        """End every game, say goodbye, close."""
        self.beat.cancel()
        await self.site.hub.close()
        await self.site.sockets.close()
        for runner in self.runners:
            await runner.cleanup()


async def start(
    site: Site,
    host: str,
    *,
    identity: Identity | None = None,
    plain: Callable[[], web.Application] | None = None,
    plain_port: int = 0,
) -> Served:
    """Listen.

    Args:
        site: what is served.
        host: the interface to listen on.
        identity: the certificate; None serves plain HTTP, for this computer alone.
        plain: makes the site that hands out the certificate; None for none.
        plain_port: its port.

    Raises:
        UsageError: a port cannot be listened on.
    """
    site.hub.open()
    runners = [await _listen(site.application(), host, site.address.port, identity.context() if identity else None)]
    if plain is not None:
        runners.append(await _listen(plain(), host, plain_port, None))
    return Served(site, runners, asyncio.create_task(_beat(site)))


async def _listen(app: web.Application, host: str, port: int, context: ssl.SSLContext | None) -> web.AppRunner:
    # No access log: nobody needs to know who looked when.
    runner = web.AppRunner(app, access_log=None, logger=_logger(), keepalive_timeout=30, shutdown_timeout=2)
    await runner.setup()
    if runner.server is not None:
        runner.server.request_handler = _readable(runner.server.request_handler)
    try:
        await web.TCPSite(runner, host, port, ssl_context=context).start()
    except OSError as error:
        await runner.cleanup()
        raise UsageError(f"cannot listen on port {port}: {error.strerror}; choose another with --port") from None
    return runner


def _readable(handler: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]) -> Any:
    """Where no route is found, the library's answer to an Expect header repeats it, and fails if it is no text."""

    async def answered(request: web.BaseRequest) -> web.StreamResponse:
        if not request.headers.get("Expect", "").isascii():
            return web.Response(status=400, headers=SAFE)
        return await handler(request)

    return answered


def _logger() -> logging.Logger:
    """Faults of this program are told; requests that are no HTTP are answered, and would only fill the terminal."""
    logger = logging.getLogger("referee.live.server")
    if not logger.filters:
        logger.addFilter(lambda record: not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError)))
    return logger


async def _beat(site: Site) -> None:
    """What changes by itself (loudness, delay) is told twice a second while somebody streams."""
    while True:
        await asyncio.sleep(BEAT_S)
        for table in site.hub.tables.values():
            table.beat()


async def run_until_stopped(start_all: Callable[[], Awaitable[Served]], ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C or a polite kill; games are ended and their records closed before this returns."""
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C comes as an exception there
            loop.add_signal_handler(name, stopped.set)
    served = await start_all()
    try:
        ready()
        await stopped.wait()
    finally:
        await served.stop()


def certificate_site(authority: Path, files: dict[str, tuple[bytes, str]], hosts: frozenset[str]) -> web.Application:
    """The plain site that hands out the certificate, with steps for each kind of phone; no keys pass here."""
    certificate = authority.read_bytes()
    der = ssl.PEM_cert_to_DER_cert(certificate.decode())
    words = {language: {key: told[i] for key, told in WORDS.items()} for i, language in enumerate(LANGUAGES)}

    def answer(body: bytes, kind: str, **headers: str) -> web.Response:
        return web.Response(
            body=body, content_type=kind, headers={**SAFE, "Content-Security-Policy": POLICY, **headers}
        )

    async def page(request: web.Request) -> web.Response:
        if host_of(request.headers.get("Host", "")) not in hosts:
            raise web.HTTPMisdirectedRequest
        return answer(*files["first.html"])

    async def file(request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in ("style.css", "words.js", "first.js", "icon.svg"):
            raise web.HTTPNotFound
        return answer(*files[name])

    async def get(_: web.Request) -> web.Response:
        return answer(
            der, "application/x-x509-ca-cert", **{"Content-Disposition": 'attachment; filename="referee.crt"'}
        )

    async def said(_: web.Request) -> web.Response:
        return web.json_response(words, headers=SAFE)

    async def fingerprint(_: web.Request) -> web.Response:
        return answer(fingerprint_of(der).encode(), "text/plain")

    app = web.Application(client_max_size=1000)
    routes = {"/": page, "/file/{name}": file, "/certificate": get, "/words": said, "/fingerprint": fingerprint}
    app.add_routes([web.get(path, handler) for path, handler in routes.items()])
    return app


def fingerprint_of(der: bytes) -> str:
    """SHA-256 as people compare it: pairs of hexadecimal digits."""
    digest = hashlib.sha256(der).hexdigest().upper()
    return ":".join(digest[i : i + 2] for i in range(0, len(digest), 2))
