"""Times, leads and verdicts in words, the same on the picture, the page and the subtitles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.report.game import Game, Margin, Round


def clock(seconds: float, digits: int = 2) -> str:
    """Minutes, seconds and a fraction: 1:07.25."""
    scale = 10**digits
    whole = round(max(0.0, seconds) * scale)
    minutes, rest = divmod(whole, 60 * scale)
    return f"{minutes}:{rest // scale:02d}" + (f".{rest % scale:0{digits}d}" if digits else "")


def milliseconds(ms: float) -> str:
    """A time difference: whole milliseconds, one decimal below 10."""
    return f"{ms:.1f} ms" if abs(ms) < 10 else f"{ms:.0f} ms"


def percent(share: float) -> str:
    """A probability; never a full 100 %, which no measurement gives."""
    if share >= 0.995 and share < 1:
        return "over 99%"
    return "under 1%" if 0 < share < 0.005 else f"{share:.0%}"


def margin_words(margin: Margin) -> str:
    """`20 ms ± 12 ms`, or without the error where none is stated."""
    if margin.error_ms is None:
        return f"{milliseconds(margin.ms)} (error not stated)"
    return f"{milliseconds(margin.ms)} ± {milliseconds(margin.error_ms)}"


def headline(game: Game, r: Round) -> str:
    """Who was first and by how much, in one line."""
    first, margin = r.first, r.margin
    if r.line.get("decided_by") == "reveal":
        return _shown_words(game, r)
    if first is None:
        return "Nobody called" if r.line.get("decided_by") in (None, "silence") else "Decided at the table"
    did = "touched" if r.line.get("decided_by") == "touch" else "called"
    said = f"{game.called(first.seat)} {did} {first.type or first.word}"
    if margin is None:
        return f"{said}; nobody else did" if first.seat else said
    if margin.too_close:
        return f"Too close to call: {margin_words(margin)}"
    return f"{said} first, by {margin_words(margin)}"


def _shown_words(game: Game, r: Round) -> str:
    """Who won a round that is decided by what was shown: three-card hands, Rorschach."""
    winner = r.line.get("winner")
    if winner:
        return f"{game.called(winner)} wins the round"
    given = [game.called(seat) for seat, n in (r.line.get("awards") or {}).items() if n]
    return f"{', '.join(given)} won" if given else "Nobody won"


OUTCOMES = {
    "won": "won",
    "penalty": "penalty",
    "tie": "tie",
    "stays": "cards stay",
    "contested": "contested",
    "open": "open until people say",
    "tokens": "tokens",
}


def verdict(game: Game, r: Round) -> str:
    """What the round led to, in one line: outcome, who got cards, the pot."""
    outcome = "void" if r.void else OUTCOMES.get(str(r.line.get("outcome")), str(r.line.get("outcome") or "no ruling"))
    given = [f"{game.called(seat)} +{n}" for seat, n in (r.line.get("awards") or {}).items() if n]
    pot = int(r.line.get("pot") or 0)
    parts = [outcome, *given, *([f"pot {pot}"] if pot else [])]
    text = ", ".join(parts)
    return f"{text} (to review)" if r.review else text


def due_words(r: Round) -> str:
    """The type that was due, or silence, or that it cannot be told; empty where nothing is to be called."""
    if r.line.get("decided_by") == "reveal":
        return ""
    if r.line.get("due"):
        return str(r.line["due"])
    return "silence" if r.known else "cannot be told"


def base_name(path: str) -> str:
    """The last part of a path, as this system writes it or as Windows does."""
    return path.replace("\\", "/").rpartition("/")[2]
