"""Compile costs and gains.

A payment whose counters nothing can replace, and whose tag no rule discounts or waives, becomes plain comparisons and
subtractions. Everything else goes through the payment solver of the kernel, as a *need*: pairs of slot and amount,
and mixes of a group.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.node import Location, children
from patolli.run.compiler import build as b
from patolli.run.compiler import narration
from patolli.run.compiler.marked_tags import compile_tag

if TYPE_CHECKING:
    from patolli.run.compiler.effects import Effects
    from patolli.run.compiler.expressions import Expressions
    from patolli.run.compiler.unit import Context

Pairs = list[tuple[ast.expr, ast.expr]]


def pairs(ex: Expressions, items: Iterable[e.Item], c: Context) -> Pairs:
    """Return slot and amount of the items that name a counter, equal ones added up."""
    found: dict[str, tuple[ast.expr, ast.expr]] = {}
    for item in items:
        if not isinstance(item, e.CounterItem | e.MemberItem):
            continue
        slot, amount = _slot(ex, item, c), ex.expr(item.amount, c)
        key = ast.dump(slot)
        if key in found:
            amount = b.add(found[key][1], amount)
        found[key] = (slot, amount)
    return list(found.values())


def _slot(ex: Expressions, item: e.CounterItem | e.MemberItem, c: Context) -> ast.expr:
    if isinstance(item, e.CounterItem):
        return ex.counter_slot(item.counter, item.indices, c)
    return b.add(ex.expr(item.member, c), ex.expr(item.who, c))


def affordable(ex: Expressions, pay: e.Pay, c: Context) -> ast.expr:
    """Return the test whether a player can pay."""
    named = [item.counter for item in pay.items if isinstance(item, e.CounterItem)]
    if ex.unit.summaries.plain(pay) and len(set(named)) == len(pay.items):
        return b.both([b.compare(b.item("s", slot), ">=", amount) for slot, amount in pairs(ex, pay.items, c)])
    who = ex.expr(pay.who, c)
    return b.call("payable", b.name("s"), who, compile_need(ex, pay, c), compile_tag(ex, pay, c), b.name("MONEY"))


def enough(ex: Expressions, pay: e.Pay, c: Context) -> list[ast.stmt]:
    """Return the statements that fail where there is not enough for a plain payment; paying nothing needs nothing."""
    tests = [
        b.compare(b.call("max", b.item("s", slot), b.const(0)), ">=", amount)
        for slot, amount in pairs(ex, pay.items, c)
    ]
    return [b.when(b.negate(b.both(tests)), [b.do(b.call("no_way_to_pay"))])]


def compile_need(ex: Expressions, pay: e.Pay, c: Context) -> ast.expr:
    """Return the need of a payment: pairs, mixes, and costs that something holds, added up at run time."""
    parts = _parts(ex, pay.items, pairs(ex, pay.items, c), c)
    costs = [ex.expr(item.cost, c) for item in pay.items if isinstance(item, e.CostItem)]
    if not costs:
        return ast.Tuple(parts, ast.Load())
    return b.call("with_costs", b.name("s"), ex.expr(pay.who, c), *parts, ast.Tuple(costs, ast.Load()), b.name("COSTS"))


def _parts(ex: Expressions, items: Iterable[e.Item], known: Pairs, c: Context) -> list[ast.expr]:
    """Return the two parts of a need: pairs and mixes."""
    simple: list[ast.expr] = [ast.Tuple([slot, amount], ast.Load()) for slot, amount in known]
    mixes: list[ast.expr] = [
        ast.Tuple([bases(ex, item), ex.expr(item.amount, c)], ast.Load())
        for item in items
        if isinstance(item, e.MixItem)
    ]
    return [ast.Tuple(simple, ast.Load()), ast.Tuple(mixes, ast.Load())]


def bases(ex: Expressions, item: e.MixItem) -> ast.expr:
    """Return where the counters of a mix begin; the player is added."""
    return b.const([ex.layout.counters[counter][0] for counter in item.counters])


def compile_ownerless_cost(ex: Expressions, cost: e.CostOf, c: Context) -> ast.expr:
    """Return a cost that a value contains, in slots to which the payer is added."""
    known = [(_without(slot, c.read_variable(cost.payer)), amount) for slot, amount in pairs(ex, cost.items, c)]
    return ast.Tuple(_parts(ex, cost.items, known, c), ast.Load())


def _without(slot: ast.expr, payer: ast.expr) -> ast.expr:
    """Return a slot less the payer; most are no more than those of the first player and the payer."""
    if isinstance(slot, ast.BinOp) and isinstance(slot.op, ast.Add) and ast.dump(slot.left) == ast.dump(payer):
        return slot.right
    return b.add(slot, payer, True)


def ways(ex: Expressions, pay: e.Pay, c: Context) -> ast.expr:
    """Return the list of all ways to pay."""
    return b.call(
        "ways", b.name("s"), ex.expr(pay.who, c), compile_need(ex, pay, c), compile_tag(ex, pay, c), b.name("MONEY")
    )


Beforehand = tuple["Context", list[ast.stmt], tuple[e.Item, ...]]
"""Where the parts of a change stand, what is computed before them, and the parts."""


def beforehand(ex: Effects, items: tuple[e.Item, ...], c: Context) -> Beforehand:
    """Work out beforehand what a part reads and an earlier part changes: all of them count what was there before."""
    body: list[ast.stmt] = []
    changed: set[Location] = set()
    found: list[e.Item] = []
    for item in items:
        late = [part for part in children(item) if changed & ex.unit.summaries.reads(part)]
        known: dict[int, x.Expr] = {}
        for part in late:
            assert isinstance(part, x.Expr)
            variable = x.Variable("", part.type, part.span)
            value = ex.compile_stored_value(part, c)
            c = ex.declare(variable, c)
            body.append(b.assign(c.read_variable(variable), value))
            known[id(part)] = x.Local(variable, type=part.type, span=part.span)
        found.append(_with(item, known) if known else item)
        assert isinstance(item, e.CounterItem | e.MemberItem | e.MixItem | e.CostItem)
        changed.update(("counter", counter) for counter in item.counters)
    return c, body, tuple(found)


def _with(item: e.Item, known: dict[int, x.Expr]) -> e.Item:
    """Return a part in which other expressions stand for some of its own."""

    def other(value: Any) -> Any:
        return tuple(map(other, value)) if isinstance(value, tuple) else known.get(id(value), value)

    return replace(item, **{field.name: other(getattr(item, field.name)) for field in fields(item)})


def subtract(ex: Effects, pay: e.Pay, c: Context) -> list[ast.stmt]:
    """Return the statements of a plain payment; less than nothing is nothing."""
    amounts = (item.amount for item in pay.items if isinstance(item, e.CounterItem))
    safe = all(map(ex.unit.proven.never_negative, amounts))
    c, body, items = beforehand(ex, pay.items, c)
    for slot, amount in pairs(ex, items, c):
        owed = amount if safe else within(amount, 0, None)
        changed = partial(_clamp_counter, owed, True, (None, None), False)
        body += narration.change(ex.unit, "pay", ex.expr(pay.who, c), slot, changed)
    return body


def change(ex: Expressions, gain: e.Gain, c: Context) -> list[ast.stmt]:
    """Return the statements of a gain or loss of counters, kept within their bounds; its parts are computed."""
    body: list[ast.stmt] = []
    for item in gain.items:
        if isinstance(item, e.CounterItem):
            body += _change(ex, gain, item, c)
        elif isinstance(item, e.MemberItem):
            body += _change_of_group(ex, gain, item, c)
    return body


def _change(ex: Expressions, gain: e.Gain, item: e.CounterItem, c: Context) -> list[ast.stmt]:
    low, high = ex.model.counters[item.counter].low, ex.layout.limits[item.counter]
    safe = ex.unit.proven.never_negative(item.amount)
    kept = (low if gain.less or not safe else None, high if not gain.less or not safe else None)
    return _change_counter(ex, gain, item, kept, c)


def _change_of_group(ex: Expressions, gain: e.Gain, item: e.MemberItem, c: Context) -> list[ast.stmt]:
    """Change a counter that is known only now; most groups have the same bounds throughout."""
    safe = ex.unit.proven.never_negative(item.amount)
    if not _has_dynamic_bounds(ex, gain.less, safe):
        return _change_counter(ex, gain, item, (0 if gain.less or not safe else None, None), c)
    who, member, amount = (ex.expr(part, c) for part in (item.who, item.member, item.amount))
    signed = b.add(b.const(0), amount, True) if gain.less else amount
    gained = b.call("gain_of", b.name("s"), member, who, signed, b.name("BOUNDS"))
    kind = "lose" if gain.less else "gain"
    return narration.change(ex.unit, kind, ex.expr(gain.who, c), _slot(ex, item, c), lambda _: [b.do(gained)])


def _change_counter(
    ex: Expressions, gain: e.Gain, item: e.CounterItem | e.MemberItem, kept: tuple[int | None, int | None], c: Context
) -> list[ast.stmt]:
    amount = ex.expr(item.amount, c)
    safe = ex.unit.proven.never_negative(item.amount)
    doubles = kept[1] is None and not isinstance(amount, ast.Constant) and not (gain.less and safe)
    changed = partial(_clamp_counter, amount, gain.less, kept, doubles)
    kind = "lose" if gain.less else "gain"
    return narration.change(ex.unit, kind, ex.expr(gain.who, c), _slot(ex, item, c), changed)


def _has_dynamic_bounds(ex: Expressions, less: bool, safe: bool) -> bool:
    """Return whether the bounds of a counter of a group must be looked up when it changes."""
    grouped = [name for members in ex.model.groups.values() for name in members]
    lows = any(ex.model.counters[name].low for name in grouped)
    highs = any(ex.layout.limits[name] is not None for name in grouped)
    return (lows if less else highs) if safe else True


def _clamp_counter(
    amount: ast.expr, less: bool, bounds: tuple[int | None, int | None], doubles: bool, slot: ast.expr
) -> list[ast.stmt]:
    target = b.store(b.item("s", slot))
    if bounds == (None, None) and not doubles:
        return [ast.AugAssign(target, ast.Sub() if less else ast.Add(), amount)]
    value = b.add(b.item("s", slot), amount, less)
    return [ast.Assign([target], within(b.call("check_size", value) if doubles else value, *bounds))]


def within(value: ast.expr, low: int | None, high: int | None) -> ast.expr:
    """Return a value kept between two bounds."""
    if high is not None:
        value = b.call("min", value, b.const(high))
    return value if low is None else b.call("max", value, b.const(low))
