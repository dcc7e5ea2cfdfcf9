"""Errors that people see, as one clear line: what is wrong, where, what to do.

RefereeError             exit status 2
├── UsageError           2: the command was given something it cannot use
│   └── BusyError        2: another program is writing this file
├── RecordError          2: a record or event file is malformed (with its line number)
└── InputError           3: the recording cannot be judged
    ├── DamagedError     3: the recording breaks off; what came before was decoded
    └── ModelError       3: a model is missing or damaged
"""

from __future__ import annotations


class RefereeError(Exception):
    """Base of everything that is reported as one line instead of a traceback."""

    exit_status = 2


class UsageError(RefereeError, ValueError):
    """An option or argument that cannot be used."""


class BusyError(UsageError):
    """A file that another program is writing."""


class RecordError(RefereeError, ValueError):
    """A record or event file that cannot be read; the message names file and line."""


class InputError(RefereeError):
    """A recording that cannot be judged."""

    exit_status = 3


class DamagedError(InputError):
    """A recording that breaks off: everything up to `at_s` was given before this was raised."""

    def __init__(self, message: str, at_s: float) -> None:
        super().__init__(message)
        self.at_s = at_s
        """Seconds on the recording's clock up to which it could be decoded."""

    def __reduce__(self) -> tuple[type[DamagedError], tuple[str, float]]:
        """It is raised in one process and reported in another."""
        return DamagedError, (str(self), self.at_s)


class ModelError(InputError):
    """A model that is missing, damaged or lacks a word."""
