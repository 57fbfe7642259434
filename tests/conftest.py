"""What all tests share: a way to write golden files anew, and figures in the closing lines."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that write golden files anew."""
    parser.addoption("--update-sentences", action="store_true", help="write tests/analysis/sentences anew")
    parser.addoption("--update-pages", action="store_true", help="write tests/cli/pages anew")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have measured: each ``record_property("figure", ...)`` is a line."""
    figures = [
        value
        for report in terminalreporter.stats.get("passed", [])
        for name, value in report.user_properties
        if name == "figure"
    ]
    for figure in figures:
        terminalreporter.write_line(f"measured: {figure}")
