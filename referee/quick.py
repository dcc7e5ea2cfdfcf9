"""Frozen dataclasses that are made quickly.

A frozen dataclass sets each field through `object.__setattr__`, which looks the name up every time; a ruling takes a
hundred of them. `quick` writes an `__init__` (and a `__copy__`) that hands each value to its slot at once. Signature,
defaults, equality and frozenness stay as they are.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

T = TypeVar("T")


def quick(cls: type[T]) -> type[T]:
    """Give a frozen dataclass with slots, and without `__post_init__`, a quick `__init__` and `__copy__`."""
    given = fields(cls)  # type: ignore[arg-type]
    names: dict[str, Any] = {f"put_{one.name}": getattr(cls, one.name).__set__ for one in given}
    names |= {f"default_{one.name}": one.default for one in given}
    names |= {f"make_{one.name}": one.default_factory for one in given}
    names |= {"MISSING": MISSING, "new": object.__new__, "cls": cls}
    positional = [_parameter(one) for one in given if not one.kw_only]
    keywords = [_parameter(one) for one in given if one.kw_only]
    heading = ", ".join(["self", *positional, *(["*", *keywords] if keywords else [])])
    puts = [f"    put_{one.name}(self, {_value(one)})" for one in given]
    copies = [f"    put_{one.name}(other, self.{one.name})" for one in given]
    source = [f"def __init__({heading}):", *puts, "def __copy__(self):", "    other = new(cls)", *copies]
    exec("\n".join([*source, "    return other"]), names)  # noqa: S102 - made of field names alone, as dataclasses do
    for name in ("__init__", "__copy__"):
        names[name].__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, names[name])
    return cls


def changed(one: T, **changes: Any) -> T:
    """`dataclasses.replace` for quick dataclasses."""
    other: T = one.__copy__()  # type: ignore[attr-defined]
    for name, value in changes.items():
        object.__setattr__(other, name, value)
    return other


def _parameter(one: Field[Any]) -> str:
    if one.default_factory is not MISSING:
        return f"{one.name}=MISSING"
    return one.name if one.default is MISSING else f"{one.name}=default_{one.name}"


def _value(one: Field[Any]) -> str:
    made = f"make_{one.name}() if {one.name} is MISSING else {one.name}"
    return one.name if one.default_factory is MISSING else made
