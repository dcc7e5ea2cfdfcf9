"""The eye: frames with true times, cards on the table, whose they are, when each was revealed."""

from vision.watch import watch

__all__ = ["watch"]
