"""Read and resolve what entries say about how events are reported: headings, causes, silence, own words.

Errors: P0472 something in braces that cannot stand there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patolli.language.diagnostics import nearest
from patolli.language.program import expressions as x
from patolli.language.program import model as pm
from patolli.language.resolve.model import Model, ReportSettings, Rule, Template
from patolli.language.resolve.sayings import HOLE
from patolli.language.resolve.scopes import Scope
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Node, Scalar
from patolli.language.sources.nodes import text_at
from patolli.language.syntax import tree as t

if TYPE_CHECKING:
    from patolli.language.resolve.effects import Effects

NTH = "nth"
"""What stands in braces for how often a heading has come."""
_WORD = re.compile(r"\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*")  # a large letter is wrong, and reported where the words are known
_LISTED = 8


def read_report_settings(reader: Reader, node: Node | None) -> ReportSettings | None:
    """Read what an entry with an effect says about its report; None where it says nothing."""
    if not isinstance(node, Mapping) or not any(node.get(key) for key in ("heading", "cause", "told", "category")):
        return None
    reported = node.get("told")
    quiet = reported.value == "true" if isinstance(reported, Scalar) else None
    return ReportSettings(
        _template(reader, node.get("heading")), _template(reader, node.get("cause")), quiet, text_at(node, "category")
    )


def _template(reader: Reader, node: Node | None) -> Template:
    """Return a text in parts: words, and names where something comes in."""
    if not isinstance(node, Scalar):
        return []
    found: Template = []
    behind = 0
    for hole in HOLE.finditer(node.value):
        found += [node.value[behind : hole.start()]] if hole.start() > behind else []
        behind = hole.end()
        name = _WORD.fullmatch(hole[1] or "")
        if name is None:
            words = "braces contain one name" if hole[1] is not None else "an opening or closing brace is missing"
            help_ = "write the name of a parameter, of a counter of the table, or of a function, as in {n}"
            reader.problem("P0472", words, node.place(hole.start(), len(hole[0])), help_)
        else:
            at = hole.start(1) + name.start(1)
            found.append(t.Name(name[1], at=t.At(node, at, at + len(name[1]))))
    return [*found, node.value[behind:]] if behind < len(node.value) else found


# ---- what the templates of a rule mean


def resolve_report_settings(effects: Effects, rule: Rule, scope: Scope) -> pm.ReportSettings:
    """Return what a rule says about its report, every name resolved."""
    report_settings = rule.report_settings
    if report_settings is None:
        return pm.ReportSettings()
    heading, cause = (_words(effects, rule, part, scope) for part in (report_settings.heading, report_settings.cause))
    return pm.ReportSettings(heading, cause, report_settings.told, report_settings.category)


def _words(effects: Effects, rule: Rule, template: Template, scope: Scope) -> pm.Words:
    found: list[str | x.Expr] = []
    for part in template:
        if isinstance(part, str) or (part.id == NTH and NTH not in scope.variables):
            found.append(part if isinstance(part, str) else pm.NTH)
            continue
        expr = _find_expression(effects.model, part, scope)
        if expr is None:
            known = _list_known_names(effects.model, scope)
            near = part.id.lower() if part.id.lower() in known else nearest(part.id, known)
            more = ", .." if len(known) > _LISTED else ""
            help_ = f"did you mean {near!r}?" if near else f"there are: {', '.join(known[:_LISTED])}{more}"
            words, also = f"{part.id!r} cannot be shown here", (rule.span, "the rule is here")
            effects.problem("P0472", words, part, help_, also, meant=near)
        else:
            found.append(effects.check(expr, scope))
    return tuple(found)


def _find_expression(model: Model, name: t.Name, scope: Scope) -> t.Expr | None:
    """Return the expression that a word in braces stands for, which can be computed whenever the rule begins."""
    if name.id in scope.variables:
        return name
    counter, function = model.counters.get(name.id), model.functions.get(name.id)
    if counter is not None and counter.dims in ((), ("player",)):
        return name
    if function is not None and not function.parameters:
        return t.Call(name.id, [], at=name.at)
    return None


def _list_known_names(model: Model, scope: Scope) -> list[str]:
    counters = [one.name for one in model.counters.values() if one.dims in ((), ("player",))]
    functions = [one.name for one in model.functions.values() if not one.parameters]
    return list(dict.fromkeys([*scope.variables, NTH, *counters, *functions]))
