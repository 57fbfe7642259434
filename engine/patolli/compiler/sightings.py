"""Find out at what of the state conditions look, place by place.

In:     a program, and conditions of it.
Out:    locations, as nodes declare them; but of pieces, which places are looked into, and whether it is asked where a
        piece is.

A summary says of pieces only their kind. Here ``("place", name)`` is what lies in a place, and ``("at", kind)`` where
the pieces of a kind are. What may carry out rules, or ask for prices, looks at all that its summary says.
"""

from __future__ import annotations

from collections.abc import Iterable

from patolli.program import expressions as x
from patolli.program import types as ty
from patolli.program.model import Program
from patolli.program.node import Location, Node, children, declaration
from patolli.program.summaries import Summaries


def looks_up(program: Program, expr: x.Compare) -> bool:
    """Tell whether a comparison asks where a piece is, and not what lies in a place."""
    place, piece = expr.right, ty.strip(expr.left.type)
    if expr.op not in ("in", "not in") or not isinstance(place, x.Held) or not isinstance(piece, ty.Ref):
        return False
    return program.places[place.place].type in ("pile", "area")


def sightings(program: Program, summaries: Summaries, conditions: Iterable[x.Expr]) -> frozenset[Location]:
    """Return the locations at which *conditions* look."""
    sight = _Sight(program, summaries)
    for condition in conditions:
        sight.look(condition)
    return frozenset(sight.found)


class _Sight:
    """Goes through trees, and through each function once."""

    def __init__(self, program: Program, summaries: Summaries) -> None:
        self.program, self.summaries = program, summaries
        self.found: set[Location] = set()
        self._functions: set[str] = set()

    def look(self, node: Node) -> None:
        if isinstance(node, x.Compare) and isinstance(node.right, x.Held) and looks_up(self.program, node):
            self.found.add(("at", node.right.kind))
            self.look(node.left)
            for index in node.right.indices:
                self.look(index)
            return
        match node:
            case x.Held() | x.RowSpot():
                self.found.add(("place", node.place))
            case x.BuiltinCall(builtin="place_of"):
                self.found.add(("at", node.kind))
            case x.FunctionCall():
                if node.function not in self._functions:
                    self._functions.add(node.function)
                    self.look(self.program.functions[node.function].body)
            case x.Can() | x.After() | x.Payable():
                self.found |= self.summaries.reads(node)
            case _:
                for location in declaration(node).reads(node):
                    known = location[0] in ("counter", "field", "variable", "pieces")
                    self.found |= {location} if known else self.summaries.reads(node)
        for part in children(node):
            self.look(part)
