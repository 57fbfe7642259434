"""Find lists that are too short for the number that looks something up in them.

A list whose length is known, of a constant or of a fact, and an index whose bounds are known: numbers, options,
``seats``, variables that run over ``a..b``, and counters and fields that declare bounds. Counters and fields count only
where no rule ever compares them, because a comparison may keep the index inside the list. A list is too short as well
when it is the only one of a fact or table that has another length than all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from patolli.analysis.declare import Table
from patolli.analysis.lints.check import Checked, check
from patolli.analysis.model import Items, Model
from patolli.analysis.traits import walk
from patolli.analysis.walking import children, nodes, sort_of
from patolli.diagnostics import Problem, Span
from patolli.language import tree as t

Bounds = tuple[int, int]
ALIKE = 4
"""From how many lists on all but one having the same length is a rule that the last one breaks."""


@check("P0442")
def short_list(checked: Checked) -> Iterator[Problem]:
    """Find indices that are beyond the end of their list."""
    told: set[Span] = set()
    for problem in (*_short_lists(checked.model), *_odd_lists(checked.model)):
        if problem.span not in told:  # one list may be too short for many
            told.add(problem.span)
            yield problem


def _odd_lists(model: Model) -> Iterator[Problem]:
    """Find the one list that is shorter than all others of its fact or table, which are of one length."""
    for kind in model.kinds.values():
        for name in kind.facts:
            yield from _odd([row for design in kind.designs for row in _rows(design.facts.get(name))])
    for constant in model.constants.values():
        yield from _odd(_rows(constant.value))


def _odd(values: list[object]) -> Iterator[Problem]:
    lists = [value for value in values if isinstance(value, Items)]
    if len(lists) == len(values) >= ALIKE:
        sizes = Counter(map(len, lists))
        usual, times = sizes.most_common(1)[0]
        for short in lists:
            if times == len(lists) - 1 and 0 < len(short) < usual:
                text = f"this list has {_items_of(len(short))}, and the {times} others have {usual} each"
                yield Problem("P0442", text, short.span, "make it as long as the others", severity="warning")
    inner = [item for value in lists for item in value]
    if inner:
        yield from _odd(inner)


def _short_lists(model: Model) -> Iterator[Problem]:
    compared = cache(lambda: frozenset(_compared(model)))
    for rule in model.rules.values():
        if not _looks_up(rule.block):
            continue
        changing = {e.target.id for e in walk(rule.block) if isinstance(e, t.SetTo) and isinstance(e.target, t.Name)}
        yield from _Look(model, compared, frozenset(changing)).over(rule.block)
    for function in model.functions.values():
        if _looks_up(function.body):
            yield from _Look(model, compared, frozenset()).over(function.body)


def _looks_up(tree: object) -> bool:
    return any(isinstance(node, t.Index) for node in nodes(tree))


def _compared(model: Model) -> Iterator[tuple[str, ...]]:
    """Yield the counters, fields and facts that stand in any condition."""
    trees: list[object] = [rule.block for rule in model.rules.values()]
    trees += [function.body for function in model.functions.values()]
    trees += [tr.when for rule in model.rules.values() for tr in (*rule.before, *rule.after)]
    trees += [action.when for action in model.anytime]
    trees += [waiver.when for waiver in model.waivers]
    for tree in trees:
        for node in nodes(tree):
            conditions: list[object] = [node] if isinstance(node, t.Compare | t.Logic | t.Not) else []
            conditions += (
                [node.condition] if isinstance(node, t.If | t.IfElse | t.Return | t.Require | t.Option) else []
            )
            for condition in conditions:
                yield from (_key(inner) for inner in nodes(condition) if sort_of(inner) in ("counter", "field", "fact"))


def _key(node: object) -> tuple[str, ...]:
    note: tuple[str, ...] = node.note  # type: ignore[attr-defined]
    return note[:2] if note[0] == "counter" else note[:3]


@dataclass(slots=True)
class _Look:
    """One walk over a rule or function: bounds of its variables, and the variables that a condition has tested."""

    model: Model
    compared: Callable[[], frozenset[tuple[str, ...]]]
    changing: frozenset[str]
    variables: dict[str, Bounds] = field(default_factory=dict)
    tested: set[str] = field(default_factory=set)

    def over(self, value: object) -> Iterator[Problem]:
        """Walk in the order of the text; whatever was tested before, or is tested around, counts."""
        outside = set(self.tested)
        match value:
            case t.Quantifier():
                self._bind(value.binders)
                self._test(value.where)
            case t.For() | t.Choose() | t.Option():
                self._bind(value.binders)
                self._test(value.where if not isinstance(value, t.Option) else value.condition)
            case t.If() | t.IfElse() | t.Return() | t.Require():
                self._test(value.condition)
            case t.Logic():
                self._test(value.left)
            case t.Let():
                found = self.bounds(value.value)
                if found is not None and value.id not in self.changing:
                    self.variables[value.id] = found
            case t.Index():
                yield from self._index(value)
        for inner in children(value):
            if isinstance(inner, t.Node | list | tuple):
                yield from self.over(inner)
        if isinstance(value, t.Quantifier):
            self.tested = outside  # what it asks of its items says nothing behind it

    def _test(self, condition: t.Expr | None) -> None:
        """Take the variables of a condition for tested."""
        self.tested.update(n.note[1] for n in nodes(condition) if sort_of(n) == "variable" and isinstance(n, t.Name))

    def _bind(self, binders: list[t.Binder]) -> None:
        for binder in binders:
            self.tested.discard(binder.id)
            self.variables.pop(binder.id, None)
            source = binder.source
            if isinstance(source, t.SpanOf):
                low, high = self.bounds(source.low), self.bounds(source.high)
                if low and high and low[0] <= high[1]:
                    self.variables[binder.id] = (low[0], high[1])

    def _index(self, expr: t.Index) -> Iterator[Problem]:
        lists, bounds = self.lists(expr.of), self.bounds(expr.index)
        if not lists or bounds is None:
            return
        low, high = bounds
        size = max(map(_size, lists))
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

    def _unguarded(self, index: t.Expr) -> bool:
        """Tell whether nothing keeps an index with these parts away from its bounds."""
        variables = [n for n in nodes(index) if sort_of(n) == "variable"]
        others = {_key(n) for n in nodes(index) if sort_of(n) in ("counter", "field", "fact")}
        plain = all(not isinstance(n, t.IfElse | t.Call) for n in nodes(index))
        free = all(n.note[1] not in self.tested for n in variables if isinstance(n, t.Name) and not others)
        return plain and len(variables) <= 1 and free and not (others and others & self.compared())

    # -- what is known of numbers

    def bounds(self, expr: t.Expr) -> Bounds | None:
        """Return the lowest and highest value of a number, where both are known."""
        match expr:
            case t.Number():
                return expr.value, expr.value
            case t.Negative():
                of = self.bounds(expr.of)
                return None if of is None else (-of[1], -of[0])
            case t.Binary():
                return self._computed(expr)
            case t.Call() if expr.id in ("min", "max"):
                parts = [self.bounds(a) for a in expr.arguments]
                known = [p for p in parts if p is not None]
                work = min if expr.id == "min" else max
                return (
                    (work(p[0] for p in known), work(p[1] for p in known))
                    if known and len(known) == len(parts)
                    else None
                )
            case t.Name() | t.Attribute() | t.Call():
                return self._named(expr)
        return None

    def _computed(self, expr: t.Binary) -> Bounds | None:
        left, right = self.bounds(expr.left), self.bounds(expr.right)
        if left is None or right is None:
            return None
        match expr.op:
            case "+":
                return left[0] + right[0], left[1] + right[1]
            case "-":
                return left[0] - right[1], left[1] - right[0]
            case "*":
                corners = [a * b for a in left for b in right]
                return min(corners), max(corners)
            case "div" if right[0] == right[1] > 0:
                return left[0] // right[0], left[1] // right[0]
        return None

    def _named(self, expr: t.Expr) -> Bounds | None:
        note = t.note_of(expr)
        match note[0]:
            case "variable":
                return self.variables.get(note[1])
            case "seats":
                return self.model.players
            case "option" if not self.model.options[note[1]].choices:
                return self.model.options[note[1]].low, self.model.options[note[1]].high
            case "constant":
                value = self.model.constants[note[1]].value
                return self.bounds(value) if isinstance(value, t.Number) else None
            case "counter":
                counter = self.model.counters[note[1]]
                return (counter.low, counter.high.value) if isinstance(counter.high, t.Number) else None
            case "fact":
                return self._fact(note[1], note[2])
            case "field":
                attribute = self.model.kinds[note[1]].fields[note[2]]
                return None if attribute.low is None or attribute.high is None else (attribute.low, attribute.high)
        return None

    def _fact(self, kind: str, name: str) -> Bounds | None:
        """Return the bounds of a fact whose values are all written as numbers."""
        found = self.model.kinds[kind]
        if name in found.data:
            numbers = [value for value in found.data[name] if isinstance(value, int)]
            return (min(numbers), max(numbers)) if len(numbers) == len(found.data[name]) and numbers else None
        values = [design.facts.get(name, found.facts[name].default) for design in found.designs]
        written = [value.value for value in values if isinstance(value, t.Number)]
        return (min(written), max(written)) if len(written) == len(values) and written else None

    # -- what is known of lists

    def lists(self, expr: t.Expr) -> list[object]:
        """Return every list that an expression may be, when all of them are known; else nothing."""
        found = self._values(expr)
        return found if all(_size(value) >= 0 for value in found) else []

    def _values(self, expr: t.Expr) -> list[object]:
        """Return everything that a list may be; what is unknown is an empty text."""
        match expr:
            case t.Listing():
                return [expr]
            case t.Name() if sort_of(expr) == "constant":
                return _rows(self.model.constants[expr.note[1]].value)
            case t.Attribute() if sort_of(expr) == "fact":
                kind = self.model.kinds[expr.note[1]]
                if expr.name in kind.data:
                    return list(kind.data[expr.name])
                facts = [d.facts.get(expr.name, kind.facts[expr.name].default) for d in kind.designs]
                return [row for fact in facts for row in _rows(fact)]
            case t.Index():
                return [item for value in self._values(expr.of) for item in _items(value)]
        return [""]


def _rows(value: object) -> list[object]:
    """Return the rows of a table; any other value alone."""
    return [row for inner in value.rows.values() for row in _rows(inner)] if isinstance(value, Table) else [value]


def _items(value: object) -> list[object]:
    if isinstance(value, t.Listing):
        return list(value.items)
    return list(value) if isinstance(value, list | tuple) else [""]


def _items_of(size: int) -> str:
    return f"{size} item{'s' if size != 1 else ''}"


def _size(value: object) -> int:
    """Return the length of a list, -1 when it is unknown."""
    if isinstance(value, t.Listing):
        return len(value.items)
    if isinstance(value, t.SpanOf) and isinstance(value.low, t.Number) and isinstance(value.high, t.Number):
        return max(0, value.high.value - value.low.value + 1)
    return len(value) if isinstance(value, list | tuple) else -1
