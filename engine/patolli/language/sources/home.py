"""The folders of the user: where caches go, where packs of one's own lie, and where the program was called."""

from __future__ import annotations

import os
from pathlib import Path


def folder_of_user(variable: str, *usual: str) -> Path | None:
    """Return the folder that a variable of the environment names, or the *usual* one below the home of the user.

    None when there is no home either. What the variable holds counts only as an absolute path.

    Source:
        freedesktop.org, "XDG Base Directory Specification", version 0.8.
    """
    named = os.environ.get(variable, "")
    if os.path.isabs(named):
        return Path(named)
    try:
        return Path.home().joinpath(*usual)
    except RuntimeError:
        return None


def current_folder() -> Path | None:
    """Return the folder in which the program was called, or None when it is not there any more."""
    try:
        return Path.cwd()
    except OSError:
        return None
