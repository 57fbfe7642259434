"""Follow calls: an order in which what is called comes first, and all functions that some functions lead to.

In:     names, each with those that it calls; a program.
Out:    the order, and where circles are; bodies of functions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from patolli.language.program.expressions import Expr, FunctionCall, Local
from patolli.language.program.model import Function, Program
from patolli.language.program.node import Node, children, walk

Name = TypeVar("Name", bound=Hashable)


def inner_first(calls: Mapping[Name, Iterable[Name]]) -> tuple[list[Name], set[Name]]:
    """Return names behind those that they call, and some on every circle of calls; unknown names are left out."""
    order: list[Name] = []
    circular: set[Name] = set()
    state: dict[Name, bool] = {}  # whether all that one calls is done
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


def find_circular(calls: Mapping[Name, Sequence[Name]]) -> set[Name]:
    """Return the names that lead back to themselves.

    S. R. Kosaraju's algorithm, as in M. Sharir, "A strong-connectivity algorithm and its applications in data flow
    analysis", Computers & Mathematics with Applications 7, 1981.
    """
    callers: dict[Name, list[Name]] = {name: [] for name in calls}
    for name, inner in calls.items():
        for called in inner:
            if called in callers:
                callers[called].append(name)
    found: set[Name] = set()
    seen: set[Name] = set()
    for first in reversed(inner_first(calls)[0]):
        group, open_ = [], [first] if first not in seen else []
        seen.add(first)
        while open_:
            group.append(open_.pop())
            more = set(callers[group[-1]]) - seen
            seen |= more
            open_ += more
        if len(group) > 1 or first in callers[first]:
            found.update(group)
    return found


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


def reads_me(program: Program, function: Function) -> bool:
    """Return whether what a function computes depends on who is me there, and not only hands it on."""
    seen = {function.name}
    functions = [function]
    while functions:
        here = functions.pop()
        nodes: list[Node] = [here.body]
        while nodes:
            node = nodes.pop()
            if isinstance(node, FunctionCall):
                called = program.functions.get(node.function)
                if called is not None and _is_me(node.me, here) and called.name not in seen:
                    seen.add(called.name)
                    functions.append(called)
                nodes += [node.me] if not _is_me(node.me, here) else []
                nodes += node.arguments
            elif _is_me(node, here):
                return True
            else:
                nodes += children(node)
    return False


def _is_me(node: Node, function: Function) -> bool:
    return isinstance(node, Local) and node.variable is function.me
