"""What is known at one place of a rule, and when it ends.

In:     conditions that were tested, values that were named, and changes of the state, in the order of the rule.
Out:    bounds of numbers, conditions that hold, lists that are not empty.

A fact is kept with the locations that it reads, and lives exactly until one of them may have been written. That is
sound because an expression depends on nothing but what it reads: where no location of a fact is written, evaluating it
again gives what it gave. ``forget`` must therefore be called with everything that may have been written, on every path
from the place where a fact was learnt to the one where it is used; ``flow`` does that, with the summaries.

Numbers are kept as differences: ``left - right >= least`` between two *terms*, or a term and nothing (None). A term is
an expression that is no sum with a constant. Bounds follow from these and from the declarations by repeated relaxing;
stopping early only loses precision. A counter that goes up or down by a known amount shifts its differences instead of
ending them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from patolli.program import expressions as x
from patolli.program import types as ty
from patolli.program.node import Location, walk
from patolli.program.summaries import Summaries
from patolli.proofs.domain import Domain
from patolli.proofs.intervals import ANY, Interval, Limits, exactly
from patolli.proofs.terms import key, substituted

ROUNDS = 6
"""How often bounds are passed on between terms; each round follows chains of differences one step further."""
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in"}
Term = Hashable
Edge = tuple[tuple[Hashable | None, Hashable | None], int]
"""Two terms, and what the first is at least more than the second."""
Reads = frozenset[Location]


@dataclass(frozen=True, slots=True)
class Some:
    """A list that is not empty: some ``variable`` of ``source`` satisfies ``where``."""

    source: Hashable
    variable: x.Variable | None
    where: x.Expr | None
    reads: Reads


@dataclass(slots=True)
class Facts:
    """What holds at one place. A copy shares nothing that changes."""

    domain: Domain
    summaries: Summaries
    literals: dict[Hashable, Reads] = field(default_factory=dict)
    aliases: dict[x.Variable, x.Expr] = field(default_factory=dict)  # made of other variables alone
    meanings: dict[x.Variable, x.Expr] = field(default_factory=dict)  # what a variable was taken from, while it holds
    terms: dict[Term, x.Expr] = field(default_factory=dict)
    differences: dict[tuple[Term | None, Term | None], int] = field(default_factory=dict)
    lists: list[Some] = field(default_factory=list)
    open: list[tuple[x.Expr, bool, Reads]] = field(default_factory=list)  # of several parts one holds, not known which
    dead: bool = False  # this place is never reached
    solved: dict[Term, Interval] | None = None

    def copy(self) -> Facts:
        """Return the same facts, to go on with apart."""
        return Facts(
            self.domain, self.summaries, dict(self.literals), dict(self.aliases), dict(self.meanings),
            dict(self.terms), dict(self.differences), list(self.lists), list(self.open),
            self.dead, self.solved,
        )  # fmt: skip

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

    # -- what the domain asks

    def bounds(self, expr: x.Expr) -> Interval:
        """Return the bounds of a number that follow from facts."""
        if isinstance(expr, x.BuiltinCall) and expr.builtin == "position":
            item = ("in", self.key(expr.arguments[1]), self.key(expr.arguments[0]))
            return Interval(0, None) if item in self.literals else ANY
        if not self.differences or expr.type not in (ty.INT, ty.Maybe(ty.INT)):
            return ANY
        term, offset = self.linear(expr)
        if term is None or offset:
            return ANY
        return self.solution().get(self.key(term), ANY)

    def stands_for(self, variable: x.Variable) -> x.Expr | None:
        """Return the expression that a variable is another name for."""
        return self.aliases.get(variable) or self.meanings.get(variable)

    def spelt_out(self, expr: x.Expr) -> x.Expr | None:
        """Return an expression with what its variables were taken from, as long as that holds; None without such."""
        found = substituted(expr, self.meanings) if self.meanings else expr
        return None if found is expr else found

    def assuming(self, condition: x.Expr, holds: bool = True) -> Facts:
        """Return the facts where a condition holds, or does not."""
        inner = self.copy()
        inner.learn(condition, holds)
        return inner

    # -- numbers

    def linear(self, expr: x.Expr) -> tuple[x.Expr | None, int]:
        """Return the term of a number and the constant that is added to it."""
        match expr:
            case x.Number():
                return None, expr.value
            case x.Arithmetic(op="+" | "-" as op):
                left, one = self.linear(expr.left)
                right, two = self.linear(expr.right)
                if right is None:
                    return left, one + two if op == "+" else one - two
                if left is None and op == "+":
                    return right, one + two
            case x.Local(variable=variable) if variable in self.aliases:
                return self.linear(self.aliases[variable])
            case x.BuiltinCall(builtin="size", arguments=(of,)) | x.Whole(op="count", of=of):
                return self._counted(expr, of)
        return expr, 0

    def _counted(self, expr: x.Expr, of: x.Expr) -> tuple[x.Expr | None, int]:
        """Return the number of items of a list, for players in terms of how many there are."""
        seats = x.Seats(type=ty.INT, span=expr.span)
        match of:
            case x.Instances(kind="player") | x.BuiltinCall(builtin="turn_order"):
                return seats, 0
            case x.BuiltinCall(builtin="others"):
                return seats, -1
            case x.BuiltinCall(turned=x.Expr() as inner):
                return self._counted(x.BuiltinCall("size", (inner,), type=ty.INT, span=expr.span), inner)
            case x.Local(variable=variable) if variable in self.aliases:
                return self._counted(expr, self.aliases[variable])
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
            self.solved = {}  # while it is worked out, declarations alone count
            found = {t: self._declared(self.terms[t]) for pair in self.differences for t in pair if t is not None}
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

    def _declared(self, expr: x.Expr) -> Interval:
        return self.domain.number(expr, _Declared(self))

    def proves(self, left: x.Expr, right: x.Expr, least: int) -> bool:
        """Tell whether one number is another plus *least*, or more."""
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
                case x.Arithmetic(op="div"):
                    left, right = self.domain.number(term.left, self), self.domain.number(term.right, self)
                    if left.low is not None and left.low >= 0 and right.low is not None and right.low > 0:
                        found.append(self._edge(term.left, term, 0))
        return found

    def _edge(self, left: x.Expr, right: x.Expr, least: int) -> Edge:
        """Return a difference between two numbers as one between their terms."""
        one, first = self.linear(left)
        two, second = self.linear(right)
        return (self.key(one) if one else None, self.key(two) if two else None), least - first + second

    def impossible(self) -> bool:
        """Tell whether this place is never reached, because what would have to hold cannot."""
        if not self.dead:
            self.dead = any(
                b.low is not None and b.high is not None and b.low > b.high for b in self.solution().values()
            )
        return self.dead

    def _path(self, start: Term | None, goal: Term | None, wanted: int, own: list[Edge]) -> bool:
        """Tell whether differences add up to *wanted* on some way from one term to another."""
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

    # -- learning

    def learn(self, condition: x.Expr, holds: bool = True) -> None:
        """Take a condition for true, or for false, and what follows from that together with others."""
        self._learn(condition, holds)
        spelt_out = self.spelt_out(condition)
        if spelt_out is not None:
            self._learn(spelt_out, holds)
        for one in list(self.open):
            self._settle(one)

    def _settle(self, one: tuple[x.Expr, bool, Reads]) -> None:
        """See whether one part of ``a or b``, or of ``a if c else b``, is all that remains."""
        condition, holds, _ = one
        rest: list[tuple[x.Expr, bool]] = []
        if isinstance(condition, x.Logic):
            parts = (condition.left, condition.right)
            left = [part for part in parts if self._decided(part) is not (not holds)]
            rest = [(left[0], holds)] if len(left) == 1 else []
        elif isinstance(condition, x.IfElse) and (chosen := self._decided(condition.condition)) is not None:
            rest = [(condition.then if chosen else condition.other, holds)]
        if rest and one in self.open:
            self.open.remove(one)
            self.learn(*rest[0])

    def _decided(self, condition: x.Expr) -> bool | None:
        """Return whether a condition is known to hold, or not to, without looking far."""
        if isinstance(condition, x.Not):
            inner = self._decided(condition.of)
            return None if inner is None else not inner
        if isinstance(condition, x.Compare):
            one, two = self.key(condition.left), self.key(condition.right)
            if (condition.op, one, two) in self.literals:
                return True
            return False if (NEGATED[condition.op], one, two) in self.literals else None
        found = self.key(condition)
        return True if (True, found) in self.literals else False if (False, found) in self.literals else None

    def _learn(self, condition: x.Expr, holds: bool) -> None:
        match condition:
            case x.Not():
                self.learn(condition.of, not holds)
                return
            case x.Truth():
                self.dead = self.dead or condition.value != holds
                return
            case x.Logic() if (condition.op == "and") == holds:
                self.learn(condition.left, holds)
                self.learn(condition.right, holds)
                return
            case x.Local(variable=variable) if variable in self.aliases:
                self.learn(self.aliases[variable], holds)
                return
            case x.Compare():
                self._compared(NEGATED[condition.op] if not holds else condition.op, condition.left, condition.right)
                return
            case x.IfElse() if condition.type == ty.BOOL:
                self._chosen(condition, holds)
                self.open.append((condition, holds, self.reads(condition)))
            case x.Logic():
                self.open.append((condition, holds, self.reads(condition)))
        self._literal(condition, holds)
        if holds:
            self._listed(condition)
        if isinstance(condition, x.FunctionCall):
            body = self.domain.inlined(condition)
            if body is not None and _small(body):
                self.learn(body, holds)

    def _chosen(self, condition: x.IfElse, holds: bool) -> None:
        """Learn from ``a if c else b`` where one of the two is plain."""
        if isinstance(condition.other, x.Truth) and condition.other.value != holds:
            self.learn(condition.condition)
            self.learn(condition.then, holds)
        elif isinstance(condition.then, x.Truth) and condition.then.value != holds:
            self.learn(condition.condition, False)
            self.learn(condition.other, holds)

    def _literal(self, condition: x.Expr, holds: bool = True) -> None:
        self.literals[(holds, self.key(condition))] = self.reads(condition)

    def _compared(self, op: str, left: x.Expr, right: x.Expr) -> None:
        one, two, reads = self.key(left), self.key(right), self.reads(left) | self.reads(right)
        self.literals[(op, one, two)] = reads
        if op in MIRRORED:
            self.literals[(MIRRORED[op], two, one)] = reads
        elif op == "in":
            self.lists.append(Some(two, None, None, reads))
            if isinstance(right.type, ty.Seq) and not isinstance(right, x.Range):
                size = x.BuiltinCall("size", (right,), type=ty.INT, span=right.span)
                self.at_least(size, x.Number(0, type=ty.INT, span=right.span), 1)
            if isinstance(right, x.Range):
                self.at_least(left, right.low, 0)
                self.at_least(right.high, left, 0)
        if left.type == ty.INT and right.type == ty.INT:
            self._ordered(op, left, right)

    def _ordered(self, op: str, left: x.Expr, right: x.Expr) -> None:
        match op:
            case ">=":
                self.at_least(left, right, 0)
            case ">":
                self.at_least(left, right, 1)
            case "<=" | "<":
                self._ordered(MIRRORED[op], right, left)
            case "==":
                self.at_least(left, right, 0)
                self.at_least(right, left, 0)
            case "!=":
                if self.proves(left, right, 0):
                    self.at_least(left, right, 1)
                elif self.proves(right, left, 0):
                    self.at_least(right, left, 1)

    def _listed(self, condition: x.Expr) -> None:
        """Learn that a list is not empty."""
        match condition:
            case x.Filled(of=of) | x.Whole(op="any", of=of):
                self.filled(of)
            case x.Quantifier(op="any", binders=(binder,)):
                parts = [p for p in (condition.where, condition.value) if p is not None]
                where = parts[0] if len(parts) == 1 else None
                if len(parts) == 2:
                    where = x.Logic("and", parts[0], parts[1], type=ty.BOOL, span=condition.span)
                reads = self.reads(condition)
                self.lists.append(Some(self.key(binder.source), binder.variable, where, reads))
            case x.Present(of=x.Local(variable=variable) as local) if (meant := self.stands_for(variable)) is not None:
                self._chosen_from(local, meant)
            case x.Present(of=of):
                self._found(of)

    def _found(self, of: x.Expr) -> None:
        """Learn from a value that is there, which was taken from a list."""
        match of:
            case x.BuiltinCall(builtin="top", arguments=(source,)):
                self.filled(source)
            case x.Whole(op="first" | "lowest" | "highest", of=source):
                self.filled(source)
            case x.Quantifier(op="first" | "lowest" | "highest", binders=(binder,)):
                reads = self.reads(of)
                self.lists.append(Some(self.key(binder.source), binder.variable, of.where, reads))

    def _chosen_from(self, local: x.Local, meant: x.Expr) -> None:
        """Learn what holds of a variable that is there, and is the first item of a list that satisfies something."""
        match meant:
            case x.Quantifier(op="first" | "lowest" | "highest", binders=(binder,), value=None):
                self.learn(x.Compare("in", local, binder.source, type=ty.BOOL, span=meant.span))
                if meant.where is not None:
                    self.learn(substituted(meant.where, {binder.variable: local}))
            case x.Whole(op="first" | "lowest" | "highest", of=source):
                self.learn(x.Compare("in", local, source, type=ty.BOOL, span=meant.span))

    def filled(self, source: x.Expr) -> None:
        """Learn that a list is not empty."""
        reads = self.reads(source)
        if isinstance(source, x.Quantifier) and source.op in ("list", "sorted") and len(source.binders) == 1:
            binder = source.binders[0]
            self.lists.append(Some(self.key(binder.source), binder.variable, source.where, reads))
        self.lists.append(Some(self.key(source), None, None, reads))
        if isinstance(source.type, ty.Seq):
            size = x.BuiltinCall("size", (source,), type=ty.INT, span=source.span)
            self.at_least(size, x.Number(0, type=ty.INT, span=source.span), 1)

    def name(self, variable: x.Variable, value: x.Expr) -> None:
        """Learn that a variable is a value now.

        A number is bound by differences, which outlive what it was made of; anything else stands for its expression.
        """
        bounds, own = self.domain.number(value, self), ("variable", variable) in self.reads(value)
        self.forget({("variable", variable)})
        if value.type != ty.INT:
            if not own:
                self._means(variable, value)
            return
        local = x.Local(variable, type=ty.INT, span=value.span)
        if not own:
            self.at_least(local, value, 0)
            self.at_least(value, local, 0)
            self._parts(local, value)
        self.between(local, bounds)

    def _means(self, variable: x.Variable, value: x.Expr) -> None:
        """Learn that a variable is a value that is no number.

        Made of variables alone it is another name for the same. What looks at the state may change while the variable
        stays, so what is known of the value now is kept for the variable itself.
        """
        if all(location[0] == "variable" for location in self.summaries.read_by(value)):
            self.aliases[variable] = value
            return
        self.meanings[variable] = value
        local = x.Local(variable, type=value.type, span=value.span)
        if isinstance(value.type, ty.Seq):
            sizes = [x.BuiltinCall("size", (of,), type=ty.INT, span=value.span) for of in (local, value)]
            self.at_least(sizes[0], sizes[1], 0)
            self.at_least(sizes[1], sizes[0], 0)
            self.between(sizes[0], self.domain.length(value, self))
        for made in (x.Filled, x.Present):
            if (True, self.key(made(value, type=ty.BOOL, span=value.span))) in self.literals:
                self._learn(made(local, type=ty.BOOL, span=value.span), True)

    def _parts(self, local: x.Expr, value: x.Expr) -> None:
        """Learn how the least or greatest of some numbers compares with each of them."""
        if isinstance(value, x.BuiltinCall) and value.builtin in ("min", "max"):
            for part in value.arguments:
                pair = (part, local) if value.builtin == "min" else (local, part)
                self.at_least(*pair, 0)

    def between(self, expr: x.Expr, bounds: Interval) -> None:
        """Learn that a number lies in an interval."""
        zero = x.Number(0, type=ty.INT, span=expr.span)
        if bounds.low is not None:
            self.at_least(expr, zero, bounds.low)
        if bounds.high is not None:
            self.at_least(zero, expr, -bounds.high)

    # -- forgetting

    def forget(self, written: Iterable[Location]) -> None:
        """End every fact that reads something that may have been written."""
        gone = frozenset(written)
        if not gone:
            return
        self.literals = {k: reads for k, reads in self.literals.items() if not reads & gone}
        self.lists = [one for one in self.lists if not one.reads & gone]
        self.open = [one for one in self.open if not one[2] & gone]
        lost = {t for t, expr in self.terms.items() if self.reads(expr) & gone}
        if lost:
            self._eliminate(lost)
        self._unname(gone)

    def _unname(self, gone: Reads) -> None:
        self.aliases = {v: expr for v, expr in self.aliases.items() if not self._ends(v, expr, gone)}
        self.meanings = {v: expr for v, expr in self.meanings.items() if not self._ends(v, expr, gone)}

    def _ends(self, variable: x.Variable, expr: x.Expr, gone: Reads) -> bool:
        return ("variable", variable) in gone or bool(self.reads(expr) & gone)

    def _eliminate(self, lost: set[Term]) -> None:
        """Forget terms; what follows from them for others remains."""
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
        self.terms = {t: expr for t, expr in self.terms.items() if t not in lost}
        self.solved = None
        for t, bound in kept.items():
            if t in self.terms:
                if bound.low is not None:
                    self._differ(t, None, bound.low)
                if bound.high is not None:
                    self._differ(None, t, -bound.high)

    def changed(self, at: x.CounterAt, by: Interval, limits: Limits) -> None:
        """Take note that a counter went up by a number (down, where it is below 0), kept within limits.

        Others of the same counter may be the same one: of them only what a change in this direction keeps remains.
        """
        mine, before = self.key(at), self.domain.number(at, self)
        exact = limits.spare(before + by)
        shifted: dict[tuple[Term | None, Term | None], int] = {}
        touched = self._reading(at.counter)
        for (left, right), least in self.differences.items():
            new = self._shifted(left, right, least, mine, touched, by, exact)
            if new is not None:
                shifted[(left, right)] = new
        self.differences, self.solved = shifted, None
        after = limits.cut(before + by)
        self.literals = {k: reads for k, reads in self.literals.items() if ("counter", at.counter) not in reads}
        self.lists = [one for one in self.lists if ("counter", at.counter) not in one.reads]
        self.open = [one for one in self.open if ("counter", at.counter) not in one[2]]
        self._unname(frozenset({("counter", at.counter)}))
        if ("counter", at.counter) not in frozenset(r for i in at.indices for r in self.reads(i)):
            self.between(at, after)

    def _reading(self, counter: str) -> dict[Term, bool]:
        """Return the terms that read a counter, and whether each is that counter itself, somebody's."""
        return {
            t: isinstance(expr, x.CounterAt) and expr.counter == counter and not self._indexed_by(expr, counter)
            for t, expr in self.terms.items()
            if ("counter", counter) in self.reads(expr)
        }

    def _indexed_by(self, expr: x.CounterAt, counter: str) -> bool:
        return any(("counter", counter) in self.reads(index) for index in expr.indices)

    def _shifted(
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

    # -- meeting

    def join(self, other: Facts) -> Facts:
        """Return what holds on both ways."""
        if self.dead or other.dead:
            return (other if self.dead else self).copy()
        found = Facts(self.domain, self.summaries)
        found.literals = {k: reads | other.literals[k] for k, reads in self.literals.items() if k in other.literals}
        found.aliases = {v: expr for v, expr in self.aliases.items() if other.aliases.get(v) == expr}
        found.meanings = {v: expr for v, expr in self.meanings.items() if other.meanings.get(v) == expr}
        theirs = {(one.source, _shape(one)) for one in other.lists}
        found.lists = [one for one in self.lists if (one.source, _shape(one)) in theirs]
        found.terms = {**self.terms, **other.terms}
        mine, solved = self.solution(), other.solution()
        for pair, least in self.differences.items():
            if pair in other.differences:
                found.differences[pair] = min(least, other.differences[pair])
        for t in {**mine, **solved}:
            expr = found.terms[t]
            bounds = self.domain.number(expr, self).join(other.domain.number(expr, other))
            if bounds.low is not None:
                found._differ(t, None, bounds.low)
            if bounds.high is not None:
                found._differ(None, t, -bounds.high)
        return found


class _Declared:
    """What counts while differences are solved: what variables stand for."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def bounds(self, expr: x.Expr) -> Interval:
        """Know nothing."""
        return ANY

    def assuming(self, condition: x.Expr, holds: bool = True) -> _Declared:
        """Learn nothing."""
        return self

    def stands_for(self, variable: x.Variable) -> x.Expr | None:
        """Return the expression that a variable is another name for."""
        return self.facts.aliases.get(variable) or self.facts.meanings.get(variable)


def _shape(one: Some) -> Hashable:
    if one.variable is None or one.where is None:
        return None
    return key(one.where, {}, {one.variable: 0})


def _small(expr: x.Expr) -> bool:
    return sum(1 for _ in walk(expr)) <= 60
