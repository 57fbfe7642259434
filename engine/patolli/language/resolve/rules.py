"""Declare functions, rules, triggers and results, and make rules of the effects of pieces.

Errors: P0102 a bad signature, P0202 a rule that is not there, P0203 two parameters of one name, P0205 triggers of
        pieces that are never active.
"""

from __future__ import annotations

import dataclasses as dc
import re

from patolli.language.diagnostics import Problem, Span, instead, nearest
from patolli.language.packs.composition import Entry
from patolli.language.program import types as ty
from patolli.language.resolve.declared_measures import declare_measures
from patolli.language.resolve.entries import claim, comes_later, report_word, scalars
from patolli.language.resolve.event_triggers import declare_happening, is_happening
from patolli.language.resolve.formulas import declare_formulas
from patolli.language.resolve.instead_triggers import declare_replacing, no_whole_rule, put_in_place
from patolli.language.resolve.model import UNKNOWN, Counter, Design, Function, Items, Model, Rule, Step, Trigger
from patolli.language.resolve.offers import declare_anytime, declare_payments
from patolli.language.resolve.patches import adjust_function, joint, patch_rule
from patolli.language.resolve.report_settings import read_report_settings
from patolli.language.resolve.scoped_state import declare_lasting
from patolli.language.resolve.step_rules import declare_called_steps
from patolli.language.resolve.texts import Reader
from patolli.language.resolve.trigger_order import put_in_order
from patolli.language.sources import Mapping, Node, Scalar, Sequence, texts
from patolli.language.sources.nodes import scalar_at, text_at
from patolli.language.syntax.parser import Parameter, parse_signature

MOMENTS = ("after", "before", "instead")
"""When a trigger is carried out, by the keys that say so."""


def declare_rules(model: Model, reader: Reader) -> None:
    """Declare everything of the ``rules`` documents, and the effects of pieces."""
    composition = model.composition
    for entry in composition.all("functions"):
        _function(model, reader, entry)
    for entry in composition.all("rules"):
        _rule(model, reader, entry)
    declare_formulas(model)
    _piece_effects(model, reader)
    for entry in composition.all("triggers"):
        _trigger(model, reader, entry.id, entry.key.span, entry.node)
    _piece_triggers(model, reader)
    put_in_order(model)
    put_in_place(model, reader)
    declare_lasting(model, reader)
    for entry in composition.all("anytime"):
        declare_anytime(model, reader, entry)
    declare_payments(model, reader)
    for entry in composition.all("active"):
        model.active = reader.expression(reader.scalar(entry.node, "active"))
    _results(model, reader)
    declare_called_steps(model, reader)
    for counter in model.counters.values():
        rule = model.rules.get(counter.spend)
        if counter.spend and (rule is None or not _spends(model, rule, counter.name)):
            _no_spending(reader, counter)
            counter.spend = ""
        elif rule is not None:
            rule.used = True


def _no_spending(reader: Reader, counter: Counter) -> None:
    """Report what a counter names as its rule for payments, and is none."""
    model = reader.model
    node = model.composition.sections["counters"][counter.name].get("spend")
    rules = [rule.name for rule in model.rules.values() if not rule.hidden]
    if isinstance(node, Scalar) and counter.spend not in model.names:
        reader.unknown("rule", node, counter.spend, rules)
        return
    help_ = "name a rule whose parameters are one of a group with it and, if it likes, how many are paid"
    message = f"{counter.spend!r} is not a rule that a payment can call"
    reader.problem("P0202", message, node.span if node else counter.span, help_)


def _spends(model: Model, rule: Rule, counter: str) -> bool:
    """Return whether a rule may be carried out for a payment: it takes the counter, and may take a number."""
    if len(rule.parameters) not in (1, 2) or any(type_ != ty.INT for _, type_ in rule.parameters[1:]):
        return False
    group = rule.parameters[0][1]
    if rule.name in model.bounds:  # any number may be paid
        return False
    return isinstance(group, ty.Group) and counter in model.groups.get(group.name, ())


