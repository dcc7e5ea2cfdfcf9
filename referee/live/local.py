"""This computer's own camera and microphones as a camera of the table.

Pictures are encoded and sound is cut into blocks exactly as a phone's would be, and go the same way: what is judged
is what the kept file holds. One clock: sound is the sample count of the device; a picture's time is when it was read,
on the clock by which the sound's arrival is known.
"""

from __future__ import annotations

import queue
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import av
import numpy as np

from referee.errors import InputError, RefereeError, UsageError
from referee.live import wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from referee.live.table import Table

BLOCK_S = 0.02
ALONE_EVERY = 60
SIZE = (1280, 720)
RATE = 48000
OPEN_S = 15.0
"""Windows takes up to 12 s to open a camera."""
CREEP = 1e-4
"""Clocks of sound devices run apart from the system's by at most this share."""
SILENT_S = 2.0
"""A microphone that gives nothing for so long is gone."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which devices to use."""

    camera: int | str = 0
    """A number as in the list, or a path."""
    microphone: int | str | None = None
    """A number or a part of the name; None for the system's own."""


def sounddevice() -> Any:
    """The sound library.

    Raises:
        UsageError: it, or PortAudio beneath it, is missing.
    """
    try:
        import sounddevice as library  # noqa: PLC0415  needs PortAudio, which may be missing
    except (ImportError, OSError) as error:
        todo = "install it (Debian, Ubuntu: sudo apt-get install libportaudio2)"
        raise UsageError(f"sound devices cannot be used ({error}): PortAudio is missing; {todo}") from None
    return library


def devices() -> list[str]:
    """Lines that list every microphone and camera that can be opened.

    Raises:
        UsageError: sound devices cannot be asked for.
    """
    lines = []
    for number, device in enumerate(sounddevice().query_devices()):
        if device["max_input_channels"] > 0:
            lines.append(
                f"microphone {number}: {device['name']} ({device['max_input_channels']} channels, "
                f"{device['default_samplerate']:.0f} Hz)"
            )
    return [*(lines or ["no microphone"]), *(_cameras() or ["no camera"])]


def _capture(which: int | str) -> Any:
    """OpenCV's camera, which says for itself whether it is open: its warnings are left out."""
    import cv2  # noqa: PLC0415  only here

    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    return cv2.VideoCapture(which)


