"""What kind of value an expression has, and which names it is known of."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from typing import Any

from patolli.run.compiler.calm import nodes_of
from patolli.run.native.kinds import (
    ANY,
    COUNTING,
    DIRECT,
    FRAME,
    INT,
    LISTING,
    MATCH,
    STATE,
    Kind,
    Ranged,
    column,
    constant,
    infer_sum_kind,
    join,
)
from patolli.run.native.parts import Parts

_BUILT_IN = frozenset(
    "list tuple sorted zip enumerate isinstance passes stepping whole call_block word_at item_there at_rest".split()
)


BLOCKS_AT_MOST = 1 << 30
"""No program has so many."""


class Kinds(Parts):
    """What kind of value an expression has, and which names it is known of."""

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
                for kind in kinds:
                    found = join(found, kind)
                if any(isinstance(one, ast.Starred) for one in items):
                    return ("tuple", found)
                return ("tuple", found, kinds)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                with self.scope():
                    for part in node.generators:
                        self.bind_kinds(part.target, self.kind_of_items(part.iter))
                    return ("list", self.kind(node.elt))
            case ast.Call():
                return self._kind_of_call(node)
        return ANY

    def _kind_of_sum(self, node: ast.BinOp) -> Kind:
        if isinstance(node.left, ast.List) and isinstance(node.op, ast.Mult):
            return ("list", ANY)
        if isinstance(node.op, ast.Sub):
            return infer_sum_kind(self.kind(node.left), self.kind(node.right), minus=True)
        if not isinstance(node.op, ast.Add):
            return INT
        left, right = self.kind(node.left), self.kind(node.right)
        if left == INT or right == INT:
            return infer_sum_kind(left, right)
        if isinstance(left, tuple) or isinstance(right, tuple):
            found = join(left, right)
            return found if isinstance(found, tuple) else ("list", ANY)  # nothing else is added to a list
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
        if of == MATCH and isinstance(node.slice, ast.Constant) and node.slice.value == 0:
            return STATE
        if of == STATE:
            known = self.kind(node.slice)
            if isinstance(known, Ranged) and known.low >= 4:
                return self.linker.slots.between(known.low, known.high)
            fixed = constant(node.slice)
            if isinstance(node.slice, ast.Constant) or fixed >= 4:
                return self.linker.slots.kind(fixed)
            return ANY
        if of == FRAME and isinstance(node.slice, ast.Constant) and node.slice.value in (0, 1, 2):
            return Ranged(-1, BLOCKS_AT_MOST) if node.slice.value == 0 else INT
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
        if name in ("passes", "whole", "stepping") and node.args:
            inner = self.kind(node.args[0])
            return inner if isinstance(inner, tuple) else ANY
        if name in ("list", "tuple", "sorted", "at_rest", "once") and node.args:
            inner = self.kind(node.args[0])
            return ("list", inner[1] if isinstance(inner, tuple) else ANY)
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
        if name == "collect":
            return MATCH
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
        env, kinds = dict(self.env), dict(self.kinds)
        yield
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

    def kind_of_comprehension(self, node: Any) -> Kind:
        """Bind the names of a comprehension and return the kind of its items."""
        for one in node.generators:
            self._fresh(one.target)
            self.bind_kinds(one.target, self.kind_of_items(one.iter))
        return self.kind(node.elt)

    def _fresh(self, target: ast.expr) -> None:
        """Let names be others than those of the same name outside."""
        for one in nodes_of(target):
            if isinstance(one, ast.Name):
                self.env.pop(one.id, None)
