"""Write out what never changes in a program: counters and fields that no rule writes, bounds that no rule leaves.

In:     a program, its summaries, and what is known of numbers in it.
Out:    a program that does the same in every match, and about which more can be proven; None where there is nothing to
add.

A rule is proven from what it looks at itself, whatever was done before. What no rule ever writes is what a match
begins with, though, wherever a rule is called from; and a counter that is only gained is never below its start. Why
that holds: in a match nothing but rules changes counters and fields, those of payments, triggers and anytime actions
included; the summaries name all that a rule may write; and a payment or a loss never raises a counter, a gain never
lowers one, where the amount cannot be below 0 and the start lies within the bounds.

The compiler goes on with the program as it was written, and with every test that it asks for: a scenario may give
another number, and then gets an error, at its own line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from patolli.check.proofs.domain import Domain
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Attribute, Counter, Function, Kind, Program, Rule, Trigger
from patolli.language.program.node import Location, Node, declaration, walk
from patolli.language.program.summaries import Summaries
from patolli.language.program.tree_rewriter import rebuilt

UP, DOWN = 1, -1
_HARMLESS = (x.Local, x.Instance, x.Choice)
"""What is looked up without a way to fail: it may be left out together with its result."""


def written_out(program: Program, summaries: Summaries, domain: Domain) -> Program | None:
    """Return a program with everything written out that never changes."""
    return _WritingOut(program, summaries, domain).program()


class _WritingOut:
    def __init__(self, program: Program, summaries: Summaries, domain: Domain) -> None:
        self.old, self.summaries, self.domain = program, summaries, domain
        self.written: frozenset[Location] = frozenset().union(*(one.writes for one in summaries.rules.values()))
        self.ways: dict[str, set[int]] = {name: set() for name in program.counters}
        for rule in program.rules.values():
            for node in walk(rule.block):
                for name, way in self._list_counter_changes(node):
                    self.ways[name].add(way)

    def program(self) -> Program | None:
        """Return the new program."""
        counters = {name: self._counter(counter) for name, counter in self.old.counters.items()}
        kinds = {name: self._kind(kind) for name, kind in self.old.kinds.items()}
        rules = {name: self._rule(rule) for name, rule in self.old.rules.items()}
        functions = {name: self._function(function) for name, function in self.old.functions.items()}
        new = replace(self.old, counters=counters, kinds=kinds, rules=rules, functions=functions)
        pairs = ((new.counters, self.old.counters), (new.kinds, self.old.kinds), (new.rules, self.old.rules))
        changed = any(made[name] is not was[name] for made, was in pairs for name in was)
        return new if changed else None

    # -- which way counters go

    def _list_counter_changes(self, node: Node) -> Iterator[tuple[str, int]]:
        """Yield the counters that an effect changes by itself, and which way."""
        if not isinstance(node, e.Effect):
            return
        if isinstance(node, e.Gain):
            for item in node.items:
                yield from self._list_item_changes(item, -1 if node.less else 1)
        elif isinstance(node, e.Pay):
            # What payments with this tag carry out besides are rules, which are looked at by themselves.
            yield from ((str(one[1]), DOWN) for one in self.summaries.of(node).writes if one[0] == "counter")
        else:
            own = [one for one in declaration(node).writes(node) if one[0] == "counter"]
            yield from ((str(one[1]), way) for one in own for way in (UP, DOWN))

    def _list_item_changes(self, item: e.Item, way: int) -> Iterator[tuple[str, int]]:
        if not isinstance(item, e.CounterItem):
            assert isinstance(item, e.MemberItem | e.MixItem | e.CostItem)
            yield from ((name, either) for name in item.counters for either in (UP, DOWN))
            return
        by = self.domain.number(item.amount)
        if by.high is None or by.high > 0:
            yield item.counter, way
        if by.low is None or by.low < 0:
            yield item.counter, -way

    def _counter(self, counter: Counter) -> Counter:
        begins, ways = self.domain.declared.start(counter), self.ways[counter.name]
        now, found = self.domain.declared.counter(counter.name), counter
        if not self.domain.declared.starts_inside(counter.name) or begins.low is None or begins.low < counter.low:
            return counter  # what is outside its bounds is put inside by any change, in the other direction
        if DOWN not in ways and now.low is not None and begins.low > now.low:
            found = replace(found, low=begins.low)
        if UP not in ways and begins.high is not None and (now.high is None or begins.high < now.high):
            found = replace(found, high=x.Number(begins.high, type=ty.INT, span=counter.span))
        return found

    # -- fields

    def _kind(self, kind: Kind) -> Kind:
        fields = {name: self._field(kind.name, one) for name, one in kind.fields.items()}
        same = all(fields[name] is kind.fields[name] for name in fields)
        return kind if same else replace(kind, fields=fields)

    def _field(self, kind: str, attribute: Attribute) -> Attribute:
        start = self._start(attribute)
        if ("field", kind, attribute.name) in self.written or not isinstance(start, x.Number):
            return attribute
        if attribute.low == attribute.high == start.value:
            return attribute
        return replace(attribute, low=start.value, high=start.value)

    def _start(self, attribute: Attribute) -> x.Expr | None:
        """Return what a field begins with, where that is the same in every match."""
        default, type_, span = attribute.default, attribute.type, attribute.span
        if isinstance(default, x.Number | x.Truth | x.NoValue):
            return default
        if default is not None:
            return None
        if isinstance(type_, ty.Seq):
            return x.ListOf((), type=type_, span=span)
        if isinstance(type_, ty.Maybe):
            return x.NoValue(type=ty.NONE, span=span)
        return x.Number(attribute.low or 0, type=ty.INT, span=span) if type_ == ty.INT else None

    # -- trees

    def _instead(self, node: Node) -> Node:
        """Return what stands for a node; what it is made of is written out already."""
        match node:
            case x.CounterAt(counter=name, indices=indices) if all(isinstance(i, _HARMLESS) for i in indices):
                only = self.domain.declared.start(self.old.counters[name]).only
                if ("counter", name) not in self.written and only is not None:
                    return x.Number(only, type=ty.INT, span=node.span)
            case x.FieldOf(kind=kind, field=name, of=of) if isinstance(of, _HARMLESS):
                start = self._start(self.old.kinds[kind].fields[name])
                if ("field", kind, name) not in self.written and start is not None:
                    return replace(start, span=node.span)
            case x.Present(of=x.NoValue()) | x.Filled(of=x.ListOf(items=())):
                return x.Truth(False, type=ty.BOOL, span=node.span)
            case x.Default(left=x.NoValue(), right=right):
                return right
        return node

    def _expr(self, expr: x.Expr | None) -> x.Expr | None:
        return rebuilt((expr,), self._instead)[0] if expr is not None else None

    def _function(self, function: Function) -> Function:
        (body,) = rebuilt((function.body,), self._instead)
        return function if body is function.body else replace(function, body=body)

    def _rule(self, rule: Rule) -> Rule:
        steps = tuple(replace(step, block=rebuilt(step.block, self._instead)) for step in rule.steps)
        given, before, after = self._expr(rule.given), self._triggers(rule.before), self._triggers(rule.after)
        same = all(new.block is old.block for new, old in zip(steps, rule.steps, strict=True))
        if same and given is rule.given and before is rule.before and after is rule.after:
            return rule
        return replace(rule, steps=steps, given=given, before=before, after=after)

    def _triggers(self, triggers: tuple[Trigger, ...]) -> tuple[Trigger, ...]:
        new = tuple(
            one if (condition := self._expr(one.condition)) is one.condition else replace(one, condition=condition)
            for one in triggers
        )
        return triggers if all(a is b for a, b in zip(new, triggers, strict=True)) else new
