"""Leave out of a program what some scenarios cannot come by: most of the time to compile a mutant goes into it.

In:     a program that holds the texts of scenarios, its summaries, and from where these scenarios set out.
Out:    the same program, in which the other rules do nothing. No name is lost, and no number of one changes.

What a scenario can come by is what its texts name, what these rules carry out or ask about, and so on, with payments,
triggers, and the anytime actions behind every question; in addition all that stands outside rules and may be worked out
whatever happens: results, invariants, who is active. To count a rule in is always right.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import replace

from patolli.program import expressions as x
from patolli.program.model import Formula, Program, Rule
from patolli.program.summaries import Summaries

BEGINNING = ("match", "setup")
"""The rules with which a match begins."""


def trimmed(program: Program, summaries: Summaries, first: Iterable[str]) -> Program:
    """Return the program without what cannot be reached from the *first* rules and from what is always looked at."""
    kept = summaries.within(first, _looked_at(program))
    made = copy.copy(program)
    made.rules = {name: rule if name in kept else _idle(rule) for name, rule in program.rules.items()}
    return made


def _looked_at(program: Program) -> list[x.Expr]:
    """Return the expressions outside rules that may be worked out without being named by one."""
    formulas: list[Formula | None] = [*program.result, *program.values.values()]
    formulas += [kind.active for kind in program.kinds.values()]
    found = [formula.body for formula in formulas if formula is not None]
    found += [condition for condition, _ in program.invariants.values()]
    found += [part for part in (program.active, *(action.when for action in program.anytime)) if part is not None]
    return found + [action.binder.source for action in program.anytime if action.binder is not None]


def _idle(rule: Rule) -> Rule:
    return replace(rule, steps=tuple(replace(step, block=()) for step in rule.steps), before=(), after=())
