"""Hashes of the program and of files: what is kept on disk is found again only if nothing has changed."""

from __future__ import annotations

import os
import sys
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
    package = Path(patolli.__file__).parent
    files = [Path(place, name) for place, _, names in os.walk(package) for name in names]
    total = sha256(sys.version.encode())
    for folder, found in ((package, files), (schema_dir(), schema_dir().glob("*.json"))):
        for path in sorted(file for file in found if file.suffix in (".py", ".lark", ".json", ".md")):
            total.update(f"{path.relative_to(folder).as_posix()}\0{content_hash(path)}\0".encode())
    return total.hexdigest()
