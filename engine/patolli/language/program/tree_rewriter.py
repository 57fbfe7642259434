"""Build trees again in which something else stands in the place of variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from patolli.language.program.expressions import Binder, Expr, FunctionCall, Given, Local, Variable
from patolli.language.program.model import Function
from patolli.language.program.node import Node, walk

T = TypeVar("T", bound=Node)


def substitute(node: T, values: Mapping[Variable, Expr]) -> T:
    """Return a tree in which expressions stand in the place of variables that are read.

    What holds none of them is the same object as before, and what stood in several places still is one object. No
    variable can be caught by accident: two of the same name are two.
    """
    substituted: T = _Substitution(values).of(node)
    return substituted


class _Substitution:
    def __init__(self, values: Mapping[Variable, Expr]) -> None:
        self.values = values
        self.made: dict[int, Node] = {}

    def of(self, value: Any) -> Any:
        """Rebuild a node, or a field of one."""
        if isinstance(value, tuple):
            items = tuple(map(self.of, value))
            return value if all(new is old for new, old in zip(items, value, strict=True)) else items
        if not isinstance(value, Node):
            return value
        if isinstance(value, Local):
            return self.values.get(value.variable, value)
        if id(value) not in self.made:
            self.made[id(value)] = self._rebuilt(value)
        return self.made[id(value)]

    def _rebuilt(self, node: Node) -> Node:
        old = {field.name: getattr(node, field.name) for field in fields(node)}
        new = {name: self.of(value) for name, value in old.items()}
        return node if all(new[name] is old[name] for name in old) else type(node)(**new)


def rebuilt(nodes: tuple[T, ...], instead: Callable[[Node], Node]) -> tuple[T, ...]:
    """Return trees in which for every node stands what *instead* gives for it; its parts are rebuilt before."""
    made: tuple[T, ...] = _Rebuilding(instead).of(nodes)
    return made


class _Rebuilding(_Substitution):
    def __init__(self, instead: Callable[[Node], Node]) -> None:
        super().__init__({})
        self.instead = instead

    def _rebuilt(self, node: Node) -> Node:
        return self.instead(super()._rebuilt(node))


def without_calls(node: Expr, functions: Mapping[str, Function], count: Callable[[], None]) -> Expr:
    """Return an expression with bodies in place of the calls of functions that do not call themselves.

    For each node that is looked at, *count* is called, which may raise an error: functions that call each other twice
    double with each level.
    """
    inlined: Expr = _Inlining(functions, count).of(node)
    return inlined


class _Inlining(_Substitution):
    def __init__(
        self, functions: Mapping[str, Function], count: Callable[[], None], open_: tuple[str, ...] = ()
    ) -> None:
        super().__init__({})
        self.functions, self.count, self.open = functions, count, open_

    def _rebuilt(self, node: Node) -> Node:
        self.count()
        node = super()._rebuilt(node)
        function = self.functions.get(node.function) if isinstance(node, FunctionCall) else None
        if function is None or function.name in self.open:
            return node
        assert isinstance(node, FunctionCall)
        given = dict(zip((function.me, *function.parameters), (node.me, *node.arguments), strict=True))
        inner = _Inlining(self.functions, self.count, (*self.open, function.name))
        return inner.of(substitute(function.body, given))  # type: ignore[no-any-return]


def free(node: Node) -> tuple[Variable, ...]:
    """Return the variables that a tree reads and does not bind itself, in order."""
    nodes = list(walk(node))
    bound = {one.variable for one in nodes if isinstance(one, Binder | Given)}
    read = (one.variable for one in nodes if isinstance(one, Local))
    return tuple(dict.fromkeys(variable for variable in read if variable not in bound))
