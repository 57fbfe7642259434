"""The rules of good content: what is allowed and yet rarely meant.

In:     the resolved program of a ruleset in which everything has its type.
Out:    problems, nearly all of them warnings.

A check is one function behind ``@check(CODE)`` in any module of this room, and a section of ``diagnostics.codes`` that
says what it finds. All are careful: what cannot be shown is not reported, and an entry of a required pack is never
blamed for what a module made of it.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from patolli.check.lints.check import CHECKS, Reviewed
from patolli.language.diagnostics import Problem
from patolli.language.program.model import Program
from patolli.language.program.summaries import Summaries

for _module in sorted(module.name for module in iter_modules(__path__)):  # every check enters itself into the table
    import_module(f"{__name__}.{_module}")


def lint(program: Program, summaries: Summaries, warnings: bool = True) -> list[Problem]:
    """Run every check; without *warnings* only those that can find an error."""
    from patolli.language.diagnostics.codes import CODES  # the register is read when it is needed

    reviewed = Reviewed(program, summaries)
    wanted = [check for code, check in CHECKS.items() if warnings or CODES[code].severity == "error"]
    return [problem for check in wanted for problem in check(reviewed)]


__all__ = ["CHECKS", "lint"]
