"""What sources hand to eye and ear: frames with true times, blocks of samples with true times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Frame(Protocol):
    """One picture of a recording, upright (rotation metadata applied). Converting is lazy: ask for what is used."""

    @property
    def time_s(self) -> float:
        """Presentation time in seconds on the recording's clock."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, upright."""

    def luma(self) -> NDArray[np.uint8]:
        """Brightness, shape (height, width): the decoder's own plane, cheap."""

    def image(self) -> NDArray[np.uint8]:
        """Colour, shape (height, width, 3), channel order blue, green, red."""


@dataclass(frozen=True, slots=True)
class AudioBlock:
    """Consecutive samples of all channels."""

    time_s: float
    """Time of the first sample, seconds on the recording's clock."""
    samples: NDArray[np.float32]
    """Shape (channels, n), full scale is 1."""
    rate: int
    """Samples a second."""
