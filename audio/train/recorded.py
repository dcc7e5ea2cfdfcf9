"""Recordings of people, noises and music that free packages carry: what is no call, by voices that no synthesiser has.

`python -m audio.train.recorded KIND OUT FOLDER...` reads every sound file under the folders and writes OUT.npy and
OUT.json as `audio.train.build say` does; KIND is talk, noise or music. Used were Debian's packages
asterisk-core-sounds-en-g722, -es-g722 (prompts), fillets-ng-data-cs, -nl (dialogues, Czech and Dutch), klettres-data
(letters and syllables), hedgewars-data (shouts, music), tuxpaint-stamps-default (names of things, noises). None of them
is in the folder that is measured on. Files whose names say that a call may be in them are left out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import av
import av.error
import numpy as np

from audio import decode
from audio.train.scenes import RATE
from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SUFFIXES = {".ogg", ".wav", ".mp3", ".flac", ".g722"}
CALLS = ("rock", "paper", "scissor", "stein", "papier", "schere", "piedra", "papel", "tijera", "stone", "steen")
LONGEST_S = {"talk": 6.0, "noise": 3.0, "music": 8.0}
SHORT_S = 1.2
"""Talk that is shorter is a word of its own."""
MOST_PIECES = {"talk": 30, "noise": 1, "music": 12}
"""Of one file."""


def pieces(path: Path, kind: str) -> Iterator[NDArray[np.int16]]:
    """A file's sound at full level, cut where it is quiet or too long; nothing if it cannot be read."""
    try:
        parts = [block.samples.mean(axis=0) for block in decode.blocks(path, rate=RATE)]
    except (RefereeError, av.error.FFmpegError, ValueError):
        return
    sound = np.concatenate(parts) if parts else np.zeros(0, np.float32)
    longest = int(LONGEST_S[kind] * RATE)
    for at in range(0, min(len(sound), longest * MOST_PIECES[kind]), longest):
        piece = sound[at : at + longest]
        top = np.abs(piece).max(initial=0)
        loud = np.flatnonzero(np.abs(piece) > 0.015 * top)
        if top > 0.003 and loud[-1] - loud[0] > 0.12 * RATE:
            cut = piece[max(0, loud[0] - 160) : loud[-1] + 320]
            yield np.asarray(cut / np.abs(cut).max() * 29000, np.int16)


def read(kind: str, out: Path, folders: list[Path]) -> None:
    """Read all files below `folders`."""
    clips, index, at = [], [], 0
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES):
            if any(word in path.name.lower() for word in CALLS):
                continue
            for piece in pieces(path, kind):
                word = kind == "talk" and len(piece) < SHORT_S * RATE
                label = "-" if word else "" if kind == "talk" else kind
                entry = {"at": at, "n": len(piece), "text": path.name, "lang": "any", "label": label}
                index.append(entry | {"voice": f"{folder.name}/{path.parent.name}"})
                clips.append(piece)
                at += len(piece)
    np.save(out.with_suffix(".npy"), np.concatenate(clips))
    out.with_suffix(".json").write_text(json.dumps(index), encoding="utf-8")
    print(kind, len(clips), "pieces,", round(at / RATE / 60, 1), "minutes")  # noqa: T201 - a command for developers


if __name__ == "__main__":
    read(sys.argv[1], Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]])
