"""Compile what the beginning of a rule or option demands into a test that changes nothing.

In:     demands, see ``program.preconditions``.
Out:    functions that return whether a demand holds.

What is demanded behind a choice or a payment is a function of its own, which is called for each value and each way to
pay. A payment behind which something more is demanded is tried on the counters and undone. Each demand is compiled
once, however many ways lead to it, so the code is no larger than the rule.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import assert_never

from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import preconditions as p
from patolli.language.program.expressions import Variable
from patolli.language.program.model import Rule
from patolli.run.compiler import build as b
from patolli.run.compiler import payments, promises
from patolli.run.compiler.expressions import Expressions
from patolli.run.compiler.unit import Context, Lifted, of_variables


def yes() -> ast.stmt:
    """The test succeeds."""
    return b.give(b.const(True))


def no() -> ast.stmt:
    """The test fails."""
    return b.give(b.const(False))


class Tests(Expressions):
    """The compiler of demands."""

    # -- what others ask for

    def test(self, demand: p.Demand, c: Context) -> ast.expr | None:
        """Return the test of a demand; None when it holds in any case."""
        return self._test(self.unit.proven.prune_demand(demand), c)

    def beginning(self, block: e.Block, c: Context) -> ast.expr | None:
        """Return the test of what a block demands at its beginning; None when there is nothing to be looked at."""
        return self.test(self.unit.proven.preconditions.of(block), c)

    def compile_test(self, rule: Rule, arguments: list[ast.expr]) -> ast.expr | None:
        """Return the test whether a rule is possible, with me and its arguments; None when it is in any case."""
        demand = self.unit.proven.prune_demand(self.unit.proven.preconditions.of(rule.block))
        if demand is p.ALWAYS:
            return None
        if rule.name not in self.unit.tests:
            id_ = self.unit.tests[rule.name] = self.unit.fresh("can")
            variables = (rule.me, *rule.parameters)
            body = self._until(None, demand, of_variables(self.unit, *variables))
            self.unit.define(id_, ["s", *map(self.unit.local, variables)], body, rule.block[0].span)
            if ("beginning", rule.name) in self.unit.summaries.circular:
                self.unit.circular.add(id_)
        return b.call(self.unit.tests[rule.name], b.name("s"), *arguments)

    def can(self, rule: str, arguments: list[ast.expr]) -> ast.expr:
        """Return the test whether the beginning of a rule is possible; the first argument is me."""
        return self.compile_test(self.model.rules[rule], arguments) or b.const(True)

    # -- one demand after another

    def _test(self, demand: p.Demand, c: Context) -> ast.expr | None:
        parts = self._parts(demand, c)
        return b.both([self.call_lifted(part, c) for part in parts]) if parts else None

    def _parts(self, demand: p.Demand, c: Context) -> list[Lifted]:
        """Return the functions that have to hold one after the other; none where a demand holds in any case."""
        if demand is p.ALWAYS:
            return []
        if id(demand) not in self.unit.lifted:
            parts = self._exists(demand.effect, demand.then, c) if isinstance(demand, p.Pick) else None
            self.unit.lifted[id(demand)] = demand, parts or [self._lift_demand(demand, c)]
        return self.unit.lifted[id(demand)][1]

    def _lift_demand(self, demand: p.Demand, c: Context) -> Lifted:
        inner = c.lift_context()
        return self.unit.lift("g", inner, self._until(None, demand, inner), _place(demand))

    def _until(self, stop: p.Demand | None, demand: p.Demand, c: Context) -> list[ast.stmt]:
        """Return statements that fail, succeed, or go on behind themselves where *stop* is demanded.

        Where ways meet again inside one function, what is demanded there follows in the same function. Code that comes
        there from another function, behind a choice or a payment, calls it.
        """
        body: list[ast.stmt] = []
        here: p.Demand | None = demand  # what may follow here although ways meet there
        while demand is not stop:
            if id(demand) in self.unit.meeting and demand is not here:
                return [*body, b.give(self._test(demand, c))]
            match demand:
                case p.Test():
                    body.append(b.when(b.negate(self.condition(demand.effect.condition, c)), [no()]))
                    demand = demand.then
                case p.Promised():
                    body += promises.compile_promise_checks(self, demand.effect, c)
                    demand = demand.then
                case p.Possible():
                    body += self._possible(demand.effect, c)
                    demand = demand.then
                case p.Bind():
                    value = self.expr(demand.value, c)
                    c = c.child(demand.variable)
                    body.append(b.assign(c.read_variable(demand.variable), value))
                    demand = demand.then
                case p.Acting(effect=acting):
                    who = self.expr(acting.who, c)
                    c = c.child(acting.variable)
                    body.append(b.assign(c.read_variable(acting.variable), who))
                    demand = demand.then
                case p.Split():
                    if demand.then is not p.ALWAYS:
                        self.unit.meeting[id(demand.then)] = demand.then
                    ways = [self._until(demand.then, way, c) for way in (demand.yes, demand.no)]
                    body.append(b.when(self.condition(demand.effect.condition, c), *ways))
                    demand = demand.then
                    here = demand if id(demand) not in self.unit.lifted else here
                case _:
                    return [*body, *self._answer(demand, c)]
        return body

    def _answer(self, demand: p.Demand, c: Context) -> list[ast.stmt]:
        """Return statements that succeed or fail in any case."""
        match demand:
            case p.Always():
                return [yes()]
            case p.Pick():
                return [b.give(self._test(demand, c))]
            case p.Afford():
                return [b.give(self._afford(demand.effect, demand.then, c))]
            case p.Either():
                return [*(b.when(self._line_test(line, c), [yes()]) for line in demand.lines), no()]
        raise TypeError(demand)

    def _possible(self, effect: e.CallRule | e.Do, c: Context) -> list[ast.stmt]:
        match effect:
            case e.CallRule():
                arguments = [self.expr(a, c) for a in (effect.me, *effect.arguments)]
                test = self.can(effect.rule, arguments)
            case e.Do():
                given = (self.expr(part, c) for part in (effect.me, effect.value, effect.it))
                test = b.call("can_do", b.name("s"), *given)
            case _:
                assert_never(effect)
        return [b.when(b.negate(test), [no()])]

    # -- payments and choices

    def _afford(self, pay: e.Pay, then: p.Demand, c: Context) -> ast.expr:
        more = self._test(then, c)
        if more is None:
            return payments.affordable(self, pay, c)
        return b.call(
            "may_pay",
            b.name("s"),
            self.expr(pay.who, c),
            payments.ways(self, pay, c),
            b.name("MONEY"),
            b.delay_value(more),
        )

    def filter_ways(self, pay: e.Pay, then: p.Demand, c: Context) -> ast.expr:
        """Return the ways to pay that leave the rest possible."""
        found = payments.ways(self, pay, c)
        more = self.test(then, c)
        if more is None:
            return found
        filtered = "leaving_or_all" if self.unit.model.composition.is_open else "leaving"
        return b.call(filtered, b.name("s"), self.expr(pay.who, c), found, b.name("MONEY"), b.delay_value(more))

    def _exists(self, among: e.Choose | e.Option, then: p.Demand, c: Context) -> list[Lifted]:
        """Return the test whether some value leads on, and behind it what is the same for all values."""
        if isinstance(among, e.Choose) and among.several:
            return [self._some_of(among, then, c)]
        chosen = [binder.variable for binder in among.binders]
        behind = self._parts(then, c.lift_context().child(*chosen))
        same = at_the_end(not set(chosen).isdisjoint(variables) for _, variables in behind)

        def compile_success(scope: Context) -> list[ast.stmt]:
            more = [self.call_lifted(part, scope) for part in behind[: len(behind) - same]]
            return [b.when(b.both(more), [yes()]) if more else yes()]

        where = among.where if isinstance(among, e.Choose) else among.condition
        some = self.loops(among.binders, where, c, "e", [], compile_success, [no()], among)
        return [some, *behind[len(behind) - same :]]

    def _some_of(self, choose: e.Choose, then: p.Demand, c: Context) -> Lifted:
        """Return the test whether some set of items leads on."""
        inner, variable = c.lift_context(), choose.binders[0].variable
        items, least, most = self.amount(choose, inner)
        test = self.test_of_chosen(variable, self._test(then, inner.child(variable)))
        return self.unit.lift("e", inner, [b.give(b.call("some_of", items, least, most, test))], choose.span)

    def amount(self, choose: e.Choose, c: Context) -> tuple[ast.expr, ast.expr, ast.expr]:
        """Return the items from which several are chosen, and how many at least and at most."""
        items, least, most = (self.expr(part, c) for part in choose.amount)
        return items, least, most

    def test_of_chosen(self, variable: Variable, test: ast.expr | None) -> ast.expr:
        """Return what tests a list of what was chosen, or none where nothing is demanded of it."""
        if test is None:
            return b.const(None)
        return b.asking(self.unit.local(variable), test)

    def _line_test(self, line: p.Line, c: Context) -> ast.expr:
        """Return the test whether a line of a menu is possible."""
        option = line.option
        if option.binders:
            return b.both([self.call_lifted(part, c) for part in self._exists(option, line.then, c)])
        tests = [self.condition(option.condition, c)] if option.condition is not None else []
        more = self._test(line.then, c)
        return b.both([*tests, more] if more is not None else tests)


def at_the_end(marked: Iterable[bool]) -> int:
    """Return how many stand behind the last one that is marked."""
    number = 0
    for one in marked:
        number = 0 if one else number + 1
    return number


def _place(demand: p.Demand) -> Span:
    """Return where a demand stands."""
    match demand:
        case p.Bind():
            return demand.value.span
        case p.Test() | p.Promised() | p.Possible() | p.Acting() | p.Split() | p.Pick() | p.Afford() | p.Either():
            return demand.effect.span
    raise TypeError(demand)
