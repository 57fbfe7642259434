"""Find headings and causes that are never shown, because their rule reports nothing."""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem
from patolli.language.packs.composition import Entry
from patolli.language.program import effects as e
from patolli.language.program.model import Rule
from patolli.language.program.node import walk
from patolli.language.sources import Scalar


@check("P0479")
def heading_of_nothing(reviewed: Reviewed) -> Iterator[Problem]:
    """Find the headings and causes of rules that are silent through and through."""
    program = reviewed.program
    for rule in program.rules.values():
        entry = program.composition.sections["rules"].get(rule.name)
        silent = rule.report_settings.told is False or (rule.name == "setup" and rule.report_settings.told is None)
        if entry is None or not silent or _may_reveal(reviewed, rule.name):
            continue
        for key in ("heading", "cause"):
            node = entry.get(key)
            if not isinstance(node, Scalar) or node.value == "false" or not reviewed.written_here(node.span):
                continue
            if not _keeps_books(reviewed, rule, entry, key):
                text = f"this {key} is never shown: {rule.name!r} reports nothing"
                help_ = "leave it out, or let the rule say 'told: true'"
                yield Problem("P0479", text, node.span, help_, (), "warning")


def _keeps_books(reviewed: Reviewed, rule: Rule, entry: Entry, key: str) -> bool:
    """Return whether a heading says to what points are put down, which a category would do before it."""
    counted = any(location[0] == "counter" for location in reviewed.summaries.rules[rule.name].writes)
    return key == "heading" and counted and entry.get("category") is None


def _may_reveal(reviewed: Reviewed, name: str) -> bool:
    """Return whether something in a silent rule is reported anyway: a choice, what is said, a rule that reports."""
    rules = reviewed.program.rules
    if reviewed.summaries.rules[name].asks:
        return True
    open_, seen = [name], {name}
    while open_:
        rule = rules[open_.pop()]
        called = [trigger.body for trigger in (*rule.before, *rule.after)]
        for node in walk(rule.block):
            if isinstance(node, e.Say | e.Reveal | e.Do):
                return True
            called += [node.rule] if isinstance(node, e.CallRule) else []
        if any(rules[one].report_settings.told for one in called):
            return True
        open_ += [one for one in called if one not in seen]
        seen.update(called)
    return False
