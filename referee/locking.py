"""Locks on open files: two programs never write the same record or history at once.

The system lets go of a lock when its file is closed, after a crash too. Locks are advisory: whoever only reads is never
held up.
"""

from __future__ import annotations

import contextlib
import time
from errno import EACCES, EAGAIN, EDEADLK

HELD = frozenset({EACCES, EAGAIN, EDEADLK})
"""How systems say that somebody else holds the lock; any other error says that this file system has no locks."""
FAR = 1 << 40
"""Windows locks bytes and keeps others from reading them: one that no record reaches is locked."""
PAUSE_S = 0.05


def hold(handle: int, wait_s: float | None = 0.0) -> bool:
    """Take the lock of an open file; it is let go when the file is closed.

    Args:
        handle: file descriptor, open for writing.
        wait_s: how long to wait for somebody else to let go, seconds; None waits as long as it takes.

    Returns:
        Whether the lock was taken. True also where the file system has no locks.
    """
    end = None if wait_s is None else time.monotonic() + wait_s
    while True:
        try:
            _try_lock(handle)
        except OSError as problem:
            if problem.errno not in HELD:
                return True
            if end is not None and time.monotonic() >= end:
                return False
            time.sleep(PAUSE_S)
        else:
            return True


def _try_lock(handle: int) -> None:
    try:
        import fcntl  # noqa: PLC0415  not on Windows
    except ModuleNotFoundError:
        _try_lock_windows(handle)
        return
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _try_lock_windows(handle: int) -> None:
    import msvcrt  # noqa: PLC0415  only on Windows
    import os  # noqa: PLC0415  only needed here

    before = os.lseek(handle, 0, os.SEEK_CUR)
    with contextlib.ExitStack() as back:
        back.callback(os.lseek, handle, before, os.SEEK_SET)
        os.lseek(handle, FAR, os.SEEK_SET)
        getattr(msvcrt, "locking")(handle, getattr(msvcrt, "LK_NBLCK"), 1)  # noqa: B009  unknown to checkers elsewhere
