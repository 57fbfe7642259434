"""What all tests share: a way to write golden files anew."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes sentences of the shipped content anew."""
    parser.addoption("--update-sentences", action="store_true", help="write tests/analysis/sentences anew")
