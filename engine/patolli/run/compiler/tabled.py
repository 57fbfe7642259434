"""Find the functions that read nothing of the state: they are computed once, as tables."""

from __future__ import annotations

from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Function
from patolli.language.program.node import children, walk
from patolli.language.program.summaries import Summaries
from patolli.run.compiler.layout import Layout

LARGEST = 20_000


def tabled_functions(summaries: Summaries, layout: Layout) -> list[str]:
    """Return the functions over instances alone that depend neither on the state nor on me, inner ones first."""
    found: dict[str, None] = {}
    program = summaries.program
    candidates = [f for f in program.functions.values() if _small(f, layout) and not summaries.functions[f.name]]
    moved = True
    while moved:
        moved = False
        for function in candidates:
            if function.name not in found and _own(function, function.body, found):
                found[function.name] = None
                moved = True
    return list(found)


def _small(function: Function, layout: Layout) -> bool:
    size = 1
    for parameter in function.parameters:
        if not isinstance(parameter.type, ty.Ref):
            return False
        size *= layout.size(parameter.type.kind)
    return bool(function.parameters) and size <= LARGEST


def _own(function: Function, expr: x.Expr, known: dict[str, None]) -> bool:
    """Return whether an expression asks nothing of me, and nothing of functions that are no tables."""
    if isinstance(expr, x.Local):
        return expr.variable is not function.me
    if isinstance(expr, x.FunctionCall):
        return expr.function in known and all(_own(function, a, known) for a in expr.arguments)
    return all(_own(function, part, known) for part in _parts(expr))


def _parts(expr: x.Expr) -> list[x.Expr]:
    """Return the expressions directly inside one, also those of binders."""
    inner = ([node.source] if isinstance(node, x.Binder | x.Given) else [node] for node in children(expr))
    return [part for parts in inner for part in parts if isinstance(part, x.Expr)]


def looks(expr: x.Expr) -> bool:
    """Return whether an expression asks if a rule is possible, or what would be behind it."""
    return any(isinstance(node, x.Can | x.After) for node in walk(expr))
