"""The rules of good content: what is allowed and yet hardly meant.

In:     a checked model without errors.
Out:    nothing but problems, nearly all of them warnings.
Errors: P0430 to P0439 and P0444 what is declared and never used, P0431 a counter that is never read, P0440 a text
        whose number its effect does not know, P0441 a circle of calls without a way out, P0442 a list that is shorter
        than its index, P0443 a pack without a list of its components, P0445 a phrase that names no parameter, P0446 a
        parameter that is never read, P0447 a variable likewise, P0448 an effect that is never reached, P0449 two
        lines of a menu with one label.

One function per check, each a row of ``CHECKS`` under its code. All are careful: what cannot be shown is not reported,
and an entry of a pack below is never blamed for what a module made of it.
"""

from __future__ import annotations

from patolli.analysis.lints import amounts, circles, components, lists, order, parameters, phrases, unused
from patolli.analysis.lints.check import CHECKS, Checked
from patolli.analysis.model import Model
from patolli.analysis.traits import Traits
from patolli.diagnostics.codes import CODES


def lint(model: Model, traits: Traits, warnings: bool = True) -> None:
    """Run every check and add what it finds to the problems of the model.

    Without *warnings* only those checks are run that can find an error.
    """
    checked = Checked(model, traits)
    for code, check in CHECKS.items():
        if warnings or CODES[code].severity == "error":
            model.problems.extend(check(checked))


__all__ = ["CHECKS", "amounts", "circles", "components", "lint", "lists", "order", "parameters", "phrases", "unused"]
