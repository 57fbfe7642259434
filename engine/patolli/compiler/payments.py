"""Compile costs and gains.

A payment whose counters nothing can replace, and whose tag nobody discounts or waives, becomes plain comparisons and
subtractions. Everything else goes through the payment solver of the runtime, as a *need*: pairs of slot and amount,
and mixes of a group.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from patolli.compiler import build as b
from patolli.compiler import telling
from patolli.language import tree as t

if TYPE_CHECKING:
    from patolli.compiler.expressions import Expressions
    from patolli.compiler.unit import Context

Pairs = list[tuple[ast.expr, ast.expr]]


def plain(ex: Expressions, items: list[t.Item], tag: str | None) -> bool:
    """Tell whether a payment needs no solver."""
    traits = ex.unit.traits
    if tag in traits.tags:
        return False
    return all(t.note_of(i)[0] == "counter" and i.thing not in traits.substituted | traits.spent for i in items)


def pairs(ex: Expressions, items: list[t.Item], c: Context) -> Pairs:
    """Return slot and amount of the items that name a counter, equal ones added up."""
    found: dict[str, tuple[ast.expr, ast.expr]] = {}
    for item in items:
        note = item.note
        if note[0] == "counter":
            slot = ex.counter_slot(note[1], note[2], item.arguments, c)
        elif note[0] == "variable":
            slot = b.add(c.read(note[1]), c.read("me"))
        else:
            continue
        amount = ex.expr(item.amount, c)
        key = ast.dump(slot)
        if key in found:
            amount = b.add(found[key][1], amount)
        found[key] = (slot, amount)
    return list(found.values())


def affordable(ex: Expressions, items: list[t.Item], tag: str | None, c: Context) -> ast.expr:
    """Return the test whether I can pay."""
    named = [item.thing for item in items]
    if plain(ex, items, tag) and len(set(named)) == len(named):
        return b.both([b.compare(b.item("s", slot), ">=", amount) for slot, amount in pairs(ex, items, c)])
    return b.call("payable", b.name("s"), c.read("me"), need(ex, items, c), b.const(tag), b.name("MONEY"))


def need(ex: Expressions, items: list[t.Item], c: Context) -> ast.expr:
    """Return the need of a payment: pairs, mixes, and costs held by pieces, added up at run time."""
    simple = [ast.Tuple([slot, amount], ast.Load()) for slot, amount in pairs(ex, items, c)]
    mixes: list[ast.expr] = []
    costs: list[ast.expr] = []
    for item in items:
        if item.note[0] == "mix":
            bases = b.const([ex.layout.counters[m][0] for m in ex.model.groups[item.note[1]]])
            mixes.append(ast.Tuple([bases, ex.expr(item.amount, c)], ast.Load()))
        elif item.note[0] == "cost":
            costs.append(ex.expr(item.amount, c))
    parts: list[ast.expr] = [ast.Tuple(list(simple), ast.Load()), ast.Tuple(mixes, ast.Load())]
    if not costs:
        return ast.Tuple(parts, ast.Load())
    return b.call("with_costs", c.read("me"), *parts, ast.Tuple(costs, ast.Load()))


def ways(ex: Expressions, effect: t.Pay, c: Context) -> ast.expr:
    """Return the list of all ways to pay."""
    return b.call("ways", b.name("s"), c.read("me"), need(ex, effect.items, c), b.const(effect.tag), b.name("MONEY"))


def subtract(ex: Expressions, items: list[t.Item], c: Context) -> list[ast.stmt]:
    """Return the statements of a plain payment; less than nothing is nothing."""
    body: list[ast.stmt] = []
    safe = all(ex.unit.traits.amounts.never_negative(item.amount) for item in items)
    for slot, amount in pairs(ex, items, c):
        owed = amount if safe else within(amount, 0, None)
        changed = partial(_bounded, owed, True, (None, None), False)
        body += telling.change(ex.unit, "pay", c.read("me"), slot, changed)
    return body


def change(ex: Expressions, effect: t.Gain, c: Context, who: ast.expr | None) -> list[ast.stmt]:
    """Return the statements of a gain or loss of counters, kept within their bounds."""
    body: list[ast.stmt] = []
    for item in effect.items:
        if item.note[0] not in ("counter", "variable"):
            continue
        body.extend(_change(ex, effect, item, c, who))
    return body


def _change(ex: Expressions, effect: t.Gain, item: t.Item, c: Context, who: ast.expr | None) -> list[ast.stmt]:
    me = who if who is not None else c.read("me")
    amount = ex.expr(item.amount, c)
    safe = ex.unit.traits.amounts.never_negative(item.amount)
    low, high = 0, None
    if item.note[0] == "counter":
        name, implied = item.note[1], item.note[2]
        base, sizes = ex.layout.counters[name]
        indices = [ex.expr(a, c) for a in item.arguments]
        slot = ex.slot(base, sizes, [me, *indices] if implied else indices)
        low, high = ex.model.counters[name].low, ex.layout.limits[name]
    else:
        slot = b.add(c.read(item.note[1]), me)
        if _watched(ex, effect.less, safe):
            signed = b.add(b.const(0), amount, True) if effect.less else amount
            gained = b.call("gain_of", b.name("s"), c.read(item.note[1]), me, signed, b.name("BOUNDS"))
            return telling.change(ex.unit, "lose" if effect.less else "gain", me, slot, lambda _: [b.do(gained)])
    kept = (low if effect.less or not safe else None, high if not effect.less or not safe else None)
    kind = "lose" if effect.less else "gain"
    doubles = kept[1] is None and not isinstance(amount, ast.Constant) and not (effect.less and safe)
    return telling.change(ex.unit, kind, me, slot, partial(_bounded, amount, effect.less, kept, doubles))


def _watched(ex: Expressions, less: bool, safe: bool) -> bool:
    """Tell whether the bounds of a counter of a group must be looked up when it changes."""
    grouped = [name for members in ex.model.groups.values() for name in members]
    lows = any(ex.model.counters[name].low for name in grouped)
    highs = any(ex.layout.limits[name] is not None for name in grouped)
    return (lows if less else highs) if safe else True


def _bounded(
    amount: ast.expr, less: bool, bounds: tuple[int | None, int | None], doubles: bool, slot: ast.expr
) -> list[ast.stmt]:
    target = b.store(b.item("s", slot))
    if bounds == (None, None) and not doubles:
        return [ast.AugAssign(target, ast.Sub() if less else ast.Add(), amount)]
    value = b.add(b.item("s", slot), amount, less)
    return [ast.Assign([target], within(b.call("sized", value) if doubles else value, *bounds))]


def within(value: ast.expr, low: int | None, high: int | None) -> ast.expr:
    """Return a value kept between two bounds."""
    if high is not None:
        value = b.call("min", value, b.const(high))
    return value if low is None else b.call("max", value, b.const(low))
