"""Where downloaded models lie, and what is remembered of each: one folder a model, one small file about all of them.

`checksums.json` beside the folders holds the sha256 of the zip that each model came from. It is kept when a model is
removed: the same name must bring the same bytes again.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from models.official import models
from referee.errors import ModelError, UsageError
from referee.files import save
from referee.places import data_folder

CHECKSUMS = "checksums.json"
NEEDED = ("am/final.mdl", "graph/Gr.fst")
"""What makes a folder a Vosk model with a runtime grammar; some models have them without the folders."""


def folder() -> Path:
    """Where models lie; it need not exist."""
    return data_folder("models")


def is_model(place: Path) -> bool:
    """Whether a folder holds a whole model of the kind that is needed."""
    return all((place / name).is_file() or (place / Path(name).name).is_file() for name in NEEDED)


def installed() -> list[str]:
    """Names of the models that are here, sorted."""
    try:
        found = [path.name for path in folder().iterdir() if path.is_dir() and is_model(path)]
    except OSError:
        return []
    return sorted(name for name in found if not name.startswith("."))


def locate(given: Path) -> Path:
    """The folder of a model that was named by its path, its name or its short name.

    Raises:
        ModelError: it is not here; the message says how to get it.
    """
    if given.is_dir():
        return given
    text = str(given)
    here = installed()
    names = [model.name for model in models() if text in (model.name, model.tag)]
    for name in [text, *names]:
        if name in here:
            return folder() / name
    if names:
        raise ModelError(f"the model {text} is not on this computer yet: referee models download {text}")
    choice = f"; downloaded are {', '.join(here)}" if here else ""
    raise ModelError(f"{text}: no such folder, and no model of that name{choice} (referee models list)")


def remembered() -> dict[str, str]:
    """Checksums of the zips that models came from, by name."""
    try:
        stored = json.loads((folder() / CHECKSUMS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): str(value) for name, value in stored.items()} if isinstance(stored, dict) else {}


def remember(name: str, sha256: str) -> None:
    """Keep the checksum of a zip.

    Raises:
        OSError: it cannot be written.
    """
    text = json.dumps(remembered() | {name: sha256}, indent=1, sort_keys=True)
    save(folder() / CHECKSUMS, text.encode())


def remove(name: str) -> Path:
    """Delete a downloaded model.

    Raises:
        UsageError: it is not here, or cannot be deleted.
    """
    place = next((folder() / one for one in _names(name) if one in installed()), None)
    if place is None:
        here = ", ".join(installed()) or "none"
        raise UsageError(f"no downloaded model is called {name!r}; downloaded: {here}")
    try:
        gone = place.with_name(f".{place.name}.gone")
        shutil.rmtree(gone, ignore_errors=True)
        place.rename(gone)  # in one step: nobody opens half a model
        shutil.rmtree(gone)
    except OSError as error:
        raise UsageError(f"{place} cannot be deleted ({error.strerror}); is a program using it?") from None
    return place


def _names(name: str) -> list[str]:
    return [name, *(model.name for model in models() if name == model.tag)]
