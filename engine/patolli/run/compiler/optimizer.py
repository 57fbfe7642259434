"""Make generated code shorter and faster; what it does stays the same.

In:     all functions of a program as Python, before their steps are measured.
Out:    functions of the same names, which leave the same state behind, ask the same and fail in the same lines.

Each pass says why it changes nothing. ``function_inliner`` puts small functions into the places where they are called,
``constant_folding`` computes before a match what depends on tables, ``block_fusion`` joins the blocks of a rule and
keeps the slots of its frame in variables. ``plainly`` leaves them all out: tests compare both.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from patolli.run.compiler.block_fusion import fuse, hoist
from patolli.run.compiler.constant_folding import fold
from patolli.run.compiler.function_inliner import inline, write_out

_passes = ContextVar("passes", default=True)


@contextmanager
def plainly() -> Iterator[None]:
    """Compile without any pass, in this thread."""
    token = _passes.set(False)
    try:
        yield
    finally:
        _passes.reset(token)


def shortens() -> bool:
    """Return whether code is made shorter and faster now."""
    return _passes.get()


def shorten(
    files: Mapping[str, list[ast.FunctionDef]], space: dict[str, Any], keep: Callable[[str, Any], str],
    blocks: Mapping[int, str], held: dict[int, tuple[ast.expr, int]], counted: Set[str],
) -> None:  # fmt: skip
    """Make the functions of a program shorter.

    Args:
        files: The functions by the file of the author.
        space: What names stand for; a table that is there is changed by no match.
        keep: Gives a table a name with a given beginning.
        blocks: The function of each block by its number.
        held: By expression, how long the list is at most that it gives; the step meter reads it.
        counted: The functions whose calls are counted, see ``call_depth``; each call of them stays one.
    """
    for functions in files.values():
        inline(functions, space, counted)
        write_out(functions, space)
        fold(functions, space, lambda table: keep("G", table), held, counted)
        fuse(functions, blocks)
        hoist(functions)
