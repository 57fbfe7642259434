"""Keep modules that were made ready for this machine, so that a program is translated once and not in every run.

What lies there is machine code, which a runtime carries out as it is. So it is read only from a folder that belongs to
the user and that no other user may write to, never from a pack; and only what is whole: its first line holds a hash of
the rest. The name of a file is a hash of everything from which its content follows. A file that is anything but what it
should be counts for nothing, and so does a folder that cannot be written: then it is translated again. Many processes
may do so at once, as each file is written whole or not at all.
"""

from __future__ import annotations

import json
import os
import platform
import stat
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from patolli.language.sources.atomic_files import write_whole
from patolli.language.sources.hashes import program_hash
from patolli.language.sources.home import folder_of_user
from patolli.run.runtime import Ruleset

MOST = 200
"""Modules that are kept; those that were used the longest ago go first."""
ROOM = 512 << 20
"""Bytes that all of them may take."""
SUFFIX = ".module"


def folder() -> Path | None:
    """Return where modules are kept; None for a user without a home."""
    home = folder_of_user("XDG_CACHE_HOME", ".cache")
    return home / "patolli" / "native" if home is not None else None


def key_of(rules: Ruleset, seats: int, work: str) -> str:
    """Return a hash of all that a module follows from: content, seats, its work, this program, runtime, machine."""
    packs = [pack.id for pack in rules.packs]
    machine = [platform.system(), platform.machine(), platform.processor(), version("wasmtime"), _abilities()]
    text = json.dumps([program_hash(), packs, rules.content_hash, seats, work, machine])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _abilities() -> str:
    """Return what the processor can do, where the system says so."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            if line.startswith(("flags", "Features")):
                return line.partition(":")[2].strip()
    return ""


def holds(key: str) -> bool:
    """Return whether a module is there, whole or not."""
    place = folder()
    return place is not None and _private(place) and (place / (key + SUFFIX)).is_file()


def recall(key: str) -> tuple[dict[str, Any], bytes] | None:
    """Return what is recorded of a module, and the module; None where it is not there as it should be."""
    place = folder()
    if place is None or not _private(place):
        return None
    file = place / (key + SUFFIX)
    try:
        if not _own(os.lstat(file), stat.S_ISREG):
            return None
        head, _, module = file.read_bytes().partition(b"\n")
        reported = json.loads(head)
        if reported.pop("hash") != _hash(reported, module):
            return None
        os.utime(file)  # it was used
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return reported, module


def keep(key: str, reported: Mapping[str, Any], module: bytes) -> None:
    """Keep a module and what is recorded of it, whole or not at all."""
    place = folder()
    if place is None:
        return
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _private(place):
            return
        head = json.dumps({**reported, "hash": _hash(reported, module)})
        file = place / (key + SUFFIX)
        write_whole(file, head.encode() + b"\n" + module)
        _tidy(place, file)
    except OSError:
        return


def forget(key: str) -> None:
    """Delete a module that cannot be used."""
    place = folder()
    if place is not None and _private(place):
        with suppress(OSError):
            (place / (key + SUFFIX)).unlink(missing_ok=True)


def _hash(reported: Mapping[str, Any], module: bytes) -> str:
    return sha256(json.dumps(reported, sort_keys=True).encode() + b"\n" + module).hexdigest()


def _private(place: Path) -> bool:
    """Return whether a folder is one, belongs to the user, and no other user may write to it."""
    try:
        return _own(os.lstat(place), stat.S_ISDIR)
    except OSError:
        return False


def _own(found: os.stat_result, kind: Any) -> bool:
    if not kind(found.st_mode):
        return False
    if not hasattr(os, "getuid"):
        return True  # the system keeps others out of a user's folders
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _tidy(place: Path, newest: Path) -> None:
    """Delete those that were used the longest ago, where there are too many or they are too large."""
    found: list[tuple[float, int, Path]] = []
    for file in place.glob("*" + SUFFIX):
        with suppress(FileNotFoundError):  # another process has deleted it meanwhile
            known = file.stat()
            found.append((known.st_mtime, known.st_size, file))
    room = ROOM
    for number, (_, size, file) in enumerate(sorted(found, reverse=True)):
        room -= size
        if (number >= MOST or room < 0) and file != newest:
            file.unlink(missing_ok=True)
