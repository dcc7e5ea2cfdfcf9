"""The lower half of a photo finish: calls with their error bands, one waveform a microphone, the whole round."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from referee.messages import say
from referee.messages.labels import label
from referee.messages.reasons import reason
from referee.report.drawing import GREY, INK, PAPER, WAVE, Moments, span, style
from referee.report.game import CERTAIN_SIGMAS
from referee.report.words import clock, margin_words, milliseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure
    from numpy.typing import NDArray

    from referee.report.footage import Sound
    from referee.report.game import Call, Game, Round

BEFORE_S, AFTER_S = 0.15, 0.35
"""The close view begins this long before the deciding onset and ends this long after the last rival's."""
RIVAL_S = 1.2
"""A later call than this is outside the close view; it stands in the list of calls."""


def close_heights(moments: Moments, lanes: Sequence[Call]) -> list[float]:
    """Inches of the lanes and of each microphone's strip."""
    channels = moments.sound.samples.shape[0] if moments.sound is not None else 0
    return [0.34 * max(1, len(lanes)) + 0.3, *([0.62] * channels)]


def lanes_of(r: Round) -> list[Call]:
    """Calls in the close view, in order of onset."""
    first = r.first
    if first is None:
        return [c for c in r.calls if c.type][:6]
    near = [c for c in r.calls if c is not first and -BEFORE_S <= c.onset_s - first.onset_s <= RIVAL_S]
    return sorted([first, *near[:7]], key=lambda c: c.onset_s)


def _window(r: Round, lanes: Sequence[Call]) -> tuple[float, float, float]:
    """Start, end and zero of the close view, seconds."""
    first = r.first
    if first is None:
        low, high = span(r)
        zero = r.reveal_s if r.reveal_s is not None else low
        return low, high, zero
    end = max(c.onset_s for c in lanes)
    return min(c.onset_s for c in lanes) - BEFORE_S, end + AFTER_S, first.onset_s


def draw_close(fig: SubFigure, game: Game, r: Round, moments: Moments, lanes: Sequence[Call]) -> None:
    """Lanes of calls with error bars above one strip a microphone, all on one time axis in milliseconds."""
    sound = moments.sound
    ratios = close_heights(moments, lanes)
    channels = len(ratios) - 1
    low, high, zero = _window(r, lanes)
    axes = fig.subplots(1 + channels, 1, sharex=True, squeeze=False, height_ratios=ratios)[:, 0]
    _draw_lanes(axes[0], game, r, lanes, zero)
    for k, ax in enumerate(axes[1:]):
        if sound is not None:
            _strip(ax, sound, k, (low, high), zero)
        ax.set_ylabel(
            _mic(moments, k, channels, game.language), rotation=0, ha="right", va="center", fontsize=9, color=INK
        )
        for c in lanes:
            _onset(ax, game, c, zero, counted=c is r.first)
    axes[-1].set_xlim((low - zero) * 1000, (high - zero) * 1000)
    since = "strip.first" if r.first is not None else "strip.reveal"
    axes[-1].set_xlabel(label(since, game.language, at=clock(zero, 3)), fontsize=9.5, color=INK)
    axes[-1].tick_params(labelsize=9)


def _mic(moments: Moments, k: int, channels: int, language: str) -> str:
    word = label("strip.microphone", language)
    if k < len(moments.microphones):
        return f"{word}\n{say(moments.microphones[k], language)}"
    return word if channels == 1 else f"{word} {k + 1}"


def _draw_lanes(ax: Axes, game: Game, r: Round, lanes: Sequence[Call], zero: float) -> None:
    ax.set_ylim(len(lanes) - 0.4 if lanes else 0.6, -0.95)
    ax.set_yticks([])
    ax.set_ylabel(label("strip.calls", game.language), rotation=0, ha="right", va="center", fontsize=9, color=INK)
    ax.spines[["left", "right", "top"]].set_visible(False)
    low, high, _ = _window(r, lanes)
    for y, c in enumerate(lanes):
        colour, _, marker = style(game, c.seat)
        at = (c.onset_s - zero) * 1000
        error = CERTAIN_SIGMAS * c.sigma_ms if c.sigma_ms is not None else 0.0
        face = colour if c.counted else "white"
        ax.errorbar(
            at,
            y,
            xerr=error,
            color=colour,
            marker=marker,
            markersize=7,
            markerfacecolor=face,
            capsize=4,
            linewidth=2.2,
            zorder=4,
        )
        right = (c.onset_s - low) / (high - low) < 0.5
        room = 250 * (high - low)  # milliseconds: a quarter of the view; a wider band may lie under the words
        place = min(error, room) if right else -min(error, room)
        ax.annotate(
            _call_words(game, c, error),
            (at + place, y),
            xytext=(9 if right else -9, 0),
            textcoords="offset points",
            fontsize=9.5,
            color=INK,
            va="center",
            ha="left" if right else "right",
            bbox=PAPER,
            zorder=5,
        )
        _onset(ax, game, c, zero, counted=c is r.first)
    _lead(ax, game.language, r, lanes, zero)


