"""Find the variables at a place of a text that is being written, and the type of a part of it.

The text need not make sense as a whole. What names a variable is found by its form, ``let x =`` or ``x in``,
and the value behind it is parsed and typed by itself; where that does not work, the type is not known.
"""

from __future__ import annotations

import re

from patolli.language.diagnostics import Span
from patolli.language.program import types as ty
from patolli.language.resolve.effects import Effects
from patolli.language.resolve.model import Model
from patolli.language.resolve.scopes import PLAYER, Scope
from patolli.language.syntax.parser import parse_expression, parse_signature
from patolli.language.syntax.words import NEWEST
from patolli.serve.lsp.spot import Spot

_NAMED = re.compile(
    r"\blet (?P<let>[a-z_]\w*) = (?P<value>[^;\n]+)|\b(?P<each>[a-z_]\w*) in (?=(?P<source>[^;:\n\"]+))"
)
"""The text of a source is only looked at: another variable may be named in it, as in ``choose a in x, b in y``."""
_SEVERAL = re.compile(
    r"\bof [a-z_]\w* in (?P<source>[^;:\n\"]+?)(?: where [^;:\n\"]+?)? as (?P<name>[a-z_]\w*)(?![\w\"])"
)
"""Several that are chosen at once, with the name of their list."""
_ENDS = (" where ", " by ", " or none", " in any order", ", ", ")", "]")


class _Text:
    """A text that stands nowhere."""

    language = NEWEST

    def __init__(self, value: str) -> None:
        self.value = value

    def place(self, offset: int, length: int) -> Span:
        """Return a place in no file."""
        return Span("", 1, offset + 1, 1, offset + length + 1)


def variables(model: Model, spot: Spot) -> dict[str, ty.AnyType | None]:
    """Return the variables that are named before a place, with their types; None is an unknown type."""
    found: dict[str, ty.AnyType | None] = {"me": PLAYER, **_parameters(model, spot)}
    for match in _NAMED.finditer(spot.before):
        name = match["let"] or match["each"]
        type_ = _type_text(model, match["value"] or match["source"], found)
        if match["each"]:
            if type_ is None and name in found:
                continue  # `x in S` may also be a test of x
            type_ = type_.of if isinstance(type_, ty.Seq) else None
        found[name] = type_
    for match in _SEVERAL.finditer(spot.before):
        found[match["name"]] = _type_text(model, match["source"], found)
    return found


def type_of(model: Model, spot: Spot, text: str) -> ty.AnyType | None:
    """Return the type of a part of a text, such as what stands before a dot; None when it is not known."""
    return _type_text(model, text, variables(model, spot))


def _parameters(model: Model, spot: Spot) -> dict[str, ty.AnyType | None]:
    """Return the parameters of the rule or function that a text is in, and what its section adds to them."""
    section, key = spot.path[0], spot.path[1] if len(spot.path) > 1 else ""
    if section in ("rules", "functions"):
        return _signature(model, key)
    if section == "triggers" and any(trigger.name == key for trigger in model.triggers):
        rule = next(trigger.rule for trigger in model.triggers if trigger.name == key)
        return dict(model.rules[rule].parameters)
    if (
        section == "triggers"
        and key in model.rules
        and any(one.span == model.rules[key].span for one in model.happenings)
    ):
        return dict(model.rules[key].parameters)
    if section == "pieces" and key in model.designs:
        names: dict[str, ty.AnyType | None] = {"it": ty.Ref(model.designs[key].kind), "copy": ty.INT}
        if "triggers" in spot.path:
            for trigger in model.triggers:
                if trigger.design is model.designs[key]:
                    names.update(model.rules[trigger.rule].parameters)
        return names
    if section in ("discounts", "substitutions", "waivers"):
        whens = [one.when for one in model.made.discounts if one.name == key]
        whens += [one.subject for one in model.made.waivers if one.name == key]
        whens += [one.when for one in model.made.substitutions if one.name == key]
        return {variable.name: variable.type for when in whens if when is not None for variable in when.variables}
    if section == "kinds" and key in model.kinds:
        return {"it": ty.Ref(key)}
    return {}


def _signature(model: Model, key: str) -> dict[str, ty.AnyType | None]:
    """Read the parameters from the key as it is now; the model may be older."""
    signature, _ = parse_signature(_Text(key))
    found: dict[str, ty.AnyType | None] = {}
    for parameter in signature.parameters if signature else ():
        word = parameter.type.rpartition("list of ")[2].rstrip("?")
        type_: ty.AnyType = (
            ty.Ref(word) if word in model.kinds else ty.Group(word) if word in model.groups else ty.Type(word)
        )
        for _ in range(parameter.type.count("list of ")):
            type_ = ty.Seq(type_)
        found[parameter.name] = type_
    return found


def _type_text(model: Model, text: str, known: dict[str, ty.AnyType | None]) -> ty.AnyType | None:
    """Parse and type a text; or only its beginning, if other text follows. A rule gives what it returns."""
    called = re.match(r"([a-z_]\w*)\(", text)
    if called and called[1] in model.rules:
        return model.rules[called[1]].returns
    names = {name: type_ for name, type_ in known.items() if type_ is not None}
    for end in (len(text), *sorted({at for sign in _ENDS if (at := text.find(sign)) > 0}, reverse=True)):
        expr, _ = parse_expression(_Text(text[:end].strip()))
        if expr is None:
            continue
        before = len(model.problems)
        found = Effects(model).check(expr, Scope.of(expr.span, **names)).type
        failed = any(p.code == "P0201" for p in model.problems[before:])
        del model.problems[before:]
        return None if failed or found == ty.ANY else found
    return None
