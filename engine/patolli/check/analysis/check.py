"""Check a composed ruleset: the stages in order."""

from __future__ import annotations

from collections.abc import Callable

from patolli.check.proofs.check import prove
from patolli.language.diagnostics import Problem
from patolli.language.packs.composition import Composition
from patolli.language.packs.recovery import without_echoes
from patolli.language.program.summaries import Summaries
from patolli.language.resolve.call_chains import find_long_chains, find_many_calls
from patolli.language.resolve.declare import declare
from patolli.language.resolve.facts import check_facts, finish
from patolli.language.resolve.model import Model
from patolli.language.resolve.subjects import resolve_subjects

Check = Callable[[Model], None]
CHECKS: list[Check] = []


def check(function: Check) -> Check:
    """Let a function look at every model that is declared and typed; it adds what it finds to the problems."""
    CHECKS.append(function)
    return function


def analyze(composition: Composition, options: dict[str, object] | None = None) -> Model:
    """Declare, type and prove; all findings are in ``problems`` of the model.

    Where everything has its type, ``program`` of the model says what it means; ``lints`` and ``prose`` read that.
    """
    model = check_types(composition, options)
    if model.program is not None:
        model.prover, found = prove(model.program, Summaries(model.program))
        model.problems += found
    return model


def check_types(composition: Composition, options: dict[str, object] | None = None) -> Model:
    """Declare and type, without any proof; there is a ``program`` where nothing is wrong so far.

    A stage that builds on names is skipped when names are missing, so that one mistake gives one problem; and nothing
    is said of names that were lost with a document that has mistakes of its own.
    """
    model = declare(composition, options or {})
    effects = check_facts(model)
    for rule in list(model.rules.values()):
        effects.rule_(rule)
    effects.see_whose()
    resolve_subjects(effects)
    model.problems += effects.overflow
    model.uses = effects.uses
    if not any(p.severity == "error" for p in model.problems):
        finish(effects)
        model.problems += [*find_long_chains(effects.program), *find_many_calls(effects.program)]
    for look in CHECKS:
        look(model)
    _unclear(model)
    model.problems = list(dict.fromkeys(model.problems))  # some conditions are looked at in two places
    trees = [tree for pack in composition.packs for tree in (pack.manifest, *(d.tree for d in pack.documents))]
    composed = set(composition.problems)  # what a patch itself does wrong does not follow from what it could not add
    early = without_echoes([p for p in model.problems if p in composed], trees, composition.unread)
    model.problems = early + without_echoes(
        [p for p in model.problems if p not in composed], trees, composition.lost_words
    )
    if not any(p.severity == "error" for p in model.problems):
        model.program = model.made
    return model


def _unclear(model: Model) -> None:
    """Report the attributes of what has no type, unless that follows from another mistake."""
    if any(p.severity == "error" for p in model.problems):
        return
    for expr in {id(e): e for e in model.unclear}.values():
        message = f"nothing says what this is, so it has no {expr.name!r}"
        model.problems.append(Problem("P0301", message, expr.of.span, "an empty list has no effect; remove it"))
