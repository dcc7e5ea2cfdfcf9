"""Delete a person for good: their name from every game, and what was learnt of their voice.

The one thing that changes what was written: somebody who asks to be forgotten is forgotten. The games stay, with a
nameless seat. Only this history is changed; records, recordings, reports and exports that lie elsewhere are people's
own to delete.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from referee.files import save
from referee.history.queries import known

if TYPE_CHECKING:
    from pathlib import Path

    from referee.history.store import History


def forget(
    history: History, name: str, *, voices: Path | None = None, enrolled_as: str | None = None
) -> tuple[str, int, int]:
    """Delete a person.

    Args:
        history: where.
        name: who; upper and lower case do not matter.
        voices: a file of enrolled voices, or a folder with such files; None if there is none.
        enrolled_as: the name or seat under which the voice was enrolled; by default the person's name.

    Returns:
        The name as it was kept, the number of games it was taken out of, and of voices deleted.

    Raises:
        UsageError: nobody is called so.
    """
    with history.reading() as db:
        name = known(db, name)
    with history.library.locked():
        changed = sum(_out_of(history, number, name) for number in history.library.ids())
        history.rebuild_locked()  # a database made anew holds nothing of before
    return name, changed, _forget_voice(voices, enrolled_as or name)


def _out_of(history: History, number: str, name: str) -> bool:
    note = history.library.note(number)
    left = {seat: who for seat, who in note["players"].items() if who.casefold() != name.casefold()}
    content = history.library.content(number)
    cleaned = b"\n".join(_cleaned(line, name) for line in content.split(b"\n"))
    if cleaned != content:
        save(history.library.records / f"{number}.jsonl", cleaned)
    if left != note["players"]:
        history.library.rename_players(number, left)
    return cleaned != content or left != note["players"]


def _cleaned(line: bytes, name: str) -> bytes:
    """A record's line without the name: in the header's `names`, and in `by` of a correction."""
    if name.casefold() not in line.decode(errors="replace").casefold():
        return line
    try:
        value: dict[str, Any] = json.loads(line)
    except ValueError:
        return b""
    names = value.get("names")
    if isinstance(names, dict):
        value["names"] = {k: v for k, v in names.items() if str(v).casefold() != name.casefold()}
    if str(value.get("by") or "").casefold() == name.casefold():
        del value["by"]
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(", ", ": ")).encode()


def _forget_voice(voices: Path | None, name: str) -> int:
    """Delete a voice from the file, or from every file of the folder; a file that holds no other voice goes too."""
    if voices is None:
        return 0
    files = sorted(voices.rglob("*.npz")) if voices.is_dir() else [voices]
    return sum(_out_of_voices(path, name) for path in files)


def _out_of_voices(path: Path, name: str) -> int:
    from audio.voices import Voices  # noqa: PLC0415  only when a voice is to be deleted

    kept = Voices.load(path)
    mine = [who for who in kept.takes if who.casefold() == name.casefold()]
    for who in mine:
        kept.forget(who)
    if not kept.takes:
        path.unlink()
    elif mine:
        part = path.with_name(f".{path.name}.part")
        kept.save(part)
        part.replace(path)
    return len(mine)
