"""Nothing is sent anywhere, and nothing is prepared to be."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
READ = "import vision, numpy; from vision import classify; classify.look([numpy.zeros((128, 96, 3), numpy.uint8)])"


def test_reading_cards_leaves_no_trace_of_telemetry(tmp_path):
    spared = ("CI", "ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME")
    environment = {k: v for k, v in os.environ.items() if k not in spared} | {"HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", READ], check=True, env=environment, cwd=ROOT)
    assert list(tmp_path.rglob("*")) == []
