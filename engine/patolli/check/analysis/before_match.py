"""Check the values that must be known before a match: sizes, bounds, copies, facts, defaults, legends and constants.

In:     a model whose names are resolved.
Out:    nothing but problems.
Errors: P0411 a value that only a match decides, or a constant that is defined by itself.
"""

from __future__ import annotations

from patolli.check.analysis.check import check
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import expressions as x
from patolli.language.program.calls import inner_first
from patolli.language.program.node import Node, walk
from patolli.language.program.setup_values import Knowledge, SetupValue, constants_by_use, setup_values
from patolli.language.resolve.model import Model

HELP = "use numbers, options, constants and 'seats'"


@check
def check_setup_values(model: Model) -> None:
    """Report every value that is not known before a match."""
    program = model.made
    wrong = {problem.span for problem in model.problems}
    sides = {id(side) for kind in program.kinds.values() for side in kind.sides}
    knowledge = Knowledge(program)
    for value in setup_values(program):
        if id(value.expr) in sides or _has_problem(value.expr, wrong):
            continue
        found = knowledge.unknown_part(value.expr)
        if found is not None:
            model.problems.append(_problem(value, *found))
    for name in sorted(inner_first(constants_by_use(program))[1]):
        span = program.constants[name].span
        help_ = "let one of the constants on the way be a number"
        model.problems.append(Problem("P0411", f"the constant {name!r} is defined by itself", span, help_))
    for old in model.kinds.values():
        for written, side in zip(old.sides, model.made.kinds[old.name].sides, strict=True):
            if any(written is one for one in old.unsized) and not _has_problem(side, wrong):
                help_ = "use numbers, options and constants: the size of a grid cannot depend on the number of players"
                what = "this must be known before the number of players"
                model.problems.append(Problem("P0411", what, side.span, help_))


def _has_problem(expr: x.Expr, wrong: set[Span]) -> bool:
    """Return whether something else is wrong with an expression, so that nothing can be said of its value."""
    return any(isinstance(node, x.Unknown) or node.span in wrong for node in walk(expr))


def _problem(value: SetupValue, part: Node, reading: Node) -> Problem:
    also = ((reading.span, "a match decides this"),) if reading is not part else ()
    help_ = HELP
    if isinstance(reading, x.FactOf):
        help_ = "facts of pieces are computed later: give the value a name under 'constants', and use that in both"
    elif value.fact:
        help_ += f"; what a match decides is a function, as in 'functions: {{{value.fact}_now({value.kind}): ..}}'"
    return Problem("P0411", "this must be known before a match starts", part.span, help_, also)
