"""Stand in for proofs: what can be seen of a program at a glance.

Everything that is demanded is looked at while a match runs, and numbers are taken to be no less than 0 only where their
parts are.
"""

from __future__ import annotations

from patolli.program import expressions as x
from patolli.program.model import Items, Program, Table, Value
from patolli.program.preconditions import ALWAYS, Demand, Preconditions
from patolli.program.summaries import Summaries

_COUNTS = frozenset({"size", "number", "abs"})


class Unproven:
    """What is known of a program of which nothing was proven."""

    def __init__(self, program: Program) -> None:
        """Find out which rules demand anything."""
        self.program = program
        self._facts: dict[tuple[str, str], bool] = {}
        summaries = Summaries(program)
        self.preconditions = Preconditions(summaries, _demanding(program, summaries).__contains__)

    def pruned(self, demand: Demand) -> Demand:
        """Return the whole demand."""
        return demand

    def never_negative(self, expr: x.Expr) -> bool:
        """Tell whether a number cannot be below 0."""
        match expr:
            case x.Number():
                return expr.value >= 0
            case x.Seats() | x.Quantifier(op="count") | x.Whole(op="count"):
                return True
            case x.OptionValue():
                return self.program.chosen[expr.option] >= 0
            case x.CounterAt():
                return self.program.counters[expr.counter].low >= 0
            case x.Have():
                return all(self.program.counters[counter].low >= 0 for counter in expr.counters)
            case x.FactOf():
                return self._fact(expr.kind, expr.fact)
            case x.Arithmetic(op="+" | "*" | "div"):
                return self.never_negative(expr.left) and self.never_negative(expr.right)
            case x.Arithmetic(op="mod"):
                return self.never_negative(expr.right)
            case x.IfElse():
                return self.never_negative(expr.then) and self.never_negative(expr.other)
            case x.BuiltinCall(builtin="min"):
                return all(map(self.never_negative, expr.arguments))
            case x.BuiltinCall(builtin="max"):
                return any(map(self.never_negative, expr.arguments))
            case x.BuiltinCall():
                return expr.builtin in _COUNTS
        return False

    def _fact(self, kind: str, fact: str) -> bool:
        """Tell whether a fact is a written number of at least 0 for every piece."""
        if (kind, fact) not in self._facts:
            declared = self.program.kinds[kind]
            values = [design.facts.get(fact, declared.facts[fact].default) for design in declared.designs]
            self._facts[kind, fact] = declared.members is None and all(map(_not_negative, values))
        return self._facts[kind, fact]


def _not_negative(value: Value) -> bool:
    match value:
        case x.Number():
            return value.value >= 0
        case Table():
            return all(map(_not_negative, value.rows.values()))
        case Items() | str() | None | x.Expr():
            return False


def _demanding(program: Program, summaries: Summaries) -> set[str]:
    """Return the rules whose beginning demands anything: the least set that is right of all rules together."""
    found: set[str] = set()
    callers: dict[str, set[str]] = {}
    for rule in program.rules.values():
        for name in summaries.rules[rule.name].runs:
            callers.setdefault(name, set()).add(rule.name)
    open_ = set(program.rules)
    while open_:
        known = Preconditions(summaries, found.__contains__)
        new = {name for name in sorted(open_) if known.of(program.rules[name].block) is not ALWAYS}
        found |= new
        open_ = {caller for name in new for caller in callers.get(name, ())} - found
    return found
