"""Find what a player cannot see in an expression, so that `why` does not reveal it.

What can be seen is said by the declarations, as in ``views``: counters and places of others, piles that lie face down,
fields of pieces that lie there. How many pieces lie somewhere can always be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from patolli.kernel.state import State
from patolli.language.program import expressions as x
from patolli.language.program import preconditions as p
from patolli.language.program import types as ty
from patolli.language.program.counted import find_counted_place
from patolli.language.program.node import Node, children
from patolli.run.compiler.layout import Layout
from patolli.run.runtime.openness import Openness
from patolli.run.runtime.seat_visibility import SeatVisibility

Scope = Mapping[x.Variable, Any]
MANY = 1000
"""How many items are looked at one by one."""
Value = Callable[[x.Expr, Scope], Any]
"""Works out an expression; None where a variable of it is not known."""


class HiddenReads:
    """What one player sees of a state."""

    def __init__(self, layout: Layout, preconditions: p.Preconditions, state: State, seat: int, value: Value) -> None:
        """Look at *state* as the player on *seat*; *value* works out of what something depends."""
        self.layout, self.model, self.preconditions = layout, layout.model, preconditions
        self.state, self.seat, self.value = state, seat, value
        self.veiled: set[x.Variable] = set()  # variables whose values the player cannot know
        self._sources: dict[x.Variable, x.Expr] = {}
        self._open: set[str] = set()
        self._cut: set[str] = set()  # what was not looked into, as it was open already
        self._inner: dict[
            tuple[Any, ...] | None, bool
        ] = {}  # what was found in functions and rules, with certain arguments
        self.openness = Openness(layout.model, preconditions)
        self.buried, self.seat_visibility = self.model.hidden_kinds, SeatVisibility(layout, state, seat)
        self._purse = {c.visible for c in self.model.counters.values() if c.dims[:1] == ("player",)}

    def hides(self, node: Node, scope: Scope) -> bool:
        """Return whether the value of an expression depends on what the player cannot see."""
        read = self.openness.read_by(node)
        if read is not None and self.veiled.isdisjoint(read):
            return False
        held = find_counted_place(node)
        if held is not None:
            return self._any(held.indices, scope) or self._unknown(held.indices, scope)
        match node:
            case x.Local():
                return node.variable in self.veiled
            case x.CounterAt():
                if self._shut(self.model.counters[node.counter].visible, node.indices, scope):
                    return True
            case x.Have():
                if any(self._shut(self.model.counters[name].visible, (node.who,), scope) for name in node.counters):
                    return True
            case x.Payable():
                if any(self._shut(name, (node.who,), scope) for name in self._purse):
                    return True
            case x.Held() | x.RowSpot():
                if self._shut(self.model.places[node.place].visible, node.indices, scope):
                    return True
            case x.BuiltinCall(builtin="place_of"):
                place = self.model.places[node.name]
                if place.visible != "all" or self.buried & set(place.dims):
                    return True
            case x.FieldOf():
                if self._lies_hidden(node, scope):
                    return True
            case x.FunctionCall():
                return self._any(node.arguments, scope) or self._is_call_hidden(node, scope)
            case x.Can():
                return self._any(node.arguments, scope) or self._beginning(node, scope)
            case x.After():
                seen = self.preconditions.summaries.reads(node).isdisjoint(self.model.hidden_locations)
                return not seen or self._any((node.me, *node.arguments, *node.given), scope)
            case x.Quantifier():
                return self._gone_through(node, node.binders, scope)
            case x.Logic():
                known = None if self.hides(node.left, scope) else self.value(node.left, scope)
                if known is not None:  # the second is looked at only where the first does not decide
                    return bool(known) == (node.op == "and") and self.hides(node.right, scope)
            case x.IfElse() if not self.hides(node.condition, scope):
                known = self.value(node.condition, scope)
                if known is not None:
                    return self.hides(node.then if known else node.other, scope)
        return self._any(children(node), scope)

    def _gone_through(self, node: x.Quantifier, binders: Sequence[x.Binder], scope: Scope) -> bool:
        """Return whether what is collected depends on something hidden: item by item, where the items can be known."""
        if not binders:
            if node.where is not None:
                if self.hides(node.where, scope):
                    return True
                holds = self.value(node.where, scope)
                if holds is not None and not holds:
                    return False
            return self._any((one for one in (node.value, node.by) if one is not None), scope)
        first, *others = binders
        self._sources[first.variable] = first.source
        if self.hides(first.source, scope):
            return True
        items = self.value(first.source, scope)
        if items is None or len(items) > MANY:
            return self._any((one for one in children(node) if one is not first), scope)
        return any(self._gone_through(node, others, {**scope, first.variable: item}) for item in items)

    def veil(self, variable: x.Variable) -> None:
        """Note that the player cannot know the value of a variable."""
        if variable not in self.veiled:
            self.veiled.add(variable)
            self._inner.clear()

    def unveil(self, variable: x.Variable) -> None:
        """Note that the player knows the value of a variable."""
        if variable in self.veiled:
            self.veiled.discard(variable)
            self._inner.clear()

    def conceals(self, binders: Sequence[x.Binder], scope: Scope) -> bool:
        """Return whether the player cannot know what there is to choose from."""
        self._sources.update((binder.variable, binder.source) for binder in binders)
        return any(self.hides(binder.source, scope) for binder in binders)

    def unseen(self, demand: p.Demand, scope: Scope) -> bool:
        """Return whether it depends on what the player cannot see whether a demand holds."""
        demands = list(p.parts(demand))
        for one in demands:
            self._sources.update(_list_bound_variables(one))
        return any(self._any(self.preconditions.looked_at(one), scope) for one in demands)

    def _any(self, nodes: Any, scope: Scope) -> bool:
        return any(self.hides(node, scope) for node in nodes)

    def _shut(self, visible: str, indices: tuple[x.Expr, ...], scope: Scope) -> bool:
        """Return whether a counter or place is closed to the player."""
        if self._unknown(indices, scope):
            return True
        if visible in ("owner", "others") and indices:
            number, type_ = self.value(indices[0], scope), ty.strip(indices[0].type)
            kind = type_.kind if isinstance(type_, ty.Ref) else "player"
            return (
                number is None
                or number < 0
                or not self.seat_visibility.is_open(visible, self.seat_visibility.owner(kind, number))
            )
        return visible != "all"

    def _unknown(self, indices: tuple[x.Expr, ...], scope: Scope) -> bool:
        """Return whether an index is a piece that the player cannot look at, or may be."""
        for index in indices:
            type_ = ty.strip(index.type)
            if isinstance(type_, ty.Ref) and type_.kind in self.buried:
                number = self.value(index, scope)
                if number is None or not self.seat_visibility.piece(type_.kind, number):
                    return True
        return False

    def _lies_hidden(self, node: x.FieldOf, scope: Scope) -> bool:
        """Return whether a field is, or may be, hidden, or belongs to a piece that the player cannot see."""
        field = self.model.kinds[node.kind].fields[node.field]
        if node.kind not in self.buried and field.visible == "all":
            return False
        of = self.value(node.of, scope)
        if of is not None:
            return not self.seat_visibility.field(node.kind, node.field, of)
        source = self._sources.get(node.of.variable) if isinstance(node.of, x.Local) else None
        if isinstance(source, x.Instances):
            all_ = range(self.layout.size(node.kind))
            return any(not self.seat_visibility.field(node.kind, node.field, number) for number in all_)
        return source is None or field.visible != "all" or self.hides(source, scope)

    def lies_hidden(self, kind: str, number: int) -> bool:
        """Return whether a piece is one that the player cannot look at."""
        return kind in self.buried and self.is_covered(kind, number)

    def is_covered(self, kind: str, number: int) -> bool:
        """Return whether a piece lies where the player cannot look."""
        return not self.seat_visibility.piece(kind, number)

    def _is_call_hidden(self, call: x.FunctionCall, scope: Scope) -> bool:
        function = self.model.functions[call.function]
        return self._inside(
            f"function {call.function}", (function.me, *function.parameters), (call.me, *call.arguments), scope,
            lambda inner: self.hides(function.body, inner),
        )  # fmt: skip

    def _beginning(self, can: x.Can, scope: Scope) -> bool:
        rule = self.model.rules[can.rule]
        demand = self.preconditions.of(rule.block)
        return self._inside(
            f"rule {can.rule}", rule.variables, (can.me, *can.arguments), scope,
            lambda inner: self.unseen(demand, inner),
        )  # fmt: skip

    def _inside(
        self, name: str, variables: tuple[x.Variable, ...], given: tuple[x.Expr, ...], scope: Scope,
        look: Callable[[Scope], bool],
    ) -> bool:  # fmt: skip
        """Look into what is called, with what is known of its arguments; what calls itself shows nothing new."""
        if name in self._open:
            self._cut.add(name)
            return False
        values = [self.value(one, scope) for one in given]
        key = self._key(name, values)
        if key in self._inner:
            return self._inner[key]
        outer, self._cut = self._cut, set()
        self._open.add(name)
        known = {variable: value for variable, value in zip(variables, values, strict=True) if value is not None}
        try:
            found = look(known)
        finally:
            self._open.discard(name)
            self._cut.discard(name)
            cut, self._cut = self._cut, outer | self._cut
        if key is not None and (found or not cut):
            self._inner[key] = found
        return found

    def _key(self, name: str, values: list[Any]) -> tuple[Any, ...] | None:
        """Return what stands for a call; None where an argument is not known, and where it comes from counts, too."""
        if None in values:
            return None
        return (name, *(tuple(value) if isinstance(value, list) else value for value in values))


def _list_bound_variables(demand: p.Demand) -> list[tuple[x.Variable, x.Expr]]:
    """Return the variables that a demand binds, with where their values come from."""
    match demand:
        case p.Bind():
            return [(demand.variable, demand.value)]
        case p.Pick(effect=choose):
            return [(b.variable, b.source) for b in choose.binders]
        case p.Either():
            return [(b.variable, b.source) for line in demand.lines for b in line.binders]
    return []
