"""Declare functions, rules, triggers, anytime actions, payments and results, with what modules changed in them.

The order in which extensions apply: steps inserted with ``before`` and ``after`` stand nearest to their step in the
order of composition; ``instead`` wraps what was there before it; ``offer`` adds to the end of a menu; ``adjust`` works
on the value that earlier
adjustments left.
"""

from __future__ import annotations

from collections.abc import Collection

from patolli.analysis import types as ty
from patolli.analysis.model import (
    Anytime,
    Discount,
    Function,
    Model,
    Rule,
    Step,
    Substitution,
    Trigger,
    Waiver,
)
from patolli.analysis.texts import Reader
from patolli.analysis.walking import children
from patolli.diagnostics import Span, nearest
from patolli.language import tree as t
from patolli.language.parser import parse_expression, parse_signature
from patolli.packs.compose import Entry
from patolli.sources import Mapping, Node, Scalar, Sequence


def declare_rules(model: Model, reader: Reader) -> None:
    """Declare everything of the ``rules`` documents, and the effects of pieces."""
    composition = model.composition
    for entry in composition.all("functions"):
        _function(model, reader, entry)
    for entry in composition.all("rules"):
        _rule(model, reader, entry)
    _piece_effects(model, reader)
    for entry in composition.all("triggers"):
        _trigger(model, reader, entry.id, entry.key.span, entry.node)
    _piece_triggers(model, reader)
    for entry in composition.all("anytime"):
        _anytime(model, reader, entry)
    _payments(model, reader)
    for entry in composition.all("active"):
        model.active = reader.expression(reader.scalar(entry.node, "active"))
    _results(model, reader)
    for counter in model.counters.values():
        rule = model.rules.get(counter.spend)
        if counter.spend and (rule is None or len(rule.parameters) != 1):
            help_ = "name a rule with one parameter, the counter"
            reader.problem(
                "P0202", f"{counter.spend!r} is no rule that can be carried out for a payment", counter.span, help_
            )
            counter.spend = ""
        elif rule is not None:
            rule.used = True


def _text(node: Node | None, key: str) -> str:
    value = node.get(key) if isinstance(node, Mapping) else None
    return value.value if isinstance(value, Scalar) else ""


def _scalar(node: Node | None, key: str) -> Scalar | None:
    value = node.get(key) if isinstance(node, Mapping) else None
    return value if isinstance(value, Scalar) else None


def _signature(model: Model, reader: Reader, entry: Entry, what: str) -> list[tuple[str, ty.AnyType]]:
    signature, problems = parse_signature(entry.key)
    model.problems.extend(problems)
    _claim(reader, entry.id, what, entry.key.span)
    if problems:
        model.broken.add(entry.id)
    if signature is None:
        return []
    found: list[tuple[str, ty.AnyType]] = []
    for parameter in signature.parameters:
        found.append((parameter.name, reader.named_type(parameter.type, entry.key, parameter.start)))
    return found


def _claim(reader: Reader, id_: str, what: str, span: Span) -> None:
    names = reader.model.names
    if id_ in names:
        before = (reader.model.spans[id_], "declared here")
        reader.problem("P0203", f"{id_!r} is already the name of a {names[id_][0]}", span, "rename one", before)
        return
    names[id_] = (what, id_)
    reader.model.spans[id_] = span


# ---- functions


def _function(model: Model, reader: Reader, entry: Entry) -> None:
    parameters = _signature(model, reader, entry, "function")
    node = entry.node
    body = node if isinstance(node, Scalar) else _scalar(node, "is")
    body = None if entry.id in model.broken else body
    function = Function(entry.id, entry.key.span, parameters, reader.expression(body), text=_text(node, "text"))
    kind = _scalar(node, "type")
    if kind is not None:
        attribute = reader.attribute(entry.id, kind, False)
        function.declared = attribute.type if attribute else None
    model.functions[entry.id] = function
    for pack, operation, change in entry.changed:
        if operation == "adjust" and isinstance(change, Mapping):
            function = _adjusted(model, reader, function, pack, change)


