"""Count how often lines of the rules are run."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any

Line = tuple[str, int]


WEIGHT = 10
"""How many times longer rules take while lines are counted, about."""


class LineCounts(Counter[Line]):
    """How often lines of the rules were run while they were counted: those that are *wanted*, or all.

    The functions that the compiler makes have the lines of the author's file, so Python itself reports which are run.
    """

    def __init__(self, wanted: set[Line] | None = None) -> None:
        super().__init__()
        self.wanted = wanted
        self._inside: dict[Any, bool] = {}

    @contextmanager
    def count(self) -> Iterator[None]:
        """Count meanwhile, which takes several times as long."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code not in self._inside:
            is_rule = code.co_name != "<module>" and code.co_filename.endswith(
                (".yaml", ".yml")
            )  # one only defines rules
            self._inside[code] = is_rule and (self.wanted is None or not self.wanted.isdisjoint(_list_lines(code)))
        if not self._inside[code]:
            return None
        self._pass_line(frame, "line", None)
        return self._pass_line

    def _pass_line(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            line = (frame.f_code.co_filename, frame.f_lineno)
            if self.wanted is None or line in self.wanted:
                self[line] += 1
        return self._pass_line


def compiled_lines(functions: Iterable[object]) -> set[Line]:
    """Return the lines that have code in some functions, and in those inside them."""
    found: set[Line] = set()
    codes = [function.__code__ for function in functions if isinstance(function, FunctionType)]
    while codes:
        code = codes.pop()
        found |= _list_lines(code)
        codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    return found


def _list_lines(code: CodeType) -> set[Line]:
    return {(code.co_filename, line) for *_, line in code.co_lines() if line is not None}
