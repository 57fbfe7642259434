"""How long something may take on a machine that others use, too."""

from __future__ import annotations

import os


def within(seconds: float) -> float:
    """Return how long something may take that takes so many seconds where nothing else runs: more, if cores are shared."""
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
