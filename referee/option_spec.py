"""One house rule as people see it, and how its value is read from text or JSON."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from referee.errors import UsageError

Value = bool | int | float | str


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One house rule, described for people."""

    name: str
    default: Value
    games: tuple[str, ...]
    sentence: str
    """What the printed sheet says, word for word; empty where the print is silent."""
    meaning: str
    """What the option decides, in one sentence."""
    allowed: tuple[str, ...] = ()
    """The words a choice may take."""
    least: float | None = None
    most: float | None = None
    unit: str = ""

    @property
    def type(self) -> str:
        """`yes/no`, `whole number`, `number` or `word`."""
        kinds = {bool: "yes/no", int: "whole number", float: "number", str: "word"}
        return kinds[type(self.default)]

    @property
    def values(self) -> str:
        """The allowed values, for people."""
        if self.allowed:
            return " | ".join(self.allowed)
        if isinstance(self.default, bool):
            return "yes | no"
        return f"{self.least:g} to {self.most:g} {self.unit}".rstrip()

    def parse(self, given: object) -> Value:
        """Turn text or a JSON value into this option's type.

        Raises:
            UsageError: it is not one of the allowed values.
        """
        value = _convert(given, self.default)
        if value is None or not self._allows(value):
            raise UsageError(f"option {self.name}: {given!r} is not allowed; use {self.values}")
        return value

    def _allows(self, value: Value) -> bool:
        if isinstance(value, str):
            return value in self.allowed
        return isinstance(value, bool) or self.least is None or self.most is None or self.least <= value <= self.most


_YES = {"yes", "true", "on", "1"}
_NO = {"no", "false", "off", "0"}


def _convert(given: object, default: Value) -> Value | None:
    """The value in the default's type, or None when it has no such meaning."""
    if isinstance(default, bool):
        return _to_bool(given)
    if isinstance(default, str):
        return given.strip().lower() if isinstance(given, str) else None
    if isinstance(given, bool) or not isinstance(given, int | float | str) or len(str(given)) > 40:
        return None
    try:
        number = float(given)
    except ValueError:
        return None
    if not isfinite(number) or (isinstance(default, int) and not number.is_integer()):
        return None
    return int(number) if isinstance(default, int) else number


def _to_bool(given: object) -> bool | None:
    if isinstance(given, bool):
        return given
    word = given.strip().lower() if isinstance(given, str) else ""
    return True if word in _YES else False if word in _NO else None
