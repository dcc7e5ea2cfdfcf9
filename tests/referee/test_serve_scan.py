"""An automated scan: every address, method, header and socket with what no page would send. Nothing may break or leak.

The server runs in a thread of its own; the scan speaks to it over plain sockets, so that nothing is put right.
"""

import asyncio
import json
import logging
import os
import socket
import threading
from types import SimpleNamespace

import aiohttp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from live_helpers import PATIENCE_S, Visitor, free_port, greeting, pack, serve

from referee.live.keys import ROLES

EASY = settings(
    max_examples=int(os.environ.get("REFEREE_SCAN", "150")), deadline=None, suppress_health_check=list(HealthCheck)
)
METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW", "get", "", "G\x00T"]
KNOWN = [
    "",
    "enter",
    "words",
    "file",
    "camera",
    "player",
    "screen",
    "scorer",
    "socket",
    "overview",
    "overlay",
    "practice",
    "codes",
    "how",
    "card",
    "sound",
    "1",
    "999999",
    "style.css",
    "..",
    ".",
    "%2e%2e",
    "%2f",
    "keys.json",
    "%00",
    "*",
    "~",
    "server.py",
    "screen.html",
    "{role}",
    "a" * 300,
]
HEADERS = [
    "Host",
    "Origin",
    "Cookie",
    "Content-Type",
    "Content-Length",
    "Transfer-Encoding",
    "Upgrade",
    "Connection",
    "Sec-WebSocket-Key",
    "Sec-WebSocket-Version",
    "Range",
    "Expect",
    "X-Forwarded-For",
    "Accept-Encoding",
    "If-Modified-Since",
    "Referer",
]
number = st.one_of(st.integers(-5, 10**9).map(str), st.sampled_from(["1", "0", "%31", "1.0", "1e3", "../1", "%D9%A1"]))
printable = st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\r\n"), max_size=40)
values = st.one_of(
    printable,
    st.sampled_from(
        [
            "websocket",
            "Upgrade",
            "chunked",
            "0",
            "-1",
            "99999999999999",
            "13",
            "null",
            "text/html",
            "application/json",
            "bytes=0-",
            "100-continue",
            "x" * 9000,
            "dGhlIHNhbXBsZSBub25jZQ==",
            "https://elsewhere.example",
        ]
    ),
)
paths = st.one_of(
    st.lists(st.sampled_from(KNOWN), max_size=5).map("/".join),
    st.lists(st.one_of(st.sampled_from(KNOWN), printable.map(lambda t: t.replace(" ", "%20"))), max_size=4).map(
        "/".join
    ),
)
bodies = st.one_of(
    st.binary(max_size=300),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | printable,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["key", "do", "x"]) | printable, inner, max_size=4)
        ),
        max_leaves=8,
    ).map(lambda value: json.dumps(value).encode()),
)


class Scanned(SimpleNamespace):
    """A running server; said shortly, as failing cases are shown with it."""

    def __repr__(self):
        return "the server"


class Faults(logging.Handler):
    """Whatever the server itself calls an error."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.found = []

    def emit(self, record):
        self.found.append(self.format(record))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A running server, with cookies of every role."""
    folder, up, stop = tmp_path_factory.mktemp("scan"), threading.Event(), threading.Event()
    made = Scanned(port=free_port(), faults=Faults(), cookies={}, secrets=[])

    async def run():
        async with serve(folder, made.port, game="tournament") as site:
            made.site, made.loop = site, asyncio.get_running_loop()
            made.cookies = {r: f"{site.address.cookie(r)}={site.keys.cookie('table', r)}" for r in ROLES}
            made.secrets = [site.keys.secret.hex(), *site.keys.table("table").values()]
            up.set()
            await asyncio.to_thread(stop.wait)

    logging.getLogger().addHandler(made.faults)
    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert up.wait(PATIENCE_S)
    yield made
    stop.set()
    thread.join(PATIENCE_S)
    logging.getLogger().removeHandler(made.faults)


