"""Check that looking ahead is possible: what is carried out for it asks no question, and draws nothing at random.

In:     a program and its summaries.
Out:    nothing but problems.
Errors: P0485.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.proofs.causes import head
from patolli.check.proofs.parameters import trees
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Program
from patolli.language.program.node import declaration, walk
from patolli.language.program.summaries import Summaries

_HELP = "make the choice or draw a parameter of the rule"


def ahead_of_questions(program: Program, summaries: Summaries) -> Iterator[Problem]:
    """Yield what looks ahead with a rule that would ask, or draw at random."""
    for node in walk(*trees(program)):
        if isinstance(node, x.After):
            summary = summaries.rules[node.rule]
            for found, words in ((summary.asks, "asks a player"), (summary.draws, "draws at random")):
                if found:
                    where = _first(program, summaries, node.rule, asking=words == "asks a player")
                    also = ((where, "it is done here"),) if where is not None else ()
                    what = f"{node.rule!r} {words}, so the position after it is unknown"
                    yield Problem("P0485", what, node.span, _HELP, also)


def _first(program: Program, summaries: Summaries, rule: str, *, asking: bool) -> Span | None:
    """Return where a rule, or one that it carries out, first does so itself."""
    for name in (rule, *sorted(summaries.list_reachable_rules(rule))):
        for node in walk(program.rules[name].block):
            if not isinstance(node, e.Effect):
                continue
            if (_asks_itself(summaries, node)) if asking else declaration(node).draws:
                return head(node)
    return None


def _asks_itself(summaries: Summaries, effect: e.Effect) -> bool:
    return summaries.asks(effect) and not summaries.list_called_rules(effect)
