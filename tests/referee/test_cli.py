"""The command line itself: every command explains itself, and a fault of ours is one line too."""

import subprocess
import sys
from pathlib import Path

import pytest

from referee import cli

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", list(cli.COMMANDS))
def test_every_command_has_a_help(name, capsys):
    assert cli.run([name, "--help"]) == 0
    assert "Usage:" in capsys.readouterr().out


def test_an_unknown_command_is_usage(capsys):
    assert cli.run(["umpire"]) == 2
    assert "umpire" in capsys.readouterr().err


def test_a_fault_of_ours_is_one_line_and_kept_whole(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(cli.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr("referee.commands.doctor.findings", lambda: 1 / 0)
    assert cli.run(["doctor"]) == 70
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert "ZeroDivisionError" in lines[0]
    assert "Traceback" in (tmp_path / "referee-fault.txt").read_text()


def test_starting_imports_neither_eye_nor_ear():
    code = "import sys, referee.cli; print([m for m in ('numpy', 'cv2', 'vosk', 'av') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"