def ask(port, raw):
    """Send bytes, read the answer as far as it comes within a moment."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as line:
        line.sendall(raw)
        line.settimeout(1.0)
        got = b""
        try:
            while len(got) < 200_000 and (part := line.recv(65536)):
                got += part
                head, _, rest = got.partition(b"\r\n\r\n")
                if b"101 " in head[:16] or (b"ontent-Length: " in head and len(rest) >= length_of(head)):
                    break
        except TimeoutError:
            pass
        return got


def length_of(head):
    said = head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]
    return int(said) if said.isdigit() else 0


def check(server, answer, *, codes=False):
    """Nothing broke, nothing leaked."""
    status = int(answer.split(b" ")[1]) if answer.startswith(b"HTTP/1.") else 0
    assert status < 500, answer[:300]
    for bad in (b"Traceback", b"site-packages", b"root:x:", b'File "'):
        assert bad not in answer
    if not codes:
        assert not any(secret.encode() in answer for secret in server.secrets)
    if status in (200, 401, 404) and b"Content-Type: text/html" in answer:
        assert b"default-src 'none'" in answer
    found, server.faults.found = server.faults.found, []
    assert found == []


@EASY
@given(
    st.sampled_from(METHODS),
    paths,
    st.lists(st.tuples(st.sampled_from(HEADERS), values), max_size=5),
    bodies,
    st.sampled_from([None, *ROLES]),
    st.booleans(),
)
def test_no_request_breaks_the_server_or_makes_it_tell(  # noqa: PLR0917  Hypothesis gives one argument a strategy
    server, method, path, headers, body, role, honest
):
    own = f"127.0.0.1:{server.port}"
    lines = [f"{method} /{path} HTTP/1.1"]
    if honest:
        lines += [f"Host: {own}", f"Origin: http://{own}", f"Content-Length: {len(body)}"]
    if role:
        lines.append(f"Cookie: {server.cookies[role]}")
    lines += [f"{name}: {value}" for name, value in headers] + ["Connection: close"]
    raw = "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body
    check(server, ask(server.port, raw), codes=role == "scorer" and "codes" in path)


def test_an_expectation_that_is_no_text_is_refused_whatever_the_method(server):
    for method in (b"CONNECT", b"GET", b"ZZZ"):
        for path in (b"elsewhere:443", b"/screen"):
            raw = method + b" " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: \xe9\r\nConnection: close\r\n\r\n"
            answer = ask(server.port, raw)
            check(server, answer)
            assert answer.split(b" ")[1].startswith(b"4"), answer[:80]


PLACES = ["", "/socket", "/overview", "/overview/socket", "/card/{}", "/sound/{}", "/codes", "/overlay", "/practice",
          "/practice/socket", "/how"]  # fmt: skip
addresses = st.one_of(
    st.builds(
        lambda role, place, n: f"/{role}{place.format(n)}", st.sampled_from(ROLES), st.sampled_from(PLACES), number
    ),
    st.sampled_from(["/", "/enter", "/words", "/file/style.css", "/file/screen.js", "/file/enter.html"]),
    st.sampled_from(KNOWN).map(lambda name: f"/file/{name}"),
)
soft = st.sampled_from(["Range", "If-Modified-Since", "Accept-Encoding", "Referer", "X-Forwarded-For", "Accept"])
plain = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=30)


@EASY
@given(
    st.sampled_from(["GET", "GET", "POST", "HEAD", "PUT", "OPTIONS"]),
    addresses,
    st.dictionaries(soft, plain, max_size=3),
    bodies,
    st.sampled_from([None, *ROLES]),
)
def test_nothing_that_is_asked_in_good_form_breaks_or_opens_more_than_the_role_may(  # noqa: PLR0917  as above
    server, method, path, headers, body, role
):
    own = f"127.0.0.1:{server.port}"
    lines = [f"{method} {path} HTTP/1.1", f"Host: {own}", f"Origin: http://{own}", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Cookie: {server.cookies[role]}"] if role else []
    raw = "\r\n".join([*lines, "Content-Type: application/json", "Connection: close"]).encode() + b"\r\n\r\n" + body
    answer = ask(server.port, raw)
    check(server, answer, codes=role == "scorer" and path == "/scorer/codes")
    whose = path.split("/")[1]
    if whose in ROLES and whose != role:
        assert not answer.startswith(b"HTTP/1.1 200"), path


@EASY
@given(st.binary(max_size=400))
def test_no_bytes_at_all_break_the_server(server, raw):
    check(server, ask(server.port, raw + b"\r\n\r\n"))


def wordy(*names):
    """Objects with the names that the sockets know, and other things in their place."""
    odd = st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9), st.lists(st.integers(), max_size=3)
    )
    return st.dictionaries(st.sampled_from(names) | st.text(max_size=5), odd, max_size=6).map(json.dumps)


ORDERS = [
    "challenge",
    "close",
    "answer",
    "undo",
    "spoke",
    "pause",
    "go_on",
    "new_game",
    "end",
    "start_round",
    "result",
    "x",
]
said = st.one_of(
    wordy("do", "round", "choice", "seconds", "number", "order"),
    st.fixed_dictionaries(
        {
            "do": st.sampled_from(ORDERS),
            "round": st.integers() | st.floats(),
            "choice": st.integers() | st.text(max_size=3),
            "seconds": st.floats() | st.text(max_size=3),
            "number": st.integers(),
            "order": st.lists(st.lists(st.text(max_size=3), max_size=2), max_size=3),
        }
    ).map(json.dumps),
    st.text(max_size=50),
    st.binary(max_size=60),
)
streamed = st.one_of(
    st.binary(max_size=120),
    st.builds(
        lambda kind, n, stamp, body, alone: pack(kind, n, stamp, body, alone=alone),
        st.integers(0, 4),
        st.integers(0, 2**32 - 1),
        st.integers(-(2**63), 2**63 - 1),
        st.binary(max_size=80),
        st.booleans(),
    ),
    st.builds(
        lambda n, ms, body: pack(1, n, 1000 * ms, body, alone=True),
        st.integers(0, 40),
        st.integers(0, 5000),
        st.binary(min_size=1, max_size=80),
    ),
    said,
)


async def talk(server, where, hello, messages):
    """Say all this on a socket of a role; whatever happens, the server must stand."""
    role = where.split("/")[0]
    async with Visitor(server.port) as guest:
        guest.http.headers["Cookie"] = server.cookies[role]
        async with guest.socket(where) as line:
            with_hello = [hello] if hello is not None else []
            for one in [*with_hello, *messages]:
                if line.closed:
                    break
                try:
                    await (line.send_bytes(one) if isinstance(one, bytes) else line.send_str(one))
                except (ConnectionError, aiohttp.ClientError):
                    break
            await asyncio.sleep(0.02)
        assert (await guest.get("/words"))[0] == 200
    found, server.faults.found = server.faults.found, []
    assert found == []


@settings(EASY)
@given(st.sampled_from(["screen", "scorer", "screen/overview", "scorer/overview"]), st.lists(said, max_size=12))
def test_nothing_said_by_a_screen_breaks_the_table(server, where, messages):
    asyncio.run(talk(server, where, None, messages))


@settings(EASY)
@given(
    st.sampled_from(["camera", "player", "player/practice"]),
    st.none() | st.just("good") | wordy("session", "seat", "rate", "sound", "marks"),
    st.lists(streamed, max_size=15),
)
def test_nothing_streamed_breaks_the_table(server, where, hello, messages):
    if hello == "good":
        given_ = (
            greeting()
            if where == "camera"
            else {"session": "ab" * 16, "seat": "south", "rate": 16000, "channels": 1, "sound": {}}
        )
        hello = json.dumps(given_)
    asyncio.run(talk(server, where, hello, messages))
