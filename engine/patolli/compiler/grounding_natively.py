"""Take invariants apart for who asks them natively; see ``grounding``.

Each test is a function of the state and a number, and the number with which it is asked: what the variables of a
condition stand for is looked up by that in tables, so that many tests share one function, and all are called alike.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from patolli.compiler import build as b
from patolli.compiler.grounding import SPECIAL, Checks, Grounding, Part
from patolli.compiler.workings import Workings
from patolli.kernel.budget import renew
from patolli.program import expressions as x

Called = tuple[str, int]
"""The name of a function, and the number that it takes behind the state."""


def taken_apart_natively(
    workings: Workings, invariants: dict[str, x.Expr], whole: dict[str, Callable[..., bool]]
) -> Checks:
    """Take *invariants* apart, as ``grounding.taken_apart`` does; of :class:`Checks`, tests are :data:`Called`."""
    renew()
    grounding = _GroundingNatively(workings, workings.unit.proven.certain)
    found = grounding.checks(invariants, whole)
    grounding.widen(found)
    return found


class _GroundingNatively(Grounding):
    def _together(self, parts: list[Part]) -> str:
        return self._numbered(parts)

    def _as_test(self, id_: str) -> Called:
        return id_, 0

    def _left_whole(self, holds: Callable[..., bool]) -> Called:
        return holds.__name__, 0

    def _made(self, same: list[Part]) -> Sequence[Callable[[], Called]]:
        return [partial(_itself, call) for call in self._calls(same)]

    def _calls(self, same: list[Part]) -> list[Called]:
        if len(same) <= SPECIAL:
            return [(self._numbered([part]), 0) for part in same]
        fixed = self._counting(same[0])
        variables = [variable for variable in self._variables(same[0]) if variable not in fixed]
        given: list[ast.stmt] = []
        for variable in variables:
            table = self.unit.keep("G", tuple([part.values[variable] for part in same]))
            given.append(b.assign(b.name(self.unit.local(variable)), b.item(table, b.name("n"))))
        name = self._numbered([replace(same[0], values=fixed)], variables, given)
        return [(name, number) for number in range(len(same))]

    def _numbered(
        self, parts: list[Part], variables: list[x.Variable] | None = None, given: Iterable[ast.stmt] = ()
    ) -> str:
        """Make a function of parts that takes a number, by which the variables are *given* that are left open."""
        span, body = self._body(parts, variables or [])
        id_ = self.unit.fresh("z")
        self.unit.define(id_, ["s", "n"], [*given, *body], span)
        return id_


def _itself(call: Called) -> Called:
    return call
