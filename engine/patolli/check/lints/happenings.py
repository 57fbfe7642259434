"""Find triggers of counters and moves that would set themselves off by way of others, without end."""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem
from patolli.language.program import expressions as x
from patolli.language.program.calls import function_bodies
from patolli.language.program.model import Program, Rule
from patolli.language.program.node import walk


@check("P0481")
def circle_of_happenings(reviewed: Reviewed) -> Iterator[Problem]:
    """Find what is set off by what it does, by way of another rule or trigger.

    What it does itself does not set it off, but a rule that it calls, or looks ahead at, knows nothing of that. A
    condition is no way out: how often it may come back would depend on numbers that no author has in mind.
    """
    reported: set[str] = set()
    for body, happening in reviewed.program.happenings.items():
        path = _path(reviewed, body)
        if path and body not in reported:
            reported.update(path)
            around = " -> ".join(repr(name) for name in (body, *path) if not name.endswith(" each"))
            words = f"the effects of this trigger start it again, through {path[0]!r}" if len(path) > 1 else ""
            words = words or "the effects of this trigger start it again"
            help_ = f"the circle is {around}; effects in the trigger itself do not start it again"
            yield Problem("P0481", words, happening.span, help_)


def _path(reviewed: Reviewed, start: str) -> list[str]:
    """Return the rules behind *start* by which it is carried out again, itself last; nothing where there are none."""
    rules = reviewed.summaries.rules
    before: dict[str, str] = {}
    open_ = [start]
    while open_:
        here = open_.pop(0)
        rule = reviewed.program.rules[here]
        for name in sorted(reviewed.summaries.runs_itself(rule) | _looked_ahead_at(reviewed.program, rule)):
            if name not in before and name in rules:
                before[name] = here
                open_.append(name)
    if start not in before:
        return []
    path = [start]
    while before[path[0]] != start:
        path.insert(0, before[path[0]])
    return path


def _looked_ahead_at(program: Program, rule: Rule) -> set[str]:
    """Return the rules that are carried out to compute what a rule looks at."""
    conditions = [trigger.condition for trigger in (*rule.before, *rule.after) if trigger.condition is not None]
    nodes = list(walk(rule.block, conditions))
    nodes += walk(function_bodies(program, *(node.function for node in nodes if isinstance(node, x.FunctionCall))))
    return {node.rule for node in nodes if isinstance(node, x.After)}
