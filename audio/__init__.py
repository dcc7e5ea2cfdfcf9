"""The ear: samples become calls with their onset, its error and their seat. It knows no rules and no picture."""

from audio.listen import listen

__all__ = ["listen"]
