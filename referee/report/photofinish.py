"""The photo finish of a round: raw frames above, below them the calls on a time axis and one waveform a microphone.

Colours are Okabe and Ito's, which people with colour-blindness tell apart; every seat also has its own line pattern,
marker and its name in words, so that a grey print says the same. Error bands are `CERTAIN_SIGMAS` standard deviations
wide on either side. Frames are shown as they were recorded, cut out but never drawn over except for outlines.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.messages.labels import label
from referee.report.drawing import DPI, GREY, INK, WIDTH_IN, Moments
from referee.report.frames import draw_frames, frames_height
from referee.report.game import CERTAIN_SIGMAS
from referee.report.strips import close_heights, draw_close, draw_whole, lanes_of
from referee.report.words import begun, clock, due_words, headline, milliseconds, type_words, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure, SubFigure
    from numpy.typing import NDArray
    from PIL.Image import Image

    from referee.report.game import Game, Round


POSTER_SIDE = 480
"""Pixels of the longer side of the picture that a clip shows before it is played."""


def wanted(r: Round, language: str = "en") -> list[tuple[str, float]]:
    """Caption and time of the frames that the picture needs."""
    out: list[tuple[str, float]] = []
    reveal, first = r.reveal_s, r.first
    if reveal is not None:
        out.append((label("still.reveal", language), reveal))
    if first is not None:
        out.append(
            (label("still.touch" if r.line.get("decided_by") == "touch" else "still.call", language), first.onset_s)
        )
    elif reveal is not None:
        rests = [c.rest_s for c in r.cards if c.rest_s is not None]
        out.append((label("still.read", language), max([*rests, reveal + 0.5])))
    else:
        out.append((label("still.ruled", language), r.time_s))
    if r.gone_s is not None:
        out.append((label("still.gone", language), r.gone_s))
    return out


def draw(game: Game, r: Round, moments: Moments) -> Figure:
    """The picture of one round as a matplotlib figure."""
    from matplotlib.figure import Figure  # noqa: PLC0415  heavy, and part of the extra `report`

    lanes = lanes_of(r)
    rows: list[tuple[float, Callable[[SubFigure], None]]] = [
        (0.85, lambda part: _title(part, game, r)),
        (frames_height(r, moments.stills), lambda part: draw_frames(part, game, r, moments.stills)),
        (sum(close_heights(moments, lanes)) + 0.45, lambda part: draw_close(part, game, r, moments, lanes)),
        (1.15, lambda part: draw_whole(part, game, r, moments)),
    ]
    if not lanes:
        del rows[2]
    heights = [height for height, _ in rows]
    fig = Figure(figsize=(WIDTH_IN, sum(heights)), dpi=DPI, layout="constrained", facecolor="white")
    parts = np.atleast_1d(np.asarray(fig.subfigures(len(rows), 1, height_ratios=heights, hspace=0.0), object))
    for part, (_, paint) in zip(parts, rows, strict=True):
        paint(part)
    return fig


def painted(fig: Figure) -> Image:
    """The figure in pixels, drawn once; matplotlib's own saving draws it twice."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  heavy, and part of the extra `report`
    from PIL import Image as pillow  # noqa: N813, PLC0415  comes with matplotlib

    canvas: Any = FigureCanvasAgg(fig)
    canvas.draw()
    return pillow.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")


def encode(image: Image, kind: str = "webp") -> bytes:
    """The picture as a file: `webp` for the page (small), `png` for print."""
    out = io.BytesIO()
    options: dict[str, Any] = {"quality": 82, "method": 4} if kind == "webp" else {"dpi": (DPI, DPI)}
    image.save(out, kind, **options)
    return out.getvalue()


def small(picture: NDArray[np.uint8]) -> bytes:
    """A frame of shape (height, width, 3), red, green, blue, as a small WebP file."""
    from PIL import Image as pillow  # noqa: N813, PLC0415  comes with matplotlib

    image = pillow.fromarray(picture)
    image.thumbnail((POSTER_SIDE, POSTER_SIDE))
    out = io.BytesIO()
    image.save(out, "webp", quality=60, method=2)
    return out.getvalue()


def alt_text(game: Game, r: Round, moments: Moments) -> str:
    """The picture in words, for people who do not see it."""
    language = game.language
    shown = ", ".join(label("alt.at", language, what=what, at=clock(s.time_s, 3)) for what, s in moments.stills)
    unread = label("not_read", language)
    cards = ", ".join(f"{game.called(c.seat)} {type_words(c.type, language) or unread}" for c in r.cards)
    calls = "; ".join(
        label("alt.at", language, what=f"{game.called(c.seat)} {c.word}", at=clock(c.onset_s, 3))
        + (f" ± {milliseconds(CERTAIN_SIGMAS * c.sigma_ms)}" if c.sigma_ms else "")
        for c in r.calls
    )
    frames = label("alt.frames", language, shown=shown) if shown else ""
    heard = label("alt.calls", language, calls=calls) if calls else ""
    cards = cards or label("none.read", language)
    line = headline(game, r)
    return label("alt", language, n=r.number, headline=line, cards=cards, frames=frames, heard=heard)


def _title(fig: SubFigure, game: Game, r: Round) -> None:
    language = game.language
    what = due_words(r, language)
    due = f"{begun(label('due', language))}: {what}.  " if what else ""
    fig.text(0.012, 0.96, label("round.head", language, n=r.number), fontsize=11, color=GREY, va="top")
    fig.text(0.988, 0.96, f"{game.name}  {clock(r.time_s)}", fontsize=10, color=GREY, va="top", ha="right")
    fig.text(0.012, 0.67, headline(game, r), fontsize=15, fontweight="bold", color=INK, va="top")
    fig.text(
        0.012, 0.06, f"{due}{label('ruling', language)}: {verdict(game, r)}.", fontsize=10.5, color=INK, va="bottom"
    )
