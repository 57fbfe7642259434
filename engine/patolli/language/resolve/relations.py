"""Resolve relations: names of what leads from one thing to some of its kind, as ``distance(a, b, roads)`` takes one.

Out:    the list of where each thing of the kind leads to, ``[roads(x) for x in village]``. So all code that looks at a
        program sees a relation like any other list; the compiler works out only as much of it as is asked for.
Errors: P0201 an unknown relation, P0202 a name that is none, P0301 things of different kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from patolli.language.diagnostics import nearest
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.builtins import BUILTINS
from patolli.language.resolve.scopes import Scope
from patolli.language.syntax import tree as t
from patolli.language.syntax.inline_printer import spell

if TYPE_CHECKING:
    from patolli.language.resolve.calls import Calls
    from patolli.language.resolve.model import Function

NEIGHBORS = ("adjacent", "around")
"""Built-in functions that are relations."""


def resolve_relation(calls: Calls, expr: t.Expr, ends: list[x.Expr], scope: Scope) -> x.Expr:
    """Resolve the name of a relation between things of the kind of *ends*."""
    kinds = [end.type.kind for end in ends if isinstance(end.type, ty.Ref)]
    if len(kinds) < len(ends):
        return calls.nothing(expr, *ends)  # what is wrong with them was reported
    kind, name = kinds[0], _find_name(calls, expr)
    if len(set(kinds)) > 1:
        words = f"no relation leads from {ends[0].type} to {ends[1].type}"
        return calls.problem("P0301", words, expr, "both must be of one kind", parts=ends)
    one = x.Variable(kind, ty.Ref(kind), expr.span)
    value = _led_to(calls, expr, name, x.Local(one, type=one.type, span=expr.span), scope)
    if value is None:
        return _no_relation(calls, expr, name, kind)
    if value.type == ty.ANY:
        return value
    every = x.Instances(kind, type=ty.Seq(ty.Ref(kind)), span=expr.span)
    binder = x.Binder(one, every, span=expr.span)
    return x.Quantifier("list", (binder,), None, value, None, type=ty.Seq(value.type), span=expr.span)


def turned_round(calls: Calls, expr: t.Call, given: list[t.Expr], scope: Scope) -> bool:
    """Return whether a relation stands before the things that it joins, and report that."""
    names = [one.id if isinstance(one, t.Name) and one.id not in scope.variables else "" for one in given]
    at = next((number for number, name in enumerate(names[:-1]) if _leads(calls, name)), None)
    if at is None or _leads(calls, names[-1]):
        return False
    right = [*given[:at], *given[at + 1 :], given[at]]
    form = f"{expr.id}({', '.join(spell(one) for one in right)})"
    calls.problem("P0202", "the relation comes last", given[at], f"write {form}")
    return True


def _leads(calls: Calls, name: str) -> bool:
    """Return whether a name alone can only be that of a relation."""
    function = calls.model.functions.get(name)
    return bool(function and function.parameters) or (name in NEIGHBORS and name not in calls.model.names)


def _led_to(calls: Calls, expr: t.Expr, name: str, one: x.Local, scope: Scope) -> x.Expr | None:
    """Return the list to which a relation leads from one thing; None where the name is no relation of its kind."""
    model, several = calls.model, ty.Seq(one.type)
    assert isinstance(one.type, ty.Ref)
    kind = model.kinds[one.type.kind]
    if name in model.functions:
        function = model.functions[name]
        calls.used.add(name)
        calls.calls.add(name)
        assert isinstance(expr, t.Name | t.Call)
        calls.uses.record_name(expr)
        result = calls.result_of(function, expr)
        if ty.ANY in (result, *(type_ for _, type_ in function.parameters)):
            return calls.nothing(expr)
        if [type_ for _, type_ in function.parameters[-1:]] != [one.type] or result != several:
            return None
        who, before = calls.me(scope, expr.span), _before(calls, expr, function, scope)
        if before is None:
            return None
        if isinstance(expr, t.Call):
            who, given = calls.whose(function, expr.arguments, scope, expr, 1)
            if len(given) > len(function.parameters) - 1:
                return None
            before = calls.arguments(name, function.parameters[:-1], given, expr, scope)
        return x.FunctionCall(name, who, (*before, one), type=several, span=expr.span)
    attribute = kind.facts.get(name) or kind.fields.get(name)
    if attribute is not None:
        calls.used.add(f"{kind.name}.{name}")
        made = x.FieldOf if attribute.mutable else x.FactOf
        return made(kind.name, name, one, type=several, span=expr.span) if attribute.type == several else None
    if name in NEIGHBORS and kind.grid and not kind.over and name not in model.names:
        return x.BuiltinCall(name, (one,), "", kind.name, type=several, span=expr.span)
    return None


def _find_name(calls: Calls, expr: t.Expr) -> str:
    """Return the name of a relation, or of a function that is called without its last argument, as in ``beside(p)``."""
    if isinstance(expr, t.Name):
        return expr.id
    if not isinstance(expr, t.Call) or expr.id not in calls.model.functions or not expr.arguments:
        return ""
    left = len(calls.model.functions[expr.id].parameters) - len(expr.arguments)
    return expr.id if left in (0, 1) else ""  # with a player before them, or not


def _before(calls: Calls, expr: t.Expr, function: Function, scope: Scope) -> tuple[x.Expr, ...] | None:
    """Return the arguments of a relation that is only named: the variables that are called like its parameters."""
    if isinstance(expr, t.Call):
        return ()
    names = [name for name, _ in function.parameters[:-1]]
    if any(scope.types.get(name) != type_ for name, type_ in function.parameters[:-1]):
        return None
    return tuple(x.Local(scope.variables[name], type=scope.types[name], span=expr.span) for name in names)


def _no_relation(calls: Calls, expr: t.Expr, name: str, kind: str) -> x.Expr:
    """Report what leads nowhere from a thing, with what does."""
    model, wanted = calls.model, ty.Seq(ty.Ref(kind))
    known = [f.name for f in model.functions.values() if [type_ for _, type_ in f.parameters] == [ty.Ref(kind)]]
    known = [name for name in known if model.functions[name].type in (None, wanted) and "'" not in name]
    attributes = (*model.kinds[kind].facts.values(), *model.kinds[kind].fields.values())
    known += [attribute.name for attribute in attributes if attribute.type == wanted]
    known += NEIGHBORS if model.kinds[kind].grid else ()
    declared = name in model.names or name in BUILTINS
    near = nearest(name, known) if not declared else None
    if name and not declared:
        return calls.unknown("relation", name, expr, known)
    form = f"name a graph of {kind!r}, or a function that gives a list of them for one"
    if isinstance(expr, t.Call) and expr.id in known:
        form = f"write {expr.id!r} alone, without brackets"
    words = (
        "expected the name of a relation" if not name else f"{name!r} does not lead from one {kind} to a list of them"
    )
    return calls.problem("P0202", words, expr, f"did you mean {near!r}?" if near else form, meant=near)
