"""The web server: pages, keys exchanged for cookies, pictures of cards, and one socket a role.

/                      asks for the key in its own fragment and goes on to the page of the key's role
POST /enter            key -> cookie
/ROLE                  the page of a role        /ROLE/socket     its socket (referee.live.sockets)
/ROLE/overview         all tables, for screen and scorer
/ROLE/card/N           a card as the camera saw it         /ROLE/sound/N   a round's photo finish
/scorer/codes          addresses and QR codes of all roles
/file/NAME, /words     styles, scripts, sentences
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from aiohttp import web

from referee.live import pagefiles
from referee.live.codes import Address, svg
from referee.live.keys import ROLES, Keys
from referee.live.limits import Buckets
from referee.live.sockets import Sockets
from referee.live.words import WORDS
from referee.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from referee.live.hub import Hub

    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

LONGEST_FORM = 2000
PAGES = {"camera": "camera.html", "player": "player.html", "screen": "screen.html", "scorer": "screen.html"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
SAFE = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(self), screen-wake-lock=(self), geolocation=(), payment=()",
    "Cache-Control": "no-store",
}


@dataclass(slots=True)
class Site:
    """One server's site: everything a request needs."""

    hub: Hub
    keys: Keys
    address: Address
    hosts: frozenset[str]
    """Names under which this server answers; any other is refused (a foreign name may lead here)."""
    long_side: int = 960
    """Pixels of the longer side of the camera's picture."""
    sockets: Sockets = field(init=False)
    files: dict[str, tuple[bytes, str]] = field(default_factory=pagefiles.load)
    tries: Buckets = field(default_factory=lambda: Buckets(most=20, per_s=0.5))
    """Of keys, a visitor."""

    def __post_init__(self) -> None:
        self.sockets = Sockets(self.hub)

    def application(self) -> web.Application:
        """The application, ready to be run."""
        app = web.Application(middlewares=[self._guard], client_max_size=LONGEST_FORM)
        gets = {
            "/": self._entrance,
            "/words": self._words,
            "/file/{name}": self._file,
            "/scorer/codes": self._codes,
            "/camera/how": self._how,
            "/screen/overlay": self._overlay,
            "/{role}/overview": self._overview_page,
            "/{role}/overview/socket": self._overview_socket,
            "/player/practice": self._practice,
            "/player/practice/socket": self._practice_socket,
            "/{role}": self._page,
            "/{role}/socket": self._socket,
            "/{role}/card/{number:[0-9]{1,6}}": self._card,
            "/{role}/sound/{number:[0-9]{1,4}}": self._sound,
        }
        for path, handler in gets.items():
            app.router.add_get(path, handler, expect_handler=_expected)
        app.router.add_post("/enter", self._enter, expect_handler=_expected)
        app.router.add_route("*", "/{rest:.*}", _nothing, expect_handler=_expected)
        return app

    # What every request passes

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Foreign names and foreign pages are refused; every answer carries the same strict headers."""
        try:
            if host_of(request.headers.get("Host", "")) not in self.hosts:
                raise web.HTTPMisdirectedRequest
            origin = request.headers.get("Origin")
            if origin is not None and not self._own(origin, request):
                raise web.HTTPForbidden
            response = await handler(request)
        except web.HTTPException as error:
            response = web.Response(status=error.status, text=error.reason)
        if not response.prepared:
            response.headers.update(SAFE)
            response.headers["Content-Security-Policy"] = self._policy(request)
        return response

    def _own(self, origin: str, request: web.Request) -> bool:
        """Whether a page that asks is one of this very server's."""
        try:
            given = urlsplit(origin)
        except ValueError:
            return False
        return given.scheme == self.address.scheme and given.netloc.lower() == request.headers.get("Host", "").lower()

    def _policy(self, request: web.Request) -> str:
        socket = f"{'wss' if self.address.scheme == 'https' else 'ws'}://{request.headers.get('Host', '')}"
        if not socket.isascii() or any(c in socket for c in "; ,'\"\r\n"):
            socket = ""
        return f"{POLICY}; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self' {socket}"

    def _table(self, request: web.Request, *roles: str) -> str:
        """The table that the visitor's cookie opens for the role in the address; else refused."""
        role = request.match_info.get("role", roles[0] if roles else "")
        if role not in ROLES or (roles and role not in roles):
            raise web.HTTPNotFound
        said = self.keys.read(request.cookies.get(self.address.cookie(role), ""))
        if said is None or said[1] != role or said[0] not in self.hub.tables:
            raise web.HTTPUnauthorized
        return said[0]

    # Answers

    async def _entrance(self, _: web.Request) -> web.Response:
        return self._of_file("enter.html")

    async def _enter(self, request: web.Request) -> web.Response:
        if request.headers.get("Origin") is None or not self.tries.take(request.remote or ""):
            raise web.HTTPTooManyRequests
        try:
            given = await request.json()
            key = given["key"]
        except (ValueError, KeyError, TypeError):
            raise web.HTTPBadRequest from None
        found = self.keys.role(key) if isinstance(key, str) and len(key) < 100 else None
        if found is None or found[0] not in self.hub.tables:
            raise web.HTTPForbidden
        table, role = found
        response = web.json_response({"role": role, "table": table})
        response.set_cookie(
            self.address.cookie(role),
            self.keys.cookie(table, role),
            max_age=30 * 86400,
            secure=self.address.scheme == "https",
            httponly=True,
            samesite="Strict",
            path="/",
        )
        return response

    async def _words(self, _: web.Request) -> web.Response:
        words = {language: {key: told[i] for key, told in WORDS.items()} for i, language in enumerate(LANGUAGES)}
        return web.json_response(words)

    async def _file(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in self.files or name.endswith(".html"):
            raise web.HTTPNotFound
        return self._of_file(name)

    async def _page(self, request: web.Request) -> web.Response:
        self._table(request)
        return self._of_file(PAGES[request.match_info["role"]])

    async def _overlay(self, request: web.Request) -> web.Response:
        self._table(request, "screen")
        return self._of_file("overlay.html")

    async def _overview_page(self, request: web.Request) -> web.Response:
        self._table(request, "screen", "scorer")
        return self._of_file("overview.html")

    async def _overview_socket(self, request: web.Request) -> web.StreamResponse:
        self._table(request, "screen", "scorer")
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden
        return await self.sockets.overview(request, request.match_info["role"])

    async def _practice(self, request: web.Request) -> web.Response:
        self._table(request, "player")
        return self._of_file("practice.html")

    async def _practice_socket(self, request: web.Request) -> web.StreamResponse:
        name = self._table(request, "player")
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden
        return await self.sockets.serve(request, name, "practice")

    async def _card(self, request: web.Request) -> web.Response:
        table = self.hub.tables[self._table(request, "camera", "screen", "scorer")]
        picture = table.evidence.cards.get(int(request.match_info["number"]))
        if picture is None:
            raise web.HTTPNotFound
        return web.Response(body=picture, content_type="image/jpeg")

    async def _sound(self, request: web.Request) -> web.Response:
        table = self.hub.tables[self._table(request, "camera", "screen", "scorer")]
        found = table.evidence.sound.get(int(request.match_info["number"]))
        if found is None:
            raise web.HTTPNotFound
        return web.json_response(found)

    async def _codes(self, request: web.Request) -> web.Response:
        name = self._table(request, "scorer")
        keys = self.keys.table(name)
        codes: list[dict[str, Any]] = [
            {"role": role, "address": link, "svg": svg(link)}
            for role in ("camera", "player", "screen")
            for link in [self.address.link(keys[role])]
        ]
        if self.address.first_time:
            codes.append({"role": "first", "address": self.address.first_time, "svg": svg(self.address.first_time)})
        return web.Response(text=json.dumps(codes), content_type="application/json")

    async def _how(self, request: web.Request) -> web.Response:
        table = self.hub.tables[self._table(request, "camera")]
        return web.json_response({"long": self.long_side, "rate": table.pace.most})

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        name, role = self._table(request), request.match_info["role"]
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden
        return await self.sockets.serve(request, name, role)

    def _of_file(self, name: str) -> web.Response:
        body, kind = self.files[name]
        return web.Response(body=body, content_type=kind, charset="utf-8")


async def _nothing(_: web.Request) -> web.Response:
    raise web.HTTPNotFound


async def _expected(request: web.Request) -> web.Response | None:
    """The library's own answer to a strange Expect header repeats it, and fails where it is no text."""
    if request.headers.get("Expect", "").lower() == "100-continue":
        return None
    return web.Response(status=417, headers=SAFE)


def host_of(header: str) -> str:
    """The name in a Host header, without its port."""
    name, colon, port = header.rpartition(":")
    return (name if colon and port.isdecimal() else header).strip("[]").lower()
