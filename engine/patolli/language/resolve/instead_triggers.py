"""Triggers that take the place of a rule while a match runs: ``instead: hit``.

The rule itself becomes the question whether the first of them holds: then that is carried out, else the next, and at
last what the rule was, which lives on under a hidden name. ``original(..)`` in one of them is whatever comes behind it.
As with patches, a later pack comes first, and the earlier one is its original: who builds on a pack may override it.
All of it is made of calls, so summaries, preconditions, proofs and compiler know nothing of it.

What comes before and after the rule goes with what it was: nothing comes before or after what does not happen. Of the
copies of a piece the first that is active and meets ``when`` stands for all of them, so no player is asked twice for
the same, and how many there are is not revealed by how often a player is asked.

Errors: P0482 what is no rule as a whole, P0484 a result is missing.
"""

from __future__ import annotations

from patolli.language.diagnostics import Span
from patolli.language.program import types as ty
from patolli.language.resolve.block_exits import gives
from patolli.language.resolve.model import Design, Model, Rule, Step, Trigger
from patolli.language.resolve.patches import with_original
from patolli.language.resolve.report_settings import read_report_settings
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Node, Scalar
from patolli.language.sources.nodes import scalar_at
from patolli.language.syntax import tree as t

_EACH = "_each"
"""The variable that holds the piece; no author's text is beside it."""


def no_whole_rule(reader: Reader, target: Scalar) -> bool:
    """Report what a trigger cannot take the place of: a step, or what happens to a counter or to pieces."""
    if " " in target.value:
        words = "only a rule can be replaced; this may happen anywhere"
        help_ = "put it into a rule, call that rule everywhere, and replace the rule with 'instead:'"
    elif "/" in target.value:
        words = "only a rule as a whole can be replaced; the steps after a step may need its variables"
        help_ = "make a rule of the step, and write 'instead:' of that; a module can patch the step"
    else:
        return False
    reader.problem("P0482", words, target.span, help_)
    return True


def declare_replacing(
    model: Model, reader: Reader, name: str, span: Span, node: Node, rule: Rule, design: Design | None
) -> None:
    """Declare one such trigger; what it does follows once all of them are known."""
    do = scalar_at(node, "do")
    it = [("it", ty.Ref(design.kind))] if design is not None else []
    body = Rule(name, span, [*rule.parameters, *it], [], hidden=True)
    body.steps = [Step("do", reader.effect(do) or [], do.span if do is not None else span)]
    body.used, body.report_settings = True, read_report_settings(reader, node)
    body.given = reader.expression(scalar_at(node, "when"))
    model.rules[name] = body
    trigger = Trigger(name, span, rule.name, body.given, name, design)
    model.triggers.append(trigger)
    rule.instead.append(trigger)


def put_in_place(model: Model, reader: Reader) -> None:
    """Make of each rule that may be replaced the question what takes its place; all that joins it is there already."""
    order = {pack.id: number for number, pack in enumerate(model.composition.packs)}
    for rule in [one for one in model.rules.values() if one.instead]:
        rule.instead.sort(key=lambda one: (one.design is not None, -order[_owner(model, one)]))
        _wrap_rule(model, reader, rule)


def _owner(model: Model, trigger: Trigger) -> str:
    """Return the pack that a trigger belongs to."""
    if trigger.design is not None:
        return trigger.design.pack
    return model.composition.sections["triggers"][trigger.name].pack


def _wrap_rule(model: Model, reader: Reader, rule: Rule) -> None:
    returned = gives(rule)
    was = Rule(
        f"{rule.name}'0", rule.span, rule.parameters, rule.steps, rule.text, rule.source,
        hidden=True, inner=rule.inner, before=rule.before, after=rule.after,
        ordered=rule.ordered, used=True, returns=rule.returns,
    )  # fmt: skip
    model.rules[was.name] = was
    rule.inner, rule.before, rule.after, rule.ordered = was, [], [], []
    here, following = [rule], [was]
    for number in range(2, len(rule.instead) + 1):
        stage = Rule(f"{rule.name}'{number}", rule.span, rule.parameters, [], hidden=True)
        stage.used = True
        model.rules[stage.name] = stage
        here.append(stage)
        following.insert(-1, stage)
    for trigger, stage, behind in zip(rule.instead, here, following, strict=True):
        body = model.rules[trigger.body]
        body.steps = [Step(one.name, with_original(one.block, behind.name), one.span) for one in body.steps]
        if returned and not gives(body):
            words = f"{rule.name!r} returns a value, but its replacement returns none"
            help_ = "let it 'return' a value, as in 'return original(..)'"
            reader.problem("P0484", words, body.steps[0].span, help_, (rule.span, "the rule is here"))
            rule.returns = stage.returns = ty.ANY
        stage.steps = [Step("do", _test(model, trigger, rule, behind.name, returned and gives(body)), trigger.span)]


def _test(model: Model, trigger: Trigger, rule: Rule, behind: str, returned: bool) -> t.Block:
    """Write that a trigger is carried out where it holds, else what is behind it."""
    at = t.At(t.FixedText(trigger.span), 0, 1)
    given: list[t.Expr] = [t.Name(name, at=at) for name, _ in rule.parameters]
    other = _call(behind, given, returned, at)
    if trigger.design is None:
        then = _call(trigger.body, given, returned, at)
        return [then] if trigger.when is None else [t.If(trigger.when, [then], [other], at=trigger.when.at)]
    active = model.kinds[trigger.design.kind].active
    assert active is not None
    design = t.Attribute(t.Name("it", at=at), "design", at=at)
    test: t.Expr = t.Compare(design, [("==", t.Name(trigger.design.id, at=at))], at=at)
    for one in (active, trigger.when):
        test = test if one is None else t.Logic("and", test, one, at=at)
    binder = t.Binder("it", t.Name(trigger.design.kind, at=at), at=at)
    piece = t.Quantifier("first", None, [binder], test, None, at=at)
    each = t.Name(_EACH, at=at)
    then = _call(trigger.body, [*given, each], returned, at)
    return [t.Let(_EACH, piece, at=at), t.If(each, [then], [other], at=at)]


def _call(rule: str, given: list[t.Expr], returned: bool, at: t.At) -> t.Effect:
    call = t.Call(rule, given, at=at)
    return t.Return(call, at=at) if returned else t.CallRule(call, at=at)
