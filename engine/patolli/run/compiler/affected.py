"""Return which invariants a block of a rule may break, so that the native engine evaluates no others after a choice.

In:     the invariants of a program, and the effects that a block carries out.
Out:    sets of invariants as the bits of a number, and a statement that adds one to those that are due.

The summary of an invariant says what it reads, the summary of an effect what it may write, with all that it calls. A
block therefore says at its beginning which invariants are due when the next question comes up. It may say too many.
"""

from __future__ import annotations

import ast
from collections import defaultdict

from patolli.language.program import effects as e
from patolli.language.program.model import Program
from patolli.language.program.node import Location, walk
from patolli.language.program.summaries import Summaries
from patolli.run.compiler import build as b

BITS = 48
"""How many bits there are: a small number of the native engine has room for them.

If a program has more invariants, some of them share a bit."""
EVERY = (1 << BITS) - 1


class Affected:
    """Knows which invariants of a program read what effects write."""

    def __init__(self, program: Program, summaries: Summaries) -> None:
        """Find out what each invariant reads."""
        self._rules, self._summaries = program.rules, summaries
        self._readers: dict[Location, int] = defaultdict(int)
        for number, (condition, _) in enumerate(program.invariants.values()):
            for location in summaries.reads(condition):
                self._readers[location] |= bit_of(number)

    def by_all_of(self, effect: e.Effect) -> int:
        """Return the invariants that an effect may break, with all inside it and all that it calls."""
        found = self._reading(self._summaries.of(effect).writes)
        for node in walk(effect):
            if isinstance(node, e.CallRule) and node.rule not in self._rules:  # the body of a rule with triggers
                found |= self._reading(self._summaries.rules[node.rule.rstrip("#")].writes)
        return found

    def by_itself(self, effect: e.Effect) -> int:
        """Return the invariants that an effect may break, without the effects inside it and rules on frames."""
        return self._reading(self._summaries.written_by(effect))

    def _reading(self, written: frozenset[Location]) -> int:
        found = 0
        for location in written:
            found |= self._readers.get(location, 0)
        return found


def bit_of(number: int) -> int:
    """Return the bit of an invariant by its number."""
    return 1 << number % BITS


def mark_due(invariants: int) -> ast.stmt:
    """Return the statement that adds invariants to those that are due."""
    return ast.AugAssign(b.store(b.item("due", 0)), ast.BitOr(), b.const(invariants))
