"""How many threads arithmetic libraries may use: one, for eye and ear are threads and processes already.

More of them wait for one another by spinning, and on a busy machine that takes many times what the arithmetic takes.
"""

from __future__ import annotations

import os

LIBRARIES = ("OPENBLAS", "OMP", "MKL")


def one_thread() -> None:
    """Keep arithmetic to one thread, unless the environment says otherwise; has no effect once numpy is loaded."""
    for library in LIBRARIES:
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
