"""Resolve everything that stands outside rules: facts, defaults, counters, functions, triggers, payments, results.

In:     a model whose texts are parsed.
Out:    the declared things of the program; what is said of rules follows with ``finish``, when these are resolved.
Errors: those of expressions; P0301 a number beyond the bounds of its fact, a table that is looked up by a list.
"""

from __future__ import annotations

import dataclasses as dc
from collections.abc import Iterator

from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import model as pm
from patolli.language.program import types as ty
from patolli.language.program.logic import join_conditions, rename_variables
from patolli.language.resolve import model as m
from patolli.language.resolve.conjuncts import reads_it
from patolli.language.resolve.declare import uses_effect
from patolli.language.resolve.declared_measures import resolve_measures
from patolli.language.resolve.effects import Effects
from patolli.language.resolve.entries import everyones
from patolli.language.resolve.expressions import PLAYER, Scope
from patolli.language.resolve.formulas import formula_name
from patolli.language.resolve.names import Why
from patolli.language.resolve.tables import Table
from patolli.language.syntax import tree as t


def check_facts(model: m.Model) -> Effects:
    """Resolve all of it, and return the one who did, to go on with the rules."""
    effects = Effects(model)
    _Outside(effects).run()
    return effects


def finish(effects: Effects) -> None:
    """Complete the program, now that all rules are resolved."""
    model, made = effects.model, effects.program
    made.players, made.automated = model.players, model.automated
    made.functions = {name: made.functions[name] for name in model.functions if name in made.functions}
    made.rules = {name: made.rules[name] for name in model.rules if name in made.rules}
    for name, rule in made.rules.items():
        rule.before = tuple(trigger(made, rule, one) for one in model.rules[name].before)
        rule.after = tuple(trigger(made, rule, one) for one in model.rules[name].after)
        rule.ordered = tuple(trigger(made, rule, one) for one in model.rules[name].ordered)
        old = model.rules[name]
        if old.instead and old.inner is not None:
            rule.original = old.inner.name
            rule.instead = tuple(trigger(made, rule, one) for one in old.instead)
    made.anytime = [_anytime(made, old, new) for old, new in zip(model.anytime, made.anytime, strict=True)]
    for name, design in model.designs.items():
        if design.formulas:
            made.designs[name].formulas.update(_list_formulas(made, design))


def _list_formulas(made: pm.Program, design: m.Design) -> Iterator[tuple[str, pm.Formula]]:
    """Yield the formulas that a piece writes, over the variables of their functions."""
    for fact, written in design.formulas.items():
        whole = made.functions[formula_name(design.kind, fact)]
        own = made.functions.get(formula_name(design.kind, fact, design.id), whole)
        body = x.Number(written.value, type=ty.INT, span=written.span) if isinstance(written, t.Number) else own.body
        yield fact, pm.Formula(own.me, own.parameters, body)


def trigger(made: pm.Program, rule: pm.Rule, old: m.Trigger) -> pm.Trigger:
    """Say when something comes before, after or instead of a rule, over the variables of that rule."""
    design = made.designs[old.design.id] if old.design is not None else None
    body, it, tests = made.rules[old.body], None, []
    names = dict(zip(body.variables, rule.variables, strict=False))
    if design is not None:
        it = x.Variable("it", ty.Ref(design.kind), old.span)
        names[body.parameters[-1]] = it
        active = made.kinds[design.kind].active
        if active is not None:
            tests.append(rename_variables(active.body, {active.me: rule.me, active.variables[0]: it}))
    if body.given is not None:
        tests.append(rename_variables(body.given, names))
    return pm.Trigger(old.name, old.span, old.rule, join_conditions(tests), old.body, it, design)


def _anytime(made: pm.Program, old: m.Anytime, new: pm.Anytime) -> pm.Anytime:
    """Say when an anytime action may be taken, over its own variables."""
    body = made.rules[old.body]
    variables = (new.me, *([new.binder.variable] if new.binder is not None else ()))
    names = dict(zip(body.variables, variables, strict=True))
    when = rename_variables(body.given, names) if body.given is not None else None
    return pm.Anytime(new.name, new.span, new.me, new.binder, when, new.label, new.body, new.words)


