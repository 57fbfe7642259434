"""A plugin of coverage.py that knows the lines and ways of rules in YAML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from coverage import CoveragePlugin, FileReporter

from patolli.author.scenarios.coverage.pages import Page
from patolli.language.sources import Mapping, Node, Scalar, Sequence, read_yaml
from patolli.language.sources.schema import prose_keys
from patolli.language.syntax.words import STATEMENTS

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
        """Yield the words of each line with their colours; what is written for people has one colour."""
        source = self.source()
        prose = _prose_ranges(source, self.page.path)
        for number, line in enumerate(source.splitlines(), 1):
            words: list[tuple[str, str]] = []
            done = 0
            for begin, end in sorted(prose.get(number, ())):
                words += [*_tokens_of_line(line[done:begin]), ("txt", line[begin:end])]
                done = end
            yield [*words, *_tokens_of_line(line[done:])]


def _tokens_of_line(text: str) -> Iterator[tuple[str, str]]:
    return ((found.lastgroup or "txt", found[0]) for found in _TOKEN.finditer(text))


def _prose_ranges(source: str, path: str) -> dict[int, list[tuple[int, int]]]:
    """Return for every line that holds words for people where they begin and end in it."""
    found: dict[int, list[tuple[int, int]]] = {}
    lines = source.splitlines()
    open_: list[Node | None] = [read_yaml(source, path)[0]]
    while open_:
        node = open_.pop()
        if isinstance(node, Sequence):
            open_ += node.items
        elif isinstance(node, Mapping):
            for key, (_, value) in node.items.items():
                if isinstance(value, Scalar) and key in prose_keys():
                    span = value.span
                    for line in range(span.line, span.end_line + 1):
                        begin = span.column - 1 if line == span.line else 0
                        end = span.end_column - 1 if line == span.end_line else len(lines[line - 1])
                        found.setdefault(line, []).append((begin, end))
                else:
                    open_.append(value)
    return found
