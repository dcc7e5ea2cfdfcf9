"""Tracks that go with the recording: subtitles (WebVTT), labels for Audacity, tables (CSV), and a list of moments.

Times are those of the recording, so that each track can be laid beside it in any player or editor.
"""

from __future__ import annotations

import csv
import io
from itertools import zip_longest
from typing import TYPE_CHECKING
from urllib.parse import quote

from referee.messages.labels import label
from referee.report.footage import nearest_index
from referee.report.words import base_name, clock, due_words, headline, milliseconds, type_words, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.report.game import Call, Game, Round

SHOWN_S = 6.0
"""A ruling stays on the screen this long, or until the next round's cards are shown."""


def webvtt(game: Game, *, start_s: float = 0.0, end_s: float = float("inf")) -> str:
    """Subtitles: the cards at the reveal, every call, the ruling. Times count from `start_s` (for clips)."""
    cues = [(max(a, start_s), min(b, end_s), text) for a, b, text in cues_of(game) if b > start_s and a < end_s]
    blocks = [
        f"{_stamp(a - start_s)} --> {_stamp(b - start_s)}\n{_cue_text(text)}" for a, b, text in cues if b - a > 0.001
    ]
    return "WEBVTT\n\n" + "\n\n".join(blocks) + "\n"


def _stamp(seconds: float) -> str:
    """hh:mm:ss.mmm, as WebVTT wants it."""
    ms = round(max(0.0, seconds) * 1000)
    return f"{ms // 3_600_000:02d}:{ms // 60_000 % 60:02d}:{ms // 1000 % 60:02d}.{ms % 1000:03d}"


