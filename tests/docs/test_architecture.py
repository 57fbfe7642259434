"""The pages for contributors name files, functions and classes that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "engine" / "patolli"
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
RECIPES = ROOT / "CONTRIBUTING.md"
FILE = re.compile(r"`((?:cli|serve|measure|play|author|run|check|language|kernel)/[\w/]+(?:\.\w+|/)?)`")
ROW = re.compile(r"^\| [^|]+\? \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
BESIDE = re.compile(r"`((?:tests|tools|docs|schemas)/[\w/]+(?:\.\w+|/)?)`")


def test_every_module_on_the_pages_exists() -> None:
    named = {name for page in (PAGE, RECIPES) for name in FILE.findall(page.read_text("utf-8")) if "NAME" not in name}
    assert len(named) > 100
    assert sorted(name for name in named if not (ENGINE / name).exists()) == []


def test_every_other_file_on_the_pages_exists() -> None:
    texts = [page.read_text("utf-8") for page in (PAGE, RECIPES)]
    named = {name for text in texts for name in BESIDE.findall(text) if not re.search("NAME|FOLDER", name)}
    assert len(named) > 30
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


def test_every_answer_names_what_its_module_defines() -> None:
    rows = ROW.findall(PAGE.read_text("utf-8"))
    assert len(rows) > 40
    missing = []
    for files, names in rows:
        text = "\n".join((ENGINE / name).read_text("utf-8") for name in FILE.findall(files))
        for name in re.findall(r"`(\w+)`", names):
            if not re.search(
                rf"^\s*(?:export )?(?:async )?(?:def|class|function|const) {name}\b|^{name}\b.*=", text, re.MULTILINE
            ):
                missing.append(f"{files}: {name}")
    assert missing == []
