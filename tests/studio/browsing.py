"""The page of the studio in a real browser, for tests; ``conftest`` has the fixtures that go with it."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXPECTED = re.compile("/preview|/source|Failed to load resource|^503 ")
"""Faults that may be: a look ahead is late when a player chooses at once, not everything has an entry, the server is busy."""


def tool(name):
    """Return a program of the folder ``tools``."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


browse = tool("browse")


def has(locator, number):
    """Wait until so many of something stand on the page, which draws when it gets round to it."""
    from playwright.sync_api import expect

    expect(locator).to_have_count(number)


def says(locator, text):
    """Wait until something on the page has a text in it."""
    from playwright.sync_api import expect

    expect(locator).to_contain_text(text)


def at_rest(page):
    """Wait until nothing moves on the page."""
    page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")
