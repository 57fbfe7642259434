"""How built-in functions are compiled that are more than a call of the function of the kernel with their name."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from patolli.check.proofs.terms import substitute_variables
from patolli.kernel import geometry
from patolli.language.program.expressions import BuiltinCall, Expr, FactOf, FunctionCall, Local, Quantifier, Variable
from patolli.run.compiler import build as b
from patolli.run.compiler.step_meter import MET, SEARCHED
from patolli.run.compiler.unit import fact_table, function_name

if TYPE_CHECKING:
    from patolli.run.compiler.expressions import Expressions
    from patolli.run.compiler.unit import Context

MOST_NUMBERS = 2_000_000
"""How many cells all tables of lines and rays may have."""
_CALLS = (FunctionCall, BuiltinCall)
Compile = Callable[["Expressions", BuiltinCall, "Context"], ast.expr]


def compile_call(ex: Expressions, expr: BuiltinCall, c: Context) -> ast.expr:
    """Compile a call: as the table below says, else as a call of the function of the same name."""
    special = BUILT.get(expr.builtin)
    return special(ex, expr, c) if special is not None else _call(expr.builtin)(ex, expr, c)


def _call(function: str) -> Compile:
    return lambda ex, expr, c: b.call(function, *(ex.expr(a, c) for a in expr.arguments))


def _number(ex: Expressions, expr: BuiltinCall, c: Context) -> ast.expr:
    return b.add(ex.expr(expr.arguments[0], c), b.const(1))


def _next(step: int) -> Compile:
    def compile_(ex: Expressions, expr: BuiltinCall, c: Context) -> ast.expr:
        table = ex.unit.table("N", tuple((i + step) % ex.layout.seats for i in range(ex.layout.seats)))
        return b.item(table, ex.expr(expr.arguments[0], c))

    return compile_


def _order(start: int) -> Compile:
    def compile_(ex: Expressions, expr: BuiltinCall, c: Context) -> ast.expr:
        seats = ex.layout.seats
        rows = tuple(tuple((i + k) % seats for k in range(start, seats)) for i in range(seats))
        return b.item(ex.unit.table("N", rows), ex.expr(expr.arguments[0], c))

    return compile_


def _geometry(function: str) -> Compile:
    """Cells come from a table when the other arguments are constant, unless all such tables become too large."""

    def compile_(ex: Expressions, expr: BuiltinCall, c: Context) -> ast.expr:
        kind = ex.model.kinds[expr.kind]
        rest = [ex.layout.constants.value(a) for a in expr.arguments[1:]]
        work = getattr(geometry, function)
        key = function, kind.name, *rest
        if None not in rest and key not in ex.unit.geometry:
            cells = range(ex.layout.size(kind.name))
            numbers = len(cells) * _MOST_CELLS[function](kind.grid, *rest) if function in _MOST_CELLS else 0
            if ex.unit.geometry_numbers + numbers <= MOST_NUMBERS:
                ex.unit.geometry[key] = ex.unit.keep("G", tuple(work(kind.grid, cell, *rest) for cell in cells))
                ex.unit.geometry_numbers += numbers
        if key in ex.unit.geometry:
            return b.item(ex.unit.geometry[key], ex.expr(expr.arguments[0], c))
        ex.unit.space[f"geo_{function}"] = _DRAWING.get(function, work)
        return b.call(f"geo_{function}", b.const(kind.grid), *(ex.expr(a, c) for a in expr.arguments))

    return compile_


_DRAWING = {"lines": geometry.drawn_lines, "ray": geometry.drawn_ray}
"""What is called where such geometry is computed while a match runs: it draws on the step budget."""
_MOST_CELLS: dict[str, Callable[..., int]] = {
    "lines": lambda grid, length: len(geometry.AXES) * length * length if 0 < length <= max(grid[:2]) else 0,
    "ray": lambda grid, *_: max(grid[:2]),
}
"""How many cells such geometry has at most for one cell, where that can be many."""


def _cell_at(ex: Expressions, expr: BuiltinCall, c: Context) -> ast.expr:
    kind = ex.model.kinds[expr.kind]
    row, column, *who = (ex.expr(a, c) for a in expr.arguments)
    found = b.call("cell_at", b.const(kind.grid), row, column)
    if not who:
        return found
    return b.call("moved_on", found, b.times(who[0], b.const(kind.grid[0] * kind.grid[1])))


def _compile_owned(ex: Expressions, expr: BuiltinCall, c: Context) -> ast.expr:
    instances = ex.layout.instances[expr.kind]
    rows = tuple(tuple(i for i, x in enumerate(instances) if x.owner == p) for p in range(ex.layout.seats))
    return b.item(ex.unit.table("N", rows), ex.expr(expr.arguments[0], c))


def _placements(ex: Expressions, expr: BuiltinCall, c: Context) -> ast.expr:
    shape, *who = (ex.expr(a, c) for a in expr.arguments)
    return b.item(b.item(f"L_{expr.name}_placement", who[0] if who else b.const(0)), shape)


def _compile_connected(ex: Expressions, expr: BuiltinCall, c: Context) -> ast.expr:
    kind = ex.model.kinds[expr.kind]
    table = tuple(geometry.adjacent(kind.grid, n) for n in range(ex.layout.size(kind.name)))
    return b.call("connected", b.name(ex.unit.keep("G", table)), *(ex.expr(a, c) for a in expr.arguments))


def _compile_search(ex: Expressions, expr: BuiltinCall, c: Context) -> ast.expr:
    """Compile a search: a relation that is a table is looked up there, any other is asked for what is met."""
    *ends, every = expr.arguments
    assert isinstance(every, Quantifier)
    assert every.value is not None
    near, binder = every.value, every.binders[0]
    table = _find_link_table(ex, near, binder.variable)
    collected = _find_collection(ex, near) if expr.builtin == "reachable" and not table else None
    if collected is not None:
        found = _spreading(ex, collected, binder.variable, ex.expr(ends[0], c), c)
        if isinstance(near, FunctionCall):
            ex.unit.spreading.setdefault(near.function, []).append(found[1])
        return found[0]
    if table:
        asked: ast.expr = ast.Attribute(b.name(table), "__getitem__", ast.Load())
    else:
        asked = b.asking(ex.unit.local(binder.variable), ex.expr(near, c.child(binder.variable)))
    return b.call(expr.builtin, asked, b.const(SEARCHED), *(ex.expr(end, c) for end in ends))


def _find_collection(ex: Expressions, near: Expr) -> Quantifier | None:
    """Return what a relation collects of one list for each thing, where it does so and nothing else."""
    if isinstance(near, FunctionCall):
        function = ex.model.functions[near.function]
        near = substitute_variables(function.body, {function.me: near.me, function.parameters[0]: near.arguments[0]})
    if isinstance(near, Quantifier) and near.op == "list" and near.value is None and len(near.binders) == 1:
        return near
    return None


def _spreading(ex: Expressions, near: Quantifier, one: Variable, start: ast.expr, c: Context) -> tuple[ast.expr, str]:
    """Compile a search that looks at neighbors without listing them; return its call and its name."""
    inner = c.lift_context()
    generators, _ = ex.generators(near.binders, near.where, inner.child(one))
    generator, found, seen = generators[0], b.name("found"), b.name(MET)
    assert isinstance(generator.target, ast.Name)
    other = b.name(generator.target.id)
    add = [b.do(b.method(seen, "add", other)), b.do(b.method(found, "append", other))]
    tests = [*generator.ifs, ast.Compare(other, [ast.NotIn()], [seen])]
    around = b.loop(generator.target.id, generator.iter, [b.when(b.both(tests), add)])
    steps = SEARCHED + sum(1 for _ in ast.walk(around))
    body = [
        b.assign(found, ast.List([b.name("start")], ast.Load())),
        b.assign(seen, ast.Set([b.name("start")])),
        b.loop(ex.unit.local(one), found, [around]),
        b.do(b.call("tick", b.times(b.call("len", found), b.const(steps)))),
        b.give(b.call("tuple", found)),
    ]
    id_, captured = ex.unit.fresh("q"), list(inner.captured)
    ex.unit.define(id_, ["s", "start", *map(ex.unit.local, captured)], body, near.span)
    return b.call(id_, b.name("s"), start, *map(c.read_variable, captured)), id_


def _find_link_table(ex: Expressions, near: Expr, one: Variable) -> str:
    """Return the name of the table that holds where each thing leads to, if there is one."""
    given = near.of if isinstance(near, FactOf) else near.arguments[0] if isinstance(near, _CALLS) else None
    if not isinstance(given, Local) or given.variable is not one:
        return ""
    match near:
        case FactOf(kind=kind, fact=fact):
            return fact_table(kind, fact)
        case FunctionCall(function=name) if name in ex.unit.tabled:
            return f"T_{function_name(name)}"
        case BuiltinCall(builtin="adjacent" | "around" as name):
            kind_ = ex.model.kinds[near.kind]
            rows = tuple(getattr(geometry, name)(kind_.grid, n) for n in range(ex.layout.size(kind_.name)))
            return ex.unit.table("G", rows)
    return ""


def _place_of(ex: Expressions, expr: BuiltinCall, c: Context) -> ast.expr:
    base, sizes = ex.layout.places[expr.name]
    at = b.item("s", b.add(ex.expr(expr.arguments[0], c), b.const(ex.layout.at[expr.kind])))
    return b.call("place_of", at, b.const(base), b.const(sizes[0]))


BUILT: dict[str, Compile] = {
    "size": _call("len"),
    "number": _number,
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
    "connected": _compile_connected,
    "reachable": _compile_search,
    "distance": _compile_search,
    "path": _compile_search,
    "place_of": _place_of,
    "owned": _compile_owned,
    "placements": _placements,
}
