"""Translate loops and comprehensions: what they go through, with what they draw on the step budget."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from patolli.kernel.budget import FREE
from patolli.native.encoding import I32, I64
from patolli.native.expressions import Expressions
from patolli.native.heap import DATA, ITEMS, LEN, LIST, TUPLE
from patolli.native.kinds import ANY, INT, STATE, Kind, Ranged, column
from patolli.native.memory import HEAP, TOP

Work = Callable[[], object]
DEEP = 4
"""How deep an expression may be that is worked out although it may not be needed."""
SIFTED = 4096
"""How long a part of the state may be of which positions are found beforehand."""


class Loops(Expressions):
    """Translates ``for`` and what stands in comprehensions."""

    def iterate(
        self, target: ast.expr, source: ast.expr, work: Work, other: list[ast.stmt] | None = None, calm: bool = False
    ) -> None:
        """Do something with each item of a source.

        Args:
            target: The names that the items get.
            source: What is gone through.
            work: Writes what is done.
            other: What is done where the loop was not left early.
            calm: Whether what is done leaves the state as it is, so that a part of it need not be copied.
        """
        self.body.open("block")
        leave = self.body.depth
        self.body.open("block")
        exhausted = self.body.depth
        self._loop(target, source, work, leave, exhausted, calm)
        self.body.close()
        for one in other or ():
            self.statement(one)
        self.body.close()

    def _loop(self, target: ast.expr, source: ast.expr, work: Work, leave: int, exhausted: int, calm: bool) -> None:
        match source:
            case ast.Call(func=ast.Name(id="range" | "span" as name), args=arguments) if len(arguments) < 3:
                low = arguments[0] if len(arguments) == 2 else ast.Constant(0)
                first, last = self.body.local(), self.body.local()
                self.number(low)
                self.body.set(first)
                self.number(arguments[-1])
                self.body.set(last)
                if name == "span":
                    self._short_enough(first, last)
                self._counted(target, first, last, work, (leave, exhausted))
                self.body.release(first, last)
                return
            case ast.Call(func=ast.Name(id="range"), args=[low_, high, step]):
                self._stepped(target, low_, high, step, work, (leave, exhausted))
                return
            case ast.Name(id=name) if (
                name not in self.kinds and isinstance(self.names(name), range) and self.names(name).step == 1
            ):
                numbers = self.names(name)
                first, last = self.body.local(), self.body.local()
                self.body.i64(numbers.start)
                self.body.set(first)
                self.body.i64(numbers.stop)
                self.body.set(last)
                self._counted(target, first, last, work, (leave, exhausted))
                self.body.release(first, last)
                return
        self._listed(target, source, work, leave, exhausted, calm)

    def _short_enough(self, first: int, last: int) -> None:
        self.body.get(last)
        self.body.get(first)
        self.body.op("i64.sub")
        self.body.i64(100_000)
        self.body.op("i64.gt_s")
        self.body.open("if")
        self.give_up()
        self.body.close()

    def _inside(self, work: Work, leave: int) -> None:
        """Write the work of one pass, which ``continue`` leaves."""
        self.body.open("block")
        self.loops.append((leave, self.body.depth))
        work()
        self.loops.pop()
        self.body.close()

    def _counted(
        self, target: ast.expr, first: int, last: int, work: Work, leads: tuple[int, int], step: int = 1
    ) -> None:
        """Go through numbers; the first one is used up."""
        leave, exhausted = leads
        top = self.body.open("loop")
        self.body.get(first)
        self.body.get(last)
        self.body.op("i64.ge_s" if step > 0 else "i64.le_s")
        self.body.br_if(exhausted)
        self.body.get(first)
        self._bind_number(target)
        self._inside(work, leave)
        self.body.get(first)
        self.body.i64(step)
        self.body.op("i64.add")
        self.body.set(first)
        self.body.br(top)
        self.body.close()

    def _stepped(
        self, target: ast.expr, low: ast.expr, high: ast.expr, step: ast.expr, work: Work, leads: tuple[int, int]
    ) -> None:
        by = self.constant(step)
        if not isinstance(by, int) or not by:
            raise self.fail(step, "a step")
        first, last = self.body.local(), self.body.local()
        self.number(low)
        self.body.set(first)
        self.number(high)
        self.body.set(last)
        self._counted(target, first, last, work, leads, by)
        self.body.release(first, last)

    # -- lists

    def _listed(self, target: ast.expr, source: ast.expr, work: Work, leave: int, exhausted: int, calm: bool) -> None:
        """Go through lists: one, or several side by side, perhaps with the position."""
        loose, self.loose = self.loose, frozenset()
        position = self.body.local()
        self.body.i64(0)
        self.body.set(position)
        lists: list[tuple[ast.expr, Kind, Work, Work]] = []  # targets, kinds, what gives the length, and an item
        held: list[int] = [position]
        steps = self._sources(target, source, position, lists, held, calm)
        top = self.body.open("loop")
        for _, _, length, _ in lists:
            self.body.get(position)
            length()
            self.body.op("i64.ge_s")
            self.body.br_if(exhausted)
        if steps is not None:
            self._stepping(position, lists[0][2], *steps)
        for one, kind, _, item in lists:
            item()
            self.loose = loose
            self._bind(one, kind)
        self.loose = frozenset()
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "enumerate":
            assert isinstance(target, ast.Tuple)
            self.body.get(position)
            if len(source.args) > 1:
                self.number(source.args[1])
                self.body.op("i64.add")
            self._bind_number(target.elts[0])
        self._inside(work, leave)
        self.body.get(position)
        self.body.i64(1)
        self.body.op("i64.add")
        self.body.set(position)
        self.body.br(top)
        self.body.close()
        self.body.release(*held)

    def _sources(
        self, target: ast.expr, source: ast.expr, position: int, lists: list[Any], held: list[int], calm: bool
    ) -> tuple[int, int | None] | None:
        """Work out the lists; return what is drawn as the loop goes on: steps, and a local that says whether."""
        match source, target:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]), ast.Tuple(elts=[_, second]):
                return self._sources(second, inner, position, lists, held, calm)
            case ast.Call(func=ast.Name(id="zip"), args=parts), ast.Tuple(elts=targets):
                for one, part in zip(targets, parts, strict=True):
                    self._sources(one, part, position, lists, held, calm)
                return None
            case ast.Call(func=ast.Name(id="passes"), args=[inner, ast.Constant(value=int(steps))]), _:
                self._sources(target, inner, position, lists, held, calm)
                self._draw(lists[-1][2], steps)
                return None
            case ast.Call(func=ast.Name(id="stepping"), args=[inner, ast.Constant(value=int(steps))]), _:
                self._sources(target, inner, position, lists, held, calm)
                return steps, None
            case ast.IfExp(
                test=test,
                body=inner,
                orelse=ast.Call(
                    func=ast.Name(id="passes" | "stepping" as name), args=[_, ast.Constant(value=int(steps))]
                ),
            ), _:
                short = self.body.local(I32)
                held.append(short)
                self.condition(test)
                self.body.set(short)
                self._sources(target, inner, position, lists, held, calm)
                if name == "stepping":
                    return steps, short
                self.body.get(short)
                self.body.op("i32.eqz")
                self.body.open("if")
                self._draw(lists[-1][2], steps)
                self.body.close()
                return None
        self._one(target, source, position, lists, held, calm)
        return None

    def _draw(self, length: Work, steps: int) -> None:
        length()
        self.body.i64(steps)
        self.body.op("i64.mul")
        self.call("tick")
        self.body.op("drop")

    def _stepping(self, position: int, length: Work, steps: int, short: int | None) -> None:
        """Draw for the passes that come next, some at a time."""
        together = max(1, FREE // steps)
        if short is not None:
            self.body.get(short)
            self.body.op("i32.eqz")
            self.body.open("if")
        self.body.get(position)
        self.body.i64(together)
        self.body.op("i64.rem_u", "i64.eqz")
        self.body.open("if")
        self.body.i64(together)
        length()
        self.body.get(position)
        self.body.op("i64.sub")
        left = self.body.local()
        self.body.tee(left)
        self.body.get(left)
        self.body.i64(together)
        self.body.op("i64.gt_s", "select")
        self.body.release(left)
        self.body.i64(steps)
        self.body.op("i64.mul")
        self.call("tick")
        self.body.op("drop")
        self.body.close()
        if short is not None:
            self.body.close()

    def _one(
        self, target: ast.expr, source: ast.expr, position: int, lists: list[Any], held: list[int], calm: bool
    ) -> None:
        """Work out one list."""
        match source:
            case ast.Subscript(
                slice=ast.Slice(lower=ast.Constant(value=int(low)), upper=ast.Constant(value=int(high)), step=None)
            ) if calm and self.kind(source.value) == STATE:
                state = self.body.local()
                held.append(state)
                self.value(source.value)
                self.body.set(state)
                kind = self.linker.slots.kind(low)

                def slot() -> None:
                    self._address_of(position, state)
                    self.body.memory("i64.load", ITEMS + 8 * low)

                lists.append((target, kind, lambda: self.body.i64(max(0, high - low)), slot))
                return
            case ast.Name(id=name) if name not in self.kinds and isinstance(self.names(name), tuple):
                table = self.names(name)
                word = self.linker.word(table)
                known = self.kind(source)

                def row() -> None:
                    self.body.get(position)
                    self.body.i64(3)
                    self.body.op("i64.shl", "i32.wrap_i64")
                    self.body.memory("i64.load", word + ITEMS)

                lists.append((target, known[1], lambda: self.body.i64(len(table)), row))
                return
        kind = self.kind(source)
        word_ = self.body.local()
        held.append(word_)
        self.value(source)
        self.body.set(word_)
        inline = isinstance(kind, tuple) and kind[0] == "tuple"

        if inline:
            number = self.body.local()
            held.append(number)
            self.body.get(word_)
            self.length()
            self.body.set(number)

        def length() -> None:
            if inline:
                self.body.get(number)
                return
            self.body.get(word_)
            self.length()

        def item() -> None:
            if inline:
                self._address_of(position, word_)
                self.body.memory("i64.load", ITEMS)
                return
            self.body.get(word_)
            self.body.op("i32.wrap_i64")
            self.body.memory("i32.load", DATA)
            self.body.get(position)
            self.body.op("i32.wrap_i64")
            self.body.i32(3)
            self.body.op("i32.shl", "i32.add")
            self.body.memory("i64.load")

        lists.append((target, self.kind_of_items(source), length, item))

    def _address_of(self, position: int, word: int) -> None:
        self.body.get(word)
        self.body.get(position)
        self.body.i64(3)
        self.body.op("i64.shl", "i64.add", "i32.wrap_i64")

    # -- names

    def _bind(self, target: ast.expr, kind: Kind) -> None:
        """Give names to the word that was given."""
        match target:
            case ast.Name(id=name):
                self.store(name, ANY)
            case ast.Tuple(elts=targets):
                inline = isinstance(kind, tuple) and kind[0] == "tuple"
                word = self.body.local()
                self.body.set(word)
                kept = False
                for position, one in enumerate(targets):
                    if inline and isinstance(one, ast.Name) and one.id in self.loose:
                        self.lazy[one.id] = (word, ITEMS + 8 * position)
                        kept = True
                        continue
                    self.body.get(word)
                    offset = self.address(inline)
                    self.body.memory("i64.load", offset + 8 * position)
                    self._bind(one, column(kind, position, len(targets)))
                if not kept:
                    self.body.release(word)
            case ast.Subscript():
                self.store_item(target, self._kept())
            case _:
                raise self.fail(target, "no target")

    def _kept(self) -> Work:
        kept = self.body.local()
        self.body.set(kept)
        return lambda: self.body.get(kept)

    loose: frozenset[str] = frozenset()
    """Names of the loop that comes next that need not outlive a pass."""

    def _bind_number(self, target: ast.expr) -> None:
        """Give a name to the number that was given."""
        if isinstance(target, ast.Name):
            self.store(target.id, INT)
        else:
            self.tag()
            self._bind(target, INT)

    # -- comprehensions

    def collected(self, node: Any, kind: int) -> None:
        """Give a list that a comprehension makes."""
        calm = _calm(node)
        with self.scope():
            made = self.body.local()
            at = self.body.local(I32)
            item = self.kind_of_comprehension(node)
            flat = calm and not _makes(node)
            if flat:
                self._begin(made, at)
            else:
                self.body.i64(kind)
                self.body.i64(0)
                self.call("new")
                self.body.set(made)

            def keep() -> None:
                if flat:
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
                self._end(made, at, kind)
            elif kind == TUPLE:
                self.body.get(made)
                self.body.i64(TUPLE)
                self.call("whole_of")
                self.body.set(made)
            self.body.get(made)
            self.body.release(made, at)
            del item

    def kind_of_comprehension(self, node: Any) -> Kind:
        """Bind the names of a comprehension and return the kind of its items."""
        for one in node.generators:
            self._fresh(one.target)
            self.bind_kinds(one.target, self.kind_of_items(one.iter))
        return self.kind(node.elt)

    def _fresh(self, target: ast.expr) -> None:
        """Let names be others than those of the same name outside."""
        for one in ast.walk(target):
            if isinstance(one, ast.Name):
                self.env.pop(one.id, None)
                self.lazy.pop(one.id, None)

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
            if not others and end is not None and tests and all(map(self.sure, (*tests, end[1]))):
                self._kept_if(tests, *end)
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

        self.loose = frozenset(one.id for one in ast.walk(first.target) if isinstance(one, ast.Name))
        if others and end is not None and tests and self._sifted(first, inside, tests):
            return
        self.iterate(first.target, first.iter, inside, calm=calm)

    def _kept_if(self, tests: list[ast.expr], at: int, item: ast.expr) -> None:
        """Write an item, and go on behind it only if it is to be kept: a jump would be guessed wrong too often."""
        self._room(at)
        self.body.get(at)
        self.value(item)
        self.body.memory("i64.store")
        self.body.get(at)
        self.all_of(tests)
        self.body.i32(3)
        self.body.op("i32.shl", "i32.add")
        self.body.set(at)

    def all_of(self, tests: list[ast.expr]) -> None:
        """Give whether all of some sure conditions hold, without a jump."""
        for position, test in enumerate(tests):
            self.flat(test)
            if position:
                self.body.op("i32.and")

    def flat(self, node: ast.expr) -> None:
        """Give whether a sure condition holds, without a jump."""
        match node:
            case ast.BoolOp(op=op, values=values):
                for position, one in enumerate(values):
                    self.flat(one)
                    if position:
                        self.body.op("i32.and" if isinstance(op, ast.And) else "i32.or")
            case ast.UnaryOp(op=ast.Not()):
                self.flat(node.operand)
                self.body.op("i32.eqz")
            case _:
                self.condition(node)

    def sure(self, node: ast.expr, depth: int = 0) -> bool:
        """Tell whether an expression cannot fail, changes nothing, and is little work."""
        if depth > DEEP:
            return False
        match node:
            case ast.Constant() | ast.Name():
                return not isinstance(node, ast.Name) or node.id in self.kinds
            case ast.BoolOp(values=parts):
                return all(self.sure(one, depth + 1) and self.kind(one) == INT for one in parts)
            case ast.UnaryOp(operand=one):
                return self.sure(one, depth + 1) and self.kind(one) == INT
            case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
                return self.sure(left, depth + 1) and self.sure(right, depth + 1)
            case ast.Compare(
                left=left,
                ops=[ast.Eq() | ast.NotEq() | ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()],
                comparators=[right],
            ):
                return (
                    INT in (self.kind(left), self.kind(right))
                    and self.sure(left, depth + 1)
                    and self.sure(right, depth + 1)
                )
            case ast.Subscript(value=ast.Name(id=name), slice=index) if not isinstance(index, ast.Slice):
                known = self.kind(index)
                if not isinstance(known, Ranged) or known.low < 0 or not self.sure(index, depth + 1):
                    return False
                if self.kind(node.value) == STATE:
                    return known.high < self.linker.slots.size
                return (
                    name not in self.kinds
                    and isinstance(self.names(name), tuple)
                    and known.high < len(self.names(name))
                )
        return False

    def _sifted(self, first: ast.comprehension, inside: Work, tests: list[ast.expr]) -> bool:
        """Find the positions for which the first condition holds before anything is done; tell whether that was possible.

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
            if not isinstance(source.args[1], ast.Constant):
                return False
            source, steps = source.args[0], source.args[1].value  # type: ignore[assignment]
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

        def given() -> None:
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
        given()
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
        given()
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

    def _begin(self, made: int, at: int) -> None:
        """Begin a list at the end of all objects, to which nothing else is added meanwhile."""
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

    # -- what other classes do

    def statement(self, node: ast.stmt) -> None:
        """Translate a statement."""
        raise NotImplementedError

    def store_item(self, target: ast.Subscript, value: Work) -> None:
        """Write a word, which a function gives, into an item of a list."""
        raise NotImplementedError


