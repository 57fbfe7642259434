"""Demands: what has to hold when a match comes to a place, or the match fails there.

Each demand is proven, refuted (it fails whenever a match comes to it) or open. A refuted one is an error. An open one
passes validation, because every match checks it; in packs that want full proofs it is an error, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Program
from patolli.language.program.node import Node, walk

CLAIMS = {
    "P0401": "this can be paid",
    "P0402": "there is something to choose",
    "P0404": "the rule is possible here",
    "P0405": "one of the options is possible",
    "P0414": "this is not 0",
    "P0415": "the index lies inside the list or row",
    "P0416": "the spot is free",
    "P0417": "the number lies in the range of its field",
    "P0418": "there is something to draw from",
    "P0486": "the rule is possible here",
    "P0491": "there is exactly one item",
}
"""By code, what has to hold."""


def open_problem(
    code: str, message: str, span: Span, help_: str = "", also: tuple[tuple[Span, str], ...] = ()
) -> Problem:
    """Return the problem of a demand that is neither proven nor refuted."""
    return Problem(code, message, span, help_, also, "open")


def promises_of(program: Program) -> Iterator[tuple[str, str, e.Expect | x.Promised]]:
    """Yield all promises of a program, with the section and the id of the entry in which they stand."""
    entries: list[tuple[str, str, tuple[Node, ...]]] = [
        *(("rules", name, tuple(rule.block)) for name, rule in program.rules.items()),
        *(("functions", name, (function.body,)) for name, function in program.functions.items()),
    ]
    for section, name, nodes in entries:
        for node in walk(nodes):
            if isinstance(node, e.Expect | x.Promised):
                yield section, name.partition("'")[0], node


def report_open(problem: Problem) -> Problem:
    """Word the problem of an open demand for packs that leave demands to matches; others stay as they are."""
    if problem.severity != "open":
        return problem
    message = f"could not be proven: {CLAIMS[problem.code]} ({problem.message})"
    help_ = f"each match checks it; to make sure, {problem.help}, or promise it with 'expect'"
    return replace(problem, message=message, help=help_)


def require_proof(problem: Problem) -> Problem:
    """Make an error of an open demand, for packs that want full proofs; other problems stay as they are."""
    return replace(problem, severity="error") if problem.severity == "open" else problem
