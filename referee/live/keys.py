"""Who may do what: a key for each role of a table, given in the address's fragment and exchanged for a cookie.

A fragment is never sent to a server, so a key stands in no log and no referrer. The cookie is a signed statement of
table, role and the role's edition; new keys are a new edition, and every cookie of before is refused from then on.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

ROLES = ("camera", "player", "screen", "scorer")
"""camera streams the table, player a player's microphone; screen looks on; scorer also says what happened."""
COOKIE = "__Host-referee"
"""The prefix makes browsers insist on HTTPS, this host alone, and the whole of it."""


@dataclass(slots=True)
class Keys:
    """Keys of all tables of one server, kept in one file that only its owner can read."""

    path: Path
    secret: bytes = b""
    keys: dict[str, dict[str, str]] = field(default_factory=dict)
    """Key by role by table."""
    editions: dict[str, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Keys:
        """Read the kept keys, or begin with none. A file that cannot be understood is replaced."""
        keys = cls(path)
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            keys.secret = bytes.fromhex(kept["secret"])
            keys.keys = {str(t): {str(r): str(k) for r, k in roles.items()} for t, roles in kept["keys"].items()}
            keys.editions = {str(t): {str(r): int(n) for r, n in e.items()} for t, e in kept["editions"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            keys.secret = b""
        if len(keys.secret) < 32:
            keys.secret, keys.keys, keys.editions = secrets.token_bytes(32), {}, {}
        return keys

    def table(self, name: str) -> dict[str, str]:
        """The keys of a table, made when there are none."""
        if name not in self.keys or set(self.keys[name]) != set(ROLES):
            self.renew(name)
        return self.keys[name]

    def renew(self, name: str, roles: tuple[str, ...] = ROLES) -> None:
        """New keys for these roles: the old ones and every cookie made with them are worth nothing from now on.

        Raises:
            UsageError: they cannot be kept.
        """
        held, editions = self.keys.setdefault(name, {}), self.editions.setdefault(name, {})
        for role in roles:
            held[role] = secrets.token_urlsafe(18)
            editions[role] = editions.get(role, 0) + 1
        self._save()

    def role(self, key: str) -> tuple[str, str] | None:
        """Table and role that a key opens. Every key is compared in full, so that time tells nothing."""
        found = None
        for table, roles in self.keys.items():
            for role, held in roles.items():
                if hmac.compare_digest(_digest(held), _digest(key)):
                    found = (table, role)
        return found

    def cookie(self, table: str, role: str) -> str:
        """The value of the cookie that says so."""
        said = f"{table}.{role}.{self.editions[table][role]}"
        return f"{said}.{self._sign(said)}"

    def read(self, cookie: str) -> tuple[str, str] | None:
        """Table and role that a cookie states; None if it is not ours or of an old edition."""
        said, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(self._sign(said).encode(), signature.encode(errors="replace")):
            return None
        table, role, edition = said.rsplit(".", 2)
        current = self.editions.get(table, {}).get(role)
        return (table, role) if current is not None and str(current) == edition else None

    def _sign(self, said: str) -> str:
        return hmac.new(self.secret, said.encode(errors="replace"), hashlib.sha256).hexdigest()

    def _save(self) -> None:
        content = {"secret": self.secret.hex(), "keys": self.keys, "editions": self.editions}
        try:
            write_private(self.path, json.dumps(content).encode())
        except OSError as error:
            raise UsageError(
                f"cannot write {self.path}: {error.strerror}; set REFEREE_LIVE to another folder"
            ) from error


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    fresh.replace(path)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="replace")).digest()
