"""Translate conditions, which give 0 or 1 in 32 bits.

Where a comparison is *sure*, it is worked out although another one may decide: a jump would be guessed wrong too often.
"""

from __future__ import annotations

import ast

from patolli.run.native.expression_kinds import Kinds
from patolli.run.native.kinds import INT, STATE, Kind, Ranged
from patolli.run.native.wasm_encoder import I32
from patolli.run.native.writer import Local

_ORDER = {ast.Lt: "i64.lt_s", ast.LtE: "i64.le_s", ast.Gt: "i64.gt_s", ast.GtE: "i64.ge_s"}
FLAT = 4
"""Of how many comparisons, at most, all are worked out where the first may decide."""
DEEP = 4
"""How deep an expression may be that is worked out although it may not be needed."""


class Conditions(Kinds):
    """Translates conditions, which give 0 or 1 in 32 bits."""

    def condition(self, node: ast.expr) -> None:
        """Give whether an expression holds."""
        match node:
            case ast.Constant(value=value):
                self.body.i32(1 if value else 0)
            case ast.UnaryOp(op=ast.Not()):
                self.condition(node.operand)
                self.body.op("i32.eqz")
            case ast.BoolOp(values=values) if len(values) <= FLAT and not self.raw and all(map(self.looks, values)):
                self.flat(node)
            case ast.BoolOp(values=values):
                for one in values[:-1]:
                    self.condition(one)
                    self.body.open("if", I32)
                    if isinstance(node.op, ast.Or):
                        self.body.i32(1)
                        self.body.op("else")
                self.condition(values[-1])
                for _ in values[:-1]:
                    if isinstance(node.op, ast.And):
                        self.body.op("else")
                        self.body.i32(0)
                    self.body.close()
            case ast.Compare():
                self._emit_comparisons(node)
            case ast.IfExp():
                self.condition(node.test)
                self.body.open("if", I32)
                self.condition(node.body)
                self.body.op("else")
                self.condition(node.orelse)
                self.body.close()
            case ast.Call() if self.called_for_condition(node):
                pass
            case _:
                kind = self.kind(node)
                if kind == INT:
                    self.number(node)
                    self.body.i64(0)
                    self.body.op("i64.ne")
                elif isinstance(kind, tuple):
                    self.value(node)
                    self.length()
                    self.body.op("i32.wrap_i64")
                    self.body.i32(0)
                    self.body.op("i32.ne")
                else:
                    kept = self.body.local()
                    self.value(node)
                    self.body.tee(kept)
                    self.truth_of_word(kept, teed=True)
                    self.body.release(kept)

    def truth_of_word(self, kept: int, teed: bool = False) -> None:
        """Make a word whether it counts as true."""
        if not teed:
            self.body.get(kept)
        self.body.op("i32.wrap_i64")
        self.body.i32(1)
        self.body.op("i32.and")
        self.body.open("if", I32)
        self.body.get(kept)
        self.call("truth")
        self.body.op("i32.wrap_i64", "else")
        self.body.get(kept)
        self.body.i64(0)
        self.body.op("i64.ne")
        self.body.close()

    def _emit_comparisons(self, node: ast.Compare) -> None:
        left: ast.expr | Local = node.left
        held: list[int] = []
        for position, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            last = position == len(node.ops) - 1
            if last:
                self._comparison(left, op, right)
                break
            kind = self.kind(right)
            at = self.body.local()
            held.append(at)
            if position == 0:
                first_kind = self.kind(node.left)
                first = self.body.local()
                held.append(first)
                self.emit_operand(node.left, first_kind)
                self.body.set(first)
                left = (first, first_kind)
            self.emit_operand(right, kind)
            self.body.set(at)
            self._comparison(left, op, (at, kind))
            self.body.open("if", I32)
            left = (at, kind)
        for _ in node.ops[1:]:
            self.body.op("else")
            self.body.i32(0)
            self.body.close()
        self.body.release(*held)

    def _kind(self, of: ast.expr | Local) -> Kind:
        return of[1] if isinstance(of, tuple) else self.kind(of)

    def _as_number(self, of: ast.expr | Local) -> None:
        if isinstance(of, tuple):
            self.body.get(of[0])
            if of[1] != INT:
                self.untag()
        else:
            self.number(of)

    def _as_word(self, of: ast.expr | Local) -> None:
        if isinstance(of, tuple):
            self.body.get(of[0])
            if of[1] == INT and not self.raw:
                self.tag()
        else:
            self.value(of)

    def _comparison(self, left: ast.expr | Local, op: ast.cmpop, right: ast.expr | Local) -> None:
        """Give whether one comparison holds."""
        if isinstance(op, ast.In | ast.NotIn):
            self._membership(left, right)
            if isinstance(op, ast.NotIn):
                self.body.op("i32.eqz")
            return
        if isinstance(op, ast.Is | ast.IsNot):
            self._identity(left, right)
            if isinstance(op, ast.IsNot):
                self.body.op("i32.eqz")
            return
        one, other = self._kind(left), self._kind(right)
        if isinstance(op, ast.Eq | ast.NotEq):
            self._equality(left, right, one, other)
            if isinstance(op, ast.NotEq):
                self.body.op("i32.eqz")
            return
        if one == INT or other == INT or not self.careful:
            self._as_number(left)
            self._as_number(right)
            self.body.op(_ORDER[type(op)])
            return
        swapped = isinstance(op, ast.Gt | ast.LtE)
        first = self.body.local()
        self._as_word(left)
        self.body.set(first)
        self._as_word(right)
        if swapped:
            self.body.get(first)
        else:
            second = self.body.local()
            self.body.set(second)
            self.body.get(first)
            self.body.get(second)
            self.body.release(second)
        self.call("less")
        self.body.op("i32.wrap_i64")
        if isinstance(op, ast.GtE | ast.LtE):
            self.body.op("i32.eqz")
        self.body.release(first)

    def _identity(self, left: ast.expr | Local, right: ast.expr | Local) -> None:
        match left, right:
            case ast.Attribute(value=of, attr="__class__"), ast.Name(id="list" | "tuple" | "dict" as name):
                self.of_class(of, (name,))
            case _:
                self._as_word(left)
                self._as_word(right)
                self.body.op("i64.eq")

    def of_class(self, node: ast.expr, names: tuple[str, ...]) -> None:
        """Give whether a value is a list of one of some classes of Python."""
        kept = self.body.local()
        self.value(node)
        self.body.tee(kept)
        self.body.i64(1)
        self.body.op("i64.and", "i32.wrap_i64")
        self.body.open("if", I32)
        self.body.get(kept)
        self.body.i64(sum(1 << {"list": 0, "tuple": 1, "range": 2, "dict": 6}[name] for name in names))
        self.call("is_of")
        self.body.op("i32.wrap_i64", "else")
        self.body.i32(0)
        self.body.close()
        self.body.release(kept)

    def _equality(self, left: ast.expr | Local, right: ast.expr | Local, one: Kind, other: Kind) -> None:
        if one == INT and other == INT:
            self._as_number(left)
            self._as_number(right)
            self.body.op("i64.eq")
            return
        if one == INT or other == INT or self._single(left) or self._single(right):
            self._as_word(left)
            self._as_word(right)
            self.body.op("i64.eq")
            return
        first, second = self.body.local(), self.body.local()
        self._as_word(left)
        self.body.set(first)
        self._as_word(right)
        self.body.set(second)
        self.body.get(first)
        self.body.get(second)
        self.body.op("i64.eq")
        self.body.open("if", I32)
        self.body.i32(1)
        self.body.op("else")
        self.body.get(first)
        self.body.get(second)
        self.body.op("i64.and", "i32.wrap_i64")
        self.body.i32(1)
        self.body.op("i32.and")
        self.body.open("if", I32)
        self.body.get(first)
        self.body.get(second)
        self.call("equal")
        self.body.op("i32.wrap_i64", "else")
        self.body.i32(0)
        self.body.close()
        self.body.close()
        self.body.release(first, second)

    def _single(self, of: ast.expr | Local) -> bool:
        """Tell whether there is only one word for what is equal."""
        return isinstance(of, ast.Constant)

    def _membership(self, left: ast.expr | Local, right: ast.expr | Local) -> None:
        if isinstance(right, ast.Tuple | ast.List | ast.Set) and len(right.elts) <= 12:
            kind = self._kind(left)
            at = self.body.local()
            if isinstance(left, tuple):
                self.body.get(left[0])
            else:
                self.emit_operand(left, kind)
            self.body.set(at)
            if not right.elts:
                self.body.i32(0)
            for one in right.elts[:-1]:
                self._equality((at, kind), one, kind, self.kind(one))
                self.body.open("if", I32)
                self.body.i32(1)
                self.body.op("else")
            if right.elts:
                self._equality((at, kind), right.elts[-1], kind, self.kind(right.elts[-1]))
            for _ in right.elts[:-1]:
                self.body.close()
            self.body.release(at)
            return
        item = self.body.local()
        self._as_word(left)
        self.body.set(item)
        self._as_word(right)
        self.body.get(item)
        self.call("contains")
        self.body.op("i32.wrap_i64")
        self.body.release(item)

    def looks(self, node: ast.expr) -> bool:
        """Tell whether an expression is a sure comparison of what lies in the state: a jump would be guessed wrong."""
        match node:
            case ast.Compare(left=ast.Subscript(value=ast.Name(id=name))) if self.kinds.get(name) == STATE:
                return self.sure(node)
        return False

    def sure(self, node: ast.expr, depth: int = 0) -> bool:
        """Tell whether an expression cannot fail, changes nothing, and is little work."""
        if depth > DEEP:
            return False
        match node:
            case ast.Constant() | ast.Name():
                return not isinstance(node, ast.Name) or node.id in self.kinds
            case ast.BoolOp(values=parts):
                return all(self.sure(one, depth + 1) and self.kind(one) == INT for one in parts)
            case ast.IfExp(test=test, body=body, orelse=other):
                return all(self.sure(one, depth + 1) and self.kind(one) == INT for one in (test, body, other))
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
                    return bool(known.high < self.linker.slots.size)
                return (
                    name not in self.kinds
                    and isinstance(self.names(name), tuple)
                    and known.high < len(self.names(name))
                )
        return False

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

    def all_of(self, tests: list[ast.expr]) -> None:
        """Give whether all of some sure conditions hold, without a jump."""
        for position, test in enumerate(tests):
            self.flat(test)
            if position:
                self.body.op("i32.and")
