"""Two pictures of how good the ear is: missed against false calls, and who was first over the gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

NAMES = {"en": "English", "de": "German", "es": "Spanish", "ko": "Korean"}
COLOURS = {"en": "#1f5fa8", "de": "#b0541b", "es": "#3d8b37", "ko": "#888888"}
TIERS = {"own": "a microphone a player", "stereo": "two microphones, opposite seats"}
LEAST_AN_HOUR = 0.3
"""False calls an hour below this are drawn there: so much sound was never heard."""
NONE_MISSED = 0.5
"""Where no call missed is drawn, per cent: so many calls were never heard."""


def trade_off(figures: Mapping[str, Any], languages: Sequence[str], folder: Path) -> Path:
    """The DET curve: share of calls missed against false calls an hour of hard talk, on two logarithmic axes.

    Args:
        figures: of `referee bench voice`, with `det_LANGUAGE` curves of (threshold, missed, false an hour).
        languages: those to draw.
        folder: where `det.png` goes.
    """
    figure, axes = _axes("false calls an hour of hard talk", "calls missed, %")
    for count, language in enumerate(languages):
        curve = figures.get(f"det_{language}")
        if not curve:
            continue
        none = NONE_MISSED * 1.15**count  # beside each other, not one on the other
        _, missed, false = np.array(curve).T
        name = f"{NAMES[language]}, {figures[f'calls_{language}']} calls"
        over = np.maximum(false, LEAST_AN_HOUR)
        axes.step(over, np.maximum(missed * 100, none), where="post", color=COLOURS[language], label=name, lw=1.8)
        point = figures.get(f"point_{language}")
        if point:
            at = (max(point[1], LEAST_AN_HOUR), max(point[0] * 100, none))
            axes.plot(*at, "o", color=COLOURS[language], ms=7, clip_on=False, zorder=3)
    axes.plot([30], [3], "kx", ms=9, mew=2, label="asked for: 3 % at one in two minutes")
    axes.plot([0.5], [5], "k*", ms=11, label="wake-word engines: 5 % at 0.5 an hour")
    ticks, often = [1, 2, 5, 10, 20, 50, 100], [1, 10, 100, 1000]
    axes.set(xscale="log", yscale="log", xlim=(LEAST_AN_HOUR, 3000), ylim=(0.8 * NONE_MISSED, 100))
    axes.set_yticks([NONE_MISSED, *ticks], ["none", *(str(tick) for tick in ticks)])
    axes.set_xticks([LEAST_AN_HOUR, *often], ["none", *(str(tick) for tick in often)])
    axes.minorticks_off()
    axes.legend(
        fontsize=8,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.14),
        ncol=2,
        title="dots: the point that ships",
        title_fontsize=8,
    )
    return _save(figure, folder / "det.png")


def first_curve(figures: Mapping[str, Any], gaps_ms: Sequence[float], folder: Path) -> Path:
    """Who was first: shares right, right or a tie, and wrong, over the gap, for each tier.

    Args:
        figures: of `referee bench voice`, with `first_right_TIER_GAP` and the like.
        gaps_ms: between the two calls.
        folder: where `first.png` goes.
    """
    from matplotlib import pyplot as plt  # noqa: PLC0415 - the optional extra `report`

    figure, rows = plt.subplots(1, len(TIERS), figsize=(8.4, 3.3), sharey=True)
    for axes, (tier, name) in zip(rows, TIERS.items(), strict=True):
        right, wrong, tie = (
            np.array([100 * figures[f"first_{kind}_{tier}_{gap}"] for gap in gaps_ms])
            for kind in ("right", "wrong", "tie")
        )
        axes.fill_between(gaps_ms, right, right + tie, color="#d9d9d9", label="tie, or left to people")
        axes.plot(gaps_ms, right, "o-", color="#1f5fa8", label="right")
        axes.plot(gaps_ms, wrong, "s-", color="#b02a1b", label="wrong")
        axes.set(xscale="log", xlabel="gap between the two calls, ms", title=name, ylim=(-3, 103))
        axes.set_xticks(gaps_ms, [str(gap) for gap in gaps_ms])
        axes.minorticks_off()
        axes.grid(visible=True, alpha=0.3)
    rows[0].set_ylabel("recordings, %")
    figure.legend(
        *rows[0].get_legend_handles_labels(), fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.04), ncol=3
    )
    return _save(figure, folder / "first.png")


def _axes(x: str, y: str) -> tuple[Any, Any]:
    from matplotlib import pyplot as plt  # noqa: PLC0415 - the optional extra `report`

    figure, axes = plt.subplots(figsize=(6.2, 4.2))
    axes.set(xlabel=x, ylabel=y)
    axes.grid(visible=True, which="major", alpha=0.3)
    return figure, axes


def _save(figure: Any, path: Path) -> Path:
    from matplotlib import pyplot as plt  # noqa: PLC0415 - the optional extra `report`

    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)
    return path
