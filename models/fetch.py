"""Fetch one large file: resumable, checked, whole or not at all.

What has come so far lies in NAME.part, with what the server said about it in NAME.part.json. The next call goes on
from there if the server still has the same file (`If-Range`); else it begins again.
"""

from __future__ import annotations

import errno
import hashlib
import http.client
import json
import shutil
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from referee.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CHUNK = 1 << 16
WAIT_S = 30.0
"""A server that says nothing for so long is given up."""
AGENT = "referee (card table referee; model download)"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a file must be."""

    url: str
    size: int | None
    """Bytes, or None if not known."""
    sha256: str | None
    md5: str | None


class FetchError(ModelError):
    """A download that did not succeed; the message says why, and what is kept."""


def fetch(wanted: Wanted, target: Path, *, told: Callable[[int, int | None], None] | None = None) -> str:
    """Download a file to `target`, whose folder exists.

    Args:
        wanted: address, size and checksums; all that are given are checked.
        target: where; only a whole and right file ever gets this name.
        told: called with how many bytes are here, and of how many.

    Returns:
        The file's sha256, hexadecimal.

    Raises:
        FetchError: no network, an error of the server, no room, or not the bytes that were wanted. What has come
            stays for the next try, unless it was wrong.
    """
    part, note = target.with_name(target.name + ".part"), target.with_name(target.name + ".part.json")
    try:
        with part.open("ab") as out:
            if wanted.size is not None and out.tell() > wanted.size:
                out.truncate(0)
            if wanted.size is None or out.tell() != wanted.size:
                _transfer(wanted, out, note, told or (lambda _, __: None))
    except OSError as error:
        raise FetchError(_trouble(wanted, error, part)) from None
    except http.client.HTTPException as error:
        kept = f"{_mb(part)} are kept, the same command goes on from there"
        raise FetchError(f"{wanted.url}: the connection broke ({type(error).__name__}); {kept}") from None
    sha256 = _checked(wanted, part, note)
    note.unlink(missing_ok=True)
    part.replace(target)
    return sha256


def _transfer(wanted: Wanted, out: BinaryIO, note: Path, told: Callable[[int, int | None], None]) -> None:
    have, before = out.seek(0, 2), _note(note)
    headers = {"User-Agent": AGENT, "Accept-Encoding": "identity"}
    if have and before.get("url") == wanted.url and before.get("tag"):
        headers |= {"Range": f"bytes={have}-", "If-Range": str(before["tag"])}
    request = urllib.request.Request(wanted.url, headers=headers)  # noqa: S310 - https, or what the user named
    with urllib.request.urlopen(request, timeout=WAIT_S) as answer:  # noqa: S310
        if have and not (answer.status == http.client.PARTIAL_CONTENT and _begins_at(answer, have)):
            have = 0
            out.truncate(0)
        tag = answer.headers.get("ETag") or answer.headers.get("Last-Modified")
        note.write_text(json.dumps({"url": wanted.url, "tag": tag}), encoding="utf-8")
        total = have + int(answer.headers["Content-Length"]) if answer.headers.get("Content-Length") else wanted.size
        _room(note.parent, (total or 0) - have)
        told(have, total)
        while chunk := answer.read(CHUNK):
            out.write(chunk)
            have += len(chunk)
            told(have, total)
    if total is not None and have < total:
        raise http.client.IncompleteRead(b"", total - have)


def _note(note: Path) -> dict[str, Any]:
    try:
        stored = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stored if isinstance(stored, dict) else {}


def _begins_at(answer: Any, have: int) -> bool:
    return str(answer.headers.get("Content-Range", "")).startswith(f"bytes {have}-")


def _room(folder: Path, need: int) -> None:
    if shutil.disk_usage(folder).free < need:
        raise OSError(errno.ENOSPC, "no room")


def _trouble(wanted: Wanted, error: OSError, part: Path) -> str:
    kept = f"; {_mb(part)} are kept, the same command goes on from there" if _size(part) else ""
    if isinstance(error, urllib.error.HTTPError):
        return f"{wanted.url}: the server says {error.code} {error.reason}"
    if isinstance(error, urllib.error.URLError):
        return f"{wanted.url} cannot be reached ({error.reason}): is there a network?{kept}"
    if error.errno == errno.ENOSPC:
        return f"{part.parent}: no room on this disk{kept}"
    if isinstance(error, TimeoutError):
        return f"{wanted.url}: nothing came for {WAIT_S:.0f} s{kept}"
    return f"{wanted.url}: the download broke off ({error.strerror or error}){kept}"


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _mb(path: Path) -> str:
    return f"{_size(path) / 1e6:.1f} MB"


def _checked(wanted: Wanted, part: Path, note: Path) -> str:
    """The sha256 of what came; what is not what was wanted is deleted."""
    with part.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    with part.open("rb") as file:
        md5 = hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
    problem = ""
    if wanted.sha256 is not None and sha256 != wanted.sha256:
        problem = f"its sha256 is {sha256}, not {wanted.sha256}"
    elif wanted.md5 is not None and md5 != wanted.md5:
        problem = f"its md5 is {md5}, not {wanted.md5}"
    elif wanted.size is not None and part.stat().st_size != wanted.size:
        problem = f"it has {part.stat().st_size} bytes, not {wanted.size}"
    if problem:
        part.unlink()
        note.unlink(missing_ok=True)
        raise FetchError(f"{wanted.url} is not the right file: {problem}; nothing was kept, try again or elsewhere")
    return sha256
