"""Translate statements of a function, after the kinds of its names were worked out."""

from __future__ import annotations

import ast

from patolli.run.native.builtins import Builtins
from patolli.run.native.calls import Calls
from patolli.run.native.comprehensions import Comprehensions
from patolli.run.native.conditions import Conditions
from patolli.run.native.expressions import Expressions
from patolli.run.native.heap import DATA, ENDED, ITEMS
from patolli.run.native.items import Items
from patolli.run.native.kind_inference import Inferring
from patolli.run.native.kinds import FIXED, FRAME, INT, MATCH, STATE, Kind
from patolli.run.native.loops import Loops
from patolli.run.native.machine_words import Words
from patolli.run.native.memory import BUDGET, DUE
from patolli.run.native.parts import Work
from patolli.run.native.wasm_encoder import I64
from patolli.run.native.writer import FAULT, NO_OPTION, OVER


class Statements(Inferring, Calls, Builtins, Words, Comprehensions, Loops, Items, Conditions, Expressions):
    """Translates the statements of one function."""

    is_block = False
    """Whether this is a block of a rule, which says by what it gives that the match is over: to throw takes longer."""

    # -- statements

    def block(self, body: list[ast.stmt]) -> None:
        """Translate statements one after another."""
        for one in body:
            self.statement(one)

    def statement(self, node: ast.stmt) -> None:
        """Translate a statement."""
        if not self.raw and hasattr(node, "lineno"):
            self.body.lines.append((len(self.body.out), node.lineno))
        match node:
            case ast.Assign():
                self._assign(node.targets, node.value)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._assign([target], value)
            case ast.AugAssign():
                self._emit_augmented_assignment(node)
            case ast.If():
                self._if(node)
            case ast.For():
                self.iterate(node.target, node.iter, lambda: self.block(node.body), node.orelse)
            case ast.While():
                self._while(node)
            case ast.Return():
                if node.value is None:
                    self.none()
                else:
                    self.value(node.value)
                if self.end is None:
                    self.body.op("return")
                else:
                    self.body.br(self.end)
            case ast.Raise():
                self._raise(node)
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Assert():
                pass
            case ast.Expr():
                self._expression(node.value)
            case ast.Break():
                self.body.br(self.loops[-1][0])
            case ast.Continue():
                self.body.br(self.loops[-1][1])
            case ast.Delete():
                self._delete(node)
            case ast.Try():
                self._try(node)
            case _:
                raise self.fail(node, "a statement")

    def _expression(self, node: ast.expr) -> None:
        """Carry out a call and forget what it gives; an own call is done for its effect alone."""
        if isinstance(node, ast.IfExp):
            self.condition(node.test)
            self.body.open("if")
            self._expression(node.body)
            self.body.op("else")
            self._expression(node.orelse)
            self.body.close()
            return
        self.value(node)
        self.body.op("drop")

    def _if(self, node: ast.If) -> None:
        known = self._follows(node.test)
        if known is not None:
            self.block(node.body if known else node.orelse)
            return
        self.condition(node.test)
        self.body.open("if")
        self.block(node.body)
        if node.orelse:
            self.body.op("else")
            self.block(node.orelse)
        self.body.close()

    def _follows(self, test: ast.expr) -> bool | None:
        """Return whether a condition holds that follows from a number in a table of the driver, and else None."""
        match test:
            case ast.Name(id=name) if name.isupper() and name not in self.kinds:
                number = self.names(name)
                return bool(number) if isinstance(number, int) else None
            case ast.BoolOp(op=ast.And(), values=[first, *_]) if self._follows(first) is False:
                return False
        return None

    def _while(self, node: ast.While) -> None:
        leave = self.body.open("block")
        exhausted = self.body.open("block")
        top = self.body.open("loop")
        self.condition(node.test)
        self.body.op("i32.eqz")
        self.body.br_if(exhausted)
        self.loops.append((leave, top))
        self.block(node.body)
        self.loops.pop()
        self.body.br(top)
        self.body.close()
        self.body.close()
        self.block(node.orelse)
        self.body.close()

    def _raise(self, node: ast.Raise) -> None:
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        name = raised.id if isinstance(raised, ast.Name) else ""
        tag = {"MatchOver": OVER, "NoOption": NO_OPTION}.get(name, FAULT)
        if tag == OVER and self.is_block:
            self.body.i64(ENDED)
            self.body.op("return")
        elif self.raw or tag == FAULT:
            self.give_up()
        else:
            self.body.to("throw", tag)

    def _try(self, node: ast.Try) -> None:
        tags = {"MatchOver": OVER, "NoOption": NO_OPTION, "RuleFault": FAULT}
        if len(node.handlers) != 1 or node.finalbody or node.orelse or node.handlers[0].name:
            raise self.fail(node, "a try of this form")
        handler = node.handlers[0]
        assert isinstance(handler.type, ast.Name)
        done = self.body.open("block")
        caught = self.body.open("block")
        self.body.attempt([(tags[handler.type.id], caught)])
        self.block(node.body)
        self.body.close()
        self.body.br(done)
        self.body.close()
        self.block(handler.body)
        self.body.close()

    def _delete(self, node: ast.Delete) -> None:
        match node.targets:
            case [ast.Subscript(value=of, slice=ast.Slice(lower=low, upper=None, step=None))]:
                self.value(of)
                if low is None:
                    self.body.i64(0)
                else:
                    self.number(low)
                self.call("shorten")
            case [ast.Subscript(value=of, slice=index)] if not isinstance(index, ast.Slice):
                self.value(of)
                self.number(index)
                self.call("pop")
            case _:
                raise self.fail(node, "a deletion")
        self.body.op("drop")

    # -- assignments

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        match targets, value:
            case [ast.Name(id=name)], _:
                kind = self.kind(value)
                self.emit_operand(value, kind)
                self.store(name, kind)
            case [ast.Tuple(elts=some)], ast.Tuple(elts=others) if len(some) == len(others) and not any(
                isinstance(one, ast.Starred) for one in (*some, *others)
            ):
                self._side_by_side(some, others)
            case [ast.Tuple()], _:
                self.value(value)
                self._bind(targets[0], self.kind(value))
            case [ast.Subscript() as target], _:
                if isinstance(target.slice, ast.Slice):
                    self._replace(target, value)
                else:
                    self._set(target, value)
            case _:
                kind = self.kind(value)
                self.emit_operand(value, kind)
                kept = self.body.local()
                self.body.set(kept)
                for one in targets:
                    self._give(one, kept, kind)
                self.body.release(kept)

    def _side_by_side(self, targets: list[ast.expr], values: list[ast.expr]) -> None:
        held = []
        for value in values:
            kind = self.kind(value)
            self.emit_operand(value, kind)
            kept = self.body.local()
            self.body.set(kept)
            held.append((kept, kind))
        for target, (kept, kind) in zip(targets, held, strict=True):
            self._give(target, kept, kind)
        self.body.release(*(kept for kept, _ in held))

    def _give(self, target: ast.expr, kept: int, kind: Kind) -> None:
        """Write what a local holds, of a kind, into a target."""

        def word() -> None:
            self.body.get(kept)
            if kind == INT and not self.raw:
                self.tag()

        match target:
            case ast.Name(id=name):
                self.body.get(kept)
                self.store(name, kind)
            case ast.Subscript():
                self.store_item(target, word)
            case ast.Tuple():
                word()
                self._bind(target, kind)
            case _:
                raise self.fail(target, "no target")

    def _set(self, target: ast.Subscript, value: ast.expr) -> None:
        if self._is_budget(target):
            assert isinstance(target.slice, ast.Constant)
            assert isinstance(target.slice.value, int)
            self.body.i32(BUDGET + 8 * target.slice.value)
            self.number(value)
            self.body.memory("i64.store")
            return
        if isinstance(value, ast.Constant | ast.Name):
            self.store_item(target, lambda: self.value(value))
            return
        kept = self.body.local()
        self.value(value)
        self.body.set(kept)
        self.store_item(target, lambda: self.body.get(kept))
        self.body.release(kept)

    def _is_budget(self, target: ast.expr) -> bool:
        return isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and target.value.id == "budget"

    def store_item(self, target: ast.Subscript, value: Work) -> None:
        """Write a word, which a function gives, into an item of a list."""
        of = self.kind(target.value)
        index = target.slice
        fixed = self.constant(index)
        if of in FIXED and isinstance(fixed, int) and fixed >= 0:
            self.value(target.value)
            self.body.op("i32.wrap_i64")
            value()
            self.body.memory("i64.store", ITEMS + 8 * fixed)
        elif of in (FRAME, MATCH):
            self.value(target.value)
            self.number(index)
            self.body.i64(3)
            self.body.op("i64.shl", "i64.add", "i32.wrap_i64")
            value()
            self.body.memory("i64.store", ITEMS)
        elif of == STATE:
            self._at(index, len_constant=self.linker.slots.size)
            self.value(target.value)
            self.body.op("i32.wrap_i64", "i32.add")
            value()
            self.body.memory("i64.store", ITEMS)
        else:
            self.value(target.value)
            self.number(index)
            value()
            self.call("replace_item")
            self.body.op("drop")

    def _replace(self, target: ast.Subscript, value: ast.expr) -> None:
        cut = target.slice
        assert isinstance(cut, ast.Slice)
        items = self.body.local()
        self.value(value)
        self.body.set(items)
        self.value(target.value)
        if cut.lower is None:
            self.body.i64(0)
        else:
            self.number(cut.lower)
        self.body.get(items)
        self.call("replace" if cut.lower is not None or cut.upper is not None else "become")
        self.body.op("drop")
        self.body.release(items)

    def _emit_augmented_assignment(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            read = ast.Name(target.id, ast.Load())
            if isinstance(self.kinds.get(target.id), tuple) and self.linker.is_list(self.kinds[target.id]):
                self.value(read)
                self.value(node.value)
                self.call("extend")
                self.body.op("drop")
                return
            self._assign([target], ast.BinOp(read, node.op, node.value))
            return
        assert isinstance(target, ast.Subscript)
        if isinstance(target.value, ast.Name) and target.value.id == "turns":
            self.number(target.slice)  # no part of a match, but of the search that looks for ends of turns
            self.call("called_upon")
            self.body.op("drop")
            return
        if isinstance(target.value, ast.Name) and target.value.id == "due":
            self.body.i32(DUE)
            self.body.i32(DUE)
            self.body.memory("i64.load")
            self.number(node.value)
            self.body.op("i64.or")
            self.body.memory("i64.store")
            return
        if self._is_budget(target):
            self._set(target, ast.BinOp(ast.Subscript(target.value, target.slice, ast.Load()), node.op, node.value))
            return
        if isinstance(target.slice, ast.Constant):
            read_ = ast.Subscript(target.value, target.slice, ast.Load())
            self._set(target, ast.BinOp(read_, node.op, node.value))
            return
        name = f"#{id(node)}"
        self.kinds[name] = INT
        self.number(target.slice)
        self.store(name, INT)
        index = ast.Name(name, ast.Load())
        once = ast.Subscript(target.value, index, ast.Load())
        self._set(once, ast.BinOp(ast.Subscript(target.value, index, ast.Load()), node.op, node.value))


__all__ = ["DATA", "I64", "Statements"]
