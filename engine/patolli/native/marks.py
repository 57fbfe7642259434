"""Translate sets of numbers that a function fills and asks, and that nothing else sees: ``q not in seen``.

Of such numbers it is known how large they are at most, so each has a place of its own, which does not move. A number is in
the set where the place holds what the set is called by; that is another number for each set, so no place has to be
emptied. The function calls nothing else meanwhile that could use the places as well.
"""

from __future__ import annotations

import ast
from typing import Any

from patolli.native.kinding import Kinds
from patolli.native.kinds import Ranged

SIZE = 4096
"""How large a number may be."""
_QUIET = frozenset("passes stepping whole tick tuple list len charged at_rest".split())


class Marks(Kinds):
    """Translates sets of numbers that nothing but their function sees."""

    function: ast.FunctionDef | None = None
    """The function that is written, where it is known."""
    marked: dict[str, tuple[int, int]]
    """By set, where its places begin, and the local that has what it is called by."""

    def _begun(self, name: str, first: ast.expr) -> bool:
        """Begin a set with a number, if it is one that nothing else sees; tell whether it is."""
        size = self._size(name)
        if not size:
            return False
        places = self.linker.scratch(8 * size + 8)
        called = self.body.named()
        self.marked[name] = (places + 8, called)
        self.body.i32(places)
        self.body.i32(places)
        self.body.memory("i64.load")
        self.body.i64(1)
        self.body.op("i64.add")
        self.body.tee(called)
        self.body.memory("i64.store")
        number = self.body.local()
        self.number(first)
        self.body.tee(number)
        self.body.i64(size)
        self.body.op("i64.ge_u")
        self.body.open("if")
        self.give_up()
        self.body.close()
        self._place(lambda: self.body.get(number))
        self.body.get(called)
        self.body.memory("i64.store", places + 8)
        self.body.release(number)
        return True

    def _place(self, number: Any) -> None:
        number()
        self.body.op("i32.wrap_i64")
        self.body.i32(3)
        self.body.op("i32.shl")

    def marked_in(self, item: ast.expr, name: str) -> None:
        """Give whether a number is in a set."""
        places, called = self.marked[name]
        self._place(lambda: self.number(item))
        self.body.memory("i64.load", places)
        self.body.get(called)
        self.body.op("i64.eq")

    def mark(self, item: ast.expr, name: str) -> None:
        """Put a number into a set."""
        places, called = self.marked[name]
        self._place(lambda: self.number(item))
        self.body.get(called)
        self.body.memory("i64.store", places)
        self.none()

    def _size(self, name: str) -> int:
        """Return how many numbers a set may hold, 0 where that is not known or something else may see it."""
        size, seen = 0, 1
        for node in ast.walk(self.function) if self.function is not None else ():
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=id_), attr="add"), args=[item]) if id_ == name:
                    pass
                case ast.Compare(
                    left=item, ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=id_)]
                ) if id_ == name:
                    pass
                case ast.Call(func=ast.Attribute(attr="add" | "append")):
                    continue
                case ast.Call(func=func) if not (isinstance(func, ast.Name) and func.id in _QUIET):
                    return 0
                case _:
                    seen -= isinstance(node, ast.Name) and node.id == name
                    continue
            kind = self.kind(item)
            if not isinstance(kind, Ranged) or kind.low < 0 or kind.high >= SIZE:
                return 0
            size, seen = max(size, kind.high + 1), seen + 1
        return size if seen == 0 else 0

    def _do_each_once(self, node: ast.Call) -> None:
        kind = self.kind(node.args[0])
        inner = kind[1] if isinstance(kind, tuple) and kind[0] in ("list", "tuple") else None
        self.value(node.args[0])
        if isinstance(inner, Ranged) and inner.low >= 0 and inner.high < SIZE:
            self.body.i64(self.linker.places(inner.high + 1))
            self.call("distinct_numbers")
        else:
            assert isinstance(node.func, ast.Name)
            self.body.to("call", self.linker.function(node.func.id, self.names)[0])
