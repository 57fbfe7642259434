"""Go through what is demanded on a state, part by part.

In:     demands of the program (``program.preconditions``), the values of variables, a state.
Out:    reasons, in the order in which the conditions are met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from patolli.check.prose import calls
from patolli.check.prose import expressions as say
from patolli.check.prose.effects import items as said_items
from patolli.check.prose.words import Speech
from patolli.kernel.payments import add_surcharges
from patolli.kernel.state import State
from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import preconditions as p
from patolli.language.program import types as ty
from patolli.language.program.node import declaration, walk
from patolli.run.runtime.reasons import Reason, met, number_failing
from patolli.run.runtime.situations import Situation, Situations

SHOWN, TRIED, WAYS = 4, 200, 40
"""How many values of a choice are shown and how many tried, and how many ways to pay."""
MOST_VALUES = 6
"""How many values of one condition are shown."""
_READ = (x.CounterAt, x.FieldOf, x.Have, x.Local)

Tried = tuple[tuple[tuple[str, str], ...], tuple[Reason, ...]]
"""How many values of a choice there are, where not all are shown, and what was found of those that are."""


DEEP = 4
"""How deep is looked into functions and rules that are called."""


class Explainer(Situations):
    """Says of one state why something is possible or not, as far as the player on *seat* can see it."""

    # -- lists from which something is chosen

    def note_dependence(self, reason: Reason, at: Situation) -> Reason:
        """Note that the part after a condition may rest on it."""
        at.sure = at.sure and reason.holds is True
        return reason

    def candidates(self, binders: Sequence[x.Binder], at: Situation) -> Iterator[tuple[Situation, str]]:
        """Yield the situations with each value of some variables, and the words for the values."""
        if not binders:
            yield at, ""
            return
        binder, *more = binders
        type_ = binder.source.type.of if isinstance(binder.source.type, ty.Seq) else binder.variable.type
        for value in self.value(binder.source, at) or ():
            here = at.fork()
            self.bind(here, binder.variable, value)
            label = self.words(type_, value)
            for inner, words in self.candidates(more, here):
                yield inner, f"{label} -> {words}" if words else label

    def body(self, call: x.FunctionCall, at: Situation) -> tuple[x.Expr, Situation]:
        """Return what a function computes, and the situation in it."""
        function = self.model.functions[call.function]
        return function.body, self.inside(at, (function.me, *function.parameters), (call.me, *call.arguments))

    def wider(self, source: x.Expr, at: Situation) -> Sequence[Any]:
        """Return the items that contain a list as a part."""
        match source:
            case x.Quantifier(op="list" | "sorted" | "distinct", binders=(binder,), value=None):
                return self.wider(binder.source, at) or self.value(binder.source, at) or ()
            case x.Whole(op="list" | "sorted" | "distinct"):
                return self.wider(source.of, at)
            case x.FunctionCall() if at.depth < DEEP:
                return self.wider(*self.body(source, at))
        return ()

    def among(self, value: Any, label: str, variable: x.Variable, source: x.Expr, at: Situation) -> list[Reason]:
        """Say why a value is, or is not, in a list: by what the list is made of, where that can be said."""
        match source:
            case x.Quantifier(op="list" | "sorted" | "distinct", binders=(binder,), value=None):
                found = self.among(value, label, variable, binder.source, at)
                inner = at.fork()
                self.bind(inner, binder.variable, value)
                found += self.conditions(source.where, inner) if source.where is not None else []
                at.sure = at.sure and inner.sure
                return found
            case x.Whole(op="list" | "sorted" | "distinct"):
                return self.among(value, label, variable, source.of, at)
            case x.Instances() | x.GroupNamed():
                return []
            case x.FunctionCall() if at.depth < DEEP:
                body, inner = self.body(source, at)
                found = self.among(value, label, variable, body, inner)
                at.sure = at.sure and inner.sure
                return found
        return [self.note_dependence(self._member(value, label, variable, source, at), at)]

    def _member(self, value: Any, label: str, variable: x.Variable, source: x.Expr, at: Situation) -> Reason:
        """Say whether a value is in a list."""
        hidden = self.hidden_reads.hides(source, at.scope)
        listed = None if hidden else self.value(source, at)
        values = (("there", self.words(source.type, listed)),) if listed is not None else ()
        item = x.Local(variable, type=variable.type, span=source.span)
        test = x.Compare("in", item, source, type=ty.BOOL, span=source.span)
        holds = None if listed is None else value in listed
        label = (self.words(variable.type, value) if self.names is not None else "") or label
        what = f"{label} is among {say.value(source, at.speech)}"
        scope = {**at.scope, variable: value}
        return Reason(holds, what, source.span, values, hidden=hidden, node=test, scope=scope)

    # -- demands

    def demands(self, demand: p.Demand, at: Situation) -> list[Reason]:
        """Return what is demanded, one condition after another; *at* is then the situation behind them."""
        found: list[Reason] = []
        while demand is not p.ALWAYS:
            match demand:
                case p.Test(effect=test):
                    found += self.conditions(test.condition, at)
                    demand = demand.then
                case p.Promised():
                    demand = demand.then
                case p.Bind():
                    self.let(at, demand.variable, demand.value)
                    demand = demand.then
                case p.Acting(effect=acting):
                    self.let(at, acting.variable, acting.who)
                    demand = demand.then
                case p.Split(effect=split):
                    found.append(self._way(split.condition, at))
                    if found[-1].holds is None:
                        break
                    demand = demand.yes if self.value(split.condition, at) else demand.no
                case p.Afford():
                    found.append(self.payment(demand.effect, demand.then, at))
                    demand = demand.then
                case p.Possible(effect=call):
                    found.append(self.note_dependence(self.call(call, at), at))
                    demand = demand.then
                case p.Pick():
                    found.append(self._explain_pick(demand, at))
                    break
                case p.Either():
                    found.append(self._either(demand, at))
                    break
        return found

    def _way(self, condition: x.Expr, at: Situation) -> Reason:
        """Say which way is taken, and why."""
        reason = self.condition(condition, at)
        if reason.holds is None:
            return replace(reason, what=f"what is needed depends on whether {reason.what}")
        if not reason.holds:
            reason = replace(reason, holds=True, what=say.describe_negation(condition, at.speech))
        return replace(reason, way=True, parts=())

    # -- conditions

    def conditions(self, condition: x.Expr, at: Situation) -> list[Reason]:
        """Return the parts of a condition, one after another."""
        while isinstance(condition, x.Naming):
            for given in condition.given:
                self.let(at, given.variable, given.source)
            condition = condition.value
        return [self.note_dependence(self.condition(part, at), at) for part in self.workings.conjuncts(condition)]

    def condition(self, condition: x.Expr, at: Situation) -> Reason:
        """Say whether one condition holds."""
        hidden = self.hidden_reads.hides(condition, at.scope)
        value = None if hidden else self.value(condition, at)
        holds = None if value is None else bool(value)
        parts = self._inside(condition, at) if holds is False else ()
        any_ = isinstance(condition, x.Quantifier) and condition.op == "any"
        choice = any_ or len(self.workings.disjuncts(condition)) > 1
        return Reason(
            holds, say.condition(condition, at.speech), condition.span, self.present(condition, at), parts,
            choice=choice and bool(parts), hidden=hidden, node=condition, scope=dict(at.scope),
        )  # fmt: skip

    def _inside(self, condition: x.Expr, at: Situation) -> tuple[Reason, ...]:
        """Say which parts of a condition that does not hold are to blame."""
        either = self.workings.disjuncts(condition)
        if len(either) > 1:
            return tuple(self._one_of(part, at) for part in either)
        if at.depth >= DEEP:
            return ()
        match condition:
            case x.FunctionCall():
                return tuple(self.conditions(*self.body(condition, at)))
            case x.Can():
                return (self._beginning(condition.rule, condition, (condition.me, *condition.arguments), at),)
            case x.Payable():
                return (self.payment(self.workings.paying(condition), p.ALWAYS, at.fork()),)
            case x.Quantifier(op="any" | "all"):
                return self._items(condition, at)
        return ()

    def _one_of(self, part: x.Expr, at: Situation) -> Reason:
        """Say of one part of several, where one would be enough, what is missing."""
        found = self.conditions(part, at.fork())
        if len(found) == 1:
            return found[0]
        what = " and ".join(one.what for one in found)
        return Reason(met(found), what, part.span, (), tuple(found), node=part, scope=dict(at.scope))

    def _items(self, condition: x.Quantifier, at: Situation) -> tuple[Reason, ...]:
        """Say of the items of a list why none is right, or which are not."""
        if condition.op == "any":
            tests = [one for one in (condition.where, condition.value) if one is not None]
            return self._try_tests(condition.binders, tests, p.ALWAYS, at, condition.span)[1]
        found = []
        for inner, label in self.candidates(condition.binders, at):
            if condition.where is None or self.value(condition.where, inner):
                value = self.conditions(condition.value, inner) if condition.value is not None else []
                if met(value) is False:
                    found.append(Reason(False, label, condition.span, (), tuple(value)))
            if len(found) == SHOWN:
                break
        return tuple(found)

    def present(self, condition: x.Expr, at: Situation) -> tuple[tuple[str, str], ...]:
        """Return what a condition looks at, in words, with how it is now; what cannot be seen is left out."""
        found: dict[str, str] = {}
        for expr in _looked_at(condition):
            if len(found) == MOST_VALUES or self.hidden_reads.hides(expr, at.scope):
                continue
            value = self.value(expr, at)
            words = self.words(expr.type, value) if value is not None else ""
            name = say.value(expr, at.speech)
            if words and name not in (words, "you"):
                found.setdefault(name, words)
        return tuple(found.items())

    # -- payments

    def payment(self, pay: e.Pay, then: p.Demand, at: Situation) -> Reason:
        """Say whether a payment is possible; *at* is then behind it, as if what is missing had been there."""
        who, need = self.value(pay.who, at), self.run(self.workings.compile_need(pay), at.state, at.scope)
        what, scope, hidden = self._describe_payment(pay, who, at), dict(at.scope), self._secret(pay, who)
        if who is None or need is None or hidden:
            at.sure = False
            return Reason(None, what, pay.span, hidden=hidden, node=pay, scope=scope)
        state = at.state = self.purse.copy_state(at.state)

        def possible() -> bool:
            return bool(self.run(self.workings.affordable(pay), state, scope))

        holds = possible()
        tag = self.run(self.workings.tag(pay), state, scope)
        need = add_surcharges(state, who, need, tag, self.purse.money)
        values = self.purse.values(state, who, need, tag)
        missing = () if holds else self.purse.missing(state, need, possible, who)
        self._go_on(pay, then, who, at)
        return Reason(holds, what, pay.span, values, missing=missing, node=pay, scope=scope)

    def _describe_payment(self, pay: e.Pay, who: int | None, at: Situation) -> str:
        what = f"pay {said_items(pay.items, at.speech)}"
        return what if who == self.seat else f"{say.value(pay.who, at.speech)} can {what}"

    def _secret(self, pay: e.Pay, who: int | None) -> bool:
        """Return whether the player cannot see with what a player pays."""
        shut = ("none",) if who in self.hidden_reads.seat_visibility.seats else ("none", "owner")
        looked_at = (place for place in declaration(pay).reads(pay) if place[0] == "counter")
        return any(self.model.counters[name].visible in shut for _, name in looked_at)

    def _go_on(self, pay: e.Pay, then: p.Demand, who: int, at: Situation) -> None:
        """Pay in the way that leaves most of the rest possible."""
        if then is p.ALWAYS:
            return
        tried: list[tuple[int, int, State]] = []
        for number, way in enumerate((self.run(self.workings.ways(pay), at.state, at.scope) or [])[:WAYS]):
            after = replace(at.fork(), state=self.purse.apply_payment(at.state, who, way))
            if self.possible(then, after, pay.span):
                at.state = after.state
                return
            failing = number_failing(
                self.demands(then, replace(after.fork(), state=self.purse.copy_state(after.state)))
            )
            tried.append((failing, number, after.state))
        at.state = min(tried, key=lambda one: one[:2])[2] if tried else at.state

    # -- calls

    def call(self, effect: e.CallRule | e.Do, at: Situation) -> Reason:
        """Say whether a rule that is called is possible."""
        if isinstance(effect, e.CallRule):
            return self._beginning(effect.rule, effect, (effect.me, *effect.arguments), at)
        number = self.value(effect.value, at)
        what = f"{say.value(effect.value, at.speech)} is possible"
        if number is None or number < 0:
            return Reason(None if number is None else True, what, effect.span, node=effect, scope=dict(at.scope))
        rule = self.program.effects[number]
        given = (effect.me, effect.it) if self.model.rules[rule].parameters else (effect.me,)
        return replace(self._beginning(rule, effect, given, at), what=what)

    def _beginning(
        self, name: str, node: e.CallRule | e.Do | x.Can, given: tuple[x.Expr, ...], at: Situation
    ) -> Reason:
        """Say whether the beginning of a rule is possible, with what it demands where it is not."""
        rule = self.model.rules[name]
        demand = self.workings.preconditions.of(rule.block)
        inner = self.inside(at, rule.variables, given)
        words = [say.value(one, at.speech) for one in given[1:]]
        in_place = next((one for one in self.model.replacing if one.body == name), None)
        head, named = ("what comes instead of ", in_place.moment) if in_place is not None else ("", name)
        words = words[: len(self.model.rules[named].parameters)]
        if self.names is None:
            what = f"{head}{describe_call(named, words)} is possible"
        else:
            what = f"{head}{calls.possible(named, words, at.speech)}"
        if len(inner.scope) < len(given):
            return Reason(None, what, node.span, node=node, scope=dict(at.scope))
        if at.depth >= DEEP:
            hidden = self.hidden_reads.unseen(demand, inner.scope)
            holds = None if hidden else self.possible(demand, inner, node.span)
            return Reason(holds, what, node.span, hidden=hidden, node=node, scope=dict(at.scope))
        parts = self.demands(demand, inner)
        return Reason(met(parts), what, node.span, (), tuple(parts), node=node, scope=dict(at.scope))

    # -- choices

    def _explain_pick(self, pick: p.Pick, at: Situation) -> Reason:
        choose = pick.effect
        what = say_choice(choose.binders, at.speech)
        hidden = self.hidden_reads.unseen(pick, at.scope)
        holds = self.possible(pick, at, choose.span) if at.sure and not hidden else None
        if holds is None:
            return Reason(None, what, choose.span, hidden=hidden, node=choose, scope=dict(at.scope))
        tests = [choose.where] if choose.where is not None else []
        tried = self._try_tests(choose.binders, tests, pick.then, at, choose.span) if not holds else ((), ())
        return Reason(holds, what, choose.span, *tried, choice=True, node=choose, scope=dict(at.scope))

    def _try_tests(
        self, binders: Sequence[x.Binder], tests: Sequence[x.Expr], then: p.Demand, at: Situation, span: Span
    ) -> Tried:
        def reasons(inner: Situation) -> list[Reason]:
            return [one for test in tests for one in self.conditions(test, inner)] + self.demands(then, inner)

        return self.try_values(binders, at, span, reasons)

    def try_values(
        self, binders: Sequence[x.Binder], at: Situation, span: Span, reasons: Callable[[Situation], list[Reason]]
    ) -> Tried:
        """Say of the values that came nearest why they are not possible, and how many there are."""
        found: list[tuple[int, int, Reason]] = []
        number = 0
        for number, (inner, label) in enumerate(self.candidates(binders, at), 1):
            if number <= (TRIED if at.depth == 0 else SHOWN):
                inner.depth += 1
                given = reasons(inner)
                reason = Reason(met(given), label, span, (), tuple(given))
                found.append((number_failing(given), number, reason))
        if not number:
            return (), tuple(self._nothing(binders, at))
        nearest = [reason for *_, reason in sorted(found, key=lambda one: one[:2])[:SHOWN]]
        values = (("values", f"{number}, the nearest {len(nearest)} are shown"),) if number > len(nearest) else ()
        return values, tuple(nearest)

    def _nothing(self, binders: Sequence[x.Binder], at: Situation) -> Iterator[Reason]:
        """Say in which list there is nothing to choose from, and why its items are not in it."""
        first, *more = binders
        number = 0
        for number, (inner, label) in enumerate(self.candidates([first], at), 1):
            if number <= SHOWN:
                yield Reason(False, label, first.span, (), tuple(self._nothing(more, inner)))
        if number:
            return
        test = x.Filled(first.source, type=ty.BOOL, span=first.source.span)
        parts = tuple(islice(self._left_out(first, at), SHOWN)) if at.depth < DEEP else ()
        yield Reason(
            False, say.condition(test, at.speech), first.source.span, (), parts, choice=bool(parts), node=test,
            scope=dict(at.scope),
        )  # fmt: skip

    def _left_out(self, binder: x.Binder, at: Situation) -> Iterator[Reason]:
        """Yield why each item of an empty list is not in it, where the list is a part of a longer one."""
        for value in self.wider(binder.source, at):
            label = self.words(binder.variable.type, value)
            reasons = self.among(value, label, binder.variable, binder.source, at.fork())
            yield Reason(met(reasons), label, binder.source.span, (), tuple(reasons))

    def _either(self, either: p.Either, at: Situation) -> Reason:
        menu = either.effect
        parts = tuple(self.line(line.option, line.then, at.fork()) for line in either.lines)
        holds = True if any(one.holds for one in parts) else met(parts)
        return Reason(
            holds, "one of these is possible", menu.span, (), parts if not holds else (), choice=True, node=menu
        )

    def line(self, option: e.Option, then: p.Demand, at: Situation) -> Reason:
        """Say whether a line of a menu is possible."""
        tests = [option.condition] if option.condition is not None else []
        label = repr(option.label) if option.label else say_choice(option.binders, at.speech)
        if not option.binders:
            found = [one for test in tests for one in self.conditions(test, at)] + self.demands(then, at)
            return Reason(met(found), label, option.span, (), tuple(found), node=option, scope=dict(at.scope))
        if self.hidden_reads.conceals(option.binders, at.scope):
            return Reason(None, label, option.span, hidden=True, node=option, scope=dict(at.scope))
        values, parts = self._try_tests(option.binders, tests, then, at, option.span)
        holds = True if any(one.holds for one in parts) else met(parts)
        return Reason(holds, label, option.span, values, parts, choice=True, node=option, scope=dict(at.scope))


def _looked_at(condition: x.Expr) -> Iterator[x.Expr]:
    """Yield the expressions in a condition whose present values explain it best."""
    match condition:
        case x.Not(of=inner):
            yield from _looked_at(inner)
        case x.Compare():
            for side in (condition.left, condition.right):
                yield side
                if isinstance(side, x.Arithmetic) and not any(isinstance(one, x.After) for one in walk(side)):
                    yield from (one for one in walk(side) if isinstance(one, _READ))
        case x.Present() | x.Filled():
            yield condition.of
        case x.Local() | x.Quantifier() | x.FunctionCall() | x.FieldOf() | x.FactOf() | x.Logic():
            return


def describe_call(rule: str, words: Sequence[str]) -> str:
    """Say the call of a rule as it is asked about."""
    return f"{rule.partition(chr(39))[0]}({', '.join(words)})"


def say_choice(binders: Sequence[x.Binder], speech: Speech) -> str:
    """Say that there is something to choose."""
    inner = speech
    parts = []
    for binder in binders:
        parts.append(say.one_of(binder, None, inner))
        inner = inner.knowing(binder.variable)
    return f"choose {' and '.join(parts)}"
