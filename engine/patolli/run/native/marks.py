"""Translate sets of numbers that a function fills and asks, and that nothing else sees: ``q not in seen``.

Of such numbers it is known how large they are at most, so each has a place of its own, which does not move. A number is
in the set where the place holds what the set is called by; that is another number for each set, so no place has to be
emptied. The function calls nothing else meanwhile that could use the places as well.
"""

from __future__ import annotations

import ast
from typing import Any

from patolli.run.compiler.calm import nodes_of
from patolli.run.native.expression_kinds import Kinds
from patolli.run.native.heap import DATA, LEN
from patolli.run.native.kinds import Ranged
from patolli.run.native.wasm_encoder import I32, I64

SIZE = 4096
"""How large a number may be."""
_QUIET = frozenset("passes stepping whole tick tuple list len charge_steps at_rest".split())


class Marks(Kinds):
    """Translates sets of numbers that nothing but their function sees."""

    function: ast.FunctionDef | None = None
    """The function that is written, where it is known."""
    marked: dict[str, tuple[int, int]]
    """By set, where its places begin, and the local that has what it is called by."""
    collecting: dict[str, str]
    """By set, a list that gets the same numbers, and has room for all of them."""

    def _begin_set(self, name: str, first: ast.expr) -> bool:
        """Begin a set with a number, if it is one that nothing else sees; tell whether it is."""
        size = self._size(name)
        if not size:
            return False
        places = self.linker.scratch(8 * size + 8)
        called = self.body.allocate_local()
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
        self._make_room(name, first, size)
        return True

    def _make_room(self, name: str, first: ast.expr, size: int) -> None:
        """Make room in a list that gets each number that the set gets, and so has no more than that has places."""
        assert self.function is not None
        found = [one for node in nodes_of(self.function) if (one := _taking(node)) and one[1] == name]
        lists = {one[2] for one in found}
        if len(lists) != 1:
            return
        list_ = lists.pop()
        named = [one for one in nodes_of(self.function) if isinstance(one, ast.Name) and one.id == list_]
        given = [one for one in self.function.body if isinstance(one, ast.Assign) and _is_list_of(one, list_, first)]
        appended = [one for one in nodes_of(self.function) if _appends(one, list_)]
        written = [one for one in named if isinstance(one.ctx, ast.Store)]
        if len(given) == len(written) == 1 and len(appended) == len(found):
            self.value(ast.Name(list_, ast.Load()))
            self.body.i64(size)
            self.call("make_room")
            self.body.op("drop")
            self.collecting[name] = list_

    def emit_set_add(self, node: ast.If) -> bool:
        """Put a number into a set and a list, if it is to be there, without a jump; tell whether it was possible."""
        found = _taking(node)
        if found is None or self.collecting.get(found[1]) != found[2]:
            return False
        item, name, list_ = found
        first, *others = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
        if not all(self._asks(one, name) or self.sure(one) for one in others):
            return False
        places, called = self.marked[name]
        holds, number, place, held = (self.body.local(kind) for kind in (I32, I64, I32, I32))
        self.condition(first)
        for one in others:
            self.condition(one)
            self.body.op("i32.and")
        self.body.set(holds)
        self.number(item)
        self.body.tee(number)
        self._place(lambda: None)
        self.body.tee(place)
        self.body.get(called)
        self.body.get(place)
        self.body.memory("i64.load", places)
        self.body.get(holds)
        self.body.op("select")
        self.body.memory("i64.store", places)
        self.value(ast.Name(list_, ast.Load()))
        self.body.op("i32.wrap_i64")
        self.body.tee(held)
        self.body.memory("i32.load", DATA)
        self.body.get(held)
        self.body.memory("i32.load", LEN)
        self.body.tee(place)
        self.body.i32(3)
        self.body.op("i32.shl", "i32.add")
        self.body.get(number)
        self.tag()
        self.body.memory("i64.store")
        self.body.get(held)
        self.body.get(place)
        self.body.get(holds)
        self.body.op("i32.add")
        self.body.memory("i32.store", LEN)
        self.body.release(holds, number, place, held)
        return True

    def _asks(self, node: ast.expr, name: str) -> bool:
        """Tell whether it is asked whether a small number is in a set."""
        match node:
            case ast.Compare(left=item, ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=id_)]):
                return id_ == name and isinstance(item, ast.Name)
        return False

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
        for node in nodes_of(self.function) if self.function is not None else ():
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=id_), attr="add"), args=[item]) if id_ == name:
                    pass
                case ast.Compare(left=item, ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=id_)]) if (
                    id_ == name
                ):
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


def _taking(node: ast.AST) -> tuple[ast.Name, str, str] | None:
    """Return what is put into which set and which list, where a condition has just that as a consequence."""
    match node:
        case ast.If(
            body=[
                ast.Expr(ast.Call(func=ast.Attribute(value=ast.Name(id=set_), attr="add"), args=[ast.Name() as item])),
                ast.Expr(
                    ast.Call(func=ast.Attribute(value=ast.Name(id=list_), attr="append"), args=[ast.Name() as same])
                ),
            ],
            orelse=[],
        ) if item.id == same.id:
            return item, set_, list_
    return None


def _appends(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id=id_), attr=attribute):
            return id_ == name and attribute in ("append", "extend", "insert")
    return False


def _is_list_of(node: ast.Assign, name: str, first: ast.expr) -> bool:
    """Tell whether a list is begun with an item."""
    match node:
        case ast.Assign(targets=[ast.Name(id=id_)], value=ast.List(elts=[one])):
            return id_ == name and ast.dump(one) == ast.dump(first)
    return False
