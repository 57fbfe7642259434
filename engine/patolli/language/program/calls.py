"""Follow calls: an order in which what is called comes first, and all functions that some functions lead to.

In:     names, each with those that it calls; a program.
Out:    the order, and where circles are; bodies of functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from patolli.language.program.expressions import Expr, FunctionCall, Local
from patolli.language.program.model import Function, Program
from patolli.language.program.node import Node, children, walk


def inner_first(calls: Mapping[str, Iterable[str]]) -> tuple[list[str], set[str]]:
    """Return names behind those that they call, and some on every circle of calls; unknown names are left out."""
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


def reads_me(program: Program, function: Function, open_: frozenset[str] = frozenset()) -> bool:
    """Return whether what a function computes depends on who is me there, and not only hands it on."""
    if function.name in open_:
        return False
    inner = open_ | {function.name}
    nodes: list[Node] = [function.body]
    while nodes:
        here = nodes.pop()
        if isinstance(here, FunctionCall):
            called = program.functions.get(here.function)
            if called is not None and _is_me(here.me, function) and reads_me(program, called, inner):
                return True
            nodes += [here.me] if not _is_me(here.me, function) else []
            nodes += here.arguments
        elif _is_me(here, function):
            return True
        else:
            nodes += children(here)
    return False


def _is_me(node: Node, function: Function) -> bool:
    return isinstance(node, Local) and node.variable is function.me
