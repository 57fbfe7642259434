"""Type everything that stands outside rules: facts, defaults, counters, functions, triggers, payments, results."""

from __future__ import annotations

from patolli.analysis.declare import Table, uses_effect
from patolli.analysis.effects import Effects
from patolli.analysis.entries import everyones
from patolli.analysis.expressions import PLAYER, Scope
from patolli.analysis.model import Attribute, Model
from patolli.analysis.names import Why
from patolli.language import tree as t
from patolli.program import types as ty


def check_facts(model: Model) -> Effects:
    """Type all of it, and return the checker, which goes on with the rules."""
    effects = Effects(model)
    nothing = Scope()
    for kind in model.kinds.values():
        for attribute in (*kind.facts.values(), *kind.fields.values()):
            empty = isinstance(attribute.default, t.Nobody) and isinstance(attribute.type, ty.Seq)
            if attribute.default is not None and not empty:
                effects.check(attribute.default, nothing, attribute.type)
                _bounds(effects, attribute.default, attribute)
        for name, (_, legend) in kind.maps.items():
            for expr in legend.values():
                effects.check(expr, nothing, kind.facts[name].type)
        if kind.copies is not None:
            effects.check(kind.copies, nothing, ty.INT)
        if kind.active is not None:
            effects.condition(kind.active, Scope({"me": PLAYER, "it": ty.Ref(kind.name)}))
        for design in kind.designs:
            scope = Scope({"copy": ty.INT})
            if design.copies is not None:
                effects.check(design.copies, nothing, ty.INT)
            for name, value in design.facts.items():
                if name in kind.facts and not uses_effect(kind.facts[name].type):
                    said = (kind.facts[name].span, f"{name!r} is declared here")
                    _value(effects, value, kind.facts[name].type, scope, (said,))
                    _bounds(effects, value, kind.facts[name])
            if design.place is not None:
                effects.place(design.place, Scope({"me": PLAYER}) if kind.per_player else nothing)
    for counter in model.counters.values():
        for bound in (counter.high, counter.start):
            if bound is not None:
                effects.check(bound, nothing, ty.INT)
    for place in model.places.values():
        if place.size is not None:
            effects.check(place.size, nothing, ty.INT)
    for constant in model.constants.values():
        _value(effects, constant.value, constant.type, nothing, ())
    for function in list(model.functions.values()):
        effects.result_of(function, t.Nobody(at=t.At(t.FixedText(function.span), 0, 0)))
    _extras(model, effects)
    return effects


def _value(effects: Effects, value: object, type_: ty.AnyType, scope: Scope, why: Why) -> None:
    if isinstance(value, Table):
        by = effects.check(value.by, scope)
        if isinstance(by, ty.Seq | ty.Maybe):
            help_ = "it is a number, such as 'seats', or an option"
            effects.problem("P0301", f"a table is not looked up by {by}", value.by, help_)
        for row in value.rows.values():
            _value(effects, row, type_, scope, why)
    elif isinstance(value, list):
        for item in value:
            _value(effects, item, type_.of if isinstance(type_, ty.Seq) else ty.ANY, scope, why)
    elif isinstance(value, t.Cost):
        effects.items(value.items, Scope({"me": PLAYER}))
        for item in value.items:
            everyones(effects.model, item.thing or "", item.span)
    elif isinstance(value, t.Expr):
        effects.check(value, scope, type_, why)


def _bounds(effects: Effects, value: object, attribute: Attribute) -> None:
    low, high = attribute.low, attribute.high
    if isinstance(value, t.Number) and low is not None and high is not None and not low <= value.value <= high:
        said = (attribute.span, "declared here")
        message = f"{attribute.name!r} goes from {low} to {high}, found {value.value}"
        effects.problem("P0301", message, value, f"write a number from {low} to {high}", said)


def _extras(model: Model, effects: Effects) -> None:
    mine = Scope({"me": PLAYER})
    for anytime in model.anytime:
        scope = _bound(effects, anytime.binder, mine)
        _body(model, anytime.body, scope)
    for waiver in model.waivers:
        scope = _bound(effects, waiver.binder, mine)
        _body(model, waiver.body, scope)
        if waiver.when is not None:
            effects.condition(waiver.when, scope)
    for when in (*(d.when for d in model.discounts), *(s.when for s in model.substitutions)):
        if when is not None:
            effects.condition(when, mine)
    for substitution in model.substitutions:
        effects.items([substitution.give], mine)
        everyones(model, substitution.give.thing or "", substitution.give.span)
    if model.active is not None:
        effects.check(model.active, Scope(), ty.Maybe(PLAYER))
    for expr in (model.score, *model.ties, *model.values.values()):
        if expr is not None:
            effects.check(expr, mine, ty.INT)
    for always, _ in model.invariants.values():
        effects.condition(always, Scope())


def _bound(effects: Effects, binder: t.Binder | None, scope: Scope) -> Scope:
    return scope if binder is None else effects.bind([binder], scope)


def _body(model: Model, name: str, scope: Scope) -> None:
    """Give the body of an anytime action or waiver the type of its variable."""
    rule = model.rules[name]
    rule.parameters = [(n, scope.variables.get(n, ty.ANY)) for n, _ in rule.parameters]
