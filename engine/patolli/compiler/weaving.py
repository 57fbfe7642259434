"""Weave triggers into the rules that they follow.

In:     a model, whose rules know their triggers, and the layout.
Out:    rules in which each trigger is a test and a call; a rule with triggers calls its own body between them.

Other rules go on calling the rule by its name, and a rule calls its body only here.
"""

from __future__ import annotations

import copy
from typing import Any

from patolli.analysis.model import Model, Rule, Step, Trigger
from patolli.analysis.traits import Traits, walk
from patolli.analysis.walking import parts
from patolli.compiler.layout import Layout
from patolli.language import tree as t
from patolli.program import types as ty


class Weaver:
    """Makes the rules around the bodies; ``bodies`` holds those by the name of the rule."""

    def __init__(self, model: Model, layout: Layout, traits: Traits) -> None:
        self.model, self.layout, self.traits = model, layout, traits
        self.bodies: dict[str, Rule] = {}

    def weave(self) -> list[Rule]:
        """Return all rules; one with triggers calls its own body between them."""
        found: list[Rule] = []
        for rule in list(self.model.rules.values()):
            if not rule.before and not rule.after:
                found.append(rule)
                continue
            body = Rule(f"{rule.name}#", rule.span, rule.parameters, rule.steps, hidden=True, returns=rule.returns)
            outer = Rule(rule.name, rule.span, rule.parameters, [], rule.text, returns=rule.returns)
            at = rule.block[0].at if rule.block else t.At(rule.steps[0].block[0].at.text, 0, 0)
            arguments: list[t.Expr] = [_variable(n, type_, at) for n, type_ in rule.parameters]
            call = t.Call(body.name, arguments, at=at, note=("rule", body.name))
            block: t.Block = [e for tr in rule.before for e in self._triggered(tr, rule, at)]
            after = [e for tr in rule.after for e in self._triggered(tr, rule, at)]
            if rule.returns is not None:
                let = t.Let("result", call, at=at)
                block += [let, *after, t.Return(_variable("result", rule.returns, at), at=at)]
            else:
                block += [t.CallRule(call, at=at), *after]
            outer.steps = [Step("do", block, rule.span)]
            outer.asks, outer.changes, outer.guarded = rule.asks, rule.changes, rule.guarded
            body.changes, body.guarded = rule.changes, rule.guarded
            files = {step.block[0].span.path for step in rule.steps if step.block}
            body.asks = len(files) > 1 or any(map(self.traits.asks, walk(rule.block)))
            outer.asks = outer.asks or body.asks
            self.model.rules[outer.name], self.model.rules[body.name] = outer, body
            self.bodies[outer.name] = body
            found += [outer, body]
        return found

    def _triggered(self, trigger: Trigger, rule: Rule, at: t.At) -> t.Block:
        """Return the effects of a trigger: one test and call, or one per copy of its piece."""
        body = self.model.rules[trigger.body]
        here = body.block[0].at if body.block else at
        if trigger.design is None:
            return [_test(trigger.when, _call_body(body, rule, None, here), here)]
        kind = self.model.kinds[trigger.design.kind]
        found: t.Block = []
        for instance in self.layout.instances[kind.name]:
            if instance.design is trigger.design:
                it = t.Name(instance.id, at=here, note=("instance", kind.name, instance.id), type=ty.Ref(kind.name))
                active = _substitute(kind.active, it)
                when = _substitute(trigger.when, it) if trigger.when is not None else None
                inner = _test(when, _call_body(body, rule, it, here), here)
                found.append(_test(active, inner, here))
        return found


def _call_body(body: Rule, rule: Rule, it: t.Expr | None, at: t.At) -> t.Effect:
    arguments: list[t.Expr] = [_variable(n, type_, at) for n, type_ in rule.parameters]
    if it is not None:
        arguments.append(it)
    return t.CallRule(t.Call(body.name, arguments, at=at, note=("rule", body.name)), at=at)


def _test(test: t.Expr | None, effect: t.Effect, at: t.At) -> t.Effect:
    return effect if test is None else t.If(test, [effect], [], at=at)


def _variable(name: str, type_: ty.AnyType | None, at: t.At) -> t.Name:
    return t.Name(name, at=at, note=("variable", name), type=type_)


def _substitute(value: Any, it: t.Name) -> Any:
    """Return a copy of a tree in which the variable ``it`` is a certain piece."""
    if isinstance(value, t.Name) and value.id == "it":
        return it
    if isinstance(value, list):
        return [_substitute(v, it) for v in value]
    if isinstance(value, tuple):
        return tuple(_substitute(v, it) for v in value)
    if isinstance(value, t.Node):
        new = copy.copy(value)
        cls: type = type(value)
        for slot in parts(cls):
            setattr(new, slot, _substitute(getattr(value, slot), it))
        return new
    return value
