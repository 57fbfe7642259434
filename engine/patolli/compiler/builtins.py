"""How each built-in function is compiled: one row each, under the name it has in the register."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from patolli.compiler import build as b
from patolli.compiler.payments import affordable
from patolli.kernel import geometry
from patolli.language import tree as t
from patolli.program import types as ty

if TYPE_CHECKING:
    from patolli.compiler.expressions import Expressions
    from patolli.compiler.unit import Context

Compile = Callable[["Expressions", t.Call, "Context"], ast.expr]


def _plain(function: str) -> Compile:
    def compile_(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
        return b.call(function, *(ex.expr(a, c) for a in expr.arguments))

    return compile_


def _have(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
    who = ex.expr(expr.arguments[0], c) if len(expr.arguments) == 2 else c.read("me")
    return b.item("s", b.add(ex.expr(expr.arguments[-1], c), who))


def _number(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
    return b.add(ex.expr(expr.arguments[0], c), b.const(1))


def _next(step: int) -> Compile:
    def compile_(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
        table = ex.unit.keep("N", tuple((i + step) % ex.layout.seats for i in range(ex.layout.seats)))
        return b.item(table, ex.expr(expr.arguments[0], c))

    return compile_


def _order(start: int) -> Compile:
    def compile_(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
        seats = ex.layout.seats
        rows = tuple(tuple((i + k) % seats for k in range(start, seats)) for i in range(seats))
        return b.item(ex.unit.keep("N", rows), ex.expr(expr.arguments[0], c))

    return compile_


def _geometry(function: str) -> Compile:
    """Cells come from a table when the other arguments are constant."""

    def compile_(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
        first = expr.arguments[0].type
        kind = ex.model.kinds[first.kind]
        rest = [ex.layout.constants.value(a) for a in expr.arguments[1:]]
        work = getattr(geometry, function)
        if None not in rest:
            table = tuple(work(kind.grid, cell, *rest) for cell in range(ex.layout.size(kind.name)))
            return b.item(ex.unit.keep("G", table), ex.expr(expr.arguments[0], c))
        ex.unit.space[f"geo_{function}"] = work
        return b.call(f"geo_{function}", b.const(kind.grid), *(ex.expr(a, c) for a in expr.arguments))

    return compile_


def _cell_at(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
    kind = ex.model.kinds[expr.arguments[0].type.of.kind]
    found = b.call("cell_at", b.const(kind.grid), *(ex.expr(a, c) for a in expr.arguments[1:]))
    if not kind.per_player:
        return found
    return b.call("moved_on", found, b.times(c.read("me"), b.const(kind.grid[0] * kind.grid[1])))


def _owned(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
    who = ex.expr(expr.arguments[0], c) if len(expr.arguments) == 2 else c.read("me")
    instances = ex.layout.instances[expr.arguments[-1].note[1]]
    rows = tuple(tuple(i for i, x in enumerate(instances) if x.owner == p) for p in range(ex.layout.seats))
    return b.item(ex.unit.keep("N", rows), who)


def _placements(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
    grid = expr.arguments[1].id  # type: ignore[attr-defined]
    who = c.read("me") if ex.model.kinds[grid].per_player else b.const(0)
    return b.item(b.item(f"L_{grid}_placement", who), ex.expr(expr.arguments[0], c))


def _connected(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
    cell = ty.strip(expr.arguments[1].type)
    assert isinstance(cell, ty.Ref)
    kind = ex.model.kinds[cell.kind]
    table = tuple(geometry.adjacent(kind.grid, n) for n in range(ex.layout.size(kind.name)))
    return b.call("connected", b.name(ex.unit.keep("G", table)), *(ex.expr(a, c) for a in expr.arguments))


def _place_of(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
    kind = ex.model.places[expr.arguments[1].id].of  # type: ignore[attr-defined]
    base, sizes = ex.layout.places[expr.arguments[1].id]  # type: ignore[attr-defined]
    at = b.item("s", b.add(ex.expr(expr.arguments[0], c), b.const(ex.layout.at[kind])))
    return b.call("place_of", at, b.const(base), b.const(sizes[0]))


def _payable(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
    item = t.Item(expr.arguments[0], at=expr.at, note=("cost",))
    return affordable(ex, [item], None, c)


def _can(ex: Expressions, expr: t.Call, c: Context) -> ast.expr:
    call = expr.arguments[0]
    assert isinstance(call, t.Call)
    rule = ex.model.rules[call.id]
    if not rule.guarded:
        return b.const(True)
    return ex.unit.space["compile_can"](rule, [ex.expr(a, c) for a in call.arguments], c)  # type: ignore[no-any-return]


def _least(name: str) -> Compile:
    return _plain(name)


BUILT: dict[str, Compile] = {
    "abs": _plain("abs"),
    "size": _plain("len"),
    "top": _plain("top"),
    "have": _have,
    "payable": _payable,
    "can": _can,
    "number": _number,
    "rotate": _plain("rotate"),
    "reverse": _plain("reverse"),
    "take": _plain("take"),
    "position": _plain("position"),
    "next": _next(1),
    "previous": _next(-1),
    "others": _order(1),
    "turn_order": _order(0),
    "cell_at": _cell_at,
    "shift": _geometry("shift"),
    "adjacent": _geometry("adjacent"),
    "around": _geometry("around"),
    "lines": _geometry("lines"),
    "ray": _geometry("ray"),
    "connected": _connected,
    "place_of": _place_of,
    "owned": _owned,
    "placements": _placements,
    "min": _least("min"),
    "max": _least("max"),
}
