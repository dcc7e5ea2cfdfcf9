"""Under which addresses phones in the same network reach this computer."""

from __future__ import annotations

import contextlib
import socket

PROBE = "192.0.2.1"
"""An address that belongs to nobody (RFC 5737). Nothing is sent: the system only says which way it would go."""


def local_addresses() -> list[str]:
    """IPv4 addresses of this computer that others may reach, likeliest first; loopback if there is no other."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect((PROBE, 9))
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    real = [a for a in dict.fromkeys(found) if not a.startswith("127.")]
    return real or ["127.0.0.1"]


def names() -> list[str]:
    """Everything that the certificate must cover: addresses, loopback, and this computer's name in the network."""
    host = socket.gethostname().split(".")[0].lower()
    good = host.isascii() and host.replace("-", "").isalnum()
    return [*local_addresses(), "127.0.0.1", "localhost", *([f"{host}.local"] if good else [])]
