"""Unpack a model's zip into its place, in one step, and never outside of it."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from models.store import is_model
from referee.errors import ModelError

LARGEST = 4 << 30
"""Bytes that a model may unpack to."""


def unpack(archive: Path, place: Path) -> None:
    """Unpack a zip that holds one folder with a model to `place`, which it replaces.

    Raises:
        ModelError: no whole model is in it, it is damaged, or the disk has no room; `place` is as before.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=".unpacking-", dir=place.parent) as scratch:
            inside, old = Path(scratch) / "new", Path(scratch) / "old"
            inside.mkdir()
            _extract(archive, inside)
            made = next((path for path in (inside, *inside.iterdir()) if is_model(path)), None)
            if made is None:
                raise ModelError(f"{archive.name} holds no Vosk model with am/final.mdl and graph/Gr.fst")
            if place.exists():
                place.rename(old)
            try:
                made.rename(place)
            except OSError:
                if old.exists():
                    old.rename(place)
                raise
    except zipfile.BadZipFile as error:
        raise ModelError(f"{archive.name} is damaged ({error}); download it again") from None
    except OSError as error:
        raise ModelError(f"{place.parent}: the model cannot be unpacked here ({error.strerror or error})") from None


def _extract(archive: Path, into: Path) -> None:
    with zipfile.ZipFile(archive) as file:
        entries = [entry for entry in file.infolist() if not entry.is_dir()]
        if sum(entry.file_size for entry in entries) > LARGEST:
            raise ModelError(f"{archive.name} unpacks to more than {LARGEST >> 30} GB: that is no small model")
        for entry in entries:
            name = PurePosixPath(entry.filename.replace("\\", "/"))
            if name.is_absolute() or ".." in name.parts or ":" in entry.filename:
                raise ModelError(f"{archive.name} wants to write outside its folder ({entry.filename}): refused")
            target = into.joinpath(*name.parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            with file.open(entry) as source, target.open("wb") as out:
                shutil.copyfileobj(source, out)