class _Outside:
    """What resolves the things that a model declares."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.model = effects.model
        self.made = effects.program

    def run(self) -> None:
        """Resolve all things in the order of their sorts."""
        model, made = self.model, self.made
        designs: dict[int, pm.Design] = {}
        for kind in model.kinds.values():
            made.kinds[kind.name] = self._kind(kind, designs)
        made.designs.update((name, designs[id(design)]) for name, design in model.designs.items())
        for counter in model.counters.values():
            made.counters[counter.name] = self._counter(counter)
        for place in model.places.values():
            made.places[place.name] = self._place(place)
        for constant in model.constants.values():
            with self.effects.uses.of(constant.name):
                value = self.value(constant.value, constant.type, Scope(), ())
            made.constants[constant.name] = pm.Constant(
                constant.name, constant.span, constant.type, value, constant.source
            )
        for function in list(model.functions.values()):
            self.effects.result_of(function, t.NoValue(at=t.At(t.FixedText(function.span), 0, 0)))
        self._extras()

    # -- declared things

    def _number(self, expr: t.Expr | None) -> x.Expr | None:
        return None if expr is None else self.effects.check(expr, Scope(), ty.INT)

    def _kind(self, old: m.Kind, designs: dict[int, pm.Design]) -> pm.Kind:
        with self.effects.uses.of(old.name):
            facts = {name: self._attribute(a) for name, a in old.facts.items()}
            fields = {name: self._attribute(a) for name, a in old.fields.items()}
            maps = {name: (rows, self._legend(legend, old.facts[name])) for name, (rows, legend) in old.maps.items()}
            lines = {name: self._lines(several, old.name) for name, several in old.lines.items()}
            copies, active = self._number(old.copies), None
            sides = tuple(self.effects.check(side, Scope(), ty.INT) for side in old.sides)
            if old.active is not None:
                scope = Scope.of(old.active.span, me=PLAYER, it=ty.Ref(old.name))
                me, it = scope.variables.values()
                active = pm.Formula(me, (it,), self.effects.condition(old.active, scope))
        for design in old.designs:
            designs[id(design)] = self._design(design, old)
        return pm.Kind(
            old.name, old.span, facts, fields, [designs[id(d)] for d in old.designs], old.members, old.per_player,
            copies, active, old.data, old.grid, sides, tuple(old.sizes), old.over, maps, lines, old.lays,
            old.is_record, old.text, old.source, old.placed, old.category, old.cause, old.designs_of,
        )  # fmt: skip

    def _lines(self, several: list[list[t.Expr]], kind: str) -> list[list[x.Expr]]:
        """Resolve the lines of a graph; that they join things of another kind is reported once."""
        wanted: ty.AnyType | None = ty.Maybe(ty.Ref(kind))
        found = []
        for line in several:
            row = []
            for expr in line:
                before = len(self.model.problems)
                row.append(self.effects.check(expr, Scope(), wanted))
                if any(problem.code == "P0301" for problem in self.model.problems[before:]):
                    wanted, last = None, self.model.problems[-1]
                    help_ = f"the lines of a graph join what its 'of' names, here {kind!r}"
                    self.model.problems[-1] = dc.replace(last, help=help_)
            found.append(row)
        return found

    def _legend(self, legend: dict[str, t.Expr], fact: m.Attribute) -> dict[str, x.Expr]:
        return {sign: self.effects.check(expr, Scope(), fact.type) for sign, expr in legend.items()}

    def _attribute(self, a: m.Attribute) -> pm.Attribute:
        default: x.Expr | None = None
        if isinstance(a.default, t.NoValue) and isinstance(a.type, ty.Seq):
            default = x.NoValue(type=ty.NONE, span=a.default.span)  # an empty list
            default = None if a.mutable else default
        elif a.default is not None:
            default = self.effects.check(a.default, Scope(), a.type)
            self._bounds(a.default, a)
        return pm.Attribute(
            a.name,
            a.type,
            a.span,
            a.mutable,
            a.low,
            a.high,
            default,
            a.has_default,
            a.text,
            a.told,
            a.visible,
            a.unless,
            a.saying,
            a.words,
        )

    def _design(self, old: m.Design, kind: m.Kind) -> pm.Design:
        owner = Scope.of(old.span, me=PLAYER)
        with self.effects.uses.of(old.id):
            copies = self._number(old.copies)
            facts = {name: self.fact(old, kind, name, value) for name, value in old.facts.items()}
            place = None
            if old.place is not None:
                place = self.effects.place(old.place, owner if kind.per_player else Scope())
        return pm.Design(
            old.id, old.kind, old.span, copies, owner.variables["me"], facts, place, old.text, old.source, old.pack
        )

    def fact(self, design: m.Design, kind: m.Kind, name: str, value: object) -> pm.Value:
        """Resolve a fact of a design."""
        attribute = kind.facts.get(name)
        if attribute is None or uses_effect(attribute.type):
            return _convert_value(value)
        said = (attribute.span, f"{name!r} is declared here")
        found = self.value(value, attribute.type, Scope.of(design.span, copy=ty.INT), (said,))
        self._bounds(value, attribute)
        return found

    def _counter(self, old: m.Counter) -> pm.Counter:
        with self.effects.uses.of(old.name):
            high, start = self._number(old.high), self._number(old.start)
        return pm.Counter(
            old.name, old.span, old.dims, old.low, high, start, old.visible, old.text, old.spend, old.noun, old.told,
            old.saying,
        )  # fmt: skip

    def _place(self, old: m.Place) -> pm.Place:
        with self.effects.uses.of(old.name):
            size = self._number(old.size)
        single = old.type in ("spot", "row")  # a piece that lies alone is its own top
        visible = "all" if single and old.visible == "top" else old.visible
        return pm.Place(old.name, old.span, old.of, old.type, old.dims, size, visible, old.text, old.told)

    # -- values

    def value(self, value: object, type_: ty.AnyType, scope: Scope, why: Why) -> pm.Value:
        """Resolve a fact or constant; nested lists follow the type."""
        match value:
            case Table():
                by = self._by(value.by, scope)
                rows = {
                    name: self.value(row, type_, self._row(name, value, by, scope), why)
                    for name, row in value.rows.items()
                }
                return pm.Table(by, rows, value.span)
            case list():
                inner = type_.of if isinstance(type_, ty.Seq) else ty.ANY
                span = value.span if isinstance(value, m.Items) else Span("", 1, 1, 1, 1)
                return pm.Items([self.value(item, inner, scope, why) for item in value], span)
            case t.Cost():
                return self._cost(value)
            case t.Expr():
                return self.effects.check(value, scope, type_, why)
        return _convert_value(value)

    def _row(self, name: str, table: Table, by: x.Expr, scope: Scope) -> Scope:
        """Return the scope of one row of a table, where it is known what the table is looked up by."""
        inner, others = scope.child(), [other for other in table.rows if other != "else"]
        for key, op in [(name, "==")] if name != "else" else [(other, "!=") for other in others]:
            value = self._key(key, by)
            if value is not None:
                inner.proven.append(x.Compare(op, by, value, type=ty.BOOL, span=by.span))
        return inner

    def _key(self, name: str, by: x.Expr) -> x.Expr | None:
        """Return the value that a row of a table is for."""
        if isinstance(by.type, ty.Choice):
            known = name in self.model.options[by.type.option].choices
            return x.Choice(by.type.option, name, type=by.type, span=by.span) if known else None
        return x.Number(int(name), type=ty.INT, span=by.span) if name.lstrip("-").isdigit() else None

    def _by(self, expr: t.Expr, scope: Scope) -> x.Expr:
        by = self.effects.check(expr, scope)
        if isinstance(by.type, ty.Seq | ty.Maybe):
            help_ = "it is a number, such as 'seats', or an option"
            self.effects.problem("P0301", f"a table is not looked up by {by.type}", expr, help_)
        return by

    def _cost(self, cost: t.Cost) -> e.CostOf:
        scope = Scope.of(cost.span, me=PLAYER)
        items = self.effects.items(cost.items, scope)
        for item in cost.items:
            everyones(self.model, item.thing or "", item.span)
        return e.CostOf(items, scope.variables["me"], type=ty.COST, span=cost.span)

    def _bounds(self, value: object, attribute: m.Attribute) -> None:
        low, high = attribute.low, attribute.high
        if isinstance(value, t.Number) and low is not None and high is not None and not low <= value.value <= high:
            said = (attribute.span, "declared here")
            message = f"{attribute.name!r} goes from {low} to {high}, found {value.value}"
            self.effects.problem("P0301", message, value, f"write a number from {low} to {high}", said)

    # -- payments and results

    def _extras(self) -> None:
        """Resolve what stands beside the rules; only what ``when`` of an anytime action means follows later."""
        model, made = self.model, self.made
        made.anytime = [self._anytime(anytime) for anytime in model.anytime]
        made.waivers = [self._waiver(waiver) for waiver in model.waivers]
        discounts = [self._own_when(f"discount {d.name}", d.when) for d in model.discounts]
        substitutions = [self._own_when(f"substitution {s.name}", s.when) for s in model.substitutions]
        for d, when in zip(model.discounts, discounts, strict=True):
            made.discounts.append(pm.Discount(d.name, d.span, d.on, d.less, d.targets, when, d.body))
        for s, when in zip(model.substitutions, substitutions, strict=True):
            made.substitutions.append(self._substitution(s, when))
        if model.active is not None:
            with self.effects.uses.of("active"):
                made.active = self._active(model.active)
        with self.effects.uses.of("result"):
            made.score = self._formula(model.score) if model.score is not None else None
            made.ties = [self._formula(tie) for tie in model.ties]
        made.among, made.wins = self._when("result", model.among), self._when("result", model.wins)
        for name, value in model.values.items():
            with self.effects.uses.of(f"value {name}"):
                made.values[name] = self._formula(value)
        for name, (always, text) in model.invariants.items():
            with self.effects.uses.of(f"invariant {name}"):
                made.invariants[name] = (self.effects.condition(always, Scope()), text)
        resolve_measures(model, self.effects)

    def _anytime(self, old: m.Anytime) -> pm.Anytime:
        with self.effects.uses.of(old.body):
            me, binder, scope = self._resolve_binder(old.binder, old.span)
        self._body(old.body, scope)
        words = old.words.value if old.words is not None else None
        if old.words is not None:
            variables = {binder.variable.name: binder.variable.type} if binder is not None else {}
            self.model.worded.append(m.Worded(old.words, variables, old.body))
        return pm.Anytime(old.name, old.span, me, binder, None, old.label, old.body, words)

    def _waiver(self, old: m.Waiver) -> pm.Waiver:
        with self.effects.uses.of(old.body):
            me, binder, scope = self._resolve_binder(old.binder, old.span)
            self._body(old.body, scope)
            when = self.effects.condition(old.when, scope) if old.when is not None else None
        return pm.Waiver(old.name, old.span, old.on, old.of, me, binder, when, old.body)

    def _resolve_binder(self, binder: t.Binder | None, span: Span) -> tuple[x.Variable, x.Binder | None, Scope]:
        """Resolve what something may be taken for; return who is me, the binder, and the scope with both."""
        scope = Scope.of(span, me=PLAYER)
        me = scope.variables["me"]
        if binder is None:
            return me, None, scope
        scope, (found,) = self.effects.bind([binder], scope)
        return me, found, scope

    def _body(self, name: str, scope: Scope) -> None:
        """Give the body of an anytime action or waiver the type of its variable."""
        rule = self.model.rules[name]
        rule.parameters = [(n, scope.types.get(n, ty.ANY)) for n, _ in rule.parameters]

    def _when(self, owner: str, when: t.Expr | None) -> pm.Formula | None:
        if when is None:
            return None
        scope = Scope.of(when.span, me=PLAYER)
        with self.effects.uses.of(owner):
            return pm.Formula(scope.variables["me"], (), self.effects.condition(when, scope))

    def _own_when(self, owner: str, when: t.Expr | None) -> pm.Formula | None:
        """Resolve a condition, unless it looks at what is paid for, which is known when all rules are."""
        return None if reads_it(when) else self._when(owner, when)

    def _substitution(self, old: m.Substitution, when: pm.Formula | None) -> pm.Substitution:
        with self.effects.uses.of(f"substitution {old.name}"):
            (give,) = self.effects.items([old.give], Scope.of(old.span, me=PLAYER))
        everyones(self.model, old.give.thing or "", old.give.span)
        return pm.Substitution(old.name, old.span, give, old.least, old.most, old.targets, when, old.on)

    def _active(self, active: t.Expr) -> x.Expr:
        """Resolve who may take anytime actions: a player, or a list of players."""
        found = self.effects.infer(active, Scope(), ty.Maybe(PLAYER))
        if isinstance(found.type, ty.Seq):
            return self.effects.fit(active, found, ty.Seq(PLAYER))
        return self.effects.fit(active, found, ty.Maybe(PLAYER))

    def _formula(self, expr: t.Expr) -> pm.Formula:
        scope = Scope.of(expr.span, me=PLAYER)
        return pm.Formula(scope.variables["me"], (), self.effects.check(expr, scope, ty.INT))


def _convert_value(value: object) -> pm.Value:
    """Return a text, the name of the rule of an effect, none, or a list of these, as they stand in the model."""
    if isinstance(value, list):
        span = value.span if isinstance(value, m.Items) else Span("", 1, 1, 1, 1)
        return pm.Items([_convert_value(item) for item in value], span)
    return value if isinstance(value, str) else None
