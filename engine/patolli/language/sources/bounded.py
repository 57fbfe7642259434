"""Read a file that a user names, as far as such files go: a device has no end."""

from __future__ import annotations

import errno
from pathlib import Path

LARGEST = 50_000_000
"""Bytes that are read of a file of text."""


def read_bounded(path: Path, most: int = LARGEST) -> bytes:
    """Return what a file holds. Raises OSError: it cannot be read, or has more than *most* bytes."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return data
