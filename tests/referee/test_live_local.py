"""This computer's devices: found, missing, unplugged and back. Devices are stand-ins; what is made of them is real."""

import threading
import time

import numpy as np
import pytest
from live_helpers import PATIENCE_S

from audio.decode import blocks
from referee import cli
from referee.errors import InputError, UsageError
from referee.judge import Request
from referee.live import local
from referee.live.naming import Names
from referee.live.table import Table
from vision.decode import frames

RATE = 48000


class FakeStream:
    """A microphone that hums, until it is unplugged."""

    def __init__(self, library, callback, samplerate, channels, **_):
        self.library, self.callback, self.rate, self.channels = library, callback, samplerate, channels
        self.running = False

    def start(self):
        self.running = True
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while self.running and not self.library.unplugged:
            self.callback(np.full((960, self.channels), 321, np.int16), 960, None, "")
            time.sleep(960 / self.rate)

    def stop(self):
        self.running = False

    close = stop


class FakeLibrary:
    """As much of sounddevice as is used."""

    PortAudioError = type("PortAudioError", (Exception,), {})

    def __init__(self, *, rates=(RATE,), there=True):
        self.rates, self.there, self.unplugged, self.opened = rates, there, False, 0

    def query_devices(self, which=None, kind=None):
        device = {"name": "Fake", "max_input_channels": 2, "default_samplerate": 44100.0}
        if kind is None:
            return [device, {"name": "Speaker", "max_input_channels": 0, "default_samplerate": 48000.0}]
        if not self.there or which not in (None, 0, "Fake"):
            raise ValueError("no input device")
        return device

    def InputStream(self, *, samplerate, **more):  # noqa: N802  the library's own name
        if samplerate not in self.rates or self.unplugged:
            raise self.PortAudioError("Invalid sample rate")
        self.opened += 1
        return FakeStream(self, samplerate=samplerate, **more)


class FakeCamera:
    """A camera of thirty grey pictures a second."""

    def read(self):
        time.sleep(1 / 30)
        return True, np.full((240, 321, 3), 90, np.uint8)

    def release(self):
        pass


@pytest.fixture
def devices(monkeypatch):
    library = FakeLibrary()
    monkeypatch.setattr(local, "sounddevice", lambda: library)
    monkeypatch.setattr(local, "open_camera", lambda _: FakeCamera())
    return library


def waits(wanted):
    """Until something is true that must become so, on however busy a machine."""
    until = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_game_is_streamed_kept_and_ended(tmp_path, devices, monkeypatch):
    monkeypatch.setattr(local, "SILENT_S", 0.3)
    told = []
    table = Table("table", Request(recording=tmp_path / "x.mkv"), Names(tmp_path, "table"), lambda: None)
    computer = local.Local(local.Chosen(), told.append)
    computer.start(table)
    waits(lambda: table.session is not None and table.session.picture_ms > 1000 and table.session.sound_ms > 500)
    devices.unplugged = True
    waits(lambda: any("unplugged" in line for line in told))
    gone_ms = table.session.picture_ms
    devices.unplugged = False
    waits(lambda: devices.opened == 2)
    waits(lambda: min(table.session.picture_ms, table.session.sound_ms) > gone_ms + 800)
    computer.stop()
    table.finish()
    assert devices.opened == 2
    media = next(tmp_path.glob("*.mkv"))
    seen, heard = [f.time_s for f in frames(media)], list(blocks(media))
    assert len(seen) > 5
    assert seen == sorted(set(seen))
    whole = np.concatenate([b.samples for b in heard], axis=1)
    assert whole.shape[0] == 2
    assert set(np.unique(np.round(whole * 32768))) == {0.0, 321.0}  # what was missed is silence at its own time
    assert abs(whole.shape[1] / RATE - seen[-1]) < 1.5


def test_another_rate_is_taken_where_the_first_is_refused(devices):
    devices.rates = (44100,)
    assert local.open_microphone(None, lambda *_: None)[1:] == (44100, 2)
    devices.rates = ()
    with pytest.raises(InputError, match="cannot be opened"):
        local.open_microphone(None, lambda *_: None)


def test_no_microphone_is_said_in_one_line(devices, capsys):
    devices.there = False
    assert cli.run(["live"]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1
    assert "no microphone" in said[0]


def test_no_camera_is_said_in_one_line(monkeypatch, capfd):
    monkeypatch.setattr(local, "sounddevice", FakeLibrary)
    assert cli.run(["live", "--camera", "/nowhere/camera"]) == 2
    (said,) = capfd.readouterr().err.strip().splitlines()
    assert "camera /nowhere/camera cannot be opened" in said


@pytest.mark.usefixtures("devices")
def test_devices_are_listed(monkeypatch, capsys):
    monkeypatch.setattr(local, "_cameras", list)
    assert cli.run(["live", "--list"]) == 0
    assert capsys.readouterr().out.splitlines() == ["microphone 0: Fake (2 channels, 44100 Hz)", "no camera"]


def test_a_missing_portaudio_is_said_with_what_to_do(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(UsageError, match="libportaudio2"):
        local.sounddevice()


def test_an_unknown_device_is_said(devices):
    with pytest.raises(UsageError, match="referee live --list"):
        local.open_microphone(7, lambda *_: None)
    assert devices.opened == 0
