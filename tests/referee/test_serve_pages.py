"""Every page in a real browser, phone and television, light and dark: fits, can be used by keyboard, nothing for axe.

`REFEREE_AXE=axe.min.js` has axe-core look at each page; `REFEREE_SCREENSHOTS=FOLDER` keeps pictures to be looked at.
"""

import asyncio
import dataclasses
import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from live_chromium import PROGRAM, Chromium
from live_helpers import Visitor, comes, free_port, serve

from referee.events import UNSURE, CallHeard, CardsGone, CardShown, SeenTo, Type
from referee.live import challenge, view
from referee.live.shared import SharedMatch
from referee.live.tournament import Tournament
from referee.media import AudioBlock

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium here (Debian: apt-get install chromium)")
PHONE, SCREEN, TELEVISION = (390, 844, 2), (1280, 800, 1), (1920, 1080, 1)
AXE, KEPT = os.environ.get("REFEREE_AXE"), os.environ.get("REFEREE_SCREENSHOTS")
NAMES = ["Anna", "Ben", "Charlotte Wilhelmina", "Dora", "Emil"]
USABLE = "[...document.querySelectorAll('button, select, a, input')].filter(e => e.offsetParent && !e.disabled)"
STARTS = "document.getElementById('start')?.textContent.length > 2"
OUTLINE = "getComputedStyle(document.activeElement).outlineStyle"
JPEG = cv2.imencode(".jpg", np.full((220, 160, 3), 200, np.uint8))[1].tobytes()


SPOKEN = """document.getElementById('voice').click(); window.said = [];
globalThis.speechSynthesis.speak = (one) => { said.push(one.text); }; 0"""


def card(number, seat, kind, time_s, confidence=0.99):
    corners = ((100.0, 100.0), (200.0, 100.0), (200.0, 240.0), (100.0, 240.0))
    return CardShown(
        time_s=time_s, seat=seat, card=number, type=kind, confidence=confidence, rest_s=time_s + 0.4, corners=corners
    )


def call(seat, kind, time_s, probability=0.97, *, unsure=False):
    return CallHeard(
        accepted=not unsure, reason=UNSURE if unsure else "",
        time_s=time_s, sigma_ms=3.0, end_s=time_s + 0.4, type=kind, word=str(kind), language="en",
        probability=probability, seats={seat: 0.99}, tier="own",
    )  # fmt: skip


def game(*, last="won"):
    """Four rounds; the last one as asked."""
    match = SharedMatch(game="rock", seats=("north", "south"))
    rounds = [(Type.ROCK, Type.PAPER, Type.PAPER, "south"), (Type.ROCK, Type.SCISSORS, Type.PAPER, "north"),
              (Type.ROCK, Type.ROCK, None, ""), (Type.SCISSORS, Type.PAPER, Type.SCISSORS, "north")]  # fmt: skip
    for n, (north, south, called, who) in enumerate(rounds):
        t = 8.0 * n
        match.feed(card(2 * n + 1, "north", north, t + 2.0))
        match.feed(card(2 * n + 2, "south", south, t + 2.1))
        if called:
            doubtful = last != "won" and n == 3
            match.feed(call(who, called, t + 2.8, 0.4 if doubtful else 0.97, unsure=doubtful and last == "unsure"))
            if not (doubtful and last == "unsure"):
                match.feed(call("south" if who == "north" else "north", called, t + 3.1))
        match.feed(SeenTo(time_s=t + 5.5))
        if n < 3 and called:
            match.feed(CardsGone(time_s=t + 5.6, cards=(2 * n + 1, 2 * n + 2), to_seat="south"))
    return match


def show(table, match, **changes):
    """What the table's screens show, as if this had been played there."""
    table.phase, table.connected = "playing", True
    table.shown.game = view.game(match)
    table.shown.last = view.ruling(match.in_force[-1])
    for name, value in changes.items():
        setattr(table.shown, name, value)
    table.evidence.cards = dict.fromkeys(range(1, 20), JPEG)
    table.ruled += 1
    table.beat(always=True)


