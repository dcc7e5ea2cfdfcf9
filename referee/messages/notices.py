"""Notices about the picture, as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.messages import Message

if TYPE_CHECKING:
    from referee.events import TableNotice

KNOWN = frozenset({"moved", "dark", "glare", "far", "blurred", "covered", "unsteady"})


def notice(event: TableNotice) -> Message:
    """The message of a notice; codes that the catalogue does not know are said as they are."""
    if event.code in KNOWN:
        return Message(f"note.table.{event.code}")
    return Message("note.table.other", {"code": event.code})
