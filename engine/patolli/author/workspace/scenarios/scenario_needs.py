"""Find the packs and options that a scenario asks for.

In:     the base pack, and a scenario.
Out:    the packs in order, the base first, and the options that are left when some of them stand for modules.
Errors: P0613 a module or an option that is not there, or modules that do not go together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from patolli.author.workspace.pack_choice import choose, wrong_options
from patolli.author.workspace.scenarios.scenario_reader import Scenario
from patolli.language.diagnostics import ContentError, Edit, Fix, Problem, Span
from patolli.language.packs.manifest import DISK, Files, Pack

OF_CHOICES = frozenset({"P0110", "P0113", "P0114", "P0115", "P0117", "P0130", "P0131"})
"""Codes that speak of the modules and options that were chosen."""


def find_packs(base: str, scenario: Scenario, files: Files = DISK) -> tuple[list[Pack], dict[str, Any]]:
    """Return the packs and options that a scenario asks for. Raises ContentError, with places in the scenario."""
    try:
        packs, options = choose(base, scenario.modules, dict(scenario.options), files)
    except ContentError as error:
        raise ContentError([_module_problem(problem, scenario) for problem in error.problems]) from None
    wrong = wrong_options(packs, options)
    if wrong:
        raise ContentError([_option_problem(problem, scenario, name) for name, problem in wrong.items()])
    return packs, options


def _module_problem(problem: Problem, scenario: Scenario) -> Problem:
    if problem.code not in OF_CHOICES:
        return problem
    named = scenario.modules_at.get(problem.span.path)  # a pack that is not there has its name for a place
    if named is not None:
        return replace(_move_problem(problem, named.span), code="P0613")
    also = ((problem.span, "because of this"), *problem.also)
    return replace(problem, code="P0613", span=scenario.key.span, also=also)


def _option_problem(problem: Problem, scenario: Scenario, name: str) -> Problem:
    key, value = scenario.options_at[name]
    if problem.code == "P0130":
        return replace(_move_problem(problem, key.span), code="P0613")
    declared: tuple[Span, str] = (problem.span, "the option is declared here")
    return replace(problem, code="P0613", span=value.span, also=(declared,))


def _move_problem(problem: Problem, span: Span) -> Problem:
    """Give what was found about a word of a call the place at which a scenario says that word."""
    fixes = tuple(Fix(tuple(Edit(span, edit.text) for edit in fix.edits), fix.sure) for fix in problem.fixes)
    return replace(problem, span=span, fixes=fixes)
