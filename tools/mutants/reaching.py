"""Which tests run which lines: only those that run the line of a mutant can notice it.

A line counts as run by a test where coverage sees it while the test runs. What several tests of a file share is
computed in the first of them, so with a test the others of its file count, too; they come later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from mutants.mutant import Mutant, Spot


@dataclass
class Reach:
    """What is known of it.

    Attributes:
        tests: All tests that were looked at; they are known by their places here.
        texts: By file what stood in it then, as a hash.
        lines: By file and line, which tests run it: a number with a bit for each.
    """

    tests: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    lines: dict[str, dict[int, int]] = field(default_factory=dict)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Reach:
        """Return what :meth:`data` has kept."""
        lines = {file: {int(line): int(bits, 16) for line, bits in of.items()} for file, of in data["lines"].items()}
        return cls(data["tests"], data["texts"], lines)

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        lines = {file: {str(line): f"{bits:x}" for line, bits in of.items()} for file, of in self.lines.items()}
        return {"tests": self.tests, "texts": self.texts, "lines": lines}

    def refreshed(self, mutants: Iterable[Mutant]) -> Reach:
        """Return it where it is about the files of all mutants as they are now; else one without any test."""
        texts = {one.spot.file: "" for one in mutants if one.spot is not None}
        for file in texts:
            texts[file] = sha256(Path(file).read_bytes()).hexdigest()[:16]
        return self if texts.items() <= self.texts.items() else Reach(texts=texts)

    def add(self, tests: list[str], lines: dict[str, dict[int, list[str]]]) -> None:
        """Note which of some tests run which lines, by file."""
        self.tests = list(dict.fromkeys([*self.tests, *tests]))
        places = {test: at for at, test in enumerate(self.tests)}
        for file, of in lines.items():
            known = self.lines.setdefault(file, {})
            for line, by in of.items():
                bits = sum(1 << places[test] for test in {*by} & places.keys())
                known[line] = known.get(line, 0) | bits

    def of(self, spot: Spot) -> tuple[list[str], list[str]]:
        """Return the tests that run a place, and the others of their files."""
        bits = 0
        for line, by in self.lines.get(spot.file, {}).items():
            if spot.first <= line <= spot.last:
                bits |= by
        here = [test for at, test in enumerate(self.tests) if bits >> at & 1]
        files, known = {_file(test) for test in here}, set(here)
        return here, [test for test in self.tests if _file(test) in files and test not in known]


def _file(test: str) -> str:
    return test.partition("::")[0]


class Watch:
    """Sees which lines of some files are run, by test."""

    def __init__(self, files: Iterable[str]) -> None:
        """Begin with nothing; without files nothing is looked at."""
        self.files = list(files)
        self._seen: Any = None
        if self.files:
            from coverage import Coverage

            self._seen = Coverage(data_file=None, include=self.files, config_file=False)
            self._seen.set_option("run:disable_warnings", ["no-data-collected"])

    @contextmanager
    def during(self, test: str) -> Iterator[None]:
        """See what a test runs."""
        if self._seen is None:
            yield
            return
        self._seen.start()
        self._seen.switch_context(test)
        try:
            yield
        finally:
            self._seen.stop()

    def lines(self) -> dict[str, dict[int, list[str]]]:
        """Return by file and line the tests that ran it."""
        if self._seen is None:
            return {}
        data = self._seen.get_data()
        return {file: dict(data.contexts_by_lineno(file)) for file in self.files}
