"""Translate comprehensions: lists that are made at the end of all objects, where nothing else is made meanwhile."""

from __future__ import annotations

import ast
from typing import Any

from patolli.run.compiler.calm import nodes_of
from patolli.run.native.expression_kinds import Kinds
from patolli.run.native.heap import ITEMS, TUPLE
from patolli.run.native.kinds import ANY, INT, STATE
from patolli.run.native.memory import HEAP, TOP
from patolli.run.native.parts import Work
from patolli.run.native.wasm_encoder import I32

SIFTED = 4096
"""How long a part of the state may be of which positions are found beforehand."""
ROOMY = 4096
"""Of how many items, at most, it is made sure beforehand that there is room for them."""
_CALM = frozenset("len abs min max enumerate passes stepping zip range span check_size place_of bool".split())
_PLAIN = frozenset(("len", "abs", "bool"))
_MAKING = (ast.Tuple, ast.List, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.Lambda, ast.Set, ast.Slice)


class Comprehensions(Kinds):
    """Translates comprehensions."""

    def emit_comprehension(self, node: Any, kind: int) -> None:
        """Give a list that a comprehension makes."""
        calm = _calm(node)
        with self.scope():
            made = self.body.local()
            at = self.body.local(I32)
            item = self.kind_of_comprehension(node)
            flat = calm and not _makes(node)
            if flat:
                most = self._most(node)
                self._begin(made, at, most)
                roomy, self.roomy = self.roomy, most > 0
            else:
                self.body.i64(kind)
                self.body.i64(0)
                self.call("new")
                self.body.set(made)

            def keep() -> None:
                if flat:
                    if not self.roomy:
                        self._room(at)
                    self.body.get(at)
                    self.value(node.elt)
                    self.body.memory("i64.store")
                    self.body.get(at)
                    self.body.i32(8)
                    self.body.op("i32.add")
                    self.body.set(at)
                else:
                    self.body.get(made)
                    self.value(node.elt)
                    self.call("push")
                    self.body.op("drop")

            self.generate(node.generators, keep, calm, (at, node.elt) if flat else None)
            if flat:
                self.roomy = roomy
                self._end(made, at, kind)
            elif kind == TUPLE:
                self.body.get(made)
                self.body.i64(TUPLE)
                self.call("whole_of")
                self.body.set(made)
            self.body.get(made)
            self.body.release(made, at)
            del item

    def generate(
        self, generators: list[ast.comprehension], work: Work, calm: bool, end: tuple[int, ast.expr] | None = None
    ) -> None:
        """Go through the sources of a comprehension, one inside the other.

        Args:
            generators: The sources.
            work: Writes what is done with each combination.
            calm: Whether nothing that is done changes the state.
            end: Where the next item is written, and what it is, of a list that is made at the end of all objects.
        """
        first, *others = generators
        tests = first.ifs

        def inside() -> None:
            if plain and end is not None:
                self._keep_if(tests, *end)
                return
            for test in tests:
                self.condition(test)
                self.body.open("if")
            if others:
                self.generate(others, work, calm, end)
            else:
                work()
            for _ in tests:
                self.body.close()

        plain = not others and end is not None and bool(tests) and all(map(self.sure, (*tests, end[1])))
        if others and end is not None and tests and self._emit_filter(first, inside, tests):
            return
        self.iterate(first.target, first.iter, inside, calm=calm)

    def _keep_if(self, tests: list[ast.expr], at: int, item: ast.expr) -> None:
        """Write an item, and go on behind it only if it is to be kept: a jump would be guessed wrong too often."""
        if not self.roomy:
            self._room(at)
        self.body.get(at)
        self.value(item)
        self.body.memory("i64.store")
        self.body.get(at)
        self.all_of(tests)
        self.body.i32(3)
        self.body.op("i32.shl", "i32.add")
        self.body.set(at)

    def _emit_filter(self, first: ast.comprehension, inside: Work, tests: list[ast.expr]) -> bool:
        """Find the positions for which the first condition holds before anything is done; tell whether it was possible.

        It is for a part of the state of a known length, with its positions; to find them takes no jump that depends on
        what lies there.
        """
        match first.target, first.iter:
            case ast.Tuple(elts=[ast.Name(id=index), ast.Name(id=item)]), ast.Call(
                func=ast.Name(id="enumerate"), args=[source]
            ):
                pass
            case _:
                return False
        steps = 0
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "passes":
            steps = self.constant(source.args[1])
            if not isinstance(steps, int):
                return False
            source = source.args[0]
        match source:
            case ast.Subscript(
                value=of,
                slice=ast.Slice(lower=ast.Constant(value=int(low)), upper=ast.Constant(value=int(high)), step=None),
            ):
                number = high - low
            case _:
                return False
        if self.kind(of) != STATE or not 0 < number <= SIFTED or not self.sure(tests[0]):
            return False
        if steps:
            self.body.i64(number * steps)
            self.call("tick")
            self.body.op("drop")
        cursor, end = self.body.local(I32), self.body.local(I32)
        position, state = self.body.local(), self.body.local()
        scratch = self.linker.scratch(4 * number + 4)
        self.value(of)
        self.body.set(state)
        test = tests.pop(0)

        def emit_test() -> None:
            self.body.get(position)
            self.store(index, INT)
            self._address_of(position, state)
            self.body.memory("i64.load", ITEMS + 8 * low)
            self.store(item, ANY)

        self.body.i64(0)
        self.body.set(position)
        self.body.i32(scratch)
        self.body.set(cursor)
        top = self.body.open("loop")
        emit_test()
        self.body.get(cursor)
        self.body.get(position)
        self.body.memory("i64.store32")
        self.body.get(cursor)
        self.flat(test)
        self.body.i32(2)
        self.body.op("i32.shl", "i32.add")
        self.body.set(cursor)
        self.body.get(position)
        self.body.i64(1)
        self.body.op("i64.add")
        self.body.tee(position)
        self.body.i64(number)
        self.body.op("i64.lt_s")
        self.body.br_if(top)
        self.body.close()
        self.body.get(cursor)
        self.body.set(end)
        self.body.i32(scratch)
        self.body.set(cursor)
        done = self.body.open("block")
        top = self.body.open("loop")
        self.body.get(cursor)
        self.body.get(end)
        self.body.op("i32.ge_u")
        self.body.br_if(done)
        self.body.get(cursor)
        self.body.memory("i64.load32_u")
        self.body.set(position)
        emit_test()
        inside()
        self.body.get(cursor)
        self.body.i32(4)
        self.body.op("i32.add")
        self.body.set(cursor)
        self.body.br(top)
        self.body.close()
        self.body.close()
        tests.insert(0, test)
        self.body.release(cursor, end, position, state)
        return True

    def _most(self, node: Any) -> int:
        """Return how many items a comprehension gives at most, 0 where they may be many."""
        found = 1
        for part in node.generators:
            found *= self._longest(part.iter)
            if found > ROOMY:
                return 0
        return found

    def _longest(self, source: ast.expr) -> int:
        """Return how many items a source has at most, as far as that is known; else very many."""
        match source:
            case ast.Call(func=ast.Name(id="enumerate" | "passes"), args=[inner, *_]):
                return self._longest(inner)
            case ast.Subscript(
                slice=ast.Slice(lower=ast.Constant(value=int(low)), upper=ast.Constant(value=int(high)))
            ):
                return max(0, high - low)
        depth = 0
        while isinstance(source, ast.Subscript):
            if isinstance(source.slice, ast.Slice):
                return ROOMY + 1
            source, depth = source.value, depth + 1
        if isinstance(source, ast.Name) and source.id not in self.kinds:
            return int(self.linker.longest(self.names(source.id), depth))
        return ROOMY + 1

    def _begin(self, made: int, at: int, most: int) -> None:
        """Begin a list at the end of all objects, to which nothing else is added meanwhile."""
        # Room for the head, for all items of which it is known how many they are, and for one that is not kept.
        self.body.i32(HEAP)
        self.body.memory("i64.load")
        self.body.i64(16 + 8 * most + 8)
        self.body.op("i64.add")
        self.body.tee(made)
        self.body.i32(TOP)
        self.body.memory("i64.load")
        self.body.op("i64.gt_u")
        self.body.open("if")
        self.body.get(made)
        self.call("reserve")
        self.body.op("drop")
        self.body.close()
        self.body.i32(HEAP)
        self.body.memory("i64.load")
        self.body.i64(1)
        self.body.op("i64.add")
        self.body.tee(made)
        self.body.op("i32.wrap_i64")
        self.body.i32(15)
        self.body.op("i32.add")
        self.body.set(at)

    def _room(self, at: int) -> None:
        """See that there is room for an item, and for the head before it."""
        self.body.get(at)
        self.body.op("i64.extend_i32_u")
        self.body.i64(8)
        self.body.op("i64.add")
        self.body.i32(TOP)
        self.body.memory("i64.load")
        self.body.op("i64.gt_u")
        self.body.open("if")
        self.body.get(at)
        self.body.op("i64.extend_i32_u")
        self.body.i64(8)
        self.body.op("i64.add")
        self.call("reserve")
        self.body.op("drop")
        self.body.close()

    def _end(self, made: int, at: int, kind: int) -> None:
        """Write the head of a list whose items are there."""
        self.body.get(made)
        self.body.get(at)
        self.body.op("i64.extend_i32_u")
        self.body.i64(kind)
        self.call("finish")
        self.body.op("drop")


def _calm(node: ast.AST) -> bool:
    """Tell whether nothing that is carried out can change the state."""
    return not any(
        isinstance(one, ast.Call) and not (isinstance(one.func, ast.Name) and one.func.id in _CALM)
        for one in nodes_of(node)
    )


def _may_make_object(part: ast.AST, calls: frozenset[str], source: bool = False) -> bool:
    for one in nodes_of(part):
        if isinstance(one, ast.Slice) and source:
            if not (isinstance(one.lower, ast.Constant) and isinstance(one.upper, ast.Constant) and one.step is None):
                return True
        elif (
            isinstance(one, _MAKING)
            and not (isinstance(one, ast.Tuple) and all(isinstance(e, ast.Constant) for e in one.elts))
        ) or (isinstance(one, ast.Call) and not (isinstance(one.func, ast.Name) and one.func.id in calls)):
            return True
    return False


def _makes(node: Any) -> bool:
    """Tell whether an item of a comprehension, a condition or a source may make other objects."""
    inner = [node.elt, *[test for one in node.generators for test in one.ifs]]
    return any(_may_make_object(part, _PLAIN) for part in inner) or any(
        _may_make_object(one.iter, _CALM, True) for one in node.generators
    )
