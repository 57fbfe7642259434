"""Take invariants apart for who asks them natively; see ``grounding``.

Each test is a function of the state and a number, and the number with which it is asked: what the variables of a
condition stand for is looked up by that in tables, so that many tests share one function, and all are called alike.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

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
        return self._numbered(parts, [])

    def _as_test(self, id_: str) -> Called:
        return id_, 0

    def _left_whole(self, holds: Callable[..., bool]) -> Called:
        return holds.__name__, 0

    def _made(self, same: list[Part]) -> Sequence[Callable[[], Called]]:
        if len(same) <= SPECIAL:
            return [lambda name=self._numbered([part], []): (name, 0) for part in same]  # type: ignore[misc]
        fixed = self._counting(same[0])
        variables = [variable for variable in self._variables(same[0]) if variable not in fixed]
        columns = [tuple(part.values[variable] for part in same) for variable in variables]
        given: list[ast.stmt] = []
        for variable, column in zip(variables, columns, strict=True):
            table = b.name(self.unit.keep("G", column))
            given.append(b.assign(b.name(self.unit.local(variable)), b.item(table, b.name("n"))))
        name = self._numbered([replace(same[0], values=fixed)], variables, given)
        return [lambda number=number: (name, number) for number in range(len(same))]  # type: ignore[misc]

    def _numbered(self, parts: list[Part], variables: list[x.Variable], given: Iterable[ast.stmt] = ()) -> str:
        """Make a function of parts that takes a number."""
        span, body = self._body(parts, variables)
        id_ = self.unit.fresh("z")
        self.unit.define(id_, ["s", "n"], [*given, *body], span)
        return id_