def _adjusted(model: Model, reader: Reader, function: Function, pack: str, change: Mapping) -> Function:
    """Put an adjustment around *function*; the old one lives on under a hidden name."""
    hidden = _unused(model.functions, f"{function.name}'{pack}")
    at = function.body.at if function.body else t.At(Scalar("", function.span), 0, 0)
    before = t.Call(hidden, [t.Name(name, at=at) for name, _ in function.parameters], at=at)
    new: t.Expr = before
    by, replace = reader.expression(_scalar(change, "by")), reader.expression(_scalar(change, "value"))
    low, high = reader.expression(_scalar(change, "at_least")), reader.expression(_scalar(change, "at_most"))
    if by is not None:
        new = t.Binary("+", new, by, at=by.at)
    if low is not None:
        new = t.Call("max", [new, low], at=low.at)
    if high is not None:
        new = t.Call("min", [new, high], at=high.at)
    if replace is not None:
        new = replace
    when = reader.expression(_scalar(change, "when"))
    if when is not None:
        new = t.IfElse(when, new, before, at=when.at)
    model.functions[hidden] = function
    result = Function(
        function.name, function.span, function.parameters, new, declared=function.declared, text=function.text
    )
    model.functions[function.name] = result
    function.name = hidden
    return result


# ---- rules


def _rule(model: Model, reader: Reader, entry: Entry) -> None:
    parameters = _signature(model, reader, entry, "rule")
    node = entry.node
    steps = [] if entry.id in model.broken else _steps(reader, node)
    rule = Rule(entry.id, entry.key.span, parameters, steps, _text(node, "text"), _text(node, "source"))
    model.rules[entry.id] = rule
    for pack, operation, change in entry.changed:
        if isinstance(change, Mapping):
            rule = _changed(model, reader, rule, pack, operation, change)


def _steps(reader: Reader, node: Node) -> list[Step]:
    if isinstance(node, Scalar):
        return [Step("do", reader.effect(node) or [], node.span)]
    steps = node.get("steps") if isinstance(node, Mapping) else None
    if isinstance(steps, Mapping):
        return [
            Step(key.value, (reader.effect(value) or []) if isinstance(value, Scalar) else [], key.span)
            for key, value in steps.items.values()
        ]
    do = _scalar(node, "do")
    return [Step("do", reader.effect(do) or [], do.span)] if do is not None else []


def _changed(model: Model, reader: Reader, rule: Rule, pack: str, operation: str, change: Mapping) -> Rule:
    block = reader.effect(_scalar(change, "do"))
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
        holder, index = _step(reader, rule, step_name, change, operation)
        if holder is not None:
            holder.steps[index] = Step(step_name, block, holder.steps[index].span)
        return rule
    name = _unused(model.rules, f"{rule.name}'{pack}")
    hidden = Rule(name, rule.span, rule.parameters, rule.steps, rule.text, hidden=True, inner=rule.inner)
    rule.inner = hidden
    model.rules[hidden.name] = hidden
    rename = _Rename(hidden.name)
    rename.block(block)
    rule.steps = [Step("do", block, target.span)]
    return rule


class _Rename:
    """Point ``original(..)`` at the rule that was there before."""

    def __init__(self, name: str) -> None:
        self.name = name

    def block(self, value: object) -> None:
        """Walk a tree and rename calls of ``original``."""
        if isinstance(value, t.Call) and value.id == "original":
            value.id = self.name
        for inner in children(value):
            self.block(inner)


def _insert(
    model: Model, reader: Reader, rule: Rule, pack: str, operation: str, name: str, block: t.Block, change: Mapping
) -> None:
    if not name:
        body = Rule(f"{operation} {rule.name}'{pack}'{len(model.rules)}", change.span, rule.parameters, [], hidden=True)
        body.steps = [Step("do", block, change.span)]
        model.rules[body.name] = body
        when = reader.expression(_scalar(change, "when"))
        trigger = Trigger(body.name, change.span, rule.name, when, body.name)
        (rule.before if operation == "before" else rule.after).append(trigger)
        return
    holder, index = _step(reader, rule, name, change, operation)
    if holder is None:
        return
    when = reader.expression(_scalar(change, "when"))
    if when is not None:
        block = [t.If(when, block, [], at=when.at)]
    step = Step(f"{name}'{operation}'{pack}", block, change.span)
    holder.steps.insert(index if operation == "before" else index + 1, step)


