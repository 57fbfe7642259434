"""Find what a loop would compute again in each pass, although it is always the same.

In:     the binders of a loop, and what is computed for each of its items.
Out:    the largest parts that depend on no item: lists, counts, and calls of functions, not what is merely looked up.

Nothing changes the state while an expression is computed, but behind the rule of ``after``: what is looked at there
is left alone. A part is computed when the first item needs it, so nothing is computed that was not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from patolli.language.program import expressions as x
from patolli.language.program.node import Node, children
from patolli.language.program.tree_rewriter import free
from patolli.language.program.types import Seq

_LOOKED_UP = frozenset("adjacent around lines ray others turn_order owned placements size".split())
"""Built-in functions that cost no more than it takes to remember what they gave."""


def unchanging(binders: Sequence[x.Binder], parts: Iterable[x.Expr | None], tabled: Iterable[str]) -> list[x.Expr]:
    """Return the largest parts worth remembering; the functions of *tabled* are looked up in tables."""
    sources = [binder.source for binder in binders[1:]]
    open_: list[tuple[Node, frozenset[x.Variable]]] = []
    bound = frozenset(binder.variable for binder in binders)
    open_ += [(part, bound) for part in (*sources, *parts) if part is not None]
    found: list[x.Expr] = []
    known = frozenset(tabled)
    while open_:
        node, inside = open_.pop()
        if isinstance(node, x.Expr) and _costly(node, known) and inside.isdisjoint(free(node)):
            found.append(node)
            continue
        more = inside | {one.variable for one in children(node) if isinstance(one, x.Binder | x.Given)}
        if isinstance(node, x.Cut):
            more |= {node.binder.variable}
        for child in children(node):
            if not (isinstance(node, x.After) and child is node.value):
                open_.append((child, more))
    return found


def _costly(node: x.Expr, tabled: frozenset[str]) -> bool:
    match node:
        case x.Quantifier() | x.Cut() | x.Joined() | x.Naming() | x.Promised():
            return True
        case x.Whole():
            return not isinstance(node.of, x.Held | x.Local)
        case x.After():
            return True
        case x.FunctionCall():
            return node.function not in tabled
        case x.BuiltinCall():
            return isinstance(node.type, Seq) and node.builtin not in _LOOKED_UP
    return False
