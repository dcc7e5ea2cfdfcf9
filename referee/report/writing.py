"""Writes the files of a report, each whole or not at all."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from referee import __version__
from referee.errors import InputError, UsageError
from referee.files import save
from referee.messages import known_language
from referee.record import read_record
from referee.report.reading import game_of
from referee.report.words import base_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.record import Record
    from referee.report.game import Game, Round

INSTALL = "pip install 'referee[report]'"


@dataclass(frozen=True, slots=True)
class Written:
    """What was written."""

    page: Path
    others: tuple[Path, ...]
    notes: tuple[str, ...]
    """What people should know: a recording that is not at hand, a record that ends unfinished."""


def write_report(
    record_path: Path,
    *,
    recording: Path | None = None,
    out: Path | None = None,
    clips: bool = True,
    pictures: bool = False,
    video: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Written:
    """Write the report of a record: the page, subtitles, labels, tables, and pictures for print if wished.

    Args:
        record_path: the record.
        recording: the recording that was judged; by default the one that the record names, beside the record.
        out: folder; by default the record's own.
        clips: whether the page holds a clip of each round.
        pictures: whether each photo finish is also written as a PNG file.
        video: whether the whole recording is also written with the rulings on it.
        progress: told (rounds done, rounds in all), and then, for the video, (hundredths done, 100).

    Raises:
        UsageError: an extra package is missing, or the folder cannot be written.
        RecordError: the record cannot be read.
        InputError: the recording that was named cannot be opened or is not the one that was judged.
    """
    check_extra()
    record = read_record(record_path)
    found, notes = find_recording(record, record_path, recording)
    name = stem_of(record_path)
    game = with_alternatives(game_of(record, name=name, recording=found), record, record_path.name)
    if record.truncated:
        notes.append("the record's last line is unfinished; the report shows what stands before it")
    folder = out or record_path.parent
    _check_folder(folder)
    if video and found is None:
        raise UsageError(f"{notes[0]}; without it there is no video to write the rulings on")
    page = folder / f"{name}.report.html"
    files = _files(game, page, clips=clips, pictures=pictures, progress=progress)
    others = _save_all(folder, files)
    if video:
        from referee.report.burning import burn  # noqa: PLC0415  only for the video

        told = (lambda share: progress(int(100 * share), 100)) if progress is not None else None
        others.append(burn(game, folder / f"{name}.rulings.mp4", progress=told))
    return Written(page, tuple(others), tuple(notes))


def with_alternatives(game: Game, record: Record, file: str) -> Game:
    """The game with, for each round in review, the two likeliest other readings, and each command."""
    return replace(game, rounds=tuple(_offered(r, record, file) if r.review else r for r in game.rounds))


def _offered(r: Round, record: Record, file: str) -> Round:
    from referee.confirming import is_confirmable  # noqa: PLC0415  only needed for reviews
    from referee.report.challenge import alternatives  # noqa: PLC0415  rules again; only needed for reviews

    right = f"referee correct {file} --round {r.number} --as-ruled" if is_confirmable(r.line) else ""
    likeliest = alternatives(record, r.number, known_language(record.header.language))[:2]
    words = (
        f"{one.words}: referee correct {file} --round {r.number} --choose {k}" for k, one in enumerate(likeliest, 1)
    )
    return replace(r, alternatives=tuple(words), as_ruled=right)


def stem_of(record_path: Path) -> str:
    """The name of a game by its record's file name: `evening.rulings.jsonl` and `evening.jsonl` are both `evening`."""
    return record_path.name.removesuffix(".jsonl").removesuffix(".rulings").removesuffix(".record") or record_path.name


def check_extra() -> None:
    """Raise `UsageError`, with the command that installs it, when the extra `report` is missing."""
    try:
        import jinja2  # noqa: F401, PLC0415
        import matplotlib as mpl  # noqa: F401, PLC0415
    except ModuleNotFoundError as error:
        raise UsageError(f"a report needs the package {error.name}: run {INSTALL}") from None


def find_recording(record: Record, record_path: Path, given: Path | None) -> tuple[Path | None, list[str]]:
    """The recording to show, checked against the record's checksum, and notes for people."""
    named = record.header.recording
    wanted = str(named.get("name") or "")
    if given is None:
        if not wanted:
            return None, ["the record names no recording: the report has no frames, clips or waveforms"]
        places = [record_path.parent / base_name(wanted), Path(str(named.get("path") or wanted))]
        given = next((p for p in places if p.is_file()), None)
        if given is None:
            return None, [
                f"{base_name(wanted)} is not beside the record: no frames, clips or waveforms (use --recording FILE)"
            ]
    digest = named.get("sha256")
    if isinstance(digest, str) and digest != _sha256(given):
        raise InputError(
            f"{given}: this is not the recording that was judged (its checksum differs); use --recording FILE"
        )
    return given, []


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror or problem}") from None


def _files(
    game: Game, page: Path, *, clips: bool, pictures: bool, progress: Callable[[int, int], None] | None
) -> dict[str, bytes]:
    """File name -> content. The page comes first."""
    from referee.report import tracks  # noqa: PLC0415  heavy parts load only when a report is made
    from referee.report.evidence import gather  # noqa: PLC0415
    from referee.report.footage import frame_times  # noqa: PLC0415
    from referee.report.page import render  # noqa: PLC0415

    evidence = list(gather(game, clips=clips, prints=pictures, progress=progress))
    files = {page.name: render(game, evidence, made_by=f"referee {__version__}").encode()}
    frames = frame_times(game.recording) if game.recording else []
    files |= {
        f"{game.name}.vtt": tracks.webvtt(game).encode(),
        f"{game.name}.labels.txt": tracks.audacity(game).encode(),
        f"{game.name}.rounds.csv": tracks.rounds_csv(game).encode(),
        f"{game.name}.calls.csv": tracks.calls_csv(game).encode(),
        f"{game.name}.moments.csv": tracks.moments_csv(game, frames).encode(),
    }
    files |= {f"{game.name}.round-{e.round.number:02d}.png": e.print for e in evidence if e.print}
    return files


def _check_folder(folder: Path) -> None:
    """Make the folder and see that it can be written, before minutes of work go into what goes there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise _unwritable(folder, problem) from None


def _unwritable(folder: Path, problem: OSError) -> UsageError:
    why = problem.strerror or problem
    return UsageError(f"cannot write into {folder}: {why}; choose another folder (--out) or make room")


def _save_all(folder: Path, files: dict[str, bytes]) -> list[Path]:
    try:
        return [save(folder / name, content) for name, content in files.items()]
    except OSError as problem:
        raise _unwritable(folder, problem) from None
