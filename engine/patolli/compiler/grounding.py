"""Take invariants apart, so that after a choice only those parts are worked out that look at what was written.

In:     conditions of a program without free variables, for one number of seats.
Out:    :class:`Checks`: small tests over the state, and for each slot the tests that may look at it.

``all(P(x) for x in S)`` becomes a test for each x, where S follows from the content alone. What a test looks at is
worked out for it alone (``content``), and so is its code where there are few of a kind (``grounded``). Where a field
that is counted changes, two entries of a tally do, and the tests are asked that look at one of these.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from types import MethodType
from typing import Any

from patolli.compiler.certain import Certain, split
from patolli.compiler.content import PARTS, Content, TooLarge, Unknown, Values
from patolli.compiler.fused import FEW, Begin, fused
from patolli.compiler.grounded import Excuses, Grounded, constant
from patolli.compiler.sharing import shared
from patolli.compiler.unit import Context
from patolli.compiler.workings import Workings
from patolli.diagnostics import Span
from patolli.diagnostics.records import dataclass
from patolli.kernel.budget import renew
from patolli.kernel.state import State
from patolli.program import expressions as x
from patolli.program.node import walk

Test = Callable[[State, list[int]], bool]
"""A test over the state and the tallies, which stand one behind the other where the slots of the state end."""
SPECIAL, TOGETHER = 8, 600
"""How many tests of one condition get code of their own at most, more share it; and how many are written out once more
in such as stand for several."""


@dataclass(slots=True)
class Checks:
    """What there is to be held.

    Attributes:
        tests: What must hold: functions, or what ``grounding_natively`` makes of them.
        names: Of each test the invariant that it is a part of.
        readers: By slot, the numbers of the tests that may look at it, and by entry of a tally.
        tallies: By slot, the entries that count 0 in the tallies in which its value counts.
        end: The number behind the last entry of a tally.
        begin: What begins to hold a match with one function, where there are few tests.
        wide: By test that stands for several others, which ones.
    """

    tests: list[Any] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    readers: dict[int, tuple[int, ...]] = field(default_factory=dict)
    tallies: dict[int, tuple[int, ...]] = field(default_factory=dict)
    wide: dict[int, frozenset[int]] = field(default_factory=dict)
    end: int = 0
    begin: Begin | None = None


def taken_apart(
    workings: Workings, invariants: dict[str, x.Expr], whole: dict[str, Callable[..., bool]], often: bool
) -> Checks:
    """Take *invariants* apart; *whole* are the same, compiled; *often* says that it pays to compile more."""
    renew()
    grounding = Grounding(workings, workings.unit.proven.certain if often else _nothing)
    found = grounding.checks(invariants, whole)
    if often and len(found.tests) <= FEW:
        found.begin = grounding.fused(found)
    elif often:
        grounding.widen(found)
    return found


@dataclass(frozen=True, slots=True)
class Part:
    """Conditions, what excuses them, what their variables stand for, and what all of that may look at."""

    exprs: tuple[x.Expr, ...]
    excuses: Excuses
    values: Values
    slots: frozenset[int]


def _joined(parts: Iterable[Part]) -> list[Part]:
    """Join parts that look at the same, and would always be worked out together."""
    found: dict[tuple[Any, ...], Part] = {}
    for part in parts:
        key = (part.slots, *((id(expr), excusing) for expr, excusing in part.excuses), *part.values.items())
        known = found.get(key)
        found[key] = part if known is None else replace(known, exprs=(*known.exprs, *part.exprs))
    return list(found.values())


def _without_unions(some: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return groups of numbers but those that consist of smaller ones, each of which is there for itself."""
    found: list[tuple[int, ...]] = []
    for one in some:
        whole, inside = frozenset(one), set[int]()
        for other in some:
            if len(other) < len(one) and whole.issuperset(other):
                inside.update(other)
        if len(inside) < len(whole):
            found.append(one)
    return found