def _step(reader: Reader, rule: Rule, name: str, change: Mapping, operation: str) -> tuple[Rule | None, int]:
    """Find a step by name, in the rule or in what an ``instead`` has put aside."""
    holder: Rule | None = rule
    while holder is not None:
        for index, step in enumerate(holder.steps):
            if step.name == name:
                return holder, index
        holder = holder.inner
    steps = [s.name for s in (rule.inner or rule).steps]
    near = nearest(name, steps)
    help_ = f"did you mean {near!r}?" if near else f"its steps are: {', '.join(steps)}"
    target = change.get(operation)
    span = target.span if target else change.span
    reader.problem("P0121", f"rule {rule.name!r} has no step {name!r}", span, help_, (rule.span, "the rule is here"))
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
    holder: Rule | None = rule
    while holder is not None:
        for step in holder.steps:
            menu = (
                next((e for e in step.block if isinstance(e, t.Menu)), None) if not name or step.name == name else None
            )
            if menu is not None:
                menu.options.extend(new.options)
                if new.otherwise is not None and menu.otherwise is None:
                    menu.otherwise = new.otherwise
                return
        holder = holder.inner
    what = f"step {name!r} of rule {rule.name!r}" if name else f"rule {rule.name!r}"
    reader.problem("P0124", f"{what} has no menu to add to", span, "", (rule.span, "the rule is here"))


def _unused(known: Collection[str], name: str) -> str:
    """Return *name*, made different from those in use."""
    number, free = 2, name
    while free in known:
        number, free = number + 1, f"{name}{number}"
    return free


# ---- effects and triggers of pieces


def _piece_effects(model: Model, reader: Reader) -> None:
    for design in model.designs.values():
        for name, value in list(design.facts.items()):
            if isinstance(value, Scalar | Sequence | Mapping):
                design.facts[name] = _effect_fact(model, reader, design.kind, f"{design.id}.{name}", value)


def _effect_fact(model: Model, reader: Reader, kind: str, name: str, node: Node) -> object:
    """Make a rule of each effect text and return its name, or nested lists of names."""
    if isinstance(node, Sequence):
        return [_effect_fact(model, reader, kind, f"{name}[{i}]", item) for i, item in enumerate(node.items)]
    if not isinstance(node, Scalar) or node.value == "none":
        return None
    rule = Rule(
        name, node.span, [("it", ty.Ref(kind))], [Step("do", reader.effect(node) or [], node.span)], hidden=True
    )
    rule.used = True
    model.rules[name] = rule
    return name


def _piece_triggers(model: Model, reader: Reader) -> None:
    for entry in model.composition.all("pieces"):
        triggers = entry.get("triggers")
        design = model.designs.get(entry.id)
        if not isinstance(triggers, Sequence) or design is None:
            continue
        if model.kinds[design.kind].active is None:
            message = f"kind {design.kind!r} does not say when its pieces are active"
            help_ = "add 'active: ...' to the kind, an expression over it and me"
            reader.problem("P0205", message, triggers.span, help_, (model.kinds[design.kind].span, "the kind"))
            continue
        for number, node in enumerate(triggers.items):
            _trigger(model, reader, f"{entry.id} trigger {number + 1}", node.span, node, design)


def _trigger(model: Model, reader: Reader, name: str, span: Span, node: Node, design: object = None) -> None:
    moment = "after" if _scalar(node, "after") else "before"
    target = _scalar(node, moment)
    if target is None:
        return
    rule = model.rules.get(target.value)
    if rule is None or rule.hidden:
        near = nearest(target.value, [r.name for r in model.rules.values() if not r.hidden])
        help_ = f"did you mean {near!r}?" if near else ""
        reader.problem("P0202", f"there is no rule {target.value!r} to follow", target.span, help_)
        return
    it = [("it", ty.Ref(design.kind))] if design is not None else []  # type: ignore[attr-defined]
    do = _scalar(node, "do")
    body = Rule(name, span, [*rule.parameters, *it], [Step("do", reader.effect(do) or [], span)], hidden=True)
    body.used = True
    model.rules[name] = body
    when = reader.expression(_scalar(node, "when"))
    trigger = Trigger(name, span, rule.name, when, name, design)  # type: ignore[arg-type]
    model.triggers.append(trigger)
    (rule.before if moment == "before" else rule.after).append(trigger)


# ---- anytime, payments


def _binder(model: Model, node: Node | None) -> t.Binder | None:
    text = _scalar(node, "each")
    if text is None:
        return None
    expr, problems = parse_expression(text)
    model.problems.extend(problems)
    if (
        isinstance(expr, t.Compare)
        and isinstance(expr.first, t.Name)
        and len(expr.rest) == 1
        and expr.rest[0][0] == "in"
    ):
        return t.Binder(expr.first.id, expr.rest[0][1], at=expr.at)
    return None