async def look(browser, page, name, *, tabs=True):
    """Check one page as it is now."""
    script = await asyncio.to_thread(Path(AXE).read_text) if AXE else ""
    wide = await browser.js(page, "document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{name} is {wide} pixels too wide"
    if KEPT:
        await asyncio.to_thread(Path(KEPT).mkdir, parents=True, exist_ok=True)
        await browser.picture(page, Path(KEPT) / f"{name}.png")
    if script:
        await browser.call("Page.setBypassCSP", page, enabled=True)
        await browser.js(page, script + "; 0")
        found = await browser.js(page, "axe.run().then(r => r.violations.map(v => v.id + ': ' + v.nodes[0].html))")
        assert found == [], name
    if tabs:
        await reached(browser, page, name)


async def reached(browser, page, name):
    """Tab reaches everything that can be used, and shows where it is."""
    await browser.js(page, "document.activeElement?.blur(); window.seen = new Set(); 0")
    count = await browser.js(page, f"{USABLE}.length")
    for _ in range(count + 3):
        for kind in ("keyDown", "keyUp"):
            await browser.call(
                "Input.dispatchKeyEvent", page, type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9
            )
        await browser.js(page, "window.seen.add(document.activeElement); 0")
        plain = f"document.activeElement !== document.body && {OUTLINE} === 'none'"
        assert not await browser.js(page, plain), f"{name}: it is not seen where one is"
    missed = await browser.js(page, f"{USABLE}.filter(e => !seen.has(e)).map(e => e.outerHTML)")
    assert missed == [], name


async def dressed(browser, page, theme):
    await browser.call("Emulation.setEmulatedMedia", page, features=[{"name": "prefers-color-scheme", "value": theme}])


def visit(check, folder, **more):
    async def run():
        port = free_port()
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
        async with serve(folder, port, **more) as site, Chromium(*flags) as browser, Visitor(port):
            await check(site, browser)
            assert [f for f in browser.faults if "Back-Forward" not in str(f)] == []

    asyncio.run(run())


async def opened(site, browser, role, ready, *, size, path="", table="table"):
    """A page of a role, entered by its key."""
    page = await browser.page(site.address.link(site.keys.table(table)[role]), size=size)
    await browser.until(page, f"location.pathname === '/{role}'")
    if path:
        await browser.call("Page.navigate", page, url=f"{site.address.root}{role}/{path}")
    await browser.until(page, ready)
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_screen(tmp_path, theme):
    async def check(site, browser):
        table = site.hub.tables["table"]
        match = game()
        show(table, match)
        for name, size in (("phone", PHONE), ("television", TELEVISION)):
            page = await opened(site, browser, "screen", "document.getElementById('call')?.textContent", size=size)
            await dressed(browser, page, theme)
            await look(browser, page, f"screen-{name}-{theme}")
            # a person who cannot hear reads all; a person who cannot see is told the same, once
            said = await browser.js(page, "document.getElementById('spoken').textContent")
            assert said == match.in_force[-1].verdict
        early = view.ruling(match.in_force[-1], early=True, stands=False)
        cards = {c.card: c for c in (card(9, "north", Type.ROCK, 40.0), card(10, "south", None, 40.1, 0.2))}
        noticed = [{"type": "paper", "corners": [[0, 0], [1, 0], [1, 1], [0, 1]]}]
        show(table, match, early={**early, "round": 5}, cards=cards, noticed=noticed)
        await browser.until(page, "document.getElementById('verdict').classList.contains('early')")
        await look(browser, page, f"screen-early-{theme}", tabs=False)
        show(table, match, early={**early, "round": 5, "stands": True}, cards=cards, noticed=[])
        await browser.until(page, "!document.getElementById('verdict').classList.contains('early')")

    visit(check, tmp_path)


def test_the_screen_before_the_first_card_and_with_troubles(tmp_path):
    async def check(site, browser):
        table = site.hub.tables["table"]
        table.phase, table.connected = "playing", True
        table.check.heard([call("north", Type.ROCK, 1.0), call("north", Type.PAPER, 2.0), call("ch1", Type.ROCK, 3.0)])
        page = await opened(
            site, browser, "screen", "document.getElementById('voices')?.childElementCount === 2", size=PHONE
        )
        await look(browser, page, "screen-check")
        show(
            table,
            game(last="review"),
            trouble="a fault in this program (for the picture); the record is kept",
            notices={"dark": 0.0, "moved": 0.0},
        )
        await browser.until(page, "document.getElementById('verdict').classList.contains('review')")
        await look(browser, page, "screen-review")

    visit(check, tmp_path)


def test_a_ruling_that_the_hands_changed_is_told_beside_the_next_round_and_large_at_the_end(tmp_path):
    notices = "document.getElementById('notices').textContent"

    async def check(site, browser):
        table = site.hub.tables["table"]
        match = game(last="unsure")
        match.feed(CardsGone(time_s=31.0, cards=(7, 8), to_seat="north"))
        page = await opened(site, browser, "screen", "document.getElementById('link')?.textContent", size=TELEVISION)
        await browser.js(page, SPOKEN)
        doubtful = match.in_force[-1]
        show(table, match)
        await browser.until(page, "document.getElementById('verdict').classList.contains('review')")
        next_card = card(9, "north", Type.ROCK, 36.0)
        match.feed(next_card)
        revised = match.in_force[-1]
        assert (doubtful.revision, revised.revision, revised.decided_by) == (0, 1, "table")
        show(table, match, cards={9: next_card})
        for language, begins in (("de", "Runde 4 ist neu"), ("es", "La ronda 4 se"), ("en", "Round 4 is ruled anew")):
            choose = f"const e = document.getElementById('language'); e.value = '{language}'; "
            await browser.js(page, f"(() => {{ {choose} e.dispatchEvent(new Event('change')); }})()")
            await browser.until(page, f"{notices}.includes('{begins}')")
            told = await browser.js(page, notices)
            assert view.ruling(revised)["says"][language] in told
            assert view.ruling(revised)["asks"][language][-1] in told
            await look(browser, page, f"screen-revised-{language}", tabs=False)
        assert await browser.js(page, "said") == []  # nobody speaks into the next round
        show(table, match, cards={})
        await browser.until(page, "document.getElementById('call').textContent.length > 2")
        assert "Round 4" not in await browser.js(page, notices)
        await look(browser, page, "screen-revised-last", tabs=False)
        assert await browser.js(page, "said") == [view.ruling(revised)["spoken"]["en"]]

    visit(check, tmp_path)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_scorer(tmp_path, theme):
    async def check(site, browser):
        table = site.hub.tables["table"]
        show(table, game())
        page = await opened(site, browser, "scorer", "document.getElementById('orders')?.hidden === false", size=PHONE)
        await dressed(browser, page, theme)
        await look(browser, page, f"scorer-{theme}")
        await browser.js(page, "document.getElementById('show-codes').click()")
        await browser.until(page, "document.querySelectorAll('#codes figure').length >= 3")
        await look(browser, page, f"scorer-codes-{theme}", tabs=False)

    visit(check, tmp_path)


CALLED = """(() => {
  const [context] = window.contexts, again = context.resume.bind(context);
  context.resume = () => Promise.reject(new Error("in a call"));
  window.hung_up = () => { context.resume = again; return again(); };
  return context.suspend();
})()"""
WATCHED = """window.contexts = []; window.AudioContext = class extends AudioContext {
  constructor(...given) { super(...given); window.contexts.push(this); }
}; 0"""


def test_a_phone_that_is_called_says_so_and_its_sound_goes_on_at_its_own_time(tmp_path):
    """The table waits for it meanwhile, and later sound is not laid to earlier pictures."""

    async def check(site, browser):
        table = site.hub.tables["table"]
        page = await opened(site, browser, "camera", STARTS, size=PHONE)
        await browser.js(page, WATCHED)
        await browser.js(page, "document.getElementById('start').click()")
        await browser.until(page, "document.body.dataset.zero")
        await comes(lambda: table.session and min(table.session.sound_ms, table.session.picture_ms) > 1000)
        await browser.js(page, CALLED)
        await browser.until(page, "JSON.parse(document.body.dataset.camera).missing === 'sound'")
        await browser.until(page, "document.querySelectorAll('#state li.bad').length > 0")
        silent = table.session.sound_ms
        await browser.js(page, "window.hung_up()")
        await comes(lambda: table.session.sound_ms > silent + 3000)
        await comes(lambda: abs(table.session.sound_ms - table.session.picture_ms) < 500 and not table.session.missing)
        assert table.phase == "playing"

    visit(check, tmp_path, game="tournament")


def test_voices_are_learnt_on_the_scorers_page(tmp_path):
    async def check(site, browser):
        camera = await opened(site, browser, "camera", STARTS, size=PHONE)
        await browser.js(camera, "document.getElementById('start').click()")
        await browser.until(camera, "document.body.dataset.zero")
        table = site.hub.tables["table"]
        await comes(lambda: table.session is not None)
        one = dataclasses.replace(table.session.greeting, channels=1)  # as of a phone with one microphone
        table.session.greeting = one
        page = await opened(site, browser, "scorer", "document.getElementById('learn')?.hidden === false", size=PHONE)
        await browser.until(page, "document.querySelectorAll('#learning button').length === 4")
        await browser.js(page, "document.querySelector('#learning button').click()")
        await browser.until(page, "document.querySelector('#learning button').ariaPressed === 'true'")
        assert table.state()["voicing"]["seat"] == "north"
        await look(browser, page, "scorer-voices")
        for language in ("de", "es"):
            choose = f"const e = document.getElementById('language'); e.value = '{language}'; "
            await browser.js(page, f"(() => {{ {choose} e.dispatchEvent(new Event('change')); }})()")
            await look(browser, page, f"scorer-voices-{language}", tabs=False)

    visit(check, tmp_path)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_overview(tmp_path, theme):
    held = Tournament(tmp_path / "t.json", NAMES, ["one", "two"])

    async def check(site, browser):
        show(site.hub.tables["one"], game())
        held.start_round()
        for name, size in (("phone", PHONE), ("television", TELEVISION)):
            ready = "document.querySelectorAll('.one').length + document.querySelectorAll('#pairings li').length === 4"
            page = await opened(site, browser, "scorer", ready, size=size, path="overview", table="one")
            await dressed(browser, page, theme)
            await look(browser, page, f"overview-{name}-{theme}")
        for left in (1, 0):  # each click: who is first of the first pairing that is open
            await browser.js(page, "document.querySelector('#pairings .buttons button').click()")
            await browser.until(page, f"document.querySelectorAll('#pairings .buttons').length === {left}")
        await browser.until(page, "document.getElementById('start').hidden === false")
        await look(browser, page, f"overview-over-{theme}")

    visit(check, tmp_path, tables=("one", "two"), tournament=held)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_of_phones(tmp_path, theme):
    async def check(site, browser):
        camera = await opened(site, browser, "camera", STARTS, size=PHONE)
        await dressed(browser, camera, theme)
        await look(browser, camera, f"camera-{theme}")
        player = await opened(
            site, browser, "player", "document.querySelector('[data-seat=north]')?.textContent.length > 2", size=PHONE
        )
        await dressed(browser, player, theme)
        await look(browser, player, f"player-{theme}")
        practice = await opened(
            site,
            browser,
            "player",
            STARTS,
            size=PHONE,
            path="practice",
        )
        await dressed(browser, practice, theme)
        await look(browser, practice, f"practice-{theme}")

    visit(check, tmp_path)


def test_a_camera_that_streams_is_turned_and_locked(tmp_path):
    """Turned: told to be turned back, and its pictures are left out. Locked: the table waits, and goes on then."""

    async def check(site, browser):
        table = site.hub.tables["table"]
        page = await opened(site, browser, "camera", STARTS, size=PHONE)
        await browser.js(page, "document.getElementById('start').click()")
        await browser.until(page, "document.body.dataset.zero")
        await browser.until(page, "document.querySelectorAll('#state li').length > 1")
        await look(browser, page, "camera-streams")
        turn = (
            "document.getElementById('video').srcObject.getVideoTracks()[0].applyConstraints({{width: {}, height: {}}})"
        )
        await browser.js(page, turn.format(360, 640))
        await browser.until(
            page, "[...document.querySelectorAll('#state li.bad')].some(e => /turn|dreh|gir/.test(e.textContent))"
        )
        await look(browser, page, "camera-turned", tabs=False)
        seen = table.session.picture_ms
        await asyncio.sleep(0.7)
        assert table.session.picture_ms <= seen + 300
        await browser.js(page, turn.format(1280, 720))
        await comes(lambda: table.session.picture_ms > seen + 300)
        await browser.call("Page.setWebLifecycleState", page, state="frozen")
        await asyncio.sleep(3.0)
        heard = table.session.newest_ms
        await browser.call("Page.setWebLifecycleState", page, state="active")
        await comes(lambda: table.session.newest_ms > heard + 1000 and table.connected)
        assert table.phase == "playing"

    visit(check, tmp_path, game="tournament")


SOUND = np.concatenate([np.zeros((2, 8000)), 0.3 * np.random.default_rng(5).standard_normal((2, 12000))], axis=1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_challenge(tmp_path, theme):
    """The photo finish: sound and onsets, the cards, and what people may say, in every language, to a reader too."""

    async def check(site, browser):
        table = site.hub.tables["table"]
        match = game()
        show(table, match)
        table.challenge = challenge.of_round(match, None)
        table.evidence.heard(AudioBlock(26.5, np.tile(SOUND, 4).astype(np.float32), 16000))
        table.evidence.keep(match.in_force[-1])
        table.beat(always=True)
        for name, size in (("phone", PHONE), ("television", TELEVISION)):
            ready = "document.getElementById('challenge')?.hidden === false"
            page = await opened(site, browser, "scorer", ready, size=size)
            await dressed(browser, page, theme)
            await browser.until(page, "document.querySelectorAll('#choices button').length > 2")
            await browser.js(page, "document.getElementById('challenge').scrollIntoView(); 0")
            await look(browser, page, f"challenge-{name}-{theme}")
            assert await browser.js(page, "document.getElementById('wave').ariaLabel?.length > 10")
            assert await browser.js(page, "document.querySelectorAll('#shots figcaption').length === 2")
            for language in ("de", "es"):
                choose = f"const e = document.getElementById('language'); e.value = '{language}'; "
                await browser.js(page, f"(() => {{ {choose} e.dispatchEvent(new Event('change')); }})()")
                await browser.js(page, "document.getElementById('challenge').scrollIntoView(); 0")
                await look(browser, page, f"challenge-{name}-{theme}-{language}", tabs=False)
                assert "26,00" in await browser.js(page, "document.querySelector('#shots figcaption').textContent")

    visit(check, tmp_path)


def test_the_overlay_has_no_background_and_names_who_plays(tmp_path):
    held = Tournament(tmp_path / "t.json", ["Anna", "Ben"], ["table"])
    held.start_round()

    async def check(site, browser):
        show(site.hub.tables["table"], game())
        ready = "document.body.textContent.trim().length > 10"
        page = await opened(site, browser, "screen", ready, size=TELEVISION, path="overlay")
        assert await browser.js(page, "document.getElementById('piles').textContent") == "Anna4Ben4"
        await look(browser, page, "overlay", tabs=False)
        assert await browser.js(page, "getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"

    visit(check, tmp_path, tournament=held)
