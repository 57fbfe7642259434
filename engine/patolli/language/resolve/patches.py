"""Apply what modules change in functions and rules.

The order in which extensions apply is that of composition: what ``before`` and ``after`` insert at one place happens in
this order; ``instead`` wraps what was there before it; ``offer`` adds to the end of a menu; ``adjust`` works on the
value that earlier adjustments left.

Errors: P0121 a step that a rule does not have, P0124 a menu that is not there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import copy
from dataclasses import replace
from typing import Any

from patolli.language.resolve.addresses import find_remover, layers, report_no_step
from patolli.language.resolve.model import Function, Model, Rule, Step, Trigger
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Node, Scalar
from patolli.language.sources.nodes import scalar_at
from patolli.language.syntax import tree as t
from patolli.language.syntax.syntax_walk import nodes, parts


def adjust_function(model: Model, reader: Reader, function: Function, pack: str, change: Mapping) -> Function:
    """Put an adjustment around *function*; the old one lives on under a hidden name."""
    hidden = make_unique_name(model.functions, f"{function.name}'{pack}")
    by, value = reader.expression(scalar_at(change, "by")), reader.expression(scalar_at(change, "value"))
    low, high = reader.expression(scalar_at(change, "at_least")), reader.expression(scalar_at(change, "at_most"))
    # What was there is called where it is changed, so that a value which cannot be changed like this is reported there.
    at = next((expr.at for expr in (by, low, high) if expr is not None), None)
    at = at or (function.body.at if function.body else t.At(Scalar("", function.span), 0, 0))
    before = t.Call(hidden, [t.Name(name, at=at) for name, _ in function.parameters], at=at)
    new: t.Expr = before
    if by is not None:
        new = t.Binary("+", new, by, at=by.at)
    if low is not None:
        new = t.Call("max", [new, low], at=low.at)
    if high is not None:
        new = t.Call("min", [new, high], at=high.at)
    if value is not None:
        new = value
    when = reader.expression(scalar_at(change, "when"))
    if when is not None:
        new = t.IfElse(when, new, before, at=new.at)
    model.functions[hidden] = function
    result = Function(
        function.name, function.span, function.parameters, new, declared=function.declared, text=function.text
    )
    model.functions[function.name] = result
    function.name = hidden
    return result


def patch_rule(model: Model, reader: Reader, rule: Rule, pack: str, operation: str, change: Mapping) -> Rule:
    """Apply what a pack changes in a rule; return the rule that stands there now."""
    block = reader.effect(scalar_at(change, "do"))
    target = change.get(operation)
    if block is None or not isinstance(target, Scalar):
        return rule
    step_name = target.value.split("/")[2] if target.value.count("/") > 1 else ""
    if operation in ("before", "after"):
        _insert(model, reader, rule, pack, operation, step_name, block, change)
        return rule
    if operation == "offer":
        _offer(reader, rule, step_name, block, change)
        return rule
    if operation != "instead":
        return rule
    if step_name:
        holder, index = _step(reader, rule, step_name, change.get(operation) or change)
        if holder is not None:
            there = holder.steps[index]
            holder.steps[index] = Step(step_name, _around(reader, block, there.block), there.span)
        return rule
    name = make_unique_name(model.rules, f"{rule.name}'{pack}")
    hidden = Rule(name, rule.span, rule.parameters, rule.steps, rule.text, hidden=True, inner=rule.inner)
    rule.inner = hidden
    model.rules[hidden.name] = hidden
    rule.steps = [Step("do", with_original(block, hidden.name), target.span)]
    return rule


def with_original(value: Any, name: str) -> Any:
    """Return a tree in which calls of ``original`` point at the rule that was there before.

    What other rulesets have read from the same text is theirs, too, so nothing is changed in its place.
    """
    if isinstance(value, list | tuple):
        return type(value)(with_original(inner, name) for inner in value)
    if not isinstance(value, t.Node):
        return value
    cls: type = type(value)
    made = copy(value)
    for part in parts(cls):
        setattr(made, part, with_original(getattr(value, part), name))
    if isinstance(made, t.Call) and made.id == "original":
        made.id = name
    return made


def _around(reader: Reader, value: Any, inner: t.Block) -> Any:
    """Return a tree in which each ``original()`` is what a step did before, in a tree of its own each time."""
    if isinstance(value, list):
        made = []
        for item in value:
            if isinstance(item, t.CallRule) and item.call.id == "original":
                if item.call.arguments:
                    help_ = "write original(); the variables of the rule are known there by name"
                    reader.problem("P0302", "what a step does takes no arguments", item.at.span, help_)
                made += with_original(inner, "original")
            else:
                made.append(_around(reader, item, inner))
        return made
    if not isinstance(value, t.Node):
        return value
    node = copy(value)
    cls: type = type(value)
    for part in parts(cls):
        setattr(node, part, _around(reader, getattr(value, part), inner))
    return node


def joint(model: Model, reader: Reader, rule: Rule, moment: str, target: Scalar) -> Rule | None:
    """Return the empty rule that carries the triggers of a step; it is called behind what patches put there."""
    step = target.value.partition("/")[2]
    name = f"{rule.name}/{step}'{moment}"
    there = model.rules.get(name)
    if there is not None:
        return there
    holder, index = _step(reader, rule, step, target)
    if holder is None:
        return None
    made = Rule(name, target.span, rule.parameters, [], hidden=True, used=True)
    at = t.At(target, 0, len(target.value))
    call = t.Call(name, [t.Name(parameter, at=at) for parameter, _ in rule.parameters], at=at)
    model.rules[name] = made
    if moment == "after":
        index = _behind(holder, index)
    holder.steps.insert(index, Step(f"{step}'{moment}", [t.CallRule(call, at=at)], target.span))
    return made


def _insert(
    model: Model, reader: Reader, rule: Rule, pack: str, operation: str, name: str, block: t.Block, change: Mapping
) -> None:
    at = (change.get(operation) or change).span
    if not name:
        body = Rule(f"{operation} {rule.name}'{pack}'{len(model.rules)}", at, rule.parameters, [], hidden=True)
        body.steps = [Step("do", block, at)]
        model.rules[body.name] = body
        body.given = reader.expression(scalar_at(change, "when"))
        trigger = Trigger(body.name, at, rule.name, body.given, body.name)
        (rule.before if operation == "before" else rule.after).append(trigger)
        return
    holder, index = _step(reader, rule, name, change.get(operation) or change)
    if holder is None:
        return
    when = reader.expression(scalar_at(change, "when"))
    if when is not None:
        block = [t.If(when, block, [], at=when.at)]
    step = Step(f"{name}'{operation}'{pack}", block, at)
    holder.steps.insert(index if operation == "before" else _behind(holder, index), step)


def _behind(holder: Rule, index: int) -> int:
    """Return where the next step goes that is inserted after one."""
    inserted = f"{holder.steps[index].name}'after"
    behind = index + 1
    while behind < len(holder.steps) and holder.steps[behind].name.startswith(inserted):
        behind += 1
    return behind


def _step(reader: Reader, rule: Rule, name: str, at: Node) -> tuple[Rule | None, int]:
    """Find a step by name, in the rule or in what an ``instead`` has put aside."""
    for holder in layers(rule):
        for index, step in enumerate(holder.steps):
            if step.name == name:
                return holder, index
    place = None
    if isinstance(at, Scalar) and at.value.endswith(name):
        place = at.place(len(at.value) - len(name), len(name))
    report_no_step(reader, rule, name, at.span, place, "its steps are: do")
    return None, 0


def _offer(reader: Reader, rule: Rule, name: str, block: t.Block, change: Mapping) -> None:
    """Add the lines of a menu to the first menu of a rule or step."""
    new = block[0] if len(block) == 1 else None
    target = change.get("offer")
    span = target.span if target else change.span
    if not isinstance(new, t.Menu):
        reader.problem(
            "P0124", "what is offered is written as a menu", span, "write 'do: choose one:' and the lines to add"
        )
        return
    for step in (step for layer in _carried_out(rule) for step in layer.steps if not name or step.name == name):
        menu = next((effect for effect in step.block if isinstance(effect, t.Menu)), None)
        if menu is not None:
            if menu.otherwise is not None and new.otherwise is not None:
                help_ = "offer the other lines alone; 'instead' changes what happens otherwise"
                reader.problem("P0124", "the menu says already what happens otherwise", span, help_)
            otherwise = new.otherwise if menu.otherwise is None else menu.otherwise
            longer = replace(menu, options=[*menu.options, *new.options], otherwise=otherwise)
            step.block = [longer if effect is menu else effect for effect in step.block]
            return
    what = f"step {name!r} of rule {rule.name!r}" if name else f"rule {rule.name!r}"
    taken = find_remover(reader.model, rule, name)
    if taken is None and name and _step(reader, rule, name, target or change)[0] is None:
        return
    if taken is None:
        reader.problem("P0124", f"{what} has no menu to add to", span, "", (rule.span, "the rule is here"))
    else:
        by, gone = taken
        words, help_ = f"{what} has no menu any more", f"do without {by!r}, or replace the rule after it"
        reader.problem("P0124", words, span, help_, (gone, f"{by!r} replaces it here"))


def _carried_out(rule: Rule) -> Iterator[Rule]:
    """Go through the layers of a rule down to one that does something else altogether."""
    for layer in layers(rule):
        yield layer
        calls = (node for step in layer.steps for node in nodes(step.block) if isinstance(node, t.Call))
        if layer.inner is not None and not any(call.id == layer.inner.name for call in calls):
            return


def make_unique_name(known: Collection[str], name: str) -> str:
    """Return *name*, made different from those in use."""
    number, free = 2, name
    while free in known:
        number, free = number + 1, f"{name}{number}"
    return free
