"""Find the functions that read nothing of the state: they are worked out once, as tables."""

from __future__ import annotations

from patolli.analysis.model import Function, Model
from patolli.analysis.stateless import reads_state
from patolli.analysis.walking import nodes
from patolli.compiler.layout import Layout
from patolli.language import tree as t
from patolli.program import types as ty

LARGEST = 20_000


def pure_functions(model: Model, layout: Layout) -> set[str]:
    """Return the names of functions over instances alone that depend neither on the state nor on me."""
    found: set[str] = set()
    moved = True
    while moved:
        moved = False
        for function in model.functions.values():
            if function.name not in found and _pure(function, found, layout):
                found.add(function.name)
                moved = True
    return found


def _pure(function: Function, found: set[str], layout: Layout) -> bool:
    if function.body is None or function.recursive or not function.parameters or function.calls - found:
        return False
    size = 1
    for name, type_ in function.parameters:
        if not isinstance(type_, ty.Ref) or name == "me":
            return False
        size *= layout.size(type_.kind)
    return size <= LARGEST and not reads_state(function.body)


def looks(value: object) -> bool:
    """Tell whether a tree asks if a rule is possible."""
    return any(isinstance(node, t.Call) and node.note == ("builtin", "can") for node in nodes(value))
