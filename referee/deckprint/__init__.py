"""The project's own deck: faces drawn by code, and the PDF that prints 60 cards with backs.

The faces at `FACES` are rendered by `python -m referee.deckprint` and are what the printed deck's detector refers to.
"""

from __future__ import annotations

from pathlib import Path

from referee.deckprint.art import FACE_NAMES
from referee.deckprint.pdf import PAPERS, write_pdf

FACES = Path(__file__).parent / "faces"
"""Folder of `rock.png`, `paper.png`, `scissors.png` and `back.png`: whole cards with square corners, 8 px a mm."""

__all__ = ["FACES", "FACE_NAMES", "PAPERS", "write_pdf"]
