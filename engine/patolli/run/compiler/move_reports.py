"""Put into generated code what reports to a watcher of the match which pieces are moved.

In:     the functions of a program as Python, with all that makes them fast.
Out:    the same functions; before each call of the kernel that moves pieces, these are put into a set.

A piece may be said to be moved without need, as on a copy of the match, or when it comes to where it was.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from patolli.kernel.library import SPELT, WRITES, Writes
from patolli.run.compiler import build as b
from patolli.run.compiler.layout import Layout
from patolli.run.compiler.purity import substitute_names


class Moving:
    """Says which pieces a program moves, each by the slot that says where it lies."""

    def __init__(self, moved: set[int], layout: Layout, space: dict[str, Any]) -> None:
        """Put pieces into *moved*; *space* gets the functions that do so, and has those that move them."""
        pieces = frozenset(slot for kind, at in layout.at.items() for slot in range(at, at + layout.size(kind)))
        space["moves"], space["all_move"] = moved.add, moved.update
        self._names = frozenset(WRITES)
        for name in self._names:
            space[f"moving_{name}"] = _moving(space[name], WRITES[name], moved, pieces)

    def say(self, functions: Iterable[ast.FunctionDef]) -> None:
        """Put into functions what says which pieces they move."""
        for function in functions:
            said = set[int]()
            for node in ast.walk(function):
                for part in ("body", "orelse"):
                    if isinstance(body := getattr(node, part, None), list):
                        body[:] = [one for statement in body for one in (*self._spelt_out(statement, said), statement)]
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and id(node) not in said and name_of(node) in self._names:
                    assert isinstance(node.func, ast.Name)
                    node.func.id = f"moving_{node.func.id}"

    def _spelt_out(self, statement: ast.stmt, said: set[int]) -> list[ast.stmt]:
        """Return what says, before a call, what it moves; a call of one more function takes longer."""
        if not isinstance(statement, ast.Expr) or not isinstance(call := statement.value, ast.Call):
            return []
        spelt = SPELT.get(name_of(call))
        if spelt is None or name_of(call) not in self._names:
            return []
        if any(isinstance(node, ast.Call | ast.NamedExpr) for given in call.args for node in ast.walk(given)):
            return []  # what is computed twice may come out differently
        said.add(id(call))
        given = dict(zip(spelt.parameters, call.args, strict=True))
        found: list[ast.stmt] = []
        for slot in spelt.slots:
            if slot.startswith(("at", "*")):
                found.append(
                    b.do(b.call("all_move" if slot[0] == "*" else "moves", with_given(slot.lstrip("*"), given)))
                )
        found = [b.when(with_given(spelt.when, given), found)] if spelt.when else found
        for one in found:
            b.place(one, statement.lineno)
        return found


def name_of(call: ast.Call) -> str:
    """Return the name of the function that is called, if it has one."""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def with_given(source: str, given: Mapping[str, ast.expr]) -> ast.expr:
    """Return an expression in which the parameters of a function are the arguments of a call."""
    return substitute_names(_parse_expression(source), given)


@cache
def _parse_expression(source: str) -> ast.expr:
    tree = ast.parse(source, mode="eval").body
    for node in ast.walk(tree):
        for name in node._attributes:
            delattr(node, name)  # the lines are those of the call
    return tree


def _moving(work: Callable[..., Any], writes: Writes, moved: set[int], pieces: frozenset[int]) -> Callable[..., Any]:
    """Return a function of the kernel that says before which *pieces* it moves, of all that it writes."""

    def moving(*arguments: Any) -> Any:
        moved.update(pieces.intersection(writes(*arguments)))
        return work(*arguments)

    return moving