def _signature(model: Model, reader: Reader, entry: Entry, what: str) -> list[tuple[str, ty.AnyType]]:
    signature, problems = parse_signature(entry.key)
    model.problems.extend(problems)
    claim(model, entry.id, what, entry.id, entry.key.span)
    if problems:
        model.broken.add(entry.id)
    if signature is None:
        return []
    found: list[tuple[str, ty.AnyType]] = []
    bounds = {one.name: one.bounds for one in signature.parameters if one.bounds is not None}
    if bounds:
        model.bounds[entry.id] = bounds
    for parameter in signature.parameters:
        before = len(model.problems)
        type_ = reader.named_type(parameter.type, entry.key, parameter.start)
        span = entry.key.place(parameter.named_at, len(parameter.name))
        report_word(model, parameter.name, span, "choose another name")
        if any(name == parameter.name for name, _ in found):
            words_ = f"two parameters are called {parameter.name!r}"
            model.problems.append(Problem("P0203", words_, span, "rename one"))
        found.append((_variable(model, entry, parameter) if type_ == ty.ANY else parameter.name, type_))
        if len(model.problems) > before and not model.problems[-1].help:
            turned = parameter.name in model.kinds and parameter.name != parameter.type
            help_ = f"write '{parameter.name} {parameter.type}'" if turned else "a parameter is written 'type name'"
            model.problems[-1] = dc.replace(model.problems[-1], help=help_)
    return found


def _variable(model: Model, entry: Entry, parameter: Parameter) -> str:
    """Return the name of a parameter whose type is unknown: where the type is its name, the one that the body uses."""
    if not parameter.type.endswith(parameter.name):
        return parameter.name
    words = {word for text in texts(entry.node) for word in re.findall(r"\w+", text)}
    meant = nearest(parameter.name, [*model.kinds, *model.groups])
    return meant if meant is not None and meant in words and parameter.name not in words else parameter.name


# ---- functions


def _function(model: Model, reader: Reader, entry: Entry) -> None:
    parameters = _signature(model, reader, entry, "function")
    node = entry.node
    body = node if isinstance(node, Scalar) else scalar_at(node, "is")
    body = None if entry.id in model.broken else body
    function = Function(entry.id, entry.key.span, parameters, reader.expression(body), text=text_at(node, "text"))
    kind = scalar_at(node, "type")
    if kind is not None:
        attribute = reader.attribute(entry.id, kind, False)
        function.declared = attribute.type if attribute else None
    model.functions[entry.id] = function
    for pack, operation, change in entry.in_force:
        if operation == "adjust":
            function = adjust_function(model, reader, function, pack, change)


# ---- rules


def _rule(model: Model, reader: Reader, entry: Entry) -> None:
    parameters = _signature(model, reader, entry, "rule")
    node = entry.node
    before = len(model.problems)
    steps = [] if entry.id in model.broken else _steps(reader, node)
    rule = Rule(entry.id, entry.key.span, parameters, steps, text_at(node, "text"), text_at(node, "source"))
    rule.report_settings = read_report_settings(reader, node)
    order = scalar_at(node, "triggers")
    if order is not None:
        comes_later(model, "'triggers' of a rule", order.span, 3)
        rule.any_order = True
    if entry.id in model.broken or len(model.problems) > before:
        rule.returns = ty.ANY  # what it returns cannot be read, which has been reported
        model.unread.add(entry.id)
    model.rules[entry.id] = rule
    for pack, operation, change in entry.in_force:
        rule = patch_rule(model, reader, rule, pack, operation, change)


def _steps(reader: Reader, node: Node) -> list[Step]:
    if isinstance(node, Scalar):
        return [Step("do", reader.effect(node) or [], node.span)]
    steps = node.get("steps") if isinstance(node, Mapping) else None
    if isinstance(steps, Mapping):
        return [
            Step(key.value, (reader.effect(value) or []) if isinstance(value, Scalar) else [], key.span)
            for key, value in steps.items.values()
        ]
    do = scalar_at(node, "do")
    return [Step("do", reader.effect(do) or [], do.span)] if do is not None else []


# ---- effects and triggers of pieces


def _piece_effects(model: Model, reader: Reader) -> None:
    for design in model.designs.values():
        for name, value in list(design.facts.items()):
            if isinstance(value, Scalar | Sequence | Mapping):
                design.facts[name] = _effect_fact(model, reader, design.kind, f"{design.id}.{name}", value)


