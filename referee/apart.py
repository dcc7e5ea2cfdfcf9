"""A source of events in a process of its own, so that eye and ear really work at the same time.

Both spend most of their time in Python between short calls of libraries; as threads they would take turns.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import signal
from typing import TYPE_CHECKING, Any

from referee.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from multiprocessing.connection import Connection

    from referee.events import Event, SeenTo

    Make = Callable[..., Iterable[Event | SeenTo]]


def apart(make: Make, *args: Any) -> Generator[Event | SeenTo]:
    """Everything that `make(*args)` gives, made in another process, which ends when this is closed.

    Args:
        make: a function of a module (it is looked up by name there).
        args: what it is called with; can be pickled.

    Raises:
        InputError: the other process ended unasked, as one that runs out of memory does.
        Exception: whatever `make` raised, after everything that it gave before.
    """
    context = multiprocessing.get_context("spawn")
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(writer, make, args), daemon=True)
    process.start()
    writer.close()
    try:
        while True:
            try:
                item = reader.recv()
            except EOFError:
                process.join()
                raise InputError(f"the eye stopped unasked (exit status {process.exitcode}); judge again") from None
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        reader.close()
        process.terminate()
        process.join()


def _work(out: Connection, make: Make, args: tuple[Any, ...]) -> None:
    """The other process's life."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when to end
    # Nobody may be listening any more.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        try:
            for item in make(*args):
                out.send(item)
        except (BrokenPipeError, ConnectionResetError):
            return
        except Exception as error:  # noqa: BLE001  whatever it is, it is raised again in the parent
            out.send(_portable(error))
        else:
            out.send(None)


def _portable(error: Exception) -> Exception:
    """The error, or one that says the same, if it cannot be sent."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  made a moment ago
    except Exception:  # noqa: BLE001  any failure means that it cannot
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
