"""The eye: frames with true times, cards on the table, whose they are, when each was revealed."""

import os

# Before anything loads onnxruntime: its later builds send usage data home unless they are told not to.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

from vision.watch import watch

__all__ = ["watch"]
