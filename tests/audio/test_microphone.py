"""What is taught at a microphone: recorded a few seconds at a time; without one, that is said."""

import numpy as np
import pytest
from test_taught import TEACHERS, blocks, said, spoken

from models import taught
from referee import cli, microphone
from referee.errors import UsageError
from referee.live import local


class Stream:
    """A microphone that gives two blocks as soon as it is listened to."""

    def __init__(self, heard, blocks_):
        self._heard, self._blocks = heard, blocks_

    def __enter__(self):
        for block in self._blocks:
            self._heard(block, len(block), None, None)

    def __exit__(self, *_):
        return None


def test_a_recording_is_what_the_microphone_gave(monkeypatch):
    given = [np.full((480, 2), 16384, np.int16), np.full((480, 2), -16384, np.int16)]
    monkeypatch.setattr(local, "open_microphone", lambda _, heard: (Stream(heard, given), 48000, 2))
    waited = []
    (block,) = microphone.record("front", 1.5, waited.append)
    assert waited == [1.5]
    assert (block.rate, block.samples.shape) == (48000, (2, 960))
    assert (block.samples[:, 0].tolist(), block.samples[:, -1].tolist()) == ([0.5, 0.5], [-0.5, -0.5])


def test_a_microphone_that_gives_nothing_or_is_not_there_is_said(monkeypatch):
    monkeypatch.setattr(local, "open_microphone", lambda _, heard: (Stream(heard, []), 48000, 1))
    with pytest.raises(UsageError, match="gives no sound"):
        microphone.record(None, 0.1, lambda _: None)

    def missing(*_):
        raise UsageError("no microphone is there")

    monkeypatch.setattr(local, "open_microphone", missing)
    with pytest.raises(UsageError, match="no microphone is there; or give recordings as files"):
        microphone.record(None, 0.1)


def test_a_word_is_taught_at_the_microphone(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    sayings = iter(TEACHERS)
    monkeypatch.setattr(microphone, "record", lambda *_: list(blocks(said(spoken(next(sayings), "stone")))))
    assert cli.run(["words", "add", "stone", "--type", "rock", "--microphone", "--times", "4"]) == 0
    out = capsys.readouterr()
    assert "4 of 4: say 'stone' now" in out.err
    assert len(taught.read("stone").examples) == 4
