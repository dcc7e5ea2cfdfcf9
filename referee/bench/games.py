"""Whole staged games, judged as people would judge them and compared with their truth files.

The referee is told what a user would say: the game, the languages, and whose microphone each channel is. It is not told
the number of players, their seats, the deck or the scene.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.bench import BenchResult
from referee.bench.score import Compared, compare, read_rulings
from referee.errors import RefereeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

SIDES = {"top": "north", "bottom": "south", "left": "west", "right": "east"}
"""How a truth header may name the ends of a stereo pair."""


@dataclass(frozen=True, slots=True)
class Game:
    """A staged recording with its truth."""

    path: Path
    header: dict[str, Any]
    truth: list[dict[str, Any]]

    @property
    def seconds(self) -> float:
        """Length of the recording."""
        return float(self.header["duration_s"])


def read_game(path: Path) -> Game:
    """A recording and the truth file beside it."""
    truth = path.with_suffix(".truth.jsonl")
    header = json.loads(truth.read_text(encoding="utf-8").splitlines()[0])
    return Game(path, header, read_rulings(truth))


def recordings(folder: Path) -> list[Game]:
    """All staged games of a folder.

    Raises:
        UsageError: there is none.
    """
    games = [
        read_game(p)
        for p in sorted(folder.iterdir())
        if p.with_suffix(".truth.jsonl").exists() and p.suffix in (".mp4", ".mkv")
    ]
    if not games:
        raise UsageError(f"{folder} holds no staged game: a recording with its .truth.jsonl beside it")
    return games


def game_options(game: Game) -> list[str]:
    """What a user would say on the command line about this recording."""
    languages = sorted({v["language"] for v in game.header.get("voices", {}).values()} or {"en"})
    audio = game.header.get("audio", {})
    options = ["--game", game.header.get("game", "rock"), "--languages", ",".join(languages)]
    if audio.get("mode") in ("mics", "own"):
        options += ["--microphones", ",".join(audio["channels"])]
    elif audio.get("mode") == "stereo":
        options += ["--microphones", ",".join(_stereo_sides(game.header))]
    return options


def _stereo_sides(header: dict[str, Any]) -> list[str]:
    """The seat on each side of a stereo pair, by what the header calls its ends."""
    return [SIDES.get(name, name) for name in header["audio"]["channels"]]


def judged(game: Game, out: Path) -> list[dict[str, Any]]:
    """The ruling lines of a game, judged through the command line.

    Raises:
        RefereeError: the recording could not be judged.
    """
    from referee.cli import run as command_line  # noqa: PLC0415  the command line imports the benches

    status = command_line(["judge", str(game.path), "--quiet", "--out", str(out), *game_options(game)])
    records = sorted(out.glob(f"{game.path.stem}*.jsonl"))
    if status not in (0, 1) or not records:
        raise RefereeError(f"{game.path.name} could not be judged (exit status {status})")
    return list(
        {line["round"]: line for line in read_rulings(records[-1])}.values()
    )  # revisions follow what they revise


@dataclass(frozen=True, slots=True)
class Judged:
    """One game's rounds, each beside its ruling."""

    name: str
    rounds: list[Compared]
    extra: list[dict[str, Any]]

    @property
    def silently_wrong(self) -> int:
        """Rounds wrong without review, and rulings about rounds that never were."""
        return sum(bool(r.differences) and not r.in_review for r in self.rounds) + sum(
            not x.get("review") for x in self.extra
        )


def judge_and_compare(game: Game) -> Judged:
    """Judge one game; a game that cannot be judged has missed all its rounds."""
    with tempfile.TemporaryDirectory() as out:
        try:
            rulings = judged(game, Path(out))
        except RefereeError:
            rulings = []
    return Judged(game.path.name, *compare(game.truth, rulings))


def figures(games: Iterable[Judged]) -> dict[str, Any]:
    """The figures of all games together, under their fixed names."""
    import numpy as np  # noqa: PLC0415  only where it is needed

    games = list(games)
    rounds = [r for g in games for r in g.rounds]
    firsts = [(e, r) for r in rounds if (e := r.onset_error_ms) is not None]
    called, touched = ([abs(e) for e, r in firsts if r.by_touch == touch] for touch in (False, True))
    return {
        "rounds": len(rounds),
        "exact": sum(not r.differences for r in rounds),
        "in_review": sum(r.in_review for r in rounds),
        "silently_wrong": sum(g.silently_wrong for g in games),
        "cards_wrong": sum(r.wrong_cards for r in rounds),
        "onset_median_ms": round(float(np.median(called)), 2) if called else None,
        "onset_p95_ms": round(float(np.percentile(called, 95)), 2) if called else None,
        **({"touch_median_ms": round(float(np.median(touched)), 2)} if touched else {}),
    }


def table(games: Iterable[Judged]) -> list[list[str]]:
    """A line a game, and a line for each round that is not exact."""
    rows = [["game", "rounds", "exact", "in review", "silently wrong", "not as the truth"]]
    for game in games:
        exact = sum(not r.differences for r in game.rounds)
        wrong = [f"{r.truth['round']}: {' '.join(r.differences)}" for r in game.rounds if r.differences]
        wrong += [f"extra at {x['time_s']:.1f} s" for x in game.extra]
        counts = (len(game.rounds), exact, sum(r.in_review for r in game.rounds), game.silently_wrong)
        rows.append([game.name, *map(str, counts), "; ".join(wrong)])
    return rows


def run(*, data: Path | None = None, count: int | None = None, seed: int = 0) -> BenchResult:
    """Judge the games of a folder, or with a count freshly staged ones from `seed` on; else the committed games."""
    if data is None and count:
        with tempfile.TemporaryDirectory() as folder:
            results = [judge_and_compare(read_game(_stage(n, Path(folder)))) for n in range(seed, seed + count)]
    else:
        games = recordings(data or Path(__file__).parents[2] / "fixtures" / "games")[:count]
        results = [judge_and_compare(game) for game in games]
    return BenchResult("games", "staged", len(results), figures(results), table(results))


def _stage(seed: int, folder: Path) -> Path:
    """Stage one game; the studio is not part of the installed product."""
    from fixtures.studio import stage  # noqa: PLC0415  see above

    return Path(stage(seed, folder))