def _effect_fact(model: Model, reader: Reader, kind: str, name: str, node: Node) -> object:
    """Make a rule of each effect text and return its name, or nested lists of names."""
    if isinstance(node, Sequence):
        inner = [_effect_fact(model, reader, kind, f"{name}[{i}]", item) for i, item in enumerate(node.items)]
        return Items(inner, node.span)
    if not isinstance(node, Scalar) or node.value == "none":
        return None
    rule = Rule(
        name, node.span, [("it", ty.Ref(kind))], [Step("do", reader.effect(node) or [], node.span)], hidden=True
    )
    rule.used = True
    model.rules[name] = rule
    return name


def _piece_triggers(model: Model, reader: Reader) -> None:
    inactive = {entry.id for entry in model.composition.all("kinds") if entry.get("active") is None}
    for entry in model.composition.all("pieces"):
        triggers = entry.get("triggers")
        design = model.designs.get(entry.id)
        if not isinstance(triggers, Sequence) or design is None:
            continue
        if model.kinds[design.kind].active is None and design.kind in inactive:
            message = f"kind {design.kind!r} does not say when its pieces are active"
            help_ = "add 'active: ...' to the kind, an expression with it and me"
            reader.problem("P0205", message, triggers.span, help_, (model.kinds[design.kind].span, "the kind"))
        if model.kinds[design.kind].active is None:
            continue
        for number, node in enumerate(triggers.items):
            _trigger(model, reader, f"{entry.id} trigger {number + 1}", node.span, node, design)


def _trigger(model: Model, reader: Reader, name: str, span: Span, node: Node, design: Design | None = None) -> None:
    moment = next((one for one in MOMENTS if scalar_at(node, one)), "")
    target = scalar_at(node, moment)
    if target is None or (moment == "instead" and no_whole_rule(reader, target)):
        return
    if is_happening(target):
        declare_happening(model, reader, name, span, node, target, design)
        return
    rule_name, _, step = target.value.partition("/")
    rule = model.rules.get(rule_name)
    if rule is None or rule.hidden:
        if rule_name == "rules" and step in model.rules:
            words = "a trigger names a rule without its section"
            fixes = instead(target.span, step)
            reader.problem("P0202", words, target.span, f"write {moment}: {step}", fixes=fixes)
        elif model.names.get(rule_name, (UNKNOWN,))[0] == UNKNOWN:
            reader.unknown("rule", target, rule_name, [r.name for r in model.rules.values() if not r.hidden])
        else:
            what = model.names[rule_name][0]
            where = (model.spans[rule_name], "declared here")
            can = "replaced" if moment == "instead" else "followed"
            words = f"{rule_name!r} is {ty.article(what)}; only a rule can be {can}"
            reader.problem("P0202", words, target.span, "", where)
        return
    if moment == "instead":
        declare_replacing(model, reader, name, span, node, rule, design)
        return
    if step:
        rule = joint(model, reader, rule, moment, target)
        if rule is None:
            return
    it = [("it", ty.Ref(design.kind))] if design is not None else []
    do = scalar_at(node, "do")
    body = Rule(name, span, [*rule.parameters, *it], [Step("do", reader.effect(do) or [], span)], hidden=True)
    body.used, body.report_settings = True, read_report_settings(reader, node)
    model.rules[name] = body
    body.given = reader.expression(scalar_at(node, "when"))
    trigger = Trigger(name, span, rule.name, body.given, name, design)
    model.triggers.append(trigger)
    (rule.before if moment == "before" else rule.after).append(trigger)


# ---- results


def _results(model: Model, reader: Reader) -> None:
    for entry in model.composition.all("result"):
        model.score = reader.expression(scalar_at(entry.node, "score"))
        ties = entry.get("ties")
        model.ties = [e for x in scalars(ties) if (e := reader.expression(x)) is not None]
        model.among = reader.expression(scalar_at(entry.node, "among"))
        model.wins = reader.expression(scalar_at(entry.node, "wins"))
    for entry in model.composition.all("invariants"):
        always = entry.node if isinstance(entry.node, Scalar) else scalar_at(entry.node, "always")
        expr = reader.expression(always)
        if expr is not None:
            model.invariants[entry.id] = (expr, text_at(entry.node, "text"))
    for entry in model.composition.all("values"):
        value = entry.node if isinstance(entry.node, Scalar) else scalar_at(entry.node, "is")
        expr = reader.expression(value)
        if expr is not None:
            model.values[entry.id] = expr
    declare_measures(model, reader)
