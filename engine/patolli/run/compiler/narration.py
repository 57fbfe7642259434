"""Wrap changes of the state so that they are reported to people, where a program narrates.

What a change meant is taken from the state before and after it: amounts stop at bounds, and the expressions of
a change may read differently once it is done.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from patolli.check.prose.effects import MOVED_WORDS
from patolli.language.program import effects as e
from patolli.run.compiler import build as b
from patolli.run.compiler import watch_hooks
from patolli.run.compiler.unit import Unit


def change(
    unit: Unit, kind: str, me: ast.expr, slot: ast.expr, carried_out: Callable[[ast.expr], list[ast.stmt]]
) -> list[ast.stmt]:
    """Return the statements that change one slot; *kind* is how it is reported: gain, lose, pay or set."""
    if not unit.narrate:
        return carried_out(slot)
    where, old = b.name(unit.fresh("m")), b.name(unit.fresh("m"))
    now = b.item("s", where)
    return [
        b.assign(where, slot),
        b.assign(old, now),
        *carried_out(where),
        b.do(b.call("say", b.const(kind), me, where, old, now)),
    ]


def report_move(unit: Unit, effect: e.Effect, kind: str, me: ast.expr, work: ast.expr) -> list[ast.stmt]:
    """Return the statement that moves pieces of a kind, and what reports those that lie elsewhere afterwards.

    ``prose`` may have words for what an effect of its class did; otherwise each piece that came somewhere is reported.
    """
    if not unit.narrate:
        return [b.do(work)]
    before = b.name(unit.fresh("m"))
    where = [b.name("s"), b.const(unit.layout.at[kind]), b.const(unit.layout.size(kind))]
    news = b.call("list_moved", *where, before)
    reported = b.call("say", b.const("moved"), me, where[1], news, b.const(MOVED_WORDS.get(type(effect), "")))
    return [b.assign(before, b.call("lying", *where)), b.do(work), b.do(reported)]


def way(
    unit: Unit, kind: str, me: ast.expr, chosen: ast.expr, carried_out: Callable[[ast.expr], ast.expr]
) -> list[ast.stmt]:
    """Return the statements that carry out a way to pay or gain which the solver found."""
    if not unit.narrate:
        return [b.do(carried_out(chosen))]
    kept = b.name(unit.fresh("m"))
    return [b.assign(kept, chosen), b.do(carried_out(kept)), b.do(b.call("say", b.const(kind), me, kept))]


def report_rule_start(unit: Unit, rule: str, given: list[ast.expr]) -> list[ast.stmt]:
    """Return the statements that report that a rule begins which is called with *given*, me first."""
    if rule in unit.watched:
        return watch_hooks.report_rule_start(unit.watched[rule], given)
    scoped = unit.scopes.get(rule)
    return [b.do(b.call(scoped.teller, b.name("s"), *given))] if scoped is not None else []


def report_rule_end(unit: Unit, rule: str) -> list[ast.stmt]:
    """Return the statements that report that a rule is left."""
    if rule in unit.watched:
        return watch_hooks.report_rule_end(unit.watched[rule])
    scoped = unit.scopes.get(rule)
    return [b.do(b.call("say", b.const("end"), b.const(-1), b.const(scoped.number)))] if scoped is not None else []
