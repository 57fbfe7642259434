"""What the page about modules quotes from the packs stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from patolli.language.sources import plain, read_yaml

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "patching.md"
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def _parts(value: Any) -> Iterator[Any]:
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _parts(inner)


def _read(text: str) -> Any:
    tree, problems = read_yaml(text, "example.yaml")
    assert tree is not None
    assert not problems
    return plain(tree)


@pytest.fixture(scope="module")
def shipped() -> list[Any]:
    files = (ROOT / "content").glob("*/*.yaml")
    return [part for file in files for part in _parts(_read(file.read_text("utf-8")))]


def _within(quoted: Any, found: Any) -> bool:
    """Return whether something is what a page shows of it: lines of a text, keys of a mapping, entries of a list."""
    if isinstance(quoted, dict) and isinstance(found, dict):
        return all(key in found and _within(value, found[key]) for key, value in quoted.items())
    if isinstance(quoted, str) and isinstance(found, str):
        return set(quoted.strip().splitlines()) <= set(found.strip().splitlines())
    if isinstance(quoted, list) and isinstance(found, list) and quoted and isinstance(quoted[0], dict):
        return all(any(_within(entry, other) for other in found) for entry in quoted)
    return bool(quoted == found)


@pytest.mark.deep
@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_quoted_content_is_shipped(number: int, shipped: list[Any]) -> None:
    block = _read(BLOCKS[number])
    quotes = block
    if not isinstance(block, list):  # sections of several files, or a whole document
        quotes = [block] if "document" in block else [{name: section} for name, section in block.items()]
    assert [quote for quote in quotes if not any(_within(quote, part) for part in shipped)] == []


def test_page_quotes_content() -> None:
    assert len(BLOCKS) >= 6
