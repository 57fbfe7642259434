"""Prove payments and whole preconditions from facts, and find the rules that demand anything.

In:     a demand, and the facts at its place.
Out:    whether it holds in any case. No is always a safe answer.

The demands of a call are proven inside the rule that is called, where its
parameters stand for the arguments; a rule that comes back to itself proves nothing, which keeps the proof finite.
"""

from __future__ import annotations

from collections.abc import Hashable

from patolli.check.proofs.conditions import DEEP, Conditions
from patolli.check.proofs.facts import Facts
from patolli.check.proofs.intervals import Interval, Limits, exactly
from patolli.check.proofs.terms import substitute_variables
from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import preconditions as d
from patolli.language.program import types as ty
from patolli.language.program.model import Program, Rule
from patolli.language.program.node import Location, Node
from patolli.language.program.summaries import Summaries
from patolli.language.resolve.model import Model


class Prover(Conditions):
    """Answers for one program; ``demands`` collects what has to hold where, with the code of each problem."""

    def __init__(self, program: Program, summaries: Summaries) -> None:
        """Find out which rules demand anything at all."""
        super().__init__(program, summaries)
        self._rules: dict[str, d.Demand] = {}
        self.demands: set[tuple[str, Span]] = set()
        self._open: list[str] = []
        self._pruned: dict[int, tuple[d.Demand, bool]] = {}
        self.demanding: frozenset[str] = frozenset()
        self.preconditions = d.Preconditions(summaries, self.demanding.__contains__)
        self._find_demanding()

    def note_demand(self, code: str, node: Node) -> None:
        """Note that something has to hold at a node, whether it can be proven or not."""
        self.demands.add((code, node.span))

    def _find_demanding(self) -> None:
        """Find the least set of rules that demand something which is not proven to hold in any case.

        What a rule demands can only come to demand more when others do, so only those that name them are looked at
        again, be it to carry them out or to ask whether they can be.
        """
        callers: dict[str, set[str]] = {}
        for rule in self.program.rules.values():
            for name in self.summaries.names(rule):
                callers.setdefault(name, set()).add(rule.name)
        open_ = set(self.program.rules)
        while open_:
            rules = [self.program.rules[name] for name in sorted(open_ - self.demanding)]
            new = {rule.name for rule in rules if self.of_rule(rule) is not d.ALWAYS}
            self.demanding |= new
            self.preconditions = d.Preconditions(self.summaries, self.demanding.__contains__)
            self._rules.clear()
            open_ = {caller for name in new for caller in callers.get(name, ())}

    # -- facts to begin with

    def get_initial_facts(self, rule: Rule) -> Facts:
        """Return what holds when a rule begins."""
        found = self.facts()
        if rule.given is not None:
            found.learn(rule.given)
        return found

    def of_rule(self, rule: Rule) -> d.Demand:
        """Return the precondition of a rule, without what holds in any case."""
        if rule.name not in self._rules:
            self._rules[rule.name] = self.prune_demand(self.preconditions.of(rule.block), self.get_initial_facts(rule))
        return self._rules[rule.name]

    def _can(self, condition: x.Can, facts: Facts) -> bool:
        rule = self.program.rules[condition.rule]
        return self._inside(rule, condition.me, condition.arguments, None, facts)

    # -- payments

    def affordable(self, pay: e.Pay, facts: Facts) -> bool:
        """Return whether the counters that a payment names hold enough, or whether that was asked before.

        What else may be paid, left out or spared only adds ways; where more may have to be paid, nothing is known.
        """
        if facts.impossible():
            return True
        if self.summaries.list_extra_counters(pay.tag):
            return False
        costs = [item for item in pay.items if isinstance(item, e.CostItem)]
        if costs:
            return len(pay.items) == 1 and self._cost_paid(costs[0], facts)
        owed: dict[Hashable, tuple[x.Expr, list[x.Expr]]] = {}
        mixes = [item for item in pay.items if isinstance(item, e.MixItem)]
        for item in pay.items:
            if isinstance(item, e.CounterItem | e.MemberItem):
                source = d.counter_of(item)
                owed.setdefault(facts.key(source), (source, []))[1].append(item.amount)
        counters = [name for item in pay.items if not isinstance(item, e.MixItem) for name in _names(item)]
        if len(set(counters)) < len(counters) and len(owed) > 1 and self._may_meet(owed, pay):
            return False
        return all(facts.proves(source, _sum(amounts), 0) or self._nothing(amounts, facts)
                   for source, amounts in owed.values()) and self._mixes(mixes, owed, pay, facts)  # fmt: skip

    def _nothing(self, amounts: list[x.Expr], facts: Facts) -> bool:
        """Return whether amounts are all 0 or less, which pays nothing."""
        return all((high := self.domain.number(a, facts).high) is not None and high <= 0 for a in amounts)

    def _may_meet(self, owed: dict[Hashable, tuple[x.Expr, list[x.Expr]]], pay: e.Pay) -> bool:
        """Return whether two parts of a payment that are written differently may take the same counter."""
        seen: set[str] = set()
        for source, _ in owed.values():
            names = {source.counter} if isinstance(source, x.CounterAt) else set(getattr(source, "counters", ()))
            if names & seen:
                return True
            seen |= names
        return False

    def _cost_paid(self, item: e.CostItem, facts: Facts) -> bool:
        asked = x.Payable(item.cost, item.who, type=ty.BOOL, span=item.span)
        if (True, facts.key(asked)) in facts.literals or isinstance(item.cost, x.NoValue):
            return True
        return isinstance(item.cost, x.Local) and isinstance(facts.stands_for(item.cost.variable), x.NoValue)

    def _mixes(
        self, mixes: list[e.MixItem], owed: dict[Hashable, tuple[x.Expr, list[x.Expr]]], pay: e.Pay, facts: Facts
    ) -> bool:
        """Prove that mixes can be paid out of what is left when everything else is paid."""
        taken: dict[str, Interval] = {}
        for source, amounts in owed.values():
            names = (source.counter,) if isinstance(source, x.CounterAt) else getattr(source, "counters", ())
            for name in names:
                taken[name] = taken.get(name, exactly(0)) + self.domain.number(_sum(amounts), facts)
        for mix in mixes:
            most = self.domain.number(mix.amount, facts).high
            left = [self._compute_remainder(name, mix.who, taken, facts) for name in mix.counters]
            if most is None or len(mixes) > 1:
                return False
            if most > sum(left) and not any(self._covers(name, mix, taken, facts) for name in mix.counters):
                return False
        return True

    def _covers(self, name: str, mix: e.MixItem, taken: dict[str, Interval], facts: Facts) -> bool:
        have = x.CounterAt(name, (mix.who,), type=ty.INT, span=mix.span)
        return name not in taken and facts.proves(have, mix.amount, 0)

    def _compute_remainder(self, name: str, who: x.Expr, taken: dict[str, Interval], facts: Facts) -> int:
        have = self.domain.number(x.CounterAt(name, (who,), type=ty.INT, span=who.span), facts).low
        owed = taken.get(name, exactly(0)).high
        return 0 if have is None or owed is None else max(0, have - max(0, owed))

    # -- preconditions

    def is_satisfied(self, demand: d.Demand, facts: Facts) -> bool:
        """Return whether a precondition holds."""
        self._steps = 0
        return self._is_satisfied(demand, facts, {})

    def _is_satisfied(self, demand: d.Demand, facts: Facts, met: dict[int, list[Facts]]) -> bool:
        if demand is d.ALWAYS or facts.impossible():
            return True
        self._steps += 1
        if self._is_spent():
            return False
        match demand:
            case d.Promised():
                return self._is_satisfied(demand.then, facts.assuming(demand.effect.condition), met)
            case d.Test():
                inner = facts.assuming(demand.effect.condition)
                return self._true(demand.effect.condition, facts, True) and self._is_satisfied(demand.then, inner, met)
            case d.Bind():
                inner = facts.copy()
                inner.name(demand.variable, demand.value)
                return self._is_satisfied(demand.then, inner, met)
            case d.Split():
                condition = demand.effect.condition
                yes = self._true(condition, facts, False) or self._is_satisfied(
                    demand.yes, facts.assuming(condition), met
                )
                return yes and (
                    self._true(condition, facts, True)
                    or self._is_satisfied(demand.no, facts.assuming(condition, False), met)
                )
            case d.Afford():
                inner = facts.copy()
                ok = self.affordable(demand.effect, facts)
                if ok and demand.then is not d.ALWAYS:
                    self.note_payment(demand.effect, inner)
                return ok and self._is_satisfied(demand.then, inner, met)
            case d.Pick() if demand.effect.several and self._with_nothing(demand, facts, met):
                return True
            case d.Pick():
                effect = demand.effect
                where = [effect.where] if effect.where is not None else []
                inner = self.bind_facts(effect.binders, facts)
                for part in where:
                    inner.learn(part)
                return self.some(effect.binders, where, facts) and self._is_satisfied(demand.then, inner, met)
            case d.Either():
                return self._either(demand.lines, facts, met)
            case d.Acting():
                inner = facts.copy()
                inner.name(demand.effect.variable, demand.effect.who)
                return self._is_satisfied(demand.then, inner, met)
            case d.Possible():
                return self._possible(demand.effect, facts) and self._is_satisfied(demand.then, facts, met)
        return False

    def is_refuted(self, demand: d.Demand, facts: Facts) -> bool:
        """Return whether a precondition fails whenever a match comes to a place where these facts hold."""
        self._steps = 0
        return self._is_refuted(demand, facts)

    def _is_refuted(self, demand: d.Demand, facts: Facts) -> bool:
        self._steps += 1
        if demand is d.ALWAYS or facts.impossible() or self._is_spent():
            return False
        match demand:
            case d.Promised():
                return self._is_refuted(demand.then, facts.assuming(demand.effect.condition))
            case d.Test():
                condition = demand.effect.condition
                return self._true(condition, facts, False) or self._is_refuted(demand.then, facts.assuming(condition))
            case d.Bind():
                inner = facts.copy()
                inner.name(demand.variable, demand.value)
                return self._is_refuted(demand.then, inner)
            case d.Split():
                condition = demand.effect.condition
                ways = ((True, demand.yes), (False, demand.no))
                return all(
                    self._true(condition, facts, not taken) or self._is_refuted(then, facts.assuming(condition, taken))
                    for taken, then in ways
                )
            case d.Afford():
                inner = facts.copy()
                if self._short(demand.effect, facts):
                    return True
                self.note_payment(demand.effect, inner)
                return self._is_refuted(demand.then, inner)
            case d.Pick():
                effect = demand.effect
                return not effect.several and self._none_taken(effect.binders, effect.where, demand.then, facts)
            case d.Either():
                return all(
                    self._none_taken(line.option.binders, line.option.condition, line.then, facts)
                    for line in demand.lines
                )
            case d.Possible():
                return isinstance(demand.effect, e.CallRule) and self.is_impossible(demand.effect, facts)
        return False

    def _none_taken(self, binders: tuple[x.Binder, ...], where: x.Expr | None, then: d.Demand, facts: Facts) -> bool:
        """Return whether no values of binders are there, or none of them leads on."""
        inner = facts
        for binder in binders:
            if self.domain.length(binder.source, inner).high == 0:
                return True
            inner = self.bind_facts((binder,), inner)
        if where is not None:
            if self._true(where, inner, False):
                return not inner.impossible()
            inner = inner.assuming(where)
        return self._is_refuted(then, inner)

    def is_impossible(self, call: e.CallRule | x.After, facts: Facts) -> bool:
        """Return whether a rule is never possible where its parameters stand for the arguments of a call."""
        rule = self.program.rules[call.rule]
        if rule.name not in self.demanding or rule.name in self._open or len(self._open) > DEEP:
            return False
        self._open.append(rule.name)
        inner = facts.copy()
        for variable, argument in zip((rule.me, *rule.parameters), (call.me, *call.arguments), strict=False):
            inner.name(variable, argument)
        found = self._is_refuted(self.of_rule(rule), inner)
        self._open.pop()
        return found

    def _short(self, pay: e.Pay, facts: Facts) -> bool:
        """Return whether a counter that has to be paid with cannot hold enough."""
        if not self.summaries.plain(pay):
            return False
        for item in pay.items:
            if isinstance(item, e.CounterItem):
                owed, held = (
                    self.domain.number(item.amount, facts).low,
                    self.domain.number(d.counter_of(item), facts).high,
                )
                if owed is not None and held is not None and owed > max(held, 0):
                    return True
        return False

    def _with_nothing(self, demand: d.Pick, facts: Facts, met: dict[int, list[Facts]]) -> bool:
        """Return whether a choice of several may be empty, and what comes then is possible."""
        (binder,), (_, least, most) = demand.effect.binders, demand.effect.amount
        low, high = self.domain.number(most, facts).low, self.domain.number(least, facts).high
        if high is None or high > 0 or low is None or low < 0:
            return False
        inner = facts.copy()
        inner.name(binder.variable, x.ListOf((), type=binder.variable.type, span=binder.span))
        return self._is_satisfied(demand.then, inner, met)

    def _either(self, lines: tuple[d.Line, ...], facts: Facts, met: dict[int, list[Facts]]) -> bool:
        """Return whether one of some lines is possible.

        If none is by itself, those that are conditions, as a line without variables is, are taken to be impossible one
        after the other: then another must be possible. So must a line where the condition of others that go over the
        same list holds for no item of it.
        """
        if any(self._line(line, facts, met) for line in lines):
            return True
        plain = [(line, found) for line in lines if not line.binders and (found := self._condition(line)) is not None]
        inner, left = facts.copy(), list(lines)
        for line, condition in plain:
            if self._true(condition, inner, True):
                return True
            inner.learn(condition, False)
            left.remove(line)
        if plain and any(self._line(line, inner, met) for line in left):
            return True
        over = [
            (line.binders[0], found) for line in left if len(line.binders) == 1 and (found := self._condition(line))
        ]
        return any(
            self.some((binder,), [_join_all("or", [condition, *same])], inner)
            for place, (binder, condition) in enumerate(over)
            if (same := self._over_the_same(binder, over[place + 1 :], inner))
        )

    def _over_the_same(self, binder: x.Binder, others: list[tuple[x.Binder, x.Expr]], facts: Facts) -> list[x.Expr]:
        """Return the conditions of other lines that go over the same list, for the variable of the first."""
        local = x.Local(binder.variable, type=binder.variable.type, span=binder.span)
        wanted = facts.key(binder.source)
        return [substitute_variables(c, {b.variable: local}) for b, c in others if facts.key(b.source) == wanted]

    def _condition(self, line: d.Line) -> x.Expr | None:
        """Return a condition with which a line is possible; None where that takes more than a condition."""
        parts = self._find_conditions(line.then)
        if parts is None:
            return None
        own = [line.option.condition] if line.option.condition is not None else []
        return _join_all("and", [*own, *parts]) if own or parts else x.Truth(True, type=ty.BOOL, span=line.option.span)

    def _find_conditions(self, demand: d.Demand) -> list[x.Expr] | None:
        """Return conditions that are enough for a demand; None where that takes more than conditions."""
        parts: list[x.Expr] = []
        while demand is not d.ALWAYS:
            match demand:
                case d.Test():
                    parts.append(demand.effect.condition)
                case d.Afford(effect=e.Pay(items=(e.CounterItem() as item,)) as pay, then=then) if then is d.ALWAYS:
                    if not self.summaries.plain(pay):
                        return None
                    parts.append(x.Compare(">=", d.counter_of(item), item.amount, type=ty.BOOL, span=item.span))
                case d.Possible(effect=e.CallRule() as call):
                    parts.append(self._find_start_condition(call))
                case _:
                    return None
            demand = demand.then
        return parts

    def _find_start_condition(self, call: e.CallRule) -> x.Expr:
        """Return a condition that is enough for a rule to begin: that it can, or what it demands."""
        rule = self.program.rules[call.rule]
        can = x.Can(call.rule, call.me, call.arguments, type=ty.BOOL, span=call.span)
        if rule.given is not None or rule.name in self._open or len(self._open) >= DEEP:
            return can
        self._open.append(rule.name)
        found = self._find_conditions(self.of_rule(rule))
        self._open.pop()
        if not found:
            return can
        given = dict(zip((rule.me, *rule.parameters), (call.me, *call.arguments), strict=False))
        return _join_all("or", [can, substitute_variables(_join_all("and", found), given)])

    def _line(self, line: d.Line, facts: Facts, met: dict[int, list[Facts]]) -> bool:
        where = [line.option.condition] if line.option.condition is not None else []
        if not self.some(line.binders, where, facts):
            return False
        inner = self.bind_facts(line.binders, facts)
        for part in where:
            inner.learn(part)
        return self._is_satisfied(line.then, inner, met)

    def _possible(self, effect: e.CallRule | e.Do, facts: Facts) -> bool:
        if isinstance(effect, e.Do):
            rules = [rule for rule in self.summaries.list_called_rules(effect) if rule.name in self.demanding]
            return all(self._inside(rule, effect.me, (effect.it,), None, facts) for rule in rules)
        rule = self.program.rules[effect.rule]
        return self._inside(rule, effect.me, effect.arguments, effect, facts)

    def _inside(
        self, rule: Rule, me: x.Expr, arguments: tuple[x.Expr, ...], effect: e.CallRule | None, facts: Facts
    ) -> bool:
        """Prove the precondition of a rule where its parameters stand for arguments."""
        if rule.name not in self.demanding:
            return True
        asked = x.Can(rule.name, me, arguments, type=ty.BOOL, span=me.span)
        if (True, facts.key(asked)) in facts.literals:
            return True
        if rule.name in self._open or len(self._open) > DEEP:
            return False
        self._open.append(rule.name)
        inner = facts.copy()
        for variable, argument in zip((rule.me, *rule.parameters), (me, *arguments), strict=False):
            inner.name(variable, argument)
        found = self._is_satisfied(self.of_rule(rule), inner, {})
        self._open.pop()
        return found

    def note_payment(self, pay: e.Pay, facts: Facts) -> None:
        """Take note of a payment that was possible."""
        plain = [item for item in pay.items if isinstance(item, e.CounterItem)] if self.summaries.plain(pay) else []
        if not plain:
            facts.forget(self.summaries.of(pay).writes)
        elif len(plain) == 1:
            (item,) = plain
            if self.owes(item, facts):
                facts.learn(x.Compare(">=", d.counter_of(item), item.amount, type=ty.BOOL, span=item.span))
        self.all_moved("pay", [(item, Limits()) for item in plain], facts)

    def owes(self, item: e.CounterItem, facts: Facts) -> bool:
        """Return whether a player who can pay something has it: nothing to pay demands nothing, even of a debt."""
        low = self.domain.number(item.amount, facts).low
        return (low is not None and low > 0) or self.domain.never_negative(d.counter_of(item), facts)

    def all_moved(self, how: str, items: list[tuple[e.CounterItem, Limits]], facts: Facts) -> None:
        """Take note that one ``gain``, ``lose`` or ``pay`` changes counters, each within limits.

        All amounts count what was there before.
        """
        before, changed = facts.copy(), set[Location]()
        for item, limits in items:
            if changed & self.summaries.reads(item):
                facts.forget({("counter", item.counter)})
            else:
                amount = self.domain.number(item.amount, before)
                amount = amount.greatest(exactly(0)) if how == "pay" else amount
                self.note_counter_change(item, amount if how == "gain" else -amount, limits, facts)
            changed.add(("counter", item.counter))

    def note_counter_change(self, item: e.CounterItem, by: Interval, limits: Limits, facts: Facts) -> None:
        """Take note that a counter changes by a number, kept within limits."""
        source = d.counter_of(item)
        assert isinstance(source, x.CounterAt)
        before = facts.copy()
        low, high = by.low, by.high
        if (low is not None and low >= 0) or (high is not None and high <= 0):
            amount = item.amount
            facts.note_change(source, by, limits)
            if by.only is None and ("counter", item.counter) not in facts.reads(amount):
                self._moved_by(source, amount, before, facts, low is not None and low >= 0, limits)
        else:
            facts.forget({("counter", item.counter)})

    def _moved_by(
        self, source: x.CounterAt, amount: x.Expr, before: Facts, facts: Facts, up: bool, limits: Limits
    ) -> None:
        """Learn that a counter that went up by a number is at least that number, where it began at 0 or above."""
        low = self.domain.number(source, before).low
        if up and low is not None and low >= 0 and limits.high is None:
            facts.at_least(source, amount, 0)

    # -- pruning

    def prune_demand(self, demand: d.Demand, facts: Facts | None = None) -> d.Demand:
        """Return what remains of a precondition when it is left out where it holds in any case.

        Without *facts* it is asked again and again by the compiler, and answered once for each demand.
        """
        if demand is d.ALWAYS:
            return demand
        if facts is not None:
            return d.ALWAYS if self.is_satisfied(demand, facts) else demand
        known = self._pruned.get(id(demand))
        if known is None:
            known = self._pruned[id(demand)] = demand, self.is_satisfied(demand, self.facts())
        return d.ALWAYS if known[1] else demand

    def never_negative(self, expr: x.Expr) -> bool:
        """Return whether a number cannot be below 0, whatever is known where it stands."""
        return self.domain.never_negative(expr)


def prover_of(model: Model) -> Prover:
    """Return the prover of a model's program; make it if the checks were remembered from another run."""
    if not isinstance(model.prover, Prover):
        assert model.program is not None
        model.prover = Prover(model.program, Summaries(model.program))
    return model.prover


def _names(item: e.Item) -> tuple[str, ...]:
    match item:
        case e.CounterItem():
            return (item.counter,)
        case e.MemberItem() | e.MixItem() | e.CostItem():
            return item.counters
    return ()


def _join_all(op: str, conditions: list[x.Expr]) -> x.Expr:
    found = conditions[0]
    for other in conditions[1:]:
        found = x.Logic(op, found, other, type=ty.BOOL, span=found.span)
    return found


def _sum(amounts: list[x.Expr]) -> x.Expr:
    found = amounts[0]
    for other in amounts[1:]:
        found = x.Arithmetic("+", found, other, type=ty.INT, span=found.span)
    return found
