"""The row of raw frames of a photo finish, each card outlined where it came to rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from referee.messages.labels import label
from referee.messages.reasons import reason
from referee.report.drawing import DPI, INK, PAPER, WIDTH_IN, style
from referee.report.words import clock, percent, type_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure
    from numpy.typing import NDArray

    from referee.report.footage import Still
    from referee.report.game import Card, Game, Round


LABEL_PT = 8.5
"""Size of the words beside a card, points."""
BESIDE = 0.45
"""Share of a frame's width that is there for the words of a card which lies beside others."""


def draw_frames(fig: SubFigure, game: Game, r: Round, stills: Sequence[tuple[str, Still]]) -> None:
    """Draw the frames side by side, all cut to the same part of the picture."""
    if not stills:
        return
    axes = fig.subplots(1, len(stills), squeeze=False)[0]
    for i, (ax, (caption, still)) in enumerate(zip(axes, stills, strict=True)):
        x0, y0, x1, y1 = _region(r.cards, still.image.shape)
        ax.imshow(_shrunk(still.image[y0:y1, x0:x1], len(stills)), extent=(x0, x1, y1, y0), aspect="equal")
        ax.set(xlim=(x0, x1), ylim=(y1, y0), xticks=[], yticks=[])
        ax.set_title(
            f"{caption}\n{label('still.frame', game.language, at=clock(still.time_s, 3))}",
            fontsize=10,
            color=INK,
            loc="left",
            linespacing=1.25,
        )
        wide_in = WIDTH_IN / len(stills)
        named = i == len(stills) // 2
        _outlines(ax, game, r.cards, moving=i == 0 and len(stills) > 1, name=named, wide_in=wide_in)


def _shrunk(image: NDArray[np.uint8], count: int) -> NDArray[np.uint8]:
    """The cut at about the size at which it is shown: averaging here is much faster than in matplotlib."""
    import cv2  # noqa: PLC0415  only when a picture is made

    high, wide = image.shape[:2]
    scale = WIDTH_IN * DPI / count / wide
    if scale >= 1:
        return image
    size = (round(wide * scale), max(1, round(high * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def frames_height(r: Round, stills: Sequence[tuple[str, Still]]) -> float:
    """Inches that the row of frames needs with its captions."""
    if not stills:
        return 0.02
    x0, y0, x1, y1 = _region(r.cards, stills[0][1].image.shape)
    return min(3.6, (WIDTH_IN / len(stills) - 0.15) * (y1 - y0) / (x1 - x0)) + 0.5


def _region(cards: Sequence[Card], shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the part of the frame that shows all cards of the round with their surroundings."""
    high, wide = shape[:2]
    points = np.array([p for c in cards for p in c.corners], float)
    if len(points) == 0:
        return 0, 0, wide, high
    low, top = points.min(axis=0), points.max(axis=0)
    room = (top - low) * 0.15 + 0.06 * min(wide, high)
    size = top - low + 2 * room
    w, h = max(size[0], size[1] * 0.85), max(size[1], size[0] / 1.7)
    w, h = min(w, wide), min(h, high)
    cx, cy = (low + top) / 2
    x0, y0 = np.clip(cx - w / 2, 0, wide - w), np.clip(cy - h / 2, 0, high - h)
    return int(x0), int(y0), int(x0 + w), int(y0 + h)


def _outlines(ax: Axes, game: Game, cards: Sequence[Card], *, moving: bool, name: bool, wide_in: float) -> None:
    """Outline each card where it came to rest; dashed on the frame of the reveal, in which it may still be moving."""
    from matplotlib.patches import Polygon  # noqa: PLC0415
    from matplotlib.patheffects import withStroke  # noqa: PLC0415

    drawn = [c for c in cards if len(c.corners) == 4]
    middle = np.mean([np.mean(c.corners, axis=0) for c in drawn], axis=0) if drawn else np.zeros(2)
    for c in drawn:
        colour = style(game, c.seat)[0]
        casing = [withStroke(linewidth=4.2, foreground="white")]
        ax.add_patch(
            Polygon(
                c.corners,
                closed=True,
                fill=False,
                edgecolor=colour,
                linewidth=2.0,
                linestyle="--" if moving else "-",
                path_effects=casing,
            )
        )
        if name:
            _label(ax, c, _card_words(game, c), middle, wide_in)


def _card_words(game: Game, c: Card) -> str:
    who = game.called(c.seat)
    if c.type is None:
        return f"{who}: {label('not_read', game.language)}" + (
            f"\n{reason(c.reason, game.language)}" if c.reason else ""
        )
    sure = f", {percent(c.confidence, game.language)}" if c.confidence is not None else ""
    return f"{who}: {type_words(c.type, game.language)}{sure}"


def _label(ax: Axes, c: Card, words: str, middle: NDArray[np.float64], wide_in: float) -> None:
    """Beside the card, on the side away from the others, so that no face is covered."""
    corners = np.array(c.corners)
    (left, high), (right, low) = corners.min(axis=0), corners.max(axis=0)
    centre = corners.mean(axis=0)
    aside = abs(centre[0] - middle[0]) > abs(centre[1] - middle[1])
    above = aside or centre[1] <= middle[1]
    y, va, shift = (high, "bottom", 3) if above else (low, "top", -3)
    x, ha = centre[0], "center"
    if aside:
        x, ha = (right, "right") if centre[0] < middle[0] else (left, "left")
        words = _narrow(words, wide_in)
    ax.annotate(
        words,
        (_inside(x, ha, ax.get_xlim(), _share(words, wide_in)), y),
        xytext=(0, shift),
        textcoords="offset points",
        fontsize=LABEL_PT,
        color=INK,
        ha=ha,
        va=va,
        bbox=PAPER,
        annotation_clip=False,
        in_layout=False,  # else room for it would be taken from the frame
    )


def _narrow(words: str, wide_in: float) -> str:
    """Words that stand beside others on one frame: on two lines where one would reach beyond its middle."""
    return words.replace(", ", "\n", 1) if _share(words, wide_in) > BESIDE else words


def _share(words: str, wide_in: float) -> float:
    """About how much of a frame's width a label takes: letters are some 0.6 of their height wide."""
    return min(1.0, max(len(line) for line in words.splitlines()) * LABEL_PT * 0.6 / 72 / wide_in)


def _inside(x: float, align: str, limits: tuple[float, float], share: float) -> float:
    """Move a label so that it stays on its frame, of whose width it takes a share."""
    low, high = min(limits), max(limits)
    wide = share * (high - low)
    before, after = {"center": (0.5, 0.5), "left": (0.0, 1.0), "right": (1.0, 0.0)}[align]
    return float(np.clip(x, low + before * wide, high - after * wide))
