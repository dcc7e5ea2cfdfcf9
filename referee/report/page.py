"""One self-contained page: everything inside it, nothing fetched, readable on a phone and on paper."""

from __future__ import annotations

import base64
import hashlib
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from referee.messages import say
from referee.messages.labels import label
from referee.messages.meanings import meaning
from referee.messages.reasons import reason
from referee.report import charts, tracks
from referee.report.game import CERTAIN_SIGMAS
from referee.report.statistics import TYPES, reaction, statistics
from referee.report.words import (
    begun,
    clock,
    due_words,
    headline,
    margin_words,
    milliseconds,
    percent,
    type_words,
    verdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.report.evidence import Evidence
    from referee.report.game import Game


def render(game: Game, evidence: Iterable[Evidence], *, made_by: str, served: bool = False) -> str:
    """The page as HTML text.

    Args:
        game: the game.
        evidence: of each round, in order.
        made_by: program and version, for the foot of the page.
        served: whether the page comes from `referee.report.serving`, with a link at each round to say what happened.
    """
    players = statistics(game)
    script = _asset("report.js")
    return render_page(
        "report.html.j2",
        game=game,
        evidence=list(evidence),
        players=players,
        types=TYPES,
        headline=lambda r: headline(game, r),
        verdict=lambda r: verdict(game, r),
        reaction=reaction,
        call_words=tracks.call_words,
        sigmas=CERTAIN_SIGMAS,
        score_chart=charts.score(game),
        timeline=charts.timeline(game),
        reactions_chart=charts.reactions(game, players) if any(p.reactions_s for p in players) else None,
        downloads=_downloads(game),
        made_by=made_by,
        said_in=game.language,
        t=partial(label, language=game.language),
        kind=lambda kind: type_words(kind, game.language),
        why=lambda text: reason(text, game.language),
        due=lambda r: due_words(r, game.language),
        served=served,
        facts=_facts(game),
        house_rules=_house_rules(game),
        link=lambda t: tracks.link(game, t),
        script=Markup(script),  # noqa: S704  our own file
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def render_page(template: str, **values: Any) -> str:
    """Fill in one of the templates. Every value is escaped."""
    environment = Environment(
        loader=PackageLoader("referee.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        clock=clock,
        ms=milliseconds,
        begun=begun,
        percent=percent,
        data=_data_uri,
        text_data=_text_uri,
        margin=margin_words,
        typed=_typed,
    )
    style = Markup(_asset("report.css"))  # noqa: S704  our own file
    return str(environment.get_template(template).render(style=style, **values))


def _typed(command: str) -> Markup:
    """A command that people type: lines break between its words, not at the hyphens within them."""
    return Markup(" ").join(Markup("<span>{}</span>").format(word) for word in command.split())


def _asset(name: str) -> str:
    return resources.files("referee.report").joinpath("templates", name).read_text(encoding="utf-8")


def _data_uri(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def _text_uri(text: str, mime: str) -> str:
    return _data_uri(text.encode(), f"{mime};charset=utf-8")


def _downloads(game: Game) -> list[tuple[str, str, str, str]]:
    """Name of the file, what it is, its type, its text."""
    stem = game.name or "game"
    return [
        (f"{stem}.vtt", label("files.vtt", game.language), "text/vtt", tracks.webvtt(game)),
        (f"{stem}.labels.txt", label("files.labels", game.language), "text/plain", tracks.audacity(game)),
        (f"{stem}.rounds.csv", label("files.rounds", game.language), "text/csv", tracks.rounds_csv(game)),
        (f"{stem}.calls.csv", label("files.calls", game.language), "text/csv", tracks.calls_csv(game)),
    ]


def _house_rules(game: Game) -> list[tuple[str, str, str]]:
    """Option, value, meaning; the ones that differ from the default first."""
    from referee.options import as_dict, options_for, resolve  # noqa: PLC0415  the catalogue is only for people here

    name = str(game.header.get("game") or "rock")
    values = as_dict(name, resolve(name, game.header.get("options") or {}))
    rows = []
    for spec in options_for(name):
        value = values[spec.name]
        changed = value != spec.default
        words = say(value, game.language) if isinstance(value, bool) else f"{value} {spec.unit}".strip()
        words += f" ({label('changed', game.language)})" if changed else ""
        rows.append((not changed, spec.name, words, meaning(spec, game.language)))
    return [row[1:] for row in sorted(rows, key=lambda row: row[0])]


def _facts(game: Game) -> list[tuple[str, str]]:
    """What else the header says: versions, models, checksums, one row each; nested objects with dotted names."""
    skip = {"type", "options", "seats", "names"}
    rows: list[tuple[str, str]] = []
    for key, value in game.header.items():
        if key not in skip:
            _flatten(key, value, rows)
    return rows


def _flatten(name: str, value: Any, rows: list[tuple[str, str]]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key != "path":  # where it lies on somebody's computer is nobody else's business
                _flatten(f"{name}.{key}", inner, rows)
    elif isinstance(value, list):
        rows.append((name, ", ".join(str(v) for v in value)))
    elif value is not None:
        rows.append((name, str(value)))
