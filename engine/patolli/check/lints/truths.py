"""Find conditions that are always true, or never, whatever happens in a match.

Only what the declarations of counters and fields say is counted on: a minimum, a maximum, a range; that a number of
things is not below 0; and what was asked just before, in the same condition or further up in the same ``if``. What a
constant, a fact, an option or the number of players happens to be counts for nothing, since these are there to be
changed, and so is a function. A truth that is said to be one, in an invariant, is no mistake either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.loops import unread
from patolli.check.lints.trees import blocks_of, conditions_outside, read_by
from patolli.check.proofs.conditions import Conditions
from patolli.check.proofs.declared import Declared
from patolli.check.proofs.domain import Domain
from patolli.check.proofs.facts import Facts
from patolli.check.proofs.intervals import NATURAL, Interval, Range
from patolli.check.proofs.known import NO_FACTS, Known
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Program
from patolli.language.program.node import Node, children
from patolli.language.program.summaries import Summaries

_OPEN = (x.ConstantNamed, x.FactOf, x.OptionValue, x.Seats, x.FunctionCall, x.CopyNumber)
"""What could easily be another number."""


class _Written(Declared):
    """Knows what is written at counters, and nothing that modules add to."""

    def counter(self, name: str) -> Interval:
        """Return the bounds of a counter; a maximum counts where it is written as a number."""
        counter = self.program.counters[name]
        begins = Domain(self.program).declared.start(counter)
        low = None if begins.low is None else min(begins.low, counter.low)
        most = counter.high.value if isinstance(counter.high, x.Number) else None
        above = most is None or begins.high is None or begins.high > most
        return Interval(low, None if above else most)

    def instances(self, kind: str) -> Interval:
        """Return nothing: modules add pieces."""
        return NATURAL

    def row(self, place: str) -> Interval:
        """Return nothing: rows get longer."""
        return NATURAL


class _Settled(Domain):
    """Knows of numbers what counters and fields declare, and nothing else."""

    declares = _Written

    def _of(self, expr: x.Expr, known: Known) -> Range:
        if isinstance(expr, _OPEN) and not (isinstance(expr, x.FactOf) and self.program.kinds[expr.kind].is_record):
            return Range()
        return super()._of(expr, known)

    def inline_call(self, call: x.FunctionCall) -> x.Expr | None:
        """Look into no function: it may be adjusted."""
        return None

    def length(self, expr: x.Expr, known: Known = NO_FACTS) -> Interval:
        """Return how long a list may be that is written out."""
        found = super().length(expr, known)
        return found if isinstance(expr, x.ListOf | x.Range) else NATURAL


class Judge(Conditions):
    """Finds what is true because of declarations alone."""

    def __init__(self, program: Program, summaries: Summaries) -> None:
        self.program, self.summaries = program, summaries
        self.domain = _Settled(program)
        self._depth = self._steps = 0

    def _can(self, condition: x.Can, facts: Facts) -> bool:
        return False


@check("P0461")
def settled_condition(reviewed: Reviewed) -> Iterator[Problem]:
    """Find conditions whose value is known."""
    judge = Judge(reviewed.program, reviewed.summaries)
    seen = _Seen(reviewed, judge)
    for block in blocks_of(reviewed.program):
        yield from seen.inside(block)
    for condition in conditions_outside(reviewed.program):
        yield from seen.condition(condition, judge.facts())
    yield from seen.inside(function.body for function in reviewed.program.functions.values())
    for part in (reviewed.program.wins, reviewed.program.among):
        if part is not None:
            yield from seen.condition(part.body, judge.facts())


class _Seen:
    """Goes through the trees of a program."""

    def __init__(self, reviewed: Reviewed, judge: Judge) -> None:
        self.reviewed, self.judge = reviewed, judge

    def inside(self, nodes: Iterable[Node]) -> Iterator[Problem]:
        """Yield what is known anywhere in some trees."""
        for node in nodes:
            if isinstance(node, e.If):
                yield from self._chain(node)
                continue
            for name in ("condition", "where", "when"):
                part = getattr(node, name, None)
                if isinstance(part, x.Expr):
                    yield from self.condition(part, self.judge.facts())
            yield from self.inside(children(node))

    def _chain(self, first: e.If) -> Iterator[Problem]:
        """Follow an ``if`` with its ``elif``s: each is asked where none before it held, and nothing is in between."""
        here, facts = first, self.judge.facts()
        while True:
            yield from self.condition(here.condition, facts)
            yield from self.inside((here.condition, *here.then))
            facts = facts.assuming(here.condition, False)
            if len(here.other) != 1 or not isinstance(here.other[0], e.If):
                break
            here = here.other[0]
        yield from self.inside(here.other)

    def condition(self, condition: x.Expr, facts: Facts) -> Iterator[Problem]:
        """Yield the parts of a condition whose value is known."""
        match condition:
            case x.Logic():
                chained = _is_chain(condition)
                found = [*self.condition(condition.left, facts)]
                yield from (one for one in found if not chained or "never" in one.message)
                yield from self.condition(condition.right, facts.assuming(condition.left, condition.op == "and"))
            case x.Not():
                yield from self.condition(condition.of, facts)
            case x.Present():
                return  # a second test of what was shown to be there does no harm
            case x.Quantifier(binders=binders) if unread(binders, read_by(condition.where, condition.value)):
                return  # a mistake of its own
            case _ if not self.reviewed.written_here(condition.span):
                return
            case _ if self.judge.fails(condition, facts):
                yield _problem(condition, "never")
            case _ if self.judge.holds(condition, facts):
                yield _problem(condition, "always")


def _is_chain(condition: x.Logic) -> bool:
    """Return whether both sides are a comparison with one middle, as in ``0 <= n <= 5``."""
    left, right = condition.left, condition.right
    return isinstance(left, x.Compare) and isinstance(right, x.Compare) and left.right == right.left


def _problem(condition: x.Expr, when: str) -> Problem:
    if when == "never":
        help_ = "what depends on it never happens; compare with a number that can be reached"
    else:
        help_ = "remove it, or compare with another number"
    return Problem("P0461", f"this is {when} true", condition.span, help_, (), "warning")
