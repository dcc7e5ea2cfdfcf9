"""The page's own charts, as small SVG drawings that take the page's colours: score, timeline, reactions.

Each has a title and a description for screen readers; the same numbers stand in a table beside it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup

from referee.messages.labels import label
from referee.report.statistics import GUESS_S
from referee.report.words import clock, headline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.report.game import Game
    from referee.report.statistics import PlayerStatistics

DASHES = ("none", "9 4", "3 3", "9 3 2 3")
"""Line patterns of the seats in turn, as in the photo finish."""


def _text(x: float, y: float, words: str, anchor: str = "start", cls: str = "") -> Markup:
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}" class="{}">{}</text>').format(x, y, anchor, cls, words)


def _svg(name: str, width: float, height: float, title: str, body: Sequence[Markup]) -> Markup:
    return Markup(
        '<svg viewBox="0 0 {:.0f} {:.0f}" style="min-width:{:.0f}px" role="img" aria-labelledby="{}">'
        '<title id="{}">{}</title>{}</svg>'
    ).format(width, height, min(width, 300), f"{name}-title", f"{name}-title", title, Markup("").join(body))


def score(game: Game) -> Markup:
    """Cards in each pile after every round, as steps."""
    seats, rounds = game.seats, game.rounds
    highest = max([1, *(int(n) for r in rounds for n in (r.line.get("piles") or {}).values())])
    left, top, wide, high = 30.0, 10.0, 330.0, 190.0
    per_x, per_y = wide / max(1, len(rounds)), high / highest
    step = max(1, -(-highest // 5))
    body = [
        Markup('<line class="grid" x1="{0:.1f}" x2="{1:.1f}" y1="{2:.1f}" y2="{2:.1f}"/>').format(
            left, left + wide, top + high - n * per_y
        )
        + _text(left - 6, top + high - n * per_y + 4, str(n), "end")
        for n in range(0, highest + 1, step)
    ]
    every = max(1, -(-len(rounds) // 10))
    body += [
        _text(left + (i + 1) * per_x, top + high + 18, str(r.number), "middle")
        for i, r in enumerate(rounds)
        if (i + 1) % every == 0 or every == 1
    ]
    body.append(_text(left + wide / 2, top + high + 36, label("round.axis", game.language), "middle"))
    ends = _label_heights([top + high - game.piles.get(s, 0) * per_y for s in seats])
    for k, seat in enumerate(seats):
        points, last = [f"{left:.1f},{top + high:.1f}"], top + high
        for i, r in enumerate(rounds):
            y = top + high - int((r.line.get("piles") or {}).get(seat, 0)) * per_y
            points += [f"{left + (i + 1) * per_x:.1f},{last:.1f}", f"{left + (i + 1) * per_x:.1f},{y:.1f}"]
            last = y
        body.append(
            Markup('<polyline class="line seat{}" stroke-dasharray="{}" points="{}"/>').format(
                k % 4, DASHES[k % 4], " ".join(points)
            )
        )
        body.append(
            _text(
                left + wide + 8, ends[k] + 4, f"{game.called(seat)} {game.piles.get(seat, 0)}", "start", f"name{k % 4}"
            )
        )
    words = ", ".join(f"{game.called(s)} {game.piles.get(s, 0)}" for s in seats)
    return _svg("score", left + wide + 110, top + high + 44, label("score.words", game.language, words=words), body)


def _label_heights(heights: Sequence[float], apart: float = 15.0, top: float = 8.0) -> list[float]:
    """Label positions moved apart so that none covers another, and none lies above `top`."""
    out = list(heights)
    order = sorted(range(len(out)), key=lambda i: out[i])
    for before, after in pairwise(order):
        out[after] = max(out[after], out[before] + apart)
    over = max(0.0, max(out, default=0.0) - max(heights, default=0.0) - 4)
    over = min(over, min(out, default=0.0) - top)
    return [y - over for y in out]


def timeline(game: Game) -> Markup:
    """All rounds along the recording; each is a link to its part of the page."""
    rounds = game.rounds
    end = max([1.0, float(game.header.get("duration_s") or 0), *(r.time_s for r in rounds)])
    left, wide, row = 18.0, max(620.0, 24.0 * len(rounds)), 40.0
    scale = wide / end
    body: list[Markup] = []
    for r in rounds:
        begin = r.reveal_s if r.reveal_s is not None else r.time_s - 1
        x, w = left + begin * scale, max(6.0, (r.time_s - begin) * scale)
        kind = "review" if r.review else str(r.line.get("outcome"))
        calls = Markup("").join(
            Markup('<circle class="call" cx="{:.1f}" cy="{:.1f}" r="2.5"/>').format(
                left + c.onset_s * scale, row / 2 + 10
            )
            for c in r.counted
        )
        body.append(
            Markup(
                '<a href="#round-{0}" aria-label="{1}">'
                '<rect class="bar {2}" x="{3:.1f}" y="10" width="{4:.1f}" height="{5}" rx="3"/>{6}</a>'
            ).format(
                r.number,
                f"{label('round.at', game.language, n=r.number, at=clock(r.time_s))}: {headline(game, r)}",
                kind,
                x,
                w,
                row - 10,
                calls,
            )
        )
        body.append(_text(x + w / 2, row + 16, f"{r.number}{'?' if r.review else ''}", "middle"))
    every = next((s for s in (5, 10, 30, 60, 120, 300, 600, 1800) if end / s <= wide / 70), 3600)
    body += [_text(left + t * scale, row + 36, clock(t, 0), "middle", "soft") for t in range(0, int(end) + 1, every)]
    return Markup(
        '<svg viewBox="0 0 {:.0f} {:.0f}" style="min-width:{:.0f}px" role="group" aria-label="{}">{}</svg>'
    ).format(wide + 2 * left + 10, row + 44, wide, label("timeline.of", game.language), Markup("").join(body))


def reactions(game: Game, players: Sequence[PlayerStatistics]) -> Markup:
    """Each call's time after the last card, a row a player; the dotted line is what no honest reaction beats."""
    times = [t for p in players for t in p.reactions_s]
    longest = max([0.5, *times]) * 1.05
    left, wide, row = 100.0, 320.0, 30.0
    scale = wide / longest
    high = row * len(players)
    step = next(s for s in (0.1, 0.2, 0.5, 1, 2, 5, 10, 60, 3600) if longest / s <= 6)
    body = [
        Markup('<line class="guess" x1="{0:.1f}" x2="{0:.1f}" y1="4" y2="{1:.1f}"/>').format(
            left + GUESS_S * scale, high + 4
        ),
        *(
            _text(left + k * step * scale, high + 20, f"{k * step:g} s", "middle", "soft")
            for k in range(int(longest / step) + 1)
        ),
    ]
    for i, p in enumerate(players):
        y = i * row + row / 2 + 4
        k = game.seats.index(p.seat) % 4
        body.append(_text(left - 10, y + 4, game.called(p.seat), "end", f"name{k}"))
        body.append(
            Markup('<line class="grid" x1="{0:.1f}" x2="{1:.1f}" y1="{2:.1f}" y2="{2:.1f}"/>').format(
                left, left + wide, y
            )
        )
        body += [
            Markup('<circle class="dot seat{}" cx="{:.1f}" cy="{:.1f}" r="5"/>').format(k, left + t * scale, y)
            for t in p.reactions_s
        ]
        if p.typical_s is not None:
            body.append(
                Markup('<line class="median" x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}"/>').format(
                    left + p.typical_s * scale, y - 10, y + 10
                )
            )
    return _svg("reactions", left + wide + 30, high + 28, label("reactions.words", game.language), body)
