"""What people read in the terminal: a table of rounds, the score, and what must be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from referee.messages import say
from referee.messages.labels import label
from referee.report.words import outcome_words, type_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console, JustifyMethod

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


def first_words(line: Line, language: str = "en") -> str:
    """Who was first, with what, by how much: `south: paper, by 142 ms`; in three-card hands, whose card won."""
    if line.get("winner"):
        return say(line["winner"], language)
    first = line.get("first")
    if not first:
        return "-"
    kind = type_words(first.get("type"), language)
    if line.get("tied"):
        return f"{', '.join(say(seat, language) for seat in line['tied'])}: {kind}"
    who = say(first["seat"], language) if first.get("seat") else label("somebody", language)
    words, lead = f"{who}: {kind or '?'}", first.get("lead_ms")
    return label("table.lead", language, said=words, lead=f"{lead:.0f}") if lead is not None else words


def award_words(line: Line, language: str = "en") -> str:
    """Who got how many: `south +2`."""
    given = line.get("awards") or {}
    return ", ".join(f"{say(seat, language)} +{n}" for seat, n in given.items()) or "-"


ROOMY = 26
"""Columns of a terminal that a seat needs for its cards beside the rest of the row."""


WRAPPED = ("first", "outcome", "to")
"""Columns that may stand on several lines."""


def rounds_table(rulings: Sequence[Line], width: int = 120, language: str = "en") -> Table | None:
    """One row a round; where the terminal is narrow, the cards stand below each other. None where it does not fit."""
    seats = seats_of(rulings)
    beside = _table(rulings, seats, width, language, roomy=True) if width >= ROOMY * (len(seats) + 1) else None
    return beside or _table(rulings, seats, width, language, roomy=False)


def _table(rulings: Sequence[Line], seats: Sequence[str], width: int, language: str, *, roomy: bool) -> Table | None:
    rows = [_row(line, seats, language, roomy=roomy) for line in rulings]
    faces = [say(seat, language) for seat in seats] if roomy else [label("table.cards", language)]
    names = ["round", "time", *("cards" for _ in faces), "due", *WRAPPED, "pot"]
    heads = [faces.pop(0) if name == "cards" else label(f"table.{name}", language) for name in names]
    columns = [[head, *map(str, cells)] for head, cells in zip(heads, zip(*rows, strict=True), strict=True)]
    widths = _widths(names, columns, width)
    if widths is None:
        return None
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name, head, wide in zip(names, heads, widths, strict=True):
        justify: JustifyMethod = "right" if name in {"round", "time", "pot"} else "left"
        table.add_column(head, justify=justify, width=wide, no_wrap=name not in WRAPPED)
    for row in rows:
        table.add_row(*row)
    return table


def _widths(names: Sequence[str], columns: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """How wide each column is, so that no word is cut; None where that does not fit."""
    whole = [max(cell_len(part) for cell in cells for part in cell.split("\n")) for cells in columns]
    words = [max((cell_len(part) for cell in cells for part in cell.split()), default=0) for cells in columns]
    widths = [word if name in WRAPPED else all_ for name, word, all_ in zip(names, words, whole, strict=True)]
    spare = width - sum(widths) - 2 * len(widths)
    if spare < 0:
        return None
    for i in sorted(range(len(widths)), key=lambda i: whole[i] - widths[i]):  # most of them on one line
        more = min(spare, whole[i] - widths[i])
        widths[i] += more
        spare -= more
    return widths


def _row(line: Line, seats: Sequence[str], language: str, *, roomy: bool) -> list[str | Text]:
    shown = line.get("dice") or line.get("cards", {})
    cards = [type_words(str(shown.get(seat) or "?"), language) for seat in seats]
    named = outcome_words(line.get("outcome"), language)
    outcome = Text(named, style=STYLES.get(str(line.get("outcome")), ""))
    if line.get("review"):
        outcome.append(f" {label('table.review', language)}", style="bold yellow")
    unsaid = "-" if line.get("decided_by") == "reveal" else "?" if "?" in cards else label("silence", language)
    due = type_words(line["due"], language) if line.get("due") else unsaid
    below = "\n".join(f"{say(seat, language)} {card}" for seat, card in zip(seats, cards, strict=True))
    faces = cards if roomy else [below]
    row = [str(line.get("round")), clock(float(line.get("time_s", 0))), *faces, due, first_words(line, language)]
    return [*row, outcome, award_words(line, language), str(line.get("pot", ""))]


def score_words(piles: dict[str, int], pot: int, language: str = "en") -> str:
    """The standing in one sentence."""
    if not piles:
        return label("told.nothing", language)
    best = max(piles.values())
    leaders = [seat for seat, n in piles.items() if n == best]
    score = ", ".join(f"{say(seat, language)} {n}" for seat, n in piles.items())
    score = label("told.pot", language, score=score, n=pot) if pot else score
    return label("told.leads" if len(leaders) == 1 else "told.level", language, who=tuple(leaders), score=score)


BY_HANDS = {"table_says_unheard", "table_says_otherwise"}
"""Reviews of rounds that were ruled as the cards were taken, because no call was understood."""


SUGGESTED = ("de", "en", "es", "ko")
"""Languages of calls, in the order in which they are suggested."""


def language_hint(rulings: Sequence[Line], listened: Sequence[str], language: str = "en") -> str:
    """What to try where cards are taken again and again and hardly a call is understood; empty otherwise.

    `listened`: the languages that were listened for. Another one is suggested; nothing where nobody listened.
    """
    others = [other for other in SUGGESTED if other not in listened]
    if not listened or not others:
        return ""
    by_hands = [bool(BY_HANDS & set(line.get("reviews") or ())) for line in rulings]
    understood = sum(bool(line.get("first")) and not by for line, by in zip(rulings, by_hands, strict=True))
    if sum(by_hands) < 2 or sum(by_hands) <= understood:
        return ""
    return label("told.hint", language, n=sum(by_hands), other=others[0])


def show(
    rulings: Sequence[Line],
    result: Line | None,
    console: Console,
    listened: Sequence[str] = (),
    *,
    language: str = "en",
) -> None:
    """The table of rounds where it fits, why each was ruled so, the score, and each review with the time to look at.

    `listened`: the languages that were listened for, if a recording was just judged; `language`: of all words.
    """
    if not rulings:
        console.print(label("told.none", language))
        return
    if table := rounds_table(rulings, console.width, language):
        console.print(table)
    for line in rulings:
        if line.get("why"):
            console.print(f"{line.get('round')}. {line['why']}", highlight=False)
    last = result or rulings[-1]
    score = score_words(last.get("piles", {}), int(last.get("pot") or 0), language)
    console.print(str(last.get("why") or score), style="bold")
    reviews = [line for line in rulings if line.get("review")]
    if reviews:
        console.print(f"\n{label('told.reviews', language, n=len(reviews))}", style="bold yellow")
    for line in reviews:
        reasons = " ".join(line.get("questions") or [line.get("why", "")])
        when = clock(float(line.get("time_s", 0)))
        words = label("told.review", language, n=line.get("round"), at=when, reasons=reasons)
        console.print(f"  {words}", highlight=False)
    if hint := language_hint(rulings, listened, language):
        console.print(f"\n{hint}", highlight=False)
