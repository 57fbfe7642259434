"""Print the mistakes that the tests plant, with what is said about each, as a table in Markdown.

python tools/mistakes.py
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from planted.mistakes import MISTAKES, PACK
from planted.planting import copied, found, planted

HEAD = ("", "mistake", "written", "reported at", "code", "message", "help")


def rows() -> Iterator[tuple[str, ...]]:
    """Plant one mistake after the other and describe the first problem of each."""
    with tempfile.TemporaryDirectory() as folder:
        pack = copied(PACK, Path(folder))
        for number, mistake in enumerate(MISTAKES, 1):
            with planted(pack, mistake) as place:
                first, *more = found(pack)
            again = f" (at {len(more) + 1} places)" if more else ""
            written = next((line.strip() for line in mistake.new.splitlines() if "^" in line), mistake.new.strip())
            written = written.replace("^", "", 1)[:60]
            where = f"{place.file}:{place.line}:{place.column}"
            yield (
                str(number),
                mistake.what,
                f"`{written}`" if written else "",
                where,
                first.code,
                first.message + again,
                first.help,
            )


def main() -> None:
    """Print the table."""
    for row in (HEAD, ("---",) * len(HEAD), *rows()):
        print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")


if __name__ == "__main__":
    main()
