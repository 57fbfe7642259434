"""The plugin for pytest: every scenario of a YAML file is a test.

A file counts when its first lines say ``document: scenarios`` and a pack lies around it; other YAML files are
left to others. The engine is imported only when there is such a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import patolli

if TYPE_CHECKING:
    from patolli.author.scenarios.bench import Bench
    from patolli.author.scenarios.outcome import Outcome
    from patolli.author.workspace.scenarios.scenario_reader import Scenario

HEAD = 400
"""Bytes at the beginning of a file in which it has to say what it is."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a file that holds scenarios."""
    if file_path.suffix == ".yaml" and _is_scenarios(file_path):
        folder = next((folder for folder in file_path.parents if (folder / "pack.yaml").is_file()), None)
        if folder is not None:
            file: ScenarioFile = ScenarioFile.from_parent(parent, path=file_path)
            file.folder = folder
            return file
    return None


def _is_scenarios(path: Path) -> bool:
    """Look at the beginning of a file; blank lines and comments may come first."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError:
        return False
    for line in head.splitlines():
        text = line.strip()
        if text and not text.startswith(b"#"):
            return text.replace(b" ", b"").split(b"#")[0] == b"document:scenarios"
    return False


class ScenarioFailed(Exception):
    """A scenario did not pass."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome.name)


_suites = pytest.StashKey[dict[Path, Any]]()
_benches = pytest.StashKey[dict[Any, Any]]()


class ScenarioFile(pytest.File):
    """A file of scenarios."""

    folder: Path

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each scenario of the file."""
        from patolli.author.scenarios.suites import find_suite
        from patolli.language.diagnostics import ContentError
        from patolli.language.diagnostics.text import render_text

        suites = self.config.stash.setdefault(_suites, {})
        if self.folder not in suites:
            try:
                suites[self.folder] = find_suite(str(self.folder))
            except ContentError as error:
                raise self.CollectError(render_text(error.problems)) from None
        suite = suites[self.folder]
        if suite.problems:
            raise self.CollectError(render_text(suite.problems))
        own = [s for s in suite.scenarios if Path(s.path).resolve() == self.path.resolve()]
        if not own:
            raise self.CollectError(f"{self.path} contains no scenario; run `patolli validate`")
        for scenario in own:
            item: ScenarioItem = ScenarioItem.from_parent(self, name=scenario.id)
            item.base, item.scenario = suite.base, scenario
            item.together = suite.scenarios
            yield item


class ScenarioItem(pytest.Item):
    """One scenario; ``together`` are all of its pack, which are compiled at once."""

    base: str
    scenario: Scenario
    together: list[Scenario]

    def runtest(self) -> None:
        """Play the scenario."""
        from patolli.author.scenarios.verdicts import judge
        from patolli.language.diagnostics import ContentError

        bench = self._make_bench()
        if bench.errors:
            raise ContentError(bench.errors)
        outcome = judge(bench, self.scenario)
        if not outcome.is_passed:
            raise ScenarioFailed(outcome)

    def _make_bench(self) -> Bench:
        from patolli.author.scenarios.bench import Bench

        benches = self.config.stash.setdefault(_benches, {})
        key = (self.base, self.scenario.active, self.scenario.options)
        if key not in benches:
            bench = Bench(self.base, self.scenario)
            for other in self.together if not bench.errors else ():
                if (other.active, other.options) == key[1:]:
                    bench.bind(other)
            benches[key] = bench
        found: Bench = benches[key]
        return found

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the difference at the scenario's own line."""
        from patolli.author.scenarios.scenario_report import failure_text
        from patolli.language.diagnostics import ContentError
        from patolli.language.diagnostics.text import render_text

        if isinstance(excinfo.value, ScenarioFailed):
            outcome = excinfo.value.outcome
            fault = outcome.fault
            return failure_text(outcome) + (f"\n{fault.text(patolli.__version__)}\n" if fault is not None else "")
        if isinstance(excinfo.value, ContentError):
            return render_text(excinfo.value.problems)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Say where the scenario stands, and its name."""
        return self.path, self.scenario.key.span.line - 1, self.scenario.id
