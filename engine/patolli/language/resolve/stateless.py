"""Return which functions read nothing of the state: what they say of a piece is always the same, and hides nothing."""

from __future__ import annotations

from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Program
from patolli.language.program.node import Node, children, declaration
from patolli.language.resolve.model import Model


def functions_of(model: Model, kind: str) -> list[str]:
    """Return the functions of one piece of a kind that read nothing of the state, and reveal no effect or cost."""
    search = _Search(model.made)
    return [
        function.name
        for function in model.functions.values()
        if "." not in function.name  # a formula, which authors name as a fact
        and [type_ for _, type_ in function.parameters] == [ty.Ref(kind)]
        and function.type is not None
        and ty.strip(function.type) not in (ty.EFFECT, ty.COST)
        and search.is_stateless(function.name)
    ]


class _Search:
    """Looks into each function once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: dict[str, bool] = {}

    def is_stateless(self, name: str) -> bool:
        """Return whether a function reads nothing of the state; one that leads back to itself does not count."""
        if name not in self.known:
            self.known[name] = False  # where it is met again below
            function = self.program.functions.get(name)
            self.known[name] = function is not None and not self._reads(function.body, function.me)
        return self.known[name]

    def _reads(self, node: Node, me: x.Variable) -> bool:
        match node:
            case x.Local():
                return node.variable is me
            case x.FunctionCall():  # who is me there matters only where it is read
                called = not self.is_stateless(node.function)
                return called or any(self._reads(argument, me) for argument in node.arguments)
        if any(True for _ in declaration(node).reads(node)):
            return True
        return any(self._reads(inner, me) for inner in children(node))