def _cue_text(text: str) -> str:
    """Escaped: names and reasons are free text, and `-->` or an empty line would end the cue."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    return "\n".join(line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for line in lines)


def cues_of(game: Game) -> list[tuple[float, float, str]]:
    """Start, end, text; in order, not overlapping."""
    cues: list[tuple[float, float, str]] = []
    language = game.language
    unread = label("not_read", language)
    for r, following in zip_longest(game.rounds, game.rounds[1:]):
        points: list[tuple[float, str]] = []
        cards = ", ".join(f"{game.called(c.seat)} {type_words(c.type, language) or unread}" for c in r.cards)
        number = label("round.head", language, n=r.number)
        if r.reveal_s is not None:
            points.append((r.reveal_s, f"{number}: {cards}"))
        points += [(c.onset_s, f"{game.called(c.seat)}: {c.word}") for c in r.calls if c.counted]
        points.append((r.time_s, f"{number}: {headline(game, r)}\n{verdict(game, r)}"))
        points.sort()
        reveal = following.reveal_s if following is not None else None
        last = min(r.time_s + SHOWN_S, reveal) if reveal is not None and reveal > r.time_s else r.time_s + SHOWN_S
        ends = [*(t for t, _ in points[1:]), last]
        cues += [(t, end, text) for (t, text), end in zip(points, ends, strict=True) if end > t]
    return cues


def audacity(game: Game) -> str:
    """A label track for Audacity: start, end, text a line, separated by tabs. Import it by File, Import, Labels."""
    rows: list[tuple[float, float, str]] = []
    for r in game.rounds:
        rows += [
            (c.reveal_s, c.reveal_s, f"{r.number} shows {c.seat}: {c.type}") for c in r.cards if c.reveal_s is not None
        ]
        rows += [_call_label(r, c) for c in r.calls]
        rows.append((r.time_s, r.time_s, f"{r.number} ruling: {headline(game, r)}; {verdict(game, r)}"))
    rows += [(c.onset_s, c.onset_s, f"outside rounds: {c.word} ({c.reason})") for c in game.stray]
    return "".join(f"{a:.6f}\t{b:.6f}\t{' '.join(text.split())}\n" for a, b, text in sorted(rows))


def _call_label(r: Round, c: Call) -> tuple[float, float, str]:
    """The band of error around the onset, so that it can be seen on the waveform."""
    sigma = (c.sigma_ms or 0.0) / 1000
    fate = "counted" if c.counted else f"not counted: {c.reason}"
    return c.onset_s - sigma, c.onset_s + sigma, f"{r.number} call {c.who}: {c.word} ({fate})"


def _cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    text = "" if value is None else value
    return f"'{text}" if isinstance(text, str) and text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([_cell(v) for v in row] for row in rows)
    return out.getvalue()


def rounds_csv(game: Game) -> str:
    """One row a round."""
    seats = game.seats
    head = [
        "round",
        "time_s",
        *(f"card_{s}" for s in seats),
        "due",
        "decided_by",
        "first_seat",
        "first_type",
        "onset_s",
        "sigma_ms",
        "lead_ms",
        "lead_error_ms",
        "outcome",
        *(f"award_{s}" for s in seats),
        "pot",
        *(f"pile_{s}" for s in seats),
        "review",
        "rule",
        "why",
    ]
    return _csv(head, ([*_round_row(r, seats)] for r in game.rounds))


def _round_row(r: Round, seats: Sequence[str]) -> list[object]:
    line, first, margin = r.line, r.first, r.margin
    error = margin.error_ms if margin else None
    return [
        r.number,
        f"{r.time_s:.6f}",
        *((line.get("cards") or {}).get(s) for s in seats),
        due_words(r),
        line.get("decided_by"),
        first.seat if first else None,
        first.type if first else None,
        f"{first.onset_s:.6f}" if first else None,
        first.sigma_ms if first else None,
        f"{margin.ms:.3f}" if margin else None,
        None if error is None else f"{error:.3f}",
        line.get("outcome"),
        *((line.get("awards") or {}).get(s, 0) for s in seats),
        line.get("pot"),
        *((line.get("piles") or {}).get(s) for s in seats),
        r.review,
        line.get("rule"),
        line.get("why"),
    ]


def calls_csv(game: Game) -> str:
    """One row a word that was heard, with its fate."""
    head = ["round", "seat", "type", "word", "language", "onset_s", "sigma_ms", "probability", "counted", "reason"]
    rows = [(r.number, c) for r in game.rounds for c in r.calls] + [(None, c) for c in game.stray]
    return _csv(
        head,
        (
            [n, c.seat, c.type, c.word, c.language, f"{c.onset_s:.6f}", c.sigma_ms, c.probability, c.counted, c.reason]
            for n, c in rows
        ),
    )


def moments(game: Game) -> list[tuple[int, str, float]]:
    """Round, what, time of everything that a person may want to look at in the recording."""
    out: list[tuple[int, str, float]] = []
    for r in game.rounds:
        out += [(r.number, f"reveal of {c.seat or 'a card'}", c.reveal_s) for c in r.cards if c.reveal_s is not None]
        out += [(r.number, f"call of {c.who}: {c.word}", c.onset_s) for c in r.calls]
        out.append((r.number, "ruling", r.time_s))
        if r.gone_s is not None:
            out.append((r.number, "collection", r.gone_s))
    return sorted(out, key=lambda m: (m[0], m[2]))


def moments_csv(game: Game, frames: Sequence[float]) -> str:
    """The frame-accurate list of links: each moment with its time, frame, that frame's own time, and a link.

    Args:
        game: the game.
        frames: presentation times of all frames, ascending; empty without the recording.
    """
    rows = []
    for number, what, time_s in moments(game):
        at = nearest_index(frames, time_s) if frames else None
        shown = frames[at] if at is not None else time_s
        rows.append([number, what, clock(time_s, 3), f"{time_s:.6f}", at, f"{shown:.6f}", link(game, shown)])
    return _csv(["round", "moment", "clock", "time_s", "frame", "frame_s", "link"], rows)


def link(game: Game, time_s: float) -> str:
    """A link into the recording at a time (W3C Media Fragments), relative to the recording's folder."""
    named = game.header.get("recording")
    name = str(named.get("name") or "") if isinstance(named, dict) else ""
    if game.recording is not None:
        name = game.recording.name
    return f"{quote(base_name(name))}#t={time_s:.3f}" if name else ""


def call_words(c: Call) -> str:
    """Onset with its error: `0:41.270 ± 6.1 ms`."""
    return clock(c.onset_s, 3) + (f" ± {milliseconds(c.sigma_ms)}" if c.sigma_ms is not None else "")
