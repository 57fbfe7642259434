"""See that headings and causes are made from what everybody can see: they are told to all.

Errors: P0473.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.diagnostics import Problem
from patolli.program.model import Program
from patolli.program.summaries import Summaries

_HELP = "leave it out, or let everybody see what it is made from"


def betraying(program: Program, summaries: Summaries) -> Iterator[Problem]:
    """Yield the parts of headings and causes that look at something hidden."""
    for rule in program.rules.values():
        for part in rule.telling.values:
            if not summaries.reads(part).isdisjoint(program.concealed):
                words = "everybody would be told what only some can see"
                yield Problem("P0473", words, part.span, _HELP, ((rule.span, "the rule is here"),))
