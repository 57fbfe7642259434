"""Hashes of the program and of files: what is kept on disk is found again only if nothing has changed."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

import patolli
from patolli.language.sources.archive import BOUNDS, read_bytes
from patolli.language.sources.schema import schema_dir


def content_hash(path: Path) -> str:
    """Return a hash of the content of a file, or say why it cannot be read."""
    try:
        return sha256(read_bytes(path, BOUNDS.packed + 1)).hexdigest()
    except OSError as error:
        return f"{type(error).__name__}:{error.errno}"


@cache
def program_hash() -> str:
    """Return a hash of the program itself, its schemas and the version of Python."""
    total = sha256(sys.version.encode())
    for folder in (os.path.dirname(patolli.__file__), str(schema_dir())):
        files = (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)
        for file in sorted(file for file in files if file.endswith((".py", ".lark", ".json", ".md"))):
            content = b""
            with suppress(OSError), open(file, "rb") as opened:  # plain calls: each command hashes 800 files
                content = opened.read()
            total.update(f"{file.removeprefix(folder)}\0{len(content)}\0".encode() + content)
    return total.hexdigest()
