"""Find what a pack lacks, or declares in a way that hides something: no result, and a name of a built-in function."""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem
from patolli.language.program.builtins import BUILTINS, builtins
from patolli.language.syntax.words import QUANTIFIERS, words


@check("P0462")
def no_result(reviewed: Reviewed) -> Iterator[Problem]:
    """Find a game that is played and never says who has won."""
    program = reviewed.program
    match = program.rules.get("match")
    if (
        match is not None
        and not program.composition.sections["result"]
        and reviewed.may_report_unused("rules", "match")
    ):
        help_ = "add 'result: {score: ..}' to a document of kind 'rules'"
        yield Problem("P0462", "nothing says who wins this match", match.span, help_, (), "warning")


@check("P0465")
def hidden_builtin(reviewed: Reviewed) -> Iterator[Problem]:
    """Find functions, counters and places with the name of a built-in function, which they hide."""
    program = reviewed.program
    for section, named in (
        ("functions", program.functions), ("counters", program.counters), ("places", program.places)
    ):  # fmt: skip
        for name in named:
            if name not in BUILTINS and name not in QUANTIFIERS:
                continue
            language = program.composition.language_of(program.spans[name].path)
            if name in (*builtins(language), *words(language).quantifiers) and reviewed.may_report_unused(
                section, name
            ):
                text = f"{name!r} hides the built-in function of that name"
                help_ = "choose another id, so that they cannot be confused"
                yield Problem("P0465", text, program.spans[name], help_, (), "warning")
