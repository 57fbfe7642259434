"""The page about the architecture names modules, functions and classes that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "engine" / "patolli"
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
FILE = re.compile(r"`((?:cli|serve|measure|play|author|run|check|language|kernel)/[\w/]+(?:\.\w+|/)?)`")
ROW = re.compile(r"^\| [^|]+\? \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
pytestmark = pytest.mark.skipif(not (ENGINE / "run").is_dir(), reason="the packages are not in groups yet")


def test_every_file_on_the_page_exists() -> None:
    named = set(FILE.findall(PAGE.read_text("utf-8")))
    assert len(named) > 100
    assert sorted(name for name in named if not (ENGINE / name).exists()) == []


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
