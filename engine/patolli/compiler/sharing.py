"""Work out once what several tests of one function ask for.

In:     conditions in Python, all of which must hold.
Out:    statements and conditions that tell the same, where no part that stands in several of them is worked out twice.

Only such parts are taken out as are worked out in any case when all conditions hold: nothing fails, or takes long, that
did not before. Where one does not hold, more may be worked out than was before; that is seldom, and whoever asks then
looks again.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Any

from patolli.compiler import build as b

ALIKE = 4
"""How many comparisons have to agree with the same truth so that it pays to look at it once."""
LEAST = 4
"""Nodes of which a part consists at least so that it pays to give it a name."""


def shared(tests: Sequence[ast.expr], fresh: Callable[[], str]) -> list[ast.stmt]:
    """Return the body of a function that tells whether all *tests* hold; *fresh* makes names for its variables."""
    sharing, body = _Sharing(fresh), []
    tests = list(tests)
    while len(tests) > 1 and (excuse := sharing.excuse(tests)) is not None:
        body.append(b.when(excuse, [b.give(b.const(True))]))
        tests = [b.either(test.values[1:]) for test in tests if isinstance(test, ast.BoolOp)]
    tests = _by_truth(sharing.rewritten(tests), sharing.truths())
    return [*body, *sharing.before, b.give(b.both(tests))]


def _by_truth(tests: list[ast.expr], truths: Set[str]) -> list[ast.expr]:
    """Write ``(a == 1) == h`` for many a as ``all are 1`` if h and ``none is 1`` if not: h is looked at only once.

    Both sides have to be truths; *truths* are the names of such. All parts stand for reading a slot, so that their
    order, and whether all of them are worked out, makes no difference but to the time.
    """
    found: dict[str, list[ast.expr]] = {}
    others: list[ast.expr] = []
    for test in tests:
        match test:
            case ast.Compare(left=ast.Compare() as left, ops=[ast.Eq()], comparators=[ast.Name(id=name)]) if (
                name in truths and _is_of_a_slot(left)
            ):
                found.setdefault(name, []).append(left)
            case _:
                others.append(test)
    for name, alike in found.items():
        if len(alike) < ALIKE:
            others += [b.compare(left, "==", b.name(name)) for left in alike]
        else:
            others.append(ast.IfExp(b.name(name), b.both(alike), b.negate(b.either(alike))))
    return others


class _Sharing:
    """Knows which parts are the same, by number."""

    def __init__(self, fresh: Callable[[], str]) -> None:
        self.fresh = fresh
        self.before: list[ast.stmt] = []
        self._numbers: dict[Any, int] = {}
        self._of: dict[int, tuple[ast.AST, int, int]] = {}  # by id: a node, its number, and its size
        self._named: dict[int, str] = {}
        self._often: Counter[int] = Counter()

    def truths(self) -> Set[str]:
        """Return the names that stand for comparisons."""
        assigned = [one for one in self.before if isinstance(one, ast.Assign)]
        return {
            one.targets[0].id
            for one in assigned
            if isinstance(one.value, ast.Compare) and isinstance(one.targets[0], ast.Name)
        }

    def excuse(self, tests: Sequence[ast.expr]) -> ast.expr | None:
        """Return the first part of all tests, where they are all told to hold because of the same."""
        firsts = [test.values[0] for test in tests if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or)]
        alike = len(firsts) == len(tests) and len({self.number(first) for first in firsts}) == 1
        return firsts[0] if alike else None

    def rewritten(self, tests: list[ast.expr]) -> list[ast.expr]:
        """Return the tests with names for what stands in several; ``before`` says what these are."""
        if any(isinstance(node, ast.NamedExpr) for test in tests for node in ast.walk(test)):
            return tests
        parts = [part for test in tests for part in _conjuncts(test)]
        for part in parts:
            self._count(part)
        return [self._rewrite(part) for part in parts]

    def number(self, node: ast.AST) -> int:
        """Return the number of a node; those that are written alike have the same."""
        if id(node) not in self._of:
            size = 0 if isinstance(node, ast.expr_context) else 1
            parts: list[tuple[Any, ...]] = []
            for name in node._fields:
                value = getattr(node, name, None)
                for one in value if isinstance(value, list) else (value,):
                    if isinstance(one, ast.AST):
                        parts.append((name, self.number(one)))
                        size += self._of[id(one)][2]
                    else:
                        parts.append((name, type(one), one))
            key = (type(node), *parts)
            self._of[id(node)] = node, self._numbers.setdefault(key, len(self._numbers)), size
        return self._of[id(node)][1]

    def _count(self, node: ast.expr) -> None:
        self._often[self.number(node)] += 1
        for inner in _certain(node):
            self._count(inner)

    def _rewrite(self, node: ast.expr) -> ast.expr:
        number = self.number(node)
        if number in self._named:
            return b.name(self._named[number])
        often, size = self._often[number], self._of[id(node)][2]
        for inner in _certain(node):
            changed = self._rewrite(inner)
            if changed is not inner:
                node = _with(node, inner, changed)
        if often > 1 and size >= LEAST:
            name = self._named[number] = self.fresh()
            self.before.append(b.assign(b.name(name), node))
            return b.name(name)
        return node


def _is_of_a_slot(test: ast.Compare) -> bool:
    """Tell whether a comparison is one of a slot of the state with a number, which cannot fail."""
    match test:
        case ast.Compare(
            left=ast.Subscript(value=ast.Name(id="s"), slice=ast.Constant()), comparators=[ast.Constant(value=int())]
        ):
            return True
    return False


def _conjuncts(test: ast.expr) -> Iterator[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for part in test.values:
            yield from _conjuncts(part)
    else:
        yield test


def _certain(node: ast.expr) -> list[ast.expr]:
    """Return the parts of an expression that are worked out in any case, where no names are bound."""
    match node:
        case ast.BoolOp():
            return node.values[:1]
        case ast.IfExp():
            return [node.test]
        case ast.Compare():
            return [node.left, node.comparators[0]]
        case ast.BinOp() | ast.UnaryOp() | ast.Subscript() | ast.Tuple() | ast.List():
            return [inner for inner in b.inside(node) if isinstance(inner, ast.expr)]
        case ast.Call():
            return [argument for argument in node.args if not isinstance(argument, ast.Starred | ast.Lambda)]
    return []


def _with(node: ast.expr, old: ast.expr, new: ast.expr) -> ast.expr:
    """Return a copy of a node in which one of its parts is another."""
    fields: dict[str, Any] = {}
    for name in node._fields:
        value = getattr(node, name, None)
        fields[name] = [new if one is old else one for one in value] if isinstance(value, list) else value
        if value is old:
            fields[name] = new
    return type(node)(**fields)


__all__ = ["shared"]
