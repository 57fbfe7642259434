"""A plugin of coverage.py that knows the lines and ways of rules in YAML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from coverage import CoveragePlugin, FileReporter

from patolli.language.words import STATEMENTS
from patolli.scenarios.coverage.pages import Page

if TYPE_CHECKING:
    from coverage.plugin_support import Plugins

_TOKEN = re.compile(
    rf"(?P<com>#.*)|(?P<str>\"[^\"]*\"|'[^']*')|(?P<key>\b(?:{'|'.join(STATEMENTS)})\b)"
    r"|(?P<num>\b[0-9]+\b)|(?P<nam>[A-Za-z_][A-Za-z0-9_]*)|(?P<ws>\s+)|(?P<op>.)"
)


class Rules(CoveragePlugin):
    """Gives coverage.py a reporter for each file that holds rules."""

    def __init__(self, pages: dict[str, Page]) -> None:
        self.pages = pages

    def file_reporter(self, filename: str) -> FileReporter | str:
        """Return the reporter of a file."""
        return RulesFile(self.pages[filename])

    def register(self, registry: Plugins) -> None:
        """Register this plugin."""
        registry.add_file_tracer(self)

    @property
    def name(self) -> str:
        """The name that coverage.py gave to this plugin."""
        return self._coverage_plugin_name


class RulesFile(FileReporter):
    """What coverage.py asks about one file."""

    def __init__(self, page: Page) -> None:
        super().__init__(page.path)
        self.page = page

    def lines(self) -> set[int]:
        """Return the lines that can be covered."""
        return set(self.page.lines)

    def arcs(self) -> set[tuple[int, int]]:
        """Return the ways that can be taken."""
        return set(self.page.ways)

    def translate_lines(self, lines: Iterable[int]) -> set[int]:
        """Return which lines are covered; one from which a way was taken may still hold missed effects."""
        return set(lines) & self.page.reached

    def exit_counts(self) -> dict[int, int]:
        """Return the number of ways of each line."""
        return self.page.exits

    def missing_arc_description(
        self, start: int, end: int, executed_arcs: Iterable[tuple[int, int]] | None = None
    ) -> str:
        """Say what was never taken."""
        return self.page.ways.get((start, end), "this way was never taken")

    def arc_description(self, start: int, end: int) -> str:
        """Say which way this is."""
        return self.page.ways.get((start, end), "")

    def source_token_lines(self) -> Iterator[list[tuple[str, str]]]:
        """Yield the words of each line with their colours."""
        for line in self.source().splitlines():
            yield [(found.lastgroup or "txt", found[0]) for found in _TOKEN.finditer(line)]
