"""Who may see and do what: keys, roles, foreign pages, paths, limits. Nothing here is judged."""

import asyncio
import json
import secrets
from html.parser import HTMLParser

import pytest
from aiohttp import WSServerHandshakeError
from live_helpers import PATIENCE_S, SESSION, Visitor, comes, free_port, greeting, pack, serve, until

from referee.live import pagefiles
from referee.live.keys import ROLES, Keys


def at_a_table(visit, folder, **more):
    """Run a visit against a fresh server."""

    async def run():
        port = free_port()
        async with serve(folder, port, **more) as site, Visitor(port) as guest:
            await visit(site, guest)

    asyncio.run(run())


def test_every_page_and_socket_needs_its_roles_key(tmp_path):
    async def visit(site, guest):
        places = ["", "/socket", "/card/1", "/sound/1"]
        for role in ROLES:
            for place in places:
                assert (await guest.get(f"/{role}{place}", headers=guest.origin))[0] in (401, 404)
        assert (await guest.get("/scorer/codes"))[0] == 401
        assert await guest.enter("x" * 24) == 403
        assert (await guest.get("/screen/overlay"))[0] == 401
        await guest.enter(site.keys.table("table")["screen"])
        assert (await guest.get("/screen"))[0] == 200
        assert (await guest.get("/screen/overlay"))[0] == 200
        for other in ("camera", "player", "scorer"):
            assert (await guest.get(f"/{other}"))[0] == 401
        assert (await guest.get("/scorer/codes"))[0] == 401

    at_a_table(visit, tmp_path)


def test_new_keys_end_old_keys_and_old_cookies(tmp_path):
    async def visit(site, guest):
        old = site.keys.table("table")["screen"]
        await guest.enter(old)
        assert (await guest.get("/screen"))[0] == 200
        site.keys.renew("table")
        assert (await guest.get("/screen"))[0] == 401
        assert await guest.enter(old) == 403

    at_a_table(visit, tmp_path)


def test_a_key_of_one_table_opens_no_other(tmp_path):
    async def visit(site, guest):
        await guest.enter(site.keys.table("one")["scorer"])
        _, _, text = await guest.get("/scorer/codes")
        held = {key for table in ("two",) for key in site.keys.table(table).values()}
        assert not any(key in text for key in held)
        async with guest.socket("scorer") as screen:
            seen = [json.loads((await screen.receive()).data) for _ in range(2)]
        assert {m["table"] for m in seen if m["type"] == "state"} == {"one"}

    at_a_table(visit, tmp_path, tables=("one", "two"))


def test_foreign_pages_cannot_connect(tmp_path):
    async def visit(site, guest):
        await guest.enter(site.keys.table("table")["scorer"])
        for origin in (
            "https://elsewhere.example",
            "null",
            f"{guest.root}.elsewhere.example",
            guest.root.replace("http", "https"),
        ):
            assert (await guest.get("/scorer", headers={"Origin": origin}))[0] == 403
            with pytest.raises(WSServerHandshakeError):
                await guest.socket("scorer", headers={"Origin": origin})
        with pytest.raises(WSServerHandshakeError):  # a program that says nothing of where it comes from
            await guest.socket("scorer", headers={})
        assert (await guest.get("/", headers={"Host": "rebound.example"}))[0] == 421

    at_a_table(visit, tmp_path)


@pytest.mark.parametrize(
    "path",
    ["/file/../server.py", "/file/%2e%2e/server.py", "/file/..%2fserver.py", "/file/enter.html", "/file//etc/passwd",
     "/../keys.json", "/keys.json", "/screen/card/../../keys.json", "/screen/card/99999999999", "/file/%00", "/%ff"],
)  # fmt: skip
def test_no_path_leads_to_a_file(tmp_path, path):
    async def visit(site, guest):
        await guest.enter(site.keys.table("table")["screen"])
        status, _, text = await guest.get(path)
        assert status in (400, 401, 403, 404)
        assert "secret" not in text
        assert "import" not in text

    at_a_table(visit, tmp_path)


def test_every_answer_carries_the_strict_headers(tmp_path):
    async def visit(_, guest):
        for path in ("/", "/screen", "/words", "/file/style.css", "/nothing"):
            _, headers, _ = await guest.get(path)
            assert headers["Referrer-Policy"] == "no-referrer"
            assert headers["X-Content-Type-Options"] == "nosniff"
            policy = headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert "*" not in policy

    at_a_table(visit, tmp_path)


def test_the_cookie_cannot_be_read_by_scripts_or_sent_from_elsewhere(tmp_path):
    async def visit(site, guest):
        key = site.keys.table("table")["screen"]
        async with guest.http.post(f"{guest.root}/enter", json={"key": key}, headers=guest.origin) as answer:
            cookie = answer.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert key not in cookie

    at_a_table(visit, tmp_path)


