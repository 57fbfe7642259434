"""Translate loops: what they go through, with what they draw on the step budget."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from patolli.kernel.budget import FREE
from patolli.run.native.expression_kinds import Kinds
from patolli.run.native.heap import DATA, ITEMS
from patolli.run.native.kinds import ANY, INT, STATE, Kind, column
from patolli.run.native.parts import Work
from patolli.run.native.wasm_encoder import I32


class Loops(Kinds):
    """Translates loops: what they go through, with what they draw on the step budget."""

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
                self._emit_count_loop(target, first, last, work, (leave, exhausted))
                self.body.release(first, last)
                return
            case ast.Call(func=ast.Name(id="range"), args=[low_, high, step]):
                self._emit_range_loop(target, low_, high, step, work, (leave, exhausted))
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
                self._emit_count_loop(target, first, last, work, (leave, exhausted))
                self.body.release(first, last)
                return
        self._emit_list_loop(target, source, work, leave, exhausted, calm)

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

    def _emit_count_loop(
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

    def _emit_range_loop(
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
        self._emit_count_loop(target, first, last, work, leads, by)
        self.body.release(first, last)

    def _emit_list_loop(
        self, target: ast.expr, source: ast.expr, work: Work, leave: int, exhausted: int, calm: bool
    ) -> None:
        """Go through lists: one, or several side by side, perhaps with the position."""
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
            self._bind(one, kind)
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

    def _bind(self, target: ast.expr, kind: Kind) -> None:
        """Give names to the word that was given."""
        match target:
            case ast.Name(id=name):
                self.store(name, ANY)
            case ast.Tuple(elts=targets):
                inline = isinstance(kind, tuple) and kind[0] == "tuple"
                word = self.body.local()
                self.body.set(word)
                for position, one in enumerate(targets):
                    self.body.get(word)
                    offset = self.address(inline)
                    self.body.memory("i64.load", offset + 8 * position)
                    self._bind(one, column(kind, position, len(targets)))
                self.body.release(word)
            case ast.Subscript():
                self.store_item(target, self._save_value())
            case _:
                raise self.fail(target, "no target")

    def _save_value(self) -> Work:
        kept = self.body.local()
        self.body.set(kept)
        return lambda: self.body.get(kept)

    def _bind_number(self, target: ast.expr) -> None:
        """Give a name to the number that was given."""
        if isinstance(target, ast.Name):
            self.store(target.id, INT)
        else:
            self.tag()
            self._bind(target, INT)

    def each(self, source: ast.expr, work: Callable[[ast.expr], object]) -> None:
        """Do something with each item of a list or of a generator expression."""
        if isinstance(source, ast.GeneratorExp | ast.ListComp):
            with self.scope():
                self.kind_of_comprehension(source)
                self.generate(source.generators, lambda: work(source.elt), False)
            return
        name = f"#{id(source)}"
        with self.scope():
            self.kinds[name] = self.kind_of_items(source)
            self.iterate(ast.Name(name, ast.Store()), source, lambda: work(ast.Name(name, ast.Load())))
