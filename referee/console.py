"""What people read in the terminal: a table of rounds, the score, and what must be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

Line = dict[str, Any]

ORDER = ("north", "east", "south", "west")
STYLES = {"won": "green", "penalty": "red", "tie": "yellow", "stays": "dim", "contested": "bold magenta"}


def clock(seconds: float) -> str:
    """Minutes, seconds and hundredths: 1:07.25."""
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes)}:{rest:05.2f}"


def seats_of(rulings: Sequence[Line]) -> list[str]:
    """All seats named in the rulings, clockwise from the north, then any others."""
    named = {
        seat for line in rulings for seat in (*line.get("cards", {}), *line.get("dice", {}), *line.get("piles", {}))
    }
    return [s for s in ORDER if s in named] + sorted(named - set(ORDER))


def first_words(line: Line) -> str:
    """Who was first, with what, by how much: `south: paper, by 142 ms`; in three-card hands, whose card won."""
    if line.get("winner"):
        return str(line["winner"])
    first = line.get("first")
    if not first:
        return "-"
    if line.get("tied"):
        return f"{', '.join(line['tied'])}: {first.get('type')}"
    words = f"{first.get('seat') or 'somebody'}: {first.get('type') or '?'}"
    lead = first.get("lead_ms")
    return f"{words}, by {lead:.0f} ms" if lead is not None else words


def award_words(line: Line) -> str:
    """Who got how many: `south +2`."""
    given = line.get("awards") or {}
    return ", ".join(f"{seat} +{n}" for seat, n in given.items()) or "-"


ROOMY = 26
"""Columns of a terminal that a seat needs for its cards beside the rest of the row."""


def rounds_table(rulings: Sequence[Line], width: int = 120) -> Table:
    """One row a round; where the terminal is narrow, the cards stand below each other."""
    seats = seats_of(rulings)
    roomy = width >= ROOMY * (len(seats) + 1)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in ("round", "time"):
        table.add_column(head, justify="right", no_wrap=True)
    for head in (*(seats if roomy else ["cards"]), "due"):
        table.add_column(head, no_wrap=True)
    for head in ("first", "outcome", "cards to"):
        table.add_column(head)
    table.add_column("pot", justify="right", no_wrap=True)
    for line in rulings:
        table.add_row(*_row(line, seats, roomy=roomy))
    return table


def _row(line: Line, seats: Sequence[str], *, roomy: bool) -> list[str | Text]:
    shown = line.get("dice") or line.get("cards", {})
    cards = [str(shown.get(seat) or "?") for seat in seats]
    outcome = Text(str(line.get("outcome")), style=STYLES.get(str(line.get("outcome")), ""))
    if line.get("review"):
        outcome.append(" (review)", style="bold yellow")
    due = line.get("due") or ("-" if line.get("decided_by") == "reveal" else "?" if "?" in cards else "silence")
    faces = cards if roomy else ["\n".join(f"{seat} {card}" for seat, card in zip(seats, cards, strict=True))]
    row = [str(line.get("round")), clock(float(line.get("time_s", 0))), *faces, due, first_words(line)]
    return [*row, outcome, award_words(line), str(line.get("pot", ""))]


def score_words(piles: dict[str, int], pot: int) -> str:
    """The standing in one sentence."""
    if not piles:
        return "No cards were won."
    best = max(piles.values())
    leaders = [seat for seat, n in piles.items() if n == best]
    score = ", ".join(f"{seat} {n}" for seat, n in piles.items()) + (f" (pot {pot})" if pot else "")
    if len(leaders) == 1:
        return f"{leaders[0]} leads: {score}."
    return f"Level between {' and '.join(leaders)}: {score}."


BY_HANDS = {"table_says_unheard", "table_says_otherwise"}
"""Reviews of rounds that were ruled as the cards were taken, because no call was understood."""


SUGGESTED = ("de", "en", "es", "ko")
"""Languages of calls, in the order in which they are suggested."""


def language_hint(rulings: Sequence[Line], listened: Sequence[str]) -> str:
    """What to try where cards are taken again and again and hardly a call is understood; empty otherwise.

    `listened`: the languages that were listened for. Another one is suggested; nothing where nobody listened.
    """
    others = [language for language in SUGGESTED if language not in listened]
    if not listened or not others:
        return ""
    by_hands = [bool(BY_HANDS & set(line.get("reviews") or ())) for line in rulings]
    understood = sum(bool(line.get("first")) and not by for line, by in zip(rulings, by_hands, strict=True))
    if sum(by_hands) < 2 or sum(by_hands) <= understood:
        return ""
    return (
        f"In {sum(by_hands)} rounds cards were taken and no call was understood. If another language is spoken at this "
        f"table, say so: --languages {others[0]}, for example."
    )


def show(rulings: Sequence[Line], result: Line | None, console: Console, listened: Sequence[str] = ()) -> None:
    """The table of rounds, why each was ruled so, the final score, and each review with the time to look at.

    `listened`: the languages that were listened for, if a recording was just judged.
    """
    if not rulings:
        console.print("No round was ruled.")
        return
    console.print(rounds_table(rulings, console.width))
    for line in rulings:
        if line.get("why"):
            console.print(f"{line.get('round')}. {line['why']}", highlight=False)
    last = result or rulings[-1]
    console.print(str(last.get("why") or score_words(last.get("piles", {}), int(last.get("pot") or 0))), style="bold")
    reviews = [line for line in rulings if line.get("review")]
    if reviews:
        word = "round needs" if len(reviews) == 1 else "rounds need"
        console.print(f"\n{len(reviews)} {word} your eyes:", style="bold yellow")
    for line in reviews:
        reasons = " ".join(line.get("questions") or [line.get("why", "")])
        when = clock(float(line.get("time_s", 0)))
        console.print(f"  round {line.get('round')} at {when}: {reasons}", highlight=False)
    if hint := language_hint(rulings, listened):
        console.print(f"\n{hint}", highlight=False)