def test_guessing_keys_is_slowed(tmp_path):
    async def visit(_, guest):
        answers = [await guest.enter(secrets.token_urlsafe(18)) for _ in range(40)]
        assert answers[0] == 403
        assert answers[-1] == 429

    at_a_table(visit, tmp_path)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"key": 7}', b'{"key": null}', b"\xff\xfe", b"{" * 1500, b"x" * 5000]
)
def test_a_malformed_entry_is_refused(tmp_path, body):
    async def visit(_, guest):
        async with guest.http.post(f"{guest.root}/enter", data=body, headers=guest.origin) as answer:
            assert answer.status in (400, 403, 413)

    at_a_table(visit, tmp_path)


MALFORMED = {
    "no greeting": b"\x01",
    "no object": "[]",
    "no JSON": "{",
    "deep": "[" * 7000,
    "long": json.dumps({"session": "a" * 9000}),
    "wrong session": json.dumps(greeting(session="../../etc")),
    "huge": json.dumps(greeting(size=(99999, 2))),
    "odd": json.dumps(greeting(size=(641, 361))),
    "a bool for a number": json.dumps(greeting(rate=True)),
    "unknown codec": json.dumps({**greeting(), "codec": "doom"}),
    "strange marks": json.dumps(greeting(marks=[[1, "x"]])),
}


def test_a_malformed_greeting_ends_the_socket_and_nothing_else(tmp_path):
    async def visit(site, guest):
        await guest.enter(site.keys.table("table")["camera"])
        for what, said in MALFORMED.items():
            async with guest.socket("camera") as camera:
                await (camera.send_bytes(said) if isinstance(said, bytes) else camera.send_str(said))
                assert await closed(camera) == 1008, what
            assert site.hub.tables["table"].session is None, what
        assert (await guest.get("/camera"))[0] == 200

    at_a_table(visit, tmp_path)


async def closed(socket):
    async with asyncio.timeout(PATIENCE_S):
        async for _ in socket:
            pass
    return socket.close_code


MESSAGES = {
    "empty": b"",
    "header alone": pack(1, 0, 0, b""),
    "unknown kind": pack(9, 0, 0, b"x"),
    "before time": pack(1, 0, -1, b"x"),
    "after all time": pack(2, 0, 2**62, b"xxxx"),
    "half a sample": pack(2, 0, 0, b"xxx"),
    "too much sound": pack(2, 0, 0, b"x" * 300_000),
}


def test_a_malformed_message_ends_the_socket_and_the_game_waits(tmp_path):
    async def visit(site, guest):
        await guest.enter(site.keys.table("table")["camera"])
        for what, data in MESSAGES.items():
            async with guest.socket("camera") as camera:
                await camera.send_json(greeting())
                assert (await camera.receive_json())["type"] == "ready", what
                await camera.send_bytes(data)
                assert await closed(camera) == 1008, what
            assert site.hub.tables["table"].phase == "playing", what
        async with guest.socket("camera") as camera:
            await camera.send_json(greeting())
            for n in range(30):  # no pictures at all, and out of order besides
                await camera.send_bytes(pack(1, n ^ 3, 33_000 * n, secrets.token_bytes(500), alone=True))
            await camera.send_bytes(pack(2, 40, 0, bytes(4000)))
            await comes(lambda: site.hub.tables["table"].session.expected == 41)
            assert len(site.hub.tables["table"].session.inlet.sound) == 0  # nobody listens to a game of touches
            await camera.send_json({"do": "end"})
            async with asyncio.timeout(PATIENCE_S):
                async for message in camera:
                    if json.loads(message.data).get("phase") == "ended":
                        break
        assert "ended by itself" not in site.hub.tables["table"].shown.trouble

    at_a_table(visit, tmp_path, game="tournament")


def test_a_second_phone_with_the_cameras_code_is_told_and_changes_nothing(tmp_path):
    async def visit(site, guest):
        await guest.enter(site.keys.table("table")["camera"])
        async with guest.socket("camera") as first, guest.socket("camera") as second:
            await first.send_json(greeting())
            assert (await first.receive_json())["type"] == "ready"
            await second.send_json(greeting(session="77" * 16))
            assert (await second.receive_json())["type"] == "taken"
            assert site.hub.tables["table"].session.greeting.session == SESSION

    at_a_table(visit, tmp_path, game="tournament")


def test_the_end_of_a_game_is_never_told_without_the_next_one_that_was_asked_for(tmp_path):
    async def visit(site, guest):
        keys = site.keys.table("table")
        assert [await guest.enter(keys[role]) for role in ("camera", "scorer")] == [200, 200]
        table, told = site.hub.tables["table"], []
        async with guest.socket("camera") as camera, guest.socket("scorer") as scorer:
            await camera.send_json(greeting())
            assert (await camera.receive_json())["type"] == "ready"
            before, changed = table.again, table._changed
            table._changed = lambda: (told.append((table.state()["phase"], table.state()["again"])), changed())
            await scorer.send_json({"do": "new_game"})
            await until(camera, lambda m: m.get("phase") == "ended")
            await comes(lambda: table.again > before)
        assert {again for phase, again in told if phase == "ended"} == {before + 1}

    at_a_table(visit, tmp_path, game="tournament")


