"""What a phone sends: one JSON greeting, then binary messages, each a header of 16 bytes and a payload.

    kind (1 byte): 1 picture, 2 sound    flags (1 byte): 1 the picture stands alone    2 bytes of zero
    sequence (4 bytes): counts the session's messages    stamp (8 bytes, signed), all big-endian

A picture's stamp is its time in microseconds since the session began, a sound's the index of its first sample; the
payload is one encoded picture, or interleaved samples of 16 bits, little-endian.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.events import SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

HEADER = struct.Struct(">BBHIq")
PICTURE, SOUND = 1, 2
ALONE = 1
MOST_PICTURE, MOST_SOUND = 2_000_000, 200_000
"""Bytes of one message: a picture of 1080p as JPEG is half of that, a tenth of a second of stereo a fifth."""
MOST_BYTES = MOST_PICTURE + HEADER.size
MOST_MARKS = 400
LONGEST_S = 24 * 3600.0
CODECS = {"avc1": "h264", "vp8": "vp8", "vp09": "vp9"}
"""How browsers name a codec's family -> FFmpeg's name."""
ALTERING = ("echoCancellation", "noiseSuppression", "autoGainControl")
"""What a browser may do to sound that can swallow a second voice."""


class WireError(ValueError):
    """A message that no page of this program sends."""


@dataclass(frozen=True, slots=True)
class Message:
    """One binary message."""

    kind: int
    alone: bool
    sequence: int
    stamp: int
    payload: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """What a camera page says of itself before it streams."""

    session: str
    """Chosen at random by the page when people pressed start: it comes again after a lost connection."""
    rate: int
    channels: int
    codec: str
    """FFmpeg's name. H.264 comes with its start codes and with its set-up in every picture that stands alone."""
    size: tuple[int, int]
    marks: tuple[tuple[int, int], ...] = ()
    """Sequence numbers and times in ms of the pictures that stand alone and that the page still holds."""
    altered: tuple[str, ...] = ()
    """What the browser does to the sound although it was asked not to."""
    friendly: bool = False
    """Whether people said that this game shall not be ranked."""


def parse(data: bytes) -> Message:
    """Read one binary message.

    Raises:
        WireError: it is malformed, or larger than is allowed.
    """
    if len(data) <= HEADER.size:
        raise WireError("a message without content")
    kind, flags, zero, sequence, stamp = HEADER.unpack_from(data)
    payload = data[HEADER.size :]
    if kind not in (PICTURE, SOUND) or zero or flags & ~ALONE:
        raise WireError("a message of no known kind")
    if len(payload) > (MOST_PICTURE if kind == PICTURE else MOST_SOUND):
        raise WireError("a message that is too large")
    if not 0 <= stamp <= (LONGEST_S * 1e6 if kind == PICTURE else LONGEST_S * 192_000):
        raise WireError("a message from another time")
    return Message(kind, bool(flags & ALONE), sequence, stamp, payload)


def samples(payload: bytes, channels: int) -> NDArray[np.float32]:
    """Samples of a sound message, shape (channels, n), full scale 1: as a decoder gives them from the kept file.

    Raises:
        WireError: its length does not fit.
    """
    if len(payload) % (2 * channels):
        raise WireError("sound that breaks off within a sample")
    raw = np.frombuffer(payload, "<i2").reshape(-1, channels).T
    return raw.astype(np.float32) / np.float32(32768.0)


@dataclass(frozen=True, slots=True)
class Hello:
    """What a player's page says before it streams."""

    session: str
    seat: str
    rate: int
    channels: int
    altered: tuple[str, ...]


def hello(given: Mapping[str, Any]) -> Hello:
    """Read a player's greeting.

    Raises:
        WireError: a field is missing or out of bounds.
    """
    if given.get("seat") not in SEATS:
        raise WireError("seat")
    channels = _whole(given, "channels", 1, 2)
    return Hello(
        _session(given), given["seat"], _whole(given, "rate", 8000, 192_000), channels, altered(given.get("sound"))
    )


def _session(given: Mapping[str, Any]) -> str:
    session = given.get("session")
    if not isinstance(session, str) or not re.fullmatch(r"[0-9a-f]{16,64}", session):
        raise WireError("session")
    return session


def greeting(given: Mapping[str, Any]) -> Greeting:
    """Read a camera page's greeting.

    Raises:
        WireError: a field is missing or out of bounds.
    """
    session, codec = _session(given), str(given.get("codec", "")).split(".")[0]
    if codec not in CODECS:
        raise WireError("codec")
    size = (_whole(given, "width", 160, 3840), _whole(given, "height", 120, 3840))
    if size[0] % 2 or size[1] % 2:
        raise WireError("size")
    return Greeting(
        session=session,
        rate=_whole(given, "rate", 8000, 192_000),
        channels=_whole(given, "channels", 1, 2),
        codec=CODECS[codec],
        size=size,
        marks=_marks(given.get("marks", [])),
        altered=altered(given.get("sound")),
        friendly=given.get("friendly") is True,
    )


def altered(sound: object) -> tuple[str, ...]:
    """Which alterations of sound stayed on, as the page read them back."""
    return tuple(name for name in ALTERING if isinstance(sound, dict) and sound.get(name) is True)


def _marks(given: object) -> tuple[tuple[int, int], ...]:
    if not isinstance(given, list) or len(given) > MOST_MARKS:
        raise WireError("marks")
    if not all(isinstance(m, list) and len(m) == 2 and all(type(v) is int and v >= 0 for v in m) for m in given):
        raise WireError("marks")
    return tuple((m[0], m[1]) for m in given)


def _whole(given: Mapping[str, Any], name: str, least: int, most: int) -> int:
    value = given.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise WireError(name)
    return value
