"""Follow calls: an order in which what is called comes first, and all functions that some functions lead to.

In:     names, each with those that it calls; a program.
Out:    the order, and where circles are; bodies of functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from patolli.program.expressions import Expr, FunctionCall
from patolli.program.model import Program
from patolli.program.node import walk


def inner_first(calls: Mapping[str, Iterable[str]]) -> tuple[list[str], set[str]]:
    """Return names such that those that one calls come before it, and some on every circle of calls.

    What is called and has no entry of its own is left out.
    """
    order: list[str] = []
    circular: set[str] = set()
    state: dict[str, bool] = {}  # whether all that one calls is done
    for first in calls:
        path = [] if first in state else [(first, iter(calls[first]))]
        while path:
            name, inner = path[-1]
            state.setdefault(name, False)
            for called in inner:
                if called in calls and called not in state:
                    path.append((called, iter(calls[called])))
                    break
                if state.get(called) is False:
                    circular.add(called)
            else:
                state[name] = True
                order.append(name)
                path.pop()
    return order, circular


def function_bodies(program: Program, *names: str) -> list[Expr]:
    """Return the bodies of some functions and of all that these call, each once."""
    found: dict[str, Expr] = {}
    open_ = [*names]
    while open_:
        name = open_.pop()
        function = program.functions.get(name)
        if function is not None and name not in found:
            found[name] = function.body
            open_ += [node.function for node in walk(function.body) if isinstance(node, FunctionCall)]
    return list(found.values())
