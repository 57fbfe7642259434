"""The site builds without a warning, and every page can be reached."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_site_builds_strictly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)

    assert done.returncode == 0, done.stdout + done.stderr
    for page in ("index.html", "learn/first-game/index.html", "reference/errors/index.html"):
        assert (tmp_path / "site" / page).exists()


def test_every_page_is_in_the_menu_or_the_list_of_decisions() -> None:
    reached = (ROOT / "mkdocs.yml").read_text("utf-8") + (ROOT / "docs" / "decisions" / "README.md").read_text("utf-8")
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    assert [str(page) for page in pages if page.name not in reached] == []
