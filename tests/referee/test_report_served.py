"""The served report: people say what happened, and only people at this computer."""

import html
import os
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
import report_evening as evening
from click.testing import CliRunner

from referee import cli
from referee.bench.report import PHONE, browser, tab
from referee.errors import UsageError
from referee.events import CardsGone
from referee.record import read_record
from referee.report.reading import newest_rulings

pytest.importorskip("jinja2", reason="the extra `report` is not installed")
pytest.importorskip("matplotlib", reason="the extra `report` is not installed")

from referee.report.serving import Desk, server


@pytest.fixture
def desk(tmp_path):
    return Desk(evening.write_record(tmp_path / "evening.jsonl"))


@pytest.fixture
def address(desk):
    with server(desk) as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        yield f"http://localhost:{serving.server_address[1]}"
        serving.shutdown()
        thread.join()


def get(url, *, form=None, host=None):
    """Status and text of a page."""
    data = urllib.parse.urlencode(form).encode() if form is not None else None
    request = urllib.request.Request(url, data, headers={"Host": host} if host else {})  # noqa: S310  localhost
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  localhost
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def in_force(desk):
    return {line["round"]: line for line in newest_rulings(read_record(desk.path).rulings)[0]}


@pytest.mark.parametrize(
    ("language", "title", "likeliest", "done"),
    [
        ("de", "Runde 3: Was ist geschehen?", "Süd rief zuerst Stein", "Aufgeschrieben"),
        ("es", "Ronda 3: ¿qué pasó?", "Sur dijo primero piedra", "Anotado"),
    ],
)
def test_the_pages_are_in_the_language_of_the_record(tmp_path, language, title, likeliest, done):
    desk = Desk(evening.write_record(tmp_path / "evening.jsonl", extra={"language": language}))
    page = desk.question(3)
    assert title in page
    assert likeliest.lower() in page.lower()
    assert done in desk.say(3, {"choose": "1"})
    pages = [page, desk.question(3), desk.said(), desk.take_back({"correction": "1"}), desk.wrong()]
    english = ("Round", "what happened", "take back", "Written", "likely", "silence", "outcome", "unread")
    for text in pages:
        said = re.sub(r"<style>.*?</style>|<[^>]*>", " ", text, flags=re.DOTALL)
        assert f'<html lang="{language}">' in text
        assert not [word for word in english if re.search(rf"\b{word}\b", said)]


def test_what_does_not_work_is_said_in_the_language_of_the_record_too(tmp_path):
    desk = Desk(evening.write_record(tmp_path / "evening.jsonl", extra={"language": "de"}))
    with pytest.raises(UsageError, match="Eine Runde 99 gibt es nicht"):
        desk.question(99)
    with pytest.raises(UsageError, match="Sekunde 99 liegt nicht in diesem Spiel, das 16 s dauert"):
        desk.say(1, {"heard_seat": "north", "heard_type": "rock", "heard_at": "99"})
    assert desk.label("failed.form").startswith("Dieses Formular ist von einem anderen Tag")


def test_each_round_leads_to_its_question(address):
    status, page = get(f"{address}/")
    assert status == 200
    assert re.findall(r'href="(/round/\d)"', page) == ["/round/1", "/round/2", "/round/3"]
    status, question = get(f"{address}/round/3")
    assert status == 200
    first, second = re.findall(r'<label for="choice-[12]">([^<]+)<', question)
    assert (first.strip(), second.strip()) == ("south called rock first", "north called rock first")


def test_a_choice_is_written_down_and_what_changed_is_shown(desk, address):
    status, page = get(f"{address}/round/3", form={"token": desk.token, "choose": "2", "by": "Ann"})
    assert status == 200
    assert "outcome: tie → won" in page
    assert in_force(desk)[3]["first"]["seat"] == "north"
    assert read_record(desk.path).corrections[0].by == "Ann"
    assert "corrected" in get(f"{address}/")[1]


def test_a_ruling_in_review_is_said_to_be_right(tmp_path):
    elsewhere = [replace(e, to_seat="north") if isinstance(e, CardsGone) else e for e in evening.events()]
    desk = Desk(evening.write_record(tmp_path / "evening.jsonl", elsewhere))
    chosen = html.unescape(re.search(r'value="(right:[^"]*)"', desk.question(1))[1])
    assert "Round 1 is right as it was ruled." in desk.say(1, {"choose": chosen})
    assert in_force(desk)[1]["reviews"] == []
    assert 'value="right:' not in desk.question(1)
    with pytest.raises(UsageError, match="nothing to confirm"):
        desk.say(1, {"choose": chosen})


def test_a_call_that_was_not_heard_is_written_down(desk, address):
    form = {"token": desk.token, "heard_seat": "north", "heard_type": "paper", "heard_at": "1.9", "by": "Ben"}
    assert get(f"{address}/round/1", form=form)[0] == 200
    assert in_force(desk)[1]["first"]["seat"] == "north"
    assert read_record(desk.path).corrections[0].by == "Ben"


