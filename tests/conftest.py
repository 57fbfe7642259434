"""What all tests share: a way to write golden files anew."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that write golden files anew."""
    parser.addoption("--update-sentences", action="store_true", help="write tests/analysis/sentences anew")
    parser.addoption("--update-pages", action="store_true", help="write tests/cli/pages anew")
