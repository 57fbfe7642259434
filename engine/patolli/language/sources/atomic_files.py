"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from io import BufferedWriter
from pathlib import Path

_ROOM = 8_192
"""Bytes that must find room where a file is to be written."""


def write_whole(path: Path, data: str | bytes) -> None:
    """Write a file through a temporary one beside it, so that a crash leaves the old one or the new one.

    A file that is there keeps its permissions, and a link leads to the new file as it did to the old one. A pipe or a
    device is written to as it is. What UTF-8 lacks, such as a name of a file in another encoding, is written with a
    backslash, which in JSON is an escape.

    Raises:
        OSError: It cannot be written; its ``filename`` is *path*.
    """
    text = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
    try:
        mode = _mode(path)
        if mode is not None and not stat.S_ISREG(mode):
            with path.open("wb") as file:
                file.write(text)
        else:
            _replace(Path(os.path.realpath(path)), text, mode)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def check_writable(path: Path) -> None:
    """Find out whether a file can be written, before hours of work. Raises OSError, with *path* as ``filename``."""
    try:
        mode = _mode(path)
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(21, "Is a directory")
        if mode is None or stat.S_ISREG(mode):
            part, file = create_part(Path(os.path.realpath(path)))
            try:
                with file:
                    file.write(bytes(_ROOM))  # a full disk takes a name, and no content
            finally:
                _remove(part)
        elif not os.access(path, os.W_OK):  # opening a pipe would end its reader
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _mode(path: Path) -> int | None:
    """Return what kind of file there is, with its permissions; None when there is none."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def create_part(path: Path, form: str = ".{}.{}.part") -> tuple[Path, BufferedWriter]:
    """Create a temporary file beside *path*, and open it for writing.

    Its name is unpredictable, and nothing can be there already: a link that another user has prepared is not followed.

    Args:
        path: The file that will be written; a long name is shortened, as a longer one may not fit.
        form: The name, with a place for the name of the file and one for random letters.

    Raises:
        OSError: It cannot be created.
    """
    part = path.with_name(form.format(path.name[:40], secrets.token_hex(8)))
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    return part, os.fdopen(handle, "wb")


def _replace(path: Path, text: bytes, mode: int | None) -> None:
    part, file = create_part(path)
    try:
        with file:
            if mode is not None:
                part.chmod(stat.S_IMODE(mode))  # before the content, which others may not be allowed to read
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        _remove(part)


def _remove(part: Path) -> None:
    with suppress(OSError):  # what went wrong before is reported
        part.unlink(missing_ok=True)
