"""Tell of invariants what need not be asked after each choice, since it holds whatever rules do.

In:     the condition of an invariant, and what tells whether something is proven of every state to which rules lead.
Out:    the conditions that are left open, and those that are not.

``all(coin(p) >= 0 for p in players)`` is certain where ``coin`` cannot be below 0 by its declaration: a rule that takes
more takes what there is, or fails. What is proven rests on the same grounds as all that the compiler leaves out because
of a proof: bounds that are kept whenever something is written. Agreements of several counters, fields or places are
never certain: rules break and mend them, and a rule that does not mend one is what invariants are there for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from patolli.program import expressions as x

Certain = Callable[[x.Expr], bool]


def split(condition: x.Expr, certain: Certain) -> tuple[list[x.Expr], list[x.Expr]]:
    """Return what is open of a condition, and what is certain; the condition as it is where nothing is."""
    parts = list(_conjuncts(condition))
    closed = [part for part in parts if certain(part)]
    if not closed:
        return [condition], []
    return [part for part in parts if part not in closed], closed


def _conjuncts(condition: x.Expr) -> Iterator[x.Expr]:
    """Yield conditions all of which hold where one does, and the other way round."""
    match condition:
        case x.Logic(op="and"):
            yield from _conjuncts(condition.left)
            yield from _conjuncts(condition.right)
        case x.Quantifier(op="all", value=value) if value is not None:
            for part in _conjuncts(value):
                yield condition if part is value else replace(condition, value=part)
        case _:
            yield condition
