"""Make the resolved program of a typed model.

In:     a model whose expressions are typed, and whose nodes have their notes.
Out:    a :class:`Program`; nothing in it points back to the syntax tree.
Errors: none; what could not be typed has no program.
"""

from __future__ import annotations

import dataclasses as dc
from collections.abc import Iterable, Mapping
from functools import singledispatchmethod
from typing import Any

from patolli.analysis import declare
from patolli.analysis import model as m
from patolli.diagnostics import Span
from patolli.language import tree as t
from patolli.program import effects as e
from patolli.program import expressions as x
from patolli.program import model as pm
from patolli.program import types as ty
from patolli.program.builtins import BUILTINS

PLAYER = ty.Ref("player")
Scope = dict[str, x.Variable]


def lower(model: m.Model) -> pm.Program:
    """Return the program of a model without errors."""
    return _Lowering(model).program()


class _Lowering:
    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.costs = tuple(c.name for c in model.counters.values() if c.dims == ("player",))

    # -- the whole

    def program(self) -> pm.Program:
        model = self.model
        made = pm.Program(
            model.composition, model.options, model.chosen, model.players, model.automated, model.shapes,
            groups=model.groups, names=model.names, spans=model.spans, panels=model.panels,
            components=model.components,
        )  # fmt: skip
        made.kinds = {name: self.kind(kind) for name, kind in model.kinds.items()}
        made.designs = {
            new.id: new
            for old, kept in zip(model.kinds.values(), made.kinds.values(), strict=True)
            for new in kept.designs
            if new.id in model.designs and old.designs
        }
        made.counters = {
            c.name: pm.Counter(
                c.name, c.span, c.dims, c.low, self.maybe(c.high), self.maybe(c.start), c.visible, c.text, c.spend,
                c.noun,
            )
            for c in model.counters.values()
        }  # fmt: skip
        made.places = {
            p.name: pm.Place(p.name, p.span, p.of, p.type, p.dims, self.maybe(p.size), p.visible, p.text)
            for p in model.places.values()
        }
        made.constants = {
            c.name: pm.Constant(c.name, c.span, c.type, self.content(c.value), c.source)
            for c in model.constants.values()
        }
        made.functions = {name: self.function(f) for name, f in model.functions.items() if f.body is not None}
        made.rules = {name: self.rule(rule, made) for name, rule in model.rules.items()}
        self.outside(made)
        return made

    def outside(self, made: pm.Program) -> None:
        """Lower what stands outside rules."""
        model = self.model
        for a in model.anytime:
            scope = self.mine(a.span)
            me, binder = scope["me"], self.binders([a.binder], scope)[0] if a.binder else None
            rule = model.rules[a.body]
            when = self.condition(rule.given, scope) if rule.given is not None else None
            made.anytime.append(pm.Anytime(a.name, a.span, me, binder, when, a.label, a.body))
        for s in model.substitutions:
            give = self.item(s.give, self.mine(s.span), None)
            when_ = self.formula(s.when, True)
            made.substitutions.append(pm.Substitution(s.name, s.span, give, s.least, s.most, s.targets, when_))
        for d in model.discounts:
            when_ = self.formula(d.when, True)
            made.discounts.append(pm.Discount(d.name, d.span, d.on, d.less, d.targets, when_, d.body))
        for w in model.waivers:
            scope = self.mine(w.span)
            me, binder = scope["me"], self.binders([w.binder], scope)[0] if w.binder else None
            when = self.condition(w.when, scope) if w.when is not None else None
            made.waivers.append(pm.Waiver(w.name, w.span, w.on, w.of, me, binder, when, w.body))
        made.active = self.expr(model.active, {}) if model.active is not None else None
        made.score = self.formula(model.score)
        made.ties = [f for tie in model.ties if (f := self.formula(tie)) is not None]
        made.invariants = {n: (self.condition(c, {}), text) for n, (c, text) in model.invariants.items()}
        made.values = {n: f for n, v in model.values.items() if (f := self.formula(v)) is not None}

    def mine(self, span: Span) -> Scope:
        return {"me": x.Variable("me", PLAYER, span)}

    def formula(self, expr: t.Expr | None, condition: bool = False, **more: ty.AnyType) -> pm.Formula | None:
        if expr is None:
            return None
        scope = self.mine(expr.span)
        variables = tuple(x.Variable(name, type_, expr.span) for name, type_ in more.items())
        scope.update((v.name, v) for v in variables)
        return pm.Formula(scope["me"], variables, (self.condition if condition else self.expr)(expr, scope))

    def kind(self, old: m.Kind) -> pm.Kind:
        active = self.formula(old.active, True, it=ty.Ref(old.name))
        return pm.Kind(
            old.name, old.span,
            {n: self.attribute(a) for n, a in old.facts.items()}, {n: self.attribute(a) for n, a in old.fields.items()},
            [self.design(d, old) for d in old.designs], old.members, old.per_player, self.maybe(old.copies), active,
            old.data, old.grid, old.over,
            {n: (rows, {s: self.expr(v, {}) for s, v in legend.items()}) for n, (rows, legend) in old.maps.items()},
            old.lays, old.text, old.source, old.placed,
        )  # fmt: skip

    def attribute(self, a: m.Attribute) -> pm.Attribute:
        default = self.maybe(a.default)
        return pm.Attribute(a.name, a.type, a.span, a.mutable, a.low, a.high, default, a.has_default, a.text, a.told)

    def design(self, d: m.Design, kind: m.Kind) -> pm.Design:
        scope = self.mine(d.span)
        copy = {"copy": x.Variable("copy", ty.INT, d.span)}
        facts = {name: self.content(value, copy) for name, value in d.facts.items()}
        place = self.place(d.place, scope) if d.place is not None else None
        return pm.Design(
            d.id, d.kind, d.span, self.maybe(d.copies), scope["me"], facts, place, d.text, d.source, d.pack
        )

    def content(self, value: object, scope: Scope | None = None) -> pm.Value:
        """Lower a fact or constant."""
        scope = scope or {}
        match value:
            case declare.Table():
                rows = {key: self.content(row, scope) for key, row in value.rows.items()}
                return pm.Table(self.expr(value.by, scope), rows, value.span)
            case list():
                span = value.span if isinstance(value, m.Items) else Span("", 1, 1, 1, 1)
                return pm.Items([self.content(item, scope) for item in value], span)
            case t.Cost():
                payer = x.Variable("me", PLAYER, value.span)
                items = tuple(self.item(item, {"me": payer, **scope}, None) for item in value.items)
                return e.CostOf(items, payer, type=ty.COST, span=value.span)
            case t.Expr():
                return self.expr(value, scope)
            case str() | None:
                return value
        raise TypeError(value)

    def function(self, f: m.Function) -> pm.Function:
        assert f.body is not None
        scope = self.mine(f.span)
        me = scope["me"]
        parameters = tuple(x.Variable(name, type_, f.span) for name, type_ in f.parameters)
        scope.update((v.name, v) for v in parameters)
        type_ = f.type or ty.ANY
        body = self.condition(f.body, scope) if type_ == ty.BOOL else self.expr(f.body, scope)
        return pm.Function(f.name, f.span, me, parameters, body, type_, f.text)

    def rule(self, rule: m.Rule, made: pm.Program) -> pm.Rule:
        scope = self.mine(rule.span)
        me = scope["me"]
        parameters = tuple(x.Variable(name, type_, rule.span) for name, type_ in rule.parameters)
        scope.update((v.name, v) for v in parameters)
        before = tuple(self.trigger(tr, scope, made) for tr in rule.before)
        after = tuple(self.trigger(tr, scope, made) for tr in rule.after)
        given = self.condition(rule.given, dict(scope)) if rule.given is not None else None
        steps = []
        for step in rule.steps:
            steps.append(pm.Step(step.name, self.block(step.block, scope), step.span))
        return pm.Rule(
            rule.name, rule.span, me, parameters, tuple(steps), rule.text, rule.source, rule.returns, rule.hidden,
            given, before, after,
        )  # fmt: skip

    def trigger(self, tr: m.Trigger, scope: Scope, made: pm.Program) -> pm.Trigger:
        scope, tests = dict(scope), []
        it = design = None
        if tr.design is not None:
            design = made.designs[tr.design.id]
            it = scope["it"] = x.Variable("it", ty.Ref(design.kind), tr.span)
            active = self.model.kinds[design.kind].active
            if active is not None:
                tests.append(self.condition(active, scope))
        if tr.when is not None:
            tests.append(self.condition(tr.when, scope))
        condition = None
        for test in tests:
            condition = test if condition is None else x.Logic("and", condition, test, type=ty.BOOL, span=test.span)
        return pm.Trigger(tr.name, tr.span, tr.rule, condition, tr.body, it, design)

    # -- expressions

    def maybe(self, expr: t.Expr | None) -> x.Expr | None:
        return None if expr is None else self.expr(expr, {})

    def condition(self, expr: t.Expr, scope: Scope) -> x.Expr:
        """Lower a condition: what may be none or empty is asked whether it is."""
        if isinstance(expr, t.Not):
            return x.Not(self.condition(expr.of, scope), type=ty.BOOL, span=expr.span)
        if isinstance(expr, t.Logic) and expr.type == ty.BOOL:
            left, right = self.condition(expr.left, scope), self.condition(expr.right, scope)
            return x.Logic(expr.op, left, right, type=ty.BOOL, span=expr.span)
        value = self.expr(expr, scope)
        if expr.type in (None, ty.ANY, ty.BOOL):
            return value
        made = x.Filled if isinstance(expr.type, ty.Seq) else x.Present
        return made(value, type=ty.BOOL, span=expr.span)

    def many(self, exprs: Iterable[t.Expr], scope: Scope) -> tuple[x.Expr, ...]:
        return tuple(self.expr(one, scope) for one in exprs)

    def me(self, scope: Scope, span: Span) -> x.Expr:
        if "me" not in scope:
            return x.Number(0, type=PLAYER, span=span)
        return x.Local(scope["me"], type=PLAYER, span=span)

    @singledispatchmethod
    def _expr(self, expr: t.Expr, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        raise TypeError(expr)

    def expr(self, expr: t.Expr, scope: Scope) -> x.Expr:
        """Lower an expression."""
        return self._expr(expr, scope, {"type": expr.type or ty.ANY, "span": expr.span})

    @_expr.register
    def _(self, expr: t.Number, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        return x.Number(expr.value, type=ty.INT, span=expr.span)

    @_expr.register
    def _(self, expr: t.Truth, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        return x.Truth(expr.value, type=ty.BOOL, span=expr.span)

    @_expr.register
    def _(self, expr: t.Nobody, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        return x.Nobody(**at)

    @_expr.register
    def _(self, expr: t.Name, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        note = t.note_of(expr)
        match note[0]:
            case "variable" if expr.id == "copy" and "me" not in scope:
                return x.CopyNumber(**at)
            case "variable":
                return x.Local(scope[expr.id], **at)
            case "seats":
                return x.Seats(**at)
            case "players":
                return x.Instances("player", **at)
            case "kind":
                return x.Instances(note[1], **at)
            case "instance":
                return x.Instance(note[1], note[2], **at)
            case "design":
                return x.DesignNamed(note[1], note[2], **at)
            case "option":
                return x.OptionValue(note[1], **at)
            case "choice":
                assert isinstance(expr.type, ty.Choice)
                return x.Choice(expr.type.option, note[1], **at)
            case "constant":
                return x.ConstantNamed(note[1], **at)
            case "member":
                return x.CounterNamed(note[1], **at)
            case "group":
                return x.GroupNamed(note[1], **at)
        return self._indexed(expr, note, [], scope, at)

    def _indexed(
        self, expr: t.Expr, note: tuple[Any, ...], given: list[t.Expr], scope: Scope, at: Mapping[str, Any]
    ) -> x.Expr:
        """Lower what may have indices or arguments: functions, counters, places."""
        arguments = self.many(given, scope)
        match note[0]:
            case "function":
                return x.FunctionCall(note[1], self.me(scope, expr.span), arguments, **at)
            case "counter":
                return x.CounterAt(note[1], self._full(note[2], arguments, scope, expr.span), **at)
            case "place":
                place, of = note[1], self.model.places[note[1]].of
                if note[3] == "spot" and self.model.places[place].type == "row":
                    indices = self._full(note[2], arguments[:-1], scope, expr.span)
                    return x.RowSpot(place, of, indices, arguments[-1], **at)
                return x.Held(place, of, self._full(note[2], arguments, scope, expr.span), **at)
        raise TypeError(note)

    def _full(self, implied: bool, arguments: tuple[x.Expr, ...], scope: Scope, span: Span) -> tuple[x.Expr, ...]:
        return (self.me(scope, span), *arguments) if implied else arguments

    @_expr.register
    def _(self, expr: t.Attribute, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        note = t.note_of(expr)
        if note[0] == "instance":
            return x.Instance(note[1], note[2], **at)
        of = self.expr(expr.of, scope)
        match note[0]:
            case "counter":
                return x.CounterAt(note[1], (of,), **at)
            case "field":
                return x.FieldOf(note[1], note[2], of, **at)
            case "fact":
                return x.FactOf(note[1], note[2], of, **at)
            case "design_of":
                return x.DesignOf(note[1], of, **at)
        raise TypeError(note)

    @_expr.register
    def _(self, expr: t.Index, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        return x.ItemAt(self.expr(expr.of, scope), self.expr(expr.index, scope), **at)

    @_expr.register
    def _(self, expr: t.Call, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        note = t.note_of(expr)
        if note[0] == "whole":
            return x.Whole(note[1], self.expr(expr.arguments[0], scope), **at)
        if note[0] == "builtin":
            return self._builtin(expr, scope, at)
        return self._indexed(expr, note, expr.arguments, scope, at)

    def _builtin(self, expr: t.Call, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        given, me = expr.arguments, self.me(scope, expr.span)
        match expr.id:
            case "can":
                call = given[0]
                assert isinstance(call, t.Call)
                return x.Can(call.id, me, self.many(call.arguments, scope), **at)
            case "payable":
                return x.Payable(self.expr(given[0], scope), me, **at)
            case "have":
                who = self.expr(given[0], scope) if len(given) == 2 else me
                return self._have(given[-1], who, scope, at)
            case "owned":
                who = self.expr(given[0], scope) if len(given) == 2 else me
                kind = t.note_of(given[-1])[1]
                return x.BuiltinCall("owned", (who,), kind, kind, **at)
            case "placements":
                assert isinstance(given[1], t.Name)
                grid = given[1].id
                who_ = (me,) if self.model.kinds[grid].per_player else ()
                return x.BuiltinCall("placements", (self.expr(given[0], scope), *who_), grid, grid, **at)
            case "place_of":
                assert isinstance(given[1], t.Name)
                place = given[1].id
                of = self.model.places[place].of
                return x.BuiltinCall("place_of", (self.expr(given[0], scope),), place, of, **at)
            case "cell_at":
                grid = t.note_of(given[0])[1]
                who_ = (me,) if self.model.kinds[grid].per_player else ()
                return x.BuiltinCall("cell_at", (*self.many(given[1:], scope), *who_), grid, grid, **at)
        arguments = self.many(given, scope)
        cells = BUILTINS[expr.id].parameters if expr.id in BUILTINS else ()
        kind = ""
        for argument, parameter in zip(arguments, cells, strict=False):
            if parameter == "cell":
                inner = ty.strip(argument.type)
                kind = inner.kind if isinstance(inner, ty.Ref) else kind
        return x.BuiltinCall(expr.id, arguments, "", kind, **at)

    def _have(self, of: t.Expr, who: x.Expr, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        note = t.note_of(of)
        if note[0] == "member":
            return x.CounterAt(note[1], (who,), **at)
        member = self.expr(of, scope)
        return x.Have(member, self._members(member.type), who, **at)

    def _members(self, type_: ty.AnyType) -> tuple[str, ...]:
        inner = ty.strip(type_)
        return self.model.groups[inner.name] if isinstance(inner, ty.Group) else self.costs

    def binders(self, given: list[t.Binder], scope: Scope) -> tuple[x.Binder, ...]:
        """Lower binders; their variables come into the scope."""
        found = []
        for binder in given:
            source = self.expr(binder.source, scope)
            type_ = source.type.of if isinstance(source.type, ty.Seq) else ty.ANY
            scope[binder.id] = x.Variable(binder.id, type_, binder.span)
            found.append(x.Binder(scope[binder.id], source, span=binder.span))
        return tuple(found)

    @_expr.register
    def _(self, expr: t.Quantifier, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        inner = dict(scope)
        binders = self.binders(expr.binders, inner)
        where = self.condition(expr.where, inner) if expr.where is not None else None
        value = None
        if expr.value is not None:
            value = (self.condition if expr.id in ("any", "all") else self.expr)(expr.value, inner)
        by = self.expr(expr.by, inner) if expr.by is not None else None
        return x.Quantifier(expr.id, binders, where, value, by, **at)

    @_expr.register
    def _(self, expr: t.Binary, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        return x.Arithmetic(expr.op, self.expr(expr.left, scope), self.expr(expr.right, scope), **at)

    @_expr.register
    def _(self, expr: t.Negative, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        return x.Negative(self.expr(expr.of, scope), **at)

    @_expr.register
    def _(self, expr: t.Compare, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        values = [self.expr(expr.first, scope), *(self.expr(one, scope) for _, one in expr.rest)]
        found: x.Expr | None = None
        for (op, _), left, right in zip(expr.rest, values, values[1:], strict=False):
            one = self._compared(op, left, right, expr.span)
            found = one if found is None else x.Logic("and", found, one, type=ty.BOOL, span=expr.span)
        assert found is not None
        return found

    def _compared(self, op: str, left: x.Expr, right: x.Expr, span: Span) -> x.Expr:
        if op in ("==", "!=") and isinstance(left, x.Nobody) != isinstance(right, x.Nobody):
            value = right if isinstance(left, x.Nobody) else left
            if ty.strip(value.type) != ty.COST:
                there = x.Present(value, type=ty.BOOL, span=span)
                return there if op == "!=" else x.Not(there, type=ty.BOOL, span=span)
        return x.Compare(op, left, right, type=ty.BOOL, span=span)

    @_expr.register
    def _(self, expr: t.Not, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        return self.condition(expr, scope)

    @_expr.register
    def _(self, expr: t.Logic, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        if expr.note == "default":
            return x.Default(self.expr(expr.left, scope), self.expr(expr.right, scope), **at)
        left, right = self.condition(expr.left, scope), self.condition(expr.right, scope)
        return x.Logic(expr.op, left, right, type=ty.BOOL, span=expr.span)

    @_expr.register
    def _(self, expr: t.IfElse, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        condition = self.condition(expr.condition, scope)
        lower = self.condition if expr.type == ty.BOOL else self.expr
        return x.IfElse(condition, lower(expr.then, scope), lower(expr.other, scope), **at)

    @_expr.register
    def _(self, expr: t.Listing, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        return x.ListOf(self.many(expr.items, scope), **at)

    @_expr.register
    def _(self, expr: t.SpanOf, scope: Scope, at: Mapping[str, Any]) -> x.Expr:
        return x.Range(self.expr(expr.low, scope), self.expr(expr.high, scope), **at)

    # -- items and places

    def items(self, given: list[t.Item], scope: Scope, who: x.Expr | None) -> tuple[e.Item, ...]:
        return tuple(self.item(item, scope, who) for item in given)

    def item(self, item: t.Item, scope: Scope, who: x.Expr | None) -> e.Item:
        note, span = t.note_of(item), item.span
        me = who if who is not None else self.me(scope, span)
        amount = self.expr(item.amount, scope)
        match note[0]:
            case "cost":
                return e.CostItem(amount, self.costs, me, span=span)
            case "mix":
                return e.MixItem(note[1], self.model.groups[note[1]], me, amount, span=span)
            case "variable":
                variable = scope[note[1]]
                member = x.Local(variable, type=variable.type, span=span)
                return e.MemberItem(member, self._members(variable.type), me, amount, span=span)
        indices = self.many(item.arguments, scope)
        return e.CounterItem(note[1], (me, *indices) if note[2] else indices, amount, span=span)

    def place(self, expr: t.Expr, scope: Scope) -> e.PlaceAt:
        note = t.note_of(expr)
        if note[0] == "box":
            return e.PlaceAt("", "", "box", (), span=expr.span)
        declared = self.model.places[note[1]]
        arguments = self.many(expr.arguments, scope) if isinstance(expr, t.Call) else ()
        indices = self._full(note[2], arguments, scope, expr.span)
        sort = "spot" if declared.type == "row" and note[3] == "spot" else declared.type
        return e.PlaceAt(declared.name, declared.of, sort, indices, span=expr.span)

    # -- effects

    def block(self, block: t.Block, scope: Scope) -> e.Block:
        """Lower effects in order; the scope grows as variables are named."""
        return tuple(made for effect in block for made in self._effect(effect, scope, {"span": head(effect)}))

    def inner(self, block: t.Block, scope: Scope) -> e.Block:
        return self.block(block, dict(scope))

    @singledispatchmethod
    def _effect(self, effect: t.Effect, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        raise TypeError(effect)

    @_effect.register
    def _(self, effect: t.Gain, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        who = self.expr(effect.who, scope) if effect.who is not None else None
        items = self.items(effect.items, scope, who)
        return [e.Gain(items, effect.less, who if who is not None else self.me(scope, effect.span), **at)]

    @_effect.register
    def _(self, effect: t.Pay, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.Pay(self.items(effect.items, scope, None), effect.tag, self.me(scope, effect.span), **at)]

    def _value(self, value: t.Expr, scope: Scope) -> tuple[list[e.Effect], x.Expr]:
        """Lower a value; where a rule returns it, the call comes first."""
        if not (isinstance(value, t.Call) and t.note_of(value)[0] == "rule"):
            return [], self.expr(value, scope)
        into = x.Variable("", value.type or ty.ANY, value.span)
        call = self._called(value, scope, into)
        return [call], x.Local(into, type=into.type, span=value.span)

    def _called(self, call: t.Call, scope: Scope, into: x.Variable | None) -> e.CallRule:
        arguments = self.many(call.arguments, scope)
        return e.CallRule(call.id, self.me(scope, call.span), arguments, into, span=call.span)

    @_effect.register
    def _(self, effect: t.SetTo, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        before, value = self._value(effect.value, scope)
        return [*before, e.Set(self.expr(effect.target, scope), value, **at)]

    @_effect.register
    def _(self, effect: t.Let, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        if isinstance(effect.value, t.Call) and t.note_of(effect.value)[0] == "rule":
            variable = x.Variable(effect.id, effect.value.type or ty.ANY, _name_in(effect))
            call = dc.replace(self._called(effect.value, scope, variable), span=head(effect))
            scope[effect.id] = variable
            return [call]
        value = self.expr(effect.value, scope)
        scope[effect.id] = x.Variable(effect.id, value.type, _name_in(effect))
        return [e.Let(scope[effect.id], value, **at)]

    @_effect.register
    def _(self, effect: t.Random, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        source = self.expr(effect.source, scope)
        sure = isinstance(effect.source, t.SpanOf | t.Listing) or t.note_of(effect.source)[0] == "kind"
        item: ty.AnyType = source.type.of if isinstance(source.type, ty.Seq) else ty.ANY
        if not sure and item not in (ty.INT, ty.BOOL):
            item = ty.Maybe(ty.strip(item))
        scope[effect.id] = x.Variable(effect.id, item, effect.span)
        return [e.Random(scope[effect.id], source, **at)]

    @_effect.register
    def _(self, effect: t.Move, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        what = self.expr(effect.what, scope)
        return [e.Move(what, _kind(what), self.place(effect.to, scope), effect.bottom, **at)]

    @_effect.register
    def _(self, effect: t.Swap, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        first = self.expr(effect.first, scope)
        return [e.Swap(first, self.expr(effect.second, scope), _kind(first), **at)]

    @_effect.register
    def _(self, effect: t.Shuffle, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        place = self.place(effect.place, scope)
        return [e.Shuffle(place, place.kind, **at)]

    @_effect.register
    def _(self, effect: t.Draw, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        source, to = self.place(effect.source, scope), self.place(effect.to, scope)
        return [e.Draw(self.expr(effect.amount, scope), source, to, source.kind, **at)]

    @_effect.register
    def _(self, effect: t.Refill, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        source = self.place(effect.source, scope)
        return [e.Refill(self.place(effect.row, scope), source, source.kind, **at)]

    @_effect.register
    def _(self, effect: t.Slide, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        row = self.place(effect.row, scope)
        return [e.Slide(row, row.kind, **at)]

    @_effect.register
    def _(self, effect: t.CallRule, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [dc.replace(self._called(effect.call, scope, None), span=head(effect))]

    @_effect.register
    def _(self, effect: t.Do, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        of, kind, fact = effect.note
        value, it = self.expr(effect.value, scope), self.expr(of, scope)
        return [e.Do(kind, fact, value, it, self.me(scope, effect.span), **at)]

    @_effect.register
    def _(self, effect: t.Return, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        before: list[e.Effect] = []
        value = None
        if effect.value is not None:
            before, value = self._value(effect.value, scope)
        leave = e.Return(value, **at)
        if effect.condition is None:
            return [*before, leave]
        test = self.condition(effect.condition, scope)
        if effect.negated:
            test = x.Not(test, type=ty.BOOL, span=test.span)
        return [e.If(test, (leave,), (), **at)]

    @_effect.register
    def _(self, effect: t.Break, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.Break(**at)]

    @_effect.register
    def _(self, effect: t.EndMatch, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.EndMatch(**at)]

    @_effect.register
    def _(self, effect: t.PassTo, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.PassTo(scope["me"], self.expr(effect.who, scope), **at)]

    @_effect.register
    def _(self, effect: t.Require, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.Require(self.condition(effect.condition, scope), **at)]

    @_effect.register
    def _(self, effect: t.Pause, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.Pause(effect.label, **at)]

    @_effect.register
    def _(self, effect: t.Say, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.Say(effect.text, self.many(effect.values, scope), **at)]

    @_effect.register
    def _(self, effect: t.Nothing, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.Nothing(**at)]

    @_effect.register
    def _(self, effect: t.Mark, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.Mark(effect.reached, **at)]

    @_effect.register
    def _(self, effect: t.If, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        test = self.condition(effect.condition, scope)
        return [e.If(test, self.inner(effect.then, scope), self.inner(effect.other, scope), **at)]

    @_effect.register
    def _(self, effect: t.For, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        inner = dict(scope)
        binders = self.binders(effect.binders, inner)
        where = self.condition(effect.where, inner) if effect.where is not None else None
        return [e.For(binders, where, effect.any_order, effect.prompt, self.inner(effect.body, inner), **at)]

    @_effect.register
    def _(self, effect: t.Repeat, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.Repeat(self.expr(effect.times, scope), self.inner(effect.body, scope), **at)]

    @_effect.register
    def _(self, effect: t.Loop, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.Loop(self.inner(effect.body, scope), **at)]

    @_effect.register
    def _(self, effect: t.As, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        who = self.expr(effect.who, scope)
        me = x.Variable("me", PLAYER, effect.span)
        return [e.As(me, who, self.inner(effect.body, {**scope, "me": me}), **at)]

    @_effect.register
    def _(self, effect: t.Choose, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        otherwise = self.inner(effect.otherwise, scope) if effect.otherwise is not None else None
        binders = self.binders(effect.binders, scope)
        where = self.condition(effect.where, scope) if effect.where is not None else None
        return [e.Choose(binders, where, effect.decline, effect.prompt, otherwise, **at)]

    @_effect.register
    def _(self, effect: t.Menu, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        options = []
        for option in effect.options:
            inner = dict(scope)
            binders = self.binders(option.binders, inner)
            condition = self.condition(option.condition, inner) if option.condition is not None else None
            body = self.inner(option.body, inner)
            options.append(e.Option(option.label, condition, binders, body, span=option.span))
        otherwise = self.inner(effect.otherwise, scope) if effect.otherwise is not None else None
        return [e.Menu(effect.prompt, tuple(options), otherwise, effect.note == "may", **at)]

    @_effect.register
    def _(self, effect: t.UpTo, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        return [e.UpTo(self.expr(effect.times, scope), effect.label, self.inner(effect.body, scope), **at)]

    @_effect.register
    def _(self, effect: t.Simultaneously, scope: Scope, at: Mapping[str, Any]) -> list[e.Effect]:
        inner = dict(scope)
        binder = self.binders([effect.binder], inner)[0]
        inner["me"] = x.Variable("me", PLAYER, effect.span)
        body = self.inner(effect.body, inner)
        return [e.Simultaneously(binder.variable, inner["me"], binder.source, body, **at)]


def head(at: t.Node) -> Span:
    """Give the place of an effect as far as its first line goes."""
    text = at.at.text
    value = getattr(text, "value", "")
    end = value.find("\n", at.at.start, at.at.end) if isinstance(value, str) else -1
    return at.span if end < 0 else text.place(at.at.start, end - at.at.start)


def _name_in(effect: t.Let) -> Span:
    """Return the place of the name that a value gets."""
    text, start = effect.at.text, effect.at.start
    return text.place(start + text.value[start:].index(effect.id, len("let")), len(effect.id))


def _kind(expr: x.Expr) -> str:
    inner = ty.strip(expr.type)
    return inner.kind if isinstance(inner, ty.Ref) else ""
