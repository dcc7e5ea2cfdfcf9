"""The same jobs on a Dask cluster. Needs the extra `cluster`; imported only when it is used.

Recordings and records must have the same paths on every computer of the cluster. Dask gives the job of a worker that
died to another one, which goes on with the record; the lock on a record keeps two workers from judging the same.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from referee.many.work import Job, Outcome

INSTALL = "pip install 'referee[cluster]'"
ANSWER_S = 10
"""A scheduler that has not answered after this long is not there."""
PATIENCE_S = 600.0
"""How long a worker waits for another that is judging the same recording: the cluster may have believed it dead."""


def run(
    jobs: Sequence[Job],
    work: Callable[[Job], Outcome],
    crashed: Callable[[Job, str], Outcome],
    address: str,
) -> Iterator[tuple[int, Outcome]]:
    """Number and outcome of every job, as they are done. Closing it cancels what has not begun.

    Raises:
        UsageError: the extra is not installed, or no scheduler answers.
    """
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=ANSWER_S, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(
            f"no Dask scheduler answers at {address} ({_short(error)}): start one with `dask scheduler`"
        ) from None
    with client:
        run_id = uuid.uuid4().hex
        futures = {
            client.submit(work, job, key=f"referee-{run_id}-{number}", pure=False): number
            for number, job in enumerate(jobs)
        }
        try:
            for future in distributed.as_completed(futures, loop=client.loop):
                number = futures[future]
                broken = future.exception()
                yield number, future.result() if broken is None else crashed(jobs[number], _short(broken))
        finally:
            client.cancel([future for future in futures if not future.done()])


def _distributed() -> Any:
    try:
        import distributed  # noqa: PLC0415  heavy, and part of the extra
    except ModuleNotFoundError as error:
        raise UsageError(f"--cluster needs the package {error.name}: run {INSTALL}") from None
    return distributed


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
