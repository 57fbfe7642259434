"""Make rules of the named steps that are called by themselves: ``journey/supper(n)``.

Such a rule does what the step does where it stands, with all that joins it there, and takes the parameters of the rule.
It is a copy: in its place the step goes on knowing the variables of the steps before it, and lends its own to those
behind. By itself it has none of them, so a step that needs one cannot be called.

Errors: P0121 a step that a rule does not have, P0201 an unknown rule, P0202 a step that needs a variable.
"""

from __future__ import annotations

from collections.abc import Iterable

from patolli.language.program import types as ty
from patolli.language.resolve.addresses import layers, report_no_step
from patolli.language.resolve.model import Model, Rule, Step
from patolli.language.resolve.texts import Reader
from patolli.language.syntax import tree as t
from patolli.language.syntax.syntax_walk import copy_tree, nodes


def declare_called_steps(model: Model, reader: Reader) -> None:
    """Declare a rule for each step that some text calls; all that joins steps is there already."""
    called: dict[str, list[t.Call]] = {}
    for call in reader.stepped:
        called.setdefault(call.id, []).append(call)
    for name, calls in called.items():
        rule = model.rules.get(name.partition("/")[0])
        if rule is not None and not rule.hidden:
            made = _make_step_rule(model, reader, rule, calls)
            made.report_settings, made.used = rule.report_settings, True
            model.rules[name] = made


def _make_step_rule(model: Model, reader: Reader, rule: Rule, calls: list[t.Call]) -> Rule:
    """Make the rule of a step, without any effect where it cannot be called."""
    name = calls[0].id
    step = name.partition("/")[2]
    made = Rule(name, rule.span, rule.parameters, [], rule.text, rule.source, hidden=True)
    holder = next((one for one in layers(rule) if any(s.name == step for s in one.steps)), None)
    if holder is None or step == "do":
        made.returns = ty.ANY
        _no_step(reader, rule, step, calls)
        return made
    at = [i for i, one in enumerate(holder.steps) if one.name == step or one.name.startswith(f"{step}'")]
    here, earlier = holder.steps[at[0] : at[-1] + 1], holder.steps[: at[0]]
    missing = _find_needed_variable(here, earlier)
    if missing:
        made.returns = ty.ANY
        help_ = f"make it a rule with the parameter {missing!r}, and call that rule"
        words = f"step {step!r} of rule {rule.name!r} needs {missing!r}, which an earlier step names"
        for call in calls:
            reader.problem("P0202", words, call.at.span, help_, (here[0].span, "the step is here"))
        return made
    made.span = next(one.span for one in here if one.name == step)
    made.steps = [Step(one.name, copy_tree(one.block), one.span) for one in here]
    return made


def _find_needed_variable(steps: Iterable[Step], earlier: Iterable[Step]) -> str:
    """Return the first variable of earlier steps that some steps read; nothing may have its name in between."""
    named = {id_ for step in earlier for effect in step.block for id_ in _list_declared_variables(effect)}
    for step in steps:
        for node in nodes(step.block):
            name = node.id if isinstance(node, t.Name) else node.thing if isinstance(node, t.Item) else None
            if name in named:
                return name
    return ""


def _list_declared_variables(effect: t.Effect) -> list[str]:
    """Return the variables that an effect leaves behind."""
    match effect:
        case t.Let(id=id_) | t.Random(id=id_) | t.ChooseSome(id=id_):
            return [id_]
        case t.Choose(binders=binders):
            return [binder.id for binder in binders]
    return []


def _no_step(reader: Reader, rule: Rule, step: str, calls: list[t.Call]) -> None:
    for call in calls:
        at = call.at.text.place(call.at.start + len(rule.name) + 1, len(step))
        report_no_step(reader, rule, step, at, at, f"it has no steps with names; call {rule.name}(..) as a whole")
