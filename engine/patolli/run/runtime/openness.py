"""Prove that everyone can always see the value of an expression, whatever the state: nothing that it reads is hidden.

In:     the declarations of a program.
Out:    for an expression the variables that it reads, those in functions and rules that it calls as well; None where
        something may be hidden in it.

Most conditions of most packs are such. ``hidden_reads`` need not test these item by item, which takes the longer the
deeper functions call each other inside of loops.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.language.program import expressions as x
from patolli.language.program import preconditions as p
from patolli.language.program import types as ty
from patolli.language.program.counted import find_counted_place
from patolli.language.program.model import Program
from patolli.language.program.node import Node, children, declaration

Variables = frozenset[x.Variable]
Called = x.FunctionCall | x.Can


@dataclass(slots=True)
class _Look:
    """What stands in an expression itself: the variables that it reads, and what it calls."""

    variables: set[x.Variable] = field(default_factory=set)
    calls: dict[tuple[type, str], Called] = field(default_factory=dict)
    open: bool = True


class Openness:
    """What is open to all in one program; what was found is kept."""

    def __init__(self, model: Program, preconditions: p.Preconditions) -> None:
        self.model, self.preconditions = model, preconditions
        purses = (counter for counter in model.counters.values() if counter.dims[:1] == ("player",))
        self._open_purses = all(counter.visible == "all" for counter in purses)
        self._looks: dict[int, tuple[Node, _Look]] = {}
        self._called: dict[tuple[type, str], list[_Look]] = {}
        self._found: dict[int, tuple[Node, Variables | None]] = {}

    def read_by(self, node: Node) -> Variables | None:
        """Return the variables that an open expression reads; None of one that may hold something hidden."""
        if id(node) not in self._found:
            self._found[id(node)] = node, self._follow_looks(self._look(node))
        return self._found[id(node)][1]

    def _follow_looks(self, look: _Look) -> Variables | None:
        variables, seen, waiting = set[x.Variable](), set[tuple[type, str]](), [look]
        while waiting:
            here = waiting.pop()
            if not here.open:
                return None
            variables |= here.variables
            for key, call in here.calls.items():
                if key not in seen:
                    seen.add(key)
                    waiting += self._body(key, call)
        return frozenset(variables)

    def _body(self, key: tuple[type, str], call: Called) -> list[_Look]:
        """Return what stands in the function that is called, or at the beginning of the rule."""
        if key not in self._called:
            if isinstance(call, x.FunctionCall):
                inside = [self.model.functions[call.function].body]
            else:
                demands = p.parts(self.preconditions.of(self.model.rules[call.rule].block))
                inside = [one for demand in demands for one in self.preconditions.looked_at(demand)]
            self._called[key] = [self._look(one) for one in inside]
        return self._called[key]

    def _look(self, node: Node) -> _Look:
        if id(node) in self._looks:
            return self._looks[id(node)][1]
        found = _Look()
        waiting = [node]
        while waiting and found.open:
            here = waiting.pop()
            held = find_counted_place(here)
            if held is not None:
                found.open = not self._may_be_hidden(held.indices)
                waiting.extend(held.indices)
                continue
            match here:
                case x.Local():
                    found.variables.add(here.variable)
                case x.FunctionCall():
                    found.calls[type(here), here.function] = here
                case x.Can():
                    found.calls[type(here), here.rule] = here
                case _:
                    found.open = self._is_open(here)
            waiting.extend(children(here))
        self._looks[id(node)] = node, found
        return found

    def _is_open(self, node: Node) -> bool:
        """Return whether everybody sees what a node looks at by itself; of one not named here as it declares."""
        match node:
            case x.CounterAt():
                return self.model.counters[node.counter].visible == "all" and not self._may_be_hidden(node.indices)
            case x.Have():
                return all(self.model.counters[name].visible == "all" for name in node.counters)
            case x.Payable():
                return self._open_purses
            case x.Held() | x.RowSpot():
                return self.model.places[node.place].visible == "all" and not self._may_be_hidden(node.indices)
            case x.BuiltinCall(builtin="place_of"):
                place = self.model.places[node.name]
                return place.visible == "all" and not self.model.hidden_kinds & set(place.dims)
            case x.FieldOf():
                shown = self.model.kinds[node.kind].fields[node.field].visible == "all"
                return shown and node.kind not in self.model.hidden_kinds
        looks = any(True for _ in declaration(node).reads(node))
        return not looks or self.preconditions.summaries.reads(node).isdisjoint(self.model.hidden_locations)

    def _may_be_hidden(self, indices: tuple[x.Expr, ...]) -> bool:
        """Return whether an index may be a piece that lies hidden."""
        types = (ty.strip(index.type) for index in indices)
        return any(isinstance(type_, ty.Ref) and type_.kind in self.model.hidden_kinds for type_ in types)
