"""Declare and resolve measures: what a pack wants to know of every match.

Errors: P0201 and P0202 a moment that is no rule, P0301 a measure that is neither a number nor a condition.
"""

from __future__ import annotations

from patolli.language.packs.composition import Entry
from patolli.language.program import expressions as x
from patolli.language.program import model as pm
from patolli.language.program import types as ty
from patolli.language.resolve.effects import Effects
from patolli.language.resolve.expressions import PLAYER, Scope
from patolli.language.resolve.model import UNKNOWN, Measure, Model
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Scalar
from patolli.language.sources.nodes import scalar_at, text_at

MOMENTS = ("before", "after")
"""When a measure is taken, by the keys that say so."""
END = "match"
"""The rule that is over with the match, which is the moment where none is named."""


def declare_measures(model: Model, reader: Reader) -> None:
    """Read the measures of a ruleset, when its rules are known."""
    for entry in model.composition.all("measures"):
        value = reader.expression(entry.node if isinstance(entry.node, Scalar) else scalar_at(entry.node, "is"))
        moment = next((one for one in MOMENTS if scalar_at(entry.node, one)), "")
        rule = _rule(model, reader, entry, moment)
        if value is not None and rule is not None:
            each = isinstance(entry.node, Mapping) and entry.node.get("per") is not None
            if (moment, rule) == ("after", END):
                moment = rule = ""
            text = text_at(entry.node, "text")
            model.measures[entry.id] = Measure(entry.id, entry.key.span, value, moment, rule, each, text)


def _rule(model: Model, reader: Reader, entry: Entry, moment: str) -> str | None:
    """Return the rule that a measure names; nothing where it names none, None after a problem."""
    target = scalar_at(entry.node, moment) if moment else None
    if target is None:
        return ""
    name, _, step = target.value.partition("/")
    rule = model.rules.get(name)
    if rule is not None and not rule.hidden:
        if not step:
            return name
        words = f"{target.value!r} is a step; a measure is taken before or after a whole rule"
        reader.problem("P0202", words, target.span, f"write {moment}: {name}", (rule.span, "the rule"))
    elif model.names.get(name, (UNKNOWN,))[0] == UNKNOWN:
        reader.unknown("rule", target, name, [one.name for one in model.rules.values() if not one.hidden])
    else:
        words = f"{name!r} is {ty.article(model.names[name][0])}; a measure is taken before or after a rule"
        reader.problem("P0202", words, target.span, "", (model.spans[name], "declared here"))
    return None


def resolve_measures(model: Model, effects: Effects) -> None:
    """Resolve what is measured."""
    for name, old in model.measures.items():
        scope = Scope.of(old.span, me=PLAYER) if old.each else Scope()
        me = scope.variables["me"] if old.each else x.Variable("", ty.INT, old.span)
        with effects.uses.of(f"measure {name}"):
            body = effects.check(old.value, scope)
        if body.type not in (ty.INT, ty.BOOL, ty.ANY):
            said = f"expected a number or a condition, found {body.type}"
            effects.problem("P0301", said, old.value, "count it, or compare it with something")
            continue
        formula = pm.Formula(me, (), body)
        model.made.measures[name] = pm.Measure(name, old.span, formula, old.moment, old.rule, old.each, old.text)
