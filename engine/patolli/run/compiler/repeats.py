"""Find the lists in which an item may stand twice, so that only those are looked through before they are offered."""

from __future__ import annotations

from typing import Any

from patolli.kernel.values import distinct, perhaps_at_rest
from patolli.language.program import expressions as x
from patolli.run.compiler.unit import Unit, fact_table

_DIFFERENT = frozenset("others turn_order owned placements adjacent around lines ray connected".split())
"""Built-in functions that give each item once."""
_SAME_ITEMS = frozenset({"rotate", "reverse", "take"})
"""Those that give items of a list no more often than the list does."""
_TAKING = frozenset({"list", "sorted"})


def may_repeat(source: x.Expr, unit: Unit, inside: frozenset[str] = frozenset()) -> bool:
    """Return whether an item may stand in a list twice; *inside* are the functions that are being looked at."""
    match source:
        case x.Instances() | x.GroupNamed() | x.Held() | x.Range():
            return False
        case x.BuiltinCall():
            taken = source.builtin in _SAME_ITEMS and not may_repeat(source.arguments[0], unit, inside)
            return source.builtin not in _DIFFERENT and not taken
        case x.Quantifier(op="distinct") | x.Whole(op="distinct"):
            return False
        case x.Quantifier(op=op, binders=(binder,)) if op in _TAKING and _itself(source.value, binder):
            return may_repeat(binder.source, unit, inside)
        case x.Whole(op=op) if op in _TAKING:
            return may_repeat(source.of, unit, inside)
        case x.Cut(binder=binder):
            return may_repeat(binder.source, unit, inside)
        case x.IfElse():
            return may_repeat(source.then, unit, inside) or may_repeat(source.other, unit, inside)
        case x.ListOf():
            return _written_twice(source, unit)
        case x.ConstantNamed(name=name):
            return _repeats(unit.space.get(f"C_{name}"))
        case x.FactOf(kind=kind, fact=fact):
            return any(map(_repeats, unit.space.get(fact_table(kind, fact), (None,))))
        case x.FunctionCall(function=name) if name not in inside:
            return may_repeat(unit.model.functions[name].body, unit, inside | {name})
    return True


def _itself(value: x.Expr | None, binder: x.Binder) -> bool:
    """Return whether what is collected is the variable itself."""
    return value is None or (isinstance(value, x.Local) and value.variable is binder.variable)


def _written_twice(source: x.ListOf, unit: Unit) -> bool:
    """Return whether two items of a list that is written out may be equal."""
    known = [_find_constant(item, unit) for item in source.items]
    return len(known) > 1 and (None in known or _repeats(tuple(known)))


def _find_constant(item: x.Expr, unit: Unit) -> Any:
    match item:
        case x.Instance(kind=kind, id=id_):
            return unit.layout.index.get((kind, id_))
        case x.CounterNamed(counter=counter):
            return unit.layout.counters[counter][0]
    return perhaps_at_rest(unit.layout.constants.value(item))


def _repeats(items: object) -> bool:
    """Return whether an item stands twice in a list that is known; in what is no list by now, it might."""
    return not isinstance(items, tuple) or len(distinct(items)) < len(items)