def _cameras() -> list[str]:
    import cv2  # noqa: PLC0415  only here

    out = []
    for number in range(4):
        capture = _capture(number)
        if capture.isOpened():
            wide, high = (int(capture.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
            out.append(f"camera {number}: {wide} x {high}")
        capture.release()
    return out


class SoundClock:
    """When sample number n was in the air, by the least delay that was seen, which may creep up slowly."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self.zero: float | None = None
        """The system's time of sample 0."""
        self._at = 0.0

    def arrived(self, samples: int, now: float) -> None:
        """So many samples in all have arrived by now."""
        zero = now - samples / self._rate
        if self.zero is None:
            self.zero = zero
        self.zero = min(zero, self.zero + (now - self._at) * CREEP if self._at else zero)
        self._at = now


class Local:
    """This computer's devices, opened."""

    def __init__(self, chosen: Chosen, told: Callable[[str], None], rate: int = 30) -> None:
        """Open camera and microphone.

        Raises:
            UsageError: a device that was named is not there.
            InputError: a device cannot be opened.
        """
        self._told, self._chosen = told, chosen
        self._pace = rate
        self._sequence = 0
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._blocks: queue.Queue[NDArray[np.int16]] = queue.Queue()
        self._samples = 0
        self._camera = open_camera(chosen.camera)
        ok, first = self._camera.read()
        if not ok:
            raise InputError(f"camera {chosen.camera} gives no picture: is another program using it?")
        self.size = (first.shape[1] // 2 * 2, first.shape[0] // 2 * 2)
        self._microphone, self.rate, self.channels = open_microphone(chosen.microphone, self._heard)
        self._clock = SoundClock(self.rate)
        self._encoder = encoder(self.size)
        self._threads: list[threading.Thread] = []

    @property
    def greeting(self) -> wire.Greeting:
        """What a camera page would say."""
        return wire.Greeting(
            session=token_hex(16), rate=self.rate, channels=self.channels, codec="h264", size=self.size
        )

    def start(self, table: Table) -> None:
        """Begin a game at this table and stream until `stop`."""
        table.greet(self.greeting)
        self._microphone.start()
        self._threads = [threading.Thread(target=f, args=(table,), daemon=True) for f in (self._listen, self._watch)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Close the devices."""
        self._over.set()
        for thread in self._threads:
            thread.join(5)
        self._microphone.stop()
        self._microphone.close()
        self._camera.release()

    # Sound

    def _heard(self, data: NDArray[np.int16], _frames: int, _time: object, status: object) -> None:
        """PortAudio's own thread: only take it over."""
        if status:
            self._told(f"the microphone says: {status}")
        self._blocks.put(data.copy())

    def _listen(self, table: Table) -> None:
        silent = False
        while not self._over.is_set():
            try:
                block = self._blocks.get(timeout=SILENT_S)
            except queue.Empty:
                if not silent:
                    self._told("the microphone gives no sound any more: is it unplugged? The game waits for it")
                silent = True
                self._open_again()
                continue
            silent = False
            first, self._samples = self._samples, self._samples + len(block)
            self._clock.arrived(self._samples, time.monotonic())
            self._send(table, wire.SOUND, True, first, np.ascontiguousarray(block, "<i2").tobytes())

    def _open_again(self) -> None:
        """The microphone may be back, perhaps as another device; its samples go on at the right time."""
        with suppress(Exception):  # whatever PortAudio says of a device that is gone
            self._microphone.close()
        try:
            self._microphone, rate, channels = open_microphone(self._chosen.microphone, self._heard)
            if (rate, channels) != (self.rate, self.channels):
                self._microphone.close()
                return
            self._microphone.start()
        except (RefereeError, OSError):
            return
        if self._clock.zero is not None:
            self._samples = max(self._samples, round((time.monotonic() - self._clock.zero) * self.rate))

    # Pictures

    def _watch(self, table: Table) -> None:
        last, lost = -1.0, False
        while not self._over.is_set():
            ok, picture = self._camera.read()
            if not ok:
                if not lost:
                    self._told("the camera gives no picture any more: is it unplugged? The game waits for it")
                lost = True
                self._over.wait(0.5)
                continue
            lost = False
            zero, now = self._clock.zero, time.monotonic()
            if zero is None or now - zero <= last or now - zero - last < 1 / table.pace.rate - 0.006:
                continue
            last = now - zero
            for packet in self._encoded(picture, last):
                self._send(table, wire.PICTURE, bool(packet.is_keyframe), round(last * 1e6), bytes(packet))

    def _encoded(self, picture: NDArray[np.uint8], time_s: float) -> list[Any]:
        frame = av.VideoFrame.from_ndarray(picture[: self.size[1], : self.size[0]], format="bgr24")
        frame = frame.reformat(format="yuv420p")
        frame.pts, frame.time_base = round(time_s * 1e6), self._encoder.time_base
        return list(self._encoder.encode(frame))

    def _send(self, table: Table, kind: int, alone: bool, stamp: int, payload: bytes) -> None:
        with self._lock:
            if not table.full:
                table.take(wire.Message(kind, alone, self._sequence, stamp, payload))
                self._sequence += 1


def encoder(size: tuple[int, int]) -> av.VideoCodecContext:
    """An encoder that holds no picture back."""
    context = av.CodecContext.create("libx264", "w")
    assert isinstance(context, av.VideoCodecContext)  # noqa: S101  (it is one of pictures)
    context.width, context.height = size
    context.pix_fmt = "yuv420p"
    context.time_base = Fraction(1, 1_000_000)
    context.options = {"preset": "ultrafast", "tune": "zerolatency", "crf": "20", "g": str(ALONE_EVERY)}
    return context


def open_camera(which: int | str) -> Any:
    """A camera, without waiting for ever.

    Raises:
        UsageError: there is none of that number or name.
    """
    import cv2  # noqa: PLC0415  only here

    opened: list[Any] = []
    thread = threading.Thread(target=lambda: opened.append(_capture(which)), daemon=True)
    thread.start()
    thread.join(OPEN_S)
    if not opened or not opened[0].isOpened():
        raise UsageError(
            f"camera {which} cannot be opened: see `referee live --list`, or film with a phone: referee serve"
        )
    for name, value in (
        (cv2.CAP_PROP_FRAME_WIDTH, SIZE[0]),
        (cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1]),
        (cv2.CAP_PROP_FPS, 30),
    ):
        opened[0].set(name, value)
    return opened[0]


def open_microphone(which: int | str | None, heard: Callable[..., None]) -> tuple[Any, int, int]:
    """A microphone, with its rate and how many channels are used.

    Raises:
        UsageError: there is none, or none of that number or name.
        InputError: it cannot be opened.
    """
    library = sounddevice()
    try:
        device = library.query_devices(which, "input")
    except (ValueError, library.PortAudioError):
        there = "no microphone" if which is None else f"no microphone {which!r}"
        raise UsageError(f"{there} is there: see `referee live --list`, or film with a phone: referee serve") from None
    channels = min(2, int(device["max_input_channels"]))
    for rate in (RATE, int(device["default_samplerate"])):
        try:
            stream = library.InputStream(
                device=which,
                channels=channels,
                samplerate=rate,
                dtype="int16",
                blocksize=round(BLOCK_S * rate),
                callback=heard,
            )
        except library.PortAudioError as error:
            problem = str(error)
            continue
        return stream, rate, channels
    raise InputError(f"{device['name']} cannot be opened: {problem}")
