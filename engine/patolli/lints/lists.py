"""Find lists that are too short for the number that looks something up in them.

A list whose length is known, of a constant or of a fact, and an index whose bounds are known: numbers, options,
``seats``, variables that run over ``a..b``, and counters and fields that declare bounds. Counters and fields count only
where no rule ever compares them, because a comparison may keep the index inside the list. A list is too short as well
when it is the only one of a fact or table that has another length than all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from patolli.diagnostics import Problem, Span
from patolli.lints.check import Reviewed, check
from patolli.lints.numbers import Bounds, Numbers, lists_of, rows, size_of
from patolli.program import effects as e
from patolli.program import expressions as x
from patolli.program import types as ty
from patolli.program.expressions import Variable
from patolli.program.model import Items, Program
from patolli.program.node import Node, children, walk

ALIKE = 4
"""From how many lists on all but one having the same length is a rule that the last one breaks."""
Read = tuple[str, ...]
"""A counter, field or fact."""


@check("P0442")
def short_list(reviewed: Reviewed) -> Iterator[Problem]:
    """Find indices that are beyond the end of their list."""
    told: set[Span] = set()
    for problem in (*_short_lists(reviewed.program), *_odd_lists(reviewed.program)):
        if problem.span not in told:  # one list may be too short for many
            told.add(problem.span)
            yield problem


def _odd_lists(program: Program) -> Iterator[Problem]:
    """Find the one list that is shorter than all others of its fact or table, which are of one length."""
    for kind in program.kinds.values():
        for name in kind.facts:
            yield from _odd([row for design in kind.designs for row in rows(design.facts.get(name))])
    for constant in program.constants.values():
        yield from _odd(rows(constant.value))


def _odd(values: list[object]) -> Iterator[Problem]:
    lists = [value for value in values if isinstance(value, Items)]
    if len(lists) == len(values) >= ALIKE:
        sizes = Counter(map(len, lists))
        usual, times = sizes.most_common(1)[0]
        for short in lists:
            if times == len(lists) - 1 and 0 < len(short) < usual:
                text = f"this list has {_items_of(len(short))}, and the {times} others have {usual} each"
                yield Problem("P0442", text, short.span, "make it as long as the others", severity="warning")
    inner: list[object] = [item for value in lists for item in value]
    if inner:
        yield from _odd(inner)


def _short_lists(program: Program) -> Iterator[Problem]:
    compared = cache(lambda: frozenset(_compared(program)))
    trees: list[Iterable[Node]] = [rule.block for rule in program.rules.values()]
    trees += [[function.body] for function in program.functions.values()]
    for tree in trees:
        if not any(isinstance(node, x.ItemAt) for node in walk(tree)):
            continue
        targets = [node.target for node in walk(tree) if isinstance(node, e.Set)]
        changing = frozenset(target.variable for target in targets if isinstance(target, x.Local))
        look = _Look(Numbers(program), compared, changing)
        for node in tree:
            yield from look.over(node)


def _compared(program: Program) -> Iterator[Read]:
    """Yield the counters, fields and facts that stand in any condition."""
    roots: list[Node | Iterable[Node] | None] = [rule.block for rule in program.rules.values()]
    roots += [function.body for function in program.functions.values()]
    roots += [trigger.condition for trigger in program.triggers]
    roots += [action.when for action in program.anytime]
    roots += [waiver.when for waiver in program.waivers]
    for node in walk(*roots):
        if isinstance(node, x.Expr) and node.type == ty.BOOL:
            yield from _read(node)


def _read(expr: x.Expr) -> Iterator[Read]:
    for node in walk(expr):
        match node:
            case x.CounterAt():
                yield ("counter", node.counter)
            case x.FieldOf():
                yield ("field", node.kind, node.field)
            case x.FactOf():
                yield ("fact", node.kind, node.fact)


@dataclass(slots=True)
class _Look:
    """One walk over a rule or function: bounds of its variables, and the variables that a condition has tested."""

    numbers: Numbers
    compared: Callable[[], frozenset[Read]]
    changing: frozenset[Variable]
    tested: set[Variable] = field(default_factory=set)

    def over(self, node: Node) -> Iterator[Problem]:
        """Walk in the order of the text; whatever was tested before, or is tested around, counts."""
        outside = set(self.tested)
        match node:
            case x.Quantifier() | e.For() | e.Choose():
                self._bind(node.binders)
                self._test(node.where)
            case e.Option():
                self._bind(node.binders)
                self._test(node.condition)
            case e.If() | x.IfElse() | e.Require():
                self._test(node.condition)
            case x.Logic() | x.Default():
                self._test(node.left)
            case e.Let() if node.variable not in self.changing:
                self._know(node.variable, self.numbers.bounds(node.value))
            case x.ItemAt():
                yield from self._index(node)
        for inner in children(node):
            yield from self.over(inner)
        if isinstance(node, x.Quantifier):
            self.tested = outside  # what it asks of its items says nothing behind it

    def _test(self, condition: x.Expr | None) -> None:
        """Take the variables of a condition for tested."""
        self.tested.update(node.variable for node in walk(condition) if isinstance(node, x.Local))

    def _know(self, variable: Variable, bounds: Bounds | None) -> None:
        if bounds is not None:
            self.numbers.variables[variable] = bounds

    def _bind(self, binders: tuple[x.Binder, ...]) -> None:
        for binder in binders:
            if isinstance(binder.source, x.Range):
                low, high = self.numbers.bounds(binder.source.low), self.numbers.bounds(binder.source.high)
                self._know(binder.variable, (low[0], high[1]) if low and high and low[0] <= high[1] else None)

    def _index(self, expr: x.ItemAt) -> Iterator[Problem]:
        lists, bounds = lists_of(self.numbers.program, expr.of), self.numbers.bounds(expr.index)
        if not lists or bounds is None:
            return
        low, high = bounds
        size = max(map(size_of, lists))
        never = low >= size or high < 0
        if not (never or self._unguarded(expr.index)):
            return
        found = f"is {low}" if low == high else f"goes from {low} to {high}"
        if never or low < 0 or high >= size:
            text = f"the list has {_items_of(size)}, counted from 0; the index {found}"
            help_ = "make the list longer, or keep the index inside it"
            yield Problem("P0442", text, expr.index.span, help_, severity="warning")
            return
        for short in lists:  # others are long enough, so this one is at fault
            if isinstance(short, Items) and high >= len(short):
                text = f"this list has {_items_of(len(short))}, counted from 0; the index {found}"
                also = ((expr.index.span, "it is looked up here"),)
                yield Problem("P0442", text, short.span, f"make the list longer, up to {high + 1}", also, "warning")

    def _unguarded(self, index: x.Expr) -> bool:
        """Tell whether nothing keeps an index with these parts away from its bounds."""
        locals_ = (node.variable for node in walk(index) if isinstance(node, x.Local))
        variables = [variable for variable in locals_ if variable.name != "me"]
        others = set(_read(index))
        plain = not any(isinstance(node, x.IfElse | x.BuiltinCall | x.FunctionCall) for node in walk(index))
        free = bool(others) or not self.tested & set(variables)
        return plain and len(variables) <= 1 and free and not (others and others & self.compared())


def _items_of(size: int) -> str:
    return f"{size} item{'s' if size != 1 else ''}"
