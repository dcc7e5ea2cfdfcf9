"""Record a few seconds from this computer's microphone, for what people teach by saying it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.errors import RefereeError, UsageError
from referee.media import AudioBlock

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def record(which: int | str | None, seconds: float, wait: Callable[[float], None] = time.sleep) -> list[AudioBlock]:
    """Record from a microphone.

    Args:
        which: its number or a part of its name; None for the system's own.
        seconds: how long.
        wait: passes the time.

    Returns:
        Blocks in time order.

    Raises:
        UsageError: there is no microphone, or it gives nothing.
    """
    from referee.live.local import open_microphone  # noqa: PLC0415  loads the video encoder too

    blocks: list[NDArray[np.int16]] = []

    def heard(samples: NDArray[np.int16], *_: Any) -> None:
        blocks.append(samples.copy())

    try:
        stream, rate, _ = open_microphone(which, heard)
    except RefereeError as error:
        raise UsageError(f"{error}; or give recordings as files") from None
    with stream:
        wait(seconds)
    if not blocks:
        raise UsageError("the microphone gives no sound: is it muted, or may this program not use it?")
    sound = np.concatenate(blocks).T.astype(np.float32) / np.float32(32768)
    return [AudioBlock(0.0, sound, rate)]
