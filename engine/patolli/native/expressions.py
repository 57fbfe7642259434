"""Translate expressions: as words, as numbers, or as conditions, whatever is wanted.

``value`` gives a word, ``number`` a whole number, ``condition`` 0 or 1 in 32 bits. Which of these is least work follows
from the kind of the expression (``kind``).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from patolli.native.encoding import I32, I64
from patolli.native.heap import DATA, ITEMS, LEN, LIST, NONE, SET, TUPLE
from patolli.native.kinds import (
    ANY,
    COUNTING,
    DIRECT,
    FIXED,
    FRAME,
    INT,
    LISTING,
    MATCH,
    STATE,
    Kind,
    Ranged,
    column,
    constant,
    join,
    of_value,
    summed,
)
from patolli.native.memory import BUDGET
from patolli.native.writer import Local, Writer

_MISSING = object()
_ARITHMETIC = {ast.Add: "i64.add", ast.Sub: "i64.sub", ast.Mult: "i64.mul"}
_BITS = {
    ast.BitAnd: "i64.and", ast.BitOr: "i64.or", ast.BitXor: "i64.xor", ast.LShift: "i64.shl", ast.RShift: "i64.shr_s",
}  # fmt: skip
_ORDER = {ast.Lt: "i64.lt_s", ast.LtE: "i64.le_s", ast.Gt: "i64.gt_s", ast.GtE: "i64.ge_s"}
_BUILT_IN = frozenset(
    "list tuple sorted zip enumerate isinstance passes stepping whole call_block word_at at_rest".split()
)
FLAT = 4
"""Of how many comparisons, at most, all are worked out where the first may decide."""
SMALL = 1 << 10
"""Factors up to this leave room enough: numbers that are kept are below 10**15."""


class Expressions(Writer):
    """Translates expressions; loops and calls come from the classes below this one."""

    # -- kinds

    def kind(self, node: ast.expr) -> Kind:
        """Return the kind of an expression, as far as it is known."""
        if self.raw:
            return INT
        match node:
            case ast.Constant(value=value):
                return Ranged(int(value), int(value)) if isinstance(value, int) else ANY
            case ast.Name(id=name):
                if name in self.kinds:
                    return self.kinds[name]
                return self.linker.kind_of(self.names(name))
            case ast.BinOp():
                return self._kind_of_sum(node)
            case ast.Compare():
                return INT
            case ast.UnaryOp():
                return INT
            case ast.BoolOp(values=values):
                found: Kind = None
                for one in values:
                    found = join(found, self.kind(one))
                return found
            case ast.IfExp():
                return join(self.kind(node.body), self.kind(node.orelse))
            case ast.NamedExpr():
                return self.kind(node.value)
            case ast.Subscript():
                return self._kind_of_item(node)
            case ast.List():
                return ("list", ANY)  # others may be appended
            case ast.Tuple(elts=items):
                kinds = tuple([ANY if isinstance(one, ast.Starred) else self.kind(one) for one in items])
                found = None
                for one in kinds:
                    found = join(found, one)
                return (
                    ("tuple", found) if any(isinstance(one, ast.Starred) for one in items) else ("tuple", found, kinds)
                )
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                with self.scope():
                    for one in node.generators:
                        self.bind_kinds(one.target, self.kind_of_items(one.iter))
                    return ("list", self.kind(node.elt))
            case ast.Call():
                return self._kind_of_call(node)
        return ANY

    def _kind_of_sum(self, node: ast.BinOp) -> Kind:
        if isinstance(node.left, ast.List) and isinstance(node.op, ast.Mult):
            return ("list", ANY)
        if isinstance(node.op, ast.Sub):
            return summed(self.kind(node.left), self.kind(node.right), minus=True)
        if not isinstance(node.op, ast.Add):
            return INT
        left, right = self.kind(node.left), self.kind(node.right)
        if left == INT or right == INT:
            return summed(left, right)
        if isinstance(left, tuple) or isinstance(right, tuple):
            return join(left, right)
        return ANY if self.careful else INT

    def _kind_of_item(self, node: ast.Subscript) -> Kind:
        if isinstance(node.value, ast.Name) and node.value.id == "budget":
            return INT
        of = self.kind(node.value)
        if isinstance(node.slice, ast.Slice):
            if of == STATE:
                low = node.slice.lower
                return ("list", self.linker.slots.kind(constant(low)) if low is not None else ANY)
            return ("list", of[1]) if isinstance(of, tuple) else ANY
        if of == STATE:
            known = self.kind(node.slice)
            if isinstance(known, Ranged) and known.low >= 4:
                return self.linker.slots.between(known.low, known.high)
            fixed = constant(node.slice)
            if isinstance(node.slice, ast.Constant) or fixed >= 4:
                return self.linker.slots.kind(fixed)
            return ANY
        if of == FRAME and isinstance(node.slice, ast.Constant) and 0 <= node.slice.value <= 2:
            return INT
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
            return column(of, node.slice.value)
        return column(of, -1)

    def _kind_of_call(self, node: ast.Call) -> Kind:
        if isinstance(node.func, ast.Attribute):
            return INT if node.func.attr in ("index", "count") else ANY
        if not isinstance(node.func, ast.Name):
            return ANY
        name = node.func.id
        if name in self.kinds:
            return ANY
        if name in COUNTING:
            return INT
        if name in ("list", "tuple", "passes", "whole", "stepping", "sorted", "at_rest") and node.args:
            inner = self.kind(node.args[0])
            return (
                (inner if name in ("passes", "whole", "stepping") else ("list", inner[1]))
                if isinstance(inner, tuple)
                else ANY
            )
        if name in ("min", "max"):
            found: Kind = None
            if len(node.args) == 1:
                inner = self.kind(node.args[0])
                return inner[1] if isinstance(inner, tuple) else ANY
            for one in node.args:
                found = join(found, self.kind(one))
            return INT if found == INT or any(self.kind(one) == INT for one in node.args) else found
        if name in LISTING or name == "range":
            return ("list", INT)
        if name in DIRECT:
            return INT if DIRECT[name][1] == "n" else ANY
        if name in _BUILT_IN:
            return ANY
        return self.linker.result_of(self.names(name))

    def kind_of_items(self, node: ast.expr) -> Kind:
        """Return the kind of what a loop goes through."""
        match node:
            case ast.Call(func=ast.Name(id="range" | "span")):
                return INT
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner]):
                return ("pair", self._kind_of_position(inner), self.kind_of_items(inner))
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, _]):
                return ("pair", INT, self.kind_of_items(inner))
            case ast.Call(func=ast.Name(id="zip"), args=parts):
                return ("pair", *map(self.kind_of_items, parts))
            case ast.Call(func=ast.Name(id="passes" | "stepping" | "whole"), args=[inner, *_]):
                return self.kind_of_items(inner)
            case ast.IfExp():
                return self.kind_of_items(node.body)
        return column(self.kind(node), -1)

    def _kind_of_position(self, node: ast.expr) -> Kind:
        """Return the kind of the position in a list."""
        match node:
            case ast.Call(func=ast.Name(id="passes" | "whole"), args=[inner, *_]):
                return self._kind_of_position(inner)
            case ast.Subscript(
                slice=ast.Slice(lower=ast.Constant(value=int(low)), upper=ast.Constant(value=int(high)), step=None)
            ):
                return Ranged(0, max(0, high - low - 1))
        return INT

    def bind_kinds(self, target: ast.expr, kind: Kind) -> None:
        """Note the kinds of what a loop gives names to."""
        if isinstance(target, ast.Name):
            self.kinds[target.id] = ANY if isinstance(kind, tuple) and kind[0] == "pair" else kind
        elif isinstance(target, ast.Tuple):
            for position, one in enumerate(target.elts):
                if isinstance(kind, tuple) and kind[0] == "pair":
                    self.bind_kinds(one, kind[position + 1])
                else:
                    self.bind_kinds(one, column(kind, position, len(target.elts)))

    @contextmanager
    def scope(self) -> Any:
        """Let names that are given inside end with it."""
        env, kinds, lazy = dict(self.env), dict(self.kinds), dict(self.lazy)
        yield
        self.lazy = lazy
        for name in [*self.kinds]:
            if name in kinds:
                self.kinds[name] = kinds[name]
            else:
                del self.kinds[name]
        for name, local in [*self.env.items()]:
            if name in env:
                self.env[name] = env[name]
            elif name in self.kinds:
                continue  # a name of the function that was first met inside
            else:
                del self.env[name]
                del local

    # -- words

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
                self._display(TUPLE if isinstance(node, ast.Tuple) else LIST, items)
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
            case ast.IfExp():
                self.condition(node.test)
                self.body.open("if", I64)
                self.value(node.body)
                self.body.op("else")
                self.value(node.orelse)
                self.body.close()
            case ast.NamedExpr(target=ast.Name(id=name)):
                kind = self.kind(node.value)
                self.put(node.value, kind)
                self.store(name, kind)
                self._name(name)
            case ast.Subscript():
                if self.kind(node) == INT and isinstance(node.value, ast.Name) and node.value.id == "budget":
                    self.number(node)
                    self.tag()
                else:
                    self.item(node)
            case ast.ListComp() | ast.GeneratorExp():
                self.collected(node, LIST)
            case ast.SetComp():
                self.collected(node, LIST)
                self.body.i64(LIST)
                self.call("distinct")
            case ast.Lambda():
                self.closure(node)
            case ast.Attribute():
                self.attribute(node)
            case ast.Call():
                self.called(node)
            case ast.BoolOp() if self.kind(node) != INT:
                self._first_of(node)
            case ast.BinOp(op=ast.Mult(), left=ast.List(elts=[one]), right=right):
                self.value(one)
                self.number(right)
                self.call("repeated")
            case ast.BinOp() if self.kind(node) != INT:
                self._either_sum(node)
            case _:
                self.number(node)
                self.tag()

    def constant(self, node: ast.expr) -> Any:
        """Return what a display of constants stands for."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return -node.operand.value  # type: ignore[operator]
        if isinstance(node, ast.Tuple):
            found = [self.constant(one) for one in node.elts]
            return _MISSING if _MISSING in found else tuple(found)
        return _MISSING

    def put(self, node: ast.expr, kind: Kind) -> None:
        """Give an expression as a number where it is one, and else as a word."""
        if kind == INT:
            self.number(node)
        else:
            self.value(node)

    def _name(self, name: str) -> None:
        if name in self.lazy:
            row, offset = self.lazy[name]
            self.body.get(row)
            self.body.op("i32.wrap_i64")
            self.body.memory("i64.load", offset)
            return
        if name in self.kinds:
            at, kind = self.local(name)
            self.body.get(at)
            if kind == INT and not self.raw:
                self.tag()
            return
        self.body.i64(self.linker.word(self.names(name)))

    def _display(self, kind: int, items: list[ast.expr]) -> None:
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

    # -- numbers

    def number(self, node: ast.expr) -> None:
        """Give an expression as a whole number."""
        match node:
            case ast.Constant(value=int(value)):
                self.body.i64(int(value))
            case ast.Name(id=name) if name in self.lazy:
                self._name(name)
                self.untag()
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
        if kind is ast.Mult and not self.raw and not self._small(node.left) and not self._small(node.right):
            self.call("times")
        elif kind in _ARITHMETIC:
            self.body.op(_ARITHMETIC[kind])
        elif kind in _BITS:
            self.body.op(_BITS[kind])
        elif kind in (ast.FloorDiv, ast.Mod):
            if self.raw:
                self.body.op("i64.div_s" if kind is ast.FloorDiv else "i64.rem_s")
            else:
                self.call("divided" if kind is ast.FloorDiv else "remainder")
        else:
            raise self.fail(node, "no operation for numbers")

    def _small(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) and abs(node.value) <= SMALL  # type: ignore[arg-type]

    # -- conditions

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
                self._compared(node)
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

    def _compared(self, node: ast.Compare) -> None:
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
                self.put(node.left, first_kind)
                self.body.set(first)
                left = (first, first_kind)
            self.put(right, kind)
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
                self.put(left, kind)
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

    # -- items

    def item(self, node: ast.Subscript) -> None:
        """Give an item, or a part, of a list as a word."""
        of = self.kind(node.value)
        if isinstance(node.slice, ast.Slice):
            self.slice(node, LIST)
            return
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
            if of in FIXED and node.slice.value >= 0:
                self.value(node.value)
                self.body.op("i32.wrap_i64")
                self.body.memory("i64.load", ITEMS + 8 * node.slice.value)
                return
        if of in (FRAME, MATCH):
            self.value(node.value)
            self.number(node.slice)
            self.body.i64(3)
            self.body.op("i64.shl", "i64.add", "i32.wrap_i64")
            self.body.memory("i64.load", ITEMS)
            return
        if of == STATE:
            self._at(node.slice, len_constant=self.linker.slots.size)
            where = self.body.local(I32)
            self.body.set(where)
            self.value(node.value)
            self.body.op("i32.wrap_i64")
            self.body.get(where)
            self.body.op("i32.add")
            self.body.memory("i64.load", ITEMS)
            self.body.release(where)
            return
        if isinstance(node.value, ast.Name) and node.value.id not in self.kinds:
            table = self.names(node.value.id)
            if isinstance(table, tuple | range) and len(table) <= 100_000:
                self._at(node.slice, len_constant=len(table))
                self.body.memory("i64.load", self.linker.word(table) - 1 + 16)
                return
        if isinstance(of, tuple) and of[0] == "tuple":
            held, at = self.body.local(), self.body.local()
            self.value(node.value)
            self.body.set(held)
            self.number(node.slice)
            self.body.tee(at)
            self.body.get(held)
            self.length()
            self.body.op("i64.ge_u")
            self.body.open("if")
            self.give_up()
            self.body.close()
            self.body.get(at)
            self.body.i64(3)
            self.body.op("i64.shl")
            self.body.get(held)
            self.body.op("i64.add", "i32.wrap_i64")
            self.body.memory("i64.load", ITEMS)
            self.body.release(held, at)
            return
        if self.constant(node.slice) == -1:
            self._last(node.value)
            return
        self.value(node.value)
        self.number(node.slice)
        self.call("item")

    def _last(self, node: ast.expr) -> None:
        """Give the last item of a list."""
        held = self.body.local(I32)
        self.value(node)
        self.body.op("i32.wrap_i64")
        self.body.tee(held)
        self.body.memory("i32.load", LEN)
        self.body.op("i32.eqz")
        self.body.open("if")
        self.give_up()
        self.body.close()
        self.body.get(held)
        self.body.memory("i32.load", DATA)
        self.body.get(held)
        self.body.memory("i32.load", LEN)
        self.body.i32(3)
        self.body.op("i32.shl", "i32.add")
        self.body.i32(8)
        self.body.op("i32.sub")
        self.body.memory("i64.load")
        self.body.release(held)

    def _at(self, index: ast.expr, len_constant: int) -> None:
        """Give how far from the first item, in bytes, an index lies that has to be below a number."""
        if isinstance(index, ast.Constant) and isinstance(index.value, int) and 0 <= index.value < len_constant:
            self.body.i32(index.value * 8)
            return
        known = self.kind(index)
        if isinstance(known, Ranged) and known.low >= 0 and known.high < len_constant:
            self.number(index)
            self.body.op("i32.wrap_i64")
            self.body.i32(3)
            self.body.op("i32.shl")
            return
        at = self.body.local()
        self.number(index)
        self.body.tee(at)
        self.body.i64(len_constant)
        self.body.op("i64.ge_u")
        self.body.open("if")
        self.give_up()
        self.body.close()
        self.body.get(at)
        self.body.op("i32.wrap_i64")
        self.body.i32(3)
        self.body.op("i32.shl")
        self.body.release(at)

    def slice(self, node: ast.Subscript, kind: int) -> None:
        """Give a part of a list as a list of its own."""
        cut = node.slice
        assert isinstance(cut, ast.Slice)
        self.value(node.value)
        if cut.step is not None:
            if cut.lower is not None or cut.upper is not None or self.constant(cut.step) != -1:
                raise self.fail(node, "a step")
            self.body.i64(kind)
            self.call("backwards")
            return
        if cut.lower is None:
            self.body.i64(0)
        else:
            self.number(cut.lower)
        if cut.upper is None:
            self.body.i64(1 << 31)
        else:
            self.number(cut.upper)
        self.body.i64(kind)
        self.call("part")

    def looks(self, node: ast.expr) -> bool:
        """Tell whether an expression is a sure comparison of what lies in the state: a jump would be guessed wrong."""
        match node:
            case ast.Compare(left=ast.Subscript(value=ast.Name(id=name))) if self.kinds.get(name) == STATE:
                return self.sure(node)
        return False

    def sure(self, node: ast.expr) -> bool:
        """Tell whether an expression cannot fail, changes nothing, and is little work."""
        raise NotImplementedError

    def flat(self, node: ast.expr) -> None:
        """Give whether a sure condition holds, without a jump."""
        raise NotImplementedError

    # -- what other classes do

    def collected(self, node: Any, kind: int) -> None:
        """Give a list that a comprehension makes."""
        raise NotImplementedError

    def closure(self, node: ast.Lambda) -> None:
        """Give a function with what it has captured."""
        raise NotImplementedError

    def attribute(self, node: ast.Attribute) -> None:
        """Give a field of a row of a table."""
        raise NotImplementedError

    def called(self, node: ast.Call) -> None:
        """Give what a call gives, as a word."""
        raise NotImplementedError

    def called_for_number(self, node: ast.Call) -> bool:
        """Give what a call gives as a number, where that is less work; tell whether it was done."""
        raise NotImplementedError

    def called_for_condition(self, node: ast.Call) -> bool:
        """Give what a call gives as a condition, where that is less work; tell whether it was done."""
        raise NotImplementedError


Parts = list[Callable[[], object]]
__all__ = ["DATA", "NONE", "Expressions", "of_value"]
