"""Translate expressions as words or as numbers, whichever is wanted.

``value`` gives a word, ``number`` a whole number; ``put`` gives a number where the kind of the expression is one.
"""

from __future__ import annotations

import ast
from typing import Any

from patolli.run.native.expression_kinds import Kinds
from patolli.run.native.heap import LARGEST, LIST, SET, TUPLE
from patolli.run.native.kinds import INT, Kind, Ranged
from patolli.run.native.memory import BUDGET
from patolli.run.native.wasm_encoder import I64

_MISSING = object()
_ARITHMETIC = {ast.Add: "i64.add", ast.Sub: "i64.sub", ast.Mult: "i64.mul"}
_BITS = {
    ast.BitAnd: "i64.and", ast.BitOr: "i64.or", ast.BitXor: "i64.xor", ast.LShift: "i64.shl", ast.RShift: "i64.shr_s",
}  # fmt: skip
SMALL = 1 << 10
"""Factors up to this leave room enough: numbers that are kept are below 10**15."""


class Expressions(Kinds):
    """Translates expressions as words or as numbers."""

    def value(self, node: ast.expr) -> None:
        """Give an expression as a word."""
        if self.raw:
            self.number(node)
            return
        match node:
            case ast.Constant(value=value):
                self.body.i64(self.linker.word(value))
            case ast.Name(id=name):
                self._name(name)
            case ast.Tuple(elts=items) if (known := self.constant(node)) is not _MISSING:
                self.body.i64(self.linker.word(known))
            case ast.Tuple(elts=items) | ast.List(elts=items):
                self._written_out(TUPLE if isinstance(node, ast.Tuple) else LIST, items)
            case ast.Set(elts=items):
                self.items(SET, [])
                made = self.body.local()
                self.body.set(made)
                for one in items:
                    self.body.get(made)
                    self.value(one)
                    self.call("add")
                    self.body.op("drop")
                self.body.get(made)
                self.body.release(made)
            case ast.IfExp() if self.kind(node) == INT and self.sure(node):
                self.number(node)
                self.tag()
            case ast.IfExp():
                self.condition(node.test)
                self.body.open("if", I64)
                self.value(node.body)
                self.body.op("else")
                self.value(node.orelse)
                self.body.close()
            case ast.NamedExpr(target=ast.Name(id=name)):
                kind = self.kind(node.value)
                self.emit_operand(node.value, kind)
                self.store(name, kind)
                self._name(name)
            case ast.Subscript():
                budget = isinstance(node.value, ast.Name) and node.value.id == "budget"
                if budget and self.kind(node) == INT:
                    self.number(node)
                    self.tag()
                else:
                    self.item(node)
            case ast.ListComp() | ast.GeneratorExp():
                self.emit_comprehension(node, LIST)
            case ast.SetComp():
                self.emit_comprehension(node, LIST)
                self.body.i64(LIST)
                self.call("distinct")
            case ast.Lambda():
                self.closure(node)
            case ast.Attribute():
                self.attribute(node)
            case ast.Call():
                self.emit_call(node)
            case ast.BoolOp() if self.kind(node) != INT:
                self._first_of(node)
            case ast.BinOp(op=ast.Mult(), left=ast.List(elts=[one]), right=right):
                self.value(one)
                self.number(right)
                self.call("repeat_value")
            case ast.BinOp() if self.kind(node) != INT:
                self._either_sum(node)
            case _:
                self.number(node)
                self.tag()

    def constant(self, node: ast.expr) -> Any:
        """Return what a tuple of constants stands for."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return -node.operand.value  # type: ignore[operator]
        if isinstance(node, ast.Tuple):
            found = [self.constant(one) for one in node.elts]
            return _MISSING if _MISSING in found else tuple(found)
        return _MISSING

    def emit_operand(self, node: ast.expr, kind: Kind) -> None:
        """Give an expression as a number where it is one, and else as a word."""
        if kind == INT:
            self.number(node)
        else:
            self.value(node)

    def _name(self, name: str) -> None:
        if name in self.kinds:
            at, kind = self.local(name)
            self.body.get(at)
            if kind == INT and not self.raw:
                self.tag()
            return
        self.body.i64(self.linker.word(self.names(name)))

    def _written_out(self, kind: int, items: list[ast.expr]) -> None:
        if not any(isinstance(one, ast.Starred) for one in items):
            self.items(kind, [lambda one=one: self.value(one) for one in items])  # type: ignore[misc]
            return
        made = self.body.local()
        self.items(LIST, [])
        self.body.set(made)
        for one in items:
            self.body.get(made)
            self.value(one.value if isinstance(one, ast.Starred) else one)
            self.call("extend" if isinstance(one, ast.Starred) else "push")
            self.body.op("drop")
        self.body.get(made)
        self.body.i64(kind)
        self.call("whole_of")  # whose items lie behind its head, as those of a frame have to
        self.body.release(made)

    def _first_of(self, node: ast.BoolOp) -> None:
        """Give the value of an ``and`` or ``or``."""
        kept = self.body.local()
        for position, one in enumerate(node.values):
            self.value(one)
            if position == len(node.values) - 1:
                break
            self.body.tee(kept)
            self.truth_of_word(kept, teed=True)
            self.body.open("if", I64)
            if isinstance(node.op, ast.Or):
                self.body.get(kept)
                self.body.op("else")
        for _ in node.values[1:]:
            if isinstance(node.op, ast.And):
                self.body.op("else")
                self.body.get(kept)
            self.body.close()
        self.body.release(kept)

    def _either_sum(self, node: ast.BinOp) -> None:
        """Give a sum of what may be lists."""
        left, right = self.body.local(), self.body.local()
        self.value(node.left)
        self.body.set(left)
        self.value(node.right)
        self.body.set(right)
        known = isinstance(self.kind(node), tuple)
        if not known:
            self.body.get(left)
            self.body.op("i32.wrap_i64")
            self.body.i32(1)
            self.body.op("i32.and")
            self.body.open("if", I64)
        self.body.get(left)
        self.body.get(right)
        self.body.i64(TUPLE)
        self.call("both")
        if not known:
            self.body.op("else")
            self.body.get(left)
            self.body.get(right)
            self.body.op("i64.add")
            self.body.close()
        self.body.release(left, right)

    def number(self, node: ast.expr) -> None:
        """Give an expression as a whole number."""
        match node:
            case ast.Constant(value=int(value)):
                self.body.i64(int(value))
            case ast.Name(id=name) if name in self.kinds:
                at, kind = self.local(name)
                self.body.get(at)
                if kind != INT:
                    self.untag()
            case ast.Name(id=name):
                known = self.names(name)
                if isinstance(known, int):
                    self.body.i64(known)
                else:
                    self._name(name)
                    self.untag()
            case ast.BinOp():
                self._sum(node)
            case ast.UnaryOp(op=ast.USub()):
                self.body.i64(0)
                self.number(node.operand)
                self.body.op("i64.sub")
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                self.condition(node)
                self.body.op("i64.extend_i32_u")
            case ast.BoolOp() if self.raw or all(self._is_test(one) for one in node.values):
                self.condition(node)
                self.body.op("i64.extend_i32_u")
            case ast.IfExp() if self.sure(node):
                self.number(node.body)
                self.number(node.orelse)
                self.condition(node.test)
                self.body.op("select")
            case ast.IfExp():
                self.condition(node.test)
                self.body.open("if", I64)
                self.number(node.body)
                self.body.op("else")
                self.number(node.orelse)
                self.body.close()
            case ast.NamedExpr(target=ast.Name(id=name)):
                self.number(node.value)
                at, kind = self.local(name)
                if kind == INT:
                    self.body.tee(at)
                else:
                    self.tag()
                    self.body.tee(at)
                    self.untag()
            case ast.Subscript(value=ast.Name(id="budget"), slice=ast.Constant(value=int(position))):
                self.body.i32(BUDGET + 8 * position)
                self.body.memory("i64.load")
            case ast.Call() if self.called_for_number(node):
                pass
            case ast.BoolOp():
                self._first_of(node)
                self.untag()
            case _:
                if self.raw:
                    raise self.fail(node, "no number")
                self.value(node)
                self.untag()

    def _is_test(self, node: ast.expr) -> bool:
        """Tell whether an expression is 0 or 1."""
        match node:
            case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
                return True
            case ast.BoolOp(values=values):
                return all(map(self._is_test, values))
            case ast.IfExp():
                return self._is_test(node.body) and self._is_test(node.orelse)
            case ast.Call(func=ast.Name(id="any" | "all" | "bool")):
                return True
        return False

    def _sum(self, node: ast.BinOp) -> None:
        kind = type(node.op)
        if kind in _BITS and not self.raw:
            raise self.fail(node, "sets of bits")
        self.number(node.left)
        self.number(node.right)
        if kind is ast.Mult and not self.raw and not self._fits(node.left, node.right):
            self.call("times")
        elif kind in _ARITHMETIC:
            self.body.op(_ARITHMETIC[kind])
        elif kind in _BITS:
            self.body.op(_BITS[kind])
        elif kind in (ast.FloorDiv, ast.Mod):
            if self.raw:
                self.body.op("i64.div_s" if kind is ast.FloorDiv else "i64.rem_s")
            else:
                self.call("divide_floor" if kind is ast.FloorDiv else "remainder")
        else:
            raise self.fail(node, "no operation for numbers")

    def _fits(self, left: ast.expr, right: ast.expr) -> bool:
        """Tell whether a product is small enough whatever the numbers are."""
        if self._small(left) or self._small(right):
            return True
        one, other = self.kind(left), self.kind(right)
        if not isinstance(one, Ranged) or not isinstance(other, Ranged):
            return False
        return max(abs(one.low), abs(one.high)) * max(abs(other.low), abs(other.high)) < LARGEST

    def _small(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) and abs(node.value) <= SMALL  # type: ignore[arg-type]
