"""Pages hold what was meant to stand there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEFT = re.compile(r"@@\w*@@|\b(?:TODO|FIXME|TBD|XXX)\b")


def test_no_page_waits_for_something_to_be_filled_in() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
    found = {str(page.relative_to(ROOT)): LEFT.findall(page.read_text("utf-8")) for page in pages}
    assert {page: left for page, left in found.items() if left} == {}
