"""Go through what is demanded on a state, part by part.

In:     demands of the program (``program.preconditions``), the values of variables, a state.
Out:    reasons, in the order in which the conditions are met.

Nothing is worked out here: every part is compiled by the compiler of the rules (``compiler.workings``). What may only be
looked at because something before it holds is not looked at where that does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from patolli.compiler.executable import Executable
from patolli.compiler.workings import Working
from patolli.diagnostics import Span
from patolli.kernel.budget import renew
from patolli.kernel.faults import RuleFault
from patolli.kernel.state import State
from patolli.program import effects as e
from patolli.program import expressions as x
from patolli.program import preconditions as p
from patolli.program import types as ty
from patolli.program.node import walk
from patolli.prose import expressions as say
from patolli.prose import speech_of
from patolli.prose.effects import items as said_items
from patolli.prose.words import Speech
from patolli.runtime.labels import Labels
from patolli.runtime.reasons import Reason, met, number_failing
from patolli.runtime.shortage import Purse
from patolli.runtime.sight import Sight, looked_at

SHOWN, TRIED, WAYS, DEEP = 4, 200, 40, 4
"""How many values of a choice are shown and how many tried, how many ways to pay are tried, how deep calls are told."""
LISTED, TOLD = 10, 6
"""How many items of a list are named, and how many values of one condition."""
FAULTS = (RuleFault, ArithmeticError, LookupError, ValueError, RecursionError)
"""What a condition may run into that is looked at although one before it does not hold."""
_QUIET = (ty.COST, ty.EFFECT, ty.TEXT, ty.ANY)


@dataclass(slots=True)
class Situation:
    """A state, what the variables are there, and whether everything before holds."""

    state: State
    scope: dict[x.Variable, Any]
    speech: Speech
    sure: bool = True
    depth: int = 0

    def fork(self) -> Situation:
        """Return another way from here."""
        return replace(self, scope=dict(self.scope))


class Explainer:
    """Says of one state why something is possible or not, for the player on *seat*.

    Of what is *probed*, which nobody offers, it is not told whether a condition holds that the player cannot judge.
    """

    def __init__(self, program: Executable, labels: Labels, state: State, seat: int, probed: bool = False) -> None:
        self.program, self.labels, self.seat, self.probed = program, labels, seat, probed
        self.model, self.workings = program.layout.model, program.workings
        self.sight = Sight(program.layout, self.workings.preconditions, state, seat, lambda one, s: self.known(one, s))
        self.start = Situation(state, {}, speech_of(self.model))
        self.purse = Purse(program, labels)

    # -- situations and values

    def bind(self, at: Situation, variable: x.Variable, value: Any) -> None:
        """Give a variable its value, and the words that this value has."""
        if value is None:
            at.scope.pop(variable, None)
            return
        at.scope[variable] = value
        type_ = ty.strip(variable.type)
        if variable.name == "me" and value == self.seat:
            at.speech = at.speech.calling(variable, "you")
        elif isinstance(type_, ty.Ref | ty.Design | ty.Group | ty.Choice) and value >= 0:
            at.speech = at.speech.calling(variable, self.labels.value(type_, value, self.seat))
        else:
            at.speech = at.speech.knowing(variable)

    def inside(self, at: Situation, variables: Sequence[x.Variable], values: Iterable[Any]) -> Situation:
        """Return the situation inside something that is called."""
        inner = Situation(at.state, {}, speech_of(self.model), at.sure, at.depth + 1)
        for variable, value in zip(variables, values, strict=True):
            self.bind(inner, variable, value)
        return inner

    def known(self, expr: x.Expr, scope: Any) -> Any:
        """Return the value of an expression; None where it cannot be said."""
        return self.run(self.workings.value(expr), self.start.state, scope)

    def value(self, expr: x.Expr, at: Situation) -> Any:
        """Return the value of an expression in a situation; None where nobody may look at it there."""
        if not at.sure and narrowed(expr, self):
            return None
        return self.run(self.workings.value(expr), at.state, at.scope)

    def run(self, working: Working, state: State, scope: Any) -> Any:
        """Work something out; a state on which that fails is as it was."""
        if any(variable not in scope for variable in working.variables):
            return None
        before = state[:]
        renew()
        try:
            return working.function(state, *(scope[variable] for variable in working.variables))
        except FAULTS:
            state[:] = before
            return None

    def possible(self, demand: p.Demand, at: Situation, span: Span) -> bool | None:
        """Tell whether a demand holds, without saying why."""
        found = self.run(self.workings.possible(demand, at.scope, span), at.state, at.scope)
        return None if found is None else bool(found)

    def words(self, type_: ty.AnyType, value: Any) -> str:
        """Return the words for a value; nothing where there are none."""
        type_ = ty.strip(type_)
        if isinstance(type_, ty.Seq):
            if type_.of in _QUIET or not hasattr(value, "__len__"):
                return ""
            named = [self.words(type_.of, one) for one in value[:LISTED]]
            more = f", .. ({len(value)} in all)" if len(value) > LISTED else ""
            return ", ".join(named) + more if named else "nothing"
        return "" if type_ in _QUIET or isinstance(type_, ty.Many) else self.labels.value(type_, value, self.seat)

    # -- demands

    def demands(self, demand: p.Demand, at: Situation) -> list[Reason]:
        """Return what is demanded, one condition after another; *at* is then the situation behind them."""
        found: list[Reason] = []
        while demand is not p.ALWAYS:
            match demand:
                case p.Test(effect=test):
                    found += self.conditions(test.condition, at)
                    demand = demand.then
                case p.Bind():
                    self.bind(at, demand.variable, self.value(demand.value, at))
                    demand = demand.then
                case p.Acting(effect=acting):
                    self.bind(at, acting.variable, self.value(acting.who, at))
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
                    found.append(self._noted(self.call(call, at), at))
                    demand = demand.then
                case p.Pick():
                    found.append(self._picked(demand, at))
                    break
                case p.Either():
                    found.append(self._either(demand, at))
                    break
        return found

    def _noted(self, reason: Reason, at: Situation) -> Reason:
        """Note that what follows a condition may rest on it."""
        at.sure = at.sure and reason.holds is True
        return reason

    def _way(self, condition: x.Expr, at: Situation) -> Reason:
        """Say which way is taken, and why."""
        reason = self.condition(condition, at)
        if reason.holds is None:
            return replace(reason, what=f"what is needed depends on whether {reason.what}")
        if not reason.holds:
            reason = replace(reason, holds=True, what=say.negated(condition, at.speech))
        return replace(reason, way=True, parts=())

    # -- conditions

    def conditions(self, condition: x.Expr, at: Situation) -> list[Reason]:
        """Return the parts of a condition, one after another."""
        return [self._noted(self.condition(part, at), at) for part in self.workings.conjuncts(condition)]

    def condition(self, condition: x.Expr, at: Situation) -> Reason:
        """Say whether one condition holds."""
        hidden = self.sight.hides(condition, at.scope)
        value = self.value(condition, at)
        holds = None if value is None or (hidden and self.probed) else bool(value)
        parts = self._inside(condition, at) if holds is False else ()
        choice = isinstance(condition, x.Quantifier) or len(self.workings.disjuncts(condition)) > 1
        return Reason(
            holds, say.condition(condition, at.speech), condition.span, self.present(condition, at), parts,
            choice=choice and bool(parts), node=condition, scope=dict(at.scope),
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
                function = self.model.functions[condition.function]
                given = (self.value(one, at) for one in (condition.me, *condition.arguments))
                inner = self.inside(at, (function.me, *function.parameters), given)
                return tuple(self.conditions(function.body, inner))
            case x.Can():
                return (self._beginning(condition.rule, condition, (condition.me, *condition.arguments), at),)
            case x.Payable():
                item = e.CostItem(condition.cost, (), condition.who, span=condition.span)
                pay = e.Pay((item,), None, condition.who, span=condition.span)
                return (self.payment(pay, p.ALWAYS, at.fork()),)
            case x.Quantifier(op="any" | "all"):
                return self._items(condition, at)
        return ()

    def _one_of(self, part: x.Expr, at: Situation) -> Reason:
        """Say of one part of several, of which one would be enough, what is missing."""
        found = self.conditions(part, at.fork())
        if len(found) == 1:
            return found[0]
        what = " and ".join(one.what for one in found)
        return Reason(met(found), what, part.span, (), tuple(found), node=part, scope=dict(at.scope))

    def _items(self, condition: x.Quantifier, at: Situation) -> tuple[Reason, ...]:
        """Say of the items of a list why none is right, or which are not."""
        if condition.op == "any":
            tests = [one for one in (condition.where, condition.value) if one is not None]
            return self._tried(condition.binders, tests, p.ALWAYS, at, condition.span)
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
            if len(found) == TOLD or self.sight.hides(expr, at.scope):
                continue
            value = self.value(expr, at)
            words = self.words(expr.type, value) if value is not None else ""
            if words:
                found.setdefault(say.value(expr, at.speech), words)
        return tuple((name, words) for name, words in found.items() if name != words)

    # -- payments

    def payment(self, pay: e.Pay, then: p.Demand, at: Situation) -> Reason:
        """Say whether a payment is possible; *at* is then behind it, as if what is missing had been there."""
        who, need = self.value(pay.who, at), self.run(self.workings.need(pay), at.state, at.scope)
        mine = who == self.seat
        what = f"pay {said_items(pay.items, at.speech)}"
        what = what if mine else f"{say.value(pay.who, at.speech)} can {what}"
        hidden = not mine and any(self.sight.hides(one, at.scope) for one in _counted(pay))
        if who is None or need is None or (hidden and self.probed):
            at.sure = False
            return Reason(None, what, pay.span, node=pay, scope=dict(at.scope))
        test = self.workings.affordable(pay)
        at.state = self.purse.copied(at.state)
        holds = bool(self.run(test, at.state, at.scope))
        values = () if hidden else self.purse.values(at.state, who, need, pay.tag)
        missing = {} if holds else self.purse.missing(at.state, need, lambda: bool(self.run(test, at.state, at.scope)), who)
        told = () if hidden else self.purse.named(missing, need, who)
        scope = dict(at.scope)
        self._go_on(pay, then, who, at)
        return Reason(holds, what, pay.span, values, missing=told, node=pay, scope=scope)

    def _go_on(self, pay: e.Pay, then: p.Demand, who: int, at: Situation) -> None:
        """Pay in the way that leaves most of what follows possible."""
        if then is p.ALWAYS:
            return
        tried: list[tuple[int, int, State]] = []
        for number, way in enumerate((self.run(self.workings.ways(pay), at.state, at.scope) or [])[:WAYS]):
            after = replace(at.fork(), state=self.purse.paid(at.state, who, way))
            if self.possible(then, after, pay.span):
                at.state = after.state
                return
            failing = number_failing(self.demands(then, replace(after.fork(), state=self.purse.copied(after.state))))
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
        values = [self.value(one, at) for one in given]
        inner = self.inside(at, rule.variables, values)
        words = [say.value(one, at.speech) for one in given[1:]]
        what = f"{called(rule.name, words)} is possible"
        if None in values:
            return Reason(None, what, node.span, node=node, scope=dict(at.scope))
        if at.depth >= DEEP:
            holds = self.possible(demand, inner, node.span)
            return Reason(None if self.probed else holds, what, node.span, node=node, scope=dict(at.scope))
        parts = self.demands(demand, inner)
        return Reason(met(parts), what, node.span, (), tuple(parts), node=node, scope=dict(at.scope))

    # -- choices

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

    def _picked(self, pick: p.Pick, at: Situation) -> Reason:
        choose = pick.effect
        what = say_choice(choose.binders, at.speech)
        holds = self.possible(pick, at, choose.span) if at.sure else None
        if holds is None or (self.probed and self._unseen(pick, at)):
            return Reason(None, what, choose.span, node=choose, scope=dict(at.scope))
        tests = [choose.where] if choose.where is not None else []
        parts = self._tried(choose.binders, tests, pick.then, at, choose.span) if not holds else ()
        return Reason(holds, what, choose.span, (), parts, choice=True, node=choose, scope=dict(at.scope))

    def _unseen(self, demand: p.Demand, at: Situation) -> bool:
        """Tell whether the player cannot see what a choice depends on."""
        return any(self.sight.hides(one, at.scope) for part in p.parts(demand) for one in looked_at(part))

    def _tried(
        self, binders: Sequence[x.Binder], tests: Sequence[x.Expr], then: p.Demand, at: Situation, span: Span
    ) -> tuple[Reason, ...]:
        """Say of the values that came nearest why they are not possible, and how many there are."""
        found: list[tuple[int, int, Reason]] = []
        number = 0
        for number, (inner, label) in enumerate(self.candidates(binders, at), 1):
            if number <= (TRIED if at.depth == 0 else SHOWN):
                inner.depth += 1
                reasons = [one for test in tests for one in self.conditions(test, inner)] + self.demands(then, inner)
                reason = Reason(met(reasons), label, span, (), tuple(reasons))
                found.append((number_failing(reasons), number, reason))
        if not number:
            return tuple(self._nothing(binders, at))
        nearest = [reason for *_, reason in sorted(found, key=lambda one: one[:2])[:SHOWN]]
        if number > len(nearest):
            nearest[-1] = replace(nearest[-1], values=(*nearest[-1].values, ("values in all", str(number))))
        return tuple(nearest)

    def _nothing(self, binders: Sequence[x.Binder], at: Situation) -> Iterator[Reason]:
        """Say that there is nothing to choose from."""
        first = binders[0].source
        test = x.Filled(first, type=ty.BOOL, span=first.span)
        yield Reason(False, say.condition(test, at.speech), first.span, node=test, scope=dict(at.scope))

    def _either(self, either: p.Either, at: Situation) -> Reason:
        menu = either.effect
        parts = tuple(self.line(line.option, line.then, at.fork()) for line in either.lines)
        holds = True if any(one.holds for one in parts) else met(parts)
        return Reason(holds, "one of these is possible", menu.span, (), parts if not holds else (), choice=True, node=menu)

    def line(self, option: e.Option, then: p.Demand, at: Situation) -> Reason:
        """Say whether a line of a menu is possible."""
        tests = [option.condition] if option.condition is not None else []
        label = repr(option.label) if option.label else say_choice(option.binders, at.speech)
        if not option.binders:
            found = [one for test in tests for one in self.conditions(test, at)] + self.demands(then, at)
            return Reason(met(found), label, option.span, (), tuple(found), node=option, scope=dict(at.scope))
        parts = self._tried(option.binders, tests, then, at, option.span)
        holds = True if any(one.holds for one in parts) else met(parts)
        return Reason(holds, label, option.span, (), parts, choice=True, node=option, scope=dict(at.scope))

    # -- lists

    def among(self, value: Any, label: str, source: x.Expr, at: Situation) -> list[Reason]:
        """Say why a value is, or is not, in a list: by what the list is made of, where that can be said."""
        match source:
            case x.Quantifier(op="list" | "sorted" | "distinct", binders=(binder,), value=None):
                found = self.among(value, label, binder.source, at)
                inner = at.fork()
                self.bind(inner, binder.variable, value)
                found += self.conditions(source.where, inner) if source.where is not None else []
                at.sure = at.sure and inner.sure
                return found
            case x.Whole(op="list" | "sorted" | "distinct"):
                return self.among(value, label, source.of, at)
            case x.Instances() | x.GroupNamed():
                return []
            case x.FunctionCall() if at.depth < DEEP:
                function = self.model.functions[source.function]
                given = (self.value(one, at) for one in (source.me, *source.arguments))
                inner = self.inside(at, (function.me, *function.parameters), given)
                found = self.among(value, label, function.body, inner)
                at.sure = at.sure and inner.sure
                return found
        return [self._noted(self._member(value, label, source, at), at)]

    def _member(self, value: Any, label: str, source: x.Expr, at: Situation) -> Reason:
        listed = self.value(source, at)
        said = say.value(source, at.speech)
        values = () if listed is None or self.sight.hides(source, at.scope) else ((said, self.words(source.type, listed)),)
        holds = None if listed is None else value in listed
        return Reason(holds, f"{label} is among {said}", source.span, values, node=source, scope=dict(at.scope))


def narrowed(expr: x.Expr, explainer: Explainer) -> bool:
    """Tell whether an expression rests on a test that something is not none."""
    return any(_narrowed(node, explainer) for node in walk(expr) if isinstance(node, x.Expr))


def _narrowed(node: x.Expr, explainer: Explainer) -> bool:
    model = explainer.model
    declared: ty.AnyType | None = None
    match node:
        case x.Local():
            declared = node.variable.type
        case x.FieldOf():
            declared = model.kinds[node.kind].fields[node.field].type
        case x.FactOf() if node.fact in model.kinds[node.kind].facts:
            declared = model.kinds[node.kind].facts[node.fact].type
        case x.FunctionCall():
            declared = model.functions[node.function].type
        case x.RowSpot():
            return not isinstance(node.type, ty.Maybe)
        case x.Held():
            return not isinstance(node.type, ty.Maybe | ty.Seq)
        case x.BuiltinCall(builtin="top" | "place_of" | "cell_at" | "shift"):
            return not isinstance(node.type, ty.Maybe)
        case x.Quantifier(op="first" | "lowest" | "highest") | x.Whole(op="first"):
            return not isinstance(node.type, ty.Maybe)
    return isinstance(declared, ty.Maybe) and not isinstance(node.type, ty.Maybe)


def _looked_at(condition: x.Expr) -> Iterator[x.Expr]:
    """Yield the expressions in a condition whose present values tell most about it."""
    match condition:
        case x.Not(of=inner):
            yield from _looked_at(inner)
        case x.Compare():
            for side in (condition.left, condition.right):
                yield side
                yield from (one for one in walk(side) if isinstance(one, _READ) and isinstance(side, x.Arithmetic))
        case x.Present() | x.Filled():
            yield condition.of
        case x.Local() | x.Quantifier() | x.FunctionCall() | x.FieldOf() | x.FactOf() | x.Logic():
            return


_READ = (x.CounterAt, x.FieldOf, x.Have, x.Local)


def _counted(pay: e.Pay) -> Iterator[x.Expr]:
    """Yield the counters that a payment looks at, as far as it names them."""
    for item in pay.items:
        if isinstance(item, e.CounterItem):
            yield x.CounterAt(item.counter, item.indices, type=ty.INT, span=item.span)


def called(rule: str, words: Sequence[str]) -> str:
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
