"""A server on this computer alone, and its visitors: a camera that streams a staged game, screens that look on."""

import asyncio
import json
import struct
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

from referee.bench import phone
from referee.judge import Request
from referee.live import serving
from referee.live.codes import Address
from referee.live.hub import Hub
from referee.live.keys import Keys
from referee.live.server import Site

ROOT = Path(__file__).parents[2]
GAME = ROOT / "fixtures" / "games" / "two-friends.mp4"
SIZE = (640, 360)
HEADER = struct.Struct(">BBHIq")
SESSION = "5e" * 16
PATIENCE_S = 300.0
"""For what must come, on however busy a machine: it costs nothing when all is well."""


def staged(path=GAME, *, until_s=5.6, rate=10, size=SIZE, channels=None):
    """Messages (time, bytes) that a phone above this staged game would send, and what it says in its greeting."""
    game = phone.staged(path, until_s=until_s, rate=rate, size=size, alone_s=1.0)
    made = [(time_s, 1, alone, round(time_s * 1e6), picture) for time_s, alone, picture in game.pictures]
    whole = game.sound.astype("<i2")[:, :channels]
    for first in range(0, len(whole), 2048):
        part = whole[first : first + 2048]
        made.append(((first + len(part)) / game.rate, 2, True, first, part.tobytes()))
    made.sort(key=lambda m: m[0])
    messages = [(t, pack(kind, n, stamp, body, alone=alone)) for n, (t, kind, alone, stamp, body) in enumerate(made)]
    marks = [[n, m[3] // 1000] for n, m in enumerate(made) if m[1] == 1 and m[2]]
    return messages, greeting(rate=game.rate, channels=whole.shape[1], size=size), marks


def pack(kind, sequence, stamp, body, *, alone=False):
    """A binary message."""
    return HEADER.pack(kind, int(alone), 0, sequence, stamp) + body


def greeting(*, rate=48000, channels=2, size=SIZE, session=SESSION, **more):
    """What a camera page says first."""
    sound = {"echoCancellation": False, "noiseSuppression": False, "autoGainControl": False}
    base = {"session": session, "rate": rate, "channels": channels, "codec": "avc1.42E028", "sound": sound, "marks": []}
    return {**base, "width": size[0], "height": size[1], **more}


@asynccontextmanager
async def serve(folder, port, *, tables=("table",), ranked=False, tournament=None, **asked):
    """A server of one evening, plain HTTP on the loopback."""
    keys = Keys.load(folder / "keys.json")
    for table in tables:
        keys.table(table)
    request = Request(recording=folder / "live.mkv", **{"players": 2, **asked})
    site = Site(
        Hub(request, folder / "out", tables, ranked=ranked, tournament=tournament),
        keys,
        Address("http", "127.0.0.1", port),
        frozenset({"127.0.0.1"}),
    )
    served = await serving.start(site, "127.0.0.1")
    try:
        yield site
    finally:
        await served.stop()


class Visitor:
    """A browser with its cookies."""

    def __init__(self, port):
        self.root = f"http://127.0.0.1:{port}"
        self.origin = {"Origin": self.root}

    async def __aenter__(self):
        many = aiohttp.TCPConnector(limit=0)
        self.http = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True), connector=many)
        return self

    async def __aexit__(self, *_):
        await self.http.close()

    async def enter(self, key):
        """Exchange a key for a cookie; gives the status."""
        async with self.http.post(f"{self.root}/enter", json={"key": key}, headers=self.origin) as answer:
            return answer.status

    async def get(self, path, **more):
        """Status, headers and text of a page."""
        async with self.http.get(self.root + path, allow_redirects=False, **more) as answer:
            return answer.status, answer.headers, await answer.text(errors="replace")

    def socket(self, role, **more):
        """The socket of a role."""
        return self.http.ws_connect(f"{self.root}/{role}/socket", **{"headers": self.origin, "max_msg_size": 0, **more})


async def until(socket, wanted):
    """Read states until one is as wanted."""
    async with asyncio.timeout(PATIENCE_S):
        async for message in socket:
            given = json.loads(message.data)
            if wanted(given):
                return given
    raise AssertionError("the socket closed first")


async def comes(wanted):
    """Wait until something is true; gives it."""
    async with asyncio.timeout(PATIENCE_S):
        while not (found := wanted()):  # noqa: ASYNC110  nobody tells
            await asyncio.sleep(0.02)
    return found


def free_port():
    """A port of the loopback that nobody uses."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def lines(path, kind):
    """The lines of one type of a record."""
    return [line for line in map(json.loads, path.read_text().splitlines()) if line["type"] == kind]


class Network:
    """A wire between a browser and a server that can be cut and mended."""

    def __init__(self, target):
        self.target, self.broken, self.silent, self.writers = target, False, False, set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._joined, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()
        self.cut()

    def cut(self):
        """Every connection breaks off, and none is made."""
        self.broken = True
        for writer in list(self.writers):
            writer.transport.abort()

    def hush(self):
        """Nothing passes any more, and neither side is told: as when a phone leaves the room."""
        self.silent = self.broken = True

    def mend(self):
        """Connections can be made again; what was sent meanwhile is gone."""
        self.broken = self.silent = False
        for writer in list(self.writers):
            writer.transport.abort()

    async def _joined(self, reader, writer):
        if self.broken:
            writer.transport.abort()
            return
        there, answer = await asyncio.open_connection("127.0.0.1", self.target)
        self.writers |= {writer, answer}
        await asyncio.gather(self._copy(reader, answer), self._copy(there, writer), return_exceptions=True)
        self.writers -= {writer, answer}

    async def _copy(self, reader, writer):
        try:
            while data := await reader.read(65536):
                if not self.silent:
                    writer.write(data)
                    await writer.drain()
        finally:
            writer.close()