def _call_words(game: Game, c: Call, error: float) -> str:
    band = f" ± {milliseconds(error)}" if error else ""
    why = f": {reason(c.reason, game.language)}" if c.reason else ""
    fate = "" if c.counted else f"  ({label('not_counted', game.language)}{why})"
    return f"{game.called(c.seat)}: {c.word}{band}{fate}"


def _onset(ax: Axes, game: Game, c: Call, zero: float, *, counted: bool) -> None:
    colour, pattern, _ = style(game, c.seat)
    at = (c.onset_s - zero) * 1000
    if c.sigma_ms:
        error = CERTAIN_SIGMAS * c.sigma_ms
        ax.axvspan(at - error, at + error, color=colour, alpha=0.16, linewidth=0, zorder=1)
    ax.axvline(at, color=colour, linestyle=pattern, linewidth=2.0 if counted else 1.4, zorder=3)


def _lead(ax: Axes, language: str, r: Round, lanes: Sequence[Call], zero: float) -> None:
    """The arrow from the deciding onset to the rival's, with the lead beside it."""
    margin = r.margin
    first = r.first
    if margin is None or first is None or len(lanes) < 2:
        return
    start, end = (first.onset_s - zero) * 1000, (first.onset_s - zero) * 1000 + margin.ms
    ax.annotate(
        "",
        (end, -0.6),
        (start, -0.6),
        arrowprops={"arrowstyle": "<->", "color": INK, "linewidth": 1.3, "shrinkA": 0, "shrinkB": 0},
    )
    words = f"{label('lead', language)} {margin_words(margin, language)}"
    words += f"  {label('strip.close', language)}" if margin.too_close else ""
    ax.annotate(
        words,
        (max(start, end), -0.6),
        xytext=(7, 0),
        textcoords="offset points",
        fontsize=9.5,
        fontweight="bold",
        color=INK,
        va="center",
        bbox=PAPER,
        zorder=6,
    )


