"""The sockets: a camera streams and is told what to do; screens are told what is; a scorer may say what happened.

Every visitor is trusted with as little as its role needs. A message that no page of ours sends ends its socket.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from referee.live import orders, wire
from referee.live.hub import EVERY
from referee.live.limits import Bucket

if TYPE_CHECKING:
    from referee.live.hub import Hub
    from referee.live.players import Player
    from referee.live.practice import Practice
    from referee.live.table import Table

MOST_SOCKETS = 300
MOST_PRACTISING = 4
GREETING_S = 10.0
BEAT_S = 15.0
"""A socket that does not answer a ping within half of this is gone."""
LONGEST_TEXT = 8000
LEAST_GAP_S = 0.03
"""Between two states that are sent to one screen."""
OVERVIEW_GAP_S = 0.2
POLITE, RUDE, GONE = 1000, 1008, 1001
BUSY = float("inf")
"""In place of when something was heard: nothing can be, until the last message was dealt with."""
ROOM_S = 0.05


class Sockets:
    """Everybody who is connected."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._open: set[web.WebSocketResponse] = set()
        self._practising: set[web.WebSocketResponse] = set()
        self._cameras: dict[str, web.WebSocketResponse] = {}

    async def serve(self, request: web.Request, name: str, role: str) -> web.StreamResponse:
        """Serve one socket to its end."""
        if len(self._open) >= MOST_SOCKETS:
            raise web.HTTPServiceUnavailable
        largest = LONGEST_TEXT if role in ("screen", "scorer") else wire.MOST_BYTES
        # A camera is not read from while the eye is far behind, so its answers to pings are then not read either.
        beat = None if role == "camera" else BEAT_S
        socket = web.WebSocketResponse(heartbeat=beat, autoping=bool(beat), max_msg_size=largest, compress=False)
        await socket.prepare(request)
        self._open.add(socket)
        try:
            if role == "camera":
                await self._camera(socket, self._hub.tables[name])
            elif role == "practice":
                await self._practice(socket, self._hub.tables[name])
            elif role == "player":
                await self._player(socket, self._hub.tables[name])
            else:
                await self._screen(socket, self._hub.tables[name], role)
        except (wire.WireError, UnicodeError) as error:
            await socket.close(code=RUDE, message=str(error).encode()[:100])
        except (ConnectionError, TimeoutError):
            pass
        finally:
            self._open.discard(socket)
        return socket

    async def close(self) -> None:
        """Say goodbye to everybody."""
        await asyncio.gather(*(s.close(code=POLITE) for s in list(self._open)), return_exceptions=True)

    # A camera

    async def _camera(self, socket: web.WebSocketResponse, table: Table) -> None:
        hello = wire.greeting(await _json(socket))
        if table.refuses(hello.altered, friendly=hello.friendly):
            await self._unranked(socket, hello.altered)
            return
        earlier = self._cameras.get(table.name)
        if earlier is not None and not earlier.closed and self._rival(table, hello):
            await socket.send_json({"type": "taken"})
            await socket.close(code=POLITE)
            return
        if earlier is not None:
            await earlier.close(code=POLITE)
        self._cameras[table.name] = socket
        loop = asyncio.get_running_loop()
        expected = await loop.run_in_executor(None, table.greet, hello)
        await socket.send_json({"type": "ready", "expected": expected})
        telling = asyncio.create_task(self._tell(socket, table, camera=True))
        heard = [loop.time()]
        asking = asyncio.create_task(_alive(socket, heard))
        try:
            await self._stream(socket, table, heard)
        finally:
            telling.cancel()
            asking.cancel()
            if self._cameras.get(table.name) is socket:
                del self._cameras[table.name]
                table.lost()

    async def _unranked(self, socket: web.WebSocketResponse, altered: tuple[str, ...]) -> None:
        """Say why this phone may not take part in a ranked game."""
        await socket.send_json({"type": "unranked", "altered": list(altered)})
        await socket.close(code=POLITE)

    def _rival(self, table: Table, hello: wire.Greeting) -> bool:
        """Whether a second phone scanned the camera's code while the first one is streaming."""
        return (
            table.session is not None and table.session.greeting.session != hello.session and table.phase == "playing"
        )

    async def _stream(self, socket: web.WebSocketResponse, table: Table, heard: list[float]) -> None:
        """Take what a camera sends, at the pace of the eye; `heard` is kept at when something came last."""
        now = asyncio.get_running_loop().time
        bytes_left, messages_left = (
            Bucket(120e6, 8e6),
            Bucket(6000, 300),
        )  # a minute's backlog, then thrice what is usual
        async for message in socket:
            heard[0] = BUSY
            if message.type is WSMsgType.TEXT:
                await asyncio.get_running_loop().run_in_executor(
                    None, orders.obey, table, "camera", _object(message.data)
                )
            elif message.type is WSMsgType.PING:
                await socket.pong(message.data)
            elif message.type is WSMsgType.BINARY:
                while not (bytes_left.take(len(message.data)) and messages_left.take()):  # noqa: ASYNC110  time is waited for
                    await asyncio.sleep(ROOM_S)
                table.take(wire.parse(message.data))
                while table.full:  # noqa: ASYNC110  the eye's process empties it, and tells nobody
                    await asyncio.sleep(ROOM_S)
            elif message.type is not WSMsgType.PONG:
                return
            heard[0] = now()

    # A player's phone

    async def _player(self, socket: web.WebSocketResponse, table: Table) -> None:
        hello = wire.hello(await _json(socket))
        if table.refuses(hello.altered):
            await self._unranked(socket, hello.altered)
            return
        player = table.join(hello)
        if player is None:
            await socket.send_json({"type": "taken"})
            await socket.close(code=POLITE)
            return
        await socket.send_json({"type": "ready", "expected": player.expected})
        telling = asyncio.create_task(self._tell(socket, table, player=player))
        left = Bucket(6000, 300)
        try:
            async for message in socket:
                if message.type is not WSMsgType.BINARY:
                    raise wire.WireError("a player's phone sends sound alone")
                while not left.take():  # noqa: ASYNC110  time is waited for
                    await asyncio.sleep(ROOM_S)
                player.take(wire.parse(message.data))
        finally:
            telling.cancel()
            table.left(player)

    # Practice

    async def _practice(self, socket: web.WebSocketResponse, table: Table) -> None:
        loop, results = asyncio.get_running_loop(), asyncio.Queue[dict[str, Any]]()
        if len(self._practising) >= MOST_PRACTISING:
            await socket.close(code=POLITE)
            return
        hello = wire.hello(await _json(socket))

        def told(result: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(results.put_nowait, result)

        practice = await loop.run_in_executor(None, table.practice, hello, told)
        self._practising.add(socket)
        practice.start()
        telling = asyncio.create_task(_pass_on(results, socket))
        try:
            await socket.send_json({"type": "ready", "expected": 0})
            await self._practise(socket, practice)
        finally:
            telling.cancel()
            practice.stop()
            self._practising.discard(socket)

    async def _practise(self, socket: web.WebSocketResponse, practice: Practice) -> None:
        left, expected = Bucket(6000, 300), 0
        async for message in socket:
            if not left.take():
                raise wire.WireError("too many messages")
            if message.type is WSMsgType.TEXT:
                given = _object(message.data)
                if given.get("do") == "deal":
                    dealt = [card.value for card in practice.deal().cards]
                    await socket.send_json({"type": "dealt", "cards": dealt})
                elif given.get("do") == "shown" and isinstance(given.get("time_s"), int | float):
                    practice.shown(float(given["time_s"]))
                continue
            if message.type is not WSMsgType.BINARY:
                return
            sound = wire.parse(message.data)
            if sound.kind != wire.SOUND:
                raise wire.WireError("practice listens, and does not look")
            if sound.sequence >= expected:
                expected = sound.sequence + 1
                samples = wire.samples(sound.payload, practice.hello.channels)
                practice.take(round(1000 * sound.stamp / practice.hello.rate), samples)
                if expected % 50 == 0:
                    await socket.send_json({"type": "got", "expected": expected, "safe": expected})

    # A screen

    async def _screen(self, socket: web.WebSocketResponse, table: Table, role: str) -> None:
        telling = asyncio.create_task(self._tell(socket, table))
        left = Bucket(30, 5)
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT or not left.take():
                    await socket.close(code=RUDE)
                    return
                given = _object(message.data)
                answer = await asyncio.get_running_loop().run_in_executor(None, orders.obey, table, role, given)
                if answer is not None:
                    await socket.send_json(answer)
        finally:
            telling.cancel()

    # All tables

    async def overview(self, request: web.Request, role: str) -> web.StreamResponse:
        """Serve the overview of all tables; a scorer may start rounds and say results."""
        if len(self._open) >= MOST_SOCKETS:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(heartbeat=BEAT_S, max_msg_size=LONGEST_TEXT, compress=False)
        await socket.prepare(request)
        self._open.add(socket)
        telling = asyncio.create_task(self._tell_all(socket))
        left = Bucket(30, 5)
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT or not left.take():
                    await socket.close(code=RUDE)
                    return socket
                given = _object(message.data)
                why = await asyncio.get_running_loop().run_in_executor(None, orders.direct, self._hub, role, given)
                if why:
                    await socket.send_json({"type": "refused", "do": str(given.get("do"))[:40], "why": why})
        except (wire.WireError, UnicodeError) as error:
            await socket.close(code=RUDE, message=str(error).encode()[:100])
        except (ConnectionError, TimeoutError):
            pass
        finally:
            telling.cancel()
            self._open.discard(socket)
        return socket

    async def _tell_all(self, socket: web.WebSocketResponse) -> None:
        told = ""
        with contextlib.suppress(ConnectionError), self._hub.news(EVERY) as changed:
            while not socket.closed:
                changed.clear()
                text = self._hub.overview()
                if text != told:
                    told = text
                    await socket.send_str(text)
                await asyncio.sleep(OVERVIEW_GAP_S)
                await changed.wait()

    async def _tell(
        self, socket: web.WebSocketResponse, table: Table, *, camera: bool = False, player: Player | None = None
    ) -> None:
        """Send the state whenever it changed, and to who streams what has arrived."""
        rounds = None
        with contextlib.suppress(ConnectionError), self._hub.news(table.name) as changed:
            while not socket.closed:
                changed.clear()
                if camera and table.session is not None:
                    session = table.session
                    got = {"expected": session.expected, "safe": session.safe, "rate": table.pace.rate}
                    await socket.send_json({"type": "got", **got})
                if player is not None:
                    await socket.send_json({"type": "got", "expected": player.expected, "safe": player.expected})
                if not camera and player is None and rounds != (known := table.ruled):
                    rounds = known
                    await socket.send_json({"type": "history", "rounds": table.history()})
                await socket.send_str(self._hub.rendered(table.name))
                await asyncio.sleep(LEAST_GAP_S)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), 0.5 if camera else 2.0)


async def _alive(socket: web.WebSocketResponse, heard: list[float]) -> None:
    """Ask a camera whether it is there; who does not answer within half a beat is gone."""
    now = asyncio.get_running_loop().time
    while not socket.closed:
        with contextlib.suppress(ConnectionError):
            await socket.ping()
        asked = now()
        await asyncio.sleep(BEAT_S / 2)
        if heard[0] < asked:
            await socket.close(code=GONE)
            return
        await asyncio.sleep(BEAT_S / 2)


async def _pass_on(results: asyncio.Queue[dict[str, Any]], socket: web.WebSocketResponse) -> None:
    with contextlib.suppress(ConnectionError):
        while True:
            await socket.send_json(await results.get())


async def _json(socket: web.WebSocketResponse) -> dict[str, Any]:
    message = await socket.receive(timeout=GREETING_S)
    if message.type is not WSMsgType.TEXT:
        raise wire.WireError("a greeting comes first")
    return _object(message.data)


def _object(text: str) -> dict[str, Any]:
    if len(text) > LONGEST_TEXT:
        raise wire.WireError("a message that is too large")
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise wire.WireError("a message that is no JSON") from None
    if not isinstance(given, dict):
        raise wire.WireError("a message that is no object")
    return given
