"""Prove conditions from facts: that something holds, that something is there, that there is something to choose.

In:     a condition, a value or a list, and the facts at its place.
Out:    whether it holds, is there, or has an item in any case. No is always a safe answer.

Each rule below has the form "the wanted thing follows if ..", and looks only at facts that hold now, so what is proven
holds at that place in every match. What rules and payments demand is proven in ``prover``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import replace

from patolli.check.proofs.domain import Domain
from patolli.check.proofs.facts import Facts, Some
from patolli.check.proofs.parameters import bound_parameters
from patolli.check.proofs.terms import spelt_out, substitute_variables
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.logic import NEGATED, join_conditions, list_counted, list_extremes
from patolli.language.program.model import Program
from patolli.language.program.summaries import Summaries

DEEP = 6
"""How many rules, functions and conditions may stand inside each other in one proof."""
STEPS = 400
"""How many steps one proof may take, so that hostile packs are refused and not studied."""


class Conditions(ABC):
    """Proves the conditions of one program."""

    def __init__(self, program: Program, summaries: Summaries) -> None:
        self.program, self.summaries = program, summaries
        self.domain = Domain(program)
        bound_parameters(program, self.domain)
        self._depth = 0
        self._steps = 0

    def facts(self) -> Facts:
        """Return no facts."""
        return Facts(self.domain, self.summaries)

    def holds(self, condition: x.Expr, facts: Facts) -> bool:
        """Return whether a condition holds."""
        self._steps = 0
        return self._true(condition, facts, True)

    def fails(self, condition: x.Expr, facts: Facts) -> bool:
        """Return whether a condition does not hold."""
        self._steps = 0
        return self._true(condition, facts, False)

    def _true(self, condition: x.Expr, facts: Facts, wanted: bool) -> bool:
        if facts.impossible() or (wanted, facts.key(condition)) in facts.literals:
            return True
        self._steps += 1
        if self._depth > DEEP or self._is_spent():
            return False
        self._depth += 1
        try:
            if self._is_derivable(condition, facts, wanted):
                return True
            spelt_out = facts.spelt_out(condition)
            return spelt_out is not None and self._true(spelt_out, facts, wanted)
        finally:
            self._depth -= 1

    def _is_spent(self) -> bool:
        """Return whether a proof has taken all its steps, so that the rest is left out."""
        if self._steps > STEPS:
            self.domain.forgotten = True
        return self._steps > STEPS

    def _is_derivable(self, condition: x.Expr, facts: Facts, wanted: bool) -> bool:
        match condition:
            case x.Truth():
                return condition.value == wanted
            case x.Not():
                return self._true(condition.of, facts, not wanted)
            case x.Logic():
                left, right = condition.left, condition.right
                first = self._true(left, facts, wanted)
                if (condition.op == "and") == wanted:
                    return first and self._true(right, facts.assuming(left, wanted), wanted)
                # One of the two is enough, and where the other one is not what is wanted, more is known.
                return (
                    first
                    or self._true(right, facts.assuming(left, not wanted), wanted)
                    or self._true(left, facts.assuming(right, not wanted), wanted)
                )
            case x.Compare():
                op = condition.op if wanted else NEGATED[condition.op]
                asked = replace(condition, op=op)
                return self._compares(op, condition.left, condition.right, facts) or any(
                    self._has_some(*part, facts) for part in list_counted(asked, exactly=True)
                )
            case x.Present():
                return wanted and self.present(condition.of, facts)
            case x.Filled():
                return self.is_nonempty(condition.of, facts) if wanted else self.empty(condition.of, facts)
            case x.Local(variable=variable) if (meant := facts.stands_for(variable)) is not None:
                return self._true(meant, facts, wanted)
            case x.IfElse():
                then, other = facts.assuming(condition.condition), facts.assuming(condition.condition, False)
                return self._true(condition.then, then, wanted) and self._true(condition.other, other, wanted)
            case x.FunctionCall():
                body = self.domain.inline_call(condition)
                return body is not None and self._true(body, facts, wanted)
            case x.Whole(op="any", of=of):
                return self.is_nonempty(of, facts) if wanted else self.empty(of, facts)
            case x.Quantifier(op="any" | "all"):
                return self._is_quantifier_proven(condition, facts, wanted)
            case x.Naming() if (written := spelt_out(condition)) is not condition:
                return self._true(written, facts, wanted)
            case x.Promised():
                return self._true(condition.value, facts.assuming(condition.condition), wanted)
            case x.Can() if wanted:
                return self._can(condition, facts)
            case x.Payable() if wanted:
                return isinstance(condition.cost, x.NoValue)
        return False

    def _has_some(self, source: x.Expr, variable: x.Variable | None, where: x.Expr | None, facts: Facts) -> bool:
        """Return whether a list has an item that meets a condition."""
        if variable is None or where is None:
            return self.is_nonempty(source, facts)
        return self.some((x.Binder(variable, source, span=source.span),), [where], facts)

    def _is_quantifier_proven(self, condition: x.Quantifier, facts: Facts, wanted: bool) -> bool:
        """Prove ``any``, or ``all``, by an instance or by every one of them."""
        parts = [p for p in (condition.where, condition.value) if p is not None]
        if condition.op == "any" and wanted:
            return self.some(condition.binders, parts, facts)
        inner = self.bind_facts(condition.binders, facts)
        if condition.op == "all" and wanted and condition.value is not None:
            if condition.where is not None:
                inner.learn(condition.where)
            return self._true(condition.value, inner, True)
        if condition.op == "any":
            return any(self._true(part, inner, False) for part in parts) or any(
                self.empty(binder.source, facts) for binder in condition.binders
            )
        return False

    @abstractmethod
    def _can(self, condition: x.Can, facts: Facts) -> bool:
        """Prove that the beginning of a rule is possible."""

    def _compares(self, op: str, left: x.Expr, right: x.Expr, facts: Facts) -> bool:
        if (op, facts.key(left), facts.key(right)) in facts.literals:
            return True
        if left.type == ty.INT and right.type == ty.INT and op not in ("in", "not in"):
            return self._is_order_proven(op, left, right, facts)
        match op:
            case "==":
                return facts.key(left) == facts.key(right) and not isinstance(left.type, ty.Seq)
            case "!=":
                return self._differ(left, right, facts)
            case "in":
                return self._among(left, right, facts)
            case "not in":
                return self.empty(right, facts)
        return False

    def _is_order_proven(self, op: str, left: x.Expr, right: x.Expr, facts: Facts) -> bool:
        match op:
            case ">=":
                return facts.proves(left, right, 0)
            case ">":
                return facts.proves(left, right, 1)
            case "<=":
                return facts.proves(right, left, 0)
            case "<":
                return facts.proves(right, left, 1)
            case "==":
                return facts.proves(left, right, 0) and facts.proves(right, left, 0)
        return facts.proves(left, right, 1) or facts.proves(right, left, 1)

    def _differ(self, left: x.Expr, right: x.Expr, facts: Facts) -> bool:
        """Prove that two values differ: two ids of one kind, or a player and one of the others."""
        if isinstance(left, x.Instance) and isinstance(right, x.Instance):
            return left.kind == right.kind and left.id != right.id
        if isinstance(left, x.Choice) and isinstance(right, x.Choice):
            return left != right
        for one, two in ((left, right), (right, left)):
            others = x.BuiltinCall("others", (two,), type=ty.Seq(two.type), span=two.span)
            if ("in", facts.key(one), facts.key(others)) in facts.literals:
                return True
        return False

    def _among(self, item: x.Expr, of: x.Expr, facts: Facts) -> bool:
        match of:
            case x.Instances():
                return not isinstance(item.type, ty.Maybe) or self.present(item, facts)
            case x.ListOf():
                return any(facts.key(one) == facts.key(item) for one in of.items)
            case x.Range():
                return facts.proves(item, of.low, 0) and facts.proves(of.high, item, 0)
            case x.BuiltinCall(builtin="others", arguments=(who,)):
                return self._compares("!=", item, who, facts)
            case x.BuiltinCall(builtin="turn_order"):
                return True
        return False

    # -- what is there

    def present(self, value: x.Expr, facts: Facts) -> bool:
        """Return whether something is not none."""
        if (True, facts.key(x.Present(value, type=ty.BOOL, span=value.span))) in facts.literals:
            return True
        match value:
            case x.Local(variable=variable) if (meant := facts.stands_for(variable)) is not None:
                return self.present(meant, facts)
            case x.BuiltinCall(builtin="top", arguments=(source,)):
                return self.is_nonempty(source, facts)
            case x.Whole(op="first" | "lowest" | "highest", of=source):
                return self.is_nonempty(source, facts)
            case x.Quantifier(op="first" | "lowest" | "highest"):
                return self.some(value.binders, [value.where] if value.where is not None else [], facts)
            case x.Default():
                return self.present(value.right, facts) or self.present(value.left, facts)
        return not isinstance(value.type, ty.Maybe) and value.type not in (ty.NONE, ty.ANY)

    def is_nonempty(self, source: x.Expr, facts: Facts) -> bool:
        """Return whether a list is not empty."""
        low = self.domain.length(source, facts).low
        if low is not None and low > 0:
            return True
        wanted = facts.key(source)
        if any(one.source == wanted for one in facts.lists) or self._has_positive_count(source, facts):
            return True
        match source:
            case x.Local(variable=variable) if (meant := facts.stands_for(variable)) is not None:
                return self.is_nonempty(meant, facts)
            case x.Quantifier(op="list" | "sorted" | "distinct"):
                return self.some(source.binders, [source.where] if source.where is not None else [], facts)
            case x.BuiltinCall(reordered_source=x.Expr() as inner):
                return self.is_nonempty(inner, facts)
            case x.BuiltinCall(builtin="take", arguments=(inner, number)):
                one = x.Number(1, type=ty.INT, span=number.span)
                return self.is_nonempty(inner, facts) and facts.proves(number, one, 0)
            case x.BuiltinCall(builtin="combinations", arguments=(inner, least, most)):
                return self._enough(inner, least, facts) and facts.proves(most, least, 0)
            case x.IfElse():
                then, other = facts.assuming(source.condition), facts.assuming(source.condition, False)
                return self.is_nonempty(source.then, then) and self.is_nonempty(source.other, other)
            case x.FunctionCall() if (body := self.domain.inline_call(source)) is not None and self._depth < DEEP:
                self._depth += 1
                found = self.is_nonempty(body, facts)
                self._depth -= 1
                return found
            case x.Range():
                return facts.proves(source.high, source.low, 0)
        return False

    def _enough(self, items: x.Expr, least: x.Expr, facts: Facts) -> bool:
        """Return whether a list has at least so many items."""
        number = self.domain.number(least, facts)
        if number.high is not None and (number.high <= 0 or (number.high == 1 and self.is_nonempty(items, facts))):
            return True
        ways = [items]
        counts: list[x.Expr] = []
        if isinstance(items, x.Quantifier) and items.value is None:
            counts.append(replace(items, op="count", type=ty.INT))
            ways += [items.binders[0].source] if items.where is None else []
        for way in ways:
            counts += [
                x.BuiltinCall("size", (way,), type=ty.INT, span=way.span),
                x.Whole("count", way, type=ty.INT, span=way.span),
            ]
        return any(facts.proves(count, least, 0) for count in counts)

    def _has_positive_count(self, source: x.Expr, facts: Facts) -> bool:
        """Return whether facts say that a list has more than no items, by its number of items."""
        wanted = facts.key(source)
        return any(facts.key(of) == wanted for of, where in self._counts(facts) if where is None)

    def _counts(self, facts: Facts) -> Iterator[tuple[x.Expr, tuple[x.Variable, x.Expr] | None]]:
        """Yield the lists whose items are counted in facts, with the condition on the items."""
        for term, bound in facts.solution().items():
            if bound.low is None or bound.low < 1:
                continue
            match facts.terms[term]:
                case x.Whole(op="count", of=of) | x.BuiltinCall(builtin="size", arguments=(of,)):
                    yield of, None
                    if isinstance(of, x.Quantifier) and of.op in ("list", "sorted") and len(of.binders) == 1:
                        binder = of.binders[0]
                        yield binder.source, (binder.variable, of.where) if of.where is not None else None
                case x.Quantifier(op="count", binders=(binder,)) as counted:
                    yield binder.source, (binder.variable, counted.where) if counted.where is not None else None

    def empty(self, source: x.Expr, facts: Facts) -> bool:
        """Return whether a list is empty."""
        filled = x.Filled(source, type=ty.BOOL, span=source.span)
        return self.domain.length(source, facts).high == 0 or (False, facts.key(filled)) in facts.literals

    def bind_facts(self, binders: tuple[x.Binder, ...], facts: Facts) -> Facts:
        """Return the facts inside some binders: what each variable is taken from."""
        inner = facts.copy()
        for binder in binders:
            self.take(binder.variable, binder.source, inner)
        return inner

    def take(self, variable: x.Variable, source: x.Expr, facts: Facts) -> None:
        """Learn that a variable is now an item of a list."""
        facts.forget({("variable", variable)})
        item = source.type.of if isinstance(source.type, ty.Seq) else ty.ANY
        local = x.Local(variable, type=item, span=source.span)
        facts.learn(x.Compare("in", local, source, type=ty.BOOL, span=source.span))
        for known in facts.instances(source, local):
            facts.learn(*known)
        within = self.domain.of(source, facts).item
        if within is not None and item == ty.INT:
            facts.between(local, within.number)
        elif within is not None:
            facts.keep_range(variable, within)
        source = self._written_out(source, facts)
        if isinstance(source, x.Quantifier) and source.op in ("list", "sorted") and len(source.binders) == 1:
            if source.value is None and source.where is not None:
                facts.learn(substitute_variables(source.where, {source.binders[0].variable: local}))
            if source.value is None:
                inner = source.binders[0].source
                facts.learn(x.Compare("in", local, inner, type=ty.BOOL, span=source.span))

    def _written_out(self, source: x.Expr, facts: Facts) -> x.Expr:
        """Return what a list stands for: what its function computes, or what its variable was taken from."""
        for _ in range(DEEP):
            if isinstance(source, x.FunctionCall):
                meant = self.domain.inline_call(source)
            else:
                meant = facts.stands_for(source.variable) if isinstance(source, x.Local) else None
            if meant is None:
                break
            source = meant
        return source

    def some(self, binders: tuple[x.Binder, ...], wanted: list[x.Expr], facts: Facts) -> bool:
        """Return whether some values of binders satisfy all of some conditions."""
        if facts.impossible():
            return True
        if not binders:
            return all(self._true(part, facts, True) for part in wanted)
        self._steps += 1
        if self._depth > DEEP or self._is_spent():
            return False
        self._depth += 1
        try:
            return self._some(binders, wanted, facts)
        finally:
            self._depth -= 1

    def _some(self, binders: tuple[x.Binder, ...], wanted: list[x.Expr], facts: Facts) -> bool:
        first, rest = binders[0], binders[1:]
        if self.is_nonempty(first.source, facts):
            inner = self.bind_facts((first,), facts)
            if self.some(rest, wanted, inner):
                return True
        for inner in self._assume_witnesses(first, facts):
            if self.some(rest, wanted, inner):
                return True
        for witness in self._witnesses(first, wanted, facts):
            given = {first.variable: witness}
            instead = [substitute_variables(part, given) for part in wanted]
            later = tuple(x.Binder(b.variable, substitute_variables(b.source, given), span=b.span) for b in rest)
            if self._among(witness, first.source, facts) and self.some(later, instead, facts):
                return True
        return not rest and (
            self._one_of_several(first, wanted, facts)
            or self._room(first, wanted, facts)
            or self._is_extreme(first, wanted, facts)
        )

    def _is_extreme(self, binder: x.Binder, wanted: list[x.Expr], facts: Facts) -> bool:
        """Prove that some x has the greatest, or least, number of all that meet what else is wanted."""
        where = join_conditions(wanted)
        if where is None:
            return False

        def find_meaning(value: x.Expr) -> x.Expr:
            if isinstance(value, x.Local):
                terms = (term for term in facts.terms.values() if isinstance(term, x.Quantifier))
                return next((term for term in terms if self._is_order_proven("==", value, term, facts)), value)
            return self._written_out(value, facts)

        rests = list_extremes(binder, where, find_meaning)
        return any(self.some((binder,), [rest] if rest is not None else [], facts) for rest in rests)

    def _assume_witnesses(self, binder: x.Binder, facts: Facts) -> Iterator[Facts]:
        """Yield facts in which the variable is an item that other facts say there is.

        Where all of a kind may be taken, an item of any list of that kind will do: each is one of all.
        """
        source = facts.key(binder.source)
        local = x.Local(binder.variable, type=binder.variable.type, span=binder.span)
        kind = ty.Ref(binder.source.kind) if isinstance(binder.source, x.Instances) else None

        def fits(key: Hashable, variable: x.Variable | None) -> bool:
            return key == source or (kind is not None and variable is not None and variable.type == kind)

        known: list[Some] = [one for one in facts.lists if fits(one.source, one.variable)]
        for of, where in self._counts(facts):
            if where is not None and fits(facts.key(of), where[0]):
                known.append(Some(source, where[0], where[1], frozenset()))
        for one in known:
            if one.variable is not None and one.where is not None:
                inner = self.bind_facts((binder,), facts)
                inner.learn(substitute_variables(one.where, {one.variable: local}))
                yield inner

    def _witnesses(self, binder: x.Binder, wanted: list[x.Expr], facts: Facts) -> Iterator[x.Expr]:
        """Yield values that may be tried: what a condition names, and the ends and items that are written."""
        for part in wanted:
            for one in _disjuncts(part):
                if isinstance(one, x.Compare) and one.op == "==":
                    for left, right in ((one.left, one.right), (one.right, one.left)):
                        mine = isinstance(left, x.Local) and left.variable is binder.variable
                        if mine and ("variable", binder.variable) not in facts.reads(right):
                            yield right
        match binder.source:
            case x.Range():
                yield binder.source.low
                yield binder.source.high
            case x.ListOf():
                yield from binder.source.items[:8]

    def _one_of_several(self, binder: x.Binder, wanted: list[x.Expr], facts: Facts) -> bool:
        """Prove ``x != one`` for some x of a list without repetitions that has more than one item."""
        if not isinstance(binder.source, x.Instances) or len(wanted) != 1:
            return False
        low = self.domain.declared.instances(binder.source.kind).low
        for one in _disjuncts(wanted[0]):
            if isinstance(one, x.Compare) and one.op == "!=" and low is not None and low > 1:
                for left, right in ((one.left, one.right), (one.right, one.left)):
                    mine = isinstance(left, x.Local) and left.variable is binder.variable
                    if mine and ("variable", binder.variable) not in facts.reads(right):
                        return True
        return False

    def _room(self, binder: x.Binder, wanted: list[x.Expr], facts: Facts) -> bool:
        """Prove that a place is empty where there are more places than pieces that could lie in them.

        Every piece is in exactly one place or in the box, and none is ever made.
        """
        if not isinstance(binder.source, x.Instances) or len(wanted) != 1:
            return False
        place = _asked_to_be_empty(wanted[0])
        if place is None or self.program.places[place.place].dims != (binder.source.kind,):
            return False
        index = place.indices[0]
        if not (isinstance(index, x.Local) and index.variable is binder.variable):
            return False
        fewest = self.domain.declared.instances(binder.source.kind).low
        most = self.domain.declared.instances(place.kind).high
        return fewest is not None and most is not None and most < fewest


def _disjuncts(condition: x.Expr) -> Iterator[x.Expr]:
    if isinstance(condition, x.Logic) and condition.op == "or":
        yield from _disjuncts(condition.left)
        yield from _disjuncts(condition.right)
    else:
        yield condition


def _asked_to_be_empty(condition: x.Expr) -> x.Held | None:
    """Return the place in ``size(place) == 0``, ``place == none`` or ``not place``."""
    match condition:
        case x.Not(of=x.Present(of=x.Held() as place)) | x.Not(of=x.Filled(of=x.Held() as place)):
            return place
        case x.Compare(
            op="==",
            left=x.BuiltinCall(builtin="size", arguments=(x.Held() as place,))
            | x.Whole(op="count", of=x.Held() as place),
            right=x.Number(value=0),
        ):
            return place
    return None
