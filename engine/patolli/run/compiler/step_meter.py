"""Put into generated code what draws on the step budget while a match runs.

In:     the functions of a program as Python, and the names that they see.
Out:    the same functions: a loop draws the passes that it makes, a function that does much draws when it is entered.

A step is about what it takes to look up a number. Of each piece of code it is computed how many steps it takes at
most beside what draws by itself: straight code takes its nodes, a branch its longer way, a call what the function
leaves uncounted. A loop over a list that is surely short takes all its passes together, where they are few steps; every
other loop draws for each pass that it really makes. A function of more than ``FREE`` steps draws when it is entered,
and so does one on every circle of calls.

So what is drawn and what is left of the function with which all began are no less than what was done. What is not known
counts as long: lists that come from the state, and functions that are looked up while a match runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from patolli.kernel.budget import BLOCK, FREE
from patolli.kernel.library import WORK, Work
from patolli.language.program.calls import inner_first
from patolli.run.compiler import build as b
from patolli.run.compiler.unit import Unit

_CALL, _LOOP, _PASS = 3, 5, 2
"""The steps of a call, of beginning a loop, and of one pass of it."""
_LATER = dict.fromkeys(("do_effect", "push_effect", "can_do", "anytime"), Work(FREE))
"""Functions that are known only when all else is compiled."""
SEARCHES, SEARCHED = ("reachable", "distance", "path"), 10
"""Functions that ask for what lies beside each thing that they meet, and the steps of one of these."""
MET = "seen"
"""The set of what a search has met, in which nothing is looked through."""
_AMONG = 3
"""The fourths of a step that it takes to look at an item in search of another one."""
_SHORT = 60
"""How many steps a loop over a list of unknown length may take before it draws."""


class Meter:
    """Measures the functions of one program and puts in what draws on the budget."""

    def __init__(self, unit: Unit) -> None:
        self.space, self.held = unit.space, unit.held
        self.left: dict[str, int] = {}  # by function, the steps that it takes beside what it draws
        self.results: dict[str, int | None] = {}  # by function, how many items a list that it gives has at most
        self.names = 0
        self.most = max(map(unit.layout.size, unit.layout.at), default=0)
        """The most pieces that a place may hold."""

    def measure(self, functions: Sequence[ast.FunctionDef]) -> None:
        """Put into functions what draws on the budget; those that they call are among them, or were measured before."""
        order, circular = inner_first({f.name: list(_list_called_functions(f)) for f in functions})
        known = {f.name: f for f in functions}
        self.left.update(dict.fromkeys(circular, 0))
        for name in order:
            function = known[name]
            steps = self._block(function.body)
            if steps > (BLOCK - 25 if _is_block(function) else FREE) or name in circular:
                _draw(function.body, steps)
                steps = 0
            self.left[name] = steps
            if isinstance(function.body[-1], ast.Return) and function.body[-1].value is not None:
                self.results[name] = self._length(function.body[-1].value) if _returns(function) == 1 else None

    # -- statements

    def _block(self, body: Iterable[ast.stmt]) -> int:
        return sum(map(self._statement, body))

    def _statement(self, node: ast.stmt) -> int:
        match node:
            case ast.If():
                return 1 + self._expr(node.test) + max(self._block(node.body), self._block(node.orelse))
            case ast.For():
                return self._for(node)
            case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Return() | ast.Raise() | ast.Break() | ast.Pass():
                return 1 + sum(self._expr(part) for part in b.inside(node) if isinstance(part, ast.expr))
        raise TypeError(node)

    def _for(self, loop: ast.For) -> int:
        source = self._expr(loop.iter)
        body = _PASS + self._block(loop.body)
        after = source + _LOOP + self._block(loop.orelse)
        if _is_drawing(loop.iter):
            return after + _SHORT  # the same loop stands in several places
        length = self._length(loop.iter)
        if length is not None and length * body <= FREE:
            return after + length * body
        if body > _SHORT and _leaves(loop.body):
            _draw(loop.body, body)
            return after
        loop.iter, uncounted = self._meter_list("stepping" if _leaves(loop.body) else "passes", loop.iter, body, True)
        return after + uncounted

    def _meter_list(self, function: str, source: ast.expr, steps: int, named: bool = False) -> tuple[ast.expr, int]:
        """Return a list that draws its passes, and the steps that it may take without; short ones do nothing else.

        Args:
            function: What draws.
            source: The list; its length is not known before.
            steps: What a pass takes.
            named: Whether the list can be given a name.
        """
        short, first, line = _SHORT // steps, source, source.lineno
        if named and not isinstance(source, ast.Name):
            self.names += 1
            source = ast.Name(f"n_{self.names}", ast.Load())
            first = ast.NamedExpr(ast.Name(source.id, ast.Store()), first)
        made: ast.expr = b.call(function, source, b.const(steps))
        if short > 1 and (isinstance(source, ast.Name) or _is_slot(source)):
            made = ast.IfExp(b.compare(b.call("len", first), "<=", b.const(short)), source, made)
        else:
            made, short = b.call(function, first, b.const(steps)), 0
        b.place(made, line)
        return made, short * steps

    # -- expressions

    def _expr(self, node: ast.expr) -> int:
        match node:
            case ast.Name() | ast.Constant():
                return 0
            case ast.Call():
                return self._call(node)
            case ast.IfExp():
                return 1 + self._expr(node.test) + max(self._expr(node.body), self._expr(node.orelse))
            case ast.ListComp() | ast.SetComp():
                return _LOOP + self._count_comprehension_steps(node.elt, node.generators)
            case ast.Lambda():
                return _CALL + self._expr(node.body)
            case ast.Compare():
                return sum(map(self._expr, (node.left, *node.comparators))) + self._count_comparison_steps(node)
            case ast.NamedExpr():
                return self._expr(node.value)
        return 1 + sum(self._expr(part) for part in b.inside(node) if isinstance(part, ast.expr))

    def _count_comparison_steps(self, node: ast.Compare) -> int:
        """Return the steps of looking through lists, beside one for each comparison."""
        steps = len(node.ops)
        for position, op in enumerate(node.ops):
            if isinstance(op, ast.In | ast.NotIn):
                node.comparators[position], more = self._gone_through(node.comparators[position], _AMONG)
                steps += more
        return steps

    def _count_comprehension_steps(self, item: ast.expr, generators: list[ast.comprehension]) -> int:
        """Return the steps of a comprehension beside the passes that it draws."""
        first, *others = generators
        source = self._expr(first.iter)
        inner = self._count_comprehension_steps(item, others) if others else self._expr(item) + _count_item_steps(item)
        body = _PASS + sum(map(self._expr, first.ifs)) + inner
        if _is_drawing(first.iter):
            return source + _SHORT
        length = self._length(first.iter)
        if length is not None and length * body <= FREE:
            return source + length * body
        match first.iter:
            case ast.Call(func=ast.Name(id="enumerate"), args=[items]):
                first.iter.args[0], uncounted = self._meter_list("passes", items, body)
            case _:
                first.iter, uncounted = self._meter_list("passes", first.iter, body)
        return source + uncounted

    def _call(self, node: ast.Call) -> int:
        steps = _CALL + sum(map(self._expr, node.args))
        if isinstance(node.func, ast.Attribute):
            return steps + self._expr(node.func)
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in SEARCHES:
            asked, steps_ = node.args[:2]
            inner = asked.body if isinstance(asked, ast.Lambda) else None
            assert isinstance(steps_, ast.Constant)
            steps_.value = SEARCHED if inner is None else SEARCHED + self._expr(inner)
            return sum(map(self._expr, node.args[2:])) + WORK[name].steps
        if name in self.left:
            return steps + self.left[name]
        work = WORK.get(name) or _LATER.get(name) or Work(10 if name in self.space else FREE)
        if work.item:
            node.args[0], more = self._gone_through(node.args[0], work.item)
            return steps + more
        if work.row >= 0:
            size = node.args[work.row]
            return steps + 3 * (size.value if isinstance(size, ast.Constant) and isinstance(size.value, int) else FREE)
        return steps + work.steps + (self.most * _AMONG // 4 if work.searches else 0)

    def _gone_through(self, items: ast.expr, fourths: int) -> tuple[ast.expr, int]:
        """Return a list that is gone through at once, and the steps of that; one of unknown length draws by itself."""
        if isinstance(items, ast.Name) and items.id == MET:
            return items, 1
        if isinstance(items, ast.Call) and isinstance(items.func, ast.Name) and items.func.id in SEARCHES:
            return items, 0  # a search draws for all that it finds
        if _is_drawing(items) or (isinstance(items, ast.ListComp | ast.SetComp) and fourths < _AMONG):
            return items, 0  # what its items take was drawn when they were collected
        length = self._length(items)
        if length is not None and length * fourths // 4 <= FREE:
            return items, length * fourths // 4
        made = b.call("whole", items, b.const(fourths))
        b.place(made, items.lineno)
        return made, 8

    # -- the lengths of lists

    def _length(self, source: ast.expr) -> int | None:
        """Return how many items a list has at most; None if that is unknown."""
        match source:
            case ast.Tuple() | ast.List():
                return len(source.elts)
            case ast.IfExp():
                return self._longest(source.body, source.orelse)
            case ast.ListComp():
                length = 1
                for generator in source.generators:
                    inner = self._length(generator.iter)
                    if inner is None:
                        return None
                    length *= inner
                return length
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _DRAWING or _keeps(name):
                return self._length(first)
            case ast.Call(func=ast.Name(id="row_pieces"), args=[_, _, ast.Constant(value=int(size))]):
                return size
            case ast.Call(func=ast.Name(id=name)):
                return self.results.get(name)
            case ast.Subscript(
                slice=ast.Slice(lower=ast.Constant(value=int(low)), upper=ast.Constant(value=int(high)))
            ):
                return high - low
            case ast.Name() | ast.Subscript():
                return self._find_list_length(source)
        return None

    def _longest(self, *sources: ast.expr) -> int | None:
        found = [self._length(source) for source in sources]
        return None if None in found else max(length for length in found if length is not None)

    def _find_list_length(self, source: ast.expr) -> int | None:
        """Return the length of a list in a table that no match changes, or in the state."""
        depth = 0
        if id(source) in self.held:
            return self.held[id(source)][1]
        while isinstance(source, ast.Subscript):
            source, depth = source.value, depth + 1
        if not isinstance(source, ast.Name):
            return None
        if source.id == "s":
            return self.most if depth == 1 else None
        table = self.space.get(source.id)
        return _longest_in(table, depth) if isinstance(table, tuple | range) else None


def _keeps(name: str) -> bool:
    return name in WORK and WORK[name].keeps


_DRAWING = frozenset({"passes", "stepping", "whole"})


def _is_slot(source: ast.expr) -> bool:
    """Return whether a list lies at a known place in the state, so that to look there twice is next to nothing."""
    return isinstance(source, ast.Subscript) and isinstance(source.slice, ast.Constant)


def _is_drawing(source: ast.expr) -> bool:
    """Return whether a list draws on the budget already."""
    if isinstance(source, ast.IfExp):
        return _is_drawing(source.orelse)
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "enumerate":
        return _is_drawing(source.args[0])
    return isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id in _DRAWING


def _draw(body: list[ast.stmt], steps: int) -> None:
    """Draw the steps of a body at its beginning; a call of ``tick`` would take twice as long."""
    line, left = body[0].lineno, b.item("budget", 0)
    drawn = ast.AugAssign(b.store(left), ast.Sub(), b.const(steps))
    body[:0] = [drawn, b.when(b.compare(left, "<", b.const(0)), [b.do(b.call("look"))])]
    for statement in body[:2]:
        b.place(statement, line)


def _longest_in(table: Any, depth: int) -> int | None:
    """Return the length of the longest list in a table; None where something is no list."""
    if not isinstance(table, tuple | range):
        return None if depth == 0 else 0
    if depth == 0:
        return len(table)
    found = [_longest_in(row, depth - 1) for row in table]
    return None if None in found else max((length for length in found if length is not None), default=0)


def _leaves(body: Sequence[ast.stmt], own: bool = True) -> bool:
    """Return whether a loop may be left early by what stands in it."""
    return any(
        isinstance(node, ast.Return)
        or (own and isinstance(node, ast.Break))
        or (isinstance(node, ast.If) and (_leaves(node.body, own) or _leaves(node.orelse, own)))
        or (isinstance(node, ast.For) and (_leaves(node.body, False) or _leaves(node.orelse, own)))
        for node in body
    )


def _count_item_steps(item: ast.expr) -> int:
    """Return the steps of keeping an item of a list; what they stand for is the memory that it takes."""
    return 40 if isinstance(item, ast.Tuple) else 2


def _is_block(function: ast.FunctionDef) -> bool:
    """Return whether a function is a block of a rule, which is counted by the code that runs blocks in turn."""
    return [argument.arg for argument in function.args.args] == ["s", "f"]


def _returns(function: ast.FunctionDef) -> int:
    found, open_ = 0, [*function.body]
    while open_:
        statement = open_.pop()
        if isinstance(statement, ast.Return):
            found += 1
        elif isinstance(statement, ast.If | ast.For):
            open_ += statement.body
            open_ += statement.orelse
    return found


_PLAIN = frozenset({ast.Name, ast.Constant})
"""Nodes in which nothing is called, the most frequent ones."""


def _list_called_functions(function: ast.FunctionDef) -> Iterator[str]:
    open_: list[ast.AST] = [function]
    while open_:
        node = open_.pop()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        for name in b.fields(node):
            value = getattr(node, name, None)
            if value.__class__ is list:
                open_ += [one for one in value if one.__class__ not in _PLAIN]
            elif value is not None and value.__class__ not in _PLAIN:
                open_.append(value)
