"""Find the functions that read nothing of the state: they are worked out once, as tables."""

from __future__ import annotations

from patolli.analysis import types as ty
from patolli.analysis.model import Function, Model
from patolli.compiler.layout import Layout
from patolli.language import tree as t

LARGEST = 20_000
_STATE = frozenset({"counter", "field", "place", "member"})
_BUILTINS = frozenset({"have", "payable", "can", "top", "place_of", "owned", "placements", "cell_at"})


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
    return size <= LARGEST and not _reads(function.body)


def looks(value: object) -> bool:
    """Tell whether a tree asks if a rule is possible."""
    if isinstance(value, list | tuple):
        return any(map(looks, value))
    if not isinstance(value, t.Node):
        return False
    slots = [s for c in type(value).__mro__ for s in getattr(c, "__slots__", ()) if s not in ("at", "type", "note")]
    return (isinstance(value, t.Call) and value.note == ("builtin", "can")) or any(
        looks(getattr(value, s)) for s in slots
    )


def _reads(value: object) -> bool:
    """Tell whether a tree reads the state or me."""
    if isinstance(value, list | tuple):
        return any(map(_reads, value))
    if not isinstance(value, t.Node):
        return False
    note = getattr(value, "note", None)
    if isinstance(value, t.Name) and value.id == "me":
        return True
    if isinstance(note, tuple) and note and (note[0] in _STATE or (note[0] == "builtin" and note[1] in _BUILTINS)):
        return True
    slots = [s for c in type(value).__mro__ for s in getattr(c, "__slots__", ()) if s not in ("at", "type", "note")]
    return any(_reads(getattr(value, s)) for s in slots)
