"""The pages' files: a fixed list, read once. No address leads to any other file."""

from __future__ import annotations

from importlib import resources

KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def load() -> dict[str, tuple[bytes, str]]:
    """Content and type by file name."""
    out = {}
    for file in resources.files("referee.live").joinpath("pages").iterdir():
        kind = KINDS.get(file.name.rpartition(".")[2])
        if kind and file.is_file():
            out[file.name] = (file.read_bytes(), kind)
    return out
