"""The deck on paper: nine cards a sheet, backs behind them for printing on both sides, crop marks, calibration card."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from referee.deckprint.art import BLEED, COLOUR, HEIGHT, WIDTH, clipped, face
from referee.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from fpdf import FPDF

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
COPIES = 20
GUTTER = 2 * BLEED
SAME_DATE = datetime(2025, 1, 1, tzinfo=UTC)
"""Written into every PDF, so that the same deck gives the same bytes."""
MARK = 3.5
"""Length of a crop mark in millimetres; A4 and Letter leave at least 5.7 mm of margin around the cards."""


def write_pdf(path: Path, paper: str = "a4", *, mono: bool = False) -> None:
    """Write 60 cards with backs and one calibration card.

    Odd pages are faces, even pages their backs, mirrored so that "flip on the long edge" puts each back behind its
    face.

    Args:
        path: the PDF file to write.
        paper: `a4` or `letter`.
        mono: for printers with black only.

    Raises:
        UsageError: an unknown paper, a folder that cannot be written, or the PDF library is missing.
    """
    if paper not in PAPERS:
        raise UsageError(f"paper must be one of {', '.join(PAPERS)}: not {paper!r}")
    try:
        from fpdf import FPDF  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise UsageError("printing the deck needs fpdf2: pip install 'referee[report]'") from error
    pdf = FPDF(unit="mm", format=PAPERS[paper])
    pdf.set_auto_page_break(auto=False)
    pdf.set_creator("referee deck print")
    pdf.set_title("ROCK! deck")
    pdf.set_creation_date(SAME_DATE)
    cards = [name for name in ("rock", "paper", "scissors") for _ in range(COPIES)] + ["calibration"]
    for first in range(0, len(cards), 9):
        sheet = cards[first : first + 9]
        _page(pdf, sheet, paper, mono=mono, mirrored=False)
        _page(pdf, ["back"] * len(sheet), paper, mono=mono, mirrored=True)
    try:
        pdf.output(str(path))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; choose a folder that can be written") from error


def _origin(paper: str, slot: int, *, mirrored: bool) -> tuple[float, float]:
    """Top left corner of a slot's card on the page, in millimetres."""
    wide, high = PAPERS[paper]
    column, row = slot % 3, slot // 3
    column = 2 - column if mirrored else column
    x = (wide - 3 * WIDTH - 2 * GUTTER) / 2 + column * (WIDTH + GUTTER)
    y = (high - 3 * HEIGHT - 2 * GUTTER) / 2 + row * (HEIGHT + GUTTER)
    return x, y


def _page(pdf: FPDF, sheet: list[str], paper: str, *, mono: bool, mirrored: bool) -> None:
    pdf.add_page()
    drawn = {name: clipped(face(name, mono=mono)) for name in set(sheet) - {"calibration"}}
    for slot, name in enumerate(sheet):
        at = _origin(paper, slot, mirrored=mirrored)
        if name == "calibration":
            _calibration(pdf, at)
            continue
        for shape in drawn[name]:
            pdf.set_fill_color(*shape.fill)
            pdf.polygon([(at[0] + x, at[1] + y) for x, y in shape.points.tolist()], style="F")
    _crop_marks(pdf, paper)


def _crop_marks(pdf: FPDF, paper: str) -> None:
    """Short lines in the margin at every cut; the ruler joins opposite ones."""
    pdf.set_draw_color(0)
    pdf.set_line_width(0.15)
    left, top = _origin(paper, 0, mirrored=False)
    right, bottom = (a + b for a, b in zip(_origin(paper, 8, mirrored=False), (WIDTH, HEIGHT), strict=True))
    gap = BLEED + 0.5
    for k in range(3):
        for x in (left + k * (WIDTH + GUTTER), left + k * (WIDTH + GUTTER) + WIDTH):
            pdf.line(x, top - gap - MARK, x, top - gap)
            pdf.line(x, bottom + gap, x, bottom + gap + MARK)
        for y in (top + k * (HEIGHT + GUTTER), top + k * (HEIGHT + GUTTER) + HEIGHT):
            pdf.line(left - gap - MARK, y, left - gap, y)
            pdf.line(right + gap, y, right + gap + MARK, y)


def _calibration(pdf: FPDF, at: tuple[float, float]) -> None:
    """A ruler of 50 mm to prove the printer's scale, grey steps, the three hues, and what to do with them."""
    x, y = at
    box = pdf.rect
    pdf.set_draw_color(0)
    pdf.set_line_width(0.3)
    box(x + 1, y + 1, WIDTH - 2, HEIGHT - 2)
    for mm in range(51):
        tick = 5 if mm % 10 == 0 else 3 if mm % 5 == 0 else 1.5
        pdf.line(x + 6.5 + mm, y + 14, x + 6.5 + mm, y + 14 - tick)
    pdf.line(x + 6.5, y + 14, x + 56.5, y + 14)
    for step in range(6):
        pdf.set_fill_color(step * 51)
        box(x + 6.5 + step * 50 / 6, y + 40, 50 / 6, 10, style="F")
    for k, name in enumerate(("rock", "paper", "scissors")):
        pdf.set_fill_color(*COLOUR[name].hue)
        box(x + 6.5 + k * 50 / 3, y + 54, 50 / 3, 12, style="F")
    pdf.set_font("Helvetica", size=7)
    lines = (
        "This ruler is 50 mm: print at 100 %,",
        "without fitting to the page.",
        "Two sides: flip on the long edge.",
    )
    for k, text in enumerate(lines):
        pdf.text(x + 6.5, y + 21 + 4 * k, text)
    pdf.text(x + 6.5, y + 38, "All six steps should be told apart:")
    pdf.text(x + 6.5, y + 72, "Lay this card beside the pot once when")
    pdf.text(x + 6.5, y + 76, "light or printer change; not in play.")