ORDERS = [
    "challenge",
    "undo",
    "pause",
    "go_on",
    "new_game",
    "end",
    "answer",
    "close",
    "spoke",
    "delete",
    "",
    None,
    7,
    {},
]


@pytest.mark.parametrize("role", ["screen", "camera"])
def test_a_role_can_do_no_more_than_it_should(tmp_path, role):
    async def visit(site, guest):
        await guest.enter(site.keys.table("table")[role])
        table = site.hub.tables["table"]
        async with guest.socket(role) as socket:
            if role == "camera":
                await socket.send_json(greeting())
                await until(socket, lambda m: m["type"] == "ready")
            for order in ORDERS:
                if role == "screen" or order not in ("pause", "go_on", "end"):
                    await socket.send_json({"do": order, "seconds": 1, "choice": 1})
            await asyncio.sleep(0.5)
        assert (table.challenge, table.again) == (None, 0)
        assert table.phase == ("playing" if role == "camera" else "waiting")

    at_a_table(visit, tmp_path, game="tournament")


def test_orders_that_make_no_sense_now_are_refused_in_words(tmp_path):
    async def visit(site, guest):
        await guest.enter(site.keys.table("table")["scorer"])
        async with guest.socket("scorer") as scorer:
            for order in ("challenge", "undo", "pause", "answer"):
                await scorer.send_json({"do": order, "choice": 3})
            refused = []
            async with asyncio.timeout(PATIENCE_S):
                while len(refused) < 4:
                    message = json.loads((await scorer.receive()).data)
                    refused += [message["do"]] if message["type"] == "refused" else []
        assert refused == ["challenge", "undo", "pause", "answer"]

    at_a_table(visit, tmp_path)


def test_two_hundred_screens_look_on_and_one_that_shouts_is_put_out(tmp_path):
    async def visit(site, guest):
        await guest.enter(site.keys.table("table")["screen"])
        sockets = [await guest.socket("screen") for _ in range(200)]
        site.hub.tables["table"].beat()
        states = await asyncio.gather(*(s.receive_json() for s in sockets))
        assert {m["type"] for m in states} <= {"state", "history"}
        for _ in range(200):
            await sockets[0].send_json({"do": "spoke", "seconds": 0})
        assert await closed(sockets[0]) == 1008
        assert (await guest.get("/screen"))[0] == 200
        await asyncio.gather(*(s.close() for s in sockets))

    at_a_table(visit, tmp_path)


def test_keys_are_kept_for_their_owner_alone(tmp_path):
    keys = Keys.load(tmp_path / "keys.json")
    held = dict(keys.table("table"))
    assert len(set(held.values())) == len(ROLES)
    assert (tmp_path / "keys.json").stat().st_mode & 0o077 == 0
    assert Keys.load(tmp_path / "keys.json").table("table") == held


@pytest.mark.parametrize(
    "cookie", ["", "a", "a.b.c", "table.scorer.1", "table.scorer.1." + "0" * 64, "…" * 9, "." * 200]
)
def test_a_forged_cookie_is_worth_nothing(tmp_path, cookie):
    keys = Keys.load(tmp_path / "keys.json")
    keys.table("table")
    assert keys.read(cookie) is None


def test_a_spoilt_key_file_begins_anew(tmp_path):
    (tmp_path / "keys.json").write_text('{"secret": "zz"')
    assert len(Keys.load(tmp_path / "keys.json").table("table")) == len(ROLES)


class Inline(HTMLParser):
    """Finds what the content security policy would block, and what would be fetched from elsewhere."""

    def __init__(self):
        super().__init__()
        self.found, self.inside = [], ""

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.inside = tag
        self.found += [name for name in given if name.startswith("on") or name == "style"]
        self.found += [v for k, v in attrs if k in ("src", "href") and not v.startswith("/")]
        if tag == "style":
            self.found.append(tag)

    def handle_data(self, data):
        if self.inside == "script" and data.strip():
            self.found.append(data)

    def handle_endtag(self, _tag):
        self.inside = ""


def test_pages_have_no_inline_script_and_fetch_nothing_from_elsewhere():
    files = pagefiles.load()
    assert {"enter.html", "camera.html", "screen.html"} <= set(files)
    for name, (body, _) in files.items():
        text = body.decode()
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", ""), name
        assert "https://" not in text, name
        assert "innerHTML" not in text, name
        assert "eval(" not in text, name
        if name.endswith(".html"):
            page = Inline()
            page.feed(text)
            assert page.found == [], name
