"""Golden files: texts that people see, kept beside the tests. ``pytest --update`` rewrites all of them.

Read what changed as a user would (``git diff``) before you commit it.
"""

from __future__ import annotations

from pathlib import Path

updating = False
"""Whether ``--update`` was given; ``conftest`` sets it in every process that runs tests."""


def check(path: Path, found: str) -> None:
    """Compare a text with its golden file; with ``--update``, write the file first."""
    if updating:
        path.write_text(found, "utf-8", newline="")
    assert found == path.read_bytes().decode()
