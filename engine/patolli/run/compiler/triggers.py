"""Put triggers into the rules that they follow.

In:     a program, whose rules know their triggers, and the layout.
Out:    rules in which each trigger is a test and a call; a rule with triggers calls its own body between them.

Other rules go on calling the rule by its name, and a rule calls its body only here. What the beginning of the rule
demands is that of its body: triggers are no part of it.
"""

from __future__ import annotations

from dataclasses import replace

from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Program, Rule, Step, Trigger
from patolli.language.program.tree_rewriter import substitute
from patolli.run.compiler.layout import Instance, Layout


def with_triggers(program: Program, layout: Layout) -> tuple[list[Rule], list[Rule]]:
    """Return all rules, and which of them are the own bodies of rules with triggers."""
    rules: list[Rule] = []
    bodies: list[Rule] = []
    for rule in program.rules.values():
        if rule.before or rule.after:
            body = replace(rule, name=f"{rule.name}#", hidden=True, before=(), after=())
            rules += [_around(rule, body, program, layout), body]
            bodies.append(body)
        else:
            rules.append(rule)
    return rules, bodies


def _around(rule: Rule, body: Rule, program: Program, layout: Layout) -> Rule:
    """Return the rule that carries out the triggers of a rule and its body."""
    span = rule.block[0].span if rule.block else rule.span
    into = x.Variable("", rule.returns, span) if rule.returns is not None else None
    block: list[e.Effect] = [
        made for trigger in rule.before for made in _expand_trigger(trigger, rule, program, layout)
    ]
    block.append(_call(body, rule, (), span, into))
    block += [made for trigger in rule.after for made in _expand_trigger(trigger, rule, program, layout)]
    if into is not None:
        block.append(e.Return(x.Local(into, type=into.type, span=span), span=span))
    return replace(rule, steps=(Step("do", tuple(block), rule.span),), before=(), after=())


def _expand_trigger(trigger: Trigger, rule: Rule, program: Program, layout: Layout) -> list[e.Effect]:
    """Return the effects of a trigger: one test and call, or one per copy of its piece."""
    body = program.rules[trigger.body]
    span = body.block[0].span if body.block else trigger.span
    if trigger.design is None:
        return [_guard_effect(trigger.condition, _call(body, rule, (), span))]
    it, kind = trigger.it, trigger.design.kind
    assert it is not None
    found: list[e.Effect] = []
    for instance in layout.instances[kind]:
        if instance.design is trigger.design:
            piece = x.Instance(kind, _get_layout_id(instance), type=ty.Ref(kind), span=span)
            test = substitute(trigger.condition, {it: piece}) if trigger.condition is not None else None
            found.append(_guard_effect(test, _call(body, rule, (piece,), span)))
    return found


def _get_layout_id(instance: Instance) -> str:
    """Return by which id the layout finds an instance: those of several players have their ids in common."""
    return instance.id if instance.owner < 0 else f"player_{instance.owner + 1}.{instance.id}"


def _call(body: Rule, rule: Rule, more: tuple[x.Expr, ...], span: Span, into: x.Variable | None = None) -> e.Effect:
    """Return the call of a body with what its rule was called with."""
    me, *arguments = (x.Local(v, type=v.type, span=span) for v in (rule.me, *rule.parameters))
    return e.CallRule(body.name, me, (*arguments, *more), into, span=span)


def _guard_effect(test: x.Expr | None, effect: e.Effect) -> e.Effect:
    return effect if test is None else e.If(test, (effect,), (), span=effect.span)
