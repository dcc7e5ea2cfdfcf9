"""Enrolled voices, one file a person in the user's data folder: deleting the file forgets the voice for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audio.voices import Voices
from referee.errors import UsageError
from referee.places import data_folder, file_name, made

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from referee.events import Seat


def path_of(name: str) -> Path:
    """The file of a person, whether it is there or not. Upper and lower case do not matter.

    Raises:
        UsageError: nobody can be called so.
    """
    name = file_name(name, "voice")
    same = next((one for one in names() if one.casefold() == name.casefold()), name)
    return data_folder("voices") / f"{same}.npz"


def names() -> list[str]:
    """Everybody whose voice is kept, sorted."""
    try:
        found = [path.stem for path in data_folder("voices").iterdir() if path.suffix == ".npz"]
    except OSError:
        return []
    return sorted((name for name in found if not name.startswith(".")), key=str.casefold)


def load(name: str) -> Voices:
    """The voice of one person, under that name.

    Raises:
        UsageError: it is not kept, or its file is damaged.
    """
    path = path_of(name)
    if not path.is_file():
        kept = ", ".join(names()) or "nobody's yet"
        raise UsageError(f"no voice of {name} is kept (kept: {kept}); referee voices enroll {path.stem!r} FILE")
    stored = Voices.load(path)
    takes = next(iter(stored.takes.values()), {})
    return Voices({path.stem: takes})


def save(voices: Voices) -> Path:
    """Keep the voice of one person: the only one in `voices`.

    Raises:
        UsageError: it cannot be written.
    """
    (name,) = voices.takes
    path = path_of(name)
    made(path.parent)
    part = path.with_name(f".{path.name}.part")
    try:
        voices.save(part)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError(f"{path} cannot be written ({error.strerror})") from None
    return path


def delete(name: str) -> bool:
    """Forget a voice for good; whether there was one.

    Raises:
        UsageError: it cannot be deleted.
    """
    try:
        path = path_of(name)
    except UsageError:  # nobody can have been kept under such a name
        return False
    try:
        path.with_name(f".{path.name}.part").unlink(missing_ok=True)
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise UsageError(f"{path} cannot be deleted ({error.strerror})") from None
    return True


def seated(players: Mapping[Seat, str]) -> Voices:
    """The voices of the people at a table, by seat.

    Raises:
        UsageError: somebody's voice is not kept, or somebody sits twice.
    """
    doubled = [name for name in players.values() if [n.casefold() for n in players.values()].count(name.casefold()) > 1]
    if doubled:
        raise UsageError(f"{doubled[0]} cannot sit at two seats")
    return Voices({seat: next(iter(load(name).takes.values())) for seat, name in players.items()})
