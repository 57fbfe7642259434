"""Which scenarios come by which lines of the rules, and what they name.

In:     a bench, and the scenarios that it plays.
Out:    for each scenario its lines, also those of conditions that only tell whether something may be offered.

The functions that the compiler makes have the lines of the author's file, so Python itself tells the lines that are
carried out. A table has none: what stands in one is computed when the program is made.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any

from patolli.author.workspace.scenarios.scenario_reader import Scenario
from patolli.language.sources import texts
from patolli.run.compiler import Executable
from patolli.run.compiler.unit import function_name

Line = tuple[str, int]
"""A file and a line."""
WORD = re.compile(r"\w+")


@contextmanager
def noting(lines: set[Line]) -> Iterator[None]:
    """Note meanwhile the lines of content that are carried out."""

    def in_rules(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return in_rules

    def at_a_call(frame: FrameType, event: str, _: Any) -> Callable[..., Any] | None:
        code = frame.f_code  # to define functions is not to carry them out
        return in_rules if code.co_filename.endswith((".yaml", ".yml")) and code.co_name != "<module>" else None

    before = sys.gettrace()
    sys.settrace(at_a_call)
    try:
        yield
    finally:
        sys.settrace(before)


def lines_of_code(program: Executable) -> set[Line]:
    """Return the lines that matches of a program carry out; those of functions that became tables are none."""
    model = program.layout.model
    tabled = {id_ for name in model.functions if f"T_{(id_ := function_name(name))}" in program.space}
    found: set[Line] = set()
    for name, value in program.space.items():
        if isinstance(value, FunctionType) and name not in tabled:
            found |= _lines(value.__code__)
    return found


def _lines(code: CodeType) -> set[Line]:
    found = {(code.co_filename, line) for *_, line in code.co_lines() if line is not None}
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found |= _lines(inner)
    return found


def words_of(scenario: Scenario) -> set[str]:
    """Return the words in the texts of a scenario."""
    nodes = (*scenario.given, scenario.call, *scenario.choose, *scenario.checks.values())
    said = [scenario.id, *texts(*(node for node in nodes if node is not None))]
    words = {word for text in said for word in WORD.findall(text)}
    return words | {word.rpartition("_")[0] for word in words if word[-1].isdigit()}  # copies of a piece have numbers
