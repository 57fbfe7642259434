"""Compile what the beginning of a rule or option demands into a test that changes nothing.

The test follows the effects up to the first change: it evaluates ``require``, looks whether payments are covered, and
tries the values of a choice until one leads on. Where something more is demanded after a payment, the payment is
tried on the counters and taken back.
"""

from __future__ import annotations

import ast

from patolli.analysis.model import Rule
from patolli.analysis.walking import calls_rule
from patolli.compiler import build as b
from patolli.compiler import payments
from patolli.compiler.expressions import Expressions
from patolli.compiler.unit import Context, Unit, local, reader
from patolli.language import tree as t


def yes() -> list[ast.stmt]:
    """The test succeeds."""
    return [b.give(b.const(True))]


def no() -> list[ast.stmt]:
    """The test fails."""
    return [b.give(b.const(False))]


class Guards(Expressions):
    """The compiler of guards."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.traits = unit.traits
        self.rules: dict[str, str] = {}
        self.bodies: dict[str, Rule] = {}
        unit.space["compile_can"] = self.can_rule

    def demands(self, block: t.Block) -> bool:
        """Tell whether a block demands anything at its beginning."""
        return self.traits.guard(block)[0]

    def guard(self, block: t.Block, c: Context) -> ast.expr | None:
        """Return the test for the beginning of a block; None when it demands nothing."""
        if not self.demands(block):
            return None
        inner = c.lifted()
        body = self._block(block, inner)
        id_ = self.unit.fresh("g")
        self.unit.define(id_, ["s", *map(local, inner.captured)], body, block[0])
        return b.call(id_, b.name("s"), *inner.captured.values())

    def can_rule(self, rule: Rule, arguments: list[ast.expr], c: Context) -> ast.expr:
        """Return the test whether a rule's beginning is possible."""
        rule = self.bodies.get(rule.name, rule)
        if rule.name not in self.rules:
            id_ = self.unit.fresh("can")
            self.rules[rule.name] = id_
            names = ["me", *(name for name, _ in rule.parameters)]
            inner = Context(self.unit, {n: reader(n) for n in names}, None)
            body = self._block(rule.block, inner)
            self.unit.define(id_, ["s", *map(local, names)], body, rule.block[0])
        return b.call(self.rules[rule.name], b.name("s"), c.read("me"), *arguments)

    # -- one effect after another

    def _block(self, block: t.Block, c: Context) -> list[ast.stmt]:
        body: list[ast.stmt] = []
        for position, effect in enumerate(block):
            rest = block[position + 1 :]
            if not self.demands(block[position:]):
                return [*body, *yes()]
            c, more, done = self._effect(effect, rest, c)
            body.extend(more)
            if done:
                return body
        return [*body, *yes()]

    def _effect(self, effect: t.Effect, rest: t.Block, c: Context) -> tuple[Context, list[ast.stmt], bool]:
        """Return the context behind an effect, its part of the test, and whether that answers everything."""
        match effect:
            case t.Let() | t.SetTo() if self._is_plain_name(effect):
                return self._let(effect, c)
            case t.Require():
                return c, [b.when(b.negate(self.condition(effect.condition, c)), no())], False
            case t.Return():
                return self._return(effect, c)
            case t.Pay():
                return c, self._pay(effect, rest, c), True
            case t.Choose():
                return c, self._choose(effect, rest, c), True
            case t.Menu():
                return c, self._menu(effect, c), True
            case t.If():
                then = self._block([*effect.then, *rest], c.child())
                other = self._block([*effect.other, *rest], c.child())
                return c, [b.when(self.condition(effect.condition, c), then, other)], True
            case t.As():
                who = self.expr(effect.who, c)
                id_ = self.unit.fresh("who")
                inner = Context(self.unit, {**c.variables, "me": lambda: b.name(id_)}, c.outer)
                inner.captured = c.captured
                return c, [b.assign(b.name(id_), who), *self._block(effect.body, inner)], True
        tests = self._calls(effect, c)
        ends = self.traits.ends(effect)
        return c, [*tests, *(yes() if ends else [])], ends

    def _is_plain_name(self, effect: t.Let | t.SetTo) -> bool:
        target = effect.target.note[0] == "variable" if isinstance(effect, t.SetTo) else True
        return target and not calls_rule(effect.value)

    def _let(self, effect: t.Let | t.SetTo, c: Context) -> tuple[Context, list[ast.stmt], bool]:
        id_ = effect.id if isinstance(effect, t.Let) else effect.target.id  # type: ignore[attr-defined]
        value = self.expr(effect.value, c)
        return c.child(id_), [b.assign(b.name(local(id_)), value)], False

    def _return(self, effect: t.Return, c: Context) -> tuple[Context, list[ast.stmt], bool]:
        if effect.condition is None:
            return c, [*self._calls(effect, c), *yes()], True
        test = self.condition(effect.condition, c)
        return c, [b.when(b.negate(test) if effect.negated else test, yes())], False

    def _calls(self, effect: t.Effect, c: Context) -> list[ast.stmt]:
        if isinstance(effect, t.Do):
            return (
                [b.when(b.negate(self.can_do(effect, c)), no())]
                if any(r.guarded for r in self.traits.called(effect))
                else []
            )
        rules = [r for r in self.traits.called(effect) if r.guarded]
        call = effect.call if isinstance(effect, t.CallRule) else getattr(effect, "value", None)
        if not rules or not isinstance(call, t.Call):
            return []
        test = self.can_rule(rules[0], [self.expr(a, c) for a in call.arguments], c)
        return [b.when(b.negate(test), no())]

    def can_do(self, effect: t.Do, c: Context) -> ast.expr:
        """Return the test whether the effect of a piece is possible."""
        of = effect.note[0]
        return b.call("can_do", b.name("s"), c.read("me"), self.expr(effect.value, c), self.expr(of, c))

    def _pay(self, effect: t.Pay, rest: t.Block, c: Context) -> list[ast.stmt]:
        test = payments.affordable(self, effect.items, effect.tag, c)
        more = self.guard(rest, c)
        if more is None:
            return [b.give(test)]
        tried = b.call(
            "tried", b.name("s"), c.read("me"), payments.ways(self, effect, c), b.name("MONEY"), b.delayed(more)
        )
        return [b.give(tried)]

    def filter_ways(self, effect: t.Pay, rest: t.Block, c: Context) -> ast.expr:
        """Return the ways to pay that leave what follows possible."""
        found = payments.ways(self, effect, c)
        more = self.guard(rest, c)
        return (
            found
            if more is None
            else b.call("leaving", b.name("s"), c.read("me"), found, b.name("MONEY"), b.delayed(more))
        )

    def _choose(self, effect: t.Choose, rest: t.Block, c: Context) -> list[ast.stmt]:
        if effect.otherwise is not None or effect.decline is not None:
            return yes()
        return [b.give(self.exists(effect.binders, effect.where, rest, c, effect))]

    def exists(
        self, binders: list[t.Binder], where: t.Expr | None, rest: t.Block, c: Context, node: t.Node
    ) -> ast.expr:
        """Return the test whether some value leads on."""

        def found(scope: Context) -> list[ast.stmt]:
            more = self.guard(rest, scope)
            return yes() if more is None else [b.when(more, yes())]

        return self.loops(binders, where, c, "e", [], found, no(), node)

    def _menu(self, effect: t.Menu, c: Context) -> list[ast.stmt]:
        if effect.otherwise is not None or self.traits.sure_option(effect):
            return yes()
        body: list[ast.stmt] = []
        for option in effect.options:
            body.append(b.when(self.option(option, c), yes()))
        return [*body, *no()]

    def option(self, option: t.Option, c: Context) -> ast.expr:
        """Return the test whether a line of a menu is possible."""
        if option.binders:
            return self.exists(option.binders, option.condition, option.body, c, option)
        tests = [self.condition(option.condition, c)] if option.condition is not None else []
        more = self.guard(option.body, c)
        return b.both([*tests, more] if more is not None else tests)
