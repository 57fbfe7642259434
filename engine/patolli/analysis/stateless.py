"""Tell which functions read nothing of the state: what they say of a piece is always the same, and hides nothing."""

from __future__ import annotations

from patolli.analysis.model import Function, Model
from patolli.analysis.walking import nodes
from patolli.language import tree as t
from patolli.program import types as ty

_STATE = frozenset({"counter", "field", "place", "member"})
_BUILTINS = frozenset({"have", "payable", "can", "top", "place_of", "owned", "placements", "cell_at"})


def reads_state(value: object) -> bool:
    """Tell whether a tree reads the state or me; what the functions that it calls read is not looked at."""
    return any(map(_reads_here, nodes(value)))


def functions_of(model: Model, kind: str) -> list[str]:
    """Return the functions of one piece of a kind that read nothing of the state, and tell no effect or cost."""
    return [
        function.name
        for function in model.functions.values()
        if [type_ for _, type_ in function.parameters] == [ty.Ref(kind)]
        and function.type is not None
        and ty.strip(function.type) not in (ty.EFFECT, ty.COST)
        and _stateless(model, function, set())
    ]


def _stateless(model: Model, function: Function, seen: set[str]) -> bool:
    if function.name in seen:
        return False
    called = [model.functions[name] for name in function.calls if name in model.functions]
    return (
        function.body is not None
        and len(called) == len(function.calls)
        and not reads_state(function.body)
        and all(_stateless(model, other, seen | {function.name}) for other in called)
    )


def _reads_here(node: t.Node) -> bool:
    if isinstance(node, t.Name) and node.id == "me":
        return True
    note = getattr(node, "note", None)
    return (
        isinstance(note, tuple)
        and bool(note)
        and (note[0] in _STATE or (note[0] == "builtin" and note[1] in _BUILTINS))
    )
