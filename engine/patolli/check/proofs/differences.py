"""Numbers as differences: what is known of them, and the consequences.

In:     differences ``left - right >= least`` between two *terms*, or a term and nothing (None).
Out:    bounds of terms, and whether one number is another plus some, or more.

A term is an expression that is no sum with a constant. Bounds follow from differences and from the declarations by
repeated relaxing; stopping early only loses precision. A counter that goes up or down by a known amount shifts its
differences instead of ending them.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from patolli.check.proofs.domain import Domain
from patolli.check.proofs.intervals import UNKNOWN, Interval, Range, exactly
from patolli.check.proofs.known import Known
from patolli.check.proofs.terms import key, substitute_variables
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.node import Location
from patolli.language.program.summaries import Summaries

ROUNDS = 6
"""How often bounds are passed on between terms; each round follows chains of differences one step further."""
MOST, KEPT = 60, 35
"""The most differences at one place, and how many of them, the newest, remain when there are more. Solving them takes
time by their number, again for each that is learned; the shipped packs need 22."""
Term = Hashable
Edge = tuple[tuple[Hashable | None, Hashable | None], int]
"""Two terms, and what the first is at least more than the second."""
Reads = frozenset[Location]


@dataclass(slots=True)
class Differences(Known):
    """What is known of numbers at one place."""

    domain: Domain
    summaries: Summaries
    aliases: dict[x.Variable, x.Expr] = field(default_factory=dict)  # made of other variables alone
    meanings: dict[x.Variable, x.Expr] = field(default_factory=dict)  # what a variable was taken from, while it holds
    terms: dict[Term, x.Expr] = field(default_factory=dict)
    differences: dict[tuple[Term | None, Term | None], int] = field(default_factory=dict)
    ranges: dict[x.Variable, Range] = field(default_factory=dict)  # what the value of a variable may be
    dead: bool = False  # this place is never reached
    solved: dict[Term, Interval] | None = None
    declared: dict[Term, Interval] = field(
        default_factory=dict
    )  # of each term, what declarations say: as long as it is kept

    def key(self, expr: object) -> Hashable:
        """Return the key of an expression, with what variables stand for."""
        return key(expr, self.aliases)

    def reads(self, expr: x.Expr) -> Reads:
        """Return what an expression looks at, also through what its variables stand for."""
        own = self.summaries.read_by(expr)
        if not self.aliases:
            return own
        found = set(own)
        open_ = [v for kind, *rest in found if kind == "variable" for v in rest]
        while open_:
            meant = self.aliases.get(open_.pop())
            for location in self.summaries.read_by(meant) if meant is not None else ():
                if location not in found:
                    found.add(location)
                    open_ += location[1:] if location[0] == "variable" else ()
        return frozenset(found)

    def stands_for(self, variable: x.Variable) -> x.Expr | None:
        """Return the expression that a variable is another name for."""
        return self.aliases.get(variable) or self.meanings.get(variable)

    def range_of(self, variable: x.Variable) -> Range:
        """Return what the value of a variable may be, whatever has changed since the variable got it."""
        return self.ranges.get(variable, UNKNOWN)

    def limit_differences(self) -> None:
        """Forget the oldest differences, and terms that none is about, where there are too many."""
        if len(self.differences) > MOST:
            self.differences = dict(list(self.differences.items())[-KEPT:])
            named = {term for pair in self.differences for term in pair}
            self._keep_terms({term for term in self.terms if term in named})
            self.solved = None
            self.domain.forgotten = True

    def _keep_terms(self, kept: set[Term]) -> None:
        self.terms = {term: expr for term, expr in self.terms.items() if term in kept}
        self.declared = {term: bounds for term, bounds in self.declared.items() if term in kept}

    def spelt_out(self, expr: x.Expr) -> x.Expr | None:
        """Return an expression with what its variables were taken from, as long as that holds; None without such."""
        found = substitute_variables(expr, self.meanings) if self.meanings else expr
        return None if found is expr else found

    def linear(self, expr: x.Expr) -> tuple[x.Expr | None, int]:
        """Return the term of a number and the constant that is added to it."""
        match expr:
            case x.Number():
                return None, expr.value
            case x.Ranged():
                return self.linear(expr.of)
            case x.Arithmetic(op="+" | "-" as op):
                left, one = self.linear(expr.left)
                right, two = self.linear(expr.right)
                if right is None:
                    return left, one + two if op == "+" else one - two
                if left is None and op == "+":
                    return right, one + two
            case x.Local(variable=variable) if variable in self.aliases:
                return self.linear(self.aliases[variable])
            case x.FactOf(of=x.Local(variable=variable)) if isinstance(self.stands_for(variable), x.RecordOf):
                made = self.stands_for(variable)
                assert isinstance(made, x.RecordOf)
                return self.linear(made.get_value(expr.fact))
            case x.BuiltinCall(builtin="size", arguments=(of,)) | x.Whole(op="count", of=of):
                return self._count_items(expr, of)
        return expr, 0

    def _count_items(self, expr: x.Expr, of: x.Expr) -> tuple[x.Expr | None, int]:
        """Return the number of items of a list, for players in terms of how many there are."""
        seats = x.Seats(type=ty.INT, span=expr.span)
        match of:
            case x.Instances(kind="player") | x.BuiltinCall(builtin="turn_order"):
                return seats, 0
            case x.BuiltinCall(builtin="others"):
                return seats, -1
            case x.BuiltinCall(reordered_source=x.Expr() as inner):
                return self._count_items(x.BuiltinCall("size", (inner,), type=ty.INT, span=expr.span), inner)
            case x.Local(variable=variable) if variable in self.aliases:
                return self._count_items(expr, self.aliases[variable])
        return x.BuiltinCall("size", (of,), type=ty.INT, span=expr.span), 0

    def term(self, expr: x.Expr | None) -> Term | None:
        """Return the key of a term, and keep the term."""
        if expr is None:
            return None
        found = self.key(expr)
        self.terms.setdefault(found, expr)
        return found

    def at_least(self, left: x.Expr, right: x.Expr, least: int) -> None:
        """Learn that one number is another plus *least*, or more."""
        one, first = self.linear(left)
        two, second = self.linear(right)
        self._differ(self.term(one), self.term(two), least - first + second)

    def between(self, expr: x.Expr, bounds: Interval) -> None:
        """Learn that a number lies in an interval."""
        zero = x.Number(0, type=ty.INT, span=expr.span)
        if bounds.low is not None:
            self.at_least(expr, zero, bounds.low)
        if bounds.high is not None:
            self.at_least(zero, expr, -bounds.high)

    def _differ(self, left: Term | None, right: Term | None, least: int) -> None:
        if left == right:
            self.dead = self.dead or least > 0
            return
        old = self.differences.get((left, right))
        if old is None or least > old:
            self.differences[(left, right)] = least
            self.solved = None

    def solution(self) -> dict[Term, Interval]:
        """Return the bounds of all terms, which follow from differences and declarations."""
        if self.solved is None:
            self.solved = {}  # while it is computed, declarations alone count
            found = {t: self._find_declared_bounds(t) for pair in self.differences for t in pair if t is not None}
            for _ in range(ROUNDS):
                before = dict(found)
                for (left, right), least in self.differences.items():
                    low = exactly(0) if right is None else found[right]
                    high = exactly(0) if left is None else found[left]
                    if left is not None and low.low is not None:
                        found[left] = found[left].meet(Interval(low.low + least, None))
                    if right is not None and high.high is not None:
                        found[right] = found[right].meet(Interval(None, high.high - least))
                if found == before:
                    break
            self.solved = found
        return self.solved

    def _find_declared_bounds(self, term: Term) -> Interval:
        """Return the bounds of a term by declarations, and by what its variables were taken from when it was learned.

        They hold until a variable of it changes, which ends the term; what else it looks at stays within declarations.
        """
        if term not in self.declared:
            self.declared[term] = self.domain.number(self.terms[term], _Declared(self))
        return self.declared[term]

    def proves(self, left: x.Expr, right: x.Expr, least: int) -> bool:
        """Return whether one number is another plus *least*, or more."""
        if self.impossible():
            return True
        one, first = self.linear(left)
        two, second = self.linear(right)
        wanted = least - first + second
        low, high = self.domain.number(left, self).low, self.domain.number(right, self).high
        if low is not None and high is not None and low - high >= least:
            return True
        if isinstance(one, x.BuiltinCall) and one.builtin == "min":
            if all(self.proves(part, right, least - first) for part in one.arguments):
                return True
        elif (
            isinstance(two, x.BuiltinCall)
            and two.builtin == "max"
            and all(self.proves(left, part, least + second) for part in two.arguments)
        ):
            return True
        spelt_out = [self.spelt_out(side) for side in (left, right)]
        if any(side is not None for side in spelt_out) and self.proves(
            spelt_out[0] or left, spelt_out[1] or right, least
        ):
            return True
        start, goal = (self.key(term) if term is not None else None for term in (one, two))
        return self._path(start, goal, wanted, self._own(one, two, *self.terms.values()))

    def _own(self, *terms: x.Expr | None) -> list[Edge]:
        """Return differences that hold of terms by what they are: a rest is below its divisor, and so on."""
        found: list[Edge] = []
        for term in terms:
            match term:
                case x.Arithmetic(op="mod"):
                    low = self.domain.number(term.right, self).low
                    if low is not None and low > 0:
                        found.append(self._edge(term.right, term, 1))
                case x.BuiltinCall(builtin="min", arguments=parts):
                    found += [self._edge(part, term, 0) for part in parts]
                    found += self._own(*parts)
                case x.BuiltinCall(builtin="max", arguments=parts):
                    found += [self._edge(term, part, 0) for part in parts]
                    found += self._own(*parts)
                case x.Arithmetic(op="+" | "-"):
                    by = self.domain.number(term.right, self)
                    by = by if term.op == "+" else -by
                    found += [self._edge(term, term.left, by.low)] if by.low is not None else []
                    found += [self._edge(term.left, term, -by.high)] if by.high is not None else []
                case x.BuiltinCall(builtin="position", arguments=(of, _)):
                    found.append(self._edge(x.BuiltinCall("size", (of,), type=ty.INT, span=term.span), term, 1))
                case x.Quantifier(op="count", binders=(binder,)):
                    whole = x.BuiltinCall("size", (binder.source,), type=ty.INT, span=term.span)
                    found.append(self._edge(whole, term, 0))
                case x.Arithmetic(op="div"):  # what is not below 0 grows by no division
                    if self.domain.never_negative(term.left, self):
                        found.append(self._edge(term.left, term, 0))
        return found

    def _edge(self, left: x.Expr, right: x.Expr, least: int) -> Edge:
        """Return a difference between two numbers as one between their terms."""
        one, first = self.linear(left)
        two, second = self.linear(right)
        return (self.key(one) if one else None, self.key(two) if two else None), least - first + second

    def impossible(self) -> bool:
        """Return whether this place is never reached, because what would have to hold cannot."""
        if not self.dead:
            self.dead = any(
                b.low is not None and b.high is not None and b.low > b.high for b in self.solution().values()
            )
        return self.dead

    def _path(self, start: Term | None, goal: Term | None, wanted: int, own: list[Edge]) -> bool:
        """Return whether differences add up to *wanted* on some way from one term to another."""
        if start == goal:
            return wanted <= 0
        best: dict[Term | None, int] = {start: 0}
        solved = self.solution()
        edges = [*self.differences.items(), *own]
        edges += [((t, None), bound.low) for t, bound in solved.items() if bound.low is not None]
        edges += [((None, t), -bound.high) for t, bound in solved.items() if bound.high is not None]
        for _ in range(ROUNDS):
            moved = False
            for (left, right), least in edges:
                if left in best and best[left] + least > best.get(right, best[left] + least - 1):
                    best[right] = best[left] + least
                    moved = True
            if not moved:
                break
        return goal in best and best[goal] >= wanted

    def _eliminate(self, lost: set[Term]) -> None:
        """Forget terms; their consequences for others remain."""
        kept = {t: bound for t, bound in self.solution().items() if t not in lost}
        found = {pair: least for pair, least in self.differences.items() if pair[0] not in lost and pair[1] not in lost}
        for middle in lost:
            into = [(a, k) for (a, b), k in self.differences.items() if b == middle and a not in lost]
            out = [(b, k) for (a, b), k in self.differences.items() if a == middle and b not in lost]
            for a, first in into:
                for b, second in out:
                    if a != b and first + second > found.get((a, b), first + second - 1):
                        found[(a, b)] = first + second
        self.differences = found
        self._keep_terms(self.terms.keys() - lost)
        self.solved = None
        for t, bound in kept.items():
            if t in self.terms:
                if bound.low is not None:
                    self._differ(t, None, bound.low)
                if bound.high is not None:
                    self._differ(None, t, -bound.high)

    def _reading(self, counter: str) -> dict[Term, bool]:
        """Return the terms that read a counter, and whether each is that counter itself, of any player."""
        return {
            t: isinstance(expr, x.CounterAt) and expr.counter == counter and not self._indexed_by(expr, counter)
            for t, expr in self.terms.items()
            if ("counter", counter) in self.reads(expr)
        }

    def _indexed_by(self, expr: x.CounterAt, counter: str) -> bool:
        return any(("counter", counter) in self.reads(index) for index in expr.indices)

    def _shift_difference(
        self, left: Term | None, right: Term | None, least: int, mine: Hashable, touched: dict[Term, bool],
        by: Interval, exact: bool,
    ) -> int | None:  # fmt: skip
        """Return what remains of a difference when a counter has changed; None where nothing does."""
        for side, grows in ((left, True), (right, False)):
            if side is None or side not in touched:
                continue
            if not touched[side]:
                return None
            moved = by if grows else -by
            if side == mine and exact:
                if moved.low is None:
                    return None
                least += moved.low
            elif moved.low is None or moved.low < 0:
                return None
        return least


class _Declared(Known):
    """What counts while differences are solved: what variables stand for."""

    def __init__(self, facts: Differences) -> None:
        self.facts = facts

    def stands_for(self, variable: x.Variable) -> x.Expr | None:
        """Return the expression that a variable is another name for."""
        return self.facts.aliases.get(variable) or self.facts.meanings.get(variable)

    def range_of(self, variable: x.Variable) -> Range:
        """Return what the value of a variable may be."""
        return self.facts.range_of(variable)
