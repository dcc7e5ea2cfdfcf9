"""The report's own page, served on this computer, where people can say what happened instead.

Plain forms and no scripts: the report links each round to a page with the likeliest readings; saying one appends a
correction to the record and shows what changed. Only this computer is served, only under its own name, and only a page
that this server made can say anything (a token in every form).
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from referee import __version__
from referee.confirming import confirmation, is_confirmable
from referee.corrections import in_force
from referee.errors import RefereeError, UsageError
from referee.events import Correction, Type
from referee.messages import known_language, say
from referee.messages.labels import label
from referee.record import read_record
from referee.replay import correct, match_for
from referee.report.challenge import alternatives, check, ruling_of, said_at, seats_of
from referee.report.changes import all_differences, correction_words
from referee.report.evidence import gather
from referee.report.mending import mend
from referee.report.page import render, render_page
from referee.report.reading import game_of, newest_rulings
from referee.report.writing import find_recording, stem_of
from referee.unheard import call_time

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from referee.options import Options
    from referee.report.challenge import Changes
    from referee.report.evidence import Evidence

LONGEST_FORM = 4000
LOCAL = ("127.0.0.1", "localhost", "[::1]")


@dataclass(slots=True)
class Desk:
    """Where people disagree with one record: makes the pages, and writes down what is said."""

    path: Path
    recording: Path | None = None
    clips: bool = True
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    _drawn: dict[str, Evidence] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def report(self) -> str:
        """The report as it stands; only rounds that changed are drawn anew."""
        with self._lock:
            record = read_record(self.path)
            found, _ = find_recording(record, self.path, self.recording)
            game = game_of(record, name=stem_of(self.path), recording=found)
            evidence = gather(game, clips=self.clips, drawn=self._drawn)
            return render(game, evidence, made_by=f"referee {__version__}", served=True)

    def question(self, number: int) -> str:
        """The page on which people say what happened in a round.

        Raises:
            UsageError: there is no such round.
        """
        record = read_record(self.path)
        language = known_language(record.header.language)
        if number not in {line["round"] for line in newest_rulings(record.rulings)[0]}:
            raise UsageError(label("failed.round", language, n=number))
        line, offered = ruling_of(record, number), alternatives(record, number, language)
        right = str(line.get("why") or "") if is_confirmable(line) else ""
        given: dict[str, Any] = {
            "line": line,
            "offered": offered,
            "right": right,
            "seats": seats_of(record),
            "types": list(Type),
        }
        given["unheard_s"] = _usual_time(line, match_for(record).options)
        return self._page("question", language, number=number, **given)

    def said(self) -> str:
        """The page that lists the corrections, each of which can be taken back."""
        record = read_record(self.path)
        lines, holding = newest_rulings(record.rulings)[0], {n for n, _ in in_force(record.corrections)}
        language = known_language(record.header.language)
        game = record.header.game
        said = [
            (n, correction_words(c, lines, language, game=game), n in holding)
            for n, c in enumerate(record.corrections, 1)
        ]
        return self._page("said", language, said=said)

    def say(self, number: int, form: Mapping[str, str]) -> str:
        """Write down what was said of a round, and show what changed.

        Raises:
            UsageError: it cannot be meant.
        """
        record = read_record(self.path)
        language = known_language(record.header.language)
        if form.get("heard_seat") and not form.get("choose"):
            end_s = said_at(record)
            said = _heard(form, end_s, language)
            if said.at_s is not None and not 0 <= said.at_s <= end_s:
                raise UsageError(label("failed.time", language, at=said.at_s, end=end_s))
            return self._append(said, number, form.get("by", ""))
        choice, _, words = form.get("choose", "").partition(":")
        if choice == "right":
            line = ruling_of(record, number)
            if words != str(line.get("why") or ""):
                raise UsageError(label("failed.meanwhile", language))
            return self._append(confirmation(line, said_at(record)), number, form.get("by", ""))
        offered = alternatives(record, number, language)
        if not choice.isdecimal() or not 1 <= int(choice) <= len(offered):
            raise UsageError(label("failed.choice", language))
        one = offered[int(choice) - 1]
        if words not in ("", one.words):
            raise UsageError(label("failed.meanwhile", language))
        return self._append(one.correction, number, form.get("by", ""))

    def take_back(self, form: Mapping[str, str]) -> str:
        """Take a correction back. Raises `UsageError` when there is none of that number."""
        number = form.get("correction", "")
        if not number.isdecimal():
            raise UsageError(label("failed.choice", self._language()))
        return self._append(Correction(time_s=said_at(read_record(self.path)), kind="undo", target=int(number)), None)

    def _append(self, correction: Correction, number: int | None, by: str = "") -> str:
        from dataclasses import replace  # noqa: PLC0415  light, and only here

        with self._lock:
            mend(self.path)
            record = read_record(self.path)
            check(record, correction)
            before = newest_rulings(record.rulings)[0]
            correct(self.path, replace(correction, by=" ".join(by.split())[:60]))
            after = newest_rulings(read_record(self.path).rulings)[0]
        language = known_language(record.header.language)
        changes: Changes = all_differences(before, after, language)
        words = correction_words(correction, after, language, game=record.header.game)
        return self._page("changed", language, changes=changes, number=number, words=words)

    def wrong(self, words: str = "") -> str:
        """The page that says what did not work; by default that there is no such page."""
        return self._page("wrong", self._language(), words=words or label("failed.page", self._language()))

    def label(self, key: str) -> str:
        """One label in the language of the record."""
        return label(key, self._language())

    def _language(self) -> str:
        """That of the record; English while it cannot be read."""
        try:
            return known_language(read_record(self.path).header.language)
        except RefereeError:
            return known_language(None)

    def _page(self, kind: str, language: str, **values: Any) -> str:
        return render_page(
            "challenge.html.j2",
            kind=kind,
            name=stem_of(self.path),
            token=self.token,
            said_in=language,
            t=partial(label, language=language),
            named=partial(say, language=language),
            **values,
        )


def _usual_time(line: Mapping[str, Any], options: Options) -> float:
    """When a call that was not heard most likely was, for people to change."""
    try:
        return call_time(line, options)
    except UsageError:
        return float(line.get("time_s") or 0.0)


def _heard(form: Mapping[str, str], now: float, language: str) -> Correction:
    try:
        at, kind = float(form.get("heard_at", "")), Type(form.get("heard_type", ""))
    except ValueError:
        raise UsageError(label("failed.unheard", language)) from None
    return Correction(time_s=now, kind="call", seat=form["heard_seat"], type=kind, at_s=at)


def server(desk: Desk, port: int = 0) -> ThreadingHTTPServer:
    """A server for the desk on this computer alone; port 0 takes any free one.

    Raises:
        UsageError: the port is taken.
    """

    class Handler(_Handler):
        """The handler of this desk."""

    Handler.desk = desk
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except OSError as problem:
        raise UsageError(
            f"cannot serve on port {port}: {problem.strerror or problem}; choose another with --port"
        ) from None


class _Handler(BaseHTTPRequestHandler):
    """Routes: / the report, /round/N what happened, /corrections what was said."""

    desk: Desk

    def do_GET(self) -> None:
        """Show a page."""
        self._answer(self._show)

    def do_POST(self) -> None:
        """Take what was said."""
        self._answer(self._take)

    def log_message(self, *_: object) -> None:
        """Say nothing: what people look at is theirs."""

    def _show(self, parts: list[str]) -> str | None:
        if parts == []:
            return self.desk.report()
        if parts == ["corrections"]:
            return self.desk.said()
        if len(parts) == 2 and parts[0] == "round" and parts[1].isdecimal():
            return self.desk.question(int(parts[1]))
        return None

    def _take(self, parts: list[str]) -> str | None:
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 < length <= LONGEST_FORM:
            raise UsageError("this is no form of this page")
        given = parse_qs(self.rfile.read(length).decode(errors="replace"), keep_blank_values=True)
        form = {name: values[0] for name, values in given.items()}
        if not secrets.compare_digest(form.get("token", "").encode(), self.desk.token.encode()):
            raise UsageError(self.desk.label("failed.form"))
        if parts == ["corrections"]:
            return self.desk.take_back(form)
        if len(parts) == 2 and parts[0] == "round" and parts[1].isdecimal():
            return self.desk.say(int(parts[1]), form)
        return None

    def _answer(self, make: Callable[[list[str]], str | None]) -> None:
        host = re.sub(r":\d+$", "", self.headers.get("Host") or "")  # a name that leads here from elsewhere is refused
        if host not in LOCAL:
            self._send(HTTPStatus.FORBIDDEN, "this server answers only on this computer")
            return
        parts = [part for part in urlsplit(self.path).path.split("/") if part]
        try:
            text = make(parts)
        except (RefereeError, ValueError) as error:
            self._send(HTTPStatus.BAD_REQUEST, self.desk.wrong(str(error)))
            return
        if text is None:
            self._send(HTTPStatus.NOT_FOUND, self.desk.wrong())
        else:
            self._send(HTTPStatus.OK, text)

    def _send(self, status: HTTPStatus, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Frame-Options", "DENY")
        self.end_headers()
        self.wfile.write(body)
