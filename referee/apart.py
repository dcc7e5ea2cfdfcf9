"""A source of events in a process of its own, so that eye and ear really work at the same time.

Both spend most of their time in Python between short calls of libraries; as threads they would take turns.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import signal
import weakref
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from referee.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

T = TypeVar("T")


class Apart(Generic[T]):
    """Everything that `make(*args)` gives, made in another process, which starts at once and ends when this is closed.

    Args:
        make: a function of a module (it is looked up by name there).
        args: what it is called with; can be pickled.
    """

    def __init__(self, make: Callable[..., Iterable[T]], *args: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._reader, writer = context.Pipe(duplex=False)
        self._process = context.Process(target=_work, args=(writer, make, args), daemon=True)
        self._process.start()
        writer.close()
        self._ended = False
        self._end = weakref.finalize(self, _end, self._reader, self._process)

    def __iter__(self) -> Apart[T]:
        return self

    def __next__(self) -> T:
        """What comes next.

        Raises:
            InputError: the other process ended unasked, as one that runs out of memory does.
            Exception: whatever `make` raised, after everything that it gave before.
        """
        if self._ended:
            raise StopIteration
        try:
            item = self._reader.recv()
        except EOFError:
            self._process.join()
            code = self._process.exitcode
            raise InputError(f"the eye stopped unasked (exit status {code}); judge again") from None
        if item is None:
            self._ended = True
            raise StopIteration
        if isinstance(item, BaseException):
            raise item
        return item  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the other process."""
        self._end()


def _end(reader: Connection, process: SpawnProcess) -> None:
    reader.close()
    process.terminate()
    process.join()


def _work(out: Connection, make: Callable[..., Iterable[object]], args: tuple[Any, ...]) -> None:
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