def _body(model: Model, reader: Reader, name: str, node: Node, binder: t.Binder | None) -> str:
    do = _scalar(node, "do")
    parameters: list[tuple[str, ty.AnyType]] = [(binder.id, ty.ANY)] if binder else []
    block = reader.effect(do) or []
    model.rules[name] = Rule(
        name, do.span if do else node.span, parameters, [Step("do", block, node.span)], hidden=True
    )
    model.rules[name].used = True
    return name


def _anytime(model: Model, reader: Reader, entry: Entry) -> None:
    node = entry.node
    binder = _binder(model, node)
    label = _text(node, "label") or entry.id.replace("_", " ")
    body = _body(model, reader, f"anytime {entry.id}", node, binder)
    when = reader.expression(_scalar(node, "when"))
    model.anytime.append(Anytime(entry.id, entry.key.span, binder, when, label, body))


def _names(node: Node | None) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    return [x for x in node.items if isinstance(x, Scalar)] if isinstance(node, Sequence) else []


def _targets(model: Model, reader: Reader, words: list[tuple[str, Span]]) -> tuple[str, ...]:
    """Turn names of counters and groups into counters."""
    found: list[str] = []
    for word, span in words:
        if word in model.groups:
            found.extend(model.groups[word])
        elif word in model.counters:
            found.append(word)
        else:
            near = nearest(word, [*model.counters, *model.groups])
            reader.problem("P0201", f"unknown counter {word!r}", span, f"did you mean {near!r}?" if near else "")
    return tuple(dict.fromkeys(found))


def _payments(model: Model, reader: Reader) -> None:
    for entry in model.composition.all("substitutions"):
        give = reader.cost(_scalar(entry.node, "give"))
        target = _scalar(entry.node, "for")
        if give is None or target is None or not give.items:
            continue
        words = target.value.replace("up to ", "").replace(" or ", " ").split()
        most = int(words[0]) if words[0].isdigit() else 1
        names = [(w, target.span) for w in words if not w.isdigit() and w not in ("any", "of")]
        when = reader.expression(_scalar(entry.node, "when"))
        targets = tuple(x for x in _targets(model, reader, names) if x != give.items[0].thing)
        model.substitutions.append(Substitution(entry.id, entry.key.span, give.items[0], most, targets, when))
    for entry in model.composition.all("discounts"):
        less = _scalar(entry.node, "less")
        words = less.value.replace(" or ", " ").replace(" of ", " ").split() if less else ["0"]
        span = less.span if less else entry.key.span
        body = _body(model, reader, f"discount {entry.id}", entry.node, None) if _scalar(entry.node, "do") else None
        model.discounts.append(
            Discount(entry.id, entry.key.span, tuple(x.value for x in _names(entry.get("on"))), int(words[0]),
                     _targets(model, reader, [(w, span) for w in words[1:]]),
                     reader.expression(_scalar(entry.node, "when")), body)
        )  # fmt: skip
    for entry in model.composition.all("waivers"):
        binder = _binder(model, entry.node)
        body = _body(model, reader, f"waiver {entry.id}", entry.node, binder)
        of = [(x.value, x.span) for x in _names(entry.get("of"))]
        model.waivers.append(
            Waiver(entry.id, entry.key.span, tuple(x.value for x in _names(entry.get("on"))),
                   _targets(model, reader, of), binder, reader.expression(_scalar(entry.node, "when")), body)
        )  # fmt: skip


def _results(model: Model, reader: Reader) -> None:
    for entry in model.composition.all("result"):
        model.score = reader.expression(_scalar(entry.node, "score"))
        ties = entry.get("ties")
        model.ties = [e for x in _names(ties) if (e := reader.expression(x)) is not None]
    for entry in model.composition.all("invariants"):
        always = entry.node if isinstance(entry.node, Scalar) else _scalar(entry.node, "always")
        expr = reader.expression(always)
        if expr is not None:
            model.invariants[entry.id] = (expr, _text(entry.node, "text"))
    for entry in model.composition.all("values"):
        value = entry.node if isinstance(entry.node, Scalar) else _scalar(entry.node, "is")
        expr = reader.expression(value)
        if expr is not None:
            model.values[entry.id] = expr
