"""Addresses with keys, and their QR codes: in the terminal and on a page."""

from __future__ import annotations

import io
from dataclasses import dataclass

import segno

from referee.live.keys import COOKIE


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is found."""

    scheme: str
    host: str
    port: int
    first_time: str = ""
    """The plain page that hands out the certificate; empty if there is none."""

    @property
    def root(self) -> str:
        """The address without any key."""
        return f"{self.scheme}://{self.host}:{self.port}/"

    def link(self, key: str) -> str:
        """The address with a key in its fragment, which no browser sends to a server."""
        return f"{self.root}#{key}"

    def cookie(self, role: str) -> str:
        """The name of a role's cookie; the prefix that binds it to HTTPS only where there is HTTPS."""
        return f"{COOKIE}-{role}" if self.scheme == "https" else f"referee-{role}"


def svg(text: str) -> str:
    """A QR code as a picture, to be put into a page."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", border=2, xmldecl=False, svgns=True, scale=6)
    return out.getvalue().decode()


def terminal(text: str) -> str:
    """A QR code for a terminal of either brightness: half blocks, two rows a line."""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, border=1, compact=True)
    return out.getvalue()