class Grounding:
    """Takes the invariants of one program apart."""

    def __init__(self, workings: Workings, certain: Certain) -> None:
        """Take apart for *workings*; what is *certain* is asked of the first state alone."""
        self.workings, self.unit, self.certain = workings, workings.unit, certain
        self.content = Content(workings)
        self._every: dict[int, Part] = {}  # by number of its test, what was compiled for itself

    def checks(self, invariants: dict[str, x.Expr], whole: dict[str, Callable[..., bool]]) -> Checks:
        """Return all parts of all invariants."""
        found = Checks()
        readers: dict[int, list[int]] = {}
        for name, expr in invariants.items():
            self.content.left = PARTS
            open_, closed = split(expr, self.certain)
            try:
                asked = [part for one in open_ for part in self._parts(one, {})]
                once = [replace(part, slots=frozenset()) for one in closed for part in self._parts(one, {})]
                parts = _joined([*asked, *once])
                tests = self._compiled(parts)
            except TooLarge:
                parts = [Part((expr,), (), {}, self.content.all_of(*open_))]
                tests = [self._left_whole(whole[name])]
            else:
                self._every.update(enumerate(parts, len(found.tests)))
            for part, test in zip(parts, tests, strict=True):
                for slot in sorted(part.slots):
                    readers.setdefault(slot, []).append(len(found.tests))
                found.tests.append(test)
                found.names.append(name)
        found.readers = {slot: tuple(numbers) for slot, numbers in readers.items()}
        for slots, first in self.content.tallied.items():
            for slot in slots:
                found.tallies[slot] = (*found.tallies.get(slot, ()), first)
        found.end = self.content.entries
        return found

    def widen(self, found: Checks) -> None:
        """Let one test stand for the tests of an invariant that a slot wakes together: one call instead of many."""
        parts, left, made = self._every, TOGETHER, dict[tuple[int, ...], str]()
        some = dict.fromkeys(
            tuple(number for number in numbers if found.names[number] == name and number in parts)
            for numbers in sorted(set(found.readers.values()), key=lambda numbers: (-len(numbers), numbers))
            for name in dict.fromkeys(found.names[number] for number in numbers)
        )
        for same in _without_unions([one for one in some if len(one) > 2]):
            if len(same) <= left:
                left -= len(same)
                made[same] = self._together([parts[number] for number in same])
        self.workings.execute()
        for same, id_ in made.items():
            number = len(found.tests)
            found.tests.append(self._as_test(id_))
            found.names.append(found.names[same[0]])
            found.wide[number] = members = frozenset(same)
            for slot, numbers in found.readers.items():
                if members.issubset(numbers):
                    found.readers[slot] = (*(one for one in numbers if one not in members), number)

    def fused(self, found: Checks) -> Begin | None:
        """Return what begins to hold a match with one function; None where none of the tests counts anything."""
        if not found.tallies or len(self._every) < len(found.tests):
            return None
        slots = len(self.unit.layout.initial)
        counted: list[Part] = []
        others: list[Part] = []
        for part in self._every.values():
            counts = any(slot >= slots or slot in found.tallies for slot in part.slots)
            (counted if counts else others).append(part)
        first, second = self._defined(counted, []), self._defined(others, []) if others else ""
        made = {function.name: function for functions in self.unit.files.values() for function in functions}
        self.workings.execute()  # it measures the functions, in place
        return fused(made[first], second, found.tallies, found.readers, self.unit.space)

    # -- parts

    def _parts(self, expr: x.Expr, values: Values, excuses: Excuses = ()) -> Iterator[Part]:
        """Yield what must hold so that a condition holds, or one of some excuses."""
        if isinstance(expr, x.Logic) and expr.op == "and":
            yield from self._parts(expr.left, values, excuses)
            yield from self._parts(expr.right, values, excuses)
        elif isinstance(expr, x.Logic) and isinstance(expr.right, x.Quantifier):
            yield from self._unless(expr.right, values, (*excuses, (expr.left, True)))
        elif isinstance(expr, x.Quantifier) and expr.op == "all" and expr.value is not None:
            try:
                every = list(self.content.bindings(expr.binders, values))
            except Unknown:
                yield self._part(expr, values, excuses)
                return
            for one in every:
                where: Excuses = () if expr.where is None else ((expr.where, False),)
                yield from self._unless(expr.value, one, (*excuses, *where))
        else:
            yield self._part(expr, values, excuses)

    def _unless(self, expr: x.Expr, values: Values, excuses: Excuses) -> Iterator[Part]:
        """Yield the parts of what must hold if the last of its excuses does not; nothing where that is known to."""
        *before, (condition, excusing) = excuses or ((expr, True),)
        if excuses:
            try:
                if bool(self.content.known(condition, values)) is excusing:
                    return
                excuses = tuple(before)
            except Unknown:
                pass
        yield from self._parts(expr, values, excuses)

    def _part(self, expr: x.Expr, values: Values, excuses: Excuses) -> Part:
        slots = self.content.looked_at(expr, values).union(*(self.content.looked_at(one, values) for one, _ in excuses))
        self.content.left -= 1 + len(slots)
        if self.content.left < 0:
            raise TooLarge
        return Part((expr,), excuses, values, frozenset(slots))

    def _together(self, parts: list[Part]) -> str:
        """Make a function of parts in which nothing is left open."""
        return self._defined(parts, [])

    def _as_test(self, id_: str) -> Any:
        """Return the test that a function is in which nothing is left open."""
        return self.unit.space[id_]

    def _left_whole(self, holds: Callable[..., bool]) -> Any:
        """Return the test that is a whole invariant."""
        return lambda state, tally: holds(state, 0)

    def _compiled(self, parts: list[Part]) -> list[Any]:
        """Return the tests of parts: few of the same condition get code of their own, many share it."""
        together: dict[tuple[Any, ...], list[Part]] = {}
        for part in parts:
            key = (*map(id, part.exprs), 0, *(id(expr) for expr, _ in part.excuses), *self._counting(part).items())
            together.setdefault(key, []).append(part)
        made: dict[int, Callable[[], Any]] = {}
        for same in together.values():
            for part, later in zip(same, self._made(same), strict=True):
                made[id(part)] = later
        self.workings.execute()
        return [made[id(part)]() for part in parts]

    def _made(self, same: list[Part]) -> Sequence[Callable[[], Any]]:
        """Return what gives tests, as soon as the functions that were made are known, of parts of one condition."""
        space, one = self.unit.space, same[0]
        if len(same) <= SPECIAL:
            names = [self._defined([part], []) for part in same]
            return [partial(space.__getitem__, name) for name in names]
        fixed = self._counting(one)
        variables = [variable for variable in self._variables(one) if variable not in fixed]
        shared = self._defined([replace(one, values=fixed)], variables)
        if len(variables) == 1:  # Python calls a method in fewer steps than a partial function
            return [partial(lambda value: MethodType(space[shared], value), part.values[variables[0]]) for part in same]
        return [
            lambda part=part: partial(space[shared], *(part.values[v] for v in variables))  # type: ignore[misc]
            for part in same
        ]

    def _variables(self, part: Part) -> list[x.Variable]:
        """Return the variables that a part reads."""
        exprs = (*part.exprs, *(excuse for excuse, _ in part.excuses))
        read = {variable for expr in exprs for variable in self.content.free(expr)}
        return [variable for variable in part.values if variable in read]

    def _counting(self, part: Part) -> Values:
        """Return the variables, with their values, without which tallies are not found that a part could ask."""
        exprs = (*part.exprs, *(excuse for excuse, _ in part.excuses))
        asked = {one for expr in exprs for node in walk(expr) for one in self.content.counting(node, part.values)}
        return {variable: value for variable, value in part.values.items() if variable in asked}

    def _defined(self, parts: list[Part], variables: list[x.Variable]) -> str:
        """Make a function of parts; its variables come first, so that they can be given beforehand."""
        span, body = self._body(parts, variables)
        id_ = self.unit.fresh("z")
        self.unit.define(id_, [*map(self.unit.local, variables), "s", "tally"], body, span)
        return id_

    def _body(self, parts: list[Part], variables: list[x.Variable]) -> tuple[Span, list[ast.stmt]]:
        """Return what tells whether parts hold, in which some variables have names."""
        self.unit.current = "an invariant"
        compiler = Grounded(self.unit, self.workings.plain.rule_ids, self.content)
        tests: list[ast.expr] = []
        for part in parts:
            known = {variable: constant(value) for variable, value in part.values.items()}
            c = Context(self.unit, {**known}).child(*variables)
            tests += [compiler.unless(part.excuses, expr, c) for expr in part.exprs]
        return parts[0].exprs[0].span, shared(tests, partial(self.unit.fresh, "h"))


def _nothing(condition: x.Expr) -> bool:
    return False


__all__ = ["Checks", "Grounding", "Part", "Test", "taken_apart"]
