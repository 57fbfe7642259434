"""What all tests share: the switch that rewrites golden files, figures in the closing lines, signals, skipped tests."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
import time
from pathlib import Path

import golden
import pytest
from hypothesis import settings

CACHE = Path(__file__).resolve().parents[1] / "build" / "cache-of-tests"
"""What is compiled and checked once is kept here for all processes and runs; a change of the program makes it void."""

DATA = CACHE.with_name("data-of-tests")
"""The folder of the user's packs, in which nothing lies: a test that installs a pack uses a folder of its own."""

NO_TIME = "no time is left for it: tools/check --all runs it"
MAY_BE_SKIPPED = (
    "root may read everything",
    "no tsc on this machine",
    "no node",
    "node has no vscode-textmate",
    NO_TIME,
)
"""How reasons begin for which a test is skipped on a machine that has all that ``.ci/run`` provides."""

BEGAN = time.monotonic()
"""When this process began to collect tests."""

BROWSERS = {"browser", "chromium", "running"}
"""Fixtures that give a browser."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the switches."""
    parser.addoption("--update", action="store_true", help="rewrite all golden files with what is printed now")
    parser.addoption(
        "--begin-within", type=float, metavar="SECONDS", help="skip tests that have not begun after so long"
    )
    parser.addoption("--no-skips", action="store_true", help="fail if a test is skipped that CI can run")


def pytest_configure(config: pytest.Config) -> None:
    """Return ``golden`` of its switch, share a cache, and handle Ctrl-C, here and in the workers of xdist."""
    golden.updating = config.getoption("--update")
    os.environ["XDG_CACHE_HOME"] = str(CACHE)
    os.environ["XDG_DATA_HOME"] = str(DATA)
    if not hasattr(config, "workerinput"):  # workers and what they start inherit it
        # The folders that pytest makes for tests stay, for those who look why one failed.
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
        left = tempfile.TemporaryDirectory(prefix="patolli-tests-", ignore_cleanup_errors=True)
        Path(left.name).chmod(0o755)  # a database runs as another user
        os.environ["TMPDIR"] = tempfile.tempdir = left.name
        config.add_cleanup(left.cleanup)
    settings.register_profile("patolli", deadline=None)  # how fast a machine is must not decide
    settings.load_profile("patolli")
    gc.set_threshold(
        100_000, 20, 50
    )  # programs are many small objects, and live long: garbage collection costs a third
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in a job that a shell started with '&'
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test deep that uses a browser."""
    for item in items:
        if not BROWSERS.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.deep)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin no test after the time that CI has."""
    seconds = item.config.getoption("--begin-within")
    if seconds is not None and time.monotonic() - BEGAN > seconds:
        pytest.skip(NO_TIME)


@pytest.fixture
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Give a test a cache of its own, in which there is nothing yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Imagine worlds with a tenth of the effort: what a seat may know does not depend on how long it is looked for."""
    from patolli.run.runtime import particles

    for name, number in (("MANY", 16), ("ENOUGH", 8), ("IMPROVED", 20), ("MENDED", 2), ("TRIED", 60)):
        assert getattr(particles, name) > number
        monkeypatch.setattr(particles, name, number)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where a test is skipped that must not be."""
    gc.freeze()  # pytest collects garbage twice now, among all that lives
    if session.config.getoption("--no-skips") and session.exitstatus == 0 and needlessly_skipped(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


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
    if terminalreporter.config.getoption("--no-skips"):
        for name, reason in needlessly_skipped(terminalreporter.config):
            terminalreporter.write_line(f"skipped, though CI can run it: {name}: {reason}", red=True)


def needlessly_skipped(config: pytest.Config) -> list[tuple[str, str]]:
    """Return the tests that were skipped though CI can run them, with the reasons."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter else []
    found = [(report.nodeid, report.longrepr[2].removeprefix("Skipped: ")) for report in reports]
    return [(name, reason) for name, reason in found if not reason.startswith(MAY_BE_SKIPPED)]