def envelope(samples: NDArray[np.float32], columns: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Lowest and highest sample of each of `columns` equal stretches, drawn as square roots.

    A call begins some 35 dB below its loudest part: on a straight scale its beginning could not be seen at all.
    """
    n = max(1, min(columns, len(samples)))
    edges = np.linspace(0, len(samples), n, endpoint=False).astype(int)
    soft = np.sign(samples) * np.sqrt(np.abs(samples))
    return np.minimum.reduceat(soft, edges), np.maximum.reduceat(soft, edges)


def _strip(ax: Axes, sound: Sound, channel: int, window: tuple[float, float], zero: float) -> None:
    """One microphone's waveform; all strips have one scale, so that the nearer microphone shows."""
    low = max(0, round((window[0] - sound.time_s) * sound.rate))
    high = max(low + 1, round((window[1] - sound.time_s) * sound.rate))
    part = sound.samples[:, low:high]
    if part.shape[1] == 0:
        return
    bottom, top = envelope(part[channel], 1600)
    start = (sound.time_s + low / sound.rate - zero) * 1000
    times = start + np.linspace(0, part.shape[1] / sound.rate * 1000, len(top), endpoint=False)
    peak = float(np.sqrt(np.abs(part).max())) or 1.0
    ax.fill_between(times, bottom, top, color=WAVE, linewidth=0.6, edgecolor=WAVE, zorder=2)
    ax.set(ylim=(-1.05 * peak, 1.05 * peak), yticks=[])
    ax.spines[["left", "right", "top"]].set_visible(False)


def draw_whole(fig: SubFigure, game: Game, r: Round, moments: Moments) -> None:
    """The whole round on one strip: reveals, calls, and the close view marked."""
    ax = fig.subplots(1, 1)
    low, high = span(r)
    sound = moments.sound
    if sound is not None:
        bottom, top = envelope(sound.samples.mean(axis=0), 1600)
        times = sound.time_s + np.linspace(0, sound.samples.shape[1] / sound.rate, len(top), endpoint=False)
        ax.fill_between(times, bottom, top, color=WAVE, linewidth=0.6, edgecolor=WAVE)
        peak = max(float(np.abs(bottom).max()), float(np.abs(top).max())) or 1.0
        ax.set_ylim(-1.1 * peak, 1.1 * peak)
    for c in r.calls:
        colour, pattern, marker = style(game, c.seat)
        ax.axvline(c.onset_s, color=colour, linestyle=pattern, linewidth=1.4)
        ax.plot(
            c.onset_s,
            0.93,
            marker=marker,
            color=colour,
            transform=ax.get_xaxis_transform(),
            clip_on=False,
            markersize=6,
            markerfacecolor=colour if c.counted else "white",
        )
    _mark_reveal(ax, game.language, r)
    if not r.calls and r.line.get("decided_by") != "reveal":
        ax.text(
            0.99,
            0.9,
            label("strip.none", game.language),
            transform=ax.transAxes,
            fontsize=9.5,
            color=INK,
            ha="right",
            va="top",
            bbox=PAPER,
        )
    if r.first is not None:
        start, end, _ = _window(r, lanes_of(r))
        ax.axvspan(start, end, facecolor="none", edgecolor=GREY, linewidth=1.0)
    ax.set(xlim=(low, high), yticks=[])
    ax.set_ylabel(label("strip.whole", game.language), rotation=0, ha="right", va="center", fontsize=9, color=INK)
    ax.set_xlabel(_legend_words(r, game.language), fontsize=8.2, color=GREY)
    ax.tick_params(labelsize=9)
    ax.spines[["left", "right", "top"]].set_visible(False)


def _mark_reveal(ax: Axes, language: str, r: Round) -> None:
    """A dotted line where each card's face was first seen, with the seats' initials, and the reaction."""
    low, high = span(r)
    groups: list[tuple[float, str]] = []
    for c in sorted((c for c in r.cards if c.reveal_s is not None), key=lambda c: c.reveal_s or 0.0):
        at = c.reveal_s or 0.0
        ax.axvline(at, color=INK, linewidth=1.0, linestyle=(0, (1, 1.5)))
        if c.reveal_sigma_ms:
            error = CERTAIN_SIGMAS * c.reveal_sigma_ms / 1000
            across = ax.get_xaxis_transform()
            ax.errorbar(at, 0.1, xerr=error, color=INK, capsize=2.5, linewidth=1.0, transform=across)
        initial = say(c.seat or "?", language)[0].upper()
        if groups and at - groups[-1][0] < 0.02 * (high - low):
            groups[-1] = (at, f"{groups[-1][1]}{initial}")
        else:
            groups.append((at, initial))
    for at, initials in groups:
        words = initials
        if at == groups[-1][0]:
            words += f": {label('strip.last', language)}{_reaction_words(r, at, language)}"
        ax.annotate(
            words,
            (at, 1.0),
            xycoords=ax.get_xaxis_transform(),
            xytext=(-3, 2),
            textcoords="offset points",
            fontsize=8.6,
            color=INK,
            va="bottom",
        )


def _reaction_words(r: Round, reveal_s: float, language: str) -> str:
    """How long after the last card the deciding call came, with the error of both."""
    if r.first is None:
        return ""
    error = CERTAIN_SIGMAS * hypot(r.reveal_sigma_ms, r.first.sigma_ms or 0.0)
    band = f" ± {milliseconds(error)}" if error else ""
    return label("strip.later", language, time=f"{milliseconds((r.first.onset_s - reveal_s) * 1000)}{band}")


def _legend_words(r: Round, language: str) -> str:
    lines = [label("strip.seconds", language)]
    close = label("strip.box", language) if r.first is not None else ""
    known = any(c.sigma_ms for c in r.calls)
    bands = label("strip.bands", language, sigmas=f"{CERTAIN_SIGMAS:.0f}") if known else ""
    lines.append(f"{close}{label('strip.waves', language)}{bands}")
    return "\n".join(lines)
