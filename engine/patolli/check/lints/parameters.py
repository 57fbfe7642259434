"""Find parameters that a rule or function does not use, and variables that nothing reads.

A trigger has the parameters of the rule that it follows, and an effect in a piece those of its kind; neither chose
them, so that only the declarations of rules and functions are looked at. What triggers and other packs make of a
parameter counts, and so does what a phrase says of it. A rule that does nothing, and a function that is one plain
value, are there for others to fill, and their parameters with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import read_by
from patolli.check.lints.usage import WORD
from patolli.language.diagnostics import Problem
from patolli.language.packs.composition import Entry
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.expressions import Variable
from patolli.language.program.model import Function, Program, Rule
from patolli.language.program.node import walk
from patolli.language.sources import Mapping, texts
from patolli.language.syntax.phrases import holes

_PLAIN = (x.Number, x.Truth, x.NoValue)


@check("P0446")
def unused_parameter(reviewed: Reviewed) -> Iterator[Problem]:
    """Find parameters that nothing reads."""
    program = reviewed.program
    elsewhere = {word for tree in program.composition.left_out for text in texts(tree) for word in WORD.findall(text)}
    for section, sort in (("rules", "rule"), ("functions", "function")):
        for entry in program.composition.all(section):
            if not reviewed.may_report_unused(section, entry.id) or entry.changed or entry.id in elsewhere:
                continue
            for name in _unread(program, section, entry):
                text = f"the {sort} {entry.id!r} does not use its parameter {name!r}"
                found = re.search(rf"\b{name}\s*[,)]", entry.key.value)
                span = entry.key.place(found.start(), len(name)) if found else entry.key.span
                yield Problem("P0446", text, span, "remove it, or use it", (), "warning")


@check("P0447")
def unused_variable(reviewed: Reviewed) -> Iterator[Problem]:
    """Find values that get a name which nothing reads; steps of a rule may name something for other packs."""
    program = reviewed.program
    for entry in program.composition.all("functions"):
        function = program.functions.get(entry.id)
        if (
            function is not None
            and isinstance(function.body, x.Naming)
            and reviewed.may_report_unused("functions", entry.id)
        ):
            used = read_by(function.body)
            yield from (_nothing_reads(one.variable) for one in function.body.given if one.variable not in used)
    for entry in program.composition.all("rules"):
        rule = program.find_original_rule(entry.id)
        steps = isinstance(entry.node, Mapping) and "steps" in entry.node
        if rule is None or steps or entry.changed or not reviewed.may_report_unused("rules", entry.id):
            continue
        used = read_by(rule.block)
        for variable in _given_names(rule.block):
            if variable not in used and not variable.name.startswith("_"):
                yield _nothing_reads(variable)


def _nothing_reads(variable: Variable) -> Problem:
    text = f"nothing reads the variable {variable.name!r}"
    return Problem("P0447", text, variable.span, "remove it, or use it", (), "warning")


def _given_names(block: e.Block) -> Iterator[Variable]:
    """Yield the variables of each ``let``, and those that a player chooses or that are drawn at random."""
    for node in walk(block):
        match node:
            case e.Let() | e.Random():
                yield node.variable
            case e.CallRule(into=x.Variable(name=name) as variable) if name:
                yield variable
            case e.Choose() | e.Option():
                yield from (binder.variable for binder in node.binders)


def _unread(program: Program, section: str, entry: Entry) -> list[str]:
    """Return the parameters of a declaration that neither it nor the steps after it read."""
    declared: Rule | Function | None
    if section == "rules":
        declared = program.find_original_rule(entry.id)
        known = _around(program, declared) if declared is not None else set()
    else:
        declared = program.functions.get(entry.id)
        known = {one.name for one in read_by(declared.body)} if declared is not None else set()
    if declared is None or not _has_body(declared):
        return []
    known |= {hole for text in texts(entry.node) for hole in holes(text)}
    return [one.name for one in declared.parameters if one.name not in known]


def _has_body(declared: Rule | Function) -> bool:
    """Return whether a rule does something at all, a function computes something."""
    if isinstance(declared, Rule):
        return any(not isinstance(one, e.Nothing) for one in declared.block)
    return not isinstance(declared.body, _PLAIN)


def _around(program: Program, rule: Rule) -> set[str]:
    """Return the names of what a rule reads and its triggers, which have its parameters under the same names."""
    triggers = (*rule.before, *rule.after, *program.rules[rule.name.partition("'")[0]].instead)
    bodies = [program.rules[trigger.body].block for trigger in triggers]
    return {one.name for one in read_by(rule.block, *(trigger.condition for trigger in triggers), *bodies)}
