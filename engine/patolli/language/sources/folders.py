"""Go through the folder of a pack, without trusting it.

Links to folders are not followed; one to a file counts while it stays inside. What cannot be looked into, and what
leads out, is reported.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from patolli.language.diagnostics.problem import Problem, start_of

_DOCUMENT = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*document[ \t]*:")


IGNORE = ".patolliignore"
"""The file in the folder of a pack that lists what is not part of the pack, one pattern on a line."""


def yaml_below(folder: Path) -> list[Path]:
    """Return what is called like a YAML file below a folder, in the order of the names, without what is hidden."""
    return sorted(path for path in paths_below(folder) if path.name.endswith(".yaml"))


def paths_below(folder: Path, unreadable: list[OSError] | None = None) -> Iterator[Path]:
    """Go through a folder and the folders in it, without what is hidden or a link, but with ``IGNORE``."""
    for place, folders, files in os.walk(folder, onerror=None if unreadable is None else unreadable.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        here = Path(place)
        yield from (here / name for name in (*folders, *files) if not name.startswith(".") or name == IGNORE)


def leads_out(path: Path, folder: Path) -> bool:
    """Return whether a file is a link to something outside of a folder."""
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def link_problem(path: Path) -> Problem:
    """Report a file that is not read because it leads out of its pack."""
    message = "the file cannot be read: it is a link that leads out of the pack"
    return Problem("P0010", message, start_of(str(path)), "put the file itself there")


def ignoring(patterns: str) -> Callable[[str], bool]:
    """Return a function that tests whether a file is ignored, by its path from the folder of the pack, with slashes.

    A pattern without a slash means files and folders of this name, wherever they are. One with a slash means a path
    from the folder of the pack. A folder stands for all that is in it. ``*`` stands for any letters.
    ``#`` begins a comment.
    """
    lines = [line.strip().rstrip("/") for line in patterns.splitlines()]
    wanted = [line for line in lines if line and not line.startswith("#")]

    def is_ignored_path(path: str) -> bool:
        here = PurePosixPath(path)
        return any(
            fnmatchcase(str(one), pattern.lstrip("/")) if "/" in pattern else fnmatchcase(one.name, pattern)
            for one in (here, *here.parents)
            for pattern in wanted
        )

    return is_ignored_path


def unfit(folder: Path, is_ignored: Callable[[str], bool]) -> list[Problem]:
    """Report the folders below one that cannot be looked into, and documents in files of a wrong name."""
    unreadable: list[OSError] = []
    found = find_misnamed_files(folder, unreadable)
    misnamed_ = [file for file in found if not is_ignored(file.relative_to(folder).as_posix())]
    return [
        *(
            Problem("P0010", f"the folder cannot be read: {(error.strerror or '').lower()}", start_of(error.filename))
            for error in unreadable
        ),
        *map(report_by_name, misnamed_),
    ]


def find_misnamed_files(folder: Path, unreadable: list[OSError] | None = None) -> list[Path]:
    """Return the files below a folder that hold a document, and are not read because of their names."""
    return sorted(path for path in paths_below(folder, unreadable) if is_misnamed(path))


def is_misnamed(path: Path) -> bool:
    """Return whether a file holds a document, and is not read because of its name."""
    return may_be_document(path) and path.suffix != ".yaml" and bool(_DOCUMENT.match(beginning(path, 4_096)))


def may_be_document(path: Path) -> bool:
    """Return whether a file of this name is opened, because it is called like a document or nearly so."""
    return path.name.lower().endswith((".yaml", ".yml", ".yaml.txt", ".yml.txt", IGNORE))


def is_utf8(path: Path) -> bool:
    """Return whether the name of a file is UTF-8, as archives and databases want it; on a disk it may be anything."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def beginning(path: Path, most: int) -> bytes:
    """Return the first bytes of a file; none of what is no file, is a link, or cannot be read."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return b""  # a pipe or a device may never end
        with path.open("rb") as file:
            return file.read(most)
    except OSError:
        return b""


def report_by_name(file: Path) -> Problem:
    """Say that a document is not read, and how its file should be called."""
    right = f"{file.name.partition('.')[0]}.yaml"
    message = f"a document in a file of this name is not read: {file.name!r}"
    return Problem("P0019", message, start_of(str(file)), f"rename it to {right!r}")
