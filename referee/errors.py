"""Errors that people see, as one clear line: what is wrong, where, what to do.

    RefereeError             exit status 2
    ├── UsageError           2: the command was given something it cannot use
    ├── RecordError          2: a record or event file is malformed (with its line number)
    └── InputError           3: the recording cannot be judged
        └── ModelError       3: a model is missing or damaged
"""

from __future__ import annotations


class RefereeError(Exception):
    """Base of everything that is reported as one line instead of a traceback."""

    exit_status = 2


class UsageError(RefereeError, ValueError):
    """An option or argument that cannot be used."""


class RecordError(RefereeError, ValueError):
    """A record or event file that cannot be read; the message names file and line."""


class InputError(RefereeError):
    """A recording that cannot be judged."""

    exit_status = 3


class ModelError(InputError):
    """A model that is missing, damaged or lacks a word."""
