"""Report coverage through coverage.py: a table, and pages in HTML."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

from coverage import Coverage, CoverageData

from patolli.author.scenarios.coverage.marks import Marks
from patolli.author.scenarios.coverage.pages import Page, pages
from patolli.author.scenarios.coverage.plugin import Rules


@dataclass(frozen=True, slots=True)
class Totals:
    """Numbers over all files."""

    lines: int
    missed: int
    branches: int
    missed_branches: int

    @property
    def line_rate(self) -> float:
        """The share of lines that were covered, from 0 to 1."""
        return 1 - self.missed / self.lines if self.lines else 1.0

    @property
    def branch_rate(self) -> float:
        """The share of ways that were taken, from 0 to 1."""
        return 1 - self.missed_branches / self.branches if self.branches else 1.0


@dataclass(slots=True)
class CoverageReport:
    """What was covered: a table in text, totals, and what was missed, by file and line."""

    table: str
    totals: Totals
    missed: list[tuple[str, int, str]]


def report_coverage(marks: Marks, folder: Path | None = None) -> CoverageReport:
    """Report what was covered, and write pages into *folder* when there is one."""
    book = pages(marks)
    plugin = Rules(book)
    coverage = Coverage(data_file=None, config_file=False, branch=True, plugins=[plugin.register])
    data, out = coverage.get_data(), io.StringIO()
    try:
        _fill_data(data, book, plugin.name)
        if book:
            coverage.report(file=out, show_missing=False)
            if folder is not None:
                coverage.html_report(directory=str(folder), title="Coverage of the rules")
    finally:
        data.close(force=True)  # it is kept in memory, so nothing is written
    return CoverageReport(out.getvalue(), _sum_totals(book), _list_missed(book))


def _fill_data(data: CoverageData, book: dict[str, Page], plugin: str) -> None:
    data.add_arcs({path: {*((-1, line) for line in page.reached), *page.taken} for path, page in book.items()})
    data.add_file_tracers(dict.fromkeys(book, plugin))


def _sum_totals(book: dict[str, Page]) -> Totals:
    found = list(book.values())
    return Totals(
        sum(len(page.lines) for page in found),
        sum(len(page.lines - page.reached) for page in found),
        sum(len(page.ways) for page in found),
        sum(len(page.ways) - len(page.taken) for page in found),
    )


def _list_missed(book: dict[str, Page]) -> list[tuple[str, int, str]]:
    found = [(page.path, line, "") for page in book.values() for line in page.lines - page.reached]
    for page in book.values():
        found += [(page.path, arc[0], way) for arc, way in page.ways.items() if arc not in page.taken]
    return sorted(found)
