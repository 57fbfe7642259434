"""Tell which functions read nothing of the state: what they say of a piece is always the same, and hides nothing."""

from __future__ import annotations

from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Program
from patolli.language.program.node import Node, children, declaration
from patolli.language.resolve.model import Model


def functions_of(model: Model, kind: str) -> list[str]:
    """Return the functions of one piece of a kind that read nothing of the state, and tell no effect or cost."""
    return [
        function.name
        for function in model.functions.values()
        if [type_ for _, type_ in function.parameters] == [ty.Ref(kind)]
        and function.type is not None
        and ty.strip(function.type) not in (ty.EFFECT, ty.COST)
        and _stateless(model.made, function.name, frozenset())
    ]


def _stateless(program: Program, name: str, around: frozenset[str]) -> bool:
    """Tell it of a function; *around* are those that call it, and one that calls itself does not count as such."""
    function = program.functions.get(name)
    if function is None or name in around:
        return False
    return not _reads(program, function.body, function.me, around | {name})


def _reads(program: Program, node: Node, me: x.Variable, around: frozenset[str]) -> bool:
    match node:
        case x.Local():
            return node.variable is me
        case x.FunctionCall():  # who is me there matters only where it is read
            called = not _stateless(program, node.function, around)
            return called or any(_reads(program, argument, me, around) for argument in node.arguments)
    if any(True for _ in declaration(node).reads(node)):
        return True
    return any(_reads(program, inner, me, around) for inner in children(node))
