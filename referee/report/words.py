"""Times, leads and verdicts in words, the same on the picture, the page and the subtitles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.events import Type
from referee.messages import say
from referee.messages.labels import LABELS, label

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


def percent(share: float, language: str = "en") -> str:
    """A probability; never a full 100 %, which no measurement gives."""
    if share >= 0.995 and share < 1:
        return label("over", language, share="99%")
    return label("under", language, share="1%") if 0 < share < 0.005 else f"{share:.0%}"


def margin_words(margin: Margin, language: str = "en") -> str:
    """`20 ms ± 12 ms`, or without the error where none is stated."""
    if margin.error_ms is None:
        return f"{milliseconds(margin.ms)} ({label('error.unsaid', language)})"
    return f"{milliseconds(margin.ms)} ± {milliseconds(margin.error_ms)}"


def type_words(kind: str | None, language: str) -> str:
    """A type, or any other word as it is."""
    return say(Type(kind), language) if kind in {one.value for one in Type} else str(kind or "")


def headline(game: Game, r: Round) -> str:
    """Who was first and by how much, in one line."""
    first, margin, language = r.first, r.margin, game.language
    if r.line.get("decided_by") == "reveal":
        return _shown_words(game, r)
    if first is None:
        silent = r.line.get("decided_by") in (None, "silence")
        return label("nobody.called" if silent else "at_table", language)
    did = "said.touch" if r.line.get("decided_by") == "touch" else "said.call"
    what = type_words(first.type, language) or first.word
    said = label(did, language, who=game.called(first.seat), what=what)
    if margin is None:
        return label("said.alone", language, said=said) if first.seat else said
    lead = margin_words(margin, language)
    if margin.too_close:
        return label("too_close", language, lead=lead)
    return label("said.first", language, said=said, lead=lead)


def _shown_words(game: Game, r: Round) -> str:
    """Who won a round that is decided by what was shown: three-card hands, Rorschach."""
    winner = r.line.get("winner")
    if winner:
        return label("wins.round", game.language, who=game.called(winner))
    given = [game.called(seat) for seat, n in (r.line.get("awards") or {}).items() if n]
    return label("won.by", game.language, who=", ".join(given)) if given else label("won.nobody", game.language)


def outcome_words(outcome: str | None, language: str) -> str:
    """What a round came to; an outcome that is not known is said as it is."""
    key = f"outcome.{outcome or 'none'}"
    return label(key, language) if key in LABELS else str(outcome)


def verdict(game: Game, r: Round) -> str:
    """What the round led to, in one line: outcome, who got cards, the pot."""
    language = game.language
    outcome = outcome_words("void" if r.void else r.line.get("outcome"), language)
    given = [f"{game.called(seat)} +{n}" for seat, n in (r.line.get("awards") or {}).items() if n]
    pot = int(r.line.get("pot") or 0)
    parts = [outcome, *given, *([f"{label('pot', language)} {pot}"] if pot else [])]
    text = ", ".join(parts)
    return f"{text} ({label('to_review', language)})" if r.review else text


def due_words(r: Round, language: str = "en") -> str:
    """The type that was due, or silence, or that it cannot be told; empty where nothing is to be called."""
    if r.line.get("decided_by") == "reveal":
        return ""
    if r.line.get("due"):
        return type_words(str(r.line["due"]), language)
    return label("silence" if r.known else "untold", language)


def begun(words: str) -> str:
    """As at the beginning of a sentence; names within it stay as they are."""
    return words[:1].upper() + words[1:]


def base_name(path: str) -> str:
    """The last part of a path, as this system writes it or as Windows does."""
    return path.replace("\\", "/").rpartition("/")[2]