def _calm(node: ast.AST) -> bool:
    """Tell whether nothing that is carried out can change the state."""
    return not any(
        isinstance(one, ast.Call) and not (isinstance(one.func, ast.Name) and one.func.id in _CALM)
        for one in ast.walk(node)
    )


_CALM = frozenset("len abs min max enumerate passes stepping zip range span sized place_of bool".split())
_MAKING = (ast.Tuple, ast.List, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.Lambda, ast.Set, ast.Slice)


def _makes(node: Any) -> bool:
    """Tell whether an item of a comprehension, a condition or a source may make other objects."""
    inner = [node.elt, *[test for one in node.generators for test in one.ifs]]
    return any(_made(part, _PLAIN) for part in inner) or any(_made(one.iter, _CALM, True) for one in node.generators)


_PLAIN = frozenset(("len", "abs", "bool"))


def _made(part: ast.AST, calls: frozenset[str], source: bool = False) -> bool:
    for one in ast.walk(part):
        if isinstance(one, ast.Slice) and source:
            if not (isinstance(one.lower, ast.Constant) and isinstance(one.upper, ast.Constant) and one.step is None):
                return True
        elif (
            isinstance(one, _MAKING)
            and not (isinstance(one, ast.Tuple) and all(isinstance(e, ast.Constant) for e in one.elts))
        ) or (isinstance(one, ast.Call) and not (isinstance(one.func, ast.Name) and one.func.id in calls)):
            return True
    return False


__all__ = ["I64", "LEN", "LIST", "Loops"]
