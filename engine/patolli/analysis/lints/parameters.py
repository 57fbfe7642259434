"""Find parameters of which a rule or function makes nothing, and variables that nothing reads.

A trigger has the parameters of the rule that it follows, and an effect in a piece those of its kind; neither chose
them, so that only the declarations of rules and functions are looked at. What triggers and other packs make of a
parameter counts, and so does what a phrase says of it. A rule that does nothing, and a function that is one plain
value, are there for others to fill, and their parameters with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patolli.analysis.lints.check import Checked, check
from patolli.analysis.lints.usage import WORD, texts
from patolli.analysis.model import Model
from patolli.analysis.walking import nodes, sort_of
from patolli.diagnostics import Problem
from patolli.language import tree as t
from patolli.packs.compose import Entry
from patolli.sources import Mapping

_PLAIN = (t.Number, t.Truth, t.Nobody)


@check("P0446")
def unused_parameter(checked: Checked) -> Iterator[Problem]:
    """Find parameters that nothing reads."""
    model = checked.model
    elsewhere = {word for tree in model.composition.left_out for text in texts(tree) for word in WORD.findall(text)}
    for section, sort in (("rules", "rule"), ("functions", "function")):
        for entry in model.composition.all(section):
            if not checked.blamed(section, entry.id) or entry.changed or entry.id in elsewhere:
                continue
            for name in _unread(model, section, entry):
                text = f"the {sort} {entry.id!r} makes nothing of its parameter {name!r}"
                found = re.search(rf"\b{name}\s*[,)]", entry.key.value)
                span = entry.key.place(found.start(), len(name)) if found else entry.key.span
                yield Problem("P0446", text, span, "remove it, or use it", (), "warning")


@check("P0447")
def unused_variable(checked: Checked) -> Iterator[Problem]:
    """Find values that get a name which nothing reads; steps of a rule may name something for other packs."""
    model = checked.model
    for entry in model.composition.all("rules"):
        rule = model.rules.get(entry.id)
        steps = isinstance(entry.node, Mapping) and "steps" in entry.node
        if rule is None or steps or entry.changed or not checked.blamed("rules", entry.id):
            continue
        inner = list(nodes(rule.block))
        read = {str(t.note_of(node)[1]) for node in inner if sort_of(node) == "variable"}
        for effect in inner:
            if isinstance(effect, t.Let) and effect.id not in read:
                whole = effect.at.text
                start = effect.at.start + whole.value[effect.at.start :].index(effect.id, 3)
                text = f"nothing reads the variable {effect.id!r}"
                yield Problem("P0447", text, whole.place(start, len(effect.id)), "remove it, or use it", (), "warning")


def _unread(model: Model, section: str, entry: Entry) -> list[str]:
    """Return the parameters of a declaration that neither it nor what follows it reads."""
    read: list[object] = []
    if section == "rules" and entry.id in model.rules:
        rule = model.rules[entry.id]
        parameters, filled = rule.parameters, any(not isinstance(one, t.Nothing) for one in rule.block)
        read.append(rule.block)
        for trigger in (*rule.before, *rule.after):
            read += [trigger.when, model.rules[trigger.body].block]
    elif section == "functions" and entry.id in model.functions:
        function = model.functions[entry.id]
        parameters, filled = function.parameters, not isinstance(function.body, _PLAIN)
        read.append(function.body)
    else:
        return []
    known = {str(t.note_of(node)[1]) for tree in read for node in nodes(tree) if sort_of(node) == "variable"}
    known |= {hole for text in texts(entry.node) for hole in re.findall(r"\{(\w+)", text)}
    return [name for name, _ in parameters if filled and name not in known]
