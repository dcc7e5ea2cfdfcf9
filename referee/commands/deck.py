"""`referee deck`: print the project's own deck, teach it yours, and check either in front of the camera."""

from __future__ import annotations

from pathlib import Path

import click


@click.group("deck")
def command() -> None:
    """Print the deck, or teach the referee your own."""


@command.command("print")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), default="rock-deck.pdf")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Paper size.")
@click.option("--mono", is_flag=True, help="For printers with black only.")
def print_deck(file: Path, paper: str, mono: bool) -> int:
    """Write a PDF of 60 cards with backs, crop marks and a calibration card (default: rock-deck.pdf)."""
    from referee.deckprint import write_pdf  # noqa: PLC0415  the PDF library is loaded only here

    write_pdf(file, paper, mono=mono)
    click.echo(f"{file}: print it on {paper.upper()} paper at 100 %, both sides, flipped on the long edge.")
    return 0
