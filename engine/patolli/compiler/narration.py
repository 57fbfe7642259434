"""Wrap changes of the state so that they are told to people, where a program narrates.

What a change meant is taken from the state before and after it: amounts stop at bounds, and the expressions of
a change may read differently once it is done.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from patolli.compiler import build as b

if TYPE_CHECKING:
    from patolli.compiler.unit import Unit


def change(
    unit: Unit, kind: str, me: ast.expr, slot: ast.expr, carried_out: Callable[[ast.expr], list[ast.stmt]]
) -> list[ast.stmt]:
    """Return the statements that change one slot; *kind* is how it is told: gain, lose, pay or set."""
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


def seen(unit: Unit, work: str, me: ast.expr, arguments: list[ast.expr], told: tuple[int, ...]) -> list[ast.stmt]:
    """Return the statements that move several pieces at once.

    Args:
        unit: What is compiled.
        work: The function that does it; the one that tells of it, too, is in the kernel's ``narrated``.
        me: Who acts.
        arguments: Those of the function behind the state; the first is the base of the kind of pieces.
        told: Which of the arguments are told, before what the function returns.
    """
    if not unit.narrate:
        return [b.do(b.call(work, b.name("s"), *arguments))]
    kept = [b.name(unit.fresh("m")) for _ in arguments]
    done = b.call(f"seen_{work}", b.name("s"), *kept)
    event = [b.const(work), me, kept[0], *(kept[at] for at in told), done]
    return [*map(b.assign, kept, arguments), b.do(b.call("say", *event))]


def way(
    unit: Unit, kind: str, me: ast.expr, chosen: ast.expr, carried_out: Callable[[ast.expr], ast.expr]
) -> list[ast.stmt]:
    """Return the statements that carry out a way to pay or gain which the solver found."""
    if not unit.narrate:
        return [b.do(carried_out(chosen))]
    kept = b.name(unit.fresh("m"))
    return [b.assign(kept, chosen), b.do(carried_out(kept)), b.do(b.call("say", b.const(kind), me, kept))]
