"""Something that is being made in a thread, and waited for where it is first used."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Later(Generic[T]):
    """What `make` gives; it begins at once.

    Args:
        make: is called in a thread of its own; a program that ends waits for it.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def get(self) -> T:
        """Wait for it.

        Raises:
            Exception: whatever `make` raised, each time.
        """
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._made[0]

    def _run(self) -> None:
        try:
            self._made.append(self._make())
        except Exception as error:  # noqa: BLE001  whatever it is, it is raised where it is waited for
            self._error = error


class Made(Later[T]):
    """What is there already."""

    def __init__(self, it: T) -> None:
        self._it = it

    def get(self) -> T:
        """At once."""
        return self._it
