"""The official small models that the referee can fetch: names, sizes and checksums, as data in `official.tsv`.

A checksum that is not known is not made up: such a model is checked against the md5 of the site's own list, and the
sha256 that it had the first time is kept and must stay the same (`models.store`).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import resources

from referee.errors import UsageError

SITE = "https://alphacephei.com/vosk/models"
"""Where the makers of Vosk publish their models, each as NAME.zip."""


@dataclass(frozen=True, slots=True)
class Official:
    """One model as its makers publish it."""

    name: str
    language: str
    """The lexicon that it goes with: `en`, `de`, `es`, `ko`."""
    title: str
    size: int
    """Bytes of the zip."""
    sha256: str | None
    """Of the zip, hexadecimal; None if nobody has written it down."""
    md5: str
    """Of the zip, from the site's own list: guards against damage, not against forgery."""

    @property
    def tag(self) -> str:
        """The short name: `en-us`, `de`."""
        return self.name.removeprefix("vosk-model-small-").rpartition("-")[0]


@functools.cache
def models() -> tuple[Official, ...]:
    """All models that can be fetched by name."""
    text = (resources.files("models") / "official.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(Official(n, lang, title, int(size), None if s == "-" else s, m) for n, lang, title, size, s, m in rows)


def find(name: str) -> Official:
    """The model of that name or short name.

    Raises:
        UsageError: there is none.
    """
    for model in models():
        if name in (model.name, model.tag):
            return model
    known = ", ".join(model.tag for model in models())
    raise UsageError(f"no official model is called {name!r}; there are {known} (referee models list)")
