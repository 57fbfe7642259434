"""Find the rules whose beginning and end are reported: those with a heading, a cause, silence, or points.

In:     a program and its summaries.
Out:    a :class:`Scope` for each such rule, with the expressions whose values are reported when it begins.

A program that narrates says ``begin`` where such a rule is called and ``end`` where it is left. A rule on frames says
it begins where its frame is put there: a block of its own would be one more where a match can stand, and a match that
narrates must be the same match.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Program, ReportSettings, Rule, Words
from patolli.language.program.node import declaration, walk
from patolli.language.program.summaries import Summaries
from patolli.run.compiler import build as b
from patolli.run.compiler.unit import of_variables

if TYPE_CHECKING:
    from patolli.run.compiler.effects import Effects

SILENT = "setup"
"""The rule that reports nothing unless it says so."""
STARTS = ("match", SILENT)
"""The rules with which the engine begins, the outer one first; no player would look for points under their names."""
Said = tuple[str | int, ...]
"""A text, and numbers of values where they come in."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is reported of what happens in a rule.

    Attributes:
        rule: Its name.
        heading: What stands above it; empty for none.
        cause: Why it happens; empty for none.
        told: Whether it is reported what happens; None where nothing is said.
        category: To what points are put down; empty where nothing is declared.
        kind: The kind of the piece that brings it about; empty for none. The piece is the last of the values.
        title: The name of the rule in words, where people would know it.
        apart: Whether it has nothing to do with what goes on around it: an anytime action.
    """

    rule: str
    heading: Said
    cause: Said
    told: bool | None
    category: str
    kind: str
    title: str
    apart: bool = False


@dataclass(slots=True)
class Scoped:
    """A rule whose beginning is reported: its scope, what is computed for it, and the function that says it."""

    number: int
    rule: Rule
    scope: Scope
    values: list[x.Expr]
    teller: str


def compute_scopes(program: Program, summaries: Summaries) -> dict[str, tuple[Scope, list[x.Expr]]]:
    """Return the scope of each rule that has one, by the name of the rule."""
    pieces, apart = pieces_of(program), {action.body for action in program.anytime}
    reads = summaries.reads(program.score.body) if program.score is not None else frozenset()
    points = {location for location in reads if location[0] == "counter"}
    found = {}
    for rule in program.rules.values():
        piece = pieces.get(rule.name)
        scores = bool(points) and any(points & set(declaration(n).writes(n)) for n in walk(rule.block))
        if rule.report_settings != ReportSettings() or piece is not None or scores or rule.name in {SILENT, *apart}:
            scope, values = _scope(program, rule, piece)
            found[rule.name] = replace(scope, apart=rule.name in apart), values
    return found


def _scope(program: Program, rule: Rule, piece: x.Variable | None) -> tuple[Scope, list[x.Expr]]:
    report_settings, values = rule.report_settings, list[x.Expr]()

    def collect_words(words: Words) -> Said:
        parts: list[str | int] = []
        for part in words:
            if not isinstance(part, str):
                values.append(part)
            parts.append(part if isinstance(part, str) else len(values) - 1)
        return tuple(parts)

    heading, cause = collect_words(report_settings.heading), collect_words(report_settings.cause)
    kind, category = "", report_settings.category
    if piece is not None:
        type_ = ty.strip(piece.type)
        assert isinstance(type_, ty.Ref)
        kind, category = type_.kind, category or program.kinds[type_.kind].category
        values.append(x.Local(piece, type=piece.type, span=rule.span))
    reported = False if report_settings.told is None and rule.name == SILENT else report_settings.told
    return Scope(rule.name, heading, cause, reported, category, kind, _title(rule)), values


def _title(rule: Rule) -> str:
    """Return a rule's name as words; nothing where only the engine has given it one."""
    name = rule.name
    for first in ("anytime ", "waiver ", "discount "):
        if name.startswith(first):
            return name.removeprefix(first).replace("_", " ")
    return "" if "'" in name or "." in name or " " in name or name in STARTS else name.replace("_", " ")


def pieces_of(program: Program) -> dict[str, x.Variable]:
    """Return by the name of a rule the variable of the piece that brings about what happens in it."""
    found: dict[str, x.Variable] = {}
    for rule in program.rules.values():
        if rule.hidden and rule.parameters and rule.parameters[0].name == "it" and "." in rule.name:
            found[rule.name] = rule.parameters[0]
    for trigger in program.all_triggers:
        if trigger.design is not None:
            found[trigger.body] = program.rules[trigger.body].parameters[-1]
    for body in (*(w.body for w in program.waivers), *(a.body for a in program.anytime)):
        rule = program.rules[body]
        type_ = ty.strip(rule.parameters[0].type) if rule.parameters else None
        if isinstance(type_, ty.Ref) and program.kinds[type_.kind].members is None and type_.kind != "player":
            found[body] = rule.parameters[0]
    return found


def define_tellers(plain: Effects) -> None:
    """Compile for each scope the function that says that its rule begins; it takes what the rule takes."""
    unit = plain.unit
    for one in unit.scopes.values():
        c = of_variables(unit, *one.rule.variables)
        unit.current = one.rule.name
        values: list[ast.expr] = [
            ast.Tuple([b.name(unit.keep("Y", v.type)), plain.compile_kept_value(v, c)], ast.Load()) for v in one.values
        ]
        me = c.read_variable(one.rule.me)
        event = b.call("say", b.const("begin"), me, b.const(one.number), ast.Tuple(values, ast.Load()))
        unit.define(one.teller, ["s", *map(unit.local, one.rule.variables)], [b.do(event)], one.rule.span)
