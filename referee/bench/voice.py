"""`referee bench voice`: calls missed, wrong and false on real voices; onsets; who was first and who called.

The recordings are not part of the project: `--data` names a folder with an INDEX.tsv, by default the one beside it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from models import open_call_model
from referee.bench import BenchResult
from referee.bench import voice_words as words
from referee.bench.voice_onset import figures as onset_figures
from referee.bench.voice_pictures import first_curve, trade_off
from referee.bench.voice_who import GAPS_MS, first_figures, voice_figures
from referee.errors import UsageError

LANGUAGES = ("en", "de", "es", "ko")


def run(*, data: Path | None = None, count: int | None = None, seed: int = 0, out: Path | None = None) -> BenchResult:
    """Measure the ear on recordings.

    Args:
        data: a folder with INDEX.tsv; by default `shared/speech` beside the project.
        count: 0 for the words alone; else also so many duels for each gap and tier (by default 20).
        seed: of noise and talk.
        out: where to draw the trade-off as `det.png`, and who was first as `first.png`.

    Raises:
        UsageError: no recordings there.
    """
    folder = data or Path(__file__).parents[2] / "../shared/speech"
    if not (folder / "INDEX.tsv").is_file():
        raise UsageError(f"{folder}: no INDEX.tsv here; give a folder of recordings with --data")
    figures, table, notes, cases = word_figures(folder, seed, out)
    if count != 0:
        model = open_call_model(("en", "de", "es"))
        figures |= onset_figures(folder) | first_figures(folder, model, count=count or 20) | voice_figures(folder)
        if out is not None:
            notes.append(f"Who was first is drawn in {first_curve(figures, GAPS_MS, out)}.")
    return BenchResult("voice", "real", cases, figures, table, notes)


def word_figures(
    folder: Path, seed: int = 0, out: Path | None = None
) -> tuple[dict[str, Any], list[list[str]], list[str], int]:
    """Figures about words, a table for people, notes, and how many recordings there were."""
    recordings, ear = words.read(folder), words.Ear(words.Folds())
    talk = np.concatenate([r.samples for r in recordings if r.group == "neg" and "talk" in r.file])
    fan = words.fan(seed)
    figures: dict[str, Any] = {}
    table = [
        [
            "language",
            "calls",
            "missed",
            "wrong",
            "missed over talk",
            "wrong over talk",
            "missed over a fan",
            "false a minute",
            "effects",
            "near words",
        ]
    ]
    notes = ["Every source was heard by a verifier that was trained without it; one language enabled at a time."]
    hours = sum(len(r.samples) for r in recordings if words.is_talk(r.file)) / words.RATE / 3600
    for language in LANGUAGES:
        calls = [r for r in recordings if r.group == language]
        if not calls:
            continue
        model = open_call_model((language,))

        clean = [ear.hear(model, r, seed=seed) for r in calls]
        over = [ear.hear(model, r, talk, seed=seed) for r in calls]
        blown = [ear.hear(model, r, fan, seed=seed) for r in calls]
        neg = [ear.hear(model, r, seed=seed) for r in recordings if words.is_talk(r.file)]
        near = [ear.hear(model, r, seed=seed) for r in recordings if r.group == "neg" and not words.is_talk(r.file)]
        effects = [ear.hear(model, r, seed=seed) for r in recordings if r.group == "effects"]
        n, tag = len(calls), language
        figures |= {
            f"calls_{tag}": n,
            f"missed_{tag}": round(words.missed(clean) / n, 4),
            f"wrong_{tag}": round(words.wrong(clean) / n, 4),
            f"missed_{tag}_10db": round(words.missed(over) / n, 4),
            f"wrong_{tag}_10db": round(words.wrong(over) / n, 4),
            f"missed_{tag}_fan_10db": round(words.missed(blown) / n, 4),
            f"wrong_{tag}_fan_10db": round(words.wrong(blown) / n, 4),
            f"false_calls_{tag}": words.false_calls(neg),
            f"false_calls_effects_{tag}": words.false_calls(effects),
            f"false_calls_single_words_{tag}": words.false_calls(near),
            f"det_{tag}": _thinned(words.det(clean, neg, hours)),
            f"point_{tag}": [round(words.missed(clean) / n, 4), round(words.false_calls(neg) / hours, 2)],
        }
        row = [f"{figures[f'{name}_{tag}{tail}']:.1%}" for tail in ("", "_10db") for name in ("missed", "wrong")]
        row.append(f"{words.missed(blown) / n:.1%}")
        false = [f"{words.false_calls(some)} of {len(some)}" for some in (effects, near)]
        table.append([language, str(n), *row, f"{words.false_calls(neg) / hours / 60:.2f}", *false])
    figures |= {
        "false_calls": figures.get("false_calls_en"),
        "negative_hours": round(hours, 3),
        "realtime_x": round(ear.sound_s / max(ear.cpu_s, 1e-9), 1),
    }
    if out is not None:
        notes.append(f"The trade-off is drawn in {trade_off(figures, LANGUAGES[:3], out)}.")
    return figures, table, notes, len(recordings)


def _thinned(points: list[tuple[float, float, float]]) -> list[list[float]]:
    """At most about forty points, evenly spread."""
    step = max(1, len(points) // 40)
    return [[round(value, 4) for value in point] for point in points[::step]]
