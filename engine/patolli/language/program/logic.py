"""Consequences of conditions by their form alone: their parts, their opposites, and what is shown not to be empty.

In:     nodes of expressions, and conditions that are known to hold.
Out:    conditions that then hold as well; whether a list has something in it, whether a value is not none.

Nothing here knows how long something holds: a caller gives only what holds at the place that it asks about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from patolli.language.program import expressions as x
from patolli.language.program.node import Node, declaration, walk
from patolli.language.program.types import BOOL, NONE, Maybe, Seq

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in"}
TAKEN = ("first", "lowest", "highest")
"""Quantifiers that take one of a list, or none where there is nothing."""
_SAME_ITEMS = ("list", "sorted", "distinct")

Part = tuple[x.Expr, x.Variable | None, x.Expr | None]
"""A list from which something is taken, the variable for it, and the condition on it."""


# ---- parts and opposites


def conjuncts(condition: x.Expr) -> list[x.Expr]:
    """Return the parts that all hold when *condition* does, and make it up together."""
    match condition:
        case x.Logic(op="and"):
            return [*conjuncts(condition.left), *conjuncts(condition.right)]
        case x.Not():
            return negate_condition(condition.of)
    return [condition]


def disjuncts(condition: x.Expr) -> list[x.Expr]:
    """Return the alternatives that together make up *condition*: one of them is true when it is."""
    match condition:
        case x.Logic(op="or"):
            return [*disjuncts(condition.left), *disjuncts(condition.right)]
        case x.Not(of=x.Logic(op="and") as inner):
            return [*disjuncts(opposite(inner.left)), *disjuncts(opposite(inner.right))]
        case x.Not(of=x.Not(of=inner)):
            return disjuncts(inner)
    return [condition]


def negate_condition(condition: x.Expr) -> list[x.Expr]:
    """Return the parts that all hold when *condition* does not, and make up its opposite together."""
    match condition:
        case x.Logic(op="or"):
            return [*negate_condition(condition.left), *negate_condition(condition.right)]
        case x.Not():
            return conjuncts(condition.of)
    return [opposite(condition)]


def opposite(condition: x.Expr) -> x.Expr:
    """Return the condition that holds when another one does not."""
    match condition:
        case x.Not():
            return condition.of
        case x.Truth():
            return x.Truth(not condition.value, type=condition.type, span=condition.span)
        case x.Compare(op=op, left=left, right=right) if op in NEGATED:
            return x.Compare(NEGATED[op], left, right, type=condition.type, span=condition.span)
    return x.Not(condition, type=condition.type, span=condition.span)


def comparisons(condition: x.Expr) -> list[tuple[x.Expr, str, x.Expr]]:
    """Return a comparison of two values read from the left and from the right; nothing for other conditions."""
    if not isinstance(condition, x.Compare) or condition.op not in MIRRORED:
        return []
    left, op, right = condition.left, condition.op, condition.right
    return [(left, op, right), (right, MIRRORED[op], left)]


def lasting(condition: x.Expr) -> bool:
    """Return whether a condition looks at nothing that could change during a match."""
    return not any(True for node in walk(condition) for _ in declaration(node).reads(node))


# ---- the same in other words


_COMPARED: dict[str, tuple[str, ...]] = {}


def _list_compared_fields(node: Node) -> tuple[str, ...]:
    """Return the fields of a node that count when two are compared."""
    kind = type(node)
    if kind.__qualname__ not in _COMPARED:
        _COMPARED[kind.__qualname__] = tuple(field.name for field in fields(kind) if field.compare)
    return _COMPARED[kind.__qualname__]


def same(left: x.Expr | None, right: x.Expr | None, names: dict[x.Variable, x.Variable] | None = None) -> bool:
    """Compare two expressions; *names* says which variables of the left stand for which of the right one."""
    return _same(left, right, dict(names or {}))


def _same(left: object, right: object, names: dict[x.Variable, x.Variable]) -> bool:
    if isinstance(left, x.Variable):
        return names.get(left, left) is right
    if type(left) is not type(right):
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(_same(a, b, names) for a, b in zip(left, right, strict=True))
    if isinstance(left, x.Binder | x.Given) and isinstance(right, x.Binder | x.Given):
        names[left.variable] = right.variable
        return _same(left.source, right.source, names)
    if isinstance(left, Node):
        return all(_same(getattr(left, one), getattr(right, one), names) for one in _list_compared_fields(left))
    return left == right


def rename_variables(expr: x.Expr, names: dict[x.Variable, x.Variable]) -> x.Expr:
    """Return an expression with other variables; those that are bound inside it become new ones."""
    found = _rename_in_value(expr, dict(names))
    assert isinstance(found, x.Expr)
    return found


def _rename_in_value(value: Any, names: dict[x.Variable, x.Variable]) -> Any:
    if isinstance(value, x.Variable):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(_rename_in_value(item, names) for item in value)
    if not isinstance(value, Node):
        return value
    if isinstance(value, x.Binder | x.Given):
        old = value.variable
        names[old] = x.Variable(old.name, old.type, old.span)
    return replace(value, **{one: _rename_in_value(getattr(value, one), names) for one in _list_compared_fields(value)})


def is_without_repetition(source: x.Expr) -> bool:
    """Return whether the items of a list surely differ."""
    match source:
        case x.Instances() | x.Held() | x.Range():
            return True
        case x.BuiltinCall(builtin="adjacent" | "around" | "others" | "turn_order" | "owned"):
            return True
        case x.Quantifier(op="list" | "sorted", binders=(binder,), value=None):
            return is_without_repetition(binder.source)
        case x.Quantifier(op="distinct") | x.Whole(op="distinct"):
            return True
    return False


# ---- what is not empty, what is not none


def is_nonempty(source: x.Expr, proven: Iterable[x.Expr]) -> bool:
    """Return whether a list has something in it when all conditions of *proven* hold."""
    return _part_filled(_part(source), proven)


def there(expr: x.Expr, proven: Iterable[x.Expr]) -> bool:
    """Return whether a value is not none when all conditions of *proven* hold."""
    known = list(proven)
    for proof in known:
        if isinstance(proof, x.Present) and same(proof.of, expr):
            return True
        if any(same(left, expr) and op == "==" and _sure(right) for left, op, right in comparisons(proof)):
            return True
    match expr:
        case x.BuiltinCall(builtin="top", arguments=(source,)) | x.Whole(of=source) if _takes(expr):
            return _has_sure_items(source) and is_nonempty(source, known)
        case x.Quantifier(binders=(binder,)) if expr.op in TAKEN and _sure(expr.value or binder.source):
            return _has_sure_items(binder.source) and _part_filled((binder.source, binder.variable, expr.where), known)
    return False


def _takes(expr: x.BuiltinCall | x.Whole) -> bool:
    return isinstance(expr, x.BuiltinCall) or expr.op in TAKEN


def _sure(expr: x.Expr) -> bool:
    """Return whether the type of a value leaves out none."""
    return expr.type != NONE and not isinstance(expr.type, Maybe)


def _has_sure_items(source: x.Expr) -> bool:
    """Return whether the type of a list leaves out none among its items."""
    return isinstance(source.type, Seq) and not isinstance(source.type.of, Maybe)


def _part_filled(wanted: Part, proven: Iterable[x.Expr]) -> bool:
    source, variable, where = wanted
    proven = list(proven)
    if _is_extreme(wanted, proven):
        return True
    for proof in proven:
        for shown, name, which in _list_nonempty_parts(proof):
            names = {name: variable} if name is not None and variable is not None else {}
            if same(shown, source) and (where is None or same(which, where, names)):
                return True
    return False


def _is_extreme(wanted: Part, proven: list[x.Expr]) -> bool:
    """Return whether those of a list are wanted whose number is the greatest, or least, of others that there are."""
    source, variable, where = wanted
    named = [pair for proof in proven for pair in comparisons(proof)]
    if where is None or variable is None:
        return False

    def find_meaning(value: x.Expr) -> x.Expr:
        return next((other for one, op, other in named if op == "==" and one == value), value)

    everyone = isinstance(source, x.Instances) and source.kind == "player"
    return any(
        (everyone and rest is None) or _part_filled((source, variable, rest), proven)
        for rest in list_extremes(x.Binder(variable, source, span=source.span), where, find_meaning)
    )


def list_extremes(binder: x.Binder, where: x.Expr, find_meaning: Callable[[x.Expr], x.Expr]) -> Iterator[x.Expr | None]:
    """Yield the rest of a condition that takes what has the greatest or least number of all that meet this rest.

    Something meets the condition if something meets the rest; None is a rest that asks nothing. *find_meaning* gives
    what a name or a function stands for.
    """
    parts, item = conjuncts(where), x.Local(binder.variable, type=binder.variable.type, span=binder.span)
    for part in parts:
        rest = [one for one in parts if one is not part]
        for left, op, right in comparisons(part):
            best = find_meaning(right) if op == "==" else right
            if not isinstance(best, x.Quantifier) or best.op not in ("max", "min") or len(best.binders) != 1:
                continue
            if op not in ("==", "<=", ">=") or any(node == item for node in walk(best)):
                continue  # what it is the greatest of must not depend on the item
            names = {best.binders[0].variable: binder.variable}
            others = conjuncts(best.where) if best.where is not None else []
            if (
                best.value is not None
                and same(best.binders[0].source, binder.source)
                and same(best.value, left, names)
                and len(others) == len(rest)
                and all(same(one, other, names) for one, other in zip(others, rest, strict=True))
            ):
                yield join_conditions(rest)


def join_conditions(parts: Iterable[x.Expr]) -> x.Expr | None:
    """Return the condition that all of some parts hold; None of no parts."""
    found: x.Expr | None = None
    for part in parts:
        found = part if found is None else x.Logic("and", found, part, type=BOOL, span=part.span)
    return found


def _list_nonempty_parts(proof: x.Expr) -> Iterator[Part]:
    """Yield the lists that *proof* shows not to be empty."""
    match proof:
        case x.Quantifier(op="any", binders=(binder,)) if proof.value is None or proof.where is None:
            yield binder.source, binder.variable, proof.where if proof.value is None else proof.value
        case x.Filled():
            yield _part(proof.of)
        case x.Compare():
            yield from list_counted(proof)


def list_counted(condition: x.Compare, exactly: bool = False) -> Iterator[Part]:
    """Yield the lists that a comparison shows not to be empty, by the number of their items.

    With *exactly*, the comparison says nothing more.
    """
    for left, op, right in comparisons(condition):
        counted = _recognize_count(left) if _above_zero(op, right) else None
        least = isinstance(right, x.Number) and (op, right.value) in ((">", 0), (">=", 1), ("!=", 0))
        if counted is not None and (least or not exactly):
            yield counted


def _above_zero(op: str, right: x.Expr) -> bool:
    """Return whether a number of things that compares so is above 0."""
    least = {">": 0, ">=": 1, "==": 1}.get(op)
    if not isinstance(right, x.Number):
        return False
    return right.value == 0 if op == "!=" else least is not None and right.value >= least


def _recognize_count(left: x.Expr) -> Part | None:
    """Recognize ``size(S)``, ``count(S)`` and ``count(x in S where P)``."""
    match left:
        case x.BuiltinCall(builtin="size", arguments=(source,)):
            return _part(source)
        case x.Whole(op="count"):
            return _part(left.of)
        case x.Quantifier(op="count", binders=(binder,)):
            return binder.source, binder.variable, left.where
    return None


def _part(source: x.Expr) -> Part:
    """Return what a list is taken from: whether it is empty depends on that and on the condition alone."""
    match source:
        case x.Quantifier(binders=(binder,)) if source.op in _SAME_ITEMS:
            return binder.source, binder.variable, source.where
        case x.Whole() if source.op in _SAME_ITEMS:
            return _part(source.of)
    return source, None, None