def test_a_correction_is_taken_back(desk, address):
    before = in_force(desk)[3]["outcome"]
    get(f"{address}/round/3", form={"token": desk.token, "choose": "1"})
    assert 'name="correction" value="1"' in get(f"{address}/corrections")[1]
    assert get(f"{address}/corrections", form={"token": desk.token, "correction": "1"})[0] == 200
    assert in_force(desk)[3]["outcome"] == before


def test_only_what_changed_is_drawn_anew(desk):
    desk.report()
    first = dict(desk._drawn)
    desk.say(3, {"choose": "1"})
    desk.report()
    assert set(first) < set(desk._drawn)
    assert len(desk._drawn) == len(first) + 1


@pytest.mark.parametrize(
    "form",
    [
        {"choose": "1"},
        {"token": "guessed", "choose": "1"},
        {"token": "", "choose": "1"},
    ],
)
def test_a_form_from_elsewhere_says_nothing(desk, address, form):
    before = desk.path.read_bytes()
    assert get(f"{address}/round/1", form=form)[0] == 400
    assert desk.path.read_bytes() == before


def test_another_name_for_this_computer_is_refused(address):
    assert get(f"{address}/", host="evil.example")[0] == 403
    assert get(f"{address}/corrections", host="127.0.0.1:80")[0] == 200


@pytest.mark.parametrize("path", ["/round/99", "/round/x", "/etc/passwd", "/../x", "/round/1/2", "/round/-1"])
def test_pages_that_are_not_there(address, path):
    status, page = get(address + path)
    assert status in (400, 404)
    assert "That did not work" in page


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"choose": "0"},
        {"choose": "99"},
        {"choose": "x"},
        {"choose": "1:something else"},
        {"heard_seat": "north", "heard_type": "stone", "heard_at": "1"},
        {"heard_seat": "north", "heard_type": "rock", "heard_at": "soon"},
        {"heard_seat": "north", "heard_type": "rock", "heard_at": "-5"},
        {"heard_seat": "north", "heard_type": "rock", "heard_at": "nan"},
        {"heard_seat": "north", "heard_type": "rock", "heard_at": "1e400"},
        {"heard_seat": "moon", "heard_type": "rock", "heard_at": "1"},
    ],
)
def test_what_cannot_be_meant_writes_nothing(desk, address, form):
    before = desk.path.read_bytes()
    assert get(f"{address}/round/1", form={"token": desk.token, **form})[0] == 400
    assert desk.path.read_bytes() == before


def test_a_form_without_end_is_refused(desk, address):
    assert get(f"{address}/round/1", form={"token": desk.token, "by": "x" * 5000})[0] == 400


def test_a_taken_port_is_one_line(desk, address):
    with pytest.raises(UsageError, match="choose another with --port"):
        server(desk, int(address.rpartition(":")[2]))


def test_a_choice_made_before_somebody_else_corrected_is_not_taken_for_another(desk, address):
    chosen = html.unescape(re.search(r'value="(1:[^"]*)"', get(f"{address}/round/3")[1])[1])
    assert chosen == "1:south called rock first"
    desk.say(3, {"choose": "1"})
    status, page = get(f"{address}/round/3", form={"token": desk.token, "choose": chosen})
    assert status == 400
    assert "Somebody else has corrected this record meanwhile" in page


@pytest.mark.skipif(browser() is None, reason="Chromium is not installed")
def test_people_correct_a_round_on_a_phone_in_a_real_browser(desk, address):
    def click(selector, then):
        one.run(f"document.querySelector({selector!r}).click()")
        end = time.monotonic() + 30
        while then not in (one.run("document.title") or "") or one.run("document.readyState") != "complete":
            assert time.monotonic() < end, one.run("document.body.innerText")
            time.sleep(0.02)

    def look():
        """No wider than the phone, and nothing for axe to complain about (REFEREE_AXE: path of its axe.min.js)."""
        assert one.run("document.documentElement.scrollWidth") <= PHONE[0]
        if place := os.environ.get("REFEREE_AXE"):
            one.run(Path(place).read_text(encoding="utf-8") + ";0")
            assert one.run("axe.run().then(r => r.violations.map(v => v.id + ': ' + v.nodes[0].html))") == []

    with tab(PHONE) as one:
        if "REFEREE_AXE" in os.environ:
            one.call("Page.setBypassCSP", enabled=True)  # axe is not a script of the page
        one.open(f"{address}/")
        look()
        click('a[href="/round/3"]', "Round 3")
        look()
        one.run("document.querySelector('#choice-2').click(); document.querySelector('#by').value = 'Jörg'")
        click("button[type=submit]", "Written down")
        look()
        assert "outcome: tie → won" in one.run("document.body.innerText")
        assert (in_force(desk)[3]["first"]["seat"], read_record(desk.path).corrections[0].by) == ("north", "Jörg")
        click('a[href="/corrections"]', "Corrections")
        look()
        click("li form button", "Written down")
    assert in_force(desk)[3]["outcome"] == "tie"


def test_ctrl_c_is_how_serving_ends(desk, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("http.server.ThreadingHTTPServer.serve_forever", interrupted)
    done = CliRunner().invoke(cli.cli, ["report", str(desk.path), "--serve"], standalone_mode=False)
    assert done.exception is None
    assert "drawing the report ..." in done.output
    assert "(stop with Ctrl-C)" in done.output
