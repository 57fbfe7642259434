"""Print the Python that a rule, function or condition became, beside the lines of its author.

In:     a program, a number of seats, what was proven of it, and a name.
Out:    the text of the functions, each under the file and lines that it stems from.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator

from patolli.language.program.model import Program
from patolli.run.compiler.assembly import compile_program
from patolli.run.compiler.purity import nodes_of
from patolli.run.compiler.unit import Proven


def listing(program: Program, proven: Proven, seats: int, name: str, shown: Callable[[str], str]) -> str:
    """Return what was generated for everything called *name*; nothing where nothing is called so.

    Args:
        program: The resolved program.
        proven: What was proven of it.
        seats: For how many seats.
        name: A rule, a function, a value, or ``the invariant x``.
        shown: What a file is called in the text.
    """
    made: dict[str, list[ast.FunctionDef]] = {}

    def look(path: str, functions: list[ast.FunctionDef], origins: dict[str, str]) -> None:
        found = [function for function in functions if origins.get(function.name) == name]
        before = made.get(path, [])
        if {one.name for one in found} & {one.name for one in before}:
            before = []  # it is compiled again, as more is known by now
        made[path] = before + found

    compile_program(program, proven, seats, look=look)
    return "\n\n".join(part for path, functions in made.items() for part in _of_file(path, functions, shown(path)))


def _of_file(path: str, functions: list[ast.FunctionDef], shown: str) -> Iterator[str]:
    """Yield each function with the lines of the author that it was made of."""
    for function in functions:
        lines = sorted({line for one in nodes_of(function) if (line := getattr(one, "lineno", 0))})
        written = [f"# {shown}:{line}: {linecache.getline(path, line).strip()}" for line in lines]
        yield "\n".join([*written, ast.unparse(ast.fix_missing_locations(function))])
