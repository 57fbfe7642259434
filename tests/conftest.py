"""What all tests share: the switch that rewrites golden files, and figures in the closing lines."""

from __future__ import annotations

import golden
import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the switch that rewrites golden files."""
    parser.addoption("--update", action="store_true", help="rewrite all golden files with what is printed now")


def pytest_configure(config: pytest.Config) -> None:
    """Let ``golden`` know of the switch, here and in the workers of xdist."""
    golden.updating = config.getoption("--update")


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
