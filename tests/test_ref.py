"""The bootstrap: what it runs, and what it says where something is missing."""

import importlib.machinery
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def ref():
    loader = importlib.machinery.SourceFileLoader("ref", str(ROOT / "ref"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ref", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


@pytest.fixture
def copy(tmp_path):
    """A clean copy of what the bootstrap needs, without an environment."""
    shutil.copy(ROOT / "ref", tmp_path)
    shutil.copytree(ROOT / "locks", tmp_path / "locks")
    return tmp_path


def test_a_python_without_venv_is_told_what_to_install(copy, tmp_path):
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "ensurepip.py").write_text("raise ImportError")
    done = subprocess.run(
        [sys.executable, copy / "ref", "judge"],
        env={"PYTHONPATH": str(hidden)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "sudo apt-get install -y python3." in done.stderr
    assert "Traceback" not in done.stderr


def test_an_old_python_is_told_which_one_is_needed(ref, monkeypatch, capsys):
    monkeypatch.setattr(ref.sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit) as stopped:
        ref.install("run.txt")
    assert stopped.value.code == 2
    assert "Python 3.11 or later is needed; this is 3.9" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "lock", "ends"),
    [
        (["judge", "x.mp4"], "run.txt", [["-m", "referee", "judge", "x.mp4"]]),
        ([], "run.txt", [["-m", "referee"]]),
        (["test", "-k", "merge"], "test.txt", [["-m", "pytest", "-k", "merge"]]),
    ],
)
def test_words_become_command_lines(ref, words, lock, ends):
    got_lock, lines = ref.commands(words)
    assert got_lock == lock
    assert [line[1:] for line in lines] == ends


def test_the_linters_run_one_after_the_other(ref):
    _, lines = ref.commands(["lint"])
    assert [line[2] for line in lines] == ["ruff", "ruff", "mypy"]


def test_a_changed_lock_makes_the_environment_stale(ref, copy, monkeypatch):
    monkeypatch.setattr(ref, "ROOT", str(copy))
    monkeypatch.setattr(ref, "VENV", str(copy))
    monkeypatch.setattr(ref, "PYTHON", sys.executable)
    assert not ref.ready("run.txt")
    (copy / "run.txt.stamp").write_text(ref.stamp("run.txt"))
    assert ref.ready("run.txt")
    with (copy / "locks" / "run.txt").open("a") as lock:
        lock.write("\n# changed")
    assert not ref.ready("run.txt")


def test_the_locks_name_no_registry():
    for lock in (ROOT / "locks").glob("*.txt"):
        text = lock.read_text()
        assert "://" not in text
        assert text.count("--hash=sha256:") > 100
