"""What is known at one place of a rule, and when it ends.

In:     conditions that were tested, values that were named, and changes of the state, in the order of the rule.
Out:    bounds of numbers, conditions that hold, lists that are not empty.

A fact is kept with the locations that it reads, and lives exactly until one of them may have been written. That is
sound because an expression depends on nothing but what it reads: where no location of a fact is written, evaluating it
again gives what it gave. ``forget`` must therefore be called with everything that may have been written, on every path
from the place where a fact was learned to the one where it is used; ``flow`` does that, with the summaries.

What is known of numbers stands in ``differences``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from patolli.check.proofs.differences import Differences, Reads, Term
from patolli.check.proofs.intervals import ANY, UNKNOWN, Interval, Limits, Range
from patolli.check.proofs.terms import is_large, key, substitute_variables
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.logic import NEGATED
from patolli.language.program.node import Location, walk

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
LEARNED = 100
"""How many conditions may follow from one that is learned: what variables stand for may name each other twice, too."""
MOST, KEPT = 200, 150
"""The most conditions at one place, and the most lists; and how many, the newest, remain when there are more."""
VARIABLES = 60
"""The most variables at one place whose values are known; of more, the oldest half is forgotten."""
Open = tuple[x.Logic | x.IfElse | x.Quantifier, bool, Reads]
"""A condition of several parts, or about all items of a list; whether it holds, and what it reads."""


@dataclass(frozen=True, slots=True)
class Some:
    """A list that is not empty: some ``variable`` of ``source`` satisfies ``where``."""

    source: Hashable
    variable: x.Variable | None
    where: x.Expr | None
    reads: Reads


@dataclass(slots=True)
class Facts(Differences):
    """What holds at one place. A copy shares nothing that changes."""

    literals: dict[Hashable, Reads] = field(default_factory=dict)
    lists: list[Some] = field(default_factory=list)
    open: list[Open] = field(default_factory=list)  # of several parts one holds, not known which
    learning: int = 0  # how many conditions were learned since the outermost one

    def copy(self) -> Facts:
        """Return the same facts, to go on with apart."""
        return Facts(
            self.domain, self.summaries, dict(self.aliases), dict(self.meanings), dict(self.terms),
            dict(self.differences), dict(self.ranges), self.dead, self.solved, dict(self.declared),
            dict(self.literals), list(self.lists), list(self.open),
        )  # fmt: skip

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

    def assuming(self, condition: x.Expr, holds: bool = True) -> Facts:
        """Return the facts where a condition holds, or does not."""
        inner = self.copy()
        inner.learn(condition, holds)
        return inner

    def behind(self, after: x.After) -> Facts:
        """Return the facts behind a rule that is carried out to look ahead, for the value that is looked at there."""
        inner = self.copy()
        for one in after.given:
            inner.name(one.variable, one.source)
        inner.forget(self.summaries.rules[after.rule].writes)
        return inner

    # -- learning

    def learn(self, condition: x.Expr, holds: bool = True) -> None:
        """Take a condition for true, or for false, and the consequences together with others."""
        outermost = not self.learning
        if self.learning > LEARNED:
            self.domain.forgotten = True
            return
        self.learning += 1
        self._learn(condition, holds)
        spelt_out = self.spelt_out(condition)
        if spelt_out is not None:
            self._learn(spelt_out, holds)
        for one in list(self.open):
            self._settle(one)
        if outermost:
            self.learning = 0
            self.limit()

    def limit(self) -> None:
        """Forget the oldest facts of each sort with too many."""
        self.limit_differences()
        variables = [known for known in (self.aliases, self.meanings) if len(known) > VARIABLES]
        if len(self.literals) <= MOST and len(self.lists) <= MOST and len(self.open) <= LEARNED and not variables:
            return
        self.domain.forgotten = True
        if len(self.literals) > MOST:
            self.literals = dict(list(self.literals.items())[-KEPT:])
        if len(self.lists) > MOST:
            del self.lists[:-KEPT]
        if len(self.open) > LEARNED:
            del self.open[: -LEARNED // 2]
        for known in variables:
            self.forget([("variable", variable) for variable in [*known][: VARIABLES // 2]])

    def _settle(self, one: Open) -> None:
        """See whether one part of ``a or b``, or of ``a if c else b``, is all that remains."""
        condition, holds, _ = one
        rest: list[tuple[x.Expr, bool]] = []
        if isinstance(condition, x.Logic):
            parts = (condition.left, condition.right)
            left = [part for part in parts if self.decide_condition(part) is not (not holds)]
            rest = [(left[0], holds)] if len(left) == 1 else []
        elif isinstance(condition, x.IfElse) and (chosen := self.decide_condition(condition.condition)) is not None:
            rest = [(condition.then if chosen else condition.other, holds)]
        if rest and one in self.open:
            self.open.remove(one)
            self.learn(*rest[0])

    def decide_condition(self, condition: x.Expr) -> bool | None:
        """Return whether a condition is known to hold, or not to, without looking far."""
        if isinstance(condition, x.Not):
            inner = self.decide_condition(condition.of)
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
                self._learn_comparison(
                    NEGATED[condition.op] if not holds else condition.op, condition.left, condition.right
                )
                return
            case x.IfElse() if condition.type == ty.BOOL:
                self._learn_conditional(condition, holds)
                self.open.append((condition, holds, self.reads(condition)))
            case x.Logic():
                self.open.append((condition, holds, self.reads(condition)))
            case x.Quantifier(op="all" | "any", binders=(_,)) if (condition.op == "all") == holds:
                self.open.append((condition, holds, self.reads(condition)))
        self._literal(condition, holds)
        if holds:
            self._learn_nonempty_list(condition)
            self._learn_of_start(condition)
        if isinstance(condition, x.FunctionCall):
            body = self.domain.inline_call(condition)
            if body is not None and _small(body):
                self.learn(body, holds)

    def _learn_conditional(self, condition: x.IfElse, holds: bool) -> None:
        """Learn from ``a if c else b`` where one of the two is plain."""
        if isinstance(condition.other, x.Truth) and condition.other.value != holds:
            self.learn(condition.condition)
            self.learn(condition.then, holds)
        elif isinstance(condition.then, x.Truth) and condition.then.value != holds:
            self.learn(condition.condition, False)
            self.learn(condition.other, holds)

    def _literal(self, condition: x.Expr, holds: bool = True) -> None:
        self.literals[(holds, self.key(condition))] = self.reads(condition)

    def _learn_comparison(self, op: str, left: x.Expr, right: x.Expr) -> None:
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
            self._learn_order(op, left, right)

    def _learn_order(self, op: str, left: x.Expr, right: x.Expr) -> None:
        match op:
            case ">=":
                self.at_least(left, right, 0)
            case ">":
                self.at_least(left, right, 1)
            case "<=" | "<":
                self._learn_order(MIRRORED[op], right, left)
            case "==":
                self.at_least(left, right, 0)
                self.at_least(right, left, 0)
            case "!=":
                if self.proves(left, right, 0):
                    self.at_least(left, right, 1)
                elif self.proves(right, left, 0):
                    self.at_least(right, left, 1)

    def _learn_nonempty_list(self, condition: x.Expr) -> None:
        """Learn that a list is not empty."""
        match condition:
            case x.Filled(of=of) | x.Whole(op="any", of=of):
                self.learn_nonempty(of)
            case x.Quantifier(op="any", binders=(binder,)):
                where = condition.where or condition.value
                if condition.where is not None and condition.value is not None:
                    where = x.Logic("and", condition.where, condition.value, type=ty.BOOL, span=condition.span)
                reads = self.reads(condition)
                self.lists.append(Some(self.key(binder.source), binder.variable, where, reads))
            case x.Present(of=x.Local(variable=variable) as local) if (meant := self.stands_for(variable)) is not None:
                self._chosen_from(local, meant)
            case x.Present(of=of):
                self._learn_presence(of)

    def instances(self, source: x.Expr, item: x.Expr) -> list[tuple[x.Expr, bool]]:
        """Return what is known of all items of a list, each said of one of them, and whether it holds."""
        every = [(one, holds) for one, holds, _ in self.open if isinstance(one, x.Quantifier)]
        found: list[tuple[x.Expr, bool]] = []
        for condition, holds in every:
            (binder,), parts = condition.binders, [p for p in (condition.where, condition.value) if p is not None]
            if len(parts) == 1 and self.key(binder.source) == self.key(source):
                found.append((substitute_variables(parts[0], {binder.variable: item}), holds))
        return found

    def _learn_of_start(self, condition: x.Expr) -> None:
        """Learn of a start what holds of all that is reachable from it; the start is the first item."""
        match condition:
            case x.Quantifier(op="all", binders=(x.Binder(variable=variable, source=source),), where=None, value=value):
                if isinstance(source, x.FunctionCall):
                    source = self.domain.inline_call(source) or source
                if value is not None and isinstance(source, x.BuiltinCall) and source.builtin == "reachable":
                    self.learn(substitute_variables(value, {variable: source.arguments[0]}))

    def _learn_presence(self, of: x.Expr) -> None:
        """Learn from a value that is there, which was taken from a list."""
        match of:
            case x.BuiltinCall(builtin="top", arguments=(source,)):
                self.learn_nonempty(source)
            case x.Whole(op="first" | "lowest" | "highest", of=source):
                self.learn_nonempty(source)
            case x.Quantifier(op="first" | "lowest" | "highest", binders=(binder,)):
                reads = self.reads(of)
                self.lists.append(Some(self.key(binder.source), binder.variable, of.where, reads))

    def _chosen_from(self, local: x.Local, meant: x.Expr) -> None:
        """Learn what holds of a variable that is there, and is the first item of a list that satisfies something."""
        match meant:
            case x.Quantifier(op="first" | "lowest" | "highest", binders=(binder,), value=None):
                self.learn(x.Compare("in", local, binder.source, type=ty.BOOL, span=meant.span))
                if meant.where is not None:
                    self.learn(substitute_variables(meant.where, {binder.variable: local}))
            case x.Whole(op="first" | "lowest" | "highest", of=source):
                self.learn(x.Compare("in", local, source, type=ty.BOOL, span=meant.span))

    def learn_nonempty(self, source: x.Expr) -> None:
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
        range_, own = self.domain.of(value, self), ("variable", variable) in self.reads(value)
        self.forget({("variable", variable)})
        if value.type != ty.INT:
            self.keep_range(variable, range_)
            if not own:
                self._means(variable, value)
            return
        local = x.Local(variable, type=ty.INT, span=value.span)
        if not own:
            self.at_least(local, value, 0)
            self.at_least(value, local, 0)
            self._parts(local, value)
        self.between(local, range_.number)
        self.limit()

    def keep_range(self, variable: x.Variable, range_: Range) -> None:
        """Learn what the value of a variable may be: that remains as long as the variable is not set."""
        if range_ != UNKNOWN:
            self.ranges[variable] = range_
        if len(self.ranges) > VARIABLES:
            self.ranges = dict(list(self.ranges.items())[-VARIABLES // 2 :])
            self.domain.forgotten = True

    def _means(self, variable: x.Variable, value: x.Expr) -> None:
        """Learn that a variable is a value that is no number.

        Made of variables alone it is another name for the same. What looks at the state may change while the variable
        stays, so what is known of the value now is kept for the variable itself.
        """
        small = not is_large(value, self.aliases, self.meanings)
        if small and all(location[0] == "variable" for location in self.summaries.read_by(value)):
            self.aliases[variable] = value
            return
        if small:
            self.meanings[variable] = value
        else:
            self.domain.forgotten = True
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
        self.ranges = {v: range_ for v, range_ in self.ranges.items() if ("variable", v) not in gone}

    def _ends(self, variable: x.Variable, expr: x.Expr, gone: Reads) -> bool:
        return ("variable", variable) in gone or bool(self.reads(expr) & gone)

    def note_change(self, at: x.CounterAt, by: Interval, limits: Limits) -> None:
        """Take note that a counter went up by a number (down, where it is below 0), kept within limits.

        Others of the same counter may be the same one: of them only what a change in this direction keeps remains.
        """
        before = self.domain.number(at, self)
        self._shift(at.counter, self.key(at), by, exact=limits.spare(before + by))
        after = limits.cut(before + by)
        if ("counter", at.counter) not in frozenset(r for i in at.indices for r in self.reads(i)):
            self.between(at, after)

    def grown(self, counter: str) -> None:
        """Take note that a counter may have gone up, of any player, and that none went down."""
        self._shift(counter, None, Interval(0, None), exact=False)

    def _shift(self, counter: str, mine: Hashable, by: Interval, *, exact: bool) -> None:
        """Move what is known of a counter; *mine* is the one that is known to change by just that, if *exact*."""
        shifted: dict[tuple[Term | None, Term | None], int] = {}
        touched = self._reading(counter)
        for (left, right), least in self.differences.items():
            new = self._shift_difference(left, right, least, mine, touched, by, exact)
            if new is not None:
                shifted[(left, right)] = new
        self.differences, self.solved = shifted, None
        gone = ("counter", counter)
        self.literals = {k: reads for k, reads in self.literals.items() if gone not in reads}
        self.lists = [one for one in self.lists if gone not in one.reads]
        self.open = [one for one in self.open if gone not in one[2]]
        self._unname(frozenset({gone}))

    # -- meeting

    def join(self, other: Facts) -> Facts:
        """Return what holds on both ways."""
        if self.dead or other.dead:
            return (other if self.dead else self).copy()
        found = Facts(self.domain, self.summaries)
        found.literals = {k: reads | other.literals[k] for k, reads in self.literals.items() if k in other.literals}
        found.aliases = {v: expr for v, expr in self.aliases.items() if other.aliases.get(v) == expr}
        found.meanings = {v: expr for v, expr in self.meanings.items() if other.meanings.get(v) == expr}
        found.ranges = {v: range_.join(other.ranges[v]) for v, range_ in self.ranges.items() if v in other.ranges}
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
        found.limit()
        return found


def _shape(one: Some) -> Hashable:
    if one.variable is None or one.where is None:
        return None
    return key(one.where, {}, {one.variable: 0})


def _small(expr: x.Expr) -> bool:
    return sum(1 for _ in walk(expr)) <= 60
